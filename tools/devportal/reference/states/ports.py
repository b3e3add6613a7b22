"""Where arrows end at the boxes of states: side by side, and where they can be upright, right below or above
what they come from.
"""

from collections.abc import Callable, Sequence

from devportal.reference.states.cells import PORT_GAP, PORT_MARGIN, Skeleton
from devportal.reference.states.layered import Layers, pooled

Ends = dict[tuple[int, int], tuple[float, float]]
"""How far from the middles of its two cells each joint ends."""

_Joint = tuple[int, int]


def even_ends(skeleton: Skeleton, layers: Layers) -> Ends:
    """Return ends that are evenly apart, around the middles of their boxes."""
    return _ends(skeleton, layers, lambda _, evenly: evenly)


def straight_ends(skeleton: Skeleton, layers: Layers, xs: Sequence[float]) -> Ends:
    """Return ends that are right below or above the next cells, as far as their boxes reach."""

    def towards(others: Sequence[float], evenly: Sequence[float]) -> list[float]:
        step = evenly[1] - evenly[0] if len(evenly) > 1 else 0.0
        return pooled(others, [1.0] * len(others), [step * number for number in range(len(others))])

    return _ends(skeleton, layers, towards, xs)


def _ends(
    skeleton: Skeleton,
    layers: Layers,
    choose: Callable[[Sequence[float], Sequence[float]], Sequence[float]],
    xs: Sequence[float] = (),
) -> Ends:
    position = {cell: number for layer in layers for number, cell in enumerate(layer)}
    found: dict[tuple[int, _Joint], float] = {}
    for cell in skeleton.at.values():
        for side in (0, 1):
            joints = [one for one in skeleton.joints if one[side] == cell]
            joints.sort(key=lambda one, other=1 - side: position[one[other]])  # type: ignore[misc]
            half = skeleton.cells[cell].width / 2 - PORT_MARGIN
            count = len(joints) - 1
            step = min(PORT_GAP, 2 * half / count) if count > 0 else 0
            evenly = [(number - count / 2) * step for number in range(len(joints))]
            others = [min(max(xs[one[1 - side]] - xs[cell], -half), half) for one in joints] if xs else evenly
            for one, shift in zip(joints, choose(others, evenly), strict=True):
                found[cell, one] = shift
    return {one: (found.get((one[0], one), 0), found.get((one[1], one), 0)) for one in skeleton.joints}
