"""What two forms ask of some values only (`if`): several of them are not one, so each is set against its
former self.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from devportal.contract import Schema
from devportal.differ.forms import Condition
from devportal.differ.merging import CONDITIONAL, CONSEQUENCES, says_nothing

_MOST_COMPARED = 400
_Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]


def conditions_of(parts: Sequence[Schema]) -> Iterator[Condition]:
    """Yield the conditions from which something follows; without one, `then` and `else` count for nothing."""
    for part in parts:
        said = {keyword: other for keyword, other in part.others if keyword in CONDITIONAL}
        follows = {key: said[key] for key in CONSEQUENCES if key in said and not says_nothing(said[key])}
        if "if" in said and follows:
            yield Condition(test=said["if"], consequences=follows)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionPairing:
    """The conditions of both sides that the same values meet, those that have changed, those of one side."""

    kept: tuple[tuple[Condition, Condition], ...]
    changed: tuple[tuple[Condition, Condition], ...]
    removed: tuple[Condition, ...]
    added: tuple[Condition, ...]

    @property
    def pairs(self) -> tuple[tuple[Condition, Condition], ...]:
        """Return the conditions that belong together."""
        return (*self.kept, *self.changed)


def pair_conditions(old: Sequence[Condition], new: Sequence[Condition], is_alike: _Alike) -> ConditionPairing:
    """Return how conditions belong together: those that are alike, then the others in their order."""
    left, right = list(old), list(new)
    kept: list[tuple[Condition, Condition]] = []
    for one in old:
        likely = [each for each in right if each.test == one.test]
        likely += right if len(left) * len(right) <= _MOST_COMPARED else []
        other = next((each for each in likely if is_alike((one.test,), (each.test,))), None)
        if other is not None:
            left = [each for each in left if each is not one]
            right = [each for each in right if each is not other]
            kept.append((one, other))
    count = min(len(left), len(right))
    return ConditionPairing(
        kept=tuple(kept),
        changed=tuple(zip(left, right, strict=False)),
        removed=tuple(left[count:]),
        added=tuple(right[count:]),
    )
