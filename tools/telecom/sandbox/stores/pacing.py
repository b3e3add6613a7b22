"""Throughput: the pace at which an account's messages leave their queue and its calls start."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.api.rate_limit import RateLimit, RateLimitDecision
from telecom.sandbox.database.tables import METADATA, UtcTime, from_microseconds, microseconds

PACES = sa.Table(
    "paces",
    METADATA,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("of", sa.String(16), primary_key=True),
    sa.Column("free_at", UtcTime, nullable=False),
)
"""`of` is what is paced; the next one may go from `free_at` on."""

_MESSAGES, _CALLS = "messages", "calls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """The throughput of an account: messages per second, counted in segments, and calls per second; and how
    many seconds of throughput its queue holds. A `second` may be shorter in the sandbox."""

    messages_per_s: int = 1000
    calls_per_s: int = 100
    queue_s: int = 4 * 3600
    second: timedelta = timedelta(seconds=1)


PRODUCTION_THROUGHPUT = Throughput(messages_per_s=10, calls_per_s=1)
"""The default throughput (decision 0029)."""


def enqueue_message(
    connection: sa.Connection, account: str, segments: int, now: datetime, throughput: Throughput
) -> datetime:
    """Put a message of this many segments into the queue of its account; return when it leaves.

    Raises RequestRefused (429, policy `queue`) if the queue is full.
    """
    duration = throughput.second * segments / throughput.messages_per_s
    capacity = throughput.queue_s * throughput.second
    free_at = _reserve_pace(connection, account, _MESSAGES, now, duration, capacity=capacity)
    excess = free_at - now - capacity
    if excess > timedelta(0):
        size = throughput.queue_s * throughput.messages_per_s
        raise _over_throughput(
            RateLimit(quota=size, window_s=throughput.queue_s, name="queue"),
            excess,
            f"The queue of your account is full: it holds {size:,} segments, which is what leaves it in "
            f"{throughput.queue_s // 3600} hours.",
        )
    return free_at - duration


def begin_call(connection: sa.Connection, account: str, now: datetime, throughput: Throughput) -> None:
    """Count a call; raises RequestRefused (429, policy `calls-per-second`) if it is one too many in a second."""
    duration = throughput.second / throughput.calls_per_s
    free_at = _reserve_pace(connection, account, _CALLS, now, duration, capacity=throughput.second)
    excess = free_at - now - throughput.second
    if excess > timedelta(0):
        raise too_many_calls(throughput, excess)


def too_many_calls(throughput: Throughput, wait: timedelta = timedelta(0)) -> RequestRefused:
    """Return the refusal of a call beyond the limit, with how long to wait."""
    agreed = throughput.calls_per_s
    return _over_throughput(
        RateLimit(quota=agreed, window_s=1, name="calls-per-second"),
        wait,
        f"More calls were asked for than {agreed} per second.",
    )


def _over_throughput(limit: RateLimit, wait: timedelta, sentence: str) -> RequestRefused:
    wait_s = max(1, ceil(wait.total_seconds()))
    decision = RateLimitDecision(limit=limit, is_allowed=False, remaining=0, reset_s=wait_s)
    pause = "1 second" if wait_s == 1 else f"{wait_s:,} seconds"
    return RequestRefused(
        ProblemKind.RATE_LIMIT_EXCEEDED, f"{sentence} Wait for {pause}.", headers=decision.headers()
    )


def _reserve_pace(
    connection: sa.Connection,
    account: str,
    kind: str,
    now: datetime,
    duration: timedelta,
    *,
    capacity: timedelta,
) -> datetime:
    """Move the time from which an account may send forward, from now at the earliest; return it.

    One that is more than twice as far ahead as the capacity is of a clock that has been set back since.
    """
    change = {
        "of_account": account,
        "of_what": kind,
        "now_us": microseconds(now),
        "latest_us": microseconds(now + 2 * capacity),
        "takes_us": duration // timedelta(microseconds=1),
    }
    free_at_us: int | None = connection.execute(_UPDATE_PACE, change).scalar()
    if (
        free_at_us is None
    ):  # nothing of this account was ever paced, or another transaction begins it just now
        connection.execute(
            _INSERT_PACE[connection.dialect.name], {"account": account, "of": kind, "free_at": now}
        )
        free_at_us = connection.execute(_UPDATE_PACE, change).scalar_one()
    return from_microseconds(free_at_us)


_FREE_US = sa.type_coerce(PACES.c.free_at, sa.BigInteger)
_NOW_US = sa.bindparam("now_us", type_=sa.BigInteger)
_LATEST_US = sa.bindparam("latest_us", type_=sa.BigInteger)
_UPDATE_PACE = (
    sa.update(PACES)
    .where(PACES.c.account == sa.bindparam("of_account"), PACES.c.of == sa.bindparam("of_what"))
    .values(
        free_at=sa.type_coerce(
            sa.case((_FREE_US.between(_NOW_US, _LATEST_US), _FREE_US), else_=_NOW_US)
            + sa.bindparam("takes_us", type_=sa.BigInteger),
            sa.BigInteger,
        )
    )
    .returning(_FREE_US)
)
_INSERT_PACE: Mapping[str, sa.Insert] = {
    "sqlite": sqlite.insert(PACES).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(PACES).on_conflict_do_nothing(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLimits:
    """The rate limit and the throughput of an account."""

    rate_limit: RateLimit
    throughput: Throughput
