"""Which checks each line of a settings file wakes: the schema of the settings names them at its fields."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devportal.documents import Document, Pointer, parse_pointer
from devportal.errors import Place

CHECKS_KEYWORD = "x-checks"
"""Lists the checks that a field wakes; fields within it inherit them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingLine:
    """A field of a settings file and the checks that it wakes; none if it is not for checks."""

    pointer: Pointer
    place: Place
    checks: tuple[str, ...]

    @property
    def name(self) -> str:
        """The field as people write it: `webhooks.promises.retried`."""
        return ".".join(self.pointer)


def setting_checks(schema: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """Return the checks that a setting wakes, by the names that lead to it: `webhooks`, `promises`."""
    node, checks = schema, ()
    for name in names:
        node = node["properties"][name]
        checks = node.get(CHECKS_KEYWORD, checks)
    return tuple(checks)


def settings_lines(document: Document, schema: Mapping[str, Any]) -> Iterator[SettingLine]:
    """Yield the fields of a valid settings file in its order; a section is left out for the fields within it,
    unless these wake the same checks.
    """
    for pointer, checks in _fields(document.data, schema, schema, (), ()):
        yield SettingLine(pointer=pointer, place=document.place(pointer), checks=checks)


def _fields(
    data: Any, root: Mapping[str, Any], node: Mapping[str, Any], pointer: Pointer, inherited: tuple[str, ...]
) -> Iterator[tuple[Pointer, tuple[str, ...]]]:
    checks = tuple(node.get(CHECKS_KEYWORD, inherited))
    inside = [
        found
        for name, value, child in _children(data, root, node)
        for found in _fields(value, root, child, (*pointer, name), checks)
    ]
    if all(item == checks for _, item in inside):
        yield from [(pointer, checks)] if pointer else inside
    else:
        yield from inside


def _children(
    data: Any, root: Mapping[str, Any], node: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """Yield the members of a value with their schemas; those without one are left out."""
    forms = _forms(root, node)
    if isinstance(data, dict):
        for name, value in data.items():
            child = next(
                (form["properties"][name] for form in forms if name in form.get("properties", {})), None
            )
            if child is None:
                others = (form.get("additionalProperties") for form in forms)
                child = next((item for item in others if isinstance(item, dict)), None)
            if child is not None:
                yield name, value, _resolve_schema(root, child)
    elif isinstance(data, list):
        items = next((form["items"] for form in forms if isinstance(form.get("items"), dict)), None)
        if items is not None and _resolve_schema(root, items).get("type") == "object":
            for position, value in enumerate(data):
                yield str(position), value, _resolve_schema(root, items)


def _forms(root: Mapping[str, Any], node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the forms that a value may have, itself first: of those under `anyOf` and `if` too."""
    others = [*node.get("anyOf", ()), *(node[key] for key in ("then", "else") if key in node)]
    return [node, *(_resolve_schema(root, item) for item in others)]


def _resolve_schema(root: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in node:
        return node
    target: Any = root
    for token in parse_pointer(node["$ref"]):
        target = target[token]
    return {**target, **{name: value for name, value in node.items() if name != "$ref"}}
