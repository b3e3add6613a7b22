"""The sandbox put together: an ASGI application made from a contract, a database and settings."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from starlette.types import ASGIApp

from devportal.catalog import Catalog
from devportal.contract import Api
from telecom.problems import ProblemRegistry
from telecom.sandbox.attempt import Network
from telecom.sandbox.courier import Courier
from telecom.sandbox.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.database import Database
from telecom.sandbox.gateway import Gateway
from telecom.sandbox.handlers import HANDLERS, RESOURCES
from telecom.sandbox.idempotency import EXPIRY, InFlight
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.keyring import Keyring
from telecom.sandbox.limits import Limiter, RateLimit
from telecom.sandbox.operations import Resources, bind
from telecom.sandbox.pacing import Throughput
from telecom.sandbox.post import Post, posting
from telecom.sandbox.public_records import PublicRecords
from telecom.sandbox.reading import RequestReader
from telecom.sandbox.receiver import Resolve, resolve
from telecom.sandbox.resource import Seeding
from telecom.sandbox.retries import STANDARD, Schedule
from telecom.sandbox.samples import make_samples
from telecom.sandbox.subscription import Subscription, configure
from telecom.sandbox.token_register import known_tokens, replace_tokens
from telecom.sandbox.tokens import Token
from telecom.sandbox.worklist import Worklist
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
    throughput: Throughput = field(default_factory=Throughput)
    """What the accounts have agreed; how long a second of it is, follows from `settles_after`."""
    max_body_bytes: int = 65_536
    allowed_origins: tuple[str, ...] = ANY_ORIGIN
    """Of which web pages browsers may call, such as `https://docs.example.com`."""
    catalog: Catalog = field(default_factory=Catalog, repr=False)
    """Rates and coverage of the project, in every state of review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rim:
    """What comes from outside: clocks (aware UTC), randomness, and the look-up of host names."""

    clock: Callable[[], datetime]
    """The time of the sandbox, in which messages move on."""
    real_clock: Callable[[], datetime]
    """The time of the world around it, by which tokens expire and receivers judge signatures."""
    random_bytes: RandomBytes
    rng: random.Random
    lookup: Resolve = resolve


def sandbox_app(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> ASGIApp:
    """Return the application that answers requests; it never closes the database.

    Raises InvalidContract where the contract has operations or problem types other than the sandbox's.
    """
    return Gateway(
        bind(api, HANDLERS),
        problems=ProblemRegistry.of(api),
        reader=RequestReader(api, max_bytes=settings.max_body_bytes),
        limiter=Limiter(settings.rate_limit),
        keyring=Keyring(database, rim.real_clock),
        cross_origin=CrossOrigin.of(api, settings.allowed_origins),
        resources=Resources(
            database=database,
            in_flight=InFlight(),
            clock=rim.clock,
            random_bytes=rim.random_bytes,
            machines=Machines.read(api),
            settles_after=settings.settles_after,
            throughput=replace(settings.throughput, second=settings.settles_after),
            public_webhooks=settings.public_webhooks,
            public=PublicRecords(settings.catalog),
        ),
    )


def prepare(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> None:
    """Write tokens, the endpoint of the command line and the samples into a database, anew at each start."""
    machines = Machines.read(api)
    _configure(database, settings, machines, rim)
    _seed(api, database, settings, machines, rim)


async def deliver(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> None:
    """Advance what is due and deliver webhooks until cancelled."""
    async with posting() as post:
        await courier(api, database, settings, rim, post).run()


def courier(api: Api, database: Database, settings: SandboxSettings, rim: Rim, post: Post) -> Courier:
    """Return the courier of a sandbox, which delivers through the given function."""
    worklist = Worklist(
        database=database,
        timed=(*(timed for resource in RESOURCES for timed in resource.timed), EXPIRY),
        machines=Machines.read(api),
        schedule=settings.schedule,
        clock=rim.clock,
        real_clock=rim.real_clock,
        random_bytes=rim.random_bytes,
        rng=rim.rng,
    )
    network = Network(
        post=post, lookup=rim.lookup, public=settings.public_webhooks, real_clock=rim.real_clock
    )
    return Courier(worklist, network, rim.clock)


def _configure(database: Database, settings: SandboxSettings, machines: Machines, rim: Rim) -> None:
    with database.write() as connection:
        replace_tokens(connection, settings.tokens, rim.real_clock())
        configure(connection, settings.subscription, machines, rim.clock())


def _seed(api: Api, database: Database, settings: SandboxSettings, machines: Machines, rim: Rim) -> None:
    """Make the samples of every account that has a valid token."""
    with database.write() as connection:
        tokens = known_tokens(connection)
        accounts = sorted({one.grant.account for one in tokens if one.is_valid(rim.real_clock())})
        make_samples(
            connection,
            (
                Seeding(
                    account=account,
                    api=api,
                    now=rim.clock(),
                    random_bytes=rim.random_bytes,
                    machines=machines,
                    catalog=settings.catalog,
                )
                for account in accounts
            ),
        )
