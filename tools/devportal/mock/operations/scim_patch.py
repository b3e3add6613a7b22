"""Changes of a resource by the operations of SCIM (RFC 7644 §3.5.2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from devportal.contract.conventions import matches_any_name
from devportal.mock.json_values import UnusablePatch
from devportal.mock.lists.expression_filters import read_expression

_MESSAGE = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
_PATH = re.compile(
    r"(?:urn:[\w:.-]+:)?(?P<name>[\w$-]+)(?:\[(?P<filter>.+)\])?(?:\.(?P<inner>[\w$-]+))?", re.DOTALL
)


def is_scim_patch(body: Any) -> bool:
    """Say whether a body has the operations of a SCIM patch."""
    schemas = body.get("schemas") if isinstance(body, dict) else None
    return isinstance(schemas, list) and _MESSAGE in schemas and isinstance(body.get("Operations"), list)


def scim_patch(resource: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource changed by the operations of a body. Raises UnusablePatch."""
    changed = dict(resource)
    for operation in body["Operations"]:
        kind = str(operation.get("op", "")).lower() if isinstance(operation, dict) else ""
        if kind not in ("add", "replace", "remove"):
            raise UnusablePatch("an operation is neither add, replace nor remove")
        value, path = operation.get("value"), operation.get("path")
        if path is not None:
            changed = _apply_at(changed, str(path), kind, value)
        elif kind == "remove" or not isinstance(value, dict):
            raise UnusablePatch(f"an operation {kind} without a path needs an object as its value")
        else:
            for name, member in value.items():
                changed = _apply_at(changed, name, kind, member)
    return changed


def _apply_at(resource: Mapping[str, Any], path: str, kind: str, value: Any) -> dict[str, Any]:
    found = _PATH.fullmatch(path)
    if found is None:
        raise UnusablePatch(f"{path[:200]!r} is not a path of SCIM")
    name = next((key for key in resource if matches_any_name(key, (found["name"],))), found["name"])
    before = resource.get(name)
    if found["filter"] is not None:
        return {**resource, name: _change_items(before, found["filter"], found["inner"], kind, value)}
    if found["inner"] is not None:
        members = before if isinstance(before, dict) else {}
        return {**resource, name: _change(members, found["inner"], kind, value)}
    return _change(resource, name, kind, value)


def _change_items(items: Any, text: str, inner: str | None, kind: str, value: Any) -> list[Any]:
    """Return a list whose items that fit a filter are removed, or changed themselves or in a member."""
    fits = read_expression(text)
    if fits is None or not isinstance(items, list):
        raise UnusablePatch(f"no item fits {text[:200]!r}")
    changed: list[Any] = []
    for item in items:
        if not isinstance(item, dict) or not fits(item):
            changed.append(item)
        elif inner is not None:
            changed.append(_change(item, inner, kind, value))
        elif kind != "remove":
            changed.append({**item, **value} if isinstance(value, dict) else value)
    return changed


def _change(members: Mapping[str, Any], name: str, kind: str, value: Any) -> dict[str, Any]:
    """Return members of which one is set or removed. What is added to a list or to an object stands beside the rest,
    and so does what replaces a part of an object.
    """
    if kind == "remove":
        return {other: member for other, member in members.items() if other != name}
    before = members.get(name)
    if kind == "add" and isinstance(before, list):
        added: Sequence[Any] = value if isinstance(value, list) else [value]
        value = [*before, *(item for item in added if item not in before)]
    elif isinstance(before, dict) and isinstance(value, dict):
        value = {**before, **value}
    return {**members, name: value}
