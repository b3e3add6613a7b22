"""State machines for tests: written in a line each, and random ones."""

from hypothesis import strategies as st

from devportal.contract import StateMachine, Transition

_NAMES = ("a", "b", "c", "d", "delivered", "undelivered_for_a_long_reason", "x", "y")
_EVENTS = st.text("abc ", min_size=1, max_size=40).map(str.strip)


def machine(*steps: str, initial: tuple[str, ...] = ()) -> StateMachine:
    """Return the machine of steps such as `a -> b` or `a -> b: it is sent`; it begins where the first does.

    States are in the order in which they are named.
    """
    transitions = tuple(map(_transition, steps))
    states = tuple(
        dict.fromkeys(state for transition in transitions for state in (transition.source, transition.target))
    )
    return StateMachine(states=states, initial=initial or states[:1], transitions=transitions)


def _transition(step: str) -> Transition:
    ends, _, on = step.partition(": ")
    source, target = ends.split(" -> ")
    return Transition(source=source, target=target, on=on)


@st.composite
def machines(draw: st.DrawFn) -> StateMachine:
    """Return machines of up to eight states: with circles, loops, and states that nothing leads to."""
    states = _NAMES[: draw(st.integers(1, len(_NAMES)))]
    one = st.sampled_from(states)
    steps = st.builds(Transition, source=one, target=one, on=_EVENTS)
    transitions = draw(st.lists(steps, min_size=1, max_size=14, unique=True))
    initial = draw(st.lists(one, max_size=2, unique=True))
    return StateMachine(states=states, initial=tuple(initial), transitions=tuple(transitions))
