"""A real clock that is set: what waits, expires and is counted goes on, however far it jumps.

The sandbox of these tests has real time, so its own time jumps with it.
"""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.telecom.sandbox.conftest import ADA, Sandbox
from tests.telecom.sandbox.pages.visitor import visitor
from tests.telecom.sandbox.recorder import accept_delivery
from tests.telecom.sandbox.test_pacing import CALL

from devportal.serving.clock import ClockMode
from telecom.sandbox.api.rate_limit import DatabaseWindows, InMemoryWindows, QuotaKey, RateLimit
from telecom.sandbox.clock import ClockOptions, configure_clock, hold_clock
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery import leases
from telecom.sandbox.delivery.leases import Instant
from telecom.sandbox.monitoring.heartbeats import ALIVE_FOR, Worker
from telecom.sandbox.monitoring.metrics import read_pending_work
from telecom.sandbox.stores.message_store import apply_due_reports
from telecom.sandbox.stores.pacing import Throughput
from telecom.sandbox.stores.scheduled_work import AdvanceContext
from telecom.sandbox.tokens.token_cache import CACHED_FOR
from telecom.sandbox.tokens.token_store import Conditions, revoke_stored_token, store_issued_token
from telecom.sandbox.tokens.tokens import Grant, Token
from telecom.states import StateMachines

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
JUMPS = [timedelta(minutes=-1), timedelta(days=-400), timedelta(days=400)]
ISSUED = Token(text="sk_sandbox_issued", grant=Grant(account="ada", scopes=frozenset({"messages:read"})))


@pytest.fixture
def database(address: str | Path) -> Iterator[Database]:
    with closing(Database.open(address)) as opened:
        yield opened


def issue_token(sandbox: Sandbox, lifetime: timedelta) -> None:
    with sandbox.database.write() as connection:
        now = sandbox.clock.now
        store_issued_token(connection, ISSUED, Conditions(expires_at=now + lifetime), now)


def read_status(sandbox: Sandbox, *, token: str = ADA) -> int:
    return sandbox.get("/v1/messages", token=token).status_code


def test_token_expires_when_the_clock_jumps_past_its_end(sandbox: Sandbox) -> None:
    """Although its grant is still kept, and until the clock is set back."""
    issue_token(sandbox, timedelta(days=30))
    seen = []
    for jump in (timedelta(0), timedelta(days=30), -CACHED_FOR, timedelta(days=400), timedelta(days=-500)):
        sandbox.clock.now += jump
        seen.append(read_status(sandbox, token=ISSUED.text))

    assert seen == [200, 401, 200, 401, 200]


@pytest.mark.parametrize("jump", JUMPS)
def test_revoked_token_stays_revoked(sandbox: Sandbox, jump: timedelta) -> None:
    """Also at a time before it was revoked, or even issued."""
    issue_token(sandbox, timedelta(days=4000))
    before = read_status(sandbox, token=ISSUED.text)
    with sandbox.database.write() as connection:
        revoke_stored_token(connection, ISSUED.id, sandbox.clock.now)
    sandbox.clock.now += jump

    assert (before, read_status(sandbox, token=ISSUED.text)) == (200, 401)


def test_session_at_the_pages_ends_with_its_token(sandbox: Sandbox) -> None:
    """A token that has expired shows nothing any more, to whoever has signed in with it."""
    issue_token(sandbox, timedelta(hours=1))
    somebody = visitor(sandbox.app, ISSUED.text)
    before = somebody.see("/_sandbox/messages")
    sandbox.clock.forward(hours=1)

    assert 'name="token"' not in before
    assert 'name="token"' in somebody.see("/_sandbox/messages")


@pytest.mark.parametrize("jump", JUMPS)
def test_quota_is_renewed(sandbox: Sandbox, jump: timedelta) -> None:
    """Nobody waits for the time that the clock was ahead."""
    sandbox.restart(rate_limit=RateLimit(quota=1))
    used = [read_status(sandbox), read_status(sandbox)]
    sandbox.clock.now += jump * 2

    assert (used, read_status(sandbox)) == ([200, 429], 200)


@pytest.mark.parametrize("jump", JUMPS)
def test_calls_can_be_made(sandbox: Sandbox, jump: timedelta) -> None:
    """The second in which too many were made is over."""
    sandbox.restart(throughput=Throughput(calls_per_s=1))
    used = [sandbox.post("/v1/calls", CALL).status_code for _ in range(2)]
    sandbox.clock.now += jump

    assert (used, sandbox.post("/v1/calls", CALL).status_code) == ([202, 429], 202)


