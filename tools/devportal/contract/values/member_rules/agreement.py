"""Makes values whose members agree as descriptions say, and finds values whose members are out of order."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce
from itertools import chain
from operator import getitem
from typing import Any

from devportal.contract import Api, Location, Schema
from devportal.contract.resources import object_properties
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.validate.validator import Validator
from devportal.contract.values.instants import parse_day, parse_instant, shift_time, time_value
from devportal.contract.values.member_rules.find import has_member_rules, member_rules
from devportal.contract.values.member_rules.rules import (
    EMPTY_VALUES,
    ComputedMember,
    MemberOrder,
    MemberPresence,
    MemberRule,
    member_value,
)

_MOST_NESTING = 12
_ITEM_NESTING = 2
"""How many steps lead to an item in a page of a list: its member and its index."""
_MOST_DIGITS = 18
"""How many digits a computed number may have."""
_CENT = Decimal("0.01")
_STEP = {"date": timedelta(days=1), "date-time": timedelta(hours=1)}
"""How far apart two times are that must not be equal, by their format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenOrder:
    """A demanded order that an object does not keep: the names that lead to the object, and the values."""

    order: MemberOrder
    pointer: tuple[str, ...]
    value: Any
    other: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class _ObjectRules:
    """The rules of one schema of objects, the schemas of the members that they are about, and the required ones."""

    rules: tuple[MemberRule, ...]
    schemas: Mapping[str, Schema]
    required: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _DescribedObject:
    """An object in a value, the steps that lead to it, and the schemas that describe it."""

    pointer: tuple[str | int, ...]
    members: dict[str, Any]
    schemas: tuple[Schema, ...]


