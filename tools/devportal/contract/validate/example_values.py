"""Examples as requests and responses carry them: without `readOnly` members in requests and `writeOnly` ones in
responses, and with values in place of JSON texts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from devportal.contract.internal.redaction import deserialise_example
from devportal.contract.media_types import is_json
from devportal.contract.model import Api, Callback, Example, MediaType, Operation, RequestBody, Response
from devportal.contract.schemas import Schema
from devportal.contract.validate.json_schema import Direction, hidden_properties, may_hide_properties
from devportal.documents import Pointer

_Part = TypeVar("_Part", RequestBody, Response)
_MAX_DEPTH = 100
"""Members within each other that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedValue:
    """A value as it travels in a direction, the places of the members left out, and of the JSON texts read."""

    value: Any
    hidden: tuple[Pointer, ...] = ()
    json_texts: tuple[Pointer, ...] = ()


def carried_value(api: Api, schema: Schema, value: Any, direction: Direction) -> CarriedValue:
    """Return a value as requests or responses with this schema carry it."""
    if not (may_hide_properties(api, direction) or _has_json_text(value)):
        return CarriedValue(value=value)
    reader = _ValueReader(api, direction)
    carried = reader.read((schema,), (), value, ())
    return CarriedValue(value=carried, hidden=tuple(reader.hidden), json_texts=tuple(reader.json_texts))


class _ValueReader:
    """Reads one value along with the schemas that must all hold for it, and the alternatives."""

    def __init__(self, api: Api, direction: Direction) -> None:
        self._api = api
        self._direction = direction
        self.hidden: list[Pointer] = []
        self.json_texts: list[Pointer] = []

    def read(
        self, schemas: Sequence[Schema], alternatives: Sequence[Schema], value: Any, pointer: Pointer
    ) -> Any:
        if len(pointer) > _MAX_DEPTH or _is_plain(value):
            return value
        parts = [*_parts(self._api, schemas)]
        branches = (branch for part in parts for branch in (*part.one_of, *part.any_of))
        options = [*_parts(self._api, (*alternatives, *branches), with_unions=True)]
        if isinstance(value, str):
            value = self._read_text(parts, options, value, pointer)
        if isinstance(value, dict):
            return self._read_members(parts, options, value, pointer)
        if isinstance(value, list):
            return self._read_items(parts, options, value, pointer)
        return value

    def _read_text(self, parts: list[Schema], options: list[Schema], text: str, pointer: Pointer) -> Any:
        """Return the value of a JSON text if its schema describes no text but an object or an array."""
        kinds = {kind for part in parts or options for kind in part.types}
        is_possible = kinds and not any("string" in part.types for part in (*parts, *options))
        if not is_possible or not kinds <= {"object", "array", "null"}:
            return text
        value = deserialise_example(text)
        if isinstance(value, (dict, list)):
            self.json_texts.append(pointer)
        return value

    def _read_members(
        self, parts: list[Schema], options: list[Schema], value: dict[str, Any], pointer: Pointer
    ) -> dict[str, Any]:
        hidden = self._hidden_names(parts, options) & value.keys()
        self.hidden += [(*pointer, name) for name in value if name in hidden]
        return {
            name: member
            if _is_plain(member)
            else self.read(
                [*_member_schemas(parts, name)], [*_member_schemas(options, name)], member, (*pointer, name)
            )
            for name, member in value.items()
            if name not in hidden
        }

    def _hidden_names(self, parts: list[Schema], options: list[Schema]) -> frozenset[str]:
        """Return the members that any part hides, and those that every alternative which has them hides."""
        hidden = [hidden_properties(self._api, part, self._direction) for part in parts]
        shown: set[str] = set()
        possible: set[str] = set()
        for option in options:
            names = hidden_properties(self._api, option, self._direction)
            possible |= names
            shown.update(property_.name for property_ in option.properties if property_.name not in names)
        return frozenset().union(*hidden, possible - shown)

    def _read_items(
        self, parts: list[Schema], options: list[Schema], value: list[Any], pointer: Pointer
    ) -> list[Any]:
        return [
            item
            if _is_plain(item)
            else self.read(
                [*_item_schemas(parts, number)],
                [*_item_schemas(options, number)],
                item,
                (*pointer, str(number)),
            )
            for number, item in enumerate(value)
        ]


