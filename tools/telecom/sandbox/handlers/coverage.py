"""Public coverage: only what the publication gate lets through, for anybody."""

from collections.abc import Sequence

from devportal.catalog import PublishedCoverage
from telecom.rates import coverage_json, coverage_sort_key
from telecom.sandbox.api.exchange import OperationRequest, SuccessResponse, conditional_response
from telecom.sandbox.api.operations import HandlerContext, Resource
from telecom.sandbox.api.pagination import fits_filters, page_of
from telecom.sandbox.handlers.rates import no_published_rates


def list_coverage(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Return the coverage records that fit the filters."""
    fitting = [record for record in _public_coverage(resources) if _fits_request(record, call)]
    return conditional_response(call, page_of(fitting, call, key=coverage_sort_key, item=coverage_json))


def retrieve_country_coverage(call: OperationRequest, resources: HandlerContext) -> SuccessResponse:
    """Return the records of a country; raises Refused (404) where nothing is published for it."""
    country = call.path["country"]
    records = [record for record in _public_coverage(resources) if record.terms.market == country]
    if not records:
        raise no_published_rates(country)
    return conditional_response(
        call, {"country": country, "channels": [coverage_json(one) for one in records]}
    )


def _public_coverage(resources: HandlerContext) -> Sequence[PublishedCoverage]:
    with resources.database.read() as connection:
        return resources.public.on(connection, resources.clock().date()).coverage


def _fits_request(record: PublishedCoverage, call: OperationRequest) -> bool:
    terms = record.terms
    values = {
        "country": terms.market,
        "channel": terms.channel.key,
        "registration": terms.registration.scheme.key if terms.registration else "none",
    }
    return fits_filters(call, values)


RESOURCE = Resource(
    handlers={"listCoverage": list_coverage, "retrieveCountryCoverage": retrieve_country_coverage}
)
