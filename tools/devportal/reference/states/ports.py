"""Where arrows end at the boxes of states: side by side, and where they can be upright, right below or above
what they come from.
"""

from collections.abc import Iterator, Sequence

from devportal.reference.states.cells import PORT_GAP, PORT_MARGIN, Skeleton
from devportal.reference.states.layered import Layers, pooled

Joint = tuple[int, int]
Ends = dict[Joint, tuple[float, float]]
"""How far from the middles of its two cells each joint ends."""


def even_ends(skeleton: Skeleton, layers: Layers) -> Ends:
    """Return ends that are evenly apart, around the middles of their boxes."""
    return _ends(skeleton, _evenly(skeleton, layers))


def straight_ends(skeleton: Skeleton, layers: Layers, xs: Sequence[float]) -> Ends:
    """Return ends that are right below or above the next cells, as far as their boxes reach."""
    return _ends(skeleton, _straight(skeleton, layers, xs))


def _ends(skeleton: Skeleton, shifts: Iterator[tuple[int, Joint, float]]) -> Ends:
    found = {(cell, joint): shift for cell, joint, shift in shifts}
    return {one: (found.get((one[0], one), 0), found.get((one[1], one), 0)) for one in skeleton.joints}


def _evenly(skeleton: Skeleton, layers: Layers) -> Iterator[tuple[int, Joint, float]]:
    for cell, joints, step in _sides(skeleton, layers):
        for number, joint in enumerate(joints):
            yield cell, joint, (number - (len(joints) - 1) / 2) * step


def _straight(skeleton: Skeleton, layers: Layers, xs: Sequence[float]) -> Iterator[tuple[int, Joint, float]]:
    for cell, joints, step in _sides(skeleton, layers):
        half = skeleton.cells[cell].width / 2 - PORT_MARGIN
        wanted = [xs[_other(joint, cell)] - xs[cell] for joint in joints]
        room = [step * number for number in range(len(joints))]
        shifts = pooled(wanted, [1.0] * len(joints), room, within=(-half, half))
        yield from ((cell, joint, shift) for joint, shift in zip(joints, shifts, strict=True))


def _sides(skeleton: Skeleton, layers: Layers) -> Iterator[tuple[int, list[Joint], float]]:
    """Yield the joints at the lower and at the upper side of each state, from the left, and how far they are
    apart there.
    """
    position = {cell: number for layer in layers for number, cell in enumerate(layer)}
    for cell in skeleton.at.values():
        for side in (0, 1):
            joints = [one for one in skeleton.joints if one[side] == cell]
            joints.sort(key=lambda one, here=cell: position[_other(one, here)])  # type: ignore[misc]
            gaps = len(joints) - 1
            room = skeleton.cells[cell].width - 2 * PORT_MARGIN
            if joints:
                yield cell, joints, min(PORT_GAP, room / gaps) if gaps else 0


def _other(joint: Joint, cell: int) -> int:
    return joint[1] if joint[0] == cell else joint[0]
