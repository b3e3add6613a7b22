"""Scheduled work: resources that are due at a moment, and are advanced in one transaction with their events."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from telecom.sandbox.api.identifiers import RandomBytes
from telecom.states import StateMachines


class TimedKind(StrEnum):
    """The kinds of scheduled work."""

    MESSAGE = "message"
    CALL = "call"
    BRAND = "brand"
    CAMPAIGN = "campaign"
    WEBHOOK = "webhook"
    IDEMPOTENCY_KEY = "idempotency_key"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceContext:
    """The current time, the randomness for new identifiers, and the steps that the contract allows."""

    now: datetime
    random_bytes: RandomBytes
    machines: StateMachines


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedResource:
    """A kind of resource that changes by time.

    `next_due` returns when the next one is due, None if none is; `advance` moves the due ones to their next
    state, and returns how many.
    """

    kind: TimedKind
    next_due: Callable[[sa.Connection], datetime | None]
    advance: Callable[[sa.Connection, AdvanceContext], int]
