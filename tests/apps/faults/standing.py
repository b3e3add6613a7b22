"""The sandbox that faults are put before: in this process, on a database of its own that is prepared once.

Nothing in it goes on by itself: whoever waits for it moves its time on, and what is due by then is done when
the wait is over. So what a check sees does not depend on how fast the machine is, and no wait takes long.
"""

import asyncio
import random
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from starlette.types import ASGIApp

from devportal.contract import Api
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.api.refusals import problem_writer
from telecom.sandbox.app import (
    SandboxEnvironment,
    SandboxSettings,
    make_delivery_worker,
    prepare_database,
    sandbox_app,
)
from telecom.sandbox.connections.http_protocol import protocol_class
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.webhook_client import IncomingResponse, OutgoingRequest, SendRequest
from telecom.sandbox.tokens.tokens import Grant, Token
from tests.apps.faults.proxy import Twist, Twisted
from tests.apps.serving import serving
from tests.catalog.samples.by_hand import only_by_hand
from tests.contracts import own_catalog

ADA, BOB, UNSCOPED, EXPIRED = "token-of-ada", "token-of-bob", "token-without-scope", "token-of-last-year"


@dataclass(slots=True)
class Time:
    """The time of the sandbox: that of the world, and what was waited for."""

    waited: timedelta = field(default_factory=timedelta)
    began_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def now(self) -> datetime:
        """Return the time."""
        return datetime.now(UTC) + self.waited

    def real(self) -> datetime:
        """Return the time by which requests are counted: it stands still while nobody waits."""
        return self.began_at + self.waited

    def monotonic(self) -> float:
        """Return what a stopwatch shows that goes by the same time."""
        return self.waited.total_seconds()


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A sandbox that listens at `url`."""

    url: str
    standing: "Standing"
    database: Database
    time: Time

    def wait(self, seconds: float) -> None:
        """Let time pass for it, and do what is due by then."""
        self.time.waited += timedelta(seconds=seconds)
        asyncio.run(self._catch_up())

    async def _catch_up(self) -> None:
        rim = _environment(self.time)
        async with rim.open_webhook_client() as post:
            worker = make_delivery_worker(self.standing.api, self.database, self.standing.settings, rim, post)
            while (await worker.step()).total():
                pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A sandbox that is prepared: the contract, settings, and the database to begin with."""

    api: Api
    settings: SandboxSettings
    database: Path

    @contextmanager
    def serving(self, folder: Path, twist: Twist | None = None) -> Iterator[Served]:
        """Serve it from a copy of its database, with a fault before it if one is given."""
        path, time = folder / f"{secrets.token_hex(8)}.sqlite3", Time()
        shutil.copyfile(self.database, path)
        with closing(Database.open(path)) as database:
            rim = _environment(time)
            app: ASGIApp = sandbox_app(self.api, database, self.settings, rim)
            with _listening(app if twist is None else Twisted(app, twist), self.api, rim) as url:
                yield Served(url=url, standing=self, database=database, time=time)


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
        catalog=only_by_hand(own_catalog()),
        rate_limit=RateLimit(quota=10**6),
    )
    path = folder / "beginning.sqlite3"
    with closing(Database.open(path)) as database:
        prepare_database(api, database, settings, _environment(Time()))
    return Standing(api=api, settings=settings, database=path)


@contextmanager
def _listening(app: ASGIApp, api: Api, rim: SandboxEnvironment) -> Iterator[str]:
    refusal = problem_writer(ProblemRegistry.of(api), CrossOrigin.of(api, ANY_ORIGIN), rim.random_bytes)
    with serving(app, http=protocol_class(refusal)) as url:
        yield url


def _environment(time: Time) -> SandboxEnvironment:
    return SandboxEnvironment(
        clock=time.now,
        real_clock=time.real,
        random_bytes=secrets.token_bytes,
        rng=random.SystemRandom(),
        lookup=_fail_lookup,
        open_webhook_client=_cut_off,
    )


def _fail_lookup(host: str, _port: int) -> tuple[str, ...]:
    raise OSError(f"{host} has no address here")


@asynccontextmanager
async def _cut_off() -> AsyncIterator[SendRequest]:
    async def post(outgoing: OutgoingRequest) -> IncomingResponse:
        raise OSError(f"{outgoing.url} cannot be reached from here")

    yield post
