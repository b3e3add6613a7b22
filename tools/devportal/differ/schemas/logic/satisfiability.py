"""Whether a formula is shown never to hold: a search for values that it holds for, branch by branch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from devportal.differ.schemas.logic.formulas import (
    ALWAYS,
    JSON_TYPES,
    NEVER,
    AllOf,
    AnyOf,
    Atom,
    Formula,
    Literal,
    NotExpressibleError,
    Path,
    Statement,
)
from devportal.differ.schemas.logic.literal_conflicts import LiteralConflicts


@dataclass(slots=True)
class Effort:
    """How many choices may be looked at in all, and for one question. What takes more is not shown."""

    left: int
    of_question: int


class Satisfiability:
    """Shows that formulas never hold."""

    def __init__(self, effort: Effort) -> None:
        """Take the effort that is left, which many questions may share."""
        self._effort = effort
        self._limit = 0
        self._known: dict[Formula, bool] = {}
        self._found: Mapping[Atom, bool] = {}
        self._conflicting: dict[frozenset[Literal], bool] = {}

    def is_impossible(self, formula: Formula) -> bool:
        """Return whether a formula is shown to hold for no value. Raises NotExpressibleError."""
        known = self._known.get(formula)
        if known is None:
            known = self._known[formula] = not self._may_hold({}, [formula], [])
        return known

    def is_shown_impossible(self, formula: Formula) -> bool:
        """Return whether that is shown with the effort of one question."""
        self._begin_question()
        try:
            return self.is_impossible(formula)
        except NotExpressibleError:
            return False

    def truths_of(self, formula: Formula) -> Mapping[Atom, bool] | None:
        """Return what may be true if a formula holds, None if that is shown to be nothing, or takes too long."""
        self._begin_question()
        try:
            return self._found if self._may_hold({}, [formula], []) else None
        except NotExpressibleError:
            return None

    def _begin_question(self) -> None:
        self._limit = max(self._effort.left - self._effort.of_question, 0)

    def _may_hold(self, truths: dict[Atom, bool], new: Sequence[Formula], choices: list[AnyOf]) -> bool:
        """Return whether new formulas may hold beside what is true already, and choices that are to be made."""
        self._effort.left -= 1 + len(choices)
        if self._effort.left < self._limit:
            raise NotExpressibleError
        count_before = len(truths)
        settled = _settle(truths, new, choices)
        if settled is None:
            return False
        truths, choices = settled
        changed_paths = {atom.path for atom in islice(truths, count_before, None)}
        if any(map(self._has_conflict, _literals_by_path(truths, changed_paths))):
            return False
        if not choices:
            self._found = truths
            return True
        choice = min(choices, key=lambda item: len(item.formulas))
        others = [item for item in choices if item is not choice]
        refused: list[Formula] = []
        for option in choice.formulas:
            if self._may_hold(dict(truths), [option, *refused], list(others)):
                return True
            if isinstance(option, Literal):
                refused.append(Literal(option.atom, not option.is_true))
        return False

    def _has_conflict(self, literals: tuple[Literal, ...]) -> bool:
        key = frozenset(literals)
        if key not in self._conflicting:
            self._conflicting[key] = LiteralConflicts(self.is_impossible).has_conflict(literals)
        return self._conflicting[key]


def _settle(
    truths: dict[Atom, bool], new: Iterable[Formula], choices: list[AnyOf]
) -> tuple[dict[Atom, bool], list[AnyOf]] | None:
    """Return what is true and which choices are left once no choice has a single option, None if one has none."""
    pending = [*new]
    while pending:
        further = _take(pending, truths)
        if further is None:
            return None
        options = [_options(choice, truths) for choice in (*choices, *further)]
        open_ones = [each for each in options if each is not None]
        if () in open_ones:
            return None
        choices = [AnyOf(each) for each in open_ones if len(each) > 1]
        pending = [each[0] for each in open_ones if len(each) == 1]
    return truths, choices


def _take(pending: list[Formula], truths: dict[Atom, bool]) -> list[AnyOf] | None:
    """Add the literals of formulas to what is true, and return the choices among them, None if a literal is false."""
    choices: list[AnyOf] = []
    while pending:
        match pending.pop():
            case Literal(atom, is_true):
                if _truth(atom, truths) is (not is_true):
                    return None
                truths[atom] = is_true
            case AllOf(formulas):
                pending += formulas
            case AnyOf() as choice:
                choices.append(choice)
    return choices


def _options(choice: AnyOf, truths: Mapping[Atom, bool]) -> tuple[Formula, ...] | None:
    """Return the formulas of which one has still to hold, None if one does."""
    options: list[Formula] = []
    for formula in choice.formulas:
        simple = _simplify(formula, truths)
        if simple is ALWAYS:
            return None
        if simple is not NEVER:
            options.append(simple)
    return tuple(options)


def _simplify(formula: Formula, truths: Mapping[Atom, bool]) -> Formula:
    """Return a formula, or that it always or never holds if its literals show that."""
    match formula:
        case Literal(atom, is_true):
            known = _truth(atom, truths)
            return formula if known is None else ALWAYS if known is is_true else NEVER
        case AllOf(formulas):
            for part in formulas:
                if isinstance(part, Literal) and _truth(part.atom, truths) is (not part.is_true):
                    return NEVER
    return formula


def _truth(atom: Atom, truths: Mapping[Atom, bool]) -> bool | None:
    """Return whether an atom is true or false, None if that is open; a value is of one type only."""
    known = truths.get(atom)
    if known is not None or atom.statement is not Statement.IS_OF_TYPE:
        return known
    for kind in JSON_TYPES:
        if kind != atom.of and truths.get(Atom(atom.path, Statement.IS_OF_TYPE, kind)):
            return False
    return None


def _literals_by_path(truths: Mapping[Atom, bool], paths: Set[Path]) -> Iterator[tuple[Literal, ...]]:
    """Yield the formulas about each value at some paths."""
    by_path: dict[Path, list[Literal]] = {}
    for atom, is_true in truths.items():
        if atom.path in paths:
            by_path.setdefault(atom.path, []).append(Literal(atom, is_true))
    yield from map(tuple, by_path.values())
