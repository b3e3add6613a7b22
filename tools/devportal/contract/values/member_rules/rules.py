"""The rules between the members of one object: numbers computed from other members, and orders of two members."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import reduce
from typing import Any, assert_never

from devportal.contract import Location
from devportal.contract.values.instants import PRECISION, parse_day, parse_instant
from devportal.documents import member_at

EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {})
"""The values that mean "no value"."""
ROUNDING = Decimal("0.01")
"""How far an amount with decimals may be from what its parts give: servers round it, or each of them."""
WHOLE = Decimal(1)
"""How far a number without decimals may be from what parts with decimals give."""


class Relation(StrEnum):
    """How a value compares with another one."""

    AFTER = "after"
    NOT_BEFORE = "not before"
    BEFORE = "before"
    NOT_AFTER = "not after"

    @property
    def is_strict(self) -> bool:
        """Whether two equal values break it."""
        return self in (Relation.AFTER, Relation.BEFORE)

    @property
    def is_upwards(self) -> bool:
        """Whether the first value is the greater one."""
        return self in (Relation.AFTER, Relation.NOT_BEFORE)


_SIZES = {
    Relation.AFTER: "be greater than",
    Relation.NOT_BEFORE: "not be less than",
    Relation.BEFORE: "be less than",
    Relation.NOT_AFTER: "not be greater than",
}
_VERBS = {
    Relation.AFTER: "be after",
    Relation.NOT_BEFORE: "not be before",
    Relation.BEFORE: "be before",
    Relation.NOT_AFTER: "not be after",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Numbers of one object that an operator joins: `quantity × unit_price`. One number has any operator."""

    operator: str
    names: tuple[str, ...]

    def numbers(self, members: Mapping[str, Any]) -> tuple[Decimal, ...]:
        """Return the numbers of an object that are joined, without those that it does not show."""
        found = (parse_number(members.get(name)) for name in self.names)
        return tuple(number for number in found if number is not None)

    def value(self, members: Mapping[str, Any]) -> Decimal | None:
        """Return the result for the members of an object, None if one of them is not a number."""
        numbers = self.numbers(members)
        if len(numbers) < len(self.names):
            return None
        match self.operator:
            case "+":
                return sum(numbers, Decimal(0))
            case "−":
                return reduce(Decimal.__sub__, numbers)
            case _:
                return reduce(Decimal.__mul__, numbers)

    def __str__(self) -> str:
        """Return the terms as messages show them."""
        return f" {self.operator} ".join(f"`{name}`" for name in self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The number of items of a list, or of those that have a member with a value."""

    items: str
    having: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """The sum of something over the items of a list."""

    items: str
    terms: Terms


Formula = Count | Sum | Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedMember:
    """A number that the contract computes from other members of its object, and the sentence that states this."""

    name: str
    formula: Formula
    sentence: str
    location: Location
    is_integer: bool
    may_round: bool

    def compute(self, members: Mapping[str, Any]) -> Decimal | None:
        """Return the number that the other members give, None if they do not show all that it needs."""
        match self.formula:
            case Count(items=items, having=having):
                value = members.get(items)
                if not isinstance(value, list) or not all(
                    isinstance(item, dict) or not having for item in value
                ):
                    return None
                return Decimal(sum(1 for item in value if not having or item.get(having) is not None))
            case Sum(items=items, terms=terms):
                value = members.get(items)
                if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
                    return None
                results = [result for item in value if (result := terms.value(item)) is not None]
                return sum(results, Decimal(0)) if len(results) == len(value) else None
            case Terms():
                return self.formula.value(members)
        assert_never(self.formula)

    def is_met(self, members: Mapping[str, Any]) -> bool | None:
        """Return whether an object keeps the rule, None if it shows too little for that. What whole numbers give is
        exact; each part with decimals may be rounded, or hold the error of a binary fraction.
        """
        value = members.get(self.name)
        shown, expected = parse_number(value), self.compute(members)
        if shown is None or expected is None:
            return None
        if not self.may_round and all(map(is_whole, self._numbers(members))):
            return shown == expected
        has_decimals = not self.is_integer and not (isinstance(value, str) and "." not in value)
        parts = 1 if isinstance(self.formula, Terms) else len(members[self.formula.items])
        return abs(shown - expected) <= (ROUNDING if has_decimals else WHOLE) * max(parts, 1)

    def _numbers(self, members: Mapping[str, Any]) -> Iterator[Decimal]:
        """Yield the numbers from which the member is computed."""
        match self.formula:
            case Count():
                return
            case Sum(items=items, terms=terms):
                for item in members[items]:
                    yield from terms.numbers(item)
            case Terms():
                yield from self.formula.numbers(members)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberOrder:
    """An order of two times, days or numbers of one object, and the sentence that states it. One that `is_demanded`
    binds clients too, and the words of one that `is_size` are those of sizes, such as "at least". The `other` one may
    be in an object beside the first: `parcel.weight`.
    """

    name: str
    relation: Relation
    other: str
    sentence: str
    location: Location
    is_demanded: bool
    is_size: bool

    def __str__(self) -> str:
        """Return the rule as messages show it."""
        return f"{self.name!r} {self.demand}"

    @property
    def demand(self) -> str:
        """What the first value must be: "must not be before 'starts_at'"."""
        return f"must {(_SIZES if self.is_size else _VERBS)[self.relation]} {self.other!r}"

    def is_met(self, members: Mapping[str, Any]) -> bool | None:
        """Return whether an object keeps the rule, None if it does not show both. A server may store times less
        precisely than it took them.
        """
        difference = _difference(members.get(self.name), member_value(members, self.other))
        if difference is None:
            return None
        if isinstance(difference, timedelta):
            return difference >= -PRECISION if self.relation.is_upwards else difference <= PRECISION
        if not difference:
            return not self.relation.is_strict
        return (difference > 0) is self.relation.is_upwards


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPresence:
    """A member that has a value, or none, while the member `state` of its object is one of `states`, and the sentence
    that states it. A rule that `is_new` is about resources as they are created: later states may keep the value.
    """

    name: str
    state: str
    states: tuple[str, ...]
    has_value: bool
    is_new: bool
    sentence: str
    location: Location

    def __str__(self) -> str:
        """Return the rule as messages show it."""
        if self.has_value:
            return f"{self.name!r} has no value in a state that needs one"
        return f"{self.name!r} has a value in a state without one"

    def is_met(self, members: Mapping[str, Any]) -> bool | None:
        """Return whether an object keeps the rule, None if it is in another state, or does not show the member: a list
        may show some of the members.
        """
        if members.get(self.state) not in self.states or self.name not in members:
            return None
        return (members[self.name] not in EMPTY_VALUES) is self.has_value


MemberRule = ComputedMember | MemberOrder | MemberPresence


def member_value(members: Mapping[str, Any], name: str) -> Any:
    """Return the value of a member, or of one in an object, such as `parcel.weight`; None if there is none."""
    return members[name] if name in members else member_at(members, name.split("."))


def parse_number(value: Any) -> Decimal | None:
    """Return the number that a JSON value is, or that its text is, such as an amount; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def is_whole(number: Decimal) -> bool:
    """Return whether a number has no decimals other than zeros."""
    return number == number.to_integral_value()


def _difference(first: Any, second: Any) -> timedelta | Decimal | None:
    """Return how far two times, days or numbers are apart, None if they cannot be compared."""
    if isinstance(first, str) and isinstance(second, str):
        days = parse_day(first), parse_day(second)
        times = parse_instant(first), parse_instant(second)
        if days[0] is not None and days[1] is not None:
            return Decimal((days[0] - days[1]).days)
        return times[0] - times[1] if times[0] is not None and times[1] is not None else None
    numbers = parse_number(first), parse_number(second)
    is_text = isinstance(first, str) or isinstance(second, str)
    return None if is_text or numbers[0] is None or numbers[1] is None else numbers[0] - numbers[1]
