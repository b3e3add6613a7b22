"""Laws of every drawing: nothing lies over anything else, and nothing of the machine is missing."""

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given

from devportal.contract import StateMachine, Transition
from devportal.reference.states.drawing import Box, Drawing, Point
from devportal.reference.states.html import MAX_STATES, MAX_TRANSITIONS
from devportal.reference.states.layout import state_drawing
from tests.contract.machines import machine, machines
from tests.growth import counted_steps

STEPS = 16
"""Into how many pieces a curve is taken apart to look where it goes."""


def boxes(drawing: Drawing) -> list[Box]:
    """Return the boxes of states and labels, and of the dots that something begins at."""
    labels = [arrow.label for arrow in drawing.arrows if arrow.label]
    labels += [loop.label for loop in drawing.loops if loop.label]
    return [*drawing.starts, *(state.box for state in drawing.states), *(label.box for label in labels)]


def overlap(first: Box, other: Box) -> bool:
    """Say whether two boxes have more than an edge in common."""
    is_beside = first.right <= other.left or other.right <= first.left
    return not (is_beside or first.bottom <= other.top or other.bottom <= first.top)


def points(line: tuple[Point, ...]) -> Iterator[Point]:
    """Yield points of a line that stands upright where it is given: between, it is a cubic curve."""
    for here, there in pairwise(line):
        middle = (here[1] + there[1]) / 2
        for number in range(STEPS + 1):
            t = number / STEPS
            parts = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            xs, ys = (here[0], here[0], there[0], there[0]), (here[1], middle, middle, there[1])
            yield (
                sum(part * x for part, x in zip(parts, xs, strict=True)),
                sum(part * y for part, y in zip(parts, ys, strict=True)),
            )


def is_inside(point: Point, box: Box) -> bool:
    """Say whether a point is in a box, and not at its edge."""
    x, y = point
    return box.left + 1 < x < box.right - 1 and box.top + 1 < y < box.bottom - 1


@given(machines())
def test_no_two_boxes_overlap(found: StateMachine) -> None:
    """Neither states nor labels, nor the one with the other."""
    drawing = state_drawing(found)

    assert [pair for pair in combinations(boxes(drawing), 2) if overlap(*pair)] == []


@given(machines())
def test_no_line_goes_through_a_box(found: StateMachine) -> None:
    """An arrow is broken off at its own label, and leads around all else."""
    drawing = state_drawing(found)

    for arrow in drawing.arrows:
        passed = [point for line in arrow.line for point in points(line)]
        assert [box for box in boxes(drawing) if any(is_inside(point, box) for point in passed)] == []


@given(machines())
def test_everything_is_within_the_canvas(found: StateMachine) -> None:
    """Boxes, labels, lines, and how far loops go out."""
    drawing = state_drawing(found)

    for box in boxes(drawing):
        assert box.left >= 0
        assert box.top >= 0
        assert box.right <= drawing.width
        assert box.bottom <= drawing.height
    assert all(0 <= x <= drawing.width for arrow in drawing.arrows for line in arrow.line for x, _ in line)
    assert all(loop.box.right + loop.out <= drawing.width for loop in drawing.loops)


@given(machines())
def test_each_step_is_drawn_once(found: StateMachine) -> None:
    """Those between the same two states are one arrow, which says all that has them happen."""
    drawing = state_drawing(found)

    arrows = [(arrow.source, arrow.target) for arrow in drawing.arrows if arrow.source]
    loops = [(loop.state, loop.state) for loop in drawing.loops]
    said = {(arrow.source, arrow.target): arrow.label for arrow in drawing.arrows}
    said |= {(loop.state, loop.state): loop.label for loop in drawing.loops}
    assert sorted([*arrows, *loops]) == sorted(
        {(transition.source, transition.target) for transition in found.transitions}
    )
    for step in found.transitions:
        label = said[step.source, step.target]
        assert " ".join(step.on.split()) in (" ".join(label.lines) if label else "")


@given(machines())
def test_each_state_is_drawn_once(found: StateMachine) -> None:
    """Those too that nothing leads to; the final ones are marked."""
    drawing = state_drawing(found)

    assert tuple(state.name for state in drawing.states) == found.states
    assert tuple(state.name for state in drawing.states if state.is_final) == found.finals
    assert {arrow.target for arrow in drawing.arrows if not arrow.source} == set(found.initial)


@given(machines())
def test_arrows_end_at_their_boxes(found: StateMachine) -> None:
    """At the upper or lower edge, and not around a corner."""
    drawing = state_drawing(found)
    at = {state.name: state.box for state in drawing.states}

    for arrow in drawing.arrows:
        x, y = arrow.line[-1][-1]
        assert y in (at[arrow.target].top, at[arrow.target].bottom)
        assert at[arrow.target].left < x < at[arrow.target].right


@given(machines())
def test_a_drawing_is_the_same_each_time(found: StateMachine) -> None:
    """A build that changes nothing writes the same bytes."""
    assert state_drawing(found) == state_drawing(found)


def test_a_long_edge_is_straight() -> None:
    """Where nothing is in its way, it has two bends: below its label, and above its end."""
    drawing = state_drawing(machine("a -> b: x", "b -> c: x", "c -> d: x", "a -> d: over all the others"))

    (arrow,) = (arrow for arrow in drawing.arrows if (arrow.source, arrow.target) == ("a", "d"))
    xs = [x for line in arrow.line for x, _ in line]
    assert len(set(xs[1:-1])) == 1


def test_a_way_back_leads_upwards() -> None:
    """Its tip is at the lower edge of what it leads back to."""
    drawing = state_drawing(machine("a -> b: on", "b -> a: off"))

    (arrow,) = (arrow for arrow in drawing.arrows if (arrow.source, arrow.target) == ("b", "a"))
    assert arrow.line[0][0][1] > arrow.line[-1][-1][1]


@pytest.mark.deep
def test_the_largest_machine_that_is_drawn_takes_a_moment() -> None:
    """However its transitions cross: a contract of others must not hold up a build."""
    states = tuple(f"s{number}" for number in range(MAX_STATES))
    pairs = (
        (number, (number * 7 + step * 11) % MAX_STATES) for step in (1, 2, 3) for number in range(MAX_STATES)
    )
    steps = tuple(Transition(source=states[first], target=states[other], on="x") for first, other in pairs)
    found = StateMachine(states=states, initial=states[:1], transitions=steps[:MAX_TRANSITIONS])

    with counted_steps() as work:
        drawing = state_drawing(found)

    assert len(drawing.states) == MAX_STATES
    assert work.count < 20_000_000
