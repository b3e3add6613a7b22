"""The schemas of a contract for its consoles: those of an operation with it, shared ones in files for all.

An operation of a large contract reaches most of its schemas. A copy for each would make a site of gigabytes,
so shared schemas are in files of a moderate size, and an operation names the files that it needs.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any
from urllib.parse import unquote

from devportal.contract import Api, Location, Schema
from devportal.contract.regex import without_needless_escapes
from devportal.contract.schemas import ABSENT
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction, JsonSchema, to_json_schema
from devportal.contract.wire_format.serialisation import replace_non_finite
from devportal.markup import plain_text

CHUNK_LENGTH = 60_000
"""How many characters a file of shared schemas has, unless a single schema has more."""
HINT_LENGTH = 2000
"""The longest description of a field, in code points: a form shows its beginning, and the rest on demand."""
_EXAMPLE_LENGTH = 60
_BLANK = re.compile(r"\n[ \t]*\n")
_REFERENCE = re.compile(r'"\$ref":"#/\$defs/([^"]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A file of shared schemas."""

    number: int
    content: str = field(repr=False)


class SharedSchemas:
    """The schemas of one direction, exported together, so that shared ones have one name for all."""

    def __init__(self, api: Api, direction: Direction, roots: Sequence[Schema]) -> None:
        """Take the schemas of all operations."""
        whole = Schema(location=Location("", ("console", direction)), prefix_items=tuple(roots))
        annotate = partial(_annotations, api) if direction is Direction.REQUEST else _no_annotations
        json_schema = to_json_schema(
            api, whole, direction, as_read=without_needless_escapes, annotate=annotate
        )
        exported = json_schema if isinstance(json_schema, dict) else {}
        self._roots = [compact_json(prefixItem) for prefixItem in exported.get("prefixItems", ())]
        self._shared = {name: compact_json(value) for name, value in exported.get("$defs", {}).items()}
        self._numbers = {id(schema): number for number, schema in enumerate(roots)}

    def root(self, schema: Schema) -> JsonSchema:
        """Return one of the schemas of operations."""
        made: JsonSchema = json.loads(self._roots[self._numbers[id(schema)]])
        return made

    def needed_files(self, schemas: Sequence[Schema]) -> list[int]:
        """Return the numbers of the files with the shared schemas that these schemas need."""
        mask = 0
        for schema in schemas:
            for name in _references(self._roots[self._numbers[id(schema)]]):
                mask |= self._files_by_schema.get(name, 0)
        return [number for number in range(mask.bit_length()) if mask >> number & 1]

    def chunks(self) -> Iterator[Chunk]:
        """Yield the files."""
        for number, names in enumerate(self._names_by_file):
            members = ",".join(f"{compact_json(name)}:{self._shared[name]}" for name in names)
            yield Chunk(number=number, content=f"{{{members}}}\n")

    @cached_property
    def _names_by_file(self) -> list[list[str]]:
        """The names of the shared schemas by file."""
        files: list[list[str]] = []
        length = CHUNK_LENGTH
        for name, text in self._shared.items():
            if length + len(text) > CHUNK_LENGTH:
                files.append([])
                length = 0
            files[-1].append(name)
            length += len(text)
        return files

    @cached_property
    def _files_by_schema(self) -> dict[str, int]:
        """The files that each shared schema needs, as bits: its own, and those of the schemas it references."""
        files = {name: 1 << number for number, names in enumerate(self._names_by_file) for name in names}
        references = {
            name: [reference for reference in _references(text) if reference in files]
            for name, text in self._shared.items()
        }
        is_settled = False
        while not is_settled:
            is_settled = True
            for name, others in references.items():
                more = files[name]
                for other in others:
                    more |= files[other]
                if more != files[name]:
                    files[name], is_settled = more, False
        return files


def compact_json(value: Any) -> str:
    """Return a value as JSON without white space."""
    return json.dumps(replace_non_finite(value), ensure_ascii=False, separators=(",", ":"))


def _references(text: str) -> Iterator[str]:
    """Yield the names of the shared schemas that the text of a schema refers to."""
    for found in _REFERENCE.findall(text):
        yield unquote(found).replace("~1", "/").replace("~0", "~")


def plain_description(description: str) -> str:
    """Return a description as plain text, each paragraph on a line."""
    paragraphs = [plain_text(part) for part in _BLANK.split(description) if part.strip()]
    whole = "\n".join(paragraph for paragraph in paragraphs if paragraph)
    return whole if len(whole) <= HINT_LENGTH else f"{whole[:HINT_LENGTH].rstrip()}…"


def _no_annotations(_: Schema) -> dict[str, Any]:
    return {}


def _annotations(api: Api, schema: Schema) -> dict[str, Any]:
    """Return the annotations of a schema that a form shows, such as its description or the title of a variant."""
    values = {"description": plain_description(schema.description), "deprecated": schema.deprecated}
    if schema.location.pointer[-2:-1] in (("oneOf",), ("anyOf",)):
        values["title"] = schema.title  # what a variant without a name is called
    values["format"] = schema.format or (schema.write_only and "password")
    if schema.default is not ABSENT and len(compact_json(schema.default)) <= _EXAMPLE_LENGTH:
        values["default"] = schema.default
    annotations = {name: value for name, value in values.items() if value or name == "default"}
    for written in schema.examples[:1]:
        example = carried_value(api, schema, written, Direction.REQUEST).value
        if len(compact_json(example)) <= _EXAMPLE_LENGTH:
            annotations["example"] = example
    return annotations
