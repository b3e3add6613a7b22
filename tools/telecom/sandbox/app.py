"""The sandbox as an ASGI application, built from a contract, a database and settings."""

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
from devportal.serving.receivers import Reach, Resolve, resolve_host
from devportal.serving.retries import RetrySchedule
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
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE, WebhookNetwork
from telecom.sandbox.delivery.delivery_queue import Worklist
from telecom.sandbox.delivery.delivery_worker import DeliveryWorker
from telecom.sandbox.delivery.endpoint_store import encrypt_at_rest
from telecom.sandbox.delivery.webhook_client import SendRequest, webhook_session
from telecom.sandbox.delivery.webhook_setup import Subscription, configure_subscription
from telecom.sandbox.extra_routes import PathDispatcher, extra_applications
from telecom.sandbox.handlers import HANDLERS, RESOURCES, make_samples
from telecom.sandbox.monitoring.heartbeats import Heartbeat
from telecom.sandbox.monitoring.metrics import Metrics
from telecom.sandbox.monitoring.request_log import log_request
from telecom.sandbox.stores.pacing import AccountLimits, Throughput
from telecom.sandbox.stores.public_records import PublicRecords
from telecom.sandbox.tokens.token_cache import Keyring
from telecom.sandbox.tokens.token_store import replace_tokens, stored_tokens
from telecom.sandbox.tokens.tokens import Token
from telecom.states import StateMachines


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """What the processes of a sandbox share: tokens, limits, delays, where webhooks may go, and the records."""

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
    """The throughput of accounts; the length of its second follows from `settles_after`."""
    account_limits: Mapping[str, AccountLimits] = field(default_factory=dict)
    """The limits of accounts that have other ones."""
    need_certificate: frozenset[str] = frozenset()
    """The accounts whose tokens are only valid with a certificate of their authority."""
    trusted_proxies: TrustedProxies = field(default_factory=TrustedProxies)
    """The proxies whose headers are trusted for the client's address."""
    max_body_bytes: int = 65_536
    allowed_origins: tuple[str, ...] = ANY_ORIGIN
    """The origins of web pages that may call, such as `https://docs.example.com`."""
    catalog: Catalog = field(default_factory=Catalog, repr=False)
    """Rates and coverage of the project, in every state of review."""
    clock: ClockOptions = field(default_factory=ClockOptions)
    """How the clock of the sandbox runs from this start on."""
    control: Api | None = None
    """The contract of the control API, None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxEnvironment:
    """The environment of a sandbox: clocks (aware UTC), randomness, and the network."""

    clock: Callable[[], datetime]
    """The time of the sandbox, by which messages progress."""
    flow: Callable[[], ClockFlow] = lambda: REAL_TIME_FLOW
    """How fast that time runs now."""
    real_clock: Callable[[], datetime]
    """Real time, by which tokens expire and receivers verify signatures."""
    random_bytes: RandomBytes
    rng: random.Random
    lookup: Resolve = resolve_host
    open_webhook_client: Callable[[], AbstractAsyncContextManager[SendRequest]] = webhook_session
    """Opens the HTTP client that sends webhooks."""
    sleep: Sleep = asyncio.sleep


def sandbox_app(
    api: Api, database: Database, settings: SandboxSettings, environment: SandboxEnvironment
) -> ASGIApp:
    """Return the application that serves requests; it never closes the database.

    Raises InvalidContract if the contract has operations or problem types other than the sandbox's.
    """
    context = HandlerContext(
        database=database,
        in_flight=KeysInFlight(),
        clock=environment.clock,
        real_clock=environment.real_clock,
        random_bytes=environment.random_bytes,
        machines=StateMachines.read(api),
        settles_after=settings.settles_after,
        throughput=replace(settings.throughput, second=settings.settles_after),
        throughputs={
            account: replace(limits.throughput, second=settings.settles_after)
            for account, limits in settings.account_limits.items()
        },
        webhook_reach=settings.webhook_reach,
        public=PublicRecords(settings.catalog),
    )
    keyring = Keyring(database, environment.real_clock, need_certificate=settings.need_certificate)
    admission = Admission(keyring)
    metrics = Metrics(database, environment.clock, environment.real_clock)

    windows = InMemoryWindows() if database.is_single_machine else DatabaseWindows(database)

    def observe(served: ServedRequest) -> None:
        log_request(served)
        metrics.observe(served)

    def gateway(contract: Api, handlers: Mapping[str, Handler], *, takes_long: bool = False) -> Gateway:
        return Gateway(
            bind_handlers(contract, handlers),
            problems=ProblemRegistry.of(api),
            reader=RequestReader(contract, max_bytes=settings.max_body_bytes),
            limiter=RateLimiter(
                settings.rate_limit,
                {account: limits.rate_limit for account, limits in settings.account_limits.items()},
                windows=windows,
            ),
            admission=admission,
            cross_origin=CrossOrigin.of(contract, settings.allowed_origins),
            context=context,
            observe=observe,
            sleep=environment.sleep,
            is_long_running=takes_long,
        )

    simulated = gateway(api, HANDLERS)
    reader = RequestReader(api, max_bytes=settings.max_body_bytes)
    own_apps = extra_applications(api, reader, context, keyring, metrics, observe)
    if settings.control is not None:
        control = _make_control(api, database, settings, environment)
        own_apps = (gateway(settings.control, control.handlers(), takes_long=True), *own_apps)
    return ClientAddresses(PathDispatcher(simulated, own_apps), settings.trusted_proxies)


def prepare_database(
    api: Api, database: Database, settings: SandboxSettings, environment: SandboxEnvironment
) -> None:
    """Write the tokens, the endpoint of the command line and the samples into a database, again at each
    start.

    Raises InvalidSettings if the time of the database would go back, or if its secrets are encrypted with a
    key that was not given.
    """
    with database.write() as connection:
        was_plain = encrypt_at_rest(connection, database.place)
    if was_plain:
        database.scrub()
    with database.write() as connection:
        configure_clock(connection, settings.clock, environment.real_clock())
    now = environment.clock()
    with database.write() as connection:
        replace_tokens(connection, settings.tokens, environment.real_clock())
        _seed_accounts(connection, api, settings, environment, now)


async def run_delivery_worker(
    api: Api, database: Database, settings: SandboxSettings, environment: SandboxEnvironment
) -> None:
    """Advance what is due and deliver webhooks until cancelled, with heartbeats that show that the worker
    runs."""
    heartbeat = Heartbeat(database, environment.real_clock, environment.random_bytes)
    try:
        async with environment.open_webhook_client() as post:
            await make_delivery_worker(api, database, settings, environment, post, beat=heartbeat.beat).run()
    finally:
        heartbeat.sign_off()


def make_delivery_worker(
    api: Api,
    database: Database,
    settings: SandboxSettings,
    environment: SandboxEnvironment,
    post: SendRequest,
    *,
    beat: Callable[[], None] = lambda: None,
) -> DeliveryWorker:
    """Return the delivery worker of a sandbox, which sends through the given function."""
    worklist = Worklist(
        database=database,
        timed=(*(timed for resource in RESOURCES for timed in resource.timed), EXPIRY),
        machines=StateMachines.read(api),
        schedule=settings.schedule,
        clock=environment.clock,
        real_clock=environment.real_clock,
        random_bytes=environment.random_bytes,
        rng=environment.rng,
    )
    network = WebhookNetwork(
        post=post, lookup=environment.lookup, reach=settings.webhook_reach, real_clock=environment.real_clock
    )
    return DeliveryWorker(worklist, network, environment.flow, beat=beat)


def _make_control(
    api: Api, database: Database, settings: SandboxSettings, environment: SandboxEnvironment
) -> Control:
    @asynccontextmanager
    async def open_delivery_worker() -> AsyncIterator[DeliveryWorker]:
        async with environment.open_webhook_client() as post:
            yield make_delivery_worker(api, database, settings, environment, post)

    def reset() -> None:
        now = environment.clock()
        with database.write() as connection:
            clear_database(connection)
            _seed_accounts(connection, api, settings, environment, now)

    return Control(
        database=database,
        real_clock=environment.real_clock,
        random_bytes=environment.random_bytes,
        open_delivery_worker=open_delivery_worker,
        reset=reset,
    )


def _seed_accounts(
    connection: sa.Connection,
    api: Api,
    settings: SandboxSettings,
    environment: SandboxEnvironment,
    now: datetime,
) -> None:
    """Create the endpoint of the command line, and the samples of every account that has a valid token."""
    machines = StateMachines.read(api)
    configure_subscription(connection, settings.subscription, machines, now)
    tokens = stored_tokens(connection)
    accounts = sorted({token.grant.account for token in tokens if token.is_valid(environment.real_clock())})
    make_samples(
        connection,
        (
            SeedContext(
                account=account,
                api=api,
                now=now,
                random_bytes=environment.random_bytes,
                machines=machines,
                catalog=settings.catalog,
            )
            for account in accounts
        ),
    )
