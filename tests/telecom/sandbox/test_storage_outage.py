"""A disk that is full, a file that is read-only, a server that is gone: what clients, monitors and the log
learn from the first refused write to the first accepted one, and what a start reports."""

import asyncio
import logging
import re
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from psycopg import sql
from sqlalchemy.engine import make_url
from tests.telecom.sandbox.conftest import HELLO, Sandbox, posting_by, start_sandbox
from tests.telecom.sandbox.pages.visitor import Visitor
from tests.telecom.sandbox.postgresql_cluster import (
    Cluster,
    connect,
    make_cluster,
    programs,
    running_server,
)
from tests.telecom.sandbox.problem_names import problem_name
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.tokens.test_command import running
from tests.telecom.sandbox.webhook_steps import create, deliveries_to, write_receipt
from tests.waiting import wait_until

from devportal.cli import cli
from devportal.contract import Api
from telecom.sandbox.app import SandboxSettings, make_delivery_worker
from telecom.sandbox.database.database import Database
from telecom.sandbox.monitoring.heartbeats import Heartbeat

LARGE = {**HELLO, "body": "x" * 1500}
RECEIPTS_TO = "http://127.0.0.1:9000/hooks"


class Pragma:
    """A setting of SQLite that every connection gets when it is taken from its pool."""

    def __init__(self, name: str, *, usual: str, refusing: str) -> None:
        """Take the values with which writes are accepted and refused."""
        self._name, self._usual, self._refusing = name, usual, refusing
        self._value = usual

    @contextmanager
    def install(self) -> Iterator[None]:
        """Set it for the time of a `with` block."""
        sa.event.listen(sa.pool.Pool, "checkout", self._set)
        try:
            yield
        finally:
            sa.event.remove(sa.pool.Pool, "checkout", self._set)

    def begin(self) -> None:
        """Refuse writes."""
        self._value = self._refusing

    def end(self) -> None:
        """Accept writes."""
        self._value = self._usual

    def _set(self, connection: sqlite3.Connection, *_: Any) -> None:
        connection.execute(f"PRAGMA {self._name}={self._value}")


FULL = Pragma("max_page_count", usual="1073741823", refusing="1")
READ_ONLY = Pragma("query_only", usual="OFF", refusing="ON")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """A sandbox, and what makes its database unavailable and available again."""

    sandbox: Sandbox
    begin: Callable[[], None]
    end: Callable[[], None]
    reason: str

    def refuse(self) -> httpx.Response:
        """Make the database unavailable, and return the first response that says so: a full disk has room in
        pages that are not full."""
        self.begin()
        for _ in range(20):
            answer = self.sandbox.send(LARGE)
            if answer.status_code != 202:
                return answer
        raise AssertionError("nothing was refused")

    def health(self) -> tuple[int, str]:
        """Return the status of the health, and what it says of the database."""
        answer = Visitor(self.sandbox.app).ask("GET", "/health")
        return answer.status_code, answer.json()["database"].get("detail", "")


@pytest.fixture(params=["full", "read-only", "gone"])
def outage(
    request: pytest.FixtureRequest, api: Api, settings: SandboxSettings, tmp_path: Path
) -> Iterator[Outage]:
    """Return a sandbox with a worker whose database can be made unavailable, in each way."""
    if request.param == "gone":
        cluster = request.getfixturevalue("cluster")
        with cluster.database() as address, start_sandbox(api, settings, address) as sandbox:
            beat(sandbox)
            name = make_url(address).database or ""
            yield Outage(
                sandbox=sandbox,
                begin=lambda: allow_connections(cluster, name, allowed=False),
                end=lambda: allow_connections(cluster, name, allowed=True),
                reason="its server cannot be reached",
            )
        return
    pragma, reason = {
        "full": (FULL, "no space is left for it"),
        "read-only": (READ_ONLY, "it is read-only"),
    }[request.param]
    pragma.end()
    with pragma.install(), start_sandbox(api, settings, tmp_path / "s.sqlite3") as sandbox:
        beat(sandbox)
        yield Outage(sandbox=sandbox, begin=pragma.begin, end=pragma.end, reason=reason)


def allow_connections(cluster: Cluster, name: str, *, allowed: bool) -> None:
    """Let a server accept connections to a database, or refuse them and end those that there are."""
    change = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    cluster.admin.execute(change.format(sql.Identifier(name), sql.Literal(allowed)))
    if not allowed:
        ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
        cluster.admin.execute(ended, (name,))


def beat(sandbox: Sandbox) -> None:
    """Show a sign of life of a worker."""
    Heartbeat(sandbox.database, sandbox.clock, sandbox.rim.random_bytes).beat()


small_writes_too = pytest.mark.parametrize("outage", ["read-only", "gone"], indirect=True)
"""The outages in which nothing at all can be written."""


