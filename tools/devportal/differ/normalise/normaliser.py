"""A schema in normal form, and branches that only list values made one list."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from devportal.contract import ABSENT, Api, Location, Schema
from devportal.contract.read.references import CONSTRAINING_FIELDS, has_no_keywords
from devportal.contract.values.conjunction import applicable_schemas
from devportal.differ.normalise.all_of import (
    additional_schemas,
    canonical_json,
    common_types,
    common_values,
    constraining_schemas,
    content_of,
    extensible_values,
    fits_types,
    group_by_name,
    intersect_types,
    is_closed,
    last_keyword_values,
    listed_elsewhere,
    matched_elsewhere,
    other_keyword_schemas,
    refuses_all,
    says_only_null,
    type_of,
    unions_of,
    without_redundant_integer,
)
from devportal.differ.normalise.applicators import conditions_of, containments_of
from devportal.differ.normalise.digest import PartDigests, WrittenDigests, schema_digest
from devportal.differ.normalise.forms import NormalProperty, NormalSchema, Union
from devportal.differ.normalise.limits import apply_limits, limits_of
from devportal.differ.normalise.rewriting import RewrittenPart, may_be_rewritten, rewrite_part
from devportal.differ.normalise.subtypes import DiscriminatorSubtypes

Parts = Callable[[Schema], Sequence[Schema]]
"""Returns everything that applies to the values of a branch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumBranches:
    """The values that a union of enums allows, and the branch of each value that has its own, by the value as
    text: annotations of the value are in that branch.
    """

    values: tuple[Any, ...]
    branches: Mapping[str, Schema] = field(default_factory=dict)


def enum_branches(union: Union, parts_of: Parts) -> EnumBranches | None:
    """Return the values of a union, None if a branch has other rules than its values.

    A value in two branches of `oneOf` is refused (JSON Schema 2020-12 §10.2.1.3). Null is not included.
    """
    if union.discriminator is not None:
        return None
    lists: list[tuple[Any, ...]] = []
    for branch in union.branches:
        values = _enum_values(parts_of(branch))
        if values is None:
            return None
        lists.append(values)
    values_by_key = {canonical_json(value): value for values in lists for value in values}
    if union.keyword == "oneOf":
        counts = [
            canonical_json(value)
            for values in lists
            for value in {canonical_json(value): value for value in values}.values()
        ]
        values_by_key = {key: value for key, value in values_by_key.items() if counts.count(key) == 1}
    own = {
        canonical_json(values[0]): branch
        for branch, values in zip(union.branches, lists, strict=True)
        if len(values) == 1
    }
    return EnumBranches(values=tuple(values_by_key.values()), branches=own)


def flatten_any_of(branches: Sequence[Schema]) -> Iterator[Schema]:
    """Yield the branches of `anyOf`; in place of one that is nothing but another `anyOf`, those of that."""
    for branch in branches:
        is_union = len(branch.any_of) > 1 and branch.discriminator is None
        if is_union and has_no_keywords(replace(branch, any_of=(), nullable=False)):
            yield from flatten_any_of(branch.any_of)
        else:
            yield branch


def without_known_values(branches: Sequence[Schema], parts_of: Parts) -> tuple[Schema, ...]:
    """Return the branches of `anyOf` without enums that another branch allows by its type: they only list the
    known values of an open set.
    """
    types = [branch_types for branch in branches if (branch_types := _only_types(parts_of(branch)))]
    if not types:
        return tuple(branches)
    return tuple(
        branch
        for branch in branches
        if not (values := _enum_values(parts_of(branch)))
        or not any(all(fits_types(value, type_) for value in values) for type_ in types)
    )


def _enum_values(parts: Sequence[Schema]) -> tuple[Any, ...] | None:
    values = common_values(parts)
    if values is None or not all(_has_no_rule(part, but=_OF_LISTS) for part in parts):
        return None
    types = common_types(parts)
    return values if types is None else tuple(value for value in values if fits_types(value, types))


