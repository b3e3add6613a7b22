"""Changes of a resource by the operations of SCIM (RFC 7644 §3.5.2)."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from devportal.mock.json_values import UnusablePatch
from devportal.mock.lists.expression_filters import read_expression

_MESSAGE = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
_LONGEST_PATH = 1_000
_SCHEMA = re.compile(r"(?P<urn>urn:[\w:.-]+:\d+\.\d+:[\w-]+)(?::(?P<path>.+))?", re.DOTALL)
_EXTENSION = ":extension:"
"""In the URN of a schema whose attributes are in a member with that name (RFC 7643 §3.3)."""
_PATH = re.compile(r"(?P<name>[\w$-]+)(?:\[(?P<filter>.+)\])?(?:\.(?P<inner>[\w$-]+))?", re.DOTALL)


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
    if len(path) > _LONGEST_PATH:
        raise UnusablePatch(f"a path has more than {_LONGEST_PATH} characters: {path[:200]!r}")
    schema = _SCHEMA.fullmatch(path)
    if schema is not None:
        urn, path = _known_name(resource, schema["urn"]), schema["path"] or ""
        if not path:
            return _change(resource, urn, kind, value)
        if urn in resource or _EXTENSION in urn.lower():
            return {**resource, urn: _apply_in_schema(_as_object(resource.get(urn)), path, kind, value)}
    return _apply_in_schema(resource, path, kind, value)


def _apply_in_schema(members: Mapping[str, Any], path: str, kind: str, value: Any) -> dict[str, Any]:
    """Return members changed at a path without the URN of their schema."""
    found = _PATH.fullmatch(path)
    if found is None:
        raise UnusablePatch(f"{path[:200]!r} is not a path of SCIM")
    name, inner = _known_name(members, found["name"]), found["inner"]
    if found["filter"] is not None:
        return {**members, name: _change_items(members.get(name), found["filter"], inner, kind, value)}
    if inner is not None:
        return {**members, name: _change(_as_object(members.get(name)), inner, kind, value)}
    return _change(members, name, kind, value)


def _as_object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _known_name(members: Mapping[str, Any], name: str) -> str:
    """Return the name of a member as it is written; that of a path is in any case (RFC 7643 §2.1)."""
    return next((key for key in members if key.casefold() == name.casefold()), name)


def _change_items(items: Any, text: str, inner: str | None, kind: str, value: Any) -> list[Any]:
    """Return a list whose items that fit a filter are removed, or changed themselves or in a member."""
    fits = read_expression(text)
    if fits is None or not isinstance(items, list):
        raise UnusablePatch(f"{text[:200]!r} is not a filter of its items")
    chosen = [isinstance(item, dict) and fits(item) for item in items]
    if kind == "replace" and not any(chosen):  # noTarget (RFC 7644 §3.5.2.3)
        raise UnusablePatch(f"no item fits {text[:200]!r}")
    changed: list[Any] = []
    for item, is_chosen in zip(items, chosen, strict=True):
        if not is_chosen:
            changed.append(item)
        elif inner is not None:
            changed.append(_change(item, inner, kind, value))
        elif kind != "remove":
            changed.append({**item, **value} if isinstance(value, dict) else value)
    return changed


def _change(members: Mapping[str, Any], name: str, kind: str, value: Any) -> dict[str, Any]:
    """Return members of which one is set or removed. What is added to a list or to an object stands beside the rest,
    and so does what replaces a part of an object. A removal with a value, as Microsoft Entra ID sends it, is that of
    items of a list.
    """
    name = _known_name(members, name)
    before = members.get(name)
    given: Sequence[Any] = value if isinstance(value, list) else [value]
    if kind == "remove" and value is not None and isinstance(before, list):
        return {**members, name: [item for item in before if not any(_is_item(item, each) for each in given)]}
    if kind == "remove":
        return {other: member for other, member in members.items() if other != name}
    if kind == "add" and isinstance(before, list):
        known = set(map(_text_of, before))
        value = [*before, *(item for item in given if _text_of(item) not in known)]
    elif isinstance(before, dict) and isinstance(value, dict):
        value = {**before, **value}
    return {**members, name: value}


def _text_of(value: Any) -> str:
    """Return a value as a text that equal ones share."""
    return json.dumps(value, sort_keys=True)


def _is_item(item: Any, named: Any) -> bool:
    """Return whether an item is the one that a removal names, by all or some of its members."""
    if isinstance(item, dict) and isinstance(named, dict):
        return bool(named) and all(item.get(name) == value for name, value in named.items())
    return bool(item == named)
