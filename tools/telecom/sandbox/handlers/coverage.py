"""Public coverage: only what the publication gate lets through, for anybody."""

from collections.abc import Sequence

from devportal.catalog import PublishedCoverage
from telecom.rates import coverage_json, coverage_key
from telecom.sandbox.exchange import Call, Reply
from telecom.sandbox.filters import fits
from telecom.sandbox.handlers.rates import nothing_published
from telecom.sandbox.operations import Resources
from telecom.sandbox.pagination import page_of
from telecom.sandbox.resource import Resource
from telecom.sandbox.revalidation import revalidated


def list_coverage(call: Call, resources: Resources) -> Reply:
    """Return the coverage records that fit the filters."""
    fitting = [record for record in _public(resources) if _fits(record, call)]
    return revalidated(call, page_of(fitting, call, key=coverage_key, item=coverage_json))


def retrieve_country_coverage(call: Call, resources: Resources) -> Reply:
    """Return the records of a country; raises Refused (404) where nothing is published for it."""
    country = call.path["country"]
    records = [record for record in _public(resources) if record.terms.market == country]
    if not records:
        raise nothing_published(country)
    return revalidated(call, {"country": country, "channels": [coverage_json(one) for one in records]})


def _public(resources: Resources) -> Sequence[PublishedCoverage]:
    with resources.database.read() as connection:
        return resources.public.on(connection, resources.clock().date()).coverage


def _fits(record: PublishedCoverage, call: Call) -> bool:
    terms = record.terms
    values = {
        "country": terms.market,
        "channel": terms.channel.key,
        "registration": terms.registration.scheme.key if terms.registration else "none",
    }
    return fits(call, values)


RESOURCE = Resource(
    handlers={"listCoverage": list_coverage, "retrieveCountryCoverage": retrieve_country_coverage}
)
