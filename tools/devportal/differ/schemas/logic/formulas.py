"""Formulas of propositional logic: what a schema says of a value, and of the values within it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

Path = tuple[str | int, ...]
"""Where a value stands within the one that a formula is about: names of properties, numbers of items."""


class NotExpressibleError(Exception):
    """A schema, or two together, say what formulas cannot. It ends a proof; nobody sees it."""


class Statement(StrEnum):
    """What an atom says of a value."""

    IS_OF_TYPE = "is of a JSON type; each number is one"
    EQUALS = "equals a value, as canonical JSON"
    IS_AT_LEAST = "is a number of at least a bound"
    IS_MORE_THAN = "is a number of more than a bound"
    IS_MULTIPLE_OF = "is a multiple of a number"
    HAS_LENGTH = "is a text of at least so many code points"
    MATCHES = "is a text in which a pattern is found"
    IS_OF_FORMAT = "is of a format"
    HAS_ITEMS = "is a list of at least so many items"
    HAS_UNIQUE_ITEMS = "is a list without equal items"
    HAS_MATCHING_ITEMS = "is a list of at least so many items for which a formula holds"
    EACH_ITEM = "is a list of items for which a formula holds, without those at separate places"
    HAS_PROPERTY = "is an object with a property"
    HAS_PROPERTIES = "is an object with at least so many properties"
    EACH_PROPERTY = "is an object of properties for which a formula holds, without those that a schema lists"
    IS_VALID = "is valid for a schema that nothing is known of but its digest"


class Atom(NamedTuple):
    """One statement on the value at a path, with the bound, name, or formulas that it is about.

    A tuple, as literals are: searches look up so many that hashing them would take half of the time.
    """

    path: Path
    statement: Statement
    of: Any


class Literal(NamedTuple):
    """An atom that holds, or one that does not."""

    atom: Atom
    is_true: bool = True


@dataclass(frozen=True)
class AllOf:
    """AllOf of some formulas hold; of none, that is always so."""

    formulas: tuple["Formula", ...]

    @cached_property
    def digest(self) -> int:
        """The hash, which formulas within formulas would make slow to compute each time."""
        return hash(("all", self.formulas))

    def __hash__(self) -> int:
        """Return the hash, computed once."""
        return self.digest


@dataclass(frozen=True)
class AnyOf:
    """At least one of some formulas holds; of none, that is never so."""

    formulas: tuple["Formula", ...]

    @cached_property
    def digest(self) -> int:
        """The hash, which formulas within formulas would make slow to compute each time."""
        return hash(("any", self.formulas))

    def __hash__(self) -> int:
        """Return the hash, computed once."""
        return self.digest


Formula = Literal | AllOf | AnyOf
ALWAYS, NEVER = AllOf(()), AnyOf(())


JSON_TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types of values; an integer is a number."""


@dataclass(frozen=True, slots=True)
class EachItem:
    """What holds for each item but the first ones: `after` have separate places."""

    formula: Formula
    after: int


@dataclass(frozen=True, slots=True)
class MatchingItems:
    """At least `count` items for which a formula holds; `after` is how many have separate places."""

    formula: Formula
    count: int
    after: int


@dataclass(frozen=True, slots=True)
class NamedProperties:
    """Each property that is not `listed` and whose name a formula holds for has a value for which another one
    holds.
    """

    name: Formula
    value: Formula
    listed: tuple[str, ...]


def holds(path: Path, statement: Statement, of: Any = None) -> Formula:
    """Return the formula of one atom."""
    return Literal(Atom(path, statement, of))


def all_of(formulas: Iterable[Formula]) -> Formula:
    """Return the formula that holds if all others do, without those that always do."""
    flat: dict[Formula, None] = {}
    for formula in formulas:
        if formula is NEVER:
            return NEVER
        flat.update(dict.fromkeys(formula.formulas if isinstance(formula, AllOf) else (formula,)))
    if not flat:
        return ALWAYS
    return next(iter(flat)) if len(flat) == 1 else AllOf(tuple(flat))


def any_of(formulas: Iterable[Formula]) -> Formula:
    """Return the formula that holds if at least one other does, without those that never do."""
    flat: dict[Formula, None] = {}
    for formula in formulas:
        if formula is ALWAYS:
            return ALWAYS
        flat.update(dict.fromkeys(formula.formulas if isinstance(formula, AnyOf) else (formula,)))
    if not flat:
        return NEVER
    return next(iter(flat)) if len(flat) == 1 else AnyOf(tuple(flat))


def negate(formula: Formula) -> Formula:
    """Return the formula that holds if another one does not."""
    match formula:
        case Literal(atom, is_true):
            return Literal(atom, not is_true)
        case AllOf(formulas):
            return any_of(map(negate, formulas))
        case AnyOf(formulas):
            return all_of(map(negate, formulas))


def implies(condition: Formula, consequence: Formula) -> Formula:
    """Return the formula that holds if a condition does not, or what follows from it does."""
    return any_of((negate(condition), consequence))


def exactly_one_of(formulas: tuple[Formula, ...]) -> Formula:
    """Return the formula that holds if one of some others does, and no two of them."""
    pairs = (
        any_of((negate(first), negate(other)))
        for number, first in enumerate(formulas)
        for other in formulas[number + 1 :]
    )
    return all_of((any_of(formulas), *pairs))
