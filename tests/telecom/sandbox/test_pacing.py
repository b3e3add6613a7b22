"""Throughput: messages wait for their turn, a queue has an end, and calls are counted by the second."""

from datetime import timedelta
from typing import Any

import pytest

from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.database.tables import MESSAGES
from telecom.sandbox.stores.pacing import Throughput

pytestmark = pytest.mark.both_databases
CALL = {
    "from": "+12025550140",
    "to": "+12125550123",
    "flow": [{"action": "say", "text": "Hello", "language": "en-US"}],
}
SLOW = Throughput(messages_per_s=2, calls_per_s=2, queue_s=5)


@pytest.fixture
def slow_sandbox(sandbox: Any) -> Any:
    """Return a sandbox whose accounts have two messages and two calls per second, and a queue for ten."""
    sandbox.restart(throughput=SLOW)
    return sandbox


def statuses(sandbox: Any, identifiers: list[str]) -> list[str]:
    return [sandbox.get(f"/v1/messages/{identifier}").json()["status"] for identifier in identifiers]


def send_message(sandbox: Any, **members: Any) -> Any:
    return sandbox.send({"to": "+12025550123", "channel": "sms", "body": "Hello", **members})


def test_messages_leave_in_their_order_at_the_pace(slow_sandbox: Any) -> None:
    """The third of three is sent a second after the first."""
    identifiers = [send_message(slow_sandbox).json()["id"] for _ in range(3)]
    seen = []
    for _ in range(4):
        slow_sandbox.clock.forward(seconds=0.5)
        slow_sandbox.step()
        seen.append(statuses(slow_sandbox, identifiers))

    assert seen == [
        ["sent", "queued", "queued"],
        ["delivered", "sent", "queued"],
        ["delivered", "delivered", "sent"],
        ["delivered", "delivered", "delivered"],
    ]


def test_segments_are_what_counts(slow_sandbox: Any) -> None:
    """A text of four segments keeps the next message waiting for two seconds."""
    send_message(slow_sandbox, body="x" * 460 + "€" * 40)
    waiting = send_message(slow_sandbox).json()["id"]
    slow_sandbox.clock.forward(seconds=2.4)
    slow_sandbox.step()
    before = statuses(slow_sandbox, [waiting])
    slow_sandbox.clock.forward(seconds=0.1)
    slow_sandbox.step()

    assert (before, statuses(slow_sandbox, [waiting])) == (["queued"], ["sent"])


def test_each_account_has_its_own_pace(slow_sandbox: Any) -> None:
    """What one sends keeps no other waiting."""
    for _ in range(6):
        send_message(slow_sandbox)
    other = slow_sandbox.send(token="token-of-bob").json()["id"]
    slow_sandbox.clock.forward(seconds=1)
    slow_sandbox.step()

    assert slow_sandbox.get(f"/v1/messages/{other}", token="token-of-bob").json()["status"] == "delivered"


def test_time_that_was_not_used_is_lost(slow_sandbox: Any) -> None:
    """A quiet minute is no credit for a burst."""
    send_message(slow_sandbox)
    slow_sandbox.clock.forward(minutes=1)
    identifiers = [send_message(slow_sandbox).json()["id"] for _ in range(2)]
    slow_sandbox.clock.forward(seconds=0.5)
    slow_sandbox.step()

    assert statuses(slow_sandbox, identifiers) == ["sent", "queued"]


def test_full_queue_refuses(slow_sandbox: Any) -> None:
    """The policy is named, nothing is stored, the key stays free, and there is room again in time."""
    for _ in range(10):
        assert send_message(slow_sandbox).status_code == 202
    refused = slow_sandbox.send(headers={"Idempotency-Key": "the-eleventh"})
    stored = slow_sandbox.count(MESSAGES)
    slow_sandbox.clock.forward(seconds=1)
    accepted = slow_sandbox.send(headers={"Idempotency-Key": "the-eleventh"})

    assert refused.status_code == 429
    assert refused.json()["type"].endswith("/rate-limit-exceeded/")
    assert refused.headers["RateLimit"] == '"queue";r=0;t=1'
    assert refused.headers["RateLimit-Policy"] == '"queue";q=10;w=5'
    assert refused.headers["Retry-After"] == "1"
    assert (stored, accepted.status_code) == (10, 202)


def test_refused_message_takes_no_place(slow_sandbox: Any) -> None:
    """What is not accepted for another reason keeps nobody waiting."""
    for _ in range(5):
        send_message(slow_sandbox, sender="+14155550199")
    message_id = send_message(slow_sandbox).json()["id"]
    slow_sandbox.clock.forward(seconds=0.5)
    slow_sandbox.step()

    assert statuses(slow_sandbox, [message_id]) == ["sent"]


def test_repeated_request_takes_no_place(slow_sandbox: Any) -> None:
    """The answer that is kept is no second message."""
    for _ in range(5):
        slow_sandbox.send(headers={"Idempotency-Key": "once"})
    message_id = send_message(slow_sandbox).json()["id"]
    slow_sandbox.clock.forward(seconds=1)
    slow_sandbox.step()

    assert statuses(slow_sandbox, [message_id]) == ["sent"]


def test_calls_are_counted_by_the_second(slow_sandbox: Any) -> None:
    """Two at once, not three; half a second later there is room for one. Another account has its own."""
    answers = [slow_sandbox.post("/v1/calls", CALL) for _ in range(3)]
    of_bob = slow_sandbox.post("/v1/calls", CALL, token="token-of-bob")
    slow_sandbox.clock.forward(seconds=0.5)
    later = [slow_sandbox.post("/v1/calls", CALL).status_code for _ in range(2)]

    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert of_bob.status_code == 202
    assert answers[2].headers["RateLimit"] == '"calls-per-second";r=0;t=1'
    assert answers[2].headers["RateLimit-Policy"] == '"calls-per-second";q=2;w=1'
    assert later == [202, 429]


def test_shorter_second_shortens_the_pace(slow_sandbox: Any) -> None:
    """`--time-scale` holds for the queue too."""
    slow_sandbox.restart(settles_after=timedelta(milliseconds=10))
    identifiers = [send_message(slow_sandbox).json()["id"] for _ in range(3)]
    slow_sandbox.clock.forward(milliseconds=19)
    slow_sandbox.step()

    assert statuses(slow_sandbox, identifiers) == ["delivered", "delivered", "sent"]


def test_production_begins_with_less() -> None:
    """The sandbox's accounts have agreed more, so that nobody waits for a test (decision 0029)."""
    assert SandboxSettings(tokens=()).throughput == Throughput(
        messages_per_s=1000, calls_per_s=100, queue_s=14_400
    )
