"""Whether statements on one value are shown to contradict each other, whatever type the value is of."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import ge, gt
from typing import Any

from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.differ.normalise.all_of import type_of
from devportal.differ.normalise.limits import to_fraction
from devportal.differ.patterns.text_sets import Texts, shares_no_text
from devportal.differ.schemas.format_values import pattern_around_format, pattern_within_format
from devportal.differ.schemas.logic.formulas import (
    JSON_TYPES,
    EachItem,
    Formula,
    Literal,
    MatchingItems,
    NamedProperties,
    Statement,
    all_of,
    implies,
    negate,
)
from devportal.differ.schemas.logic.keyword_formulas import equals, is_of_type
from devportal.differ.schemas.logic.schema_formulas import NAME

_Literals = Sequence[Literal]


@dataclass(frozen=True, slots=True)
class LiteralConflicts:
    """Finds statements that hold together for no value; `is_impossible` shows that a formula never holds."""

    is_impossible: Callable[[Formula], bool]

    def has_conflict(self, literals: _Literals) -> bool:
        """Return whether literals on one value are shown to contradict each other, with each type that they
        leave.
        """
        required = {*about(literals, Statement.IS_OF_TYPE, is_true=True)}
        refused = about(literals, Statement.IS_OF_TYPE, is_true=False)
        possible = [kind for kind in required or JSON_TYPES if kind not in refused]
        return len(required) > 1 or all(self._has_conflict_as(kind, literals) for kind in possible)

    def _has_conflict_as(self, kind: str, literals: _Literals) -> bool:
        equal = about(literals, Statement.EQUALS, is_true=True)
        if equal:
            value = json.loads(equal[0])
            return len(equal) > 1 or json_type(value) != kind or is_refused(value, literals)
        match kind:
            case "boolean":
                return {"true", "false"} <= {*about(literals, Statement.EQUALS, is_true=False)}
            case "number":
                return _have_numbers_conflict(literals)
            case "string":
                return _have_texts_conflict(literals)
            case "array":
                return self._have_items_conflict(literals)
            case "object":
                return self._have_properties_conflict(literals)
        return False

    def _have_items_conflict(self, literals: _Literals) -> bool:
        low, high = counts(literals, Statement.HAS_ITEMS)
        each: list[EachItem] = about(literals, Statement.EACH_ITEM, is_true=True)
        not_each: list[EachItem] = about(literals, Statement.EACH_ITEM, is_true=False)
        enough: list[MatchingItems] = about(literals, Statement.HAS_MATCHING_ITEMS, is_true=True)
        too_many: list[MatchingItems] = about(literals, Statement.HAS_MATCHING_ITEMS, is_true=False)
        places = [item.after for item in (*each, *not_each)] + [item.after for item in (*enough, *too_many)]
        own_places = max(places, default=0)
        rules = [item.formula for item in each]
        rules += [negate(item.formula) for item in too_many if item.count == 1]
        low = max([low, *(own_places + 1 for _ in not_each), *(item.count for item in enough)])
        if rules and self.is_impossible(all_of(rules)):
            high = min(high, own_places)
        if not own_places:
            low = max([low, *(item.count for item in enough)])
            every = [item for item in too_many if self._follows(item.formula, rules)]
            high = min([high, *(item.count - 1 for item in every)])
        is_unique = Statement.HAS_UNIQUE_ITEMS in {
            literal.atom.statement for literal in literals if not literal.is_true
        }
        return (
            max(low, 2 if is_unique else 0) > high
            or any(self._follows(item.formula, rules) for item in not_each)
            or (not own_places and any(self.is_impossible(all_of((*rules, item.formula))) for item in enough))
            or any(
                item.count >= other.count and self._follows(other.formula, [*rules, item.formula])
                for item in (enough if not own_places else ())
                for other in too_many
            )
        )

    def _follows(self, formula: Formula, rules: Iterable[Formula]) -> bool:
        return self.is_impossible(all_of((*rules, negate(formula))))

    def _have_properties_conflict(self, literals: _Literals) -> bool:
        low, high = counts(literals, Statement.HAS_PROPERTIES)
        present = about(literals, Statement.HAS_PROPERTY, is_true=True)
        absent = about(literals, Statement.HAS_PROPERTY, is_true=False)
        each: list[NamedProperties] = about(literals, Statement.EACH_PROPERTY, is_true=True)
        not_each: list[NamedProperties] = about(literals, Statement.EACH_PROPERTY, is_true=False)
        listed = next((item.listed for item in (*each, *not_each)), ())
        name_path = (*literals[0].atom.path, NAME)
        of_others = [is_of_type(name_path, "string"), *(negate(equals(name_path, name)) for name in listed)]
        of_others += [implies(item.name, item.value) for item in each]
        if each and self.is_impossible(all_of(of_others)):
            high = min(high, len({*listed} - {*absent}))
        return max(low, len(present) + bool(not_each)) > high or any(
            self.is_impossible(all_of((*of_others, item.name, negate(item.value)))) for item in not_each
        )


def about(literals: _Literals, statement: Statement, *, is_true: bool) -> list[Any]:
    """Return the operands of all literals with a statement that hold, or of all that do not."""
    return [
        literal.atom.of
        for literal in literals
        if literal.is_true is is_true and literal.atom.statement is statement
    ]


def counts(literals: _Literals, statement: Statement) -> tuple[int, float]:
    """Return how many there are at least and at most."""
    low = max(about(literals, statement, is_true=True), default=0)
    return low, min(about(literals, statement, is_true=False), default=math.inf) - 1


def json_type(value: Any) -> str:
    """Return the type of a JSON value; an integer is a number."""
    kind = "null" if value is None else type_of(value)
    return "number" if kind == "integer" else kind


def is_refused(value: Any, literals: _Literals) -> bool:
    """Return whether a literal is shown not to hold for a value."""
    return any(
        _holds_for(literal.atom.statement, literal.atom.of, value) is (not literal.is_true)
        for literal in literals
    )


def _holds_for(statement: Statement, of: Any, value: Any) -> bool | None:
    """Return whether a statement holds for a value, None if that is open, or the statement is about other types."""
    if statement is Statement.EQUALS:
        return bool(json.loads(of) == value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float) and statement in _OF_NUMBERS:
        return _OF_NUMBERS[statement](to_fraction(value), of)
    if isinstance(value, str):
        if statement is Statement.MATCHES:
            return matches_pattern(of, value) if is_supported_pattern(of) else None
        return len(value) >= of if statement is Statement.HAS_LENGTH else None
    return None


_OF_NUMBERS: Mapping[Statement, Callable[[Fraction, Fraction], bool]] = {
    Statement.IS_AT_LEAST: ge,
    Statement.IS_MORE_THAN: gt,
    Statement.IS_MULTIPLE_OF: lambda value, of: (value / of).denominator == 1,
}


def _have_numbers_conflict(literals: _Literals) -> bool:
    """Return whether no number is within the bounds, a multiple of what it has to be, and none that is refused."""
    multiple = _common_multiple(about(literals, Statement.IS_MULTIPLE_OF, is_true=True))
    not_multiples = about(literals, Statement.IS_MULTIPLE_OF, is_true=False)
    if multiple is not None and any((multiple / other).denominator == 1 for other in not_multiples):
        return True
    lowest = [(value, False) for value in about(literals, Statement.IS_AT_LEAST, is_true=True)]
    lowest += [(value, True) for value in about(literals, Statement.IS_MORE_THAN, is_true=True)]
    highest = [(value, True) for value in about(literals, Statement.IS_AT_LEAST, is_true=False)]
    highest += [(value, False) for value in about(literals, Statement.IS_MORE_THAN, is_true=False)]
    if not lowest or not highest:
        return False
    (low, above), (high, below) = max(lowest), min(highest, key=lambda end: (end[0], not end[1]))
    if low > high or (low == high and (above or below)):
        return True
    if low == high:
        return _is_refused_number(low, literals)
    if multiple is None:
        return False
    first = math.floor(low / multiple) + 1 if above else math.ceil(low / multiple)
    last = math.ceil(high / multiple) - 1 if below else math.floor(high / multiple)
    return last - first < _MAX_NUMBERS and all(
        _is_refused_number(number * multiple, literals) for number in range(first, last + 1)
    )


_MAX_NUMBERS = 256
"""How many numbers are tried one by one."""


def _is_refused_number(number: Fraction, literals: _Literals) -> bool:
    values = map(json.loads, about(literals, Statement.EQUALS, is_true=False))
    numbers = (to_fraction(value) for value in values if json_type(value) == "number")
    return number in numbers or any(
        (number / of).denominator == 1 for of in about(literals, Statement.IS_MULTIPLE_OF, is_true=False)
    )


def _common_multiple(multiples: Sequence[Fraction]) -> Fraction | None:
    """Return the smallest number that is a multiple of all, None of none."""
    if not multiples:
        return None
    denominator = math.lcm(*(value.denominator for value in multiples))
    return Fraction(math.lcm(*(int(value * denominator) for value in multiples)), denominator)


def _have_texts_conflict(literals: _Literals) -> bool:
    """Return whether no text has a length, matches the patterns and is of the formats as it has to."""
    return shares_no_text(texts_of(literals))


def texts_of(literals: _Literals) -> Texts:
    """Return the texts that literals leave, and maybe others, as formats are known in part."""
    low, high = counts(literals, Statement.HAS_LENGTH)
    around = map(pattern_around_format, about(literals, Statement.IS_OF_FORMAT, is_true=True))
    within = map(pattern_within_format, about(literals, Statement.IS_OF_FORMAT, is_true=False))
    unequal = (json.loads(text) for text in about(literals, Statement.EQUALS, is_true=False))
    return Texts(
        low=low,
        high=None if high == math.inf else int(high),
        matching=(*about(literals, Statement.MATCHES, is_true=True), *filter(None, around)),
        not_matching=(*about(literals, Statement.MATCHES, is_true=False), *filter(None, within)),
        unequal=tuple(text for text in unequal if isinstance(text, str)),
    )
