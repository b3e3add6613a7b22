"""The processes of a sandbox: what is prepared once, a supervisor, and workers."""

import asyncio
import gc
import logging
import multiprocessing
import os
import random
import secrets
import signal
import socket
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from types import FrameType
from typing import Any

import uvicorn
import uvloop
from starlette.types import ASGIApp

from devportal.contract import Api
from devportal.errors import EnvironmentProblem
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.cross_origin import CrossOrigin
from telecom.sandbox.api.refusals import WriteProblem, problem_writer
from telecom.sandbox.app import (
    SandboxEnvironment,
    SandboxSettings,
    prepare_database,
    run_courier,
    sandbox_app,
)
from telecom.sandbox.clock import ClockMode, SandboxClock
from telecom.sandbox.connections.http_protocol import protocol_class
from telecom.sandbox.connections.sockets import ListeningSocket, MutualTlsListener
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.leases import release_all_leases

_LOG = logging.getLogger("telecom.sandbox")
_FORK = multiprocessing.get_context("fork")
_GRACE_S = 5.0
"""How long a process has to end what it does."""
_KEPT_S = 75
"""How long a connection is kept without a request: longer than clients keep theirs (5 seconds are common), or
one closes just when the next request is sent, which then has no answer."""
_HANDSHAKE_S = 10.0
"""How long a client has to say who it is."""
_TOO_OFTEN, _WITHIN_S = 5, 30.0
"""A process that dies so many times in so many seconds is not begun anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessTask:
    """What one of the processes does: a function that returns when it is asked to end."""

    name: str
    run: Callable[[], None]


@dataclass(slots=True)
class _RunningProcess:
    part: ProcessTask
    process: ForkProcess
    deaths: list[float] = field(default_factory=list)


def run_processes(parts: Sequence[ProcessTask]) -> None:
    """Run each part in a process of its own until a signal asks to end; one that dies is begun anew.

    Raises EnvironmentProblem where one dies again and again.
    """
    gc.freeze()  # what was loaded stays: to look through it for garbage would copy it into each process
    with _stop_requested() as told:
        running = [_RunningProcess(part, _start_process(part)) for part in parts]
        try:
            while not told:
                ended = set(wait([one.process.sentinel for one in running], timeout=0.5))
                for one in running:
                    if one.process.sentinel in ended and not told:
                        _restart_process(one)
        finally:
            _stop_processes([one.process for one in running])


def answer_requests(app: ASGIApp, entrances: Sequence[ListeningSocket]) -> None:
    """Serve an application at one entrance or more until a signal asks to end or the watching process is
    gone."""
    server = Server(server_config(app), entrances)

    async def serve() -> None:
        with _exit_with_parent():
            await server.serve(sockets=[])

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())


def server_config(app: ASGIApp) -> uvicorn.Config:
    """Return how an application is served: as it is, without uvicorn's middleware for proxies, which would
    believe loopback addresses and those of FORWARDED_ALLOW_IPS (decision 0028)."""
    return uvicorn.Config(
        app,
        proxy_headers=False,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        timeout_keep_alive=_KEPT_S,
        timeout_graceful_shutdown=3,
    )


class Server(uvicorn.Server):
    """A server at several entrances, of which each has a protocol of its own."""

    def __init__(self, config: uvicorn.Config, entrances: Sequence[ListeningSocket]) -> None:
        super().__init__(config)
        self._entrances = entrances

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen at all of them; they end together."""
        await super().startup(sockets)
        for entrance in self._entrances:
            self.servers.append(await self._listen(entrance))

    async def _listen(self, entrance: ListeningSocket) -> asyncio.Server:
        connection = partial(
            entrance.http,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        loop = asyncio.get_running_loop()
        is_unix = entrance.listener.family is socket.AF_UNIX
        return await (loop.create_unix_server if is_unix else loop.create_server)(
            connection,
            sock=entrance.listener,
            backlog=self.config.backlog,
            ssl=entrance.context,
            ssl_handshake_timeout=None if entrance.context is None else _HANDSHAKE_S,
        )


def run_worker(task: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a task until a signal cancels it, or the watching process is gone."""

    async def until_told() -> None:
        running = asyncio.ensure_future(task())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, running.cancel)
        with _exit_with_parent():
            await asyncio.wait([running])
        if not running.cancelled():
            running.result()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(until_told())


@contextmanager
def _stop_requested() -> Iterator[list[int]]:
    """Yield a list that is empty until a signal asks this process to end."""
    told: list[int] = []

    def remember(number: int, _: FrameType | None) -> None:
        told.append(number)

    before = {number: signal.signal(number, remember) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _exit_with_parent() -> Iterator[None]:
    """End this process at once where the one that began it is gone, however that came: the next start must
    find the port and the database free."""
    parent = multiprocessing.parent_process()
    if parent is None:
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_reader(parent.sentinel, os._exit, 1)
    try:
        yield
    finally:
        loop.remove_reader(parent.sentinel)


def _start_process(part: ProcessTask) -> ForkProcess:
    process = _FORK.Process(target=_run_task, args=(part,), name=part.name)
    process.start()
    return process


def _run_task(part: ProcessTask) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    part.run()


def _restart_process(one: _RunningProcess) -> None:
    """Begin a process anew that has ended without being asked to; raises EnvironmentProblem."""
    one.process.join()
    now = time.monotonic()
    one.deaths = [*(death for death in one.deaths if now - death < _WITHIN_S), now]
    if len(one.deaths) >= _TOO_OFTEN:
        raise EnvironmentProblem(
            f"the process {one.part.name!r} of the sandbox ended {_TOO_OFTEN} times within "
            f"{_WITHIN_S:.0f} seconds",
            help="see what it wrote above",
        )
    _LOG.error("the process %r ended with the code %s; it begins anew", one.part.name, one.process.exitcode)
    one.process = _start_process(one.part)


def _stop_processes(processes: Sequence[ForkProcess]) -> None:
    """Ask processes to end, and end those that do not."""
    for process in processes:
        process.terminate()
    end = time.monotonic() + _GRACE_S
    for process in processes:
        process.join(max(0.0, end - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()


def prepare_processes(
    api: Api,
    database: Database,
    settings: SandboxSettings,
    listener: socket.socket,
    secured: MutualTlsListener | None = None,
    *,
    answering: int = 1,
    delivering: int = 1,
) -> tuple[ProcessTask, ...]:
    """Prepare the database and return the parts of a sandbox: so many that answer requests at a socket that
    listens, and at another with mutual TLS where there is one, and so many that deliver webhooks.

    Raises InvalidContract where the contract is not the sandbox's, before anything is written.
    """
    if secured is not None:
        settings = replace(settings, need_certificate=secured.accounts)
    rim = _sandbox_environment(database, settings)
    app = sandbox_app(api, database, settings, rim)
    cross_origin = CrossOrigin.of(api, settings.allowed_origins)
    refusal = problem_writer(ProblemRegistry.of(api), cross_origin, rim.random_bytes)
    entrances = tuple(_listening_sockets(refusal, listener, secured))
    prepare_database(api, database, settings, rim)
    if database.is_of_one_machine:
        with database.write() as connection:
            release_all_leases(connection)  # whoever has leased a delivery is gone: there is no other sandbox
    database.close()  # its connections must not go into other processes; each makes its own

    def requests() -> None:
        with closing(database):
            answer_requests(app, entrances)

    def webhooks() -> None:
        with closing(database):
            run_worker(lambda: run_courier(api, database, settings, rim))

    return (
        *(ProcessTask(name=f"requests {number}", run=requests) for number in range(1, answering + 1)),
        *(ProcessTask(name=f"webhooks {number}", run=webhooks) for number in range(1, delivering + 1)),
    )


def _listening_sockets(
    refusal: WriteProblem, listener: socket.socket, secured: MutualTlsListener | None
) -> Iterator[ListeningSocket]:
    yield ListeningSocket(listener=listener, http=protocol_class(refusal))
    if secured is not None:
        http = protocol_class(refusal, secured.certified_for)
        yield ListeningSocket(listener=secured.listener, http=http, context=secured.context)


def _sandbox_environment(database: Database, settings: SandboxSettings) -> SandboxEnvironment:
    """Return the rim of a sandbox. In real time nothing of its clock is read."""
    real = SandboxEnvironment(
        clock=_utc_now, real_clock=_utc_now, random_bytes=secrets.token_bytes, rng=random.SystemRandom()
    )
    if settings.clock.mode is ClockMode.REAL:
        return real
    clock = SandboxClock(database, _utc_now)
    return replace(real, clock=clock, flow=clock.flow)


def _utc_now() -> datetime:
    return datetime.now(UTC)
