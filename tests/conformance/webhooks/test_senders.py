"""A right sender is clean, run after run; each faulty one is named by the check for its fault."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from devportal.conformance.results.result import Standing
from devportal.conformance.run.run_log import RunLog
from tests.apps.serving import serving
from tests.conformance.webhooks.playing import FEW, SETTINGS, log_lines, play_scenarios
from tests.conformance.webhooks.sender import FAULTS, Sender

TOGETHER = (
    (
        "sent_to_deleted",
        "number_as_text",
        "retry_unsigned",
        "new_id_each_attempt",
        "again_after_204",
        "no_retry_after_404",
        "follows_redirects",
        "logged_status",
    ),
    ("same_step", "time_of_yesterday", "log_of_everybody"),
)
"""Faults that do not hide each other, one for each check."""
PATIENT_S = 120
"""How long to wait for all that a right sender sends; nobody waits longer than it takes."""
AT_ONCE = 6
"""So many senders are tested at a time: most of a run is waiting."""
SHARES = 4
"""So many tests they are, for several processes."""
OF_MANY_ANSWERS = ("webhook-retries", "webhook-refusals", "webhook-repetitions")
"""Checks whose faults show in one scenario only."""


def log_of(*faults: str, settings: Mapping[str, Any] = SETTINGS) -> RunLog:
    """Play everything against a sender with failures."""
    with serving(Sender(faults=frozenset(faults)).app()) as url:
        return play_scenarios(url, settings)


def log_of_one(fault: str) -> RunLog:
    """Play against a sender with one fault what can show it."""
    needs_many = FAULTS[fault] in OF_MANY_ANSWERS or fault in (
        "given_up_stays_pending",
        "logged_as_delivered",
    )
    return log_of(fault, settings=SETTINGS if needs_many else FEW)


@pytest.mark.conformance
@pytest.mark.parametrize("_number", [1, *(pytest.param(number, marks=pytest.mark.deep) for number in (2, 3))])
def test_a_right_sender_is_clean_run_after_run(_number: int) -> None:
    """No fault, no gap, every event of the contract received, every check passed."""
    log = log_of(settings={**SETTINGS, "patience_s": PATIENT_S})

    assert log_lines(log) == []
    assert set(log.received_events) == {"order.changed", "order.billed"}
    assert {check for _, check, _, is_passed in log.tallies if is_passed} >= set(FAULTS.values())


@pytest.mark.conformance
@pytest.mark.parametrize("faults", TOGETHER, ids=lambda faults: faults[0])
def test_faults_that_do_not_meet_are_each_found(faults: tuple[str, ...]) -> None:
    """A sender with several faults fails the check for each of them, confirmed by a second play."""
    log = log_of(*faults)

    confirmed = {failure.check for failure in log.failures if failure.standing is Standing.CONFIRMED}
    assert confirmed >= {FAULTS[fault] for fault in faults}, log_lines(log)


@pytest.mark.conformance
@pytest.mark.parametrize(("fault", "is_found"), [("two_attempts_less", False), ("no_retry", True)])
def test_without_a_promised_number_of_attempts_one_retry_is_enough(fault: str, *, is_found: bool) -> None:
    """A sender that gives up after some attempts passes; one that never retries fails."""
    log = log_of(fault, settings={**FEW, "promises": {"retried": [500]}, "patience_s": 2})

    assert ("webhook-retries" in {failure.check for failure in log.failures}) is is_found, log_lines(log)


def test_each_check_has_a_fault_that_the_fast_tier_finds() -> None:
    """No check of webhooks is proven in the deep tier alone."""
    found = {FAULTS[fault] for faults in TOGETHER for fault in faults}

    assert found == set(FAULTS.values())


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("share", range(SHARES))
def test_each_faulty_sender_is_caught_by_the_check_for_it(share: int) -> None:
    """The failure is confirmed by a second play, and shows the trigger that brings it about.

    Plays are real, and take their time. What a busy machine has blurred is played once more, alone.
    """
    faults = list(FAULTS)[share::SHARES]
    with ThreadPoolExecutor(max_workers=AT_ONCE) as threads:
        logs = dict(zip(faults, threads.map(log_of_one, faults), strict=True))
    alone = {fault: log_of_one(fault) for fault, log in logs.items() if not is_caught(fault, log)}

    uncaught = {fault: log_lines(log) for fault, log in alone.items() if not is_caught(fault, log)}
    assert uncaught == {}


def is_caught(fault: str, log: RunLog) -> bool:
    """Say whether the check for a fault has found it, confirmed it, and shown how to see it."""
    found = [failure for failure in log.failures if failure.check == FAULTS[fault]]
    shows = all(
        failure.operation == "POST /orders" and failure.evidence[0].request.url.endswith("/orders")
        for failure in found
    )
    return shows and any(failure.standing is Standing.CONFIRMED for failure in found)


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("fault", ["secret_in_body", "token_in_header"])
def test_no_secret_is_shown(fault: str) -> None:
    """What leaks into a delivery does not leak into a report."""
    failures = log_of_one(fault).failures

    shown = repr([(failure.message, failure.evidence) for failure in failures])
    assert failures
    assert "whsec_" not in shown
    assert "orders-main-token" not in shown
