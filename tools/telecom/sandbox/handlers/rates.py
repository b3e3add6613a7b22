"""Public rates: only rates that pass the publication gate, for anybody."""

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
from telecom.sandbox.api.pagination import list_page, matches_filters


def list_rates(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return the rates that match the filters."""
    matching = [rate for rate in _public_rates(context) if _matches_request(rate, call)]
    return conditional_response(call, list_page(matching, call, key=rate_sort_key, item=rate_json))


def list_country_rates(call: OperationRequest, context: HandlerContext) -> SuccessResponse:
    """Return the rates of a country that match; raises RequestRefused (404) if nothing is published for it."""
    country = call.path["country"]
    country_rates = [rate for rate in _public_rates(context) if rate.terms.market == country]
    if not country_rates:
        raise no_published_rates(country)
    matching = [rate for rate in country_rates if _matches_request(rate, call)]
    return conditional_response(call, list_page(matching, call, key=rate_sort_key, item=rate_json))


def no_published_rates(country: str) -> RequestRefused:
    """Return the refusal (404) for a country without anything public, whether it exists or not."""
    return RequestRefused(ProblemKind.NOT_FOUND, f"Nothing is published for {country!r}.")


def _public_rates(context: HandlerContext) -> Sequence[PublishedRate]:
    with context.database.read() as connection:
        return context.public.on(connection, context.clock().date()).rates


def _matches_request(rate: PublishedRate, call: OperationRequest) -> bool:
    terms = rate.terms
    values = {
        "country": terms.market,
        "product": terms.product.key,
        "direction": terms.declared.get("direction"),
        "network": "".join(code) if (code := network_code(terms)) else None,
        "number_type": terms.declared.get("number_type"),
        "currency": terms.currency,
    }
    return matches_filters(call, values)


RESOURCE = Resource(handlers={"listRates": list_rates, "listCountryRates": list_country_rates})
