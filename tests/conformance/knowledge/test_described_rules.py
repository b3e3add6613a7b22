"""Rules that plain sentences of descriptions state."""

import pytest

from devportal.conformance.knowledge.described_rules import allowed_states
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
    ],
)
def test_the_states_that_allow_an_operation(description: str, status: str, allowed: tuple[str, ...]) -> None:
    """They are named, and all others are rejected with 409."""
    operation = {"description": description, "responses": {status: {"description": "Rejected."}}}
    api = api_from({"paths": {"/jobs/{id}/cancel": {"post": operation}}})

    assert allowed_states(api.operations[0], STATES, "cancelled") == allowed
