"""State machines as values: what they allow, and where their ways lead."""

from hypothesis import given

from devportal.contract import StateMachine
from tests.contract.machines import machine, machines


def test_a_step_is_allowed_where_it_is_listed() -> None:
    """Neither a way over several steps nor the way back is one."""
    found = machine("a -> b", "b -> c")

    assert found.allows("a", "b")
    assert not found.allows("a", "c")
    assert not found.allows("b", "a")


def test_final_states_are_those_that_nothing_leaves() -> None:
    """A step back to the same state leaves nothing: a receipt that comes twice changes nothing."""
    assert machine("a -> b", "a -> c", "b -> b").finals == ("b", "c")


def test_a_circle_has_no_final_state() -> None:
    """What can always go on is never final."""
    assert machine("a -> b", "b -> a").finals == ()


def test_a_state_follows_itself_only_where_a_way_leads_back() -> None:
    """Over one step or many."""
    found = machine("a -> b", "b -> c", "c -> b", "c -> d", "d -> d")

    assert found.reachable_from("a") == ("b", "c", "d")
    assert found.reachable_from("b") == ("b", "c", "d")
    assert found.reachable_from("d") == ("d",)


def test_what_is_reachable_begins_at_each_initial_state() -> None:
    """An initial state is reachable although no step leads to it."""
    assert machine("a -> b", "x -> y", "n -> a", initial=("a", "x")).reachable == ("a", "b", "x", "y")


def test_states_can_be_taken_out() -> None:
    """With them go the steps to and from them; without any step there is no machine."""
    found = machine("a -> b", "b -> c")

    assert found.without({"c"}) == machine("a -> b")
    assert found.without({"b"}) is None


@given(machines())
def test_ways_are_made_of_steps(found: StateMachine) -> None:
    """What follows a state is what one step leads to, and what follows that."""
    for state in found.states:
        steps = {other for other in found.states if found.allows(state, other)}
        further = {text for other in steps for text in found.reachable_from(other)}
        assert set(found.reachable_from(state)) == steps | further


@given(machines())
def test_nothing_follows_a_final_state(found: StateMachine) -> None:
    """But perhaps itself."""
    for state in found.finals:
        assert set(found.reachable_from(state)) <= {state}
