"""One example value in the making, part by part."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from devportal.contract.media_types import is_json
from devportal.contract.model import Api
from devportal.contract.read.references import has_no_keywords
from devportal.contract.regex import matches_pattern
from devportal.contract.schemas import ABSENT, Discriminator, Location, Property, Schema
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conditions import CHOICES_OF_CONDITIONS, applying_conditions, has_conditions
from devportal.contract.values.conjunction import MAX_REFERENCE_CHAIN, CombinedSchema, combine_schemas
from devportal.contract.values.discriminators import (
    branch_selector,
    discriminator_of,
    discriminator_schema,
    selected_subtype,
)
from devportal.contract.values.name_hints import value_for_name
from devportal.contract.values.name_words import Owner, owner_of
from devportal.contract.values.placeholders import NoExample, Placeholder, placeholders, without_placeholders
from devportal.contract.values.scalars import (
    DEFAULT_TEXT,
    SCALARS,
    declared_value,
    declared_values,
    distinct_values,
    encode_text,
    is_plain_scalar,
    scalars,
)
from devportal.contract.values.schema_shapes import (
    additional_names,
    constraint_or,
    count_values,
    dependent_required,
    gives_example,
    is_empty_choice,
    main_types,
    sole_branches,
)

MAX_DEPTH = 6
"""The deepest nesting of objects and arrays; required parts below it cannot be generated."""
MAX_ITEMS = 100
"""The most items, or undeclared members, that are generated if a schema requires more."""
MAX_VALUES = 2_000
"""Values that an example is made of at most, those of its parts and members counted."""
MAX_STEPS = MAX_REFERENCE_CHAIN + 20
"""The most nested schemas for one value: the longest chain of references, with some objects around it.

