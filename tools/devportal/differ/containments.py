"""What the items of two arrays have to hold (`contains`): several of them are not one, so each is set against
its former self (JSON Schema 2020-12 §10.3.1.3).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from devportal.contract import Schema
from devportal.differ.forms import Containment

_MOST_COMPARED = 100
_Alike = Callable[[tuple[Schema, ...], tuple[Schema, ...]], bool]


def containments_of(parts: Sequence[Schema]) -> Iterator[Containment]:
    """Yield what each part asks of the items; none at least and any number at most is no question."""
    seen: list[Containment] = []
    for part in parts:
        counts = {one.keyword: one.value for one in part.constraints}
        for keyword, schema in part.others:
            low, high = int(counts.get("minContains", 1)), counts.get("maxContains")
            found = Containment(schema=schema, low=low, high=None if high is None else int(high))
            if keyword == "contains" and (low or high is not None) and found not in seen:
                seen.append(found)
                yield found


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
    is_told_apart = 1 < len(old) * len(new) <= _MOST_COMPARED
    for is_exact in (True, False) if is_told_apart else ():
        for one in tuple(left):
            likely = (each for each in right if not is_exact or _counts(each) == _counts(one))
            other = next((each for each in likely if is_alike((one.schema,), (each.schema,))), None)
            if other is not None:
                left = [each for each in left if each is not one]
                right = [each for each in right if each is not other]
                pairs.append((one, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return ContainmentPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))


def _counts(containment: Containment) -> tuple[int, int | None]:
    return containment.low, containment.high
