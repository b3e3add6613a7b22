"""What follows from an answer: laws that hold for every sequence of them."""

import random
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from devportal.serving.retries import HTTP_GONE
from telecom.sandbox.delivery.attempt import (
    NO_RETRIES,
    STANDARD_SCHEDULE,
    AttemptResponse,
    state_after_attempt,
)
from telecom.sandbox.delivery.deliveries import DeliveryState

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
RNG = random.Random(7)  # noqa: S311 - tests are to be repeatable
STATUSES = st.none() | st.integers(100, 599)
WAITS = st.timedeltas(timedelta(0), timedelta(days=1))


def answer(status: int | None, wait: timedelta = timedelta(0)) -> AttemptResponse:
    return AttemptResponse(status=status, error=None if status is not None else "no answer", wait=wait)


@given(st.lists(STATUSES, min_size=20, max_size=20))
def test_every_delivery_comes_to_an_end(statuses: list[int | None]) -> None:
    """After success, 410 or ten attempts; and pending always has a time, which nothing else has."""
    for number, status in enumerate(statuses, start=1):
        state, due_at = state_after_attempt(
            answer(status), attempt=number, schedule=STANDARD_SCHEDULE, rng=RNG, now=NOW
        )
        assert (due_at is not None) == (state is DeliveryState.PENDING)
        if state is not DeliveryState.PENDING:
            break

    assert number <= len(STANDARD_SCHEDULE.pauses) + 1
    success = status is not None and 200 <= status < 300
    assert state is (DeliveryState.DELIVERED if success else DeliveryState.FAILED)
    assert success or status == HTTP_GONE or number == len(STANDARD_SCHEDULE.pauses) + 1


@given(st.integers(1, 9), st.integers(400, 599).filter(lambda item: item != HTTP_GONE), WAITS)
def test_next_attempt_waits_for_schedule_and_receiver(number: int, status: int, wait: timedelta) -> None:
    """At least the pause and at least what the receiver asks for; at most a fifth more than the longer."""
    _, due_at = state_after_attempt(
        answer(status, wait), attempt=number, schedule=STANDARD_SCHEDULE, rng=RNG, now=NOW
    )

    pause = STANDARD_SCHEDULE.pauses[number - 1]
    assert due_at is not None
    assert max(pause, wait) <= due_at - NOW <= max(pause * 1.2, wait)


@given(STATUSES, WAITS)
def test_what_is_sent_once_is_not_repeated(status: int | None, wait: timedelta) -> None:
    """Whatever the receiver says."""
    state, due_at = state_after_attempt(
        answer(status, wait), attempt=1, schedule=NO_RETRIES, rng=RNG, now=NOW
    )

    assert state is not DeliveryState.PENDING
    assert due_at is None
