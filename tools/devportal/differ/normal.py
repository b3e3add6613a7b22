"""From schemas to their normal forms: references followed, everything that applies to a value merged."""

from collections.abc import Iterator, Sequence
from typing import Any

from devportal.contract import ABSENT, Api, Location, Schema
from devportal.contract.conjunction import conjoined_parts
from devportal.differ.forms import Form, Member, Union
from devportal.differ.merging import (
    both_types,
    bounds_of,
    collapsed,
    common_multiple,
    common_types,
    common_values,
    constraint_values,
    dependent_names,
    extensible_values,
    fits_types,
    is_free,
    largest,
    named,
    smallest,
    sources_of,
    tightest,
    told,
    type_of,
    unions_of,
)


class Forms:
    """The normal forms of the schemas of one contract, each made once."""

    def __init__(self, api: Api) -> None:
        """Take the contract."""
        self.api = api
        self._nullable_needs_type = api.openapi.startswith("3.0")
        self._known: dict[tuple[int, ...], tuple[Form, tuple[Schema, ...]]] = {}

    def of(self, *schemas: Schema) -> Form:
        """Return the form of what one schema says, or several of the same value together.

        Without any schema it is that of a value of which nothing is said.
        """
        key = tuple(map(id, schemas))
        found = self._known.get(key)
        if found is None:
            form = self._made(schemas or (Schema(location=Location("", ())),))
            found = self._known[key] = (form, schemas)
        return found[0]

    def _made(self, schemas: tuple[Schema, ...]) -> Form:
        parts = tuple(self._parts(schemas))
        own = self.api.resolve(schemas[-1])
        unions = tuple(unions_of(parts))
        declared = common_types(parts)
        values = common_values(parts)
        types = declared if declared is not None else self._implied_types(values, unions)
        allows_null = self._allow_null(schemas)
        if values is not None and types is not None:
            values = tuple(value for value in values if fits_types(value, types))
        if values is not None and types == frozenset({"boolean"}) and len(values) == 2:
            values = None
        if values is not None:
            types = frozenset(type_of(value) for value in values) or types
        required = frozenset(name for part in parts for name in part.required)
        numbers = {keyword: bounds_of(parts, keyword) for keyword in ("minimum", "maximum")}
        is_whole = types == frozenset({"integer"})
        is_nothing = any(part.verdict is False for part in parts) or (
            (types == frozenset() and declared is not None) or values == ()
        )
        constants = [part for part in parts if part.const is not ABSENT]
        return Form(
            schema=own,
            parts=parts,
            is_nothing=is_nothing and not allows_null,
            types=types or frozenset(),
            declared_types=declared or frozenset(),
            allows_null=allows_null,
            format=next((part.format for part in reversed(parts) if part.format), ""),
            values=values,
            is_const=bool(constants),
            extensible=extensible_values(parts),
            lower=tightest(numbers["minimum"], is_lower=True, is_whole=is_whole),
            upper=tightest(numbers["maximum"], is_lower=False, is_whole=is_whole),
            multiple_of=common_multiple(parts, is_whole=is_whole),
            min_length=largest(parts, "minLength"),
            max_length=smallest(parts, "maxLength"),
            patterns=frozenset(map(str, constraint_values(parts, "pattern"))),
            content=tuple(sorted({pair for part in parts for pair in part.content})),
            min_items=largest(parts, "minItems"),
            max_items=smallest(parts, "maxItems"),
            unique_items=any(constraint_values(parts, "uniqueItems")),
            items=tuple(told(part.items for part in parts)),
            prefix_items=max((part.prefix_items for part in parts), key=len, default=()),
            min_contains=smallest(parts, "minContains", 1) or 0,
            max_contains=smallest(parts, "maxContains"),
            members=dict(self._members(parts, required)),
            pattern_members=named(
                (one.name, one.schema) for part in parts for one in part.pattern_properties
            ),
            additional=tuple(
                one for one in told(part.additional_properties for part in parts) if one.verdict is not False
            ),
            is_closed=any(
                part.additional_properties is not None and part.additional_properties.verdict is False
                for part in parts
            ),
            min_properties=largest(parts, "minProperties"),
            max_properties=smallest(parts, "maxProperties"),
            dependent_required=dependent_names(parts),
            unions=unions,
            negated=tuple(part.negated for part in parts if part.negated is not None),
            others=named(
                (keyword, other)
                for part in parts
                for keyword, other in part.others
                if not is_free(keyword, other)
            ),
            discriminator=next((part.discriminator for part in reversed(parts) if part.discriminator), None),
            default=next((part.default for part in reversed(parts) if part.default is not ABSENT), ABSENT),
            sources=sources_of(parts, own),
        )

    def _parts(self, schemas: Sequence[Schema]) -> Iterator[Schema]:
        """Yield everything that applies to the same value; a union of one branch is no union."""
        pending: list[Sequence[Schema]] = [schemas]
        seen: set[int] = set()
        found: list[list[Schema]] = []
        while pending:
            made = [one for one in conjoined_parts(self.api, pending.pop()) if id(one) not in seen]
            seen.update(map(id, made))
            found.append(made)
            for part in made:
                pending += [union for union in (part.one_of, part.any_of) if len(union) == 1]
        for group in reversed(found):
            yield from group

    def _implied_types(
        self, values: tuple[Any, ...] | None, unions: tuple[Union, ...]
    ) -> frozenset[str] | None:
        """Return the types that values or branches leave open, where none are written."""
        if values is not None:
            return frozenset(map(type_of, values))
        implied: frozenset[str] | None = None
        for union in unions:
            branches = [self._branch_types(branch) for branch in union.branches]
            if all(branches):
                types = frozenset().union(*(one for one in branches if one))
                implied = types if implied is None else both_types(implied, types)
        return collapsed(implied) if implied is not None else None

    def _branch_types(self, branch: Schema) -> frozenset[str] | None:
        parts = tuple(conjoined_parts(self.api, (branch,)))
        found = common_types(parts)
        if found is not None:
            return found
        values = common_values(parts)
        return frozenset(map(type_of, values)) if values else None

    def _allow_null(self, schemas: Sequence[Schema]) -> bool:
        return all(self._allows_null(schema, frozenset()) for schema in schemas)

    def _allows_null(self, schema: Schema, seen: frozenset[int]) -> bool:
        """Say whether null keeps a schema: each keyword of it, and all that it is made of."""
        if schema.verdict is not None:
            return schema.verdict
        if id(schema) in seen:
            return True
        seen |= {id(schema)}
        if schema.types and not schema.nullable:
            return False
        is_listed = schema.nullable and (bool(schema.types) or not self._nullable_needs_type)
        if schema.enum and None not in schema.enum and not is_listed:
            return False
        if schema.const is not ABSENT and schema.const is not None and not is_listed:
            return False
        below = [*schema.all_of]
        target = self.api.schemas.get(schema.ref) if schema.ref is not None else None
        if target is not None:
            below.append(target)
        if not all(self._allows_null(one, seen) for one in below):
            return False
        return all(
            is_listed or any(self._allows_null(one, seen) for one in union)
            for union in (schema.one_of, schema.any_of)
            if union
        )

    def _members(self, parts: Sequence[Schema], required: frozenset[str]) -> Iterator[tuple[str, Member]]:
        properties = named((one.name, one.schema) for part in parts for one in part.properties)
        for name, schemas in properties.items():
            targets = [self.api.resolve(schema) for schema in schemas]
            yield (
                name,
                Member(
                    name=name,
                    schemas=schemas,
                    is_required=name in required,
                    is_read_only=any(one.read_only for one in (*schemas, *targets)),
                    is_write_only=any(one.write_only for one in (*schemas, *targets)),
                ),
            )
        for name in sorted(required - properties.keys()):
            yield name, Member(name=name, schemas=(), is_required=True)
