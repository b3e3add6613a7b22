"""The insert `file-fields`: what may stand in a file that people write, from its JSON Schema."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import groupby
from typing import Any

from devportal.conformance.settings import settings_schema
from devportal.contract import Api
from devportal.documents.pointer import parse_pointer
from devportal.integrators.uses import uses_schema
from devportal.manual.definitions import (
    Definition,
    code_list,
    definition_anchor,
    definition_list,
    help_sentence,
)
from devportal.markup import code_span
from devportal.markup.page import InsertProblem
from devportal.notifications.settings import notify_schema

Schema = Mapping[str, Any]
_TYPES = {
    "object": "A mapping",
    "array": "A list",
    "string": "Text",
    "boolean": "`true` or `false`",
    "integer": "A whole number",
    "number": "A number",
}
ANY_KEY = "…"
"""Stands for a key that its author chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileField:
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


def fields_of(schema: Schema) -> Iterator[FileField]:
    """Yield the fields of a file in the order of its schema, each before what is inside.

    Of a file that is one list under one name, the fields of an item: what holds them goes without saying.
    """
    reader, (name, *others) = _SchemaReader(schema), schema["properties"]
    only = schema["properties"][name]
    if not others and only.get("type") == "array":
        yield from _nested_fields(reader, reader.follow_reference(only["items"]), ())
    else:
        yield from _nested_fields(reader, schema, ())


@dataclass(frozen=True, slots=True)
class _SchemaReader:
    """The whole schema, in which references lead."""

    root: Schema

    def follow_reference(self, node: Schema) -> Schema:
        """Return a schema with what its reference leads to; what it says itself comes first."""
        if "$ref" not in node:
            return node
        target: Any = self.root
        for token in parse_pointer(node["$ref"]):
            target = target[token]
        return {
            **self.follow_reference(target),
            **{key: value for key, value in node.items() if key != "$ref"},
        }


def _nested_fields(reader: _SchemaReader, node: Schema, path: tuple[str, ...]) -> Iterator[FileField]:
    """Yield the fields that lie directly or further inside of a value."""
    for branch in _value_forms(reader, node):
        required = branch.get("required", ())
        for name, child in branch.get("properties", {}).items():
            yield from _describe_field(reader, child, (*path, name), is_required=name in required)
        if isinstance(branch.get("additionalProperties"), dict):
            yield from _mapping_values(reader, branch["additionalProperties"], (*path, ANY_KEY))
        if isinstance(branch.get("items"), dict):
            yield from _nested_fields(reader, reader.follow_reference(branch["items"]), (*path, "[]"))


def _mapping_values(reader: _SchemaReader, child: Schema, path: tuple[str, ...]) -> Iterator[FileField]:
    """Yield a value under a key of its author's choice, if it has a description."""
    whole = reader.follow_reference(child)
    if "description" in whole or "properties" in whole:
        yield from _describe_field(reader, child, path, is_required=False)


def _describe_field(
    reader: _SchemaReader, child: Schema, path: tuple[str, ...], *, is_required: bool
) -> Iterator[FileField]:
    whole = reader.follow_reference(child)
    facts = tuple(_field_facts(reader, whole, is_required=is_required))
    yield FileField(path=path, text=_field_text(whole), facts=facts)
    yield from _nested_fields(reader, whole, path)


def _field_text(whole: Schema) -> str:
    """Return what a field is, and how it is written where its values do not show that."""
    title, how = str(whole.get("title", "")), str(whole.get("description", ""))
    if not title:
        return how
    return title if "enum" in whole or not how else f"{title}\n\n{how}"


def _value_forms(reader: _SchemaReader, node: Schema) -> Sequence[Schema]:
    """Return the forms that a value may have, itself first: of those under `anyOf` and `if` too."""
    others = [*node.get("anyOf", ()), *(node[key] for key in ("then", "else") if key in node)]
    forms: list[Schema] = [node]
    for item in others:
        branch = reader.follow_reference(item)
        inside = reader.follow_reference(branch["items"]) if "if" in node and "items" in branch else branch
        if inside not in forms:
            forms.append(inside)
    return forms


def _field_facts(reader: _SchemaReader, whole: Schema, *, is_required: bool) -> Iterator[str]:
    if is_required:
        yield "Has to be there."
    values = whole.get("enum") or ([whole["const"]] if "const" in whole else [])
    if values:
        yield f"{'One of' if len(values) > 1 else 'Only'} {code_list(map(_format_value, values))}."
    elif whole.get("format") == "date":
        yield "A day."
    elif whole.get("type") == "array":
        yield _list_type(reader.follow_reference(whole.get("items", {})))
    elif isinstance(whole.get("type"), str):
        yield f"{_TYPES[whole['type']]}."
    yield from _range_words(whole)
    if whole.get("x-checks"):
        yield f"For {code_list(whole['x-checks'])}."


