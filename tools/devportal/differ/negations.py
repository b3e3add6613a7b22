"""What two forms forbid (`not`): several of them are not one, so each is set against its former self."""

from collections.abc import Sequence
from dataclasses import dataclass

from devportal.contract import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class NegationPairing:
    """The forbidden schemas of both sides that belong together, and those of one side alone."""

    pairs: tuple[tuple[Schema, Schema], ...]
    removed: tuple[Schema, ...]
    added: tuple[Schema, ...]


def pair_negations(old: Sequence[Schema], new: Sequence[Schema]) -> NegationPairing:
    """Return how forbidden schemas belong together: the equal ones, then the others in their order."""
    left, right = list(old), list(new)
    pairs: list[tuple[Schema, Schema]] = []
    for one in old:
        other = next((other for other in right if other == one), None)
        if other is not None:
            left.remove(one)
            right.remove(other)
            pairs.append((one, other))
    pairs += zip(left, right, strict=False)
    count = min(len(left), len(right))
    return NegationPairing(pairs=tuple(pairs), removed=tuple(left[count:]), added=tuple(right[count:]))
