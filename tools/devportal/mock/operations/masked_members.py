"""The members that a change with an update mask is about: `updateMask=color,address.city` (AIP-134, AIP-161)."""

from collections.abc import Mapping, Sequence
from typing import Any

from devportal.conformance.knowledge.requests.update_masks import update_mask
from devportal.contract.conventions import matches_any_name
from devportal.mock.operations.call import Call


def masked_members(call: Call, sent: dict[str, Any]) -> dict[str, Any]:
    """Return the sent members that the mask of a change names, all without a mask."""
    parameter = update_mask(call.operation)
    mask = call.read.query(parameter.name) if parameter is not None else None
    names = mask if isinstance(mask, list) else mask.split(",") if isinstance(mask, str) else []
    paths = [name.strip().split(".") for name in names if isinstance(name, str) and name.strip()]
    return _select_members(sent, paths) if paths and ["*"] not in paths else sent


def _select_members(members: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return the members that paths lead to, of objects only those: `address.city`."""
    found: dict[str, Any] = {}
    for name, value in members.items():
        rest = [path[1:] for path in paths if matches_any_name(name, (path[0],))]
        if rest:
            is_whole = [] in rest or not isinstance(value, dict)
            found[name] = value if is_whole else _select_members(value, rest)
    return found