def _list_type(item: Schema) -> str:
    if "enum" in item:
        return f"A list of {code_list(map(_format_value, item['enum']))}."
    kind = {"string": "texts", "integer": "whole numbers", "number": "numbers", "object": "mappings"}
    return f"A list of {kind.get(str(item.get('type')), 'values')}."


def _range_words(whole: Schema) -> Iterator[str]:
    if "maxLength" in whole:
        yield f"At most {whole['maxLength']:,} characters."
    if "minimum" in whole:
        yield f"At least {code_span(str(whole['minimum']))}."
    if "exclusiveMinimum" in whole:
        yield f"More than {code_span(str(whole['exclusiveMinimum']))}."
    if "maximum" in whole:
        yield f"At most {code_span(str(whole['maximum']))}."


def _format_value(value: object) -> str:
    return "null" if value is None else str(value)


def _load_schema(package: str, *path: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(files(package).joinpath(*path).read_text("utf-8"))
    return read


_changelog_schema, _catalog_schema = (
    partial(_load_schema, "devportal.changelog", "schemas"),
    partial(_load_schema, "devportal.catalog.records"),
)
FILES: Mapping[str, Callable[[], Schema]] = {
    "changelog-entry": lambda: _changelog_schema("entry.schema.json"),
    "releases": lambda: _changelog_schema("releases.schema.json"),
    "book": lambda: _catalog_schema("schemas", "book.json"),
    "rates": lambda: _catalog_schema("schemas", "rates.json"),
    "coverage": lambda: _catalog_schema("schemas", "coverage.json"),
    "roles": lambda: _catalog_schema("schemas", "roles.json"),
    "audit-log": lambda: _catalog_schema("schemas", "audit-entry.json"),
    "redirects": lambda: _load_schema("devportal.reference", "schemas", "redirects.json"),
    "uses": uses_schema,
    "notify": notify_schema,
    "contract-baseline": lambda: _load_schema("devportal.project", "schemas", "baseline.json"),
    "conformance-settings": lambda: settings_schema({}),
    "conformance-baseline": lambda: _load_schema("devportal.conformance", "schemas", "baseline.schema.json"),
}
"""The files by the names that the insert takes, each with its schema."""


def file_fields(api: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return the fields of a file. Behind its name comes the level of the headings for fields with others
    inside; without it there are none.
    """
    if len(arguments) not in (1, 2) or arguments[0] not in FILES or arguments[1:] not in ((), *_LEVELS):
        return InsertProblem(
            message=f"there is no file {' '.join(arguments)!r}" if arguments else "this insert names a file",
            help=f"write 'file-fields NAME [LEVEL]' with one of {', '.join(map(repr, sorted(FILES)))}",
        )
    name, *level = arguments
    fields = tuple(fields_of(_with_plugins(name, FILES[name](), api.plugins)))
    if not level:
        return definition_list(_field_definition(name, field) for field in fields)
    return "\n".join(_field_sections(name, fields, int(level[0])))


def _with_plugins(name: str, schema: Schema, plugins: Iterable[str]) -> Schema:
    """Return the schema of a file with the settings of plug-ins, if they have any there."""
    return (
        settings_schema({plugin: plugin for plugin in plugins}) if name == "conformance-settings" else schema
    )


_LEVELS = (("2",), ("3",), ("4",))


def field_anchor(file: str, field: FileField) -> str:
    """Return the anchor of a field on a page."""
    return definition_anchor(
        file, *("any" if text == ANY_KEY else text for text in field.path if text != "[]")
    )


def _field_definition(file: str, field: FileField) -> Definition:
    text = " ".join(map(help_sentence, field.text.split("\n\n")))
    return Definition(term=field.name, anchor=field_anchor(file, field), text=text, facts=field.facts)


def _field_sections(file: str, fields: tuple[FileField, ...], level: int) -> Iterator[str]:
    """Yield the plain fields, then each with others inside below its own heading."""
    groups = [tuple(group) for _, group in groupby(fields, key=lambda field: field.path[0])]
    yield definition_list(_field_definition(file, group[0]) for group in groups if len(group) == 1)
    for head, *inside in (group for group in groups if len(group) > 1):
        yield from ("", f"{'#' * level} {code_span(head.name)} {{ #{field_anchor(file, head)} }}", "")
        yield from (
            help_sentence(head.text),
            "",
            definition_list(_field_definition(file, file_field) for file_field in inside),
        )
