"""The insert `file-fields`: what may stand in a file that people write, by the JSON Schema that checks it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.resources import files
from itertools import groupby
from typing import Any

from devportal.conformance.settings import settings_schema
from devportal.contract import Api
from devportal.manual.definitions import Definition, anchor, definition_list, sentence
from devportal.manual.schema_fields import KEY, Field, Schema, fields_of
from devportal.pages import code_span
from devportal.pages.inserts import Wrong


def _schema(package: str, *path: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(files(package).joinpath(*path).read_text("utf-8"))
    return read


_changelog, _catalog = (
    partial(_schema, "devportal.changelog", "schemas"),
    partial(_schema, "devportal.catalog"),
)
FILES: Mapping[str, Callable[[], Schema]] = {
    "changelog-entry": lambda: _changelog("entry.schema.json"),
    "releases": lambda: _changelog("releases.schema.json"),
    "book": lambda: _catalog("schemas", "book.json"),
    "rates": lambda: _catalog("schemas", "rates.json"),
    "coverage": lambda: _catalog("schemas", "coverage.json"),
    "roles": lambda: _catalog("schemas", "roles.json"),
    "audit-log": lambda: _catalog("schemas", "audit-entry.json"),
    "redirects": lambda: _schema("devportal.reference", "schemas", "redirects.json"),
    "conformance-settings": lambda: settings_schema({}),
    "conformance-baseline": lambda: _schema("devportal.conformance", "schemas", "baseline.schema.json"),
}
"""The files by the names that the insert takes, each with its schema."""


def file_fields(api: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return the fields of a file. Behind its name comes the level of the headings for fields with others
    inside; without it there are none.
    """
    if len(arguments) not in (1, 2) or arguments[0] not in FILES or arguments[1:] not in ((), *_LEVELS):
        return Wrong(
            message=f"there is no file {' '.join(arguments)!r}" if arguments else "this insert names a file",
            help=f"write 'file-fields NAME [LEVEL]' with one of {', '.join(map(repr, sorted(FILES)))}",
        )
    name, *level = arguments
    fields = tuple(fields_of(_with_plugins(name, FILES[name](), api.plugins)))
    if not level:
        return definition_list(_definition(name, one) for one in fields)
    return "\n".join(_sections(name, fields, int(level[0])))


def _with_plugins(name: str, schema: Schema, plugins: Iterable[str]) -> Schema:
    """Return the schema of a file with the settings of plug-ins, if they have any there."""
    return settings_schema({one: one for one in plugins}) if name == "conformance-settings" else schema


_LEVELS = (("2",), ("3",), ("4",))


def field_anchor(file: str, field: Field) -> str:
    """Return the anchor of a field on a page."""
    return anchor(file, *("any" if one == KEY else one for one in field.path if one != "[]"))


def _definition(file: str, field: Field) -> Definition:
    text = "\n\n".join(map(sentence, field.text.split("\n\n")))
    return Definition(term=field.name, anchor=field_anchor(file, field), text=text, facts=field.facts)


def _sections(file: str, fields: tuple[Field, ...], level: int) -> Iterator[str]:
    """Yield the plain fields, then each with others inside below a heading of its own."""
    groups = [tuple(group) for _, group in groupby(fields, key=lambda one: one.path[0])]
    yield definition_list(_definition(file, group[0]) for group in groups if len(group) == 1)
    for head, *inside in (group for group in groups if len(group) > 1):
        yield from ("", f"{'#' * level} {code_span(head.name)} {{ #{field_anchor(file, head)} }}", "")
        yield from (sentence(head.text), "", definition_list(_definition(file, one) for one in inside))
