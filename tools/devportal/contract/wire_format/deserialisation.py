"""Texts of parameters and forms as values: a text can be a number, a boolean or null, by the schema that it is for.

The other direction is `serialisation`.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import unquote_plus

from devportal.contract import ABSENT, Api, Encoding, Schema
from devportal.contract.media_types import is_json
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conjunction import applicable_schemas
from devportal.contract.wire_format.serialisation import delimiter_of, field_style
from devportal.contract.wire_format.strict_json import read_json

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,300})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,3})?")
_CONSTANTS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_STRUCTURED = frozenset({"array", "object"})
_MAX_NESTING = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPart:
    """A field of a multipart body (RFC 7578); `media_type` is empty if the part has no Content-Type. `file` has the
    bytes of a part with the name of a file (RFC 7578 §4.2), None for others, and `file_name` that name.
    """

    name: str
    text: str
    media_type: str = ""
    file: bytes | None = None
    file_name: str = ""


@dataclass(frozen=True, slots=True)
class _JsonValue:
    """A value that a part has as JSON, beside the texts of other fields."""

    value: Any


def parse_form(text: str) -> tuple[tuple[str, str], ...]:
    """Return the names and values of a query or of a form that is written as text (WHATWG URL §5.1)."""
    parts = (part.partition("=") for part in text.split("&") if part)
    return tuple((unquote_plus(name), unquote_plus(value)) for name, _, value in parts)


def parse_multipart(content_type: str, body: bytes) -> Iterator[FormPart]:
    """Yield the fields of a multipart body (RFC 7578), files as text. Raises ValueError if it is none.

    A body without any part, which clients write for a form without fields, has none.
    """
    head = f"Content-Type: {content_type}\r\n\r\n".encode("utf-8", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    if not message.is_multipart():
        if body.strip() == f"--{message.get_boundary()}--".encode("utf-8", "replace"):
            return
        raise ValueError("the body is not multipart/form-data with the boundary that Content-Type names")
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            yield FormPart(
                name=name,
                text=payload.decode("utf-8", "replace"),
                media_type=str(part.get("content-type", "")),
                file=payload if part.get_filename() else None,
                file_name=part.get_filename() or "",
            )


class TextReader:
    """Reads texts for the schemas of one contract."""

    def __init__(self, api: Api, validator: Validator) -> None:
        """Take the contract and what validates its values."""
        self._api = api
        self._validator = validator
        self._kinds: dict[int, tuple[Schema, frozenset[str]]] = {}

    def kinds(self, schema: Schema) -> frozenset[str]:
        """Return the JSON types that a schema may allow, all branches of its unions taken together; empty if it
        does not say.
        """
        known = self._kinds.get(id(schema))
        if known is None:
            known = self._kinds[id(schema)] = schema, frozenset(self._find_kinds(schema, 0))
        return known[1]

    def _find_kinds(self, schema: Schema, nesting: int) -> Iterator[str]:
        if nesting > _MAX_NESTING:
            return
        for part in applicable_schemas(self._api, (schema,)):
            yield from part.types
            if part.nullable:
                yield "null"
            yield from (_kind_of(item) for item in part.enum)
            if part.const is not ABSENT:
                yield _kind_of(part.const)
            if part.properties:
                yield "object"
            for branch in (*part.one_of, *part.any_of):
                yield from self._find_kinds(branch, nesting + 1)

    def read(self, schema: Schema | None, text: str) -> Any:
        """Return the value that a text stands for: the first reading that the schema allows, or else the
        likeliest.
        """
        if schema is None:
            return text
        readings = tuple(_readings(text, self.kinds(schema)))
        if len(readings) == 1:
            return readings[0]
        allowed = (
            reading for reading in readings if self._validator.is_valid(schema, reading, Direction.REQUEST)
        )
        return next(allowed, readings[0])

    def members(self, schema: Schema | None) -> dict[str, Schema]:
        """Return the schemas of the members of an object, those of all branches."""
        found: dict[str, Schema] = {}
        pending = [schema] if schema is not None else []
        for _ in range(50):
            if not pending:
                break
            for part in applicable_schemas(self._api, (pending.pop(),)):
                for property_ in part.properties:
                    found.setdefault(property_.name, property_.schema)
                pending += (*part.one_of, *part.any_of)
        return found

    def items(self, schema: Schema | None) -> Schema | None:
        """Return the schema of the items of a list, None if it has none."""
        pending = [schema] if schema is not None else []
        for _ in range(20):
            if not pending:
                break
            for part in applicable_schemas(self._api, (pending.pop(),)):
                if part.items is not None:
                    return part.items
                pending += (*part.one_of, *part.any_of)
        return None

    def is_list(self, schema: Schema | None) -> bool:
        """Say whether a schema allows a list."""
        return schema is not None and "array" in self.kinds(schema)

    def is_object(self, schema: Schema | None) -> bool:
        """Say whether a schema allows an object."""
        return schema is not None and "object" in self.kinds(schema)

    def _additional(self, schema: Schema | None) -> Schema | None:
        """Return the schema of members that no schema describes, None if it says no type."""
        parts = applicable_schemas(self._api, (schema,)) if schema is not None else ()
        free = (part.additional_properties for part in parts)
        return next(
            (subschema for subschema in free if subschema is not None and self.kinds(subschema)), None
        )

    def read_list(self, schema: Schema | None, given: Sequence[Any]) -> list[Any]:
        """Return the values of the items of a list."""
        items = self.items(schema)
        return [self.read_value(items, item) for item in given]

    def read_members(self, schema: Schema | None, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        """Return the values of the members of an object. A list repeats its name."""
        members, others = self.members(schema), self._additional(schema)
        given_by_name: dict[str, list[Any]] = {}
        for name, given in pairs:
            given_by_name.setdefault(name, []).append(given)
        return {
            name: self._read_repeated(members.get(name, others), given)
            for name, given in given_by_name.items()
        }

    def _read_repeated(self, schema: Schema | None, given: Sequence[Any]) -> Any:
        """Return the value of a name that is given once or more often; the last one counts if it is not a list."""
        is_repeated = len(given) > 1 and self.is_list(schema)
        return self.read_list(schema, given) if is_repeated else self.read_value(schema, given[-1])

    def read_form(
        self,
        schema: Schema | None,
        fields: Sequence[tuple[str, Any]],
        encodings: Sequence[Encoding] = (),
    ) -> dict[str, Any]:
        """Return the object that the fields of a form are: `a=1&b=2`, lists repeat their name or have brackets
        behind it, or are one text in the style of their encoding (OAS 3.0.3 §4.7.15), objects have the names of their
        members in brackets, or are JSON. A name with brackets that the schema has itself is one field.
        """
        tree: dict[str, Any] = {}
        members = self.members(schema)
        delimiters = _delimiters_of(encodings)
        for name, given in fields:
            path = [name] if name in members else _field_path(name)
            is_one_text = isinstance(given, str) and name in delimiters and self.is_list(members.get(name))
            for item in given.split(delimiters[name]) if is_one_text else [given]:
                _add_field(tree, path, item)
        value = self.read_value(schema, tree)
        return value if isinstance(value, dict) else {}

    def read_multipart(self, schema: Schema | None, parts: Sequence[FormPart]) -> dict[str, Any]:
        """Return the object that the parts of a multipart body are: fields of a form, of which those that are sent as
        JSON are read as that (`contentType`, OAS 3.0.3 §4.7.15.1).
        """
        members, others = self.members(schema), self._additional(schema)
        fields = [(part.name, self._part_value(members.get(part.name, others), part)) for part in parts]
        return self.read_form(schema, fields)

    def _part_value(self, schema: Schema | None, part: FormPart) -> Any:
        """Return the value of a part that is sent as JSON, or its text."""
        if schema is None or not is_json(part.media_type) or not self._kinds_with_items(schema) & _STRUCTURED:
            return part.text
        try:
            return _JsonValue(read_json(part.text.encode()))
        except ValueError:
            return part.text

    def _kinds_with_items(self, schema: Schema) -> frozenset[str]:
        items = self.items(schema) if self.is_list(schema) else None
        return self.kinds(schema) | (self.kinds(items) if items is not None else frozenset())

    def read_value(self, schema: Schema | None, given: Any) -> Any:
        """Return a value in which texts stand for the values of a schema, at any depth. A number for which there
        are texts only is its text.
        """
        return self._tree_value(schema, given, 0)

    def _text_value(self, schema: Schema | None, text: str) -> Any:
        if text == "null" and schema is not None and "null" in self.kinds(schema):
            return None
        structure = self._json_structure(schema, text)
        if structure is not None:
            return self._with_list(schema, structure)
        return [self.read(self.items(schema), text)] if self.is_list(schema) else self.read(schema, text)

    def _json_structure(self, schema: Schema | None, text: str) -> dict[str, Any] | list[Any] | None:
        """Return the object, or the list of objects, that a text holds as JSON: the usual form of one in a form (OAS
        3.1.1 §4.8.15.1). None for others, and where texts are allowed.
        """
        kinds = self._kinds_with_items(schema) if schema is not None else frozenset()
        if "object" not in kinds or "string" in kinds:
            return None
        try:
            value = read_json(text.encode("utf-8", "replace"))
        except ValueError:
            return None
        return (
            value if isinstance(value, dict) or (isinstance(value, list) and self.is_list(schema)) else None
        )

    def _with_list(self, schema: Schema | None, value: Any) -> Any:
        """Return a value of JSON in a list if it is the only item of one."""
        is_item = self.is_list(schema) and not self.is_object(schema) and not isinstance(value, list)
        return [value] if is_item else value

    def _tree_value(self, schema: Schema | None, tree: Any, nesting: int) -> Any:
        if nesting > 2 * _MAX_NESTING or tree is None:
            return tree
        if isinstance(tree, _JsonValue):
            return self._with_list(schema, tree.value)
        if isinstance(tree, (bool, int, float)):
            is_text = schema is not None and self.kinds(schema) == {"string"}
            return json.dumps(tree) if is_text else tree
        if isinstance(tree, str):
            return self._text_value(schema, tree)
        if isinstance(tree, list):
            if not self.is_list(schema) and all(isinstance(item, str) for item in tree):
                return (
                    [self.read(None, item) for item in tree] if len(tree) > 1 else self.read(schema, tree[0])
                )
            return [self._tree_value(self.items(schema), item, nesting + 1) for item in tree]
        if (
            self.is_list(schema)
            and not self.is_object(schema)
            and all(item.isdecimal() for item in tree if item)
        ):
            return [self._tree_value(self.items(schema), item, nesting + 1) for item in _flat(tree.values())]
        members, others = self.members(schema), self._additional(schema)
        return {
            name: self._tree_value(members.get(name, others), value, nesting + 1)
            for name, value in tree.items()
        }


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        yield from value if isinstance(value, list) else (value,)


def _kind_of(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case None:
            return "null"
        case dict():
            return "object"
        case list():
            return "array"
    return "string"


def _readings(text: str, kinds: frozenset[str]) -> Iterator[Any]:
    """Yield what a text can stand for, the likeliest first."""
    if kinds & {"integer", "number"} or not kinds:
        if _WHOLE.fullmatch(text):
            yield int(text)
        elif (kinds & {"number"} or not kinds) and _NUMBER.fullmatch(text):
            yield from (item for item in (float(text),) if math.isfinite(item))
    if text in _CONSTANTS and (("null" if text == "null" else "boolean") in kinds or not kinds):
        yield _CONSTANTS[text]
    yield text


def _field_path(name: str) -> list[str]:
    """Return the names that lead to a field: `a[b][]` → `a`, `b` and an empty name."""
    head, bracket, rest = name.partition("[")
    if not bracket or not head or not rest.endswith("]"):
        return [name]
    return [head, *rest[:-1].split("][")]


def _delimiters_of(encodings: Iterable[Encoding]) -> dict[str, str]:
    """Return what is between the items of each field of a form that has a list as one text."""
    styles = ((encoding.property_name, field_style(encoding)) for encoding in encodings)
    return {
        name: delimiter_of(style)
        for name, (style, is_exploded) in ((name, given) for name, given in styles if given is not None)
        if not is_exploded and style != "deepObject"
    }


def _add_field(tree: dict[str, Any], path: list[str], given: Any) -> None:
    node = tree
    for step in path[:-1][:_MAX_NESTING]:
        below = node.setdefault(step, {})
        if not isinstance(below, dict):
            node[step] = below = {}
        node = below
    last = path[-1]
    if last in node and isinstance(node[last], list):
        node[last].append(given)
    elif last in node and isinstance(node[last], (str, _JsonValue)):
        node[last] = [node[last], given]
    else:
        node[last] = [given] if last == "" else given