@pytest.mark.parametrize("jump", JUMPS)
def test_queue_that_was_full_is_free(sandbox: Sandbox, jump: timedelta) -> None:
    """What would leave it so late was put into it by another time."""
    sandbox.restart(throughput=Throughput(messages_per_s=1, queue_s=2))
    used = [sandbox.send().status_code for _ in range(3)]
    sandbox.clock.now += jump

    assert (used, sandbox.send().status_code) == ([202, 202, 429], 202)


@pytest.mark.parametrize("jump", JUMPS)
def test_messages_arrive(sandbox: Sandbox, jump: timedelta) -> None:
    """Whether they were sent before a jump or after it: what is planned waits for its time."""
    before = sandbox.send().json()["id"]
    sandbox.clock.now += jump
    after = sandbox.send().json()["id"]
    sandbox.clock.now = max(sandbox.clock.now, NOW)
    for _ in range(3):
        sandbox.clock.forward(seconds=1)
        sandbox.step(accept_delivery)

    assert {sandbox.get(f"/v1/messages/{item}").json()["status"] for item in (before, after)} == {"delivered"}


@pytest.mark.parametrize("jump", JUMPS)
def test_lists_have_everything_once(sandbox: Sandbox, jump: timedelta) -> None:
    """What is made at an earlier time is in its place, on one page or on several."""
    made = [sandbox.send().json()["id"] for _ in range(2)]
    sandbox.clock.now += jump
    made += [sandbox.send().json()["id"] for _ in range(2)]
    whole = [item["id"] for item in sandbox.get("/v1/messages").json()["data"]]
    paged: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = sandbox.get(
            "/v1/messages", params={"limit": 1, **({"cursor": cursor} if cursor else {})}
        ).json()
        paged += [item["id"] for item in page["data"]]
        cursor = page["next_cursor"]

    assert paged == whole
    assert set(made) <= set(whole)


@pytest.mark.parametrize("jump", JUMPS)
def test_windows_are_renewed_in_memory_and_in_a_database(database: Database, jump: timedelta) -> None:
    """A window that would last longer than it can was begun by another time."""
    counted, limit = QuotaKey(account="ada", api="a"), RateLimit(quota=1)
    later = NOW + jump * 2

    async def used_counts(windows: Any) -> list[int]:
        return [(await windows.count(counted, limit, now)).used for now in (NOW, NOW, later, later)]

    assert asyncio.run(used_counts(InMemoryWindows())) == [1, 2, 1, 2]
    if not database.is_single_machine:
        assert asyncio.run(used_counts(DatabaseWindows(database))) == [1, 2, 1, 2]


@pytest.mark.parametrize("jump", JUMPS)
def test_hold_of_who_was_killed_ends(database: Database, jump: timedelta) -> None:
    """Another can move the time."""
    with database.write() as connection:
        configure_clock(connection, ClockOptions(mode=ClockMode.MANUAL, speed=0, start=NOW), NOW)
        held = hold_clock(connection, "killed", NOW), hold_clock(connection, "other", NOW)

        assert held == (True, False)
        assert hold_clock(connection, "other", NOW + jump * 3)


@pytest.mark.parametrize("jump", JUMPS)
def test_lease_of_a_worker_that_was_killed_ends(sandbox: Sandbox, jump: timedelta) -> None:
    """Another takes on what it had, and until then monitors count it."""
    endpoint = {"url": "http://127.0.0.1:9000/", "event_types": ["message.delivery_receipt"]}
    sandbox.post("/v1/webhook-endpoints", endpoint)
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    now = sandbox.clock.now
    moment = AdvanceContext(
        now=now, random_bytes=sandbox.rim.random_bytes, machines=StateMachines.read(sandbox.api)
    )
    with sandbox.database.write() as connection:
        apply_due_reports(connection, moment)

        def take(real: datetime) -> int:
            at = Instant(now=now, real=real)
            return sum(
                len(leases.lease_deliveries(connection, waiting_queue, at, limit=9))
                for waiting_queue in leases.waiting_queues(connection, real)
            )

        taken = [take(now), take(now), take(now + jump)]
        leased = [read_pending_work(connection, now, real).leases for real in (now + jump, now - jump * 3)]

    assert taken == [1, 0, 1]
    assert leased == [1, 0]


@pytest.mark.parametrize(
    ("ago", "alive"),
    [
        (timedelta(0), True),
        (ALIVE_FOR, False),
        (-ALIVE_FOR / 2, True),
        (-ALIVE_FOR, False),
        (timedelta(days=-1), False),
    ],
)
def test_worker_of_another_time_is_not_alive(ago: timedelta, *, alive: bool) -> None:
    """A sign of life from the future is none, but for what clocks of machines differ."""
    assert Worker(id="wrk_1", started_at=NOW, seen_at=NOW - ago).is_alive(NOW) is alive
