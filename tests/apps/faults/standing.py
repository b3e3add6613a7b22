"""The sandbox that faults are put before: in this process, on a database of its own that is prepared once."""

import asyncio
import random
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from devportal.catalog import load_catalog
from devportal.contract import Api
from telecom.problems import ProblemRegistry
from telecom.sandbox.app import Rim, SandboxSettings, deliver, prepare, sandbox_app
from telecom.sandbox.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.database import Database
from telecom.sandbox.http_protocol import protocol
from telecom.sandbox.limits import RateLimit
from telecom.sandbox.tokens import Grant, Token
from telecom.sandbox.unreadable import refusing
from tests.apps.faults.proxy import Twist, Twisted
from tests.catalog.samples.by_hand import only_by_hand

ADA, BOB, UNSCOPED, EXPIRED = "token-of-ada", "token-of-bob", "token-without-scope", "token-of-last-year"
RECORDS = Path(__file__).parents[3] / "data"
SETTLES_AFTER = timedelta(seconds=0.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A sandbox that is prepared: the contract, settings, and the database to begin with."""

    api: Api
    settings: SandboxSettings
    database: Path

    @contextmanager
    def serving(self, folder: Path, twist: Twist | None = None) -> Iterator[str]:
        """Serve it from a copy of its database, with a fault before it if one is given; yield its address."""
        path, rim = folder / f"{secrets.token_hex(8)}.sqlite3", _rim()
        shutil.copyfile(self.database, path)
        with closing(Database.open(path)) as database:
            app: ASGIApp = sandbox_app(self.api, database, self.settings, rim)
            working = _Working(self, database, rim, app if twist is None else Twisted(app, twist))
            with _listening(working, self.api, rim) as url:
                yield url


def standing(api: Api, folder: Path) -> Standing:
    """Prepare a sandbox with two accounts, whose requests are never too many."""
    scopes = frozenset(name for scheme in api.security_schemes for name, _ in scheme.scopes)
    tokens = (
        Token(text=ADA, grant=Grant(account="ada", scopes=scopes)),
        Token(text=BOB, grant=Grant(account="bob", scopes=scopes)),
        Token(text=UNSCOPED, grant=Grant(account="ada", scopes=frozenset())),
    )
    settings = SandboxSettings(
        tokens=tokens,
        catalog=only_by_hand(load_catalog(RECORDS, name="data")[0]),
        rate_limit=RateLimit(quota=10**6),
        settles_after=SETTLES_AFTER,
    )
    path = folder / "beginning.sqlite3"
    with closing(Database.open(path)) as database:
        prepare(api, database, settings, _rim())
    return Standing(api=api, settings=settings, database=path)


@dataclass(slots=True)
class _Working:
    """An application beside which messages move on, from the first request."""

    standing: Standing
    database: Database
    rim: Rim
    app: ASGIApp
    courier: "asyncio.Task[None] | None" = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.courier is None:
            work = deliver(self.standing.api, self.database, self.standing.settings, self.rim)
            self.courier = asyncio.ensure_future(work)
        await self.app(scope, receive, send)

    async def rest(self) -> None:
        """End what moves messages on."""
        if self.courier is not None:
            self.courier.cancel()
            with suppress(asyncio.CancelledError):
                await self.courier


@contextmanager
def _listening(app: _Working, api: Api, rim: Rim) -> Iterator[str]:
    refusal = refusing(ProblemRegistry.of(api), CrossOrigin.of(api, ANY_ORIGIN), rim.random_bytes)
    config = uvicorn.Config(
        app, port=0, lifespan="off", ws="none", log_level="critical", access_log=False, http=protocol(refusal)
    )
    server = uvicorn.Server(config)

    async def serve() -> None:
        await server.serve()
        await app.rest()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.002)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)


def _rim() -> Rim:
    return Rim(
        clock=lambda: datetime.now(UTC),
        real_clock=lambda: datetime.now(UTC),
        random_bytes=secrets.token_bytes,
        rng=random.SystemRandom(),
    )
