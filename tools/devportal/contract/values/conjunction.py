"""One schema for several of the same value, and chains of schemas made of each other, bounded."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from devportal.contract.keyword_columns import Merge
from devportal.contract.keywords import CONSTRAINTS, KEYWORDS
from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Constraint, Location, Property, Schema, Xml
from devportal.contract.values.per_contract import PerContract

UnionBranches = tuple[Schema, ...]
"""The branches of a union: a value must be valid for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedSchema:
    """All parts of a schema in one that refers to nothing, and the unions whose branch is not chosen yet.

    `parts` are what it was made of, those that are referred to before those that refer to them.
    """

    schema: Schema
    unions: tuple[UnionBranches, ...]
    parts: tuple[Schema, ...]


def combine_schemas(
    api: Api, schemas: Sequence[Schema], chosen: frozenset[int] = frozenset()
) -> CombinedSchema:
    """Return the conjunction of schemas; `chosen` are the ids of unions of which a branch is already
    included. It is kept: the values of a contract are made of the same schemas again and again.
    """
    return _combinations_of(api).combine(schemas, chosen)


_MOST_COMBINATIONS = 8192


class _Combinations:
    """The conjunctions made for one contract. Each is kept with its schemas, so that their ids stay their own."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self._known: dict[_CombinationKey, tuple[Sequence[Schema], CombinedSchema]] = {}

    def combine(self, schemas: Sequence[Schema], chosen: frozenset[int]) -> CombinedSchema:
        key = (tuple(map(id, schemas)), chosen)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_COMBINATIONS:
                self._known.clear()
            self._known[key] = known = (schemas, _combine(self.api, schemas, chosen))
        return known[1]


_CombinationKey = tuple[tuple[int, ...], frozenset[int]]
_combinations_of = PerContract(_Combinations)


def _combine(api: Api, schemas: Sequence[Schema], chosen: frozenset[int]) -> CombinedSchema:
    parts = tuple(applicable_schemas(api, schemas))
    unions = (union for part in parts for union in (part.one_of, part.any_of) if union)
    return CombinedSchema(
        schema=_merge_keywords(parts, schemas[-1]),
        unions=tuple(union for union in unions if id(union) not in chosen),
        parts=parts,
    )


def applicable_schemas(api: Api, schemas: Sequence[Schema]) -> Iterator[Schema]:
    """Yield the schemas and all that applies with them, each once, referred to before referring."""
    if len(schemas) == 1 and schemas[0].ref is None and not schemas[0].all_of:
        yield schemas[0]
        return
    seen: set[int] = set()
    pending = [(schema, False) for schema in reversed(schemas)]
    while pending:
        schema, is_entered = pending.pop()
        if is_entered:
            yield schema
        elif id(schema) not in seen:
            seen.add(id(schema))
            target = api.schemas.get(schema.ref) if schema.ref is not None else None
            below = [*([target] if target is not None else []), *schema.all_of]
            pending.append((schema, True))
            pending += [(schema, False) for schema in reversed(below)]


def xml_of(api: Api, schema: Schema | None) -> Xml:
    """Return how the values of a schema are written in XML."""
    return xml_of_parts(tuple(applicable_schemas(api, (schema,)))) if schema is not None else Xml()


def xml_of_parts(parts: Sequence[Schema]) -> Xml:
    """Return how a value is written in XML, by the schemas that apply to it: the last that says it decides. Those
    that refer to others come after them.
    """
    return next((part.xml for part in reversed(parts) if part.xml not in (None, Xml())), None) or Xml()


def _merge_keywords(parts: Sequence[Schema], last: Schema) -> Schema:
    typed = [part for part in parts if part.types]
    types = _common_types([part.types for part in typed])
    is_impossible = any(part.verdict is False for part in parts) or (bool(typed) and not types)
    required = tuple(dict.fromkeys(name for part in parts for name in part.required))
    nullable = [part.nullable for part in typed or parts]
    return Schema(
        location=last.location,
        verdict=False if is_impossible and not (typed and all(nullable)) else None,
        types=types,
        nullable=all(nullable) if typed else any(nullable),
        constraints=tuple(
            _tightest_constraints(constraint for part in parts for constraint in part.constraints)
        ),
        properties=_merge_properties(
            (property_ for part in parts for property_ in part.properties), frozenset(required)
        ),
        required=required,
        **(_other_keywords(last) if len(parts) == 1 else _merge_other_keywords(parts)),
    )


def _merge_other_keywords(parts: Sequence[Schema]) -> dict[str, Any]:
    return {name: merge([getattr(part, name) for part in parts]) for name, merge in _MERGED_FIELDS}


def _other_keywords(schema: Schema) -> dict[str, Any]:
    """Return what merging gives for one schema alone, which most have: what it says itself."""
    return {name: getattr(schema, name) for name, _ in _MERGED_FIELDS}


def _common_types(written: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the types that all allow, in the order of the last; an integer is a number."""
    common = written[-1] if written else ()
    for other in written[:-1]:
        common = tuple(
            dict.fromkeys("integer" if text == "number" and "number" not in other else text
                          for text in common
                          if text in other or (text == "integer" and "number" in other)
                          or (text == "number" and "integer" in other))
        )  # fmt: skip
    return common