@pytest.fixture
def logged_trouble(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[str]]]:
    """Return a function that returns the lines of trouble: warnings, errors, and whatever has a trace."""

    def lines() -> list[str]:
        trouble = [record for record in caplog.records if record.levelno > logging.INFO or record.exc_info]
        return [
            f"{log_record.getMessage()}{' with a trace' if log_record.exc_info else ''}"
            for log_record in trouble
        ]

    with caplog.at_level(logging.INFO):
        yield lines


def test_writes_are_refused_with_503_and_one_line(
    outage: Outage, logged_trouble: Callable[[], list[str]]
) -> None:
    """Health reports it at once, and no longer once a write is accepted."""
    sandbox = outage.sandbox
    before = (sandbox.send(LARGE).status_code, outage.health())
    refused = [outage.refuse(), *(sandbox.send(LARGE) for _ in range(2))]
    during = [outage.health() for _ in range(2)]
    lines_during = logged_trouble()
    outage.end()
    accepted = sandbox.send(LARGE)

    assert before == (202, (200, ""))
    assert {
        (response.status_code, problem_name(response), response.headers["Retry-After"])
        for response in refused
    } == {(503, "service-unavailable", "5")}
    assert during == [(503, outage.reason)] * 2
    assert len(lines_during) == 1
    assert accepted.status_code == 202
    assert outage.health() == (200, "")
    first, second = logged_trouble()
    assert first == (
        f"the database is unavailable: {outage.reason}; requests that need it get 503 until it is back"
    )
    assert second == "the database is available again"


def test_health_alone_finds_that_writes_are_accepted_again(
    outage: Outage, logged_trouble: Callable[[], list[str]]
) -> None:
    """A load balancer that sends no request to who fails would never see it otherwise."""
    outage.refuse()
    during = outage.health()
    outage.end()
    outage.sandbox.clock.forward(seconds=1)

    assert during == (503, outage.reason)
    assert outage.health() == (200, "")
    assert logged_trouble()[-1] == "the database is available again"


def test_worker_alone_finds_that_writes_are_accepted_again(
    outage: Outage, logged_trouble: Callable[[], list[str]]
) -> None:
    """With its next sign of life."""
    outage.refuse()
    outage.end()
    beat(outage.sandbox)

    assert outage.sandbox.database.availability.failure is None
    assert logged_trouble()[-1] == "the database is available again"


@small_writes_too
def test_other_paths_get_503_as_well(outage: Outage, logged_trouble: Callable[[], list[str]]) -> None:
    """Signing in to the pages writes; metrics and lists read, which a file still allows."""
    sandbox, visitor = outage.sandbox, Visitor(outage.sandbox.app)
    outage.begin()
    signed_in = visitor.sign_in("token-of-ada")
    metrics = Visitor(sandbox.app, base_url="http://localhost").ask("GET", "/metrics")
    listed = sandbox.get("/v1/messages")
    outage.end()

    can_read = sandbox.database.is_single_machine
    assert (signed_in.status_code, signed_in.headers["Retry-After"]) == (503, "5")
    assert (metrics.status_code, listed.status_code) == ((200, 200) if can_read else (503, 503))
    assert len(logged_trouble()) == 1


@small_writes_too
def test_courier_waits_without_a_word_and_goes_on(
    outage: Outage, logged_trouble: Callable[[], list[str]]
) -> None:
    """An attempt that was made when the database failed is recorded later, and not made again."""
    sandbox, receiver = outage.sandbox, Recorder()
    made = create(sandbox, url=RECEIPTS_TO)
    write_receipt(sandbox)
    turns = 0
    recorded = threading.Event()

    async def receive(scope: Any, receive: Any, send: Any) -> None:
        outage.begin()
        await receiver(scope, receive, send)

    def turn() -> None:
        nonlocal turns
        turns += 1 if receiver.requests else 0
        if turns == 4:
            outage.end()
        if turns == 6:
            recorded.set()
        beat(sandbox)

    async def work() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(receive)) as client:
            working = make_delivery_worker(
                sandbox.api, sandbox.database, sandbox.settings, sandbox.rim, posting_by(client), beat=turn
            )
            running = asyncio.create_task(working.run())
            assert await asyncio.to_thread(recorded.wait, 120)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(work())

    assert len(receiver.requests) == 1
    assert deliveries_to(sandbox, made) == ["delivered"]
    assert [text.partition(":")[0] for text in logged_trouble()] == [
        "the database is unavailable",
        "the database is available again",
    ]


def test_refused_write_leaves_its_idempotency_key_free(outage: Outage) -> None:
    """The request is repeated with the same key, and carried out once."""
    sandbox, key = outage.sandbox, {"Idempotency-Key": "order-4712"}
    outage.refuse()
    refused = sandbox.send(LARGE, headers=key)
    outage.end()
    answers = [sandbox.send(LARGE, headers=key) for _ in range(2)]

    assert refused.status_code == 503
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json()["id"] == answers[1].json()["id"]


