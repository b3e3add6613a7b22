"""Faults in pacing: moments at which messages are said to have left, right or wrong."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from telecom.times import format_rfc3339
from tests.apps.faults.proxy import Asked, Fault, Forward, Given
from tests.apps.faults.twists import MESSAGES, READ, SEND

PER_S = 100
TAKES_S = 0.1
"""How long the ten segments of a message take at this pace."""
BEGAN_AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@dataclass(kw_only=True)
class Queue:
    """Says of each message when it left, by its number in the order of acceptance."""

    leaves_s: Callable[[int], float] = lambda number: number * TAKES_S
    names: list[str] = field(default_factory=list)

    async def __call__(self, asked: Asked, forward: Forward) -> Given:
        """Number what is accepted, and tell of it when it is read."""
        given = await forward(asked)
        if asked.has(SEND) and given.status == 202:
            self.names.append(given.json["id"])
        if not asked.has(READ) or given.status != 200 or given.json["id"] not in self.names:
            return given
        left_at = BEGAN_AT + timedelta(seconds=self.leaves_s(self.names.index(given.json["id"])))
        return given.with_members(sent_at=format_rfc3339(left_at))


def _queue(name: str, breaks: str, queue: Callable[[], Queue]) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="message-pacing",
        operations=MESSAGES,
        make=queue,
        plugins={"devportal-telecom": {"messages_per_second": PER_S}},
    )


FAULTS = (
    _queue("a-queue-that-holds-nothing", "messages leave as agreed", lambda: Queue(leaves_s=lambda _: 0.0)),
    _queue(
        "a-pace-of-messages-and-not-of-segments",
        "throughput counts segments",
        lambda: Queue(leaves_s=lambda number: number / PER_S),
    ),
    _queue(
        "a-pace-three-times-as-fast",
        "messages leave no faster than agreed",
        lambda: Queue(leaves_s=lambda number: number * TAKES_S / 3),
    ),
    _queue(
        "the-last-message-first",
        "messages leave in the order of their acceptance",
        lambda: Queue(leaves_s=lambda number: 100 - number * TAKES_S),
    ),
    _queue(
        "messages-that-are-overtaken",
        "messages leave in the order of their acceptance",
        lambda: Queue(leaves_s=lambda number: number * TAKES_S + (100 if number % 10 == 2 else 0)),
    ),
)
