"""Health: told to everybody, wrong in no part, and cheap to ask for."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.telecom.sandbox.conftest import Sandbox, join_workers, rows_of
from tests.telecom.sandbox.pages.visitor import Visitor
from tests.waiting import wait_until

from telecom.sandbox.database.database import Database
from telecom.sandbox.monitoring.heartbeats import WORKERS, Heartbeat, read_workers
from telecom.sandbox.monitoring.routes import HealthChecker

pytestmark = pytest.mark.both_databases


@pytest.fixture
def heartbeat(sandbox: Sandbox) -> Heartbeat:
    return Heartbeat(sandbox.database, sandbox.clock, sandbox.rim.random_bytes)


def health(sandbox: Sandbox) -> tuple[int, dict[str, Any]]:
    answer = Visitor(sandbox.app).ask("GET", "/health")
    return answer.status_code, answer.json()


def test_sandbox_with_a_worker_is_well(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """Its database takes what is written, and a worker was seen just now."""
    heartbeat.beat()

    status, told = health(sandbox)
    assert (status, told["status"]) == (200, "ok")
    assert told["worker"] == {"status": "ok", "alive": 1, "lost": 0}


def test_sandbox_without_a_worker_is_not(sandbox: Sandbox) -> None:
    """Nothing would be delivered."""
    status, told = health(sandbox)

    assert (status, told["status"], told["database"]["status"]) == (503, "failing", "ok")
    assert told["worker"]["detail"] == "there is no worker"


def test_killed_worker_is_missed(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """After 10 seconds, and until it is there again."""
    heartbeat.beat()
    sandbox.clock.forward(seconds=9)
    before, _ = health(sandbox)
    sandbox.clock.forward(seconds=2)
    status, told = health(sandbox)
    sandbox.clock.forward(seconds=2)
    heartbeat.beat()

    assert (before, status) == (200, 503)
    assert told["worker"]["detail"] == "the last sign of life of a worker was 11 seconds ago"
    assert told["worker"]["lost"] == 1
    assert health(sandbox)[0] == 200


def test_one_worker_of_two_is_enough(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """The one that is lost is counted."""
    heartbeat.beat()
    sandbox.clock.forward(minutes=5)
    Heartbeat(sandbox.database, sandbox.clock, sandbox.rim.random_bytes).beat()

    status, told = health(sandbox)
    assert status == 200
    assert (told["worker"]["alive"], told["worker"]["lost"]) == (1, 1)


def test_worker_that_ends_is_not_missed(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """It was asked to."""
    heartbeat.beat()
    heartbeat.sign_off()

    with sandbox.database.read() as connection:
        assert read_workers(connection) == ()


def test_worker_beats_not_too_often(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """A sign of life every 2 seconds, however often it turns."""
    heartbeat.beat()
    seen = []
    for _ in range(5):
        sandbox.clock.forward(seconds=1)
        heartbeat.beat()
        with sandbox.database.read() as connection:
            seen.append(read_workers(connection)[0].seen_at)

    assert len(set(seen)) == 3


def test_lost_workers_are_forgotten(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """An hour later, when another one begins."""
    heartbeat.beat()
    sandbox.clock.forward(minutes=61)
    Heartbeat(sandbox.database, sandbox.clock, sandbox.rim.random_bytes).beat()

    assert rows_of(sandbox.database, WORKERS) == 1


def test_courier_beats_in_each_turn(sandbox: Sandbox) -> None:
    """A worker shows that it works, and not only that its process is there."""
    from telecom.sandbox.app import run_delivery_worker

    async def for_a_while() -> None:
        task = asyncio.create_task(
            run_delivery_worker(sandbox.api, sandbox.database, sandbox.settings, sandbox.rim)
        )
        await asyncio.to_thread(
            wait_until, lambda: rows_of(sandbox.database, WORKERS) or task.done(), lambda: "for a beat"
        )
        assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(for_a_while())
    join_workers()

    assert rows_of(sandbox.database, WORKERS) == 0


def test_database_that_cannot_be_written_is_told(tmp_path: Path, sandbox: Sandbox) -> None:
    """The answer says which part fails, and nothing of how."""
    with closing(Database.open(tmp_path / "other.sqlite3")) as database:
        with database.write() as connection:
            connection.execute(sa.text("DROP TABLE probes"))
        told = asyncio.run(HealthChecker(database, sandbox.clock).health()).document()

    assert told["status"] == "failing"
    assert told["database"] == {"status": "failing", "detail": "it cannot be written (OperationalError)"}
    assert told["worker"]["detail"] == "unknown without the database"


def test_asking_often_costs_nothing(sandbox: Sandbox, heartbeat: Heartbeat) -> None:
    """Within a second the answer is the same, and the database is not asked."""
    heartbeat.beat()
    examiner = HealthChecker(sandbox.database, sandbox.clock)
    first = asyncio.run(examiner.health())
    with _record_statements() as queries:
        again = asyncio.run(examiner.health())
    sandbox.clock.forward(seconds=1)

    assert again is first
    assert queries == []
    assert asyncio.run(examiner.health()) is not first


def test_process_that_answers_is_alive(sandbox: Sandbox) -> None:
    """Whatever its database does."""
    answer = Visitor(sandbox.app).ask("GET", "/health/live")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert Visitor(sandbox.app).ask("POST", "/health").status_code == 405


@contextmanager
def _record_statements() -> Iterator[list[str]]:
    """Yield the statements that any engine executes meanwhile."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
