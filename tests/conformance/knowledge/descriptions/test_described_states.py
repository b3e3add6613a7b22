"""States that plain sentences of descriptions name."""

import pytest

from devportal.conformance.knowledge.descriptions.described_states import (
    allowed_states,
    initial_state,
    target_state,
)
from tests.reference.reading import api_from

STATES = ("queued", "running", "done", "cancelled")


@pytest.mark.parametrize(
    ("description", "status", "allowed"),
    [
        ("Cancels a job that is `queued` or `running`; others get 409.", "409", ("queued", "running")),
        ("Cancels a print job which is queued. Others are rejected.", "409", ("queued",)),
        ("Cancels a job that is `queued` or `running`.", "409", ()),
        ("Cancels a job that is `queued`; others get 409.", "422", ()),
        ("Cancels a job that is not `done`; others get 409.", "409", ()),
        ("Only `queued` jobs can be cancelled.", "409", ("queued",)),
        ("If the job is not `queued`, the request is rejected.", "409", ("queued",)),
        ("It gets 409 unless the job is `queued` or `running`.", "409", ("queued", "running")),
        ("Records a note for a queued job. A job with another status is rejected.", "409", ("queued",)),
        ("Records a note for a queued job. Others are welcome.", "409", ()),
        ("Cancelling a cancelled job returns 409.", "409", ("queued", "running", "done")),
        ("Cancelling an already `done` job is rejected with 409", "409", ("queued", "running", "cancelled")),
        ("Cancelling a cancelled job returns 200.", "409", ()),
        ("Cancelling a cancelled job returns 409 unless it is old.", "409", ()),
        ("Cancelling a job that is already `done` returns 409.", "409", ("queued", "running", "cancelled")),
        ("Cancelling anything but a queued job returns 409.", "409", ()),
        ("Cancelling a job that isn't queued returns 409.", "409", ()),
        ("Cancelling a non-queued job returns 409.", "409", ()),
        ("Cancelling a job with a running step returns 409.", "409", ()),
        ("Cancelling a queued job twice returns 409.", "409", ()),
        ("Cancelling a queued job returns 409 for guests.", "409", ()),
        ("Starting a running job returns 409.", "409", ()),
        ("Sets a job to a queued state. Others are rejected.", "409", ()),
        ("Adds a note to a queued job. Other formats are rejected.", "409", ()),
        ("Adds a note to a queued job. Other jobs are rejected.", "409", ("queued",)),
        (
            "Stops a `queued` or `running` job. In any other status the response is 409.",
            "409",
            ("queued", "running"),
        ),
        ("Stops a `running` job, which is `done` then. Others get 409.", "409", ("running",)),
        ("Stops a `running` job. Other formats are rejected.", "409", ()),
        ("Stops a `running` job at `done`. Others get 409.", "409", ()),
        ("If the job is not `queued` and old, it gets 409.", "409", ()),
        ("If the job is not `queued`, it is cancelled later.", "409", ()),
        ("It gets 409 until the job is `queued`.", "409", ()),
    ],
)
def test_the_states_that_allow_an_operation(description: str, status: str, allowed: tuple[str, ...]) -> None:
    """They are named, and all others are rejected with 409."""
    operation = {"description": description, "responses": {status: {"description": "Rejected."}}}
    api = api_from({"paths": {"/jobs/{id}/cancel": {"post": operation}}})

    assert allowed_states(api.operations[0], STATES, "cancelled") == allowed


@pytest.mark.parametrize(
    ("description", "state"),
    [
        ("Moves a job from `done` to `queued`.", "queued"),
        ("Moves a job from `done` or `cancelled` back to `queued`.", "queued"),
        ("Takes a job that is `done` or `cancelled`.", ""),
        ("Moves a job from `done` to `queued` or `running`.", ""),
        ("Takes up a `done` job, which becomes `queued`.", "queued"),
        ("Takes up a `queued` job, which becomes `running` when a worker is free.", ""),
        ("The job is `queued` and later becomes `running`.", ""),
    ],
)
def test_the_state_that_an_action_leads_to_is_at_the_end_of_its_way(description: str, state: str) -> None:
    """The name of the action names no state here."""
    api = api_from({"paths": {"/jobs/{id}/reopen": {"post": {"description": description, "responses": {}}}}})

    assert target_state(api.operations[0], STATES) == state


@pytest.mark.parametrize(
    ("sentence", "state"),
    [
        ("A new job is `queued`.", "queued"),
        ("New jobs start as queued.", "queued"),
        ("A new print job has the status `queued` until it is taken.", "queued"),
        ("Creates a job in the state `queued`.", "queued"),
        ("The job is created as `queued`.", "queued"),
        ("Adds a job with status queued.", "queued"),
        ("The initial state is `queued`.", "queued"),
        ("Starts in `queued`.", "queued"),
        ("A new job is `queued`, or `running` if a printer is free.", ""),
        ("Creates a job in the state `queued` unless it is paused.", ""),
        ("Creates a job in a running printer.", ""),
        ("Creates a job. A new page is printed.", ""),
        ("Creates a job that is done later.", ""),
    ],
)
def test_the_state_of_something_new(sentence: str, state: str) -> None:
    """It is named without a condition."""
    assert initial_state((sentence,), STATES) == state
