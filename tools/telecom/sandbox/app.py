"""The sandbox put together: an ASGI application made from a contract, a database and settings."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import sqlalchemy as sa
from starlette.types import ASGIApp

from devportal.catalog import Catalog
from devportal.contract import Api
from telecom.problems import ProblemRegistry
from telecom.sandbox.admission import Admission
from telecom.sandbox.attempt import Network
from telecom.sandbox.beside import Beside
from telecom.sandbox.client_address import ClientAddresses, TrustedProxies
from telecom.sandbox.clock import Choice
from telecom.sandbox.control.beginning import clear
from telecom.sandbox.control.operations import Control
from telecom.sandbox.courier import Courier
from telecom.sandbox.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.database import Database
from telecom.sandbox.gateway import Gateway
from telecom.sandbox.handlers import HANDLERS, RESOURCES
from telecom.sandbox.heartbeats import Pulse
from telecom.sandbox.idempotency import EXPIRY, InFlight
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.keyring import Keyring
from telecom.sandbox.late_answers import Sleep
from telecom.sandbox.limits import Limiter, RateLimit, WindowsHere
from telecom.sandbox.logs import log_served
from telecom.sandbox.metrics import Metrics
from telecom.sandbox.operations import Handler, Resources, bind
from telecom.sandbox.pacing import Throughput
from telecom.sandbox.post import Post, posting
from telecom.sandbox.public_records import PublicRecords
from telecom.sandbox.quotas import SharedWindows
from telecom.sandbox.reading import RequestReader
from telecom.sandbox.receiver import Reach, Resolve, resolve
from telecom.sandbox.resource import Seeding
from telecom.sandbox.retries import STANDARD, Schedule
from telecom.sandbox.samples import make_samples
from telecom.sandbox.secrets_at_rest import encrypt_at_rest
from telecom.sandbox.served import Served
from telecom.sandbox.subscription import Subscription, configure
from telecom.sandbox.surroundings import surroundings
from telecom.sandbox.terms import Terms
from telecom.sandbox.timekeeping import AS_OUTSIDE, Flow, configure_clock
from telecom.sandbox.token_register import known_tokens, replace_tokens
from telecom.sandbox.tokens import Token
from telecom.sandbox.worklist import Worklist
from telecom.states import Machines


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """What can be set about a sandbox."""

    tokens: tuple[Token, ...]
    subscription: Subscription | None = None
    webhook_reach: Reach = Reach.LOCAL
    """Where webhooks may go."""
    schedule: Schedule = STANDARD
    """When failed webhooks are sent again."""
    rate_limit: RateLimit = field(default_factory=RateLimit)
    settles_after: timedelta = timedelta(seconds=1)
    """How long after its acceptance a message has its outcome."""
    throughput: Throughput = field(default_factory=Throughput)
    """What the accounts have agreed; how long a second of it is, follows from `settles_after`."""
    terms: Mapping[str, Terms] = field(default_factory=dict)
    """Those of accounts that have agreed on other limits than these."""
    need_certificate: frozenset[str] = frozenset()
    """The accounts whose tokens are good with a certificate of their authority only."""
    trusted_proxies: TrustedProxies = field(default_factory=TrustedProxies)
    """The proxies whose word counts for the address of a client."""
    max_body_bytes: int = 65_536
    allowed_origins: tuple[str, ...] = ANY_ORIGIN
    """Of which web pages browsers may call, such as `https://docs.example.com`."""
    catalog: Catalog = field(default_factory=Catalog, repr=False)
    """Rates and coverage of the project, in every state of review."""
    clock: Choice = field(default_factory=Choice)
    """How the time of the sandbox goes from this start on."""
    control: Api | None = None
    """The contract of the control API, None where there is to be none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rim:
    """What comes from outside: clocks (aware UTC), randomness, and the network."""

    clock: Callable[[], datetime]
    """The time of the sandbox, in which messages move on."""
    flow: Callable[[], Flow] = lambda: AS_OUTSIDE
    """How that time goes just now."""
    real_clock: Callable[[], datetime]
    """The time of the world around it, by which tokens expire and receivers judge signatures."""
    random_bytes: RandomBytes
    rng: random.Random
    lookup: Resolve = resolve
    posting: Callable[[], AbstractAsyncContextManager[Post]] = posting
    """Opens what webhooks are sent through."""
    sleep: Sleep = asyncio.sleep


