"""Examples as requests and responses carry them: without `readOnly` members in requests and `writeOnly` ones in
responses, and with values in place of JSON texts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devportal.contract.internal.redaction import deserialise_example
from devportal.contract.media_types import is_json
from devportal.contract.model import Api, Callback, Example, MediaType, Operation, RequestBody
from devportal.contract.schemas import Schema
from devportal.contract.validate.json_schema import Direction, hidden_properties
from devportal.documents import Pointer

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
    reader = _ValueReader(api, direction)
    carried = reader.read((schema,), (), value, ())
    return CarriedValue(value=carried, hidden=tuple(reader.hidden), json_texts=tuple(reader.json_texts))


class _ValueReader:
    """Reads one value beside the schemas that all hold for it, and those that are alternatives."""

    def __init__(self, api: Api, direction: Direction) -> None:
        self._api = api
        self._direction = direction
        self.hidden: list[Pointer] = []
        self.json_texts: list[Pointer] = []

    def read(
        self, schemas: Sequence[Schema], alternatives: Sequence[Schema], value: Any, pointer: Pointer
    ) -> Any:
        may_change = isinstance(value, (dict, list)) or (isinstance(value, str) and _may_be_json(value))
        if not may_change or len(pointer) > _MAX_DEPTH:
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
        """Return the value of what may be a JSON text if its schema describes no text but an object or an array."""
        kinds = {kind for one in parts or options for kind in one.types}
        is_possible = kinds and not any("string" in one.types for one in (*parts, *options))
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
            name: self.read(
                [*_member_schemas(parts, name)], [*_member_schemas(options, name)], member, (*pointer, name)
            )
            for name, member in value.items()
            if name not in hidden
        }

    def _hidden_names(self, parts: list[Schema], options: list[Schema]) -> frozenset[str]:
        """Return what a part hides, and what each alternative hides that has it."""
        hidden = [hidden_properties(self._api, one, self._direction) for one in parts]
        shown: set[str] = set()
        possible: set[str] = set()
        for option in options:
            names = hidden_properties(self._api, option, self._direction)
            possible |= names
            shown.update(one.name for one in option.properties if one.name not in names)
        return frozenset().union(*hidden, possible - shown)

    def _read_items(
        self, parts: list[Schema], options: list[Schema], value: list[Any], pointer: Pointer
    ) -> list[Any]:
        return [
            self.read(
                [*_item_schemas(parts, number)],
                [*_item_schemas(options, number)],
                item,
                (*pointer, str(number)),
            )
            for number, item in enumerate(value)
        ]


def _may_be_json(text: str) -> bool:
    """Say whether a text begins as an object or an array does; most do not, and are not looked at any further."""
    return text.lstrip()[:1] in ("{", "[")


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
        declared = [one.schema for one in part.properties if one.name == name]
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
    body, responses, callbacks = operation.request_body, operation.responses, operation.callbacks
    direction = Direction.RESPONSE if is_event else Direction.REQUEST
    return replace(
        operation,
        request_body=body and _body_with_examples(api, body, direction),
        responses=tuple(
            replace(one, content=_content_with_examples(api, one.content, Direction.RESPONSE))
            for one in responses
        ),
        callbacks=tuple(_callback_with_examples(api, one) for one in callbacks),
    )


def _body_with_examples(api: Api, body: RequestBody, direction: Direction) -> RequestBody:
    return replace(body, content=_content_with_examples(api, body.content, direction))


def _callback_with_examples(api: Api, callback: Callback) -> Callback:
    operations = (with_carried_examples(api, one, is_event=True) for one in callback.operations)
    return replace(callback, operations=tuple(operations))


def _content_with_examples(
    api: Api, content: tuple[MediaType, ...], direction: Direction
) -> tuple[MediaType, ...]:
    return tuple(
        replace(media, examples=tuple(_carried_example(api, media, one, direction) for one in media.examples))
        if media.examples and media.schema is not None
        else media
        for media in content
    )


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
