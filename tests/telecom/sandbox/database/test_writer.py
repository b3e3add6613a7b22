"""The writer: what waits is done together, what fails fails alone, and nobody is answered too early."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.waiting import PATIENCE_S

from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import from_microseconds
from telecom.sandbox.stores.pacing import PACES

pytestmark = pytest.mark.both_databases


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database.open(tmp_path / "s.sqlite3")) as opened:
        yield opened


def put(database: Database, account: str, *, fails: bool = False) -> Callable[[], str]:
    """Return work that writes a row, and fails then or not."""

    def work() -> str:
        with database.write(account) as connection:
            row = {"account": account, "of": "messages", "free_at": from_microseconds(0)}
            connection.execute(sa.insert(PACES), row)
            if fails:
                raise LookupError(account)
        return account

    return work


def accounts(database: Database) -> list[str]:
    """Return what another connection sees."""
    with database.read() as connection:
        return list(connection.execute(sa.select(PACES.c.account).order_by(PACES.c.account)).scalars())


async def all_of(database: Database, works: list[Callable[[], Any]]) -> list[Any]:
    return await asyncio.gather(*(database.run(work, writes=True) for work in works), return_exceptions=True)


def test_what_fails_fails_alone(database: Database) -> None:
    """One of many is rolled back, and its error is raised where it was asked for."""
    works = [put(database, f"{number:02}", fails=number == 7) for number in range(20)]
    results = asyncio.run(all_of(database, works))

    assert [str(result) for result in results] == [f"{number:02}" for number in range(20)]
    assert isinstance(results[7], LookupError)
    assert accounts(database) == [f"{number:02}" for number in range(20) if number != 7]


def test_what_waits_is_done_together(database: Database) -> None:
    """While the first is at work others come; they share the next transaction, and see each other in it."""
    begun, goes_on = threading.Event(), threading.Event()
    seen: list[list[str]] = []

    def holds_up() -> None:
        begun.set()
        goes_on.wait(PATIENCE_S)

    def looks() -> None:
        put(database, f"{len(seen)}")()
        seen.append(accounts(database))

    async def run() -> None:
        first = asyncio.ensure_future(database.run(holds_up, writes=True))
        await asyncio.to_thread(begun.wait, 60)
        others = [asyncio.ensure_future(database.run(looks, writes=True)) for _ in range(3)]
        await asyncio.sleep(0)
        goes_on.set()
        await asyncio.gather(first, *others)

    asyncio.run(run())

    assert seen == [["0"], ["0", "1"], ["0", "1", "2"]]


def test_nobody_is_answered_before_the_transaction_is_lasting(database: Database) -> None:
    """What an answer tells of is there for every other connection."""

    async def run() -> list[list[str]]:
        found = []
        for name in ("a", "b"):
            await database.run(put(database, name), writes=True)
            found.append(await asyncio.to_thread(accounts, database))
        return found

    assert asyncio.run(run()) == [["a"], ["a", "b"]]


def test_transaction_that_fails_is_told_to_all(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of it is there, and nobody is told that it is."""

    def fails(*_: Any) -> None:
        raise sa.exc.OperationalError("COMMIT", None, OSError("disk full"))

    with monkeypatch.context() as patch:
        patch.setattr("sqlalchemy.engine.default.DefaultDialect.do_commit", fails)
        results = asyncio.run(all_of(database, [put(database, "a"), put(database, "b")]))
    again = asyncio.run(all_of(database, [put(database, "c")]))

    assert [type(result) for result in results] == [sa.exc.OperationalError] * 2
    assert again == ["c"]
    assert accounts(database) == ["c"]


def test_part_that_loses_the_transaction_fails_them_all(database: Database) -> None:
    """SQLite rolls back the whole of it if the disk fails; those before are not told that they are stored,
    and those behind are not stored each by itself."""
    begun, goes_on = threading.Event(), threading.Event()

    def holds_up() -> None:
        begun.set()
        goes_on.wait(120)

    def lose_transaction() -> None:
        with database.write() as connection:
            connection.connection.driver_connection.rollback()  # type: ignore[union-attr]
            raise LookupError("the disk is full")

    async def run() -> list[Any]:
        first = asyncio.ensure_future(database.run(holds_up, writes=True))
        await asyncio.to_thread(begun.wait, 60)
        works = [put(database, "a"), lose_transaction, put(database, "c")]
        together = asyncio.ensure_future(all_of(database, works))
        await asyncio.sleep(0)
        goes_on.set()
        await first
        return [*await together, *await all_of(database, [put(database, "d")])]

    results = asyncio.run(run())

    assert [str(result) for result in results] == ["the disk is full"] * 3 + ["d"]
    assert accounts(database) == ["d"]


def test_one_that_is_cancelled_holds_up_nobody(database: Database) -> None:
    """A client that is gone does not end the thread."""

    async def run() -> Any:
        gone = asyncio.ensure_future(database.run(put(database, "gone"), writes=True))
        await asyncio.sleep(0)
        gone.cancel()
        return await database.run(put(database, "stays"), writes=True)

    assert asyncio.run(run()) == "stays"
    assert "stays" in accounts(database)


def test_closed_writer_begins_anew(database: Database) -> None:
    """A process that is forked after the close has a thread of its own."""
    before = asyncio.run(all_of(database, [put(database, "a")]))
    database.close()
    after = asyncio.run(all_of(database, [put(database, "b")]))

    assert (before, after) == (["a"], ["b"])
    assert accounts(database) == ["a", "b"]


def test_what_only_reads_waits_for_no_writer(database: Database) -> None:
    """It is done in another thread, while the writer is busy."""
    begun, goes_on = threading.Event(), threading.Event()

    def holds_up() -> None:
        begun.set()
        goes_on.wait(PATIENCE_S)

    async def run() -> list[str]:
        writing = asyncio.ensure_future(database.run(holds_up, writes=True))
        await asyncio.to_thread(begun.wait, 60)
        try:
            return await asyncio.wait_for(
                database.run(lambda: accounts(database), writes=False), timeout=PATIENCE_S
            )
        finally:
            goes_on.set()
            await writing

    assert asyncio.run(run()) == []
