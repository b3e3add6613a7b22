"""A sandbox in this process: its own database, a clock that stands still, and every answer held against
the contract. Each test that has one runs on SQLite and, in the deep tier, on PostgreSQL."""

import asyncio
import os
import random
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import sqlalchemy as sa
from starlette.routing import compile_path
from starlette.types import ASGIApp
from tests.apps.serving import serving
from tests.catalog.samples.by_hand import only_by_hand
from tests.contracts import own_catalog
from tests.telecom.sandbox.postgresql_cluster import Cluster, Rewound, programs, running_cluster
from tests.waiting import PATIENCE_S

from devportal.catalog import Catalog
from devportal.contract import Api, Operation, Response
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from telecom.sandbox.app import (
    SandboxEnvironment,
    SandboxSettings,
    make_delivery_worker,
    prepare_database,
    sandbox_app,
)
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.encryption import Cipher
from telecom.sandbox.database.tables import METADATA
from telecom.sandbox.delivery.delivery_worker import DeliveryWorker
from telecom.sandbox.delivery.webhook_client import IncomingResponse, OutgoingRequest, SendRequest
from telecom.sandbox.delivery.webhook_setup import Subscription
from telecom.sandbox.stores.pacing import Throughput
from telecom.sandbox.tokens.tokens import Grant, Token

ADA, BOB, UNSCOPED = "token-of-ada", "token-of-bob", "token-without-scope"
SCOPES = frozenset(
    {
        *("messages:write", "messages:read", "webhooks:write", "webhooks:read", "calls:write", "calls:read"),
        *("numbers:read", "compliance:write", "compliance:read", "rates:read", "rates:write"),
        *("rates:approve", "rates:publish", "audit:read"),
    }
)
TOKENS = (
    Token(text=ADA, grant=Grant(account="ada", scopes=SCOPES)),
    Token(text=BOB, grant=Grant(account="bob", scopes=SCOPES)),
    Token(text=UNSCOPED, grant=Grant(account="ada", scopes=frozenset())),
)
UNPACED = Throughput(messages_per_s=10**9)
"""A pace at which messages that are sent while the clock stands still leave together."""
HELLO = {"to": "+12025550123", "channel": "sms", "body": "Hello"}
BRAND = {
    "legal_name": "Parcels of Example, Inc.",
    "entity_type": "private_company",
    "tax_id": "12-3456789",
    "address": {
        "street": "1600 Example Avenue",
        "city": "Washington",
        "postal_code": "20500",
        "country": "US",
    },
    "vertical": "transportation",
    "website": "https://parcels.example/",
    "contact": {"email": "compliance@parcels.example", "phone": "+12025550123"},
}


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests on PostgreSQL into the deep tier, except those of modules marked `both_databases`.

    Those modules are about what SQL, locks and transactions do. The others ask handlers that do not know
    which database they have: there one stands in for both.
    """
    for item in items:
        callspec = getattr(item, "callspec", None)
        is_on_postgresql = callspec is not None and "postgresql" in callspec.params.values()
        if is_on_postgresql and not item.get_closest_marker("both_databases"):
            item.add_marker("deep")


@dataclass(slots=True)
class Clock:
    """A clock that moves only when told."""

    now: datetime = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the time."""
        return self.now

    def forward(self, **parts: float) -> None:
        """Let time pass."""
        self.now += timedelta(**parts)


