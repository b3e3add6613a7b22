"""One example value in the making: the schemas that apply to it, and the choices between them."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from devportal.contract.media_types import is_json
from devportal.contract.model import Api
from devportal.contract.read.references import has_no_keywords
from devportal.contract.schemas import ABSENT, Discriminator, Location, Property, Schema
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import EXPLANATION_COST, is_hidden, validation_cost
from devportal.contract.validate.validator import Validator
from devportal.contract.values.build_plan import MAX_DEPTH, MAX_TRIES, BuildBudget, BuildPlan
from devportal.contract.values.conditions import CHOICES_OF_CONDITIONS, applying_conditions, has_conditions
from devportal.contract.values.conjunction import MAX_REFERENCE_CHAIN, CombinedSchema, combine_schemas
from devportal.contract.values.containers import ContainerBuilder
from devportal.contract.values.discriminators import (
    branch_selector,
    discriminator_of,
    discriminator_schema,
    selected_subtype,
)
from devportal.contract.values.name_words import Owner
from devportal.contract.values.placeholders import NoExample, placeholders, without_placeholders
from devportal.contract.values.scalar_members import scalar_members
from devportal.contract.values.scalars import (
    SCALARS,
    declared_value,
    declared_values,
    encode_text,
    is_plain_scalar,
    scalars,
)
from devportal.contract.values.schema_shapes import (
    count_values,
    is_empty_choice,
    main_types,
    sole_branches,
)

MAX_STEPS = MAX_REFERENCE_CHAIN + 20
"""The most nested schemas for one value: the longest chain of references, with some objects around it.

