"""Pairs of what several schemas of a value may hold each: conditions and `contains`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from devportal.contract import Schema
from devportal.differ.normalise.all_of import CONDITIONAL, CONSEQUENCES, allows_everything
from devportal.differ.normalise.forms import Condition, Containment

_MAX_CONDITION_PAIRS = 400
_Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]


def conditions_of(parts: Sequence[Schema]) -> Iterator[Condition]:
    """Yield the conditions from which something follows; without one, `then` and `else` count for nothing."""
    for part in parts:
        schemas = {keyword: other for keyword, other in part.others if keyword in CONDITIONAL}
        consequences = {
            key: schemas[key]
            for key in CONSEQUENCES
            if key in schemas and not allows_everything(schemas[key])
        }
        if "if" in schemas and consequences:
            yield Condition(test=schemas["if"], consequences=consequences)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionPairing:
    """The conditions of two schemas: those with the same test, changed, removed and added."""

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
    for condition in old:
        likely = [each for each in right if each.test == condition.test]
        likely += right if len(left) * len(right) <= _MAX_CONDITION_PAIRS else []
        other = next((each for each in likely if is_alike((condition.test,), (each.test,))), None)
        if other is not None:
            left = [each for each in left if each is not condition]
            right = [each for each in right if each is not other]
            kept.append((condition, other))
    count = min(len(left), len(right))
    return ConditionPairing(
        kept=tuple(kept),
        changed=tuple(zip(left, right, strict=False)),
        removed=tuple(left[count:]),
        added=tuple(right[count:]),
    )


_MAX_CONTAINS_PAIRS = 100


def containments_of(parts: Sequence[Schema]) -> Iterator[Containment]:
    """Yield the `contains` of each part, unless it limits nothing: at least none, and any number at most."""
    seen: list[Containment] = []
    for part in parts:
        counts = {constraint.keyword: constraint.value for constraint in part.constraints}
        for keyword, schema in part.others:
            low, high = int(counts.get("minContains", 1)), counts.get("maxContains")
            containment = Containment(schema=schema, low=low, high=None if high is None else int(high))
            if keyword == "contains" and (low or high is not None) and containment not in seen:
                seen.append(containment)
                yield containment


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainmentPairing:
    """What both sides ask of the items, and what one side alone does."""

    pairs: tuple[tuple[Containment, Containment], ...]
    removed: tuple[Containment, ...]
    added: tuple[Containment, ...]


def pair_containments(
    old: Sequence[Containment], new: Sequence[Containment], is_alike: _Alike
) -> ContainmentPairing:
    """Return how they belong together: those that are alike and as many, those that are alike, then the
    others in their order.
    """
    left, right = list(old), list(new)
    pairs: list[tuple[Containment, Containment]] = []
    is_compared = 1 < len(old) * len(new) <= _MAX_CONTAINS_PAIRS
    for is_exact in (True, False) if is_compared else ():
        for containment in tuple(left):
            likely = (each for each in right if not is_exact or _counts(each) == _counts(containment))
            other = next((each for each in likely if is_alike((containment.schema,), (each.schema,))), None)
            if other is not None:
                left = [each for each in left if each is not containment]
                right = [each for each in right if each is not other]
                pairs.append((containment, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return ContainmentPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))


def _counts(containment: Containment) -> tuple[int, int | None]:
    return containment.low, containment.high