def sandbox_app(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> ASGIApp:
    """Return the application that answers requests; it never closes the database.

    Raises InvalidContract where the contract has operations or problem types other than the sandbox's.
    """
    resources = Resources(
        database=database,
        in_flight=InFlight(),
        clock=rim.clock,
        real_clock=rim.real_clock,
        random_bytes=rim.random_bytes,
        machines=Machines.read(api),
        settles_after=settings.settles_after,
        throughput=replace(settings.throughput, second=settings.settles_after),
        throughputs={
            account: replace(terms.throughput, second=settings.settles_after)
            for account, terms in settings.terms.items()
        },
        webhook_reach=settings.webhook_reach,
        public=PublicRecords(settings.catalog),
    )
    keyring = Keyring(database, rim.real_clock, need_certificate=settings.need_certificate)
    admission = Admission(keyring)
    metrics = Metrics(database, rim.clock, rim.real_clock)

    windows = WindowsHere() if database.is_of_one_machine else SharedWindows(database)

    def observe(served: Served) -> None:
        log_served(served)
        metrics.observe(served)

    def gateway(served: Api, handlers: Mapping[str, Handler], *, takes_long: bool = False) -> Gateway:
        return Gateway(
            bind(served, handlers),
            problems=ProblemRegistry.of(api),
            reader=RequestReader(served, max_bytes=settings.max_body_bytes),
            limiter=Limiter(
                settings.rate_limit,
                {account: terms.rate_limit for account, terms in settings.terms.items()},
                windows=windows,
            ),
            admission=admission,
            cross_origin=CrossOrigin.of(served, settings.allowed_origins),
            resources=resources,
            observe=observe,
            sleep=rim.sleep,
            takes_long=takes_long,
        )

    simulated = gateway(api, HANDLERS)
    reader = RequestReader(api, max_bytes=settings.max_body_bytes)
    own = surroundings(api, reader, resources, keyring, metrics, observe)
    if settings.control is not None:
        control = _control(api, database, settings, rim)
        own = (gateway(settings.control, control.handlers(), takes_long=True), *own)
    return ClientAddresses(Beside(simulated, own), settings.trusted_proxies)


def prepare(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> None:
    """Write tokens, the endpoint of the command line and the samples into a database, anew at each start.

    Raises InvalidSettings where the time of the database would go back, or where its secrets are encrypted
    with a key that was not given.
    """
    with database.write() as connection:
        was_plain = encrypt_at_rest(connection, database.place)
    if was_plain:
        database.scrub()
    with database.write() as connection:
        configure_clock(connection, settings.clock, rim.real_clock())
    now = rim.clock()
    with database.write() as connection:
        replace_tokens(connection, settings.tokens, rim.real_clock())
        _begin(connection, api, settings, rim, now)


async def deliver(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> None:
    """Advance what is due and deliver webhooks until cancelled, and show by signs of life that it goes on."""
    pulse = Pulse(database, rim.real_clock, rim.random_bytes)
    try:
        async with rim.posting() as post:
            await courier(api, database, settings, rim, post, beat=pulse.beat).run()
    finally:
        pulse.end()


def courier(
    api: Api,
    database: Database,
    settings: SandboxSettings,
    rim: Rim,
    post: Post,
    *,
    beat: Callable[[], None] = lambda: None,
) -> Courier:
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
    network = Network(post=post, lookup=rim.lookup, reach=settings.webhook_reach, real_clock=rim.real_clock)
    return Courier(worklist, network, rim.flow, beat=beat)


def _control(api: Api, database: Database, settings: SandboxSettings, rim: Rim) -> Control:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Courier]:
        async with rim.posting() as post:
            yield courier(api, database, settings, rim, post)

    def reset() -> None:
        now = rim.clock()
        with database.write() as connection:
            clear(connection)
            _begin(connection, api, settings, rim, now)

    return Control(
        database=database,
        real_clock=rim.real_clock,
        random_bytes=rim.random_bytes,
        courier=opened,
        reset=reset,
    )


def _begin(connection: sa.Connection, api: Api, settings: SandboxSettings, rim: Rim, now: datetime) -> None:
    """Make the endpoint of the command line, and the samples of every account that has a valid token."""
    machines = Machines.read(api)
    configure(connection, settings.subscription, machines, now)
    tokens = known_tokens(connection)
    accounts = sorted({one.grant.account for one in tokens if one.is_valid(rim.real_clock())})
    make_samples(
        connection,
        (
            Seeding(
                account=account,
                api=api,
                now=now,
                random_bytes=rim.random_bytes,
                machines=machines,
                catalog=settings.catalog,
            )
            for account in accounts
        ),
    )
