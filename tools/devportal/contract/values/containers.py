"""Objects and lists of one example value, member by member."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Protocol

from devportal.contract.conventions import OWN_IDENTIFIERS, matches_any_name
from devportal.contract.model import Api
from devportal.contract.regex import matches_pattern
from devportal.contract.schemas import ABSENT, Property, Schema
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.validate.validator import Validator
from devportal.contract.values.build_plan import MAX_TRIES, MAX_VALUES, BuildBudget, BuildPlan
from devportal.contract.values.name_hints import value_for_name
from devportal.contract.values.name_words import Owner, owner_of
from devportal.contract.values.placeholders import NoExample, Placeholder
from devportal.contract.values.scalars import DEFAULT_TEXT, declared_value, distinct_values
from devportal.contract.values.schema_shapes import (
    additional_names,
    constraint_or,
    count_values,
    dependent_required,
    gives_example,
    main_types,
)

MAX_ITEMS = 100
"""The most items, or undeclared members, that are generated if a schema requires more."""
_MOST_OF_DEEP = 3
"""How many plain properties an object has below the levels that have a number of them, if it requires none."""
_SHARES = 8
_SHARES_OF_COMPLETE = 2
"""Into how many parts the values that are left are cut, one of them for the next optional property; in an object
that has all of its fields, they take more.
"""


class PartBuilder(Protocol):
    """Builds what objects and lists contain."""

    api: Api
    plan: BuildPlan
    validator: Validator
    budget: BuildBudget

    def value(self, schema: Schema, depth: int = 0, trail: tuple[int, ...] = ()) -> Any:
        """Return a value of a schema. Raises NoExample if there is none."""

    def scalar_member(
        self, property_: Property, owner: Owner | None, depth: int, trail: tuple[int, ...]
    ) -> Any:
        """Return the value of a member that is a mere text or number, ABSENT if it is more."""

    def branch_values(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[Any]:
        """Yield values of a schema, one unless parts are checked."""

    def declared_values(self, schema: Schema) -> Iterator[Any]:
        """Yield the values that a schema itself gives."""

    def fits(self, schema: Schema, value: Any) -> bool:
        """Say whether a schema allows a value."""


@dataclass(frozen=True, slots=True)
class ContainerBuilder:
    """Builds objects and lists of parts."""

    _parts: PartBuilder

    def objects(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[dict[str, Any]]:
        """Yield objects: with the optional properties that are wanted, with none, and with each alone."""
        shown = [property_ for property_ in schema.properties if self._is_shown(property_)]
        optional = [property_ for property_ in shown if not property_.required]
        wanted = self._wanted_properties(schema, optional, depth)
        alone = ([property_] for property_ in optional[:MAX_TRIES])
        for chosen in (wanted, [], *alone):
            yield self._object(schema, shown, chosen, depth, trail)

    def _wanted_properties(self, schema: Schema, optional: list[Property], depth: int) -> list[Property]:
        """Return the optional properties that an object has, more than there is room for."""
        usable = [
            property_ for property_ in optional if not self._parts.api.resolve(property_.schema).deprecated
        ]
        if not self._parts.plan.is_typical:
            return usable
        given = [property_ for property_ in usable if gives_example(self._parts.api, property_.schema)]
        if given or schema.required:
            return given
        if depth == 0 and self._parts.plan.direction is Direction.REQUEST:
            # If clients may leave out the identifier of the object itself, most servers choose it.
            usable.sort(key=lambda property_: matches_any_name(property_.name, OWN_IDENTIFIERS))
        return ([*filter(self._is_simple, usable)] or usable)[: 1 if depth else 2]

    def _is_simple(self, property_: Property) -> bool:
        return main_types(self._parts.api.resolve(property_.schema))[0] not in ("object", "array")

    def _object(
        self,
        schema: Schema,
        shown: list[Property],
        chosen: list[Property],
        depth: int,
        trail: tuple[int, ...],
    ) -> dict[str, Any]:
        limits = self._parts.plan.optional
        most = limits[depth] if depth < len(limits) else 0
        is_below = limits and depth >= len(limits) and not self._parts.plan.is_complete
        if is_below and not schema.required:  # `{}` shows nobody what it holds
            chosen = [*filter(self._is_simple, chosen)]
            most = _MOST_OF_DEEP
        spare = min(most, constraint_or(schema, "maxProperties", MAX_VALUES) - len(schema.required))
        # if an object has other rules that may concern its properties, their values stay
        is_free = not (schema.pattern_properties or schema.others or schema.negated)
        owner = owner_of(schema) if is_free and shown else None
        members: dict[str, Any] = {}
        for property_ in (*(item for item in shown if item.required), *chosen):
            if not property_.required and spare <= 0:
                break
            try:
                members[property_.name] = self._member(property_, owner, depth, trail)
            except NoExample:
                if property_.required:
                    raise
            else:
                spare -= not property_.required
        members = {
            property_.name: members[property_.name] for property_ in shown if property_.name in members
        }
        return members | self._undeclared_members(schema, members, depth, trail)

    def _is_shown(self, property_: Property) -> bool:
        """Say whether a property travels, and the contract says anything of its value."""
        if is_hidden(self._parts.api, property_, self._parts.plan.direction):
            return False
        is_broken = (
            self._parts.api.resolve(property_.schema).broken and declared_value(property_.schema) is ABSENT
        )
        return not is_broken or (property_.required and self._parts.plan.has_placeholders)

    def _member(self, property_: Property, owner: Owner | None, depth: int, trail: tuple[int, ...]) -> Any:
        """Return the value of a property, or a better one for its name if its owner is given and it is allowed.

        An optional one may only use its share of the remaining values.
        """
        shares = _SHARES_OF_COMPLETE if self._parts.plan.is_complete else _SHARES
        budget = self._parts.budget
        reserved = 0 if property_.required else budget.values_left - budget.values_left // shares
        budget.values_left -= reserved
        try:
            value = self._parts.scalar_member(property_, owner, depth + 1, trail)
            if value is not ABSENT:
                return value
            value = self._parts.value(property_.schema, depth + 1, trail)
            if owner is None:
                return value
            return value_for_name(
                self._parts.api, property_.name, property_.schema, value, fits=self._parts.fits, owner=owner
            )
        except NoExample as error:
            if not (property_.required and self._parts.plan.has_placeholders):
                raise
            return Placeholder(f"<{property_.name}>", str(error))
        finally:
            budget.values_left += reserved

    def _undeclared_members(
        self, schema: Schema, members: dict[str, Any], depth: int, trail: tuple[int, ...]
    ) -> dict[str, Any]:
        """Return members without a property: those that are required, and as many as `minProperties` asks."""
        declared = {property_.name for property_ in schema.properties}
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
        declared = next((property_.schema for property_ in schema.properties if property_.name == name), None)
        by_pattern = (
            pattern_property.schema
            for pattern_property in schema.pattern_properties
            if matches_pattern(pattern_property.name, name)
        )
        member = declared or next(by_pattern, schema.additional_properties)
        try:
            return self._parts.value(member, depth + 1, trail) if member is not None else DEFAULT_TEXT
        except NoExample as error:
            if not (name in schema.required and self._parts.plan.has_placeholders):
                raise
            return Placeholder(f"<{name}>", str(error))

    def arrays(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Iterator[list[Any]]:
        """Yield lists: one with as many items as are asked for, and at least one; then an empty one."""
        yield self._array(schema, depth, trail)
        yield []

    def _array(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        least, most = constraint_or(schema, "minItems", 0), constraint_or(schema, "maxItems", MAX_ITEMS)
        items = [self._parts.value(subschema, depth + 1, trail) for subschema in schema.prefix_items][:most]
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
        return [self._parts.value(item_schema, depth + 1, trail)] * count

    def _items(self, schema: Schema, count: int, least: int, depth: int, trail: tuple[int, ...]) -> list[Any]:
        """Return as many items as are wanted, or as there are values left for."""
        items = schema.items
        item = self._parts.value(items, depth + 1, trail) if items is not None else DEFAULT_TEXT
        if constraint_value(schema, "uniqueItems"):
            return self._distinct_items(items, item, count, depth, trail)
        size = count_values(item)
        count = max(1, min(count, 1 + self._parts.budget.values_left // size))
        if self._parts.plan.is_exact and count < min(least, MAX_ITEMS):
            raise NoExample("the value would be too large")
        self._parts.budget.values_left -= size * (count - 1)
        return [item] * count

    def _distinct_items(
        self, items: Schema | None, item: Any, count: int, depth: int, trail: tuple[int, ...]
    ) -> list[Any]:
        """Return distinct values like the first; fewer if no others are found."""
        if items is None or count < 2:
            return distinct_values(item, iter(()), count, lambda _: True)
        others = self._parts.declared_values(self._parts.api.resolve(items))
        if self._parts.plan.is_checked:
            others = chain(others, islice(self._parts.branch_values(items, depth + 1, trail), MAX_TRIES))
        return distinct_values(
            item,
            others,
            count,
            lambda value: self._parts.validator.is_valid(items, value, self._parts.plan.direction),
        )
