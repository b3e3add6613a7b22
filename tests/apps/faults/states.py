"""Faults in states and times: ends that are none, beginnings that are none, clocks that are wrong."""

import itertools

from tests.apps.faults.keeping import fault, members
from tests.apps.faults.proxy import Asked, Forward, Given, Twist
from tests.apps.faults.twists import (
    DRAFT,
    ENDPOINT,
    ENDPOINT_IDS,
    MESSAGES,
    READ,
    SEND,
    VERSION_IDS,
)


def _ends_and_goes_on() -> Twist:
    """Show a message that is delivered as sent again at every second reading."""
    turn = itertools.count()

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(READ) and given.status == 200 and given.json["status"] == "delivered":
            return given.with_members(status="sent", final=False) if next(turn) % 2 else given
        return given

    return twist


def _delivered_before_sent() -> Twist:
    """Say that a message is delivered at first, and what is true later."""
    seen: set[str] = set()

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(READ) and given.status == 200 and asked.path not in seen:
            seen.add(asked.path)
            return given.with_members(status="rejected", final=True)
        return given

    return twist


MACHINES = (
    fault(
        "state-machines",
        "delivered-messages-are-sent-again",
        "final states are final",
        _ends_and_goes_on,
        MESSAGES,
    ),
    fault(
        "state-machines",
        "rejected-at-first",
        "final states are final",
        _delivered_before_sent,
        MESSAGES,
    ),
    fault(
        "state-machines",
        "born-delivered",
        "things begin in a first state",
        members(SEND, lambda _: {"status": "delivered"}),
        MESSAGES,
    ),
)
CLOCKS = (
    fault(
        "clock",
        "created-in-a-year",
        "times are right",
        members(ENDPOINT, lambda item: {"created_at": "2036" + item["created_at"][4:]}),
        ENDPOINT_IDS,
    ),
    fault(
        "clock",
        "created-long-ago",
        "times are right",
        members(DRAFT, lambda item: {"created_at": "2020" + item["created_at"][4:]}),
        VERSION_IDS,
    ),
    fault(
        "clock",
        "changed-before-it-was-created",
        "times are in order",
        members(ENDPOINT, lambda item: {"updated_at": "2001" + item["updated_at"][4:]}),
        ENDPOINT_IDS,
    ),
)
FAULTS = (*MACHINES, *CLOCKS)