class MemberAgreement:
    """Makes the members of objects agree that travel in one direction of one contract."""

    def __init__(self, api: Api, validator: Validator, direction: Direction = Direction.RESPONSE) -> None:
        """Take the contract, what validates its values, and the direction."""
        self._api = api
        self._validator = validator
        self._direction = direction
        self._known: dict[Location, _ObjectRules] = {}

    def apply(
        self,
        schema: Schema | None,
        value: Any,
        *,
        fixed: Collection[str] = (),
        moves: bool = True,
        page: bool = False,
        sentences: Sequence[str] = (),
    ) -> Any:
        """Return a value of a schema in which each computed number is what its description says. Responses have such a
        number also if the value lacks it; requests need not send it.

        If it `moves` values, those that are out of order are put in their order, but for the members that are `fixed`
        and all in these. A `page` of a list shows some of the items that it may count: its own numbers stay. A valid
        value stays valid. The sentences are about the outermost object, or about that in its envelope.
        """
        if schema is None or not (sentences or has_member_rules(self._api, schema)):
            return value
        agreeing = deepcopy(value)
        for described in reversed([*self._objects(schema, value)]):
            pointer = described.pointer
            if page and len(pointer) < _ITEM_NESTING:
                continue
            can_move = moves and frozenset(fixed).isdisjoint(pointer)
            members = reduce(getitem, pointer, agreeing)
            for part in described.schemas:
                agreed = dict(self._agree(self._rules(part), members, frozenset(fixed) if can_move else None))
                members.clear()
                members.update(agreed)
        if sentences:
            agreeing = self._agree_with_sentences(
                schema, agreeing, sentences, frozenset(fixed) if moves else None
            )
        if agreeing != value and not self._is_valid(schema, agreeing) and self._is_valid(schema, value):
            return value
        return agreeing

    def broken_orders(
        self, schema: Schema, value: Any, sentences: Sequence[str] = ()
    ) -> Iterator[BrokenOrder]:
        """Yield the demanded orders that a value does not keep. The sentences are about the outermost object."""
        if not sentences and not has_member_rules(self._api, schema):
            return
        for described in self._objects(schema, value):
            members, pointer = described.members, described.pointer
            rules = chain.from_iterable(
                member_rules(self._api, part, () if pointer else sentences) for part in described.schemas
            )
            for rule in dict.fromkeys(rules):
                if isinstance(rule, MemberOrder) and rule.is_demanded and rule.is_met(members) is False:
                    yield BrokenOrder(
                        order=rule,
                        pointer=tuple(map(str, pointer)),
                        value=members[rule.name],
                        other=member_value(members, rule.other),
                    )

    def number(self, schema: Schema, shown: Any, number: Decimal) -> Any:
        """Return a number in the form of a schema, such as a text with two decimals; `shown` if none is valid."""
        forms = _number_forms(self._api.resolve(schema), shown, number)
        return next((form for form in forms if self._is_valid(schema, form)), shown)

    def _is_valid(self, schema: Schema, value: Any) -> bool:
        return self._validator.is_valid(schema, value, self._direction)

    def _objects(
        self, schema: Schema, value: Any, pointer: tuple[str | int, ...] = ()
    ) -> Iterator[_DescribedObject]:
        """Yield the outermost object, and those in it that may have rules, each before those in it."""
        is_atom = not isinstance(value, dict | list)
        if is_atom or len(pointer) > _MOST_NESTING or (pointer and not has_member_rules(self._api, schema)):
            return
        parts = tuple(self._parts(schema, value))
        if isinstance(value, list):
            items = next((part.items for part in parts if part.items is not None), None)
            for index, item in enumerate(value if items is not None else ()):
                yield from self._objects(items or schema, item, (*pointer, index))
            return
        yield _DescribedObject(pointer=pointer, members=value, schemas=parts)
        inner = {property_.name: property_.schema for part in parts for property_ in part.properties}
        inner |= self._rules(schema).schemas
        for name, member in value.items():
            if name in inner:
                yield from self._objects(inner[name], member, (*pointer, name))

    def _agree_with_sentences(
        self, schema: Schema, value: Any, sentences: Sequence[str], fixed: frozenset[str] | None
    ) -> Any:
        """Return an object, in an envelope too, that also keeps the rules of sentences."""
        if not isinstance(value, dict):
            return value
        properties = object_properties(self._api, schema)
        if len(value) == 1:
            name, inner = next(iter(value.items()))
            below = next((each.schema for each in properties if each.name == name), None)
            if below is not None and isinstance(inner, dict):
                return {name: self._agree_with_sentences(below, inner, sentences, fixed)}
        schemas = {property_.name: property_.schema for property_ in properties}
        required = frozenset(property_.name for property_ in properties if property_.required)
        rules = _ObjectRules(
            rules=member_rules(self._api, schema, sentences), schemas=schemas, required=required
        )
        return self._agree(rules, value, fixed)

    def _parts(self, schema: Schema, value: Any) -> Iterator[Schema]:
        """Yield a schema, those of its `allOf`, and the branches of its unions that allow a value."""
        resolved = self._api.resolve(schema)
        yield resolved
        for branch in resolved.all_of:
            yield from self._parts(branch, value)
        for branch in (*resolved.one_of, *resolved.any_of):
            if self._is_valid(branch, value):
                yield from self._parts(branch, value)

    def _rules(self, schema: Schema) -> _ObjectRules:
        location = self._api.resolve(schema).location
        if location not in self._known:
            shown = [
                property_
                for property_ in object_properties(self._api, schema)
                if not is_hidden(self._api, property_, self._direction)
            ]
            schemas = {property_.name: property_.schema for property_ in shown}
            rules = tuple(rule for rule in member_rules(self._api, schema) if rule.name in schemas)
            required = frozenset(property_.name for property_ in shown if property_.required)
            self._known[location] = _ObjectRules(rules=rules, schemas=schemas, required=required)
        return self._known[location]

    def _agree(
        self, known: _ObjectRules, members: dict[str, Any], fixed: frozenset[str] | None
    ) -> dict[str, Any]:
        """Return members that keep rules. A number may be computed from others that are computed, too. No value moves
        if `fixed` is None.
        """
        for _ in known.rules:
            before = members
            for rule in known.rules:
                if isinstance(rule, ComputedMember):
                    members = self._compute(known, rule, members)
                elif isinstance(rule, MemberPresence):
                    members = self._without_value(known, rule, members)
                elif fixed is not None:
                    members = self._put_in_order(known, rule, members, fixed)
            if members == before:
                break
        return members

    def _compute(self, known: _ObjectRules, rule: ComputedMember, members: dict[str, Any]) -> dict[str, Any]:
        if self._direction is Direction.REQUEST and rule.name not in members:
            return members
        number = rule.compute(members)
        shown = members.get(rule.name)
        if number is None or rule.is_met(members):
            return members
        value = self.number(known.schemas[rule.name], shown, number)
        return members if value is shown else {**members, rule.name: value}

    def _without_value(
        self, known: _ObjectRules, rule: MemberPresence, members: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the members of a response without a value that its state does not allow: null, or left out."""
        schema = known.schemas.get(rule.name)
        is_request = self._direction is Direction.REQUEST
        if is_request or rule.has_value or schema is None or rule.is_met(members) is not False:
            return members
        valid = [value for value in EMPTY_VALUES if self._is_valid(schema, value)]
        if rule.name not in known.required and None not in valid and "empty" not in rule.sentence.lower():
            return {name: value for name, value in members.items() if name != rule.name}
        return {**members, rule.name: valid[0]} if valid else members

    def _put_in_order(
        self, known: _ObjectRules, rule: MemberOrder, members: dict[str, Any], fixed: frozenset[str]
    ) -> dict[str, Any]:
        """Return members in which one of two values is moved behind or before the other, if it can be."""
        is_equal = rule.relation.is_strict and members.get(rule.name) == member_value(members, rule.other)
        is_met = rule.is_met(members)
        if is_met is None or (is_met and not is_equal):
            return members
        sign = 1 if rule.relation.is_upwards else -1
        for name, other, direction in ((rule.name, rule.other, sign), (rule.other, rule.name, -sign)):
            schema = known.schemas.get(name)
            if name in fixed or schema is None:
                continue
            steps = direction if rule.relation.is_strict else 0
            value = self._moved_value(schema, members[name], member_value(members, other), steps)
            if value is not None and self._is_valid(schema, value):
                return {**members, name: value}
        return members

    def _moved_value(self, schema: Schema, shown: Any, other: Any, steps: int) -> Any:
        """Return a value some steps away from another one, None if that is not a time, day or number."""
        if isinstance(other, int | float):
            return other + steps
        day, instant = parse_day(other), parse_instant(other)
        if day is not None:
            moved_day = shift_time(day, steps * _STEP["date"])
            return moved_day.isoformat() if moved_day is not None else None
        moved = shift_time(instant, steps * _STEP["date-time"]) if instant is not None else None
        if moved is None:
            return None
        return time_value(self._api.resolve(schema), shown, moved, lambda form: self._is_valid(schema, form))


def _number_forms(schema: Schema, shown: Any, number: Decimal) -> Iterator[int | float | str]:
    """Yield the forms that a number can have as a value of a schema, the exact ones first."""
    if number.adjusted() > _MOST_DIGITS:
        return
    cents = number.quantize(_CENT, ROUND_HALF_UP)
    whole = int(number.to_integral_value(ROUND_HALF_UP))
    if {"integer", "number"} & set(schema.types) and not isinstance(shown, str):
        yield whole if number == whole else float(number)
        yield from (float(cents), whole)
        return
    digits = len(shown.partition(".")[2]) if isinstance(shown, str) else 2
    if digits <= _MOST_DIGITS and number == round(number, digits):
        yield f"{number:.{digits}f}"
    yield from (f"{number:f}", f"{cents:f}", str(whole))
