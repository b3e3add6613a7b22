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
def slow(sandbox: Any) -> Any:
    """Return a sandbox whose accounts have two messages and two calls per second, and a queue for ten."""
    sandbox.restart(throughput=SLOW)
    return sandbox


def statuses(sandbox: Any, identifiers: list[str]) -> list[str]:
    return [sandbox.get(f"/v1/messages/{one}").json()["status"] for one in identifiers]


def sent(sandbox: Any, **members: Any) -> Any:
    return sandbox.send({"to": "+12025550123", "channel": "sms", "body": "Hello", **members})


def test_messages_leave_in_their_order_at_the_pace(slow: Any) -> None:
    """The third of three is sent a second after the first."""
    identifiers = [sent(slow).json()["id"] for _ in range(3)]
    seen = []
    for _ in range(4):
        slow.clock.forward(seconds=0.5)
        slow.step()
        seen.append(statuses(slow, identifiers))

    assert seen == [
        ["sent", "queued", "queued"],
        ["delivered", "sent", "queued"],
        ["delivered", "delivered", "sent"],
        ["delivered", "delivered", "delivered"],
    ]


def test_segments_are_what_counts(slow: Any) -> None:
    """A text of four segments keeps the next message waiting for two seconds."""
    sent(slow, body="x" * 460 + "€" * 40)
    waiting = sent(slow).json()["id"]
    slow.clock.forward(seconds=2.4)
    slow.step()
    before = statuses(slow, [waiting])
    slow.clock.forward(seconds=0.1)
    slow.step()

    assert (before, statuses(slow, [waiting])) == (["queued"], ["sent"])


def test_each_account_has_its_own_pace(slow: Any) -> None:
    """What one sends keeps no other waiting."""
    for _ in range(6):
        sent(slow)
    other = slow.send(token="token-of-bob").json()["id"]
    slow.clock.forward(seconds=1)
    slow.step()

    assert slow.get(f"/v1/messages/{other}", token="token-of-bob").json()["status"] == "delivered"


def test_time_that_was_not_used_is_lost(slow: Any) -> None:
    """A quiet minute is no credit for a burst."""
    sent(slow)
    slow.clock.forward(minutes=1)
    identifiers = [sent(slow).json()["id"] for _ in range(2)]
    slow.clock.forward(seconds=0.5)
    slow.step()

    assert statuses(slow, identifiers) == ["sent", "queued"]


def test_full_queue_refuses(slow: Any) -> None:
    """The policy is named, nothing is stored, the key stays free, and there is room again in time."""
    for _ in range(10):
        assert sent(slow).status_code == 202
    refused = slow.send(headers={"Idempotency-Key": "the-eleventh"})
    stored = slow.count(MESSAGES)
    slow.clock.forward(seconds=1)
    accepted = slow.send(headers={"Idempotency-Key": "the-eleventh"})

    assert refused.status_code == 429
    assert refused.json()["type"].endswith("/rate-limit-exceeded/")
    assert refused.headers["RateLimit"] == '"queue";r=0;t=1'
    assert refused.headers["RateLimit-Policy"] == '"queue";q=10;w=5'
    assert refused.headers["Retry-After"] == "1"
    assert (stored, accepted.status_code) == (10, 202)


def test_refused_message_takes_no_place(slow: Any) -> None:
    """What is not accepted for another reason keeps nobody waiting."""
    for _ in range(5):
        sent(slow, sender="+14155550199")
    message_id = sent(slow).json()["id"]
    slow.clock.forward(seconds=0.5)
    slow.step()

    assert statuses(slow, [message_id]) == ["sent"]


def test_repeated_request_takes_no_place(slow: Any) -> None:
    """The answer that is kept is no second message."""
    for _ in range(5):
        slow.send(headers={"Idempotency-Key": "once"})
    message_id = sent(slow).json()["id"]
    slow.clock.forward(seconds=1)
    slow.step()

    assert statuses(slow, [message_id]) == ["sent"]


def test_calls_are_counted_by_the_second(slow: Any) -> None:
    """Two at once, not three; half a second later there is room for one. Another account has its own."""
    answers = [slow.post("/v1/calls", CALL) for _ in range(3)]
    of_bob = slow.post("/v1/calls", CALL, token="token-of-bob")
    slow.clock.forward(seconds=0.5)
    later = [slow.post("/v1/calls", CALL).status_code for _ in range(2)]

    assert [one.status_code for one in answers] == [202, 202, 429]
    assert of_bob.status_code == 202
    assert answers[2].headers["RateLimit"] == '"calls-per-second";r=0;t=1'
    assert answers[2].headers["RateLimit-Policy"] == '"calls-per-second";q=2;w=1'
    assert later == [202, 429]


def test_shorter_second_shortens_the_pace(slow: Any) -> None:
    """`--time-scale` holds for the queue too."""
    slow.restart(settles_after=timedelta(milliseconds=10))
    identifiers = [sent(slow).json()["id"] for _ in range(3)]
    slow.clock.forward(milliseconds=19)
    slow.step()

    assert statuses(slow, identifiers) == ["delivered", "delivered", "sent"]


def test_production_begins_with_less() -> None:
    """The sandbox's accounts have agreed more, so that nobody waits for a test (decision 0029)."""
    assert SandboxSettings(tokens=()).throughput == Throughput(
        messages_per_s=1000, calls_per_s=100, queue_s=14_400
    )
