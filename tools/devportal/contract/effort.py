"""How often a validator looks at the parts of a value: schemas that are made of each other multiply.

Forty schemas of which each names the next one twice, under `allOf`, are looked at 2⁴⁰ times. Validators do
not notice; here each pair of schema and value is counted once.
"""

from collections.abc import Iterator
from typing import Any

from devportal.contract.model import Api
from devportal.contract.schemas import Schema

MAX_EFFORT = 1_000_000
"""Looks at a part of a value that are worth it: about a second."""
MAX_DEPTH = 300
"""Schemas and values within each other; validators have a stack of their own to exhaust."""


def is_bearable(api: Api, schema: Schema, value: Any) -> bool:
    """Say whether a value can be validated in about a second."""
    return _Effort(api).of(schema, value, 0) <= MAX_EFFORT


class _Effort:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[tuple[int, int], int] = {}

    def of(self, schema: Schema, value: Any, depth: int) -> int:
        """Return how many looks it takes; more than is bearable where there is no telling."""
        key = (id(schema), id(value))
        if key not in self._known:
            if depth > MAX_DEPTH:
                return MAX_EFFORT + 1
            self._known[key] = 1  # what leads back here is a circle, which a validator leaves
            self._known[key] = 1 + sum(
                self.of(part, member, depth + 1) for part, member in self._below(schema, value)
            )
        return self._known[key]

    def _below(self, schema: Schema, value: Any) -> Iterator[tuple[Schema, Any]]:
        """Yield what is looked at next: the same value by other schemas, and what is in it."""
        target = self._api.schemas.get(schema.ref) if schema.ref is not None else None
        if target is not None:
            yield target, value
        for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
            yield branch, value
        if schema.negated is not None:
            yield schema.negated, value
        for _, other in schema.others:
            yield other, value
        if isinstance(value, dict):
            yield from self._members(schema, value)
        elif isinstance(value, list):
            yield from self._items(schema, value)

    def _members(self, schema: Schema, value: dict[str, Any]) -> Iterator[tuple[Schema, Any]]:
        for one in schema.properties:
            if one.name in value:
                yield one.schema, value[one.name]
        free = [one.schema for one in schema.pattern_properties]
        free += [schema.additional_properties] if schema.additional_properties is not None else []
        for part in free:
            for member in value.values():
                yield part, member

    def _items(self, schema: Schema, value: list[Any]) -> Iterator[tuple[Schema, Any]]:
        yield from zip(schema.prefix_items, value, strict=False)
        if schema.items is not None:
            for item in value:
                yield schema.items, item