def _only_types(parts: Sequence[Schema]) -> frozenset[str]:
    """Return the types of a branch without other rules, none if it has any."""
    is_plain = all(_has_no_rule(part, but=_OF_TYPES) for part in parts)
    return (common_types(parts) or frozenset()) if is_plain else frozenset()


def _has_no_rule(part: Schema, *, but: frozenset[str]) -> bool:
    """Say whether a part has no rule but those named; a union of one branch is a separate part."""
    if part.broken or len(part.one_of) > 1 or len(part.any_of) > 1:
        return False
    return all(getattr(part, name) == getattr(_NOTHING, name) for name in CONSTRAINING_FIELDS - but)


_NOTHING = Schema(location=Location("", ()))
_OF_TYPES = frozenset({"types", "nullable", "all_of", "one_of", "any_of"})
_OF_LISTS = _OF_TYPES | {"enum", "has_empty_enum", "const"}


class _TypesAndValues(NamedTuple):
    """The types and values of a form; `declared` are the types that are written. None if any will do."""

    types: frozenset[str] | None
    declared: frozenset[str] | None
    values: tuple[Any, ...] | None

    @property
    def is_whole(self) -> bool:
        """Say whether each number is an integer."""
        return self.types is not None and "integer" in self.types and "number" not in self.types