def _common_values(written: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    enums = [item for item in written if item]
    common = enums[0] if enums else ()
    for other in enums[1:]:
        common = tuple(value for value in common if value in other)
    return common


def _tightest_constraints(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    """Yield one constraint for each keyword, and both of those that are kept side by side."""
    tightest: dict[str, Constraint] = {}
    for constraint in constraints:
        is_kept = CONSTRAINTS[constraint.keyword].merge is Merge.EACH
        key = f"{constraint.keyword} {constraint.value}" if is_kept else constraint.keyword
        previous = tightest.get(key)
        tightest[key] = (
            constraint
            if previous is None
            else replace(
                constraint, value=_tighter_value(constraint.keyword, previous.value, constraint.value)
            )
        )
    yield from tightest.values()


def _tighter_value(keyword: str, first: Any, second: Any) -> Any:
    match CONSTRAINTS[keyword].merge:
        case Merge.LARGEST:
            return max(first, second)
        case Merge.SMALLEST:
            return min(first, second)
        case Merge.MULTIPLE:
            is_whole = isinstance(first, int) and isinstance(second, int)
            return math.lcm(first, second) if is_whole else max(first, second)
        case Merge.BY_NAME:
            return {**first, **second}
    return second


def _merge_properties(properties: Iterable[Property], required: frozenset[str]) -> tuple[Property, ...]:
    """Return the properties by name; the schemas of one that occurs twice apply together."""
    schemas: dict[str, list[Schema]] = {}
    for property_ in properties:
        variants = schemas.setdefault(property_.name, [])
        if property_.schema not in variants:
            variants.append(property_.schema)
    merged = ((name, _wrap_in_all_of(same_name)) for name, same_name in schemas.items())
    return tuple(
        Property(name=name, schema=schema, required=name in required)
        for name, schema in merged
        if schema is not None
    )


def _wrap_in_all_of(schemas: Iterable[Schema | None]) -> Schema | None:
    """Return one schema for all schemas that are not None. If one is read-only or write-only, so is the
    result.
    """
    present = [schema for schema in schemas if schema is not None]
    if len(present) < 2:
        return present[0] if present else None
    return Schema(
        location=present[-1].location,
        all_of=tuple(present),
        read_only=any(schema.read_only for schema in present),
        write_only=any(schema.write_only for schema in present),
        deprecated=any(schema.deprecated for schema in present),
    )


_MERGES: Mapping[Merge | None, Callable[[Sequence[Any]], Any]] = {
    Merge.FIRST: lambda values: next((value for value in values if value is not ABSENT), ABSENT),
    Merge.LAST: lambda values: next((value for value in reversed(values) if value), ""),
    Merge.COMMON: _common_values,
    Merge.EACH: lambda values: tuple(chain.from_iterable(values)),
    Merge.ALL_OF: _wrap_in_all_of,
    Merge.LONGEST: lambda values: max(values, key=len),
}
_MERGED_TOGETHER = frozenset({"types", "nullable", "constraints", "properties", "required"})
"""The fields that are merged with an eye on each other, or member by member."""
_MERGED_FIELDS = tuple(
    {
        row.model_field: _MERGES[row.merge]
        for row in KEYWORDS
        if row.merge in _MERGES and not row.is_annotation and row.model_field not in _MERGED_TOGETHER
    }.items()
)
"""The other fields, each with what makes one value of those of all parts."""

MAX_REFERENCE_CHAIN = 100
"""The most references in a row: readers give up long before, Python's stack soon after."""


def cut_reference_chains(
    schemas: Mapping[Location, Schema],
) -> tuple[dict[Location, Schema], tuple[Location, ...]]:
    """Return the schemas without the references that make a chain too long, and where those stood."""
    depths = _ReferenceDepths(schemas)
    for location in schemas:
        depths.measure(location)
    cuts = depths.cuts
    shortened = {
        location: _without_references(schema, cuts[location]) if location in cuts else schema
        for location, schema in schemas.items()
    }
    return shortened, tuple(location for location, targets in cuts.items() if targets)


class _ReferenceDepths:
    """How many references follow each other below each schema, those that are cut left out."""

    def __init__(self, schemas: Mapping[Location, Schema]) -> None:
        self._schemas = schemas
        self._depths: dict[Location, int] = {}
        self.cuts: dict[Location, set[Location]] = {}

    def measure(self, location: Location) -> None:
        """Measure a schema and all that it is made of, without recursion."""
        pending = [self._measure_step(location)] if location not in self._depths else []
        while pending:
            target = next(pending[-1], None)
            if target is None:
                pending.pop()
            elif target not in self._depths:
                pending.append(self._measure_step(target))

    def _measure_step(self, location: Location) -> Iterator[Location]:
        """Yield the targets of a schema, to be measured before going on; note its own height."""
        self._depths[location] = 0  # what leads back here is a circle, which is not a chain
        height = 0
        for target in _reference_targets(self._schemas[location]):
            if target not in self._schemas:
                continue
            yield target
            if self._depths[target] >= MAX_REFERENCE_CHAIN:
                self.cuts.setdefault(location, set()).add(target)
            else:
                height = max(height, self._depths[target] + 1)
        self._depths[location] = height


def _reference_targets(schema: Schema) -> Iterator[Location]:
    """Yield the references of a schema and of its branches."""
    if schema.ref is not None:
        yield schema.ref
    for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
        yield from _reference_targets(branch)


def _without_references(schema: Schema, cut: set[Location]) -> Schema:
    """Return a schema without some of its references; their siblings stay."""
    return replace(
        schema,
        ref=None if schema.ref in cut else schema.ref,
        all_of=tuple(_without_references(branch, cut) for branch in schema.all_of),
        one_of=tuple(_without_references(branch, cut) for branch in schema.one_of),
        any_of=tuple(_without_references(branch, cut) for branch in schema.any_of),
    )