Each takes several calls, and Python allows a thousand.
"""
MAX_TRIES = 60
MAX_CHECKS = 1_500
MAX_BUILT = 5_000
"""How many values are tried for one schema; how many are validated, and how many built, for a whole example."""
_SHARES = 8
_SHARES_OF_COMPLETE = 2
"""Into how many parts the values that are left are cut, one of them for the next optional property; in an object
that has all of its fields, they take more.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPlan:
    """How a value is built.

    `optional` is how many optional properties an object has at most, by nesting depth. With `is_typical`, they
    are those that the contract gives an example for; an object that would be empty has one or two. One that
    `is_exact` has no list shorter than its schema asks for. If it `is_checked`, each part is validated, and
    others are tried until one is valid. With `has_placeholders`, a required value that cannot be made is a
    `Placeholder`.
    """

    direction: Direction
    optional: tuple[int, ...]
    is_typical: bool = False
    is_exact: bool = True
    is_checked: bool = False
    has_placeholders: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether objects have all of their fields, on the first levels at least."""
        return self.optional[:1] == (MAX_VALUES,)


class ValueBuilder:
    """Builds one value."""

    def __init__(self, api: Api, plan: BuildPlan, validator: Validator) -> None:
        """Take the contract, how the value is built, and what validates its parts."""
        self._api = api
        self._plan = plan
        self._direction = plan.direction
        self._validator = validator
        self._checks_left = MAX_CHECKS
        self._built_left = MAX_BUILT
        self._values_left = MAX_VALUES
        self._circles = 0
        self._cache: dict[tuple[int, int], tuple[Schema, Any]] = {}

    def value(self, schema: Schema, depth: int = 0, trail: tuple[int, ...] = ()) -> Any:
        """Return a value of a schema. Raises NoExample if there is none."""
        schema, declared = self._follow(schema)
        self._values_left -= 1
        self._built_left -= 1
        if declared is not ABSENT and (not self._plan.is_checked or self._fits(schema, declared)):
            return declared
        cached = self._cache.get((id(schema), depth))
        if cached is not None:
            self._values_left -= count_values(cached[1])
            if self._values_left >= 0:
                return cached[1]
        if not self._may_enter(schema, depth, trail):
            if schema.nullable:
                return None
            raise NoExample("the schema requires itself without end")
        return self._cached_value(schema, declared, depth, (*trail, id(schema)))

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
            target = self._api.schemas.get(schema.ref)
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
            and self._values_left >= 0
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
        if not self._plan.is_checked:
            for value in candidates:
                return value
            raise NoExample("the schema allows no value")
        left, meant, seen = self._values_left, declared, list[str]()
        for value in self._share_budget(candidates, left):
            if meant is ABSENT and isinstance(value, (dict, list)):
                meant = value
            text = repr(value)
            if text not in seen and self._fits(schema, value):
                return value
            seen.append(text)
        if meant is ABSENT:
            raise NoExample("no value was found that the schema allows")
        return meant

    def _share_budget(self, candidates: Iterator[Any], left: int) -> Iterator[Any]:
        """Yield some candidates, each made with as many values as are left now."""
        for number in range(MAX_TRIES):
            if number and self._built_left < 0:
                return
            self._values_left = left
            value = next(candidates, ABSENT)
            if value is ABSENT:
                return
            yield value

    def _fits(self, schema: Schema, value: Any) -> bool:
        """Say whether a schema allows a value; what is wrong with placeholders does not count."""
        self._checks_left -= 1
        if self._checks_left < 0 or self._api.has_countless_parts:
            return True
        places = {pointer for pointer, _ in placeholders(value)}
        if not places:
            return self._validator.is_valid(schema, value, self._direction)
        issues = self._validator.violations(schema, without_placeholders(value), self._direction)
        return all(one.pointer in places for one in issues)

    def _declared_values(self, schema: Schema) -> Iterator[Any]:
        """Yield the values that a schema itself gives, each as it travels in this direction."""
        for value in declared_values(schema):
            if isinstance(value, (dict, list, str)) and schema.examples:
                yield carried_value(self._api, schema, value, self._direction).value
            else:
                yield value

    def _declared_value(self, schema: Schema) -> Any:
        return next(self._declared_values(schema), ABSENT)

    def _values_of_parts(self, parts: Sequence[Schema]) -> list[Any]:
        """Return the values that parts of one schema give: examples before defaults before those of an enum,
        and the value of the last part first.
        """
        declaring = [one for one in reversed(parts) if self._declared_value(one) is not ABSENT]
        declaring.sort(key=lambda one: (not one.examples, self._declared_value(one) is not one.default))
        return [self._declared_value(one) for one in declaring]

    def _branch_values(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        """Yield values of a branch; one, unless parts are checked."""
        try:
            if not self._plan.is_checked:
                yield self.value(schema, depth, trail)
                return
            schema, _ = self._follow(schema)
            yield from self._declared_values(schema)
            if self._may_enter(schema, depth, trail):
                yield from self._candidates(schema, depth, (*trail, id(schema)))
        except NoExample:
            return

    def _candidates(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        """Yield values of all that a schema is made of, the best first."""
        kind = schema.types[0] if schema.types else ""
        is_lone = schema.ref is None and schema.location not in self._api.marks
        if kind in SCALARS and is_lone and not self._plan.is_checked and is_plain_scalar(schema, kind):
            self._take_step(trail)
            yield from scalars(kind, schema)
            return
        branches = sole_branches(self._api, schema)
        if branches and schema.discriminator is not None and schema.ref is None and not schema.all_of:
            chosen = frozenset({id(branches)})
            yield from self._union_values((), branches, schema.discriminator, chosen, depth, trail)
            return
        selector = self._api.marks.get(schema.location)
        rule = discriminator_schema(self._api, schema, selector) if selector is not None else None
        subtype = selected_subtype(self._api, schema)
        if subtype is not None:
            yield from self._branch_values(subtype, depth, trail)
        if rule is not None:
            yield from self._values_of_all((schema, rule), frozenset(), depth, trail)
        elif branches:
            for branch in branches:
                yield from self._branch_values(branch, depth, trail)
        else:
            yield from self._values_of_all((schema,), frozenset(), depth, trail)

    def _values_of_all(
        self, schemas: tuple[Schema, ...], chosen: frozenset[int], depth: int, trail: tuple[int, ...]
    ) -> Iterator[Any]:
        """Yield values for all of the schemas, with each choice of their conditions."""
        choices = CHOICES_OF_CONDITIONS if self._plan.is_checked else CHOICES_OF_CONDITIONS[:1]
        for choice in choices:
            if choice is not None and self._built_left < 0:
                return
            try:
                yield from self._values_of_choice(schemas, chosen, choice, depth, trail)
            except NoExample:
                if choice is choices[-1]:
                    raise
            parts = combine_schemas(self._api, schemas, chosen).parts if choice is None else ()
            if choice is None and not any(map(has_conditions, parts)):
                return

    def _values_of_choice(
        self,
        schemas: tuple[Schema, ...],
        chosen: frozenset[int],
        choice: int | None,
        depth: int,
        trail: tuple[int, ...],
    ) -> Iterator[Any]:
        self._take_step(trail, chosen)
        combined = combine_schemas(self._api, schemas, chosen)
        part_ids = {id(part) for part in combined.parts}
        applying = tuple(
            one for one in applying_conditions(combined.parts, choice) if id(one) not in part_ids
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
                key=lambda one: (id(self._api.resolve(one)) not in part_ids, is_empty_choice(self._api, one)),
            )
            discriminator = discriminator_of(combined.parts, union)
            yield from self._union_values(
                schemas, branches, discriminator, chosen | {id(union)}, depth, trail
            )
            return
        yield from self._part_values(combined, depth, trail)

    def _take_step(self, trail: tuple[int, ...], chosen: frozenset[int] = frozenset()) -> None:
        """Count a schema for which values are made. Raises NoExample if it is one too many."""
        self._values_left -= 1
        if self._values_left < 0 or len(trail) + len(chosen) > MAX_STEPS:
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
            selector = branch_selector(self._api, discriminator, branch)
            rule = discriminator_schema(self._api, branch, selector) if selector is not None else None
            is_branch_alone = not schemas and (
                rule is None or declared_value(self._api.resolve(branch)) is not ABSENT
            )
            if is_branch_alone:
                yield from self._branch_values(branch, depth, trail)
                if rule is None or not self._plan.is_checked:
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
            for one in reversed(first_values)
            if isinstance(one, dict)
            for name, value in one.items()
        }
        if not members:
            yield from (value for value in first_values if not schema.enum or value in schema.enum)
            yield from first_values
            yield from chain.from_iterable(map(self._declared_values, (*combined.parts, schema)))
        hidden = {
            one.name
            for one in schema.properties
            if one.schema.verdict is False or is_hidden(self._api, one, self._direction)
        }
        for built in self._values_by_type(schema, depth, trail):
            if isinstance(built, dict):
                both = built | members
                yield {name: value for name, value in both.items() if name not in hidden}
            else:
                yield built

    def _values_by_type(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        for kind in main_types(schema):
            match kind:
                case "object":
                    yield from self._objects(schema, depth, trail)
                case "array":
                    yield from self._arrays(schema, depth, trail)
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
        if content is not None and not self._plan.is_checked and not self._fits(content, value):
            # validators do not look into texts, so nobody asks for a checked value later
            checked = ValueBuilder(self._api, replace(self._plan, is_checked=True), self._validator)
            value = checked.value(content, depth + 1, trail)
        return encode_text(
            json.dumps(value, ensure_ascii=False), dict(schema.content).get("contentEncoding", "")
        )

    def _objects(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[dict[str, Any]]:
        """Yield objects: with the optional properties that are wanted, with none, and with each alone."""
        shown = [one for one in schema.properties if self._is_shown(one)]
        optional = [one for one in shown if not one.required]
        wanted = self._wanted_properties(schema, optional, depth)
        alone = ([one] for one in optional[:MAX_TRIES])
        for chosen in (wanted, [], *alone):
            yield self._object(schema, shown, chosen, depth, trail)

    def _wanted_properties(self, schema: Schema, optional: list[Property], depth: int) -> list[Property]:
        """Return the optional properties that an object has, more than there is room for."""
        usable = [one for one in optional if not self._api.resolve(one.schema).deprecated]
        if not self._plan.is_typical:
            return usable
        given = [one for one in usable if gives_example(self._api, one.schema)]
        if given or schema.required:
            return given
        simple = [
            one for one in usable if main_types(self._api.resolve(one.schema))[0] not in ("object", "array")
        ]
        return (simple or usable)[: 1 if depth else 2]

    def _object(
        self,
        schema: Schema,
        shown: list[Property],
        chosen: list[Property],
        depth: int,
        trail: tuple[int, ...],
    ) -> dict[str, Any]:
        limits = self._plan.optional
        most = limits[depth] if depth < len(limits) else 0
        spare = min(most, constraint_or(schema, "maxProperties", MAX_VALUES) - len(schema.required))
        # if an object has other rules that may concern its properties, their values stay
        is_free = not (schema.pattern_properties or schema.others or schema.negated)
        owner = owner_of(schema) if is_free and shown else None
        members: dict[str, Any] = {}
        for one in (*(one for one in shown if one.required), *chosen):
            if not one.required and spare <= 0:
                break
            try:
                members[one.name] = self._member(one, owner, depth, trail)
            except NoExample:
                if one.required:
                    raise
            else:
                spare -= not one.required
        members = {one.name: members[one.name] for one in shown if one.name in members}
        return members | self._undeclared_members(schema, members, depth, trail)

    def _is_shown(self, one: Property) -> bool:
        """Say whether a property travels, and the contract says anything of its value."""
        if is_hidden(self._api, one, self._direction):
            return False
        is_broken = self._api.resolve(one.schema).broken and declared_value(one.schema) is ABSENT
        return not is_broken or (one.required and self._plan.has_placeholders)

    def _member(self, one: Property, owner: Owner | None, depth: int, trail: tuple[int, ...]) -> Any:
        """Return the value of a property, or a better one for its name if its owner is given and it is allowed.

        An optional one may only use its share of the remaining values.
        """
        shares = _SHARES_OF_COMPLETE if self._plan.is_complete else _SHARES
        reserved = 0 if one.required else self._values_left - self._values_left // shares
        self._values_left -= reserved
        try:
            value = self.value(one.schema, depth + 1, trail)
            if owner is None:
                return value
            return value_for_name(self._api, one.name, one.schema, value, fits=self._fits, owner=owner)
        except NoExample as error:
            if not (one.required and self._plan.has_placeholders):
                raise
            return Placeholder(f"<{one.name}>", str(error))
        finally:
            self._values_left += reserved

    def _undeclared_members(
        self, schema: Schema, members: dict[str, Any], depth: int, trail: tuple[int, ...]
    ) -> dict[str, Any]:
        """Return members without a property: those that are required, and as many as `minProperties` asks."""
        declared = {one.name for one in schema.properties}
        names = [name for name in schema.required if name not in declared]
        names += [
            name
            for name in dependent_required(schema, {*members, *names})
            if name not in members and name not in names
        ]
        free = schema.additional_properties
        is_open = free is not None and free.verdict is not False
        least = constraint_or(schema, "minProperties", 0)
        if (is_open or schema.pattern_properties) and not members and not names:
            least = max(least, min(1, constraint_or(schema, "maxProperties", 1)))
        names += additional_names(schema, max(0, least - len(members) - len(names)), MAX_ITEMS)
        try:
            return {name: self._free_member(schema, name, depth, trail) for name in names}
        except NoExample:
            if schema.required or constraint_value(schema, "minProperties"):
                raise
            return {}

    def _free_member(self, schema: Schema, name: str, depth: int, trail: tuple[int, ...]) -> Any:
        """Return the value of a member by its name: of a property, of a pattern, or of any."""
        declared = next((one.schema for one in schema.properties if one.name == name), None)
        by_pattern = (one.schema for one in schema.pattern_properties if matches_pattern(one.name, name))
        member = declared or next(by_pattern, schema.additional_properties)
        try:
            return self.value(member, depth + 1, trail) if member is not None else DEFAULT_TEXT
        except NoExample as error:
            if not (name in schema.required and self._plan.has_placeholders):
                raise
            return Placeholder(f"<{name}>", str(error))

    def _arrays(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[list[Any]]:
        """Yield lists: one with as many items as are asked for, and at least one; then an empty one."""
        yield self._array(schema, depth, trail)
        yield []

    def _array(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        least, most = constraint_or(schema, "minItems", 0), constraint_or(schema, "maxItems", MAX_ITEMS)
        items = [self.value(one, depth + 1, trail) for one in schema.prefix_items][:most]
        items += self._contained_items(schema, depth, trail)
        missing = min(max(least, 1), most, MAX_ITEMS) - len(items)
        if missing <= 0 or (schema.items is None and items and least <= len(items)):
            return items
        try:
            return items + self._items(schema, missing, least - len(items), depth, trail)
        except NoExample:
            if least > len(items):
                raise
            return items

    def _contained_items(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        """Return the items that `contains` asks for, which are items like others too."""
        contained = dict(schema.others).get("contains")
        if contained is None:
            return []
        item_schema = (
            contained
            if schema.items is None
            else replace(contained, all_of=(schema.items, *contained.all_of))
        )
        count = min(constraint_or(schema, "minContains", 1), MAX_ITEMS)
        return [self.value(item_schema, depth + 1, trail)] * count

    def _items(self, schema: Schema, count: int, least: int, depth: int, trail: tuple[int, ...]) -> list[Any]:
        """Return as many items as are wanted, or as there are values left for."""
        items = schema.items
        item = self.value(items, depth + 1, trail) if items is not None else DEFAULT_TEXT
        if constraint_value(schema, "uniqueItems"):
            return self._distinct_items(items, item, count, depth, trail)
        size = count_values(item)
        count = max(1, min(count, 1 + self._values_left // size))
        if self._plan.is_exact and count < min(least, MAX_ITEMS):
            raise NoExample("the value would be too large")
        self._values_left -= size * (count - 1)
        return [item] * count

    def _distinct_items(
        self, items: Schema | None, item: Any, count: int, depth: int, trail: tuple[int, ...]
    ) -> list[Any]:
        """Return distinct values like the first; fewer if no others are found."""
        if items is None or count < 2:
            return distinct_values(item, iter(()), count, lambda _: True)
        others = self._declared_values(self._api.resolve(items))
        if self._plan.is_checked:
            others = chain(others, islice(self._branch_values(items, depth + 1, trail), MAX_TRIES))
        return distinct_values(
            item, others, count, lambda value: self._validator.is_valid(items, value, self._direction)
        )
