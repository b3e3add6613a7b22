"""Where arrows end at the boxes of states: side by side, and where they can be upright, right below or above
what they come from.
"""

from collections.abc import Iterator, Sequence

from devportal.reference.states.cells import PORT_GAP, PORT_MARGIN, LayoutCells
from devportal.reference.states.layered import Layers, spread_apart

CellPair = tuple[int, int]
ArrowEnds = dict[CellPair, tuple[float, float]]
"""How far from the middles of its two cells each joint ends."""


def evenly_spaced_ends(skeleton: LayoutCells, layers: Layers) -> ArrowEnds:
    """Return ends that are evenly apart, around the middles of their boxes."""
    return _collect_ends(skeleton, _even_shifts(skeleton, layers))


def straight_ends(skeleton: LayoutCells, layers: Layers, xs: Sequence[float]) -> ArrowEnds:
    """Return ends that are right below or above the next cells, as far as their boxes reach."""
    return _collect_ends(skeleton, _straight_shifts(skeleton, layers, xs))


def _collect_ends(skeleton: LayoutCells, shifts: Iterator[tuple[int, CellPair, float]]) -> ArrowEnds:
    found = {(cell, joint): shift for cell, joint, shift in shifts}
    return {one: (found.get((one[0], one), 0), found.get((one[1], one), 0)) for one in skeleton.joints}


def _even_shifts(skeleton: LayoutCells, layers: Layers) -> Iterator[tuple[int, CellPair, float]]:
    for cell, joints, step in _joints_by_side(skeleton, layers):
        for number, joint in enumerate(joints):
            yield cell, joint, (number - (len(joints) - 1) / 2) * step


def _straight_shifts(
    skeleton: LayoutCells, layers: Layers, xs: Sequence[float]
) -> Iterator[tuple[int, CellPair, float]]:
    for cell, joints, step in _joints_by_side(skeleton, layers):
        half = skeleton.cells[cell].width / 2 - PORT_MARGIN
        wanted = [xs[_other_cell(joint, cell)] - xs[cell] for joint in joints]
        room = [step * number for number in range(len(joints))]
        shifts = spread_apart(wanted, [1.0] * len(joints), room, within=(-half, half))
        yield from ((cell, joint, shift) for joint, shift in zip(joints, shifts, strict=True))


def _joints_by_side(skeleton: LayoutCells, layers: Layers) -> Iterator[tuple[int, list[CellPair], float]]:
    """Yield the joints at the lower and at the upper side of each state, from the left, and how far they are
    apart there.
    """
    position = {cell: number for layer in layers for number, cell in enumerate(layer)}
    for cell in skeleton.at.values():
        for side in (0, 1):
            joints = [one for one in skeleton.joints if one[side] == cell]
            joints.sort(key=lambda one, here=cell: position[_other_cell(one, here)])  # type: ignore[misc]
            gaps = len(joints) - 1
            room = skeleton.cells[cell].width - 2 * PORT_MARGIN
            if joints:
                yield cell, joints, min(PORT_GAP, room / gaps) if gaps else 0


def _other_cell(joint: CellPair, cell: int) -> int:
    return joint[1] if joint[0] == cell else joint[0]
