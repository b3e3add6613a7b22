"""What schemas say, apart from where they stand.

A large contract repeats most of them: one of 46,000 schemas has 7,000 different ones. What depends on nothing
else, such as a sample or the rows of a page, is then made once for all that say the same.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple

from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Location, Property, Schema
from devportal.contract.values.per_contract import PerContract

_PARTS = (
    *("properties", "pattern_properties", "additional_properties", "items", "prefix_items"),
    *("all_of", "one_of", "any_of", "negated", "others"),
)
"""The fields of a schema that hold schemas."""
_keywords = attrgetter(*(field.name for field in fields(Schema) if field.name not in ("location", *_PARTS)))


class _Content(NamedTuple):
    """The number of what a schema says, and whether it says all of it itself: no reference is in it."""

    number: int
    is_whole: bool


class SchemaContents:
    """Numbers for what the schemas of one contract say. Schemas with one number are equal but for their location."""

    def __init__(self, api: Api, is_apart: Callable[[Location], bool] = lambda _: False) -> None:
        """Take the contract, and what says whether a schema at a location never stands for others."""
        self._api = api
        self._is_apart = is_apart
        self._numbers: dict[object, int] = {}
        self._known: dict[int, tuple[Schema, _Content]] = {}
        self._firsts: dict[int, Schema] = {}

    def number(self, schema: Schema) -> int:
        """Return the number of what a schema says."""
        return self._content(schema).number

    def is_whole(self, schema: Schema) -> bool:
        """Say whether a schema says all of it itself: no reference leads from it, to it or from what is in it."""
        return self._content(schema).is_whole

    def first(self, schema: Schema) -> Schema:
        """Return the first schema asked for that says the same, or the schema itself if references lead from it, to
        it or from what is in it.
        """
        content = self._content(schema)
        return self._firsts.setdefault(content.number, schema) if content.is_whole else schema

    def _content(self, schema: Schema) -> _Content:
        known = self._known.get(id(schema))
        if known is None:
            known = self._known[id(schema)] = schema, self._read(schema)  # kept, so that its id stays its own
        return known[1]

    def _read(self, schema: Schema) -> _Content:
        is_target = schema.location in self._api.schemas
        is_whole = schema.ref is None and not is_target and not self._is_apart(schema.location)
        key: object = _keywords_key(schema)
        if has_parts(schema):
            parts = tuple(self._contents_of_parts(schema))
            is_whole = is_whole and all(content.is_whole for _, content in parts)
            key = (key, tuple((name, content.number) for name, content in parts))
        return _Content(self._numbers.setdefault(key, len(self._numbers)), is_whole)

    def _contents_of_parts(self, schema: Schema) -> Iterable[tuple[object, _Content]]:
        """Yield what the schemas in a schema say, each with the keyword and the name it stands under."""
        for field in ("properties", "pattern_properties"):
            members: tuple[Property, ...] = getattr(schema, field)
            for member in members:
                yield (field, member.name, member.required), self._content(member.schema)
        for field in ("additional_properties", "items", "negated"):
            single: Schema | None = getattr(schema, field)
            if single is not None:
                yield field, self._content(single)
        for field in ("prefix_items", "all_of", "one_of", "any_of"):
            for part in getattr(schema, field):
                yield field, self._content(part)
        for name, other in schema.others:
            yield ("others", name), self._content(other)


schema_contents = PerContract(SchemaContents)


def has_parts(schema: Schema) -> bool:
    """Say whether there are schemas in a schema."""
    return bool(
        schema.properties or schema.all_of or schema.one_of or schema.any_of or schema.items is not None
        or schema.additional_properties is not None or schema.negated is not None or schema.others
        or schema.pattern_properties or schema.prefix_items
    )  # fmt: skip


def has_only_scalars(schema: Schema) -> bool:
    """Say whether all values that a schema gives or compares with are scalars."""
    kinds = {*map(type, _values(schema))}
    return list not in kinds and dict not in kinds


def _keywords_key(schema: Schema) -> object:
    """Return what a schema says besides the schemas in it, as a key: 1, 1.0 and true are not the same, nor are 0.0
    and -0.0.
    """
    kinds = tuple(map(type, _values(schema)))
    keywords = _keywords(schema)
    return repr(keywords) if {list, dict, float} & {*kinds} else (kinds, keywords)


def _values(schema: Schema) -> tuple[Any, ...]:
    constraints = (constraint.value for constraint in schema.constraints)
    extended = (value for _, value in schema.extensions)
    growing = () if schema.extensible_enum is ABSENT else schema.extensible_enum
    listed = (*schema.enum, *growing, *schema.beta_values, *schema.examples)
    return (schema.const, schema.default, *constraints, *extended, *listed)