@dataclass(slots=True)
class Sandbox:
    """The sandbox under test, and the means to look behind it."""

    api: Api
    database: Database
    clock: Clock
    settings: SandboxSettings
    rim: SandboxEnvironment
    seeded: Mapping[str, int]
    """How many rows each table starts with: the samples."""
    app: ASGIApp = field(init=False)

    def __post_init__(self) -> None:
        """Put the application together; the database is prepared, as it goes on from the beginning."""
        self.app = sandbox_app(self.api, self.database, self.settings, self.rim)

    def restart(self, **changes: Any) -> None:
        """Make the application anew on the same database, with other settings."""
        self.settings = replace(self.settings, **changes)
        prepare_database(self.api, self.database, self.settings, self.rim)
        self.app = sandbox_app(self.api, self.database, self.settings, self.rim)

    def request(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """Send a request and hold the answer against the contract."""
        response = asyncio.run(self._send(method, path, **arguments))
        keeps_contract(self.api, response)
        return response

    async def _send(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://sandbox") as client:
            return await client.request(method, path, **arguments)

    def send(self, body: Any = None, *, token: str = ADA, **arguments: Any) -> httpx.Response:
        """POST a message."""
        headers = {"Authorization": f"Bearer {token}", **arguments.pop("headers", {})}
        content = {"json": HELLO if body is None else body} if "content" not in arguments else {}
        return self.request("POST", "/v1/messages", headers=headers, **content, **arguments)

    def get(self, path: str, *, token: str = ADA, **arguments: Any) -> httpx.Response:
        """GET something."""
        headers = {"Authorization": f"Bearer {token}", **arguments.pop("headers", {})}
        return self.request("GET", path, headers=headers, **arguments)

    def post(self, path: str, body: Any = None, *, token: str = ADA, **arguments: Any) -> httpx.Response:
        """POST something, with a JSON body where one is given."""
        headers = {"Authorization": f"Bearer {token}", **arguments.pop("headers", {})}
        content = {} if body is None else {"json": body}
        return self.request("POST", path, headers=headers, **content, **arguments)

    def patch(self, path: str, body: Any, *, token: str = ADA) -> httpx.Response:
        """PATCH something."""
        return self.request("PATCH", path, headers={"Authorization": f"Bearer {token}"}, json=body)

    def delete(self, path: str, *, token: str = ADA) -> httpx.Response:
        """DELETE something."""
        return self.request("DELETE", path, headers={"Authorization": f"Bearer {token}"})

    def count(self, table: Any) -> int:
        """Say how many rows a table has beyond the samples that the start makes."""
        return rows_of(self.database, table) - self.seeded[table.name]

    def courier(self, client: httpx.AsyncClient) -> DeliveryWorker:
        """Return a courier that delivers through a client."""
        return make_delivery_worker(self.api, self.database, self.settings, self.rim, posting_by(client))

    def step(self, receiver: ASGIApp | None = None) -> int:
        """Let the courier do what is due, its network being one receiver in this process."""

        async def one_step() -> int:
            transport = httpx.ASGITransport(receiver or _refuse_request)
            async with httpx.AsyncClient(transport=transport) as client:
                return (await self.courier(client).step()).total()

        return asyncio.run(one_step())


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What a first start leaves behind, for the sandboxes of all tests to go on from."""

    database: Path | Rewound
    """The database, closed: a file that is copied, or one on a server that goes back to it."""
    rows: Mapping[str, int]
    randomness: tuple[Any, ...]
    """The state of the generator, as those that go on would make the same identifiers again."""

    def fresh_address(self, folder: Path) -> str | Path:
        """Return the address of a database that holds this and nothing else."""
        if isinstance(self.database, Path):
            return shutil.copyfile(self.database, folder / "sandbox.sqlite3")
        self.database.rewind()
        return self.database.address


def rows_of(database: Database, table: sa.Table) -> int:
    """Say how many rows a table has."""
    with database.read() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def join_workers() -> None:
    """Wait until the threads of a loop that was ended have done what they were at: they may hold locks."""
    for thread in threading.enumerate():
        if thread.name.startswith("AnyIO worker"):
            thread.join(PATIENCE_S)


def posting_by(client: httpx.AsyncClient) -> SendRequest:
    """Return a function that posts to receivers in this process."""

    async def post(outgoing: OutgoingRequest) -> IncomingResponse:
        response = await client.post(outgoing.url, content=outgoing.body, headers=outgoing.headers)
        return IncomingResponse(status=response.status_code, retry_after=response.headers.get("retry-after"))

    return post


async def _refuse_request(scope: Any, _receive: Any, _send: Any) -> None:
    raise AssertionError(f"nobody expects a request: {scope['path']}")


def keeps_contract(api: Api, response: httpx.Response) -> None:
    """Assert that an answer is one that the contract describes for the operation that was asked for."""
    assert len(response.headers["X-Correlation-Id"]) == 32
    if response.request.method == "OPTIONS" and response.status_code == 204:
        return
    here = [
        operation
        for operation in api.operations
        if _addresses(operation.path).fullmatch(response.request.url.path)
    ]
    if not here:
        assert response.status_code == 404
        assert response.headers["Content-Type"] == "application/problem+json"
        return
    asked = "GET" if response.request.method == "HEAD" else response.request.method
    operation = next((operation for operation in here if operation.method == asked), here[0])
    documented = _documented_response(operation, response)
    assert documented is not None, (operation.id, response.status_code, response.text)
    validator = _validator_of(api)
    for header in documented.headers:
        if header.name not in response.headers:
            assert not header.required, header.name
            continue
        value: Any = response.headers[header.name]
        if header.schema is not None:
            typed = int(value) if "integer" in header.schema.types else value
            assert validator.is_valid(header.schema, typed, Direction.RESPONSE), (header.name, value)
    if not documented.content:
        assert response.content == b""
        return
    known = {header.name.lower() for header in documented.headers}
    undeclared = {name for name in response.headers if not name.startswith("access-control-")} - known
    assert undeclared <= {"content-type", "content-length", "connection", "vary"}
    media = documented.content[0]
    assert response.headers["Content-Type"] == media.name
    if response.request.method != "HEAD" and media.schema is not None:
        body = response.json()
        assert list(validator.violations(media.schema, body, Direction.RESPONSE)) == []
        if "correlation_id" in body:
            assert body["correlation_id"] == response.headers["X-Correlation-Id"]


@cache
def _addresses(path: str) -> re.Pattern[str]:
    """Return what fits the addresses of a path with parameters."""
    return compile_path(path)[0]


_VALIDATORS: dict[int, Validator] = {}
"""By the contract's identity: a validator keeps the contract, and each schema that it has compiled."""


def _validator_of(api: Api) -> Validator:
    return _VALIDATORS.setdefault(id(api), Validator(api))


def _documented_response(operation: Operation, response: httpx.Response) -> Response | None:
    status = str(response.status_code)
    return next(
        (other_response for other_response in operation.responses if other_response.status == status), None
    )


@pytest.fixture(scope="session")
def all_records() -> Catalog:
    """Return the sample records of this repository."""
    return own_catalog()


@pytest.fixture(scope="session")
def records(all_records: Catalog) -> Catalog:
    """Return those of the sample records that guides and the contract quote: a short price list."""
    return only_by_hand(all_records)


async def no_wait(_seconds: float) -> None:
    """Let others have their turn, and be back."""
    await asyncio.sleep(0)


def rim_of(clock: Clock, rng: random.Random) -> SandboxEnvironment:
    """Return a rim with a clock and randomness of the tests, where every host is this machine and late
    answers come at once.
    """
    return SandboxEnvironment(
        clock=clock,
        real_clock=clock,
        random_bytes=rng.randbytes,
        rng=rng,
        lookup=lambda _host, _port: ("127.0.0.1",),
        sleep=no_wait,
    )


@pytest.fixture(scope="session")
def settings(records: Catalog) -> SandboxSettings:
    """Return settings with the tokens of two accounts and of one without scope."""
    return SandboxSettings(tokens=TOKENS, catalog=records, throughput=UNPACED)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Run a PostgreSQL server of the tests' own."""
    folder = programs()
    if folder is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed: make unit does that")
        pytest.skip("PostgreSQL is not installed")
    with running_cluster(folder) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str | Path]:
    """Return the address of a database that is empty, of each kind."""
    if request.param == "sqlite":
        yield tmp_path / "deep" / "sandbox.sqlite3"
    else:
        with request.getfixturevalue("cluster").database() as made:
            yield made


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def beginning(
    request: pytest.FixtureRequest,
    api: Api,
    settings: SandboxSettings,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Beginning]:
    """Start a sandbox once, on a database that is made for it, of each kind."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("beginning") / "sandbox.sqlite3"
        rows, randomness = _first_state(api, settings, path)
        yield Beginning(database=path, rows=rows, randomness=randomness)
        return
    with request.getfixturevalue("cluster").database() as address:
        rows, randomness = _first_state(api, settings, address)
        with psycopg.connect(address, autocommit=True) as connection:
            yield Beginning(database=Rewound.of(address, connection), rows=rows, randomness=randomness)


def _first_state(
    api: Api, settings: SandboxSettings, address: str | Path
) -> tuple[Mapping[str, int], tuple[Any, ...]]:
    """Start a sandbox; return how many rows the tables have then, and the state of the generator."""
    rng = random.Random(7)  # noqa: S311 - tests are to be repeatable
    with closing(Database.open(address)) as database:
        prepare_database(api, database, settings, rim_of(Clock(), rng))
        return {table.name: rows_of(database, table) for table in METADATA.sorted_tables}, rng.getstate()


@pytest.fixture
def sandbox(api: Api, settings: SandboxSettings, beginning: Beginning, tmp_path: Path) -> Iterator[Sandbox]:
    """Return a sandbox of its own, which goes on from the beginning."""
    clock, rng = Clock(), random.Random()  # noqa: S311 - tests are to be repeatable
    rng.setstate(beginning.randomness)
    with closing(Database.open(beginning.fresh_address(tmp_path))) as database:
        yield Sandbox(
            api=api,
            database=database,
            clock=clock,
            settings=settings,
            rim=rim_of(clock, rng),
            seeded=beginning.rows,
        )


@contextmanager
def start_sandbox(
    api: Api, settings: SandboxSettings, address: str | Path, *, cipher: Cipher | None = None
) -> Iterator[Sandbox]:
    """Start a sandbox on a database of a test's own, and close that at the end of the `with` block."""
    clock, rng = Clock(), random.Random(repr(cipher))  # noqa: S311 - tests are to be repeatable
    rim = rim_of(clock, rng)
    with closing(Database.open(address, cipher=cipher)) as database:
        prepare_database(api, database, settings, rim)
        rows = {table.name: rows_of(database, table) for table in METADATA.sorted_tables}
        yield Sandbox(api=api, database=database, clock=clock, settings=settings, rim=rim, seeded=rows)


@pytest.fixture
def subscribe(sandbox: Sandbox) -> Callable[[Subscription], Sandbox]:
    """Return a function that subscribes a receiver to the sandbox's events."""

    def subscribe(subscription: Subscription) -> Sandbox:
        sandbox.restart(subscription=subscription)
        return sandbox

    return subscribe


@pytest.fixture
def serve() -> Callable[[ASGIApp], AbstractContextManager[str]]:
    """Return `serve(app)`: for the time of a `with` block, the application listens at the address given."""
    return serving
