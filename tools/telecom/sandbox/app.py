"""The sandbox put together: an ASGI application made from a contract, a database and settings."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import httpx
from starlette.routing import Router

from devportal.catalog import Catalog
from devportal.contract import Api
from telecom.problems import ProblemRegistry
from telecom.sandbox.attempt import TIMEOUT_S, Network
from telecom.sandbox.courier import Courier
from telecom.sandbox.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.database import Database
from telecom.sandbox.gateway import Gateway
from telecom.sandbox.handlers import HANDLERS, RESOURCES
from telecom.sandbox.idempotency import InFlight
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.limits import Limiter, RateLimit
from telecom.sandbox.operations import Resources, bind
from telecom.sandbox.public_records import PublicRecords
from telecom.sandbox.reading import RequestReader
from telecom.sandbox.receiver import Resolve, resolve
from telecom.sandbox.resource import Seeding
from telecom.sandbox.retries import STANDARD, Schedule
from telecom.sandbox.subscription import Subscription, configure
from telecom.sandbox.tokens import Token, replace_tokens
from telecom.states import Machines


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """What can be set about a sandbox."""

    tokens: tuple[Token, ...]
    subscription: Subscription | None = None
    public_webhooks: bool = False
    """Whether webhooks may go to public addresses, and not to this machine only."""
    schedule: Schedule = STANDARD
    """When failed webhooks are sent again."""
    rate_limit: RateLimit = field(default_factory=RateLimit)
    settles_after: timedelta = timedelta(seconds=1)
    """How long after its acceptance a message has its outcome."""
    max_body_bytes: int = 65_536
    allowed_origins: tuple[str, ...] = ANY_ORIGIN
    """Of which web pages browsers may call, such as `https://docs.example.com`."""
    catalog: Catalog = field(default_factory=Catalog, repr=False)
    """Rates and coverage of the project, in every state of review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rim:
    """What comes from outside: the clock (aware UTC), randomness, and the look-up of host names."""

    clock: Callable[[], datetime]
    random_bytes: RandomBytes
    rng: random.Random
    lookup: Resolve = resolve


def sandbox_app(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> Router:
    """Return the application. While it runs it also delivers webhooks; it never closes the database.

    Raises InvalidContract where the contract has operations or problem types other than the sandbox's.
    """
    operations, machines = bind(api, HANDLERS), Machines.read(api)
    gateway = Gateway(
        operations,
        problems=ProblemRegistry.of(api),
        reader=RequestReader(api, max_bytes=settings.max_body_bytes),
        limiter=Limiter(settings.rate_limit),
        cross_origin=CrossOrigin.of(api, settings.allowed_origins),
        resources=Resources(
            database=database,
            in_flight=InFlight(),
            clock=rim.clock,
            random_bytes=rim.random_bytes,
            machines=machines,
            settles_after=settings.settles_after,
            public_webhooks=settings.public_webhooks,
            public=PublicRecords(settings.catalog),
        ),
    )
    _configure(database, settings, machines, rim)
    _seed(api, database, settings, machines, rim)

    @asynccontextmanager
    async def lifespan(_: Router) -> AsyncIterator[None]:
        # No limit of connections: the courier has one for each endpoint.
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(timeout=TIMEOUT_S, limits=limits, trust_env=False) as client:
            task = asyncio.create_task(courier(api, database, settings, rim, client).run())
            try:
                yield
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    return Router(default=gateway, lifespan=lifespan, redirect_slashes=False)


def courier(
    api: Api, database: Database, settings: SandboxSettings, rim: Rim, client: httpx.AsyncClient
) -> Courier:
    """Return the courier of a sandbox, which delivers through the given client."""
    return Courier(
        database=database,
        timed=tuple(timed for resource in RESOURCES for timed in resource.timed),
        machines=Machines.read(api),
        network=Network(client=client, lookup=rim.lookup, public=settings.public_webhooks),
        schedule=settings.schedule,
        clock=rim.clock,
        random_bytes=rim.random_bytes,
        rng=rim.rng,
    )


def _configure(database: Database, settings: SandboxSettings, machines: Machines, rim: Rim) -> None:
    with database.write() as connection:
        replace_tokens(connection, settings.tokens)
        configure(connection, settings.subscription, machines, rim.clock())


def _seed(api: Api, database: Database, settings: SandboxSettings, machines: Machines, rim: Rim) -> None:
    """Make the samples of every account anew."""
    accounts = dict.fromkeys(token.grant.account for token in settings.tokens)
    with database.write() as connection:
        for account in accounts:
            seeding = Seeding(
                account=account,
                api=api,
                now=rim.clock(),
                random_bytes=rim.random_bytes,
                machines=machines,
                catalog=settings.catalog,
            )
            for resource in RESOURCES:
                if resource.seed is not None:
                    resource.seed(connection, seeding)
