"""The state machines that the sandbox obeys."""

import pytest

from devportal.contract import StateMachine, Transition
from devportal.errors import InvalidContract
from telecom.states import ForbiddenTransition, StateMachines

LAMP = StateMachine(
    states=("off", "on", "broken"),
    initial=("off",),
    transitions=(
        Transition(source="off", target="on"),
        Transition(source="on", target="off"),
        Transition(source="on", target="broken"),
    ),
)
MACHINES = StateMachines(by_schema={"LampStatus": LAMP})


def test_step_of_the_contract_is_taken() -> None:
    """The new state is returned, to be stored."""
    assert MACHINES.step("LampStatus", "off", "on") == "on"
    assert MACHINES.allows("LampStatus", "off", "on")


@pytest.mark.parametrize(
    ("source", "target"), [("off", "broken"), ("broken", "on"), ("on", "on"), ("?", "on")]
)
def test_step_that_the_contract_lacks_is_none(source: str, target: str) -> None:
    """It is a fault of the program, and names both states."""
    assert not MACHINES.allows("LampStatus", source, target)
    with pytest.raises(ForbiddenTransition, match=f"LampStatus has no step from '.*' to '{target}'"):
        MACHINES.step("LampStatus", source, target)


def test_final_is_what_nothing_leaves() -> None:
    """A lamp that is broken stays so."""
    assert [state for state in LAMP.states if MACHINES.is_final("LampStatus", state)] == ["broken"]


def test_schema_without_machine_is_told_with_those_that_have_one() -> None:
    """Who misspells a name sees the names that there are."""
    with pytest.raises(InvalidContract, match=r"'LampState'(.|\n)*LampStatus"):
        MACHINES.of("LampState")
