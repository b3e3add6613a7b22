"""Update masks: a query parameter that names the members of a body that a change stores (AIP-134)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from devportal.conformance.deployment.exchange import Request
from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.contract.conventions import matches_any_name

MASK_NAMES = ("update_mask", "field_mask")


def update_mask(operation: Operation) -> Parameter | None:
    """Return the parameter of an operation that names the members to change, None if it has none."""
    query = (each for each in operation.parameters if each.location_in is ParameterLocation.QUERY)
    return next((each for each in query if matches_any_name(each.name, MASK_NAMES)), None)


def with_update_mask(request: Request, names: Sequence[str], parameter: str) -> Request:
    """Return the request with a mask of these members."""
    address, pairs = _split_address(request)
    others = [(name, value) for name, value in pairs if name != parameter]
    return replace(request, url=f"{address}?{urlencode([*others, (parameter, ','.join(names))], safe=',')}")


def with_mask_of_changes(request: Request, before: Any, members: Mapping[str, Any]) -> Request:
    """Return the request, if it has a mask, with one that names those of the `members` of its body that differ from
    those of its body `before`, and what it named of these.
    """
    pairs = _split_address(request)[1]
    masks = [(name, value) for name, value in pairs if matches_any_name(name, MASK_NAMES)]
    if len(masks) != 1:
        return request
    known = before if isinstance(before, dict) else {}
    named = masks[0][1].split(",")
    changed = [name for name, value in members.items() if name in named or known.get(name) != value]
    return with_update_mask(request, changed or tuple(members), masks[0][0])


def _split_address(request: Request) -> tuple[str, list[tuple[str, str]]]:
    """Return the address of a request without its query, and the parameters of that."""
    address, _, query = request.url.partition("?")
    return address, parse_qsl(query, keep_blank_values=True)
