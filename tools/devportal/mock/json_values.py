"""JSON values: written, respelt, and changed (RFC 7396, RFC 6902)."""

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def write_json(value: Any) -> bytes:
    """Return a value as JSON. Characters beyond ASCII are escaped, so that half of a surrogate pair survives."""
    return json.dumps(value, separators=(",", ":"), default=str).encode("ascii")


def respell_number(value: Any) -> Any:
    """Return a number as text, and a text that is a number in JSON as that; anything else as it is."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    try:
        number = json.loads(value) if isinstance(value, str) and value[-1:].isdigit() else value
    except ValueError:
        return value
    return number if isinstance(number, int | float) else value


def merge_patch(value: Any, patch: Any) -> Any:
    """Return a value changed by a JSON merge patch (RFC 7396 §2)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(value) if isinstance(value, dict) else {}
    for name, member in patch.items():
        if member is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), member)
    return merged


class UnusablePatch(ValueError):
    """Raised for a JSON Patch that cannot be applied."""


def json_patch(value: Any, operations: Any) -> Any:
    """Return a value changed by a JSON Patch (RFC 6902). Raises UnusablePatch; then nothing is changed."""
    if not isinstance(operations, list):
        raise UnusablePatch("a JSON Patch is a list of operations (RFC 6902 §3)")
    changed = copy.deepcopy(value)
    for operation in operations:
        if not isinstance(operation, dict) or not isinstance(operation.get("path"), str):
            raise UnusablePatch("each operation is an object with 'op' and 'path' (RFC 6902 §4)")
        changed = _apply(changed, operation)
    return changed


def _apply(value: Any, operation: Mapping[str, Any]) -> Any:
    path = _tokens(operation["path"])
    match operation.get("op"):
        case "add":
            return _with(value, path, _given_value(operation), is_insert=True)
        case "replace":
            _value_at(value, path)
            return _with(value, path, _given_value(operation), is_insert=False)
        case "remove":
            return _without(value, path)
        case "move":
            source = _tokens(str(operation.get("from", "")))
            moved = _value_at(value, source)
            return _with(_without(value, source), path, moved, is_insert=True)
        case "copy":
            copied = copy.deepcopy(_value_at(value, _tokens(str(operation.get("from", "")))))
            return _with(value, path, copied, is_insert=True)
        case "test":
            if _value_at(value, path) != _given_value(operation):
                raise UnusablePatch(f"the test of {operation['path']} fails")
            return value
        case other:
            raise UnusablePatch(f"there is no operation {other!r} (RFC 6902 §4)")


def _given_value(operation: Mapping[str, Any]) -> Any:
    if "value" not in operation:
        raise UnusablePatch(f"the operation {operation.get('op')!r} has no 'value'")
    return operation["value"]


def _tokens(pointer: str) -> tuple[str, ...]:
    if pointer and not pointer.startswith("/"):
        raise UnusablePatch(f"{pointer!r} is not a JSON Pointer (RFC 6901)")
    return tuple(text.replace("~1", "/").replace("~0", "~") for text in pointer.split("/")[1:])


def _value_at(value: Any, path: Sequence[str]) -> Any:
    for token in path:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:
            raise UnusablePatch(f"there is nothing at /{'/'.join(path)}")
    return value


def _with(value: Any, path: Sequence[str], member: Any, *, is_insert: bool) -> Any:
    if not path:
        return member
    parent, last = _value_at(value, path[:-1]), path[-1]
    match parent:
        case dict():
            parent[last] = member
        case list() if last == "-" and is_insert:
            parent.append(member)
        case list() if last.isdecimal() and int(last) <= len(parent) - (not is_insert):
            parent[int(last) : int(last) + (not is_insert)] = [member]
        case _:
            raise UnusablePatch(f"nothing can be written at /{'/'.join(path)}")
    return value


def _without(value: Any, path: Sequence[str]) -> Any:
    if not path:
        raise UnusablePatch("the whole value cannot be removed")
    _value_at(value, path)
    parent = _value_at(value, path[:-1])
    if isinstance(parent, list):
        del parent[int(path[-1])]
    else:
        del parent[path[-1]]
    return value


def without_member_at(value: Any, path: Sequence[str]) -> Any:
    """Return a value without the member that names lead to."""
    if not path or not isinstance(value, Mapping) or path[0] not in value:
        return value
    if len(path) == 1:
        return {name: member for name, member in value.items() if name != path[0]}
    return {**value, path[0]: without_member_at(value[path[0]], path[1:])}


def walk_members(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the members of objects in objects with the names that lead to them, the outer ones first."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield (*at, name), member
        for name, member in value.items():
            yield from walk_members(member, (*at, name))
