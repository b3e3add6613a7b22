"""Lists of PostgREST: how their operations are known, and their pages."""

from dataclasses import replace

from devportal.contract import Operation, ParameterLocation
from devportal.contract.resources import Listing

_QUERY, _HEADERS = {"select", "order"}, {"range-unit", "prefer"}


def takes_operators(operation: Operation) -> bool:
    """Say whether the filters of a list have operators, by the parameters that PostgREST gives to all lists."""
    names = {(parameter.location_in, parameter.name.lower()) for parameter in operation.parameters}
    query = {name for location, name in names if location is ParameterLocation.QUERY}
    return query >= _QUERY and {name for _, name in names} >= _HEADERS


def with_pages(listing: Listing) -> Listing:
    """Return a list of PostgREST with its pages: its parameters for them are texts."""
    named = {parameter.name: parameter for parameter in listing.operation.parameters}
    return replace(listing, limit=named.get("limit"), offset=named.get("offset"))