Each takes several calls, and Python allows a thousand.
"""


class ValueBuilder:
    """Builds one value."""

    def __init__(self, api: Api, plan: BuildPlan, validator: Validator) -> None:
        """Take the contract, how the value is built, and what validates its parts."""
        self.api = api
        self.plan = plan
        self.validator = validator
        self.budget = BuildBudget()
        self._scalar_members = scalar_members(api)
        self._circles = 0
        self._cache: dict[tuple[int, int], tuple[Schema, Any]] = {}

    def value(self, schema: Schema, depth: int = 0, trail: tuple[int, ...] = ()) -> Any:
        """Return a value of a schema. Raises NoExample if there is none."""
        schema, declared = self._follow(schema)
        self.budget.values_left -= 1
        self.budget.built_left -= 1
        if declared is not ABSENT and (not self.plan.is_checked or self.fits(schema, declared)):
            return declared
        cached = self._cache.get((id(schema), depth))
        if cached is not None:
            self.budget.values_left -= count_values(cached[1])
            if self.budget.values_left >= 0:
                return cached[1]
        if not self._may_enter(schema, depth, trail):
            if schema.nullable:
                return None
            raise NoExample("the schema requires itself without end")
        return self._cached_value(schema, declared, depth, (*trail, id(schema)))

    def scalar_member(
        self, property_: Property, owner: Owner | None, depth: int, trail: tuple[int, ...]
    ) -> Any:
        """Return the value of a member that is a mere text or number, ABSENT if it is more, or if there is no room
        left for it. It takes as much of the budget as `value` would.
        """
        if self.plan.is_checked or depth > MAX_DEPTH or len(trail) >= MAX_STEPS:
            return ABSENT
        member = self._scalar_members.get(property_, owner)
        if member is None or self.budget.values_left < member.cost:
            return ABSENT
        self.budget.values_left -= member.cost
        self.budget.built_left -= 1
        return member.value

    def _follow(self, schema: Schema) -> tuple[Schema, Any]:
        """Return the schema that one with nothing but a reference leads to, and the value that it gives."""
        declared = self._declared_value(schema)
        seen: set[Location] = set()
        while (
            declared is ABSENT
            and schema.ref is not None
            and schema.ref not in seen
            and has_no_keywords(schema)
        ):
            target = self.api.schemas.get(schema.ref)
            if target is None:
                break
            seen.add(schema.ref)
            schema, declared = target, self._declared_value(target)
        if schema.broken and declared is ABSENT:
            raise NoExample(f"the reference {schema.broken} leads nowhere")
        if schema.verdict is False:
            raise NoExample("the schema allows no value")
        return schema, declared

    def _may_enter(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> bool:
        self._circles += id(schema) in trail
        return (
            id(schema) not in trail
            and depth <= MAX_DEPTH
            and len(trail) <= MAX_STEPS
            and self.budget.values_left >= 0
        )

    def _cached_value(self, schema: Schema, declared: Any, depth: int, trail: tuple[int, ...]) -> Any:
        """Return a new value; one that depends on nothing but schema and depth is kept for the next time."""
        circles = self._circles
        try:
            value = self._choose(schema, declared, self._candidates(schema, depth, trail))
        except NoExample:
            if schema.nullable:
                return None
            raise
        if circles == self._circles:
            self._cache[id(schema), depth] = schema, value  # the schema is kept, so that its id stays its own
        return value

    def _choose(self, schema: Schema, declared: Any, candidates: Iterator[Any]) -> Any:
        """Return the first candidate; if parts are checked, the first valid one. If there is none, what the
        author declared, or the first object or list, shows what was meant.
        """
        if not self.plan.is_checked:
            for value in candidates:
                return value
            raise NoExample("the schema allows no value")
        left, meant, seen = self.budget.values_left, declared, list[str]()
        for value in self._share_budget(candidates, left):
            if meant is ABSENT and isinstance(value, (dict, list)):
                meant = value
            text = repr(value)
            if text not in seen and self.fits(schema, value):
                return value
            seen.append(text)
        if meant is ABSENT:
            raise NoExample("no value was found that the schema allows")
        return meant

    def _share_budget(self, candidates: Iterator[Any], left: int) -> Iterator[Any]:
        """Yield some candidates, each made with as many values as are left now."""
        for number in range(MAX_TRIES):
            if number and self.budget.built_left < 0:
                return
            self.budget.values_left = left
            value = next(candidates, ABSENT)
            if value is ABSENT:
                return
            yield value

    def fits(self, schema: Schema, value: Any) -> bool:
        """Say whether a schema allows a value, or the budget for validators is spent; what is wrong with placeholders
        does not count.
        """
        self.budget.checks_left -= 1
        if self.budget.checks_left < 0 or self.budget.looks_left < 0:
            return True
        places = {pointer for pointer, _ in placeholders(value)}
        looks = validation_cost(self.api, schema, value)
        self.budget.looks_left -= looks * EXPLANATION_COST if places else looks
        if self.budget.looks_left < 0:
            return True
        if not places:
            return self.validator.is_valid(schema, value, self.plan.direction)
        issues = self.validator.violations(schema, without_placeholders(value), self.plan.direction)
        return all(issue.pointer in places for issue in issues)

    def declared_values(self, schema: Schema) -> Iterator[Any]:
        """Yield the values that a schema itself gives, each as it travels in this direction."""
        for value in declared_values(schema):
            if isinstance(value, (dict, list, str)) and schema.examples:
                yield carried_value(self.api, schema, value, self.plan.direction).value
            else:
                yield value

    def _declared_value(self, schema: Schema) -> Any:
        return next(self.declared_values(schema), ABSENT)

    def _values_of_parts(self, parts: Sequence[Schema]) -> list[Any]:
        """Return the values that parts of one schema give: examples before defaults before those of an enum,
        and the value of the last part first.
        """
        declaring = [part for part in reversed(parts) if self._declared_value(part) is not ABSENT]
        declaring.sort(
            key=lambda schema: (not schema.examples, self._declared_value(schema) is not schema.default)
        )
        return [self._declared_value(schema) for schema in declaring]

    def branch_values(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        """Yield values of a branch; one, unless parts are checked."""
        try:
            if not self.plan.is_checked:
                yield self.value(schema, depth, trail)
                return
            schema, _ = self._follow(schema)
            yield from self.declared_values(schema)
            if self._may_enter(schema, depth, trail):
                yield from self._candidates(schema, depth, (*trail, id(schema)))
        except NoExample:
            return

    def _candidates(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        """Yield values of all that a schema is made of, the best first."""
        kind = schema.types[0] if schema.types else ""
        is_lone = schema.ref is None and schema.location not in self.api.marks
        if kind in SCALARS and is_lone and not self.plan.is_checked and is_plain_scalar(schema, kind):
            self._take_step(trail)
            yield from scalars(kind, schema)
            return
        branches = sole_branches(self.api, schema)
        if branches and schema.discriminator is not None and schema.ref is None and not schema.all_of:
            chosen = frozenset({id(branches)})
            yield from self._union_values((), branches, schema.discriminator, chosen, depth, trail)
            return
        selector = self.api.marks.get(schema.location)
        rule = discriminator_schema(self.api, schema, selector) if selector is not None else None
        subtype = selected_subtype(self.api, schema)
        if subtype is not None:
            yield from self.branch_values(subtype, depth, trail)
        if rule is not None:
            yield from self._values_of_all((schema, rule), frozenset(), depth, trail)
        elif branches:
            for branch in branches:
                yield from self.branch_values(branch, depth, trail)
        else:
            yield from self._values_of_all((schema,), frozenset(), depth, trail)

    def _values_of_all(
        self, schemas: tuple[Schema, ...], chosen: frozenset[int], depth: int, trail: tuple[int, ...]
    ) -> Iterator[Any]:
        """Yield values for all of the schemas, with each choice of their conditions: the best of each choice
        first, since the others of a choice have fewer members.
        """
        if not self.plan.is_checked or not self._have_conditions(schemas, chosen):
            yield from self._values_of_choice(schemas, chosen, None, depth, trail)
            return
        started = []
        for choice in CHOICES_OF_CONDITIONS:
            if choice is not None and self.budget.built_left < 0:
                break
            values = self._values_of_choice(schemas, chosen, choice, depth, trail)
            with suppress(NoExample):
                yield from islice(values, 1)
                started.append(values)
        if not started:
            raise NoExample("no choice of its conditions has a value")
        for values in started:
            with suppress(NoExample):
                yield from values

    def _have_conditions(self, schemas: tuple[Schema, ...], chosen: frozenset[int]) -> bool:
        return any(map(has_conditions, combine_schemas(self.api, schemas, chosen).parts))

    def _values_of_choice(
        self,
        schemas: tuple[Schema, ...],
        chosen: frozenset[int],
        choice: int | None,
        depth: int,
        trail: tuple[int, ...],
    ) -> Iterator[Any]:
        self._take_step(trail, chosen)
        combined = combine_schemas(self.api, schemas, chosen)
        part_ids = {id(part) for part in combined.parts}
        applying = tuple(
            applying_condition
            for applying_condition in applying_conditions(combined.parts, choice)
            if id(applying_condition) not in part_ids
        )
        if applying:
            yield from self._values_of_choice((*schemas, *applying), chosen, choice, depth, trail)
            return
        if combined.schema.verdict is False:
            raise NoExample("its parts exclude each other")
        for union in combined.unions[:1]:
            # a branch that extends what holds the union is one already
            branches = sorted(
                union,
                key=lambda item: (
                    id(self.api.resolve(item)) not in part_ids,
                    is_empty_choice(self.api, item),
                ),
            )
            discriminator = discriminator_of(combined.parts, union)
            yield from self._union_values(
                schemas, branches, discriminator, chosen | {id(union)}, depth, trail
            )
            return
        yield from self._part_values(combined, depth, trail)

    def _take_step(self, trail: tuple[int, ...], chosen: frozenset[int] = frozenset()) -> None:
        """Count a schema for which values are made. Raises NoExample if it is one too many."""
        self.budget.values_left -= 1
        if self.budget.values_left < 0 or len(trail) + len(chosen) > MAX_STEPS:
            raise NoExample("the value would be too large")

    def _union_values(
        self,
        schemas: tuple[Schema, ...],
        union: Sequence[Schema],
        discriminator: Discriminator | None,
        chosen: frozenset[int],
        depth: int,
        trail: tuple[int, ...],
    ) -> Iterator[Any]:
        """Yield values of schemas with each branch of their union, and the property that selects it.

        `schemas` are those that contain the union, if they have other rules.
        """
        for branch in union:
            selector = branch_selector(self.api, discriminator, branch)
            rule = discriminator_schema(self.api, branch, selector) if selector is not None else None
            is_branch_alone = not schemas and (
                rule is None or declared_value(self.api.resolve(branch)) is not ABSENT
            )
            if is_branch_alone:
                yield from self.branch_values(branch, depth, trail)
                if rule is None or not self.plan.is_checked:
                    continue
            rules = (rule,) if rule is not None else ()
            try:
                yield from self._values_of_all((branch, *rules, *schemas), chosen, depth, trail)
            except NoExample:
                continue

    def _part_values(self, combined: CombinedSchema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        """Yield values of parts; those that they give themselves come first."""
        schema = combined.schema
        content = tuple({name: value for part in combined.parts for name, value in part.content}.items())
        if schema.content != content:
            schema = replace(schema, content=content)
        if schema.const is not ABSENT:
            yield schema.const
            return
        first_values = self._values_of_parts(combined.parts)
        members = {
            name: value
            for member in reversed(first_values)
            if isinstance(member, dict)
            for name, value in member.items()
        }
        if not members:
            yield from (value for value in first_values if not schema.enum or value in schema.enum)
            yield from first_values
            yield from chain.from_iterable(map(self.declared_values, (*combined.parts, schema)))
        hidden = {
            property_.name
            for property_ in schema.properties
            if property_.schema.verdict is False or is_hidden(self.api, property_, self.plan.direction)
        }
        for built in self._values_by_type(schema, depth, trail):
            if isinstance(built, dict):
                tried = [built | members, built] if members and self.plan.is_checked else [built | members]
                yield from (
                    {name: value for name, value in value.items() if name not in hidden} for value in tried
                )
            else:
                yield built

    def _values_by_type(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        for kind in main_types(schema):
            match kind:
                case "object":
                    yield from ContainerBuilder(self).objects(schema, depth, trail)
                case "array":
                    yield from ContainerBuilder(self).arrays(schema, depth, trail)
                case "string" if is_json(dict(schema.content).get("contentMediaType", "")):
                    yield self._json_text(schema, depth, trail)
                    if "contentSchema" not in dict(schema.others):
                        yield from scalars(kind, schema)
                case _:
                    yield from scalars(kind, schema)

    def _json_text(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> str:
        """Return a JSON text that fits `contentSchema`, in the encoding that the schema asks for."""
        content = dict(schema.others).get("contentSchema")
        value = {} if content is None else self.value(content, depth + 1, trail)
        if content is not None and not self.plan.is_checked and not self.fits(content, value):
            # validators do not look into texts, so nobody asks for a checked value later
            checked = ValueBuilder(self.api, replace(self.plan, is_checked=True), self.validator)
            value = checked.value(content, depth + 1, trail)
        return encode_text(
            json.dumps(value, ensure_ascii=False), dict(schema.content).get("contentEncoding", "")
        )
