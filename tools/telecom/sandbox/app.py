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
from telecom.sandbox.api.admission import Admission
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.api.exchange import ServedRequest
from telecom.sandbox.api.gateway import Gateway, Sleep
from telecom.sandbox.api.idempotency import EXPIRY, KeysInFlight
from telecom.sandbox.api.identifiers import RandomBytes
from telecom.sandbox.api.operations import Handler, HandlerContext, SeedContext, bind_handlers
from telecom.sandbox.api.rate_limit import DatabaseWindows, InMemoryWindows, RateLimit, RateLimiter
from telecom.sandbox.api.request_reading import RequestReader
from telecom.sandbox.clock import REAL_TIME_FLOW, ClockFlow, ClockOptions, configure_clock
from telecom.sandbox.connections.client_address import ClientAddresses, TrustedProxies
from telecom.sandbox.control.operations import Control, clear_database
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE, RetrySchedule, WebhookNetwork
from telecom.sandbox.delivery.delivery_queue import Worklist
from telecom.sandbox.delivery.delivery_worker import Courier
from telecom.sandbox.delivery.endpoint_store import encrypt_at_rest
from telecom.sandbox.delivery.receiver import Reach, Resolve, resolve_host
from telecom.sandbox.delivery.webhook_client import SendRequest, posting
from telecom.sandbox.delivery.webhook_options import Subscription, configure_subscription
from telecom.sandbox.extra_routes import PathDispatcher, surrounding_applications
from telecom.sandbox.handlers import HANDLERS, RESOURCES, make_samples
from telecom.sandbox.monitoring.heartbeats import Heartbeat
from telecom.sandbox.monitoring.metrics import Metrics
from telecom.sandbox.monitoring.request_log import log_request
from telecom.sandbox.stores.pacing import AccountLimits, Throughput
from telecom.sandbox.stores.public_records import PublicRecords
from telecom.sandbox.tokens.token_cache import Keyring
from telecom.sandbox.tokens.token_store import known_tokens, replace_tokens
from telecom.sandbox.tokens.tokens import Token
from telecom.states import StateMachines


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """What can be set about a sandbox."""

    tokens: tuple[Token, ...]
    subscription: Subscription | None = None
    webhook_reach: Reach = Reach.LOCAL
    """Where webhooks may go."""
    schedule: RetrySchedule = STANDARD_SCHEDULE
    """When failed webhooks are sent again."""
    rate_limit: RateLimit = field(default_factory=RateLimit)
    settles_after: timedelta = timedelta(seconds=1)
    """How long after its acceptance a message has its outcome."""
    throughput: Throughput = field(default_factory=Throughput)
    """What the accounts have agreed; how long a second of it is, follows from `settles_after`."""
    terms: Mapping[str, AccountLimits] = field(default_factory=dict)
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
    clock: ClockOptions = field(default_factory=ClockOptions)
    """How the time of the sandbox goes from this start on."""
    control: Api | None = None
    """The contract of the control API, None where there is to be none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxEnvironment:
    """What comes from outside: clocks (aware UTC), randomness, and the network."""

    clock: Callable[[], datetime]
    """The time of the sandbox, in which messages move on."""
    flow: Callable[[], ClockFlow] = lambda: REAL_TIME_FLOW
    """How that time goes just now."""
    real_clock: Callable[[], datetime]
    """The time of the world around it, by which tokens expire and receivers judge signatures."""
    random_bytes: RandomBytes
    rng: random.Random
    lookup: Resolve = resolve_host
    posting: Callable[[], AbstractAsyncContextManager[SendRequest]] = posting
    """Opens what webhooks are sent through."""
    sleep: Sleep = asyncio.sleep


def sandbox_app(api: Api, database: Database, settings: SandboxSettings, rim: SandboxEnvironment) -> ASGIApp:
    """Return the application that answers requests; it never closes the database.

    Raises InvalidContract where the contract has operations or problem types other than the sandbox's.
    """
    resources = HandlerContext(
        database=database,
        in_flight=KeysInFlight(),
        clock=rim.clock,
        real_clock=rim.real_clock,
        random_bytes=rim.random_bytes,
        machines=StateMachines.read(api),
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

    windows = InMemoryWindows() if database.is_of_one_machine else DatabaseWindows(database)

    def observe(served: ServedRequest) -> None:
        log_request(served)
        metrics.observe(served)

    def gateway(served: Api, handlers: Mapping[str, Handler], *, takes_long: bool = False) -> Gateway:
        return Gateway(
            bind_handlers(served, handlers),
            problems=ProblemRegistry.of(api),
            reader=RequestReader(served, max_bytes=settings.max_body_bytes),
            limiter=RateLimiter(
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
    own = surrounding_applications(api, reader, resources, keyring, metrics, observe)
    if settings.control is not None:
        control = _make_control(api, database, settings, rim)
        own = (gateway(settings.control, control.handlers(), takes_long=True), *own)
    return ClientAddresses(PathDispatcher(simulated, own), settings.trusted_proxies)


def prepare_database(
    api: Api, database: Database, settings: SandboxSettings, rim: SandboxEnvironment
) -> None:
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
        _seed_accounts(connection, api, settings, rim, now)


async def run_courier(
    api: Api, database: Database, settings: SandboxSettings, rim: SandboxEnvironment
) -> None:
    """Advance what is due and deliver webhooks until cancelled, and show by signs of life that it goes on."""
    pulse = Heartbeat(database, rim.real_clock, rim.random_bytes)
    try:
        async with rim.posting() as post:
            await make_courier(api, database, settings, rim, post, beat=pulse.beat).run()
    finally:
        pulse.end()


def make_courier(
    api: Api,
    database: Database,
    settings: SandboxSettings,
    rim: SandboxEnvironment,
    post: SendRequest,
    *,
    beat: Callable[[], None] = lambda: None,
) -> Courier:
    """Return the courier of a sandbox, which delivers through the given function."""
    worklist = Worklist(
        database=database,
        timed=(*(timed for resource in RESOURCES for timed in resource.timed), EXPIRY),
        machines=StateMachines.read(api),
        schedule=settings.schedule,
        clock=rim.clock,
        real_clock=rim.real_clock,
        random_bytes=rim.random_bytes,
        rng=rim.rng,
    )
    network = WebhookNetwork(
        post=post, lookup=rim.lookup, reach=settings.webhook_reach, real_clock=rim.real_clock
    )
    return Courier(worklist, network, rim.flow, beat=beat)


def _make_control(
    api: Api, database: Database, settings: SandboxSettings, rim: SandboxEnvironment
) -> Control:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Courier]:
        async with rim.posting() as post:
            yield make_courier(api, database, settings, rim, post)

    def reset() -> None:
        now = rim.clock()
        with database.write() as connection:
            clear_database(connection)
            _seed_accounts(connection, api, settings, rim, now)

    return Control(
        database=database,
        real_clock=rim.real_clock,
        random_bytes=rim.random_bytes,
        courier=opened,
        reset=reset,
    )


def _seed_accounts(
    connection: sa.Connection, api: Api, settings: SandboxSettings, rim: SandboxEnvironment, now: datetime
) -> None:
    """Make the endpoint of the command line, and the samples of every account that has a valid token."""
    machines = StateMachines.read(api)
    configure_subscription(connection, settings.subscription, machines, now)
    tokens = known_tokens(connection)
    accounts = sorted({one.grant.account for one in tokens if one.is_valid(rim.real_clock())})
    make_samples(
        connection,
        (
            SeedContext(
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
