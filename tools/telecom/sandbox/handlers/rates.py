"""Public rates: only what the publication gate lets through, for anybody."""

from collections.abc import Sequence

from devportal.catalog import PublishedRate
from telecom.problems import Kind
from telecom.rates import network_code, rate_json, rate_key
from telecom.sandbox.exchange import Call, Refused, Reply
from telecom.sandbox.filters import fits
from telecom.sandbox.operations import Resources
from telecom.sandbox.pagination import page_of
from telecom.sandbox.resource import Resource
from telecom.sandbox.revalidation import revalidated


def list_rates(call: Call, resources: Resources) -> Reply:
    """Return the rates that fit the filters."""
    fitting = [rate for rate in _public(resources) if _fits(rate, call)]
    return revalidated(call, page_of(fitting, call, key=rate_key, item=rate_json))


def list_country_rates(call: Call, resources: Resources) -> Reply:
    """Return the rates of a country that fit; raises Refused (404) where nothing is published for it."""
    country = call.path["country"]
    of_country = [rate for rate in _public(resources) if rate.terms.market == country]
    if not of_country:
        raise nothing_published(country)
    fitting = [rate for rate in of_country if _fits(rate, call)]
    return revalidated(call, page_of(fitting, call, key=rate_key, item=rate_json))


def nothing_published(country: str) -> Refused:
    """Return the one answer for a country without anything public, whether there is such a country or not."""
    return Refused(Kind.NOT_FOUND, f"Nothing is published for {country!r}.")


def _public(resources: Resources) -> Sequence[PublishedRate]:
    with resources.database.read() as connection:
        return resources.public.on(connection, resources.clock().date()).rates


def _fits(rate: PublishedRate, call: Call) -> bool:
    terms = rate.terms
    values = {
        "country": terms.market,
        "product": terms.product.key,
        "direction": terms.declared.get("direction"),
        "network": "".join(code) if (code := network_code(terms)) else None,
        "number_type": terms.declared.get("number_type"),
        "currency": terms.currency,
    }
    return fits(call, values)


RESOURCE = Resource(handlers={"listRates": list_rates, "listCountryRates": list_country_rates})