def _is_plain(value: Any) -> bool:
    """Say whether a value is carried as it is, whatever its schema: nothing is in it, nor a JSON text."""
    if isinstance(value, str):
        return value.lstrip()[:1] not in ("{", "[")
    return not isinstance(value, (dict, list))


def _has_json_text(value: Any) -> bool:
    """Say whether a value is or has a text that may be that of a JSON object or array."""
    if isinstance(value, (dict, list)):
        return any(map(_has_json_text, value.values() if isinstance(value, dict) else value))
    return not _is_plain(value)


def _parts(api: Api, schemas: Iterable[Schema], *, with_unions: bool = False) -> Iterator[Schema]:
    """Yield schemas, the targets of their references, and all that they combine or, with unions, choose from."""
    pending = [*schemas]
    seen: set[int] = set()
    while pending:
        part = pending.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if part.ref is not None and part.ref in api.schemas:
            pending.append(api.schemas[part.ref])
        pending += part.all_of
        if with_unions:
            pending += (*part.one_of, *part.any_of)


def _member_schemas(parts: Iterable[Schema], name: str) -> Iterator[Schema]:
    for part in parts:
        declared = [property_.schema for property_ in part.properties if property_.name == name]
        yield from declared
        if not declared and part.additional_properties is not None:
            yield part.additional_properties


def _item_schemas(parts: Iterable[Schema], number: int) -> Iterator[Schema]:
    for part in parts:
        if number < len(part.prefix_items):
            yield part.prefix_items[number]
        elif part.items is not None:
            yield part.items


def with_carried_examples(api: Api, operation: Operation, *, is_event: bool = False) -> Operation:
    """Return an operation whose bodies have their examples as they are carried.

    The body of an event is what the provider sends: it carries what responses carry.
    """
    direction = Direction.RESPONSE if is_event else Direction.REQUEST
    body = operation.request_body and _with_examples(api, operation.request_body, direction)
    responses = tuple(_with_examples(api, response, Direction.RESPONSE) for response in operation.responses)
    callbacks = tuple(_callback_with_examples(api, callback) for callback in operation.callbacks)
    if callbacks or body is not operation.request_body or _differ(responses, operation.responses):
        return replace(operation, request_body=body, responses=responses, callbacks=callbacks)
    return operation


def _with_examples(api: Api, part: _Part, direction: Direction) -> _Part:
    """Return a body or response with its examples as they are carried, the same one if they are written so."""
    content = tuple(_media_with_examples(api, media_type, direction) for media_type in part.content)
    return replace(part, content=content) if _differ(content, part.content) else part


def _differ(changed: Sequence[object], written: Sequence[object]) -> bool:
    """Say whether any of the parts is another one than as it is written."""
    return any(first is not other for first, other in zip(changed, written, strict=True))


def _callback_with_examples(api: Api, callback: Callback) -> Callback:
    operations = (with_carried_examples(api, operation, is_event=True) for operation in callback.operations)
    return replace(callback, operations=tuple(operations))


def _media_with_examples(api: Api, media: MediaType, direction: Direction) -> MediaType:
    examples = tuple(_carried_example(api, media, example, direction) for example in media.examples)
    return replace(media, examples=examples) if _differ(examples, media.examples) else media


def _carried_example(api: Api, media: MediaType, example: Example, direction: Direction) -> Example:
    is_body_text = isinstance(example.value, str) and (not is_json(media.name) or example.serialised)
    if media.schema is None or not example.has_value or is_body_text:
        return example
    carried = carried_value(api, media.schema, example.value, direction)
    if not (carried.hidden or carried.json_texts):
        return example
    return replace(
        example,
        value=carried.value,
        serialised=None if carried.hidden else example.serialised,
        hidden=carried.hidden,
        json_texts=carried.json_texts,
    )