class SchemaNormaliser:
    """The normal forms of the schemas of one contract, each made once."""

    def __init__(self, api: Api, *, other_contract_names: frozenset[str] = frozenset()) -> None:
        """Take the contract, and the names of the shared schemas of the one that it is compared with."""
        self.api = api
        self.other_contract_names = other_contract_names
        self.subtypes = DiscriminatorSubtypes(api)
        self.digests = PartDigests(api)
        self.written_digests = WrittenDigests(api, other_contract_names)
        self.is_nullable_keyword = api.openapi.startswith("3.0")
        """Whether null is allowed by `nullable`, not by a separate type."""
        self._rewritten: dict[int, tuple[RewrittenPart, Schema]] = {}
        self._forms: dict[tuple[int, ...], tuple[NormalSchema, tuple[Schema, ...]]] = {}
        self._digests: dict[int, tuple[str, Schema]] = {}
        self._nulls: dict[int, bool] = {}
        self._refusing: dict[int, tuple[bool, Schema]] = {}
        self._branches: dict[int, frozenset[str] | None] = {}
        self._any_of_branches: dict[int, tuple[tuple[Schema, ...], Schema]] = {}

    def of(self, *schemas: Schema) -> NormalSchema:
        """Return the form of one schema, or of several for the same value.

        Without a schema it is the form of an unrestricted value.
        """
        key = tuple(map(id, schemas))
        cached = self._forms.get(key)
        if cached is None:
            form = self._build_form(schemas or (Schema(location=Location("", ())),))
            cached = self._forms[key] = (form, schemas)
        return cached[0]

    def digest(self, schema: Schema) -> str:
        """Return a digest of what a schema allows; shared schemas that both contracts have count by name."""
        cached = self._digests.get(id(schema))
        if cached is None:
            digest = schema_digest(self.api, (schema,), self.other_contract_names)
            cached = self._digests[id(schema)] = (digest, schema)
        return cached[0]

    def _build_form(self, schemas: tuple[Schema, ...]) -> NormalSchema:
        parts = tuple(self._parts(schemas))
        unions_and_enums = [
            (union, self._enum_branches(union)) for union in unions_of(parts, self._one_of, self._any_of)
        ]
        unions = tuple(union for union, enum in unions_and_enums if enum is None)
        enums = tuple(enum for _, enum in unions_and_enums if enum is not None)
        allowed = self._types_and_values(parts, unions, enums)
        is_refusing = any(map(self._refuses_all_in_itself, parts))
        allows_null = all(self._allows_null(schema) for schema in schemas)
        form = NormalSchema(
            schema=self._follow_references(schemas[-1]),
            parts=parts,
            allows_nothing=is_refusing or (allowed.values == () and not allows_null),
            types=allowed.types or frozenset(),
            declared_types=allowed.declared or frozenset(),
            allows_null=allows_null and not is_refusing,
            has_null_twice=any(map(self.has_null_twice, parts)),
            values=allowed.values,
            is_const=any(part.const is not ABSENT for part in parts),
            listed={value: branch for enum in enums for value, branch in enum.branches.items()},
            extensible=extensible_values(parts),
            content=content_of(parts),
            items=tuple(constraining_schemas(part.items for part in parts)),
            prefix_items=max((part.prefix_items for part in parts), key=len, default=()),
            members=self._members(parts),
            pattern_members=group_by_name(
                (
                    *(
                        (pattern_property.name, pattern_property.schema)
                        for part in parts
                        for pattern_property in part.pattern_properties
                    ),
                    *matched_elsewhere(parts),
                )
            ),
            additional=additional_schemas(parts),
            is_closed=is_closed(parts),
            unions=unions,
            negated=tuple(
                constraining_schema
                for constraining_schema in constraining_schemas(part.negated for part in parts)
                if constraining_schema.verdict is not False
            ),
            conditions=tuple(conditions_of(parts)),
            containments=tuple(containments_of(parts)),
            others=other_keyword_schemas(parts),
            **limits_of(parts, is_whole=allowed.is_whole),
            **last_keyword_values(parts),
        )
        return apply_limits(form, self.refuses_all)

    def refuses_all(self, schema: Schema) -> bool:
        """Return whether no value is valid for a schema and all that applies with it: going by what refuses
        everything, and by types that have nothing in common.
        """
        cached = self._refusing.get(id(schema))
        if cached is None:
            parts = self._applicable_parts(schema)
            is_refusing = any(map(self._refuses_all_in_itself, parts)) or (
                common_types(parts) == frozenset() and not self._allows_null(schema)
            )
            cached = self._refusing[id(schema)] = (is_refusing, schema)
        return cached[0]

    def _refuses_all_in_itself(self, part: Schema) -> bool:
        """Say whether a part allows nothing, whatever applies with it: as a `oneOf` of equal branches, of which each
        value matches all or none.
        """
        return refuses_all(part) or (
            len(part.one_of) > 1 and all(self._are_twins(part.one_of[0], other) for other in part.one_of[1:])
        )

    def _are_twins(self, first: Schema, other: Schema) -> bool:
        """Say whether two branches are one schema, written twice or referred to twice."""
        if first.ref is not None or other.ref is not None:
            return first.ref == other.ref and has_no_keywords(first) and has_no_keywords(other)
        return _names_in(first) == _names_in(other) and self.digest(first) == self.digest(other)

    def possible_branches(self, branches: tuple[Schema, ...]) -> tuple[Schema, ...]:
        """Return the branches of a union without those that allow nothing, and without those written in place
        that only say null: null is a matter of the union as a whole. If none is left, return all.
        """
        return (
            tuple(
                branch for branch in branches if not self.refuses_all(branch) and not says_only_null(branch)
            )
            or branches
        )

    def _types_and_values(
        self, parts: Sequence[Schema], unions: Sequence[Union], enums: Sequence[EnumBranches]
    ) -> _TypesAndValues:
        """Return which types and values several parts leave together."""
        declared = common_types(parts)
        listed = common_values(parts, (enum.values for enum in enums))
        types = declared if declared is not None else self._implied_types(listed, unions)
        is_impossible = types == frozenset() and declared is not None
        values = () if is_impossible else _values_of_types(listed, types)
        is_every_value = listed is not None and values is None
        return _TypesAndValues(types=types, declared=types if is_every_value else declared, values=values)

    def _follow_references(self, schema: Schema) -> Schema:
        """Return the end of a chain of references without siblings."""
        seen: set[Location] = set()
        while schema.ref is not None and schema.ref not in seen and has_no_keywords(schema):
            seen.add(schema.ref)
            schema = self.api.schemas.get(schema.ref, schema)
        return schema

    def _parts(self, schemas: Sequence[Schema]) -> Iterator[Schema]:
        """Yield everything that applies to the same value; a union of one branch is not a union."""
        pending: list[Sequence[Schema]] = [schemas]
        seen: set[int] = set()
        groups: list[list[Schema]] = []
        while pending:
            new_parts = [
                applicable_schema
                for applicable_schema in applicable_schemas(self.api, pending.pop())
                if id(applicable_schema) not in seen
            ]
            seen.update(map(id, new_parts))
            if any(map(may_be_rewritten, new_parts)):
                rewritten = [self._rewrite(new_part) for new_part in new_parts]
                new_parts = [part for rewritten_part in rewritten for part in rewritten_part.parts]
                pending += [(schema,) for rewritten_part in rewritten for schema in rewritten_part.applied]
            groups.append(new_parts)
            for part in new_parts:
                unions = (self._one_of(part), self._any_of(part))
                pending += [union for union in unions if len(union) == 1]
        for group in reversed(groups):
            yield from group

    def _rewrite(self, part: Schema) -> RewrittenPart:
        """Return a part in the way in which equal schemas are written alike."""
        cached = self._rewritten.get(id(part))
        if cached is None:
            cached = self._rewritten[id(part)] = (rewrite_part(part, self.api.resolve), part)
        return cached[0]

    def _applicable_parts(self, schema: Schema) -> tuple[Schema, ...]:
        """Return all that applies with a schema, but the branches of its unions."""
        own_parts = tuple(applicable_schemas(self.api, (schema,)))
        if not any(map(may_be_rewritten, own_parts)):
            return own_parts
        parts: list[Schema] = []
        pending, seen = [schema], set[int]()
        while pending:
            for applicable_schema in applicable_schemas(self.api, (pending.pop(),)):
                if id(applicable_schema) not in seen:
                    seen.add(id(applicable_schema))
                    rewritten = self._rewrite(applicable_schema)
                    parts += rewritten.parts
                    pending += rewritten.applied
        return tuple(parts)

    def _enum_branches(self, union: Union) -> EnumBranches | None:
        return enum_branches(union, lambda branch: tuple(self._parts((branch,))))

    def _one_of(self, part: Schema) -> tuple[Schema, ...]:
        """Return the branches of `oneOf` that count."""
        return self.possible_branches(part.one_of)

    def _any_of(self, part: Schema) -> tuple[Schema, ...]:
        """Return the branches of `anyOf` that count, with those of another one among them.

        One that is being looked at already has all of its members.
        """
        possible = self.possible_branches(part.any_of)
        if len(possible) < 2 or part.discriminator is not None:
            return possible
        cached = self._any_of_branches.get(id(part))
        if cached is None:
            self._any_of_branches[id(part)] = (possible, part)
            branches = without_known_values(
                tuple(flatten_any_of(possible)), lambda branch: tuple(self._parts((branch,)))
            )
            cached = self._any_of_branches[id(part)] = (branches, part)
        return cached[0]

    def _implied_types(
        self, values: tuple[Any, ...] | None, unions: Sequence[Union]
    ) -> frozenset[str] | None:
        """Return the types of the values or branches, if no types are declared."""
        if values is not None:
            return frozenset(map(type_of, values)) or None
        return self._types_of_unions(unions, 0)

    def _types_of_unions(self, unions: Sequence[Union], depth: int) -> frozenset[str] | None:
        implied: frozenset[str] | None = None
        for union in unions:
            branches = [self._branch_types(branch, depth) for branch in union.branches]
            if all(branch is not None for branch in branches):
                types = frozenset().union(*(branch for branch in branches if branch))
                implied = types if implied is None else intersect_types(implied, types)
        return without_redundant_integer(implied) if implied is not None else None

    def _branch_types(self, branch: Schema, depth: int) -> frozenset[str] | None:
        """Return the types of a branch; one that is being looked at already leaves them open."""
        if id(branch) in self._branches:
            return self._branches[id(branch)]
        if depth > _MAX_DEPTH:
            return None
        self._branches[id(branch)] = None
        parts = tuple(self._parts((branch,)))
        types = frozenset() if any(map(refuses_all, parts)) else common_types(parts)
        if types is None:
            values = common_values(parts)
            types = frozenset(map(type_of, values)) if values is not None else None
        if types is None:
            types = self._types_of_unions(tuple(unions_of(parts, self._one_of, self._any_of)), depth + 1)
        self._branches[id(branch)] = types
        return types

    def _allows_null(self, schema: Schema, depth: int = 0) -> bool:
        """Return whether null is valid for a schema: for each keyword, and for all of its parts."""
        if depth > _MAX_DEPTH:
            return True
        allows_null = self._nulls.get(id(schema))
        if allows_null is None:
            self._nulls[id(schema)] = True
            parts = self._applicable_parts(schema)
            allows_null = all(map(_own_keywords_allow_null, parts)) and all(
                any(self._allows_null(branch, depth + 1) for branch in union)
                for part in parts
                for union in (part.one_of, part.any_of)
                if union and not self.has_null_branch(part)
            )
            self._nulls[id(schema)] = allows_null
        return allows_null

    def has_null_twice(self, part: Schema) -> bool:
        """Say whether null fits two branches of `oneOf`; a branch that is only null is not among them."""
        if not part.one_of:
            return False
        is_own_null = self.has_null_branch(part) and not part.types
        return is_own_null + sum(map(self._allows_null, part.one_of)) > 1

    def has_null_branch(self, part: Schema) -> bool:
        """Say whether the unions of a part let null through, whatever their other branches say; beside a type,
        that is what the authors of `nullable` in OAS 3.0 mean.
        """
        is_of_type = bool(part.types) and not self.is_nullable_keyword
        return part.nullable and not part.has_idle_nullable and not is_of_type and None not in part.enum

    def _members(self, parts: Sequence[Schema]) -> dict[str, NormalProperty]:
        required = {name for part in parts for name in part.required}
        properties = group_by_name(
            (
                *((property_.name, property_.schema) for part in parts for property_ in part.properties),
                *listed_elsewhere(parts),
            )
        )
        undeclared = sorted(required - properties.keys())
        return {
            **{
                name: self._member(name, schemas, is_required=name in required)
                for name, schemas in properties.items()
            },
            **{name: NormalProperty(name=name, schemas=(), is_required=True) for name in undeclared},
        }

    def _member(self, name: str, schemas: tuple[Schema, ...], *, is_required: bool) -> NormalProperty:
        applied = tuple(applicable_schemas(self.api, schemas))
        return NormalProperty(
            name=name,
            schemas=schemas,
            is_required=is_required,
            is_read_only=any(schema.read_only for schema in applied),
            is_write_only=any(schema.write_only for schema in applied),
        )


def _names_in(schema: Schema) -> tuple[Set[str], Set[str]]:
    """Return the types and the properties that a schema names. Schemas with the same digest have the same ones, and
    they are found sooner.
    """
    return set(schema.types), {property_.name for property_ in schema.properties}


def _values_of_types(values: tuple[Any, ...] | None, types: frozenset[str] | None) -> tuple[Any, ...] | None:
    """Return the values of an enum that the types leave; None if that is every value there is."""
    if values is None:
        return None
    if types is not None:
        values = tuple(value for value in values if fits_types(value, types))
    return None if types == frozenset({"boolean"}) and len(values) == 2 else values


def _own_keywords_allow_null(schema: Schema) -> bool:
    """Say whether types, enum and const of a schema let null through, each for itself."""
    if schema.verdict is not None:
        return schema.verdict
    return not (
        schema.has_empty_enum
        or (schema.types and (not schema.nullable or schema.has_idle_nullable))
        or (schema.enum and None not in schema.enum)
        or (schema.const is not ABSENT and schema.const is not None)
    )


_MAX_DEPTH = 100
"""How far below a schema null and types are looked for: deeper down, nothing is known of them."""
