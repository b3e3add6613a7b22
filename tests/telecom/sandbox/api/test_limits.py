"""The quota of requests: whose is counted together, by how many processes, and what is forgotten."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from tests.telecom.sandbox.conftest import rows_of
from tests.telecom.sandbox.postgresql_cluster import Cluster

from telecom.sandbox.api.rate_limit import (
    QUOTAS,
    DatabaseWindows,
    InMemoryWindows,
    QuotaKey,
    RateLimit,
    RateLimitDecision,
    RateLimiter,
)
from telecom.sandbox.database.database import Database

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def take(
    limiter: RateLimiter, account: str = "ada", now: datetime = NOW, *, address: str = ""
) -> RateLimitDecision:
    return asyncio.run(limiter.take(account, "a", now, address=address))


@pytest.fixture
def processes(cluster: Cluster) -> Iterator[tuple[Database, Database]]:
    """Return two databases at one address, as two processes have them."""
    with cluster.database() as address, ExitStack() as stack:
        first, second = (stack.enter_context(closing(Database.open(address))) for _ in range(2))
        yield first, second


def test_account_with_a_limit_of_its_own_is_held_to_it() -> None:
    """The others have the usual one."""
    limiter = RateLimiter(RateLimit(quota=2), {"demo": RateLimit(quota=1)})

    allowed = {account: [take(limiter, account).is_allowed for _ in range(3)] for account in ("demo", "ada")}

    assert allowed == {"demo": [True, False, False], "ada": [True, True, False]}


def test_addresses_count_apart_only_where_many_share_an_account() -> None:
    """An account that calls from several machines has one quota."""
    limiter = RateLimiter(RateLimit(quota=1), {"demo": RateLimit(quota=1, is_per_address=True)})

    allowed = [
        take(limiter, account, address=address).is_allowed
        for account in ("demo", "ada")
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1")
    ]

    assert allowed == [True, True, False, True, False, False]


def test_windows_of_strangers_are_forgotten_when_they_end() -> None:
    """Whoever has many addresses cannot fill the memory; a window that goes on is kept."""
    windows, limit = InMemoryWindows(), RateLimit(quota=1)

    async def count(address: str, now: datetime) -> int:
        return (await windows.count(QuotaKey(account="demo", api="a", address=address), limit, now)).used

    async def ask() -> int:
        for number in range(10_000):
            await count(str(number), NOW)
        await count("later", NOW + timedelta(seconds=30))
        await count("last", NOW + timedelta(seconds=61))
        return await count("later", NOW + timedelta(seconds=61))

    assert asyncio.run(ask()) == 2
    assert len(windows._windows) == 2


def test_processes_hold_an_account_to_one_limit(processes: tuple[Database, Database]) -> None:
    """What one has counted the other knows, until the window ends for both."""
    limiters = [RateLimiter(RateLimit(quota=3), windows=DatabaseWindows(process)) for process in processes]

    taken = [take(limiters[number % 2]) for number in range(6)]
    renewed = [take(limiter, now=NOW + timedelta(seconds=60)) for limiter in limiters]

    assert [rate_limit_decision.is_allowed for rate_limit_decision in taken] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert [rate_limit_decision.remaining for rate_limit_decision in taken] == [2, 1, 0, 0, 0, 0]
    assert [
        (rate_limit_decision.remaining, rate_limit_decision.reset_s) for rate_limit_decision in renewed
    ] == [(2, 60), (1, 60)]


def test_who_is_over_the_limit_costs_the_database_nothing(processes: tuple[Database, Database]) -> None:
    """A window that is used up is not asked for again."""
    limiter = RateLimiter(RateLimit(quota=1), windows=DatabaseWindows(processes[0]))
    refused = [take(limiter), take(limiter)][1]
    with processes[1].write() as connection:
        connection.execute(sa.delete(QUOTAS))

    again = take(limiter, now=NOW + timedelta(seconds=30))

    assert (refused.is_allowed, again.is_allowed) == (False, False)
    assert (refused.reset_s, again.reset_s) == (60, 30)
    assert rows_of(processes[1], QUOTAS) == 0


def test_windows_that_ended_are_swept_from_the_database(processes: tuple[Database, Database]) -> None:
    """Once a minute, whichever process comes by."""
    of_demo = {"demo": RateLimit(quota=9, is_per_address=True)}
    limiters = [RateLimiter(RateLimit(), of_demo, windows=DatabaseWindows(process)) for process in processes]
    for number in range(5):
        take(limiters[0], "demo", address=str(number))

    take(limiters[1], "demo", NOW + timedelta(seconds=61), address="next")

    assert rows_of(processes[0], QUOTAS) == 1


def test_requests_at_once_are_all_counted(processes: tuple[Database, Database]) -> None:
    """Neither process takes back what the other counts at the same time."""
    limiters = [RateLimiter(RateLimit(quota=30), windows=DatabaseWindows(process)) for process in processes]

    async def ask() -> list[RateLimitDecision]:
        return await asyncio.gather(*(limiters[number % 2].take("ada", "a", NOW) for number in range(40)))

    taken = asyncio.run(ask())

    assert sum(rate_limit_decision.is_allowed for rate_limit_decision in taken) == 30
    assert sorted(
        rate_limit_decision.remaining for rate_limit_decision in taken if rate_limit_decision.is_allowed
    ) == list(range(30))
