"""Whether a formula is shown never to hold: a search for values that it holds for, branch by branch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from devportal.differ.schemas.formulas import (
    ALWAYS,
    JSON_TYPES,
    NEVER,
    All,
    Any_,
    Atom,
    Formula,
    Literal,
    Path,
    Statement,
)
from devportal.differ.schemas.literal_conflicts import LiteralConflicts
from devportal.differ.schemas.schema_formulas import NotExpressibleError


class Satisfiability:
    """Shows that formulas never hold. What takes too many steps is not shown."""

    def __init__(self) -> None:
        """Begin with all steps left, which all questions share."""
        self._steps_left = _MAX_STEPS
        self._known: dict[Formula, bool] = {}
        self._conflicts = LiteralConflicts(self.is_impossible)
        self._conflicting: dict[frozenset[Literal], bool] = {}

    def is_impossible(self, formula: Formula) -> bool:
        """Return whether a formula is shown to hold for no value. Raises NotExpressibleError."""
        known = self._known.get(formula)
        if known is None:
            known = self._known[formula] = not self._may_hold({}, [formula], [])
        return known

    def is_shown_impossible(self, formula: Formula) -> bool:
        """Return whether that is shown within the steps of one question."""
        self._steps_left = _MAX_STEPS
        try:
            return self.is_impossible(formula)
        except NotExpressibleError:
            return False

    def _may_hold(self, truths: dict[Atom, bool], new: Sequence[Formula], choices: list[Any_]) -> bool:
        """Return whether new formulas may hold beside what is true already, and choices that are to be made."""
        self._steps_left -= 1
        if self._steps_left < 0:
            raise NotExpressibleError
        settled = _settle(truths, new, choices)
        if settled is None:
            return False
        truths, choices = settled
        if any(map(self._has_conflict, _literals_by_path(truths))):
            return False
        if not choices:
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
            self._conflicting[key] = self._conflicts.has_conflict(literals)
        return self._conflicting[key]


_MAX_STEPS = 3_000
"""How many branches are looked at for one question about two schemas."""


def _settle(
    truths: dict[Atom, bool], new: Iterable[Formula], choices: list[Any_]
) -> tuple[dict[Atom, bool], list[Any_]] | None:
    """Return what is true and which choices are left once no choice has a single option, None if none has any."""
    pending = [*new]
    while True:
        while pending:
            formula = pending.pop()
            match formula:
                case Literal(atom, is_true):
                    known = _truth(atom, truths)
                    if known is None or atom not in truths:
                        if known is not None and known is not is_true:
                            return None
                        truths[atom] = is_true
                    elif known is not is_true:
                        return None
                case All(formulas):
                    pending += formulas
                case Any_():
                    choices = [*choices, formula]
        left: list[Any_] = []
        for choice in choices:
            options = _options(choice, truths)
            if options is None:
                continue
            if not options:
                return None
            if len(options) == 1:
                pending += options
            else:
                left.append(Any_(options))
        choices = left
        if not pending:
            return truths, choices


def _options(choice: Any_, truths: Mapping[Atom, bool]) -> tuple[Formula, ...] | None:
    """Return the formulas of which one has still to hold, None if one does."""
    options: list[Formula] = []
    for formula in choice.formulas:
        simple = _simplified(formula, truths)
        if simple == ALWAYS:
            return None
        if simple != NEVER:
            options.append(simple)
    return tuple(options)


def _simplified(formula: Formula, truths: Mapping[Atom, bool]) -> Formula:
    """Return whether a formula holds, as far as its literals, or those of all its parts, say it."""
    match formula:
        case Literal(atom, is_true):
            known = _truth(atom, truths)
            return formula if known is None else ALWAYS if known is is_true else NEVER
        case All(formulas):
            is_refused = any(
                isinstance(part, Literal) and _simplified(part, truths) == NEVER for part in formulas
            )
            return NEVER if is_refused else formula
    return formula


def _truth(atom: Atom, truths: Mapping[Atom, bool]) -> bool | None:
    """Return whether an atom is true or false, None if that is open; a value is of one type only."""
    known = truths.get(atom)
    if known is not None or atom.statement is not Statement.IS_OF_TYPE:
        return known
    is_other = any(
        truths.get(Atom(atom.path, Statement.IS_OF_TYPE, kind)) for kind in JSON_TYPES if kind != atom.of
    )
    return False if is_other else None


def _literals_by_path(truths: Mapping[Atom, bool]) -> Iterator[tuple[Literal, ...]]:
    """Yield what is said of each value."""
    by_path: dict[Path, list[Literal]] = {}
    for atom, is_true in truths.items():
        by_path.setdefault(atom.path, []).append(Literal(atom, is_true))
    yield from map(tuple, by_path.values())
