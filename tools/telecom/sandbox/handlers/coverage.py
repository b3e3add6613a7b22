"""Public coverage: only records that pass the publication gate, for anybody."""

from collections.abc import Sequence

from devportal.catalog import PublishedCoverage
from telecom.rates import coverage_json, coverage_sort_key
from telecom.sandbox.api.exchange import OperationRequest, SuccessResponse, conditional_response
from telecom.sandbox.api.operations import HandlerContext, Resource
from telecom.sandbox.api.pagination import list_page, matches_filters
from telecom.sandbox.handlers.rates import no_published_rates


def list_coverage(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return the coverage records that match the filters."""
    matching = [record for record in _public_coverage(context) if _matches_request(record, call)]
    return conditional_response(call, list_page(matching, call, key=coverage_sort_key, item=coverage_json))


def retrieve_country_coverage(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return the records of a country; raises RequestRefused (404) if nothing is published for it."""
    country = call.path["country"]
    records = [record for record in _public_coverage(context) if record.terms.market == country]
    if not records:
        raise no_published_rates(country)
    return conditional_response(
        call, {"country": country, "channels": [coverage_json(record) for record in records]}
    )


def _public_coverage(context: HandlerContext) -> Sequence[PublishedCoverage]:
    with context.database.read() as connection:
        return context.public.on(connection, context.clock().date()).coverage


def _matches_request(record: PublishedCoverage, call: OperationRequest) -> bool:
    terms = record.terms
    values = {
        "country": terms.market,
        "channel": terms.channel.key,
        "registration": terms.registration.scheme.key if terms.registration else "none",
    }
    return matches_filters(call, values)


RESOURCE = Resource(
    handlers={"listCoverage": list_coverage, "retrieveCountryCoverage": retrieve_country_coverage}
)