def damage(path: Path, table: str) -> None:
    """Overwrite the first page of a table of a SQLite file."""
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ? AND type = 'table'", (table,)
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_damaged_file_is_reported_until_a_write_is_accepted(
    api: Api, settings: SandboxSettings, tmp_path: Path, logged_trouble: Callable[[], list[str]]
) -> None:
    """That other pages can be written shows nothing: signs of life and looks at the health do not count."""
    path = tmp_path / "s.sqlite3"
    with start_sandbox(api, settings, path):
        pass
    damage(path, "messages")
    with closing(Database.open(path)) as database, start_sandbox(api, settings, tmp_path / "whole") as whole:
        sandbox = Sandbox(
            api=api,
            database=database,
            clock=whole.clock,
            settings=settings,
            rim=whole.rim,
            seeded={},
        )
        refused = [sandbox.send() for _ in range(2)]
        beat(sandbox)
        health = Visitor(sandbox.app).ask("GET", "/health")

    assert [response.status_code for response in refused] == [503, 503]
    assert (health.status_code, health.json()["database"]["detail"]) == (503, "it is damaged")
    assert len(logged_trouble()) == 1


def make_full(_path: Path) -> None:
    FULL.begin()


def make_read_only(_path: Path) -> None:
    READ_ONLY.begin()


def make_damaged(path: Path) -> None:
    damage(path, "tokens")


@pytest.mark.parametrize(
    ("spoil", "cause", "cure"),
    [
        (make_full, r"no space is left for it \(database or disk is full\)", "free some space"),
        (make_read_only, r"it is read-only \(attempt to write a readonly database\)", "let this user write"),
        (make_damaged, r"it is damaged \(database disk image is malformed\)", "restore it from a backup"),
    ],
)
@pytest.mark.parametrize("command", ["start", "issue"])
def test_start_names_cause_and_cure(
    contract_path: Path,
    tmp_path: Path,
    command: str,
    spoil: Callable[[Path], None],
    cause: str,
    cure: str,
) -> None:
    """As any problem of the machine, and without the advice to delete what somebody may need."""
    path = tmp_path / "s.sqlite3"
    common = ["--database", path, "--contract", contract_path, "--records", tmp_path / "none"]
    issue = ["token", "issue", "--account", "carol", "--scope", "messages:write", *common]
    arguments = {"start": ["--port", "0", *common], "issue": issue}[command]
    for pragma in (FULL, READ_ONLY):
        pragma.end()
    with FULL.install(), READ_ONLY.install():
        with closing(Database.open(path)):
            pass
        spoil(path)
        result = CliRunner().invoke(cli, ["sandbox", *map(str, arguments)])

    assert result.exit_code == 2
    assert re.search(rf"s\.sqlite3: the sandbox's database cannot be opened: {cause}", result.stderr)
    help_line = result.stderr.partition("help: ")[2]
    assert cure in help_line
    assert not re.search("delete|remove|fault of devportal|Traceback", result.stderr)


@pytest.mark.deep
def test_server_that_stops_and_starts_is_logged_once_each(contract_path: Path) -> None:
    """By all processes of a sandbox together, with nothing of the libraries that lose their connections."""
    programs_folder = programs()
    assert programs_folder is not None
    with tempfile.TemporaryDirectory(prefix="postgresql-") as name:
        folder = Path(name)
        make_cluster(programs_folder, folder)
        with ExitStack() as stopped_later:
            server = stopped_later.enter_context(ExitStack())
            server.enter_context(running_server(programs_folder, folder))
            with connect(folder) as admin:
                admin.execute("CREATE DATABASE sandbox")
            address = f"postgresql://postgres@/sandbox?host={folder}"
            options = ("--contract", contract_path, "--records", folder / "none", "--database", address)
            sandbox = stopped_later.enter_context(running(*options))

            def health() -> int:
                return httpx.get(f"{sandbox.address}/health", trust_env=False, timeout=60).status_code

            wait_until(lambda: health() == 200)
            before = sandbox.send().status_code
            server.close()
            refused = [sandbox.send() for _ in range(3)]
            during = health()
            stopped_later.enter_context(running_server(programs_folder, folder))
            wait_until(lambda: health() == 200)
            after = sandbox.send().status_code
            sandbox.process.terminate()
            sandbox.process.wait(60)

    assert (before, during, after) == (202, 503, 202)
    assert {(response.status_code, response.headers["Retry-After"]) for response in refused} == {(503, "5")}
    trouble = [line.partition(" the database ")[2] for line in sandbox.said if " the database " in line]
    assert [line.partition(":")[0].strip() for line in trouble] == ["is unavailable", "is available again"]
    assert not any(word in line for line in sandbox.said for word in ("Traceback", "Error", "stumbled"))
