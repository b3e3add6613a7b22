"""Events about a message, held against the message: where they disagree, and what is none of it."""

from typing import Any

import pytest

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.contract import Contract
from telecom.conformance.delivery_receipts import event_mismatches
from telecom.conformance.event_log import LoggedEvent
from telecom.receipts import MESSAGE_STATE_MACHINE
from telecom.states import StateMachines

MESSAGE = {
    "id": "msg_1",
    "status": "delivered",
    "to": "+12025550123",
    "channel": "sms",
    "segments": 1,
    "carrier_status": "DELIVRD",
    "error_code": None,
    "sent_at": "2026-11-21T09:30:06.912Z",
    "finished_at": "2026-11-21T09:30:07.412Z",
}
ABOUT = {"message_id": "msg_1", "to": "+12025550123", "channel": "sms", "error_code": None}
NOBODY = Exchange(request=Request(method="GET", url="http://a.example/"), answer=None)


def event(kind: str, at: str, **data: Any) -> LoggedEvent:
    """Return an event about the message."""
    payload = {"type": f"message.{kind}", "timestamp": at, "data": {**ABOUT, **data}}
    return LoggedEvent(
        document={"type": f"message.{kind}", "subject": "msg_1", "payload": payload}, exchange=NOBODY
    )


SENT = event(
    "status_changed",
    "2026-11-21T09:30:06.912Z",
    sequence=1,
    previous_status="queued",
    status="sent",
    final=False,
)
DELIVERED = event(
    "status_changed",
    "2026-11-21T09:30:07.412Z",
    sequence=2,
    previous_status="sent",
    status="delivered",
    final=True,
)
RECEIPT = event(
    "delivery_receipt",
    "2026-11-21T09:30:07.412Z",
    sequence=2,
    status="delivered",
    final=True,
    carrier_status="DELIVRD",
    segments=1,
)
LATE = event(
    "delivery_receipt",
    "2026-11-21T09:30:06.912Z",
    sequence=1,
    status="sent",
    final=False,
    carrier_status="ACCEPTD",
    segments=1,
)


def titles(contract: Contract, *events: LoggedEvent, **members: Any) -> list[str]:
    """Return what disagrees."""
    machine = StateMachines.read(contract.api).of(MESSAGE_STATE_MACHINE)
    return [
        event_mismatch.title for event_mismatch in event_mismatches(machine, {**MESSAGE, **members}, events)
    ]


@pytest.mark.parametrize(
    "events",
    [
        (SENT, DELIVERED, RECEIPT),
        (RECEIPT, DELIVERED, SENT),
        (SENT, DELIVERED, RECEIPT, RECEIPT),
        (SENT, DELIVERED, RECEIPT, LATE),
    ],
    ids=["in order", "out of order", "a receipt twice", "a late receipt"],
)
def test_what_carriers_do_is_no_disagreement(contract: Contract, events: tuple[LoggedEvent, ...]) -> None:
    """Receipts come twice, late and in any order; the numbers of the steps put them right."""
    assert titles(contract, *events) == []


def test_a_message_without_events_is_told_of_nowhere(contract: Contract) -> None:
    """Both what it did and how it ended are missing."""
    assert titles(contract) == [
        "a message has ended, but no event reports its steps",
        "a message has ended, and no receipt reports how",
    ]


def test_a_step_that_was_left_out_is_missed(contract: Contract) -> None:
    """The second step alone neither begins at the beginning nor has the number 1."""
    assert set(titles(contract, DELIVERED, RECEIPT)) == {
        "the steps of a message are not counted from 1",
        "the first step is not from the beginning",
    }


def test_a_way_that_ends_elsewhere_is_told(contract: Contract) -> None:
    """The message says that it expired, and the events that it arrived."""
    found = titles(contract, SENT, DELIVERED, RECEIPT, status="expired", error_code="validity_expired")

    assert found == [
        "the last step has another status",
        "the last step has another error_code",
        "a message has ended, and no receipt reports how",
    ]


@pytest.mark.parametrize(
    ("finished_at", "wrong"),
    [("2026-11-21T09:30:07Z", False), ("2026-11-21T09:30:08.4Z", False), ("2026-11-21T09:30:08.5Z", True)],
)
def test_times_may_differ_by_a_second(contract: Contract, finished_at: str, *, wrong: bool) -> None:
    """One place may write milliseconds and another none."""
    found = titles(contract, SENT, DELIVERED, RECEIPT, finished_at=finished_at)

    assert found == (["an event has another time than finished_at"] if wrong else [])


def test_an_event_without_its_parts_is_a_finding_and_no_crash(contract: Contract) -> None:
    """What a deployment answers can be anything."""
    odd = LoggedEvent(document={"type": "message.status_changed", "payload": ["?"]}, exchange=NOBODY)

    assert "an event is about something else" in titles(contract, odd)
