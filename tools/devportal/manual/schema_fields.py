"""The fields of a file that people write, from its JSON Schema: name, words, type, and what is required."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devportal.documents.pointer import parse_pointer
from devportal.manual.definitions import listed
from devportal.pages import code_span

Schema = Mapping[str, Any]
_TYPES = {
    "object": "A mapping",
    "array": "A list",
    "string": "Text",
    "boolean": "`true` or `false`",
    "integer": "A whole number",
    "number": "A number",
}
KEY = "…"
"""Stands for a key that its author chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field: the way to it, `[]` for an item of a list, what it says, and what is known of its value.

    `text` is a help text; `facts` are Markdown.
    """

    path: tuple[str, ...]
    text: str
    facts: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the way as people write it: `webhooks.triggers[].operation`."""
        return ".".join(self.path).replace(".[]", "[]")


def fields_of(schema: Schema) -> Iterator[Field]:
    """Yield the fields of a file in the order of its schema, each before what is inside.

    Of a file that is one list under one name, the fields of an item: what holds them goes without saying.
    """
    reader, (name, *others) = _Reader(schema), schema["properties"]
    only = schema["properties"][name]
    if not others and only.get("type") == "array":
        yield from _below(reader, reader.followed(only["items"]), ())
    else:
        yield from _below(reader, schema, ())


@dataclass(frozen=True, slots=True)
class _Reader:
    """The whole schema, in which references lead."""

    root: Schema

    def followed(self, node: Schema) -> Schema:
        """Return a schema with what its reference leads to; what it says itself comes first."""
        if "$ref" not in node:
            return node
        target: Any = self.root
        for token in parse_pointer(node["$ref"]):
            target = target[token]
        return {**self.followed(target), **{key: one for key, one in node.items() if key != "$ref"}}


def _below(reader: _Reader, node: Schema, path: tuple[str, ...]) -> Iterator[Field]:
    """Yield the fields that lie directly or further inside of a value."""
    for branch in _branches(reader, node):
        required = branch.get("required", ())
        for name, child in branch.get("properties", {}).items():
            yield from _field(reader, child, (*path, name), is_required=name in required)
        if isinstance(branch.get("additionalProperties"), dict):
            yield from _inside(reader, branch["additionalProperties"], (*path, KEY))
        if isinstance(branch.get("items"), dict):
            yield from _below(reader, reader.followed(branch["items"]), (*path, "[]"))


def _inside(reader: _Reader, child: Schema, path: tuple[str, ...]) -> Iterator[Field]:
    """Yield a value under a key of its author's choice, where something is said of it."""
    whole = reader.followed(child)
    if "description" in whole or "properties" in whole:
        yield from _field(reader, child, path, is_required=False)


def _field(reader: _Reader, child: Schema, path: tuple[str, ...], *, is_required: bool) -> Iterator[Field]:
    whole = reader.followed(child)
    facts = tuple(_facts(reader, whole, is_required=is_required))
    yield Field(path=path, text=_text(whole), facts=facts)
    yield from _below(reader, whole, path)


def _text(whole: Schema) -> str:
    """Return what a field is, and how it is written where its values do not show that."""
    title, how = str(whole.get("title", "")), str(whole.get("description", ""))
    if not title:
        return how
    return title if "enum" in whole or not how else f"{title}\n\n{how}"


def _branches(reader: _Reader, node: Schema) -> Sequence[Schema]:
    """Return the forms that a value may have, itself first: of those under `anyOf` and `if` too."""
    others = [*node.get("anyOf", ()), *(node[key] for key in ("then", "else") if key in node)]
    found: list[Schema] = [node]
    for one in others:
        branch = reader.followed(one)
        inside = reader.followed(branch["items"]) if "if" in node and "items" in branch else branch
        if inside not in found:
            found.append(inside)
    return found


def _facts(reader: _Reader, whole: Schema, *, is_required: bool) -> Iterator[str]:
    if is_required:
        yield "Has to be there."
    values = whole.get("enum") or ([whole["const"]] if "const" in whole else [])
    if values:
        yield f"{'One of' if len(values) > 1 else 'Only'} {listed(map(_shown, values))}."
    elif whole.get("format") == "date":
        yield "A day."
    elif whole.get("type") == "array":
        yield _list_of(reader.followed(whole.get("items", {})))
    elif isinstance(whole.get("type"), str):
        yield f"{_TYPES[whole['type']]}."
    yield from _bounds(whole)


def _list_of(item: Schema) -> str:
    if "enum" in item:
        return f"A list of {listed(map(_shown, item['enum']))}."
    kind = {"string": "texts", "integer": "whole numbers", "number": "numbers", "object": "mappings"}
    return f"A list of {kind.get(str(item.get('type')), 'values')}."


def _bounds(whole: Schema) -> Iterator[str]:
    if "maxLength" in whole:
        yield f"At most {whole['maxLength']:,} characters."
    if "minimum" in whole:
        yield f"At least {code_span(str(whole['minimum']))}."
    if "exclusiveMinimum" in whole:
        yield f"More than {code_span(str(whole['exclusiveMinimum']))}."
    if "maximum" in whole:
        yield f"At most {code_span(str(whole['maximum']))}."


def _shown(value: object) -> str:
    return "null" if value is None else str(value)
