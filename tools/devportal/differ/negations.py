"""What two forms forbid (`not`): several of them are not one, so each is set against its former self."""

from collections.abc import Sequence
from dataclasses import dataclass

from devportal.contract import Schema
from devportal.differ.properties import Alike

_MOST_COMPARED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class NegationPairing:
    """The forbidden schemas of both sides that belong together, and those of one side alone."""

    pairs: tuple[tuple[Schema, Schema], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]


def pair_negations(old: Sequence[Schema], new: Sequence[Schema], is_alike: Alike) -> NegationPairing:
    """Return how forbidden schemas belong together: those that are alike, then the others in their order."""
    left, right = list(old), list(new)
    pairs: list[tuple[Schema, Schema]] = []
    for one in old if 1 < len(old) * len(new) <= _MOST_COMPARED else ():
        other = next((other for other in right if is_alike((one,), (other,))), None)
        if other is not None:
            left = [each for each in left if each is not one]
            right = [each for each in right if each is not other]
            pairs.append((one, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return NegationPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))
