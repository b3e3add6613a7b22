"""Values that a formula may hold for: candidates for what one schema allows and another one refuses.

They only are candidates, since what is true of parts together is not looked at again: validators decide.
"""

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from devportal.contract import ABSENT
from devportal.differ.patterns.text_sets import text_among
from devportal.differ.schemas.logic.formulas import (
    JSON_TYPES,
    Atom,
    EachItem,
    Formula,
    Literal,
    MatchingItems,
    NamedProperties,
    Path,
    Statement,
    all_of,
    implies,
    negate,
)
from devportal.differ.schemas.logic.keyword_formulas import equals, is_of_type
from devportal.differ.schemas.logic.literal_conflicts import (
    LiteralConflicts,
    about,
    counts,
    is_refused,
    texts_of,
)
from devportal.differ.schemas.logic.satisfiability import Satisfiability
from devportal.differ.schemas.logic.schema_formulas import ITEM, NAME, VALUE

_MAX_DEPTH, _MAX_PARTS = 8, 64


class Counterexamples:
    """Makes values for which formulas hold, if they can be put together."""

    def __init__(self, search: Satisfiability) -> None:
        """Take who searches what may be true."""
        self._search = search
        self._conflicts = LiteralConflicts(search.is_shown_impossible)

    def value_of(self, formula: Formula, path: Path = (), depth: int = 0) -> Any:
        """Return a value at a path for which a formula may hold, ABSENT if none is found."""
        truths = self._search.truths_of(formula) if depth < _MAX_DEPTH else None
        return ABSENT if truths is None else self._value_at(path, truths, depth)

    def _value_at(self, path: Path, truths: Mapping[Atom, bool], depth: int) -> Any:
        literals = [Literal(atom, is_true) for atom, is_true in truths.items() if atom.path == path]
        equal = about(literals, Statement.EQUALS, is_true=True)
        if equal:
            return json.loads(equal[0])
        required = about(literals, Statement.IS_OF_TYPE, is_true=True)
        refused = about(literals, Statement.IS_OF_TYPE, is_true=False)
        for kind in required or _PREFERRED_TYPES:
            typed = [*literals, Literal(Atom(path, Statement.IS_OF_TYPE, kind))]
            if kind not in refused and not self._conflicts.has_conflict(typed):
                value = self._value_of_type(kind, path, literals, truths, depth)
                if value is not ABSENT:
                    return value
        return ABSENT

    def _value_of_type(
        self, kind: str, path: Path, literals: Sequence[Literal], truths: Mapping[Atom, bool], depth: int
    ) -> Any:
        match kind:
            case "array":
                return self._list(path, literals, truths, depth)
            case "object":
                return self._object(path, literals, truths, depth)
        candidates = islice(_scalars(kind, literals), _MAX_PARTS)
        return next((value for value in candidates if not is_refused(value, literals)), ABSENT)

    def _list(self, path: Path, literals: Sequence[Literal], truths: Mapping[Atom, bool], depth: int) -> Any:
        is_repeated = bool(about(literals, Statement.HAS_UNIQUE_ITEMS, is_true=False))
        low = max(counts(literals, Statement.HAS_ITEMS)[0], int(is_repeated))
        each: list[EachItem] = about(literals, Statement.EACH_ITEM, is_true=True)
        not_each: list[EachItem] = about(literals, Statement.EACH_ITEM, is_true=False)
        enough: list[MatchingItems] = about(literals, Statement.HAS_MATCHING_ITEMS, is_true=True)
        places = [item.after for item in (*each, *not_each)] + [item.after for item in enough]
        own_places = max(places, default=0)
        rules = [item.formula for item in each]
        special = [negate(item.formula) for item in not_each]
        special += [item.formula for item in enough for _ in range(item.count)]
        items = [
            self._value_at((*path, number), truths, depth + 1)
            for number in range(own_places if special else min(low, own_places))
        ]
        wanted = special + [all_of(())] * (low - len(items) - len(special))
        if len(wanted) > _MAX_PARTS:
            return ABSENT
        items += [self.value_of(all_of((*rules, formula)), (*path, ITEM), depth + 1) for formula in wanted]
        items += items[-1:] if is_repeated else []
        return ABSENT if ABSENT in items else items

    def _object(
        self, path: Path, literals: Sequence[Literal], truths: Mapping[Atom, bool], depth: int
    ) -> Any:
        low, _ = counts(literals, Statement.HAS_PROPERTIES)
        each: list[NamedProperties] = about(literals, Statement.EACH_PROPERTY, is_true=True)
        not_each: list[NamedProperties] = about(literals, Statement.EACH_PROPERTY, is_true=False)
        present = about(literals, Statement.HAS_PROPERTY, is_true=True)
        absent = about(literals, Statement.HAS_PROPERTY, is_true=False)
        listed = next((item.listed for item in (*each, *not_each)), ())
        possible = [name for name in listed if name not in present and name not in absent]
        names = [*present, *possible[: max(low - len(present) - len(not_each), 0)]]
        value = {name: self._value_at((*path, name), truths, depth + 1) for name in names}
        name_path, value_path = (*path, NAME), (*path, VALUE)
        wanted = [all_of((item.name, negate(item.value))) for item in not_each]
        wanted += [all_of(())] * (low - len(value) - len(wanted))
        if len(wanted) > _MAX_PARTS:
            return ABSENT
        for formula in wanted:
            others = [negate(equals(name_path, name)) for name in {*listed, *absent, *value}]
            rules = [implies(item.name, item.value) for item in each]
            truths_of_other = self._search.truths_of(
                all_of((is_of_type(name_path, "string"), *others, *rules, formula))
            )
            if truths_of_other is None:
                return ABSENT
            name = self._value_at(name_path, truths_of_other, depth + 1)
            value[str(name)] = self._value_at(value_path, truths_of_other, depth + 1)
        return ABSENT if ABSENT in value.values() else value


_PREFERRED_TYPES = ("string", "number", "object", "array", "boolean", "null")
assert {*_PREFERRED_TYPES} == {*JSON_TYPES}  # noqa: S101 - each type once


def _scalars(kind: str, literals: Sequence[Literal]) -> Iterator[Any]:
    match kind:
        case "null":
            yield None
        case "boolean":
            yield from (True, False)
        case "number":
            yield from _numbers(literals)
        case "string":
            texts = texts_of(literals)
            text = text_among(texts)
            if text is not None:
                yield text
            yield from ("a" * texts.low, "b" * texts.low, "")


def _numbers(literals: Sequence[Literal]) -> Iterator[int | float]:
    """Yield numbers at and near the bounds, as multiples of what they have to be, from the smallest on."""
    multiples = about(literals, Statement.IS_MULTIPLE_OF, is_true=True)
    step = Fraction(math.prod(value.numerator for value in multiples), 1) if multiples else Fraction(1)
    ends = [
        end
        for statement in (Statement.IS_AT_LEAST, Statement.IS_MORE_THAN)
        for is_true in (True, False)
        for end in about(literals, statement, is_true=is_true)
    ]
    for end in (Fraction(0), *ends):
        base = math.floor(end / step) * step
        near = (end, *(base + number * step for number in (0, 1, -1, 2)), *(end + part for part in _PARTS))
        yield from (_plain_number(number) for number in near if abs(number) <= _LARGEST)


_PARTS = (Fraction(1, 2), Fraction(-1, 2), Fraction(1, 10), Fraction(-1, 10), Fraction(1, 100))


_LARGEST = Fraction(sys.float_info.max)
"""No reader knows larger numbers (RFC 8259 §6)."""


def _plain_number(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)
