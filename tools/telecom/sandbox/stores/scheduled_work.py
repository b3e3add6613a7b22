"""What happens in time: things that are due at a moment, and are advanced in one transaction with the events
they cause."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from telecom.sandbox.api.identifiers import RandomBytes
from telecom.states import StateMachines


class TimedKind(StrEnum):
    """What time brings something for."""

    MESSAGE = "message"
    CALL = "call"
    BRAND = "brand"
    CAMPAIGN = "campaign"
    WEBHOOK = "webhook"
    IDEMPOTENCY_KEY = "idempotency_key"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceContext:
    """Now, the randomness for identifiers of what is made now, and the steps that the contract allows."""

    now: datetime
    random_bytes: RandomBytes
    machines: StateMachines


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedResource:
    """A kind of thing that changes by itself.

    `next_due` returns when the next of them is due, None if none is; `advance` gives those that are due
    their next state, and says how many they were.
    """

    kind: TimedKind
    next_due: Callable[[sa.Connection], datetime | None]
    advance: Callable[[sa.Connection, AdvanceContext], int]
