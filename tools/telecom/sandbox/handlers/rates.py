"""Public rates: only what the publication gate lets through, for anybody."""

from collections.abc import Sequence

from devportal.catalog import PublishedRate
from telecom.problems import ProblemKind
from telecom.rates import network_code, rate_json, rate_sort_key
from telecom.sandbox.api.exchange import (
    OperationRequest,
    RequestRefused,
    SuccessResponse,
    conditional_response,
)
from telecom.sandbox.api.operations import HandlerContext, Resource
from telecom.sandbox.api.pagination import fits_filters, page_of


def list_rates(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Return the rates that fit the filters."""
    fitting = [rate for rate in _public_rates(resources) if _fits_request(rate, call)]
    return conditional_response(call, page_of(fitting, call, key=rate_sort_key, item=rate_json))


def list_country_rates(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Return the rates of a country that fit; raises Refused (404) where nothing is published for it."""
    country = call.path["country"]
    of_country = [rate for rate in _public_rates(resources) if rate.terms.market == country]
    if not of_country:
        raise no_published_rates(country)
    fitting = [rate for rate in of_country if _fits_request(rate, call)]
    return conditional_response(call, page_of(fitting, call, key=rate_sort_key, item=rate_json))


def no_published_rates(country: str) -> RequestRefused:
    """Return the one answer for a country without anything public, whether there is such a country or not."""
    return RequestRefused(ProblemKind.NOT_FOUND, f"Nothing is published for {country!r}.")


def _public_rates(resources: HandlerContext) -> Sequence[PublishedRate]:
    with resources.database.read() as connection:
        return resources.public.on(connection, resources.clock().date()).rates


def _fits_request(rate: PublishedRate, call: OperationRequest) -> bool:
    terms = rate.terms
    values = {
        "country": terms.market,
        "product": terms.product.key,
        "direction": terms.declared.get("direction"),
        "network": "".join(code) if (code := network_code(terms)) else None,
        "number_type": terms.declared.get("number_type"),
        "currency": terms.currency,
    }
    return fits_filters(call, values)


RESOURCE = Resource(handlers={"listRates": list_rates, "listCountryRates": list_country_rates})
