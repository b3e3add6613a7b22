"""The processes of a sandbox: their preparation, a supervisor, and workers."""

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
from devportal.serving.clock import ClockMode
from devportal.serving.http_protocol import WriteRefusal
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.cross_origin import CrossOrigin
from telecom.sandbox.api.refusals import problem_writer
from telecom.sandbox.app import (
    SandboxEnvironment,
    SandboxSettings,
    prepare_database,
    run_delivery_worker,
    sandbox_app,
)
from telecom.sandbox.clock import SandboxClock
from telecom.sandbox.connections.http_protocol import protocol_class
from telecom.sandbox.connections.sockets import ListeningSocket, MutualTlsListener
from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.leases import release_all_leases

_LOG = logging.getLogger("telecom.sandbox")
_FORK = multiprocessing.get_context("fork")
_STOP_TIMEOUT_S = 5.0
"""How long a process may take to stop."""
_KEEP_ALIVE_S = 75
"""How long an idle connection is kept open: longer than clients keep theirs (5 seconds are common). Otherwise
one could close just when the next request is sent, which then gets no response."""
_HANDSHAKE_TIMEOUT_S = 10.0
"""How long a client may take for the TLS handshake."""
_MAX_DEATHS, _DEATH_WINDOW_S = 5, 30.0
"""A process that dies this many times in this many seconds is not restarted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessTask:
    """The work of one process: a function that returns when a signal asks it to stop."""

    name: str
    run: Callable[[], None]


@dataclass(slots=True)
class _RunningProcess:
    task: ProcessTask
    process: ForkProcess
    died_at: list[float] = field(default_factory=list)


def run_processes(tasks: Sequence[ProcessTask]) -> None:
    """Run each task in its own process until a signal asks to stop; restart one that dies.

    Raises EnvironmentProblem if one dies again and again.
    """
    gc.freeze()  # what was loaded stays: to look through it for garbage would copy it into each process
    with _stop_requested() as signals:
        running = [_RunningProcess(task, _start_process(task)) for task in tasks]
        try:
            while not signals:
                ended_sentinels = set(wait([process.process.sentinel for process in running], timeout=0.5))
                for process in running:
                    if process.process.sentinel in ended_sentinels and not signals:
                        _restart_process(process)
        finally:
            _stop_processes([process.process for process in running])


def serve_requests(app: ASGIApp, listeners: Sequence[ListeningSocket]) -> None:
    """Serve an application at one or more listeners until a signal asks to stop or the parent process is
    gone."""
    server = Server(server_config(app), listeners)

    async def serve() -> None:
        with _exit_with_parent():
            await server.serve(sockets=[])

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())


def server_config(app: ASGIApp) -> uvicorn.Config:
    """Return the server's configuration, without uvicorn's middleware for proxies: it would trust loopback
    addresses and those of FORWARDED_ALLOW_IPS (decision 0028)."""
    return uvicorn.Config(
        app,
        proxy_headers=False,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=3,
    )


class Server(uvicorn.Server):
    """A server with several listeners, each with its own protocol."""

    def __init__(self, config: uvicorn.Config, listeners: Sequence[ListeningSocket]) -> None:
        super().__init__(config)
        self._listeners = listeners

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen at all of them; they stop together."""
        await super().startup(sockets)
        for listener in self._listeners:
            self.servers.append(await self._listen(listener))

    async def _listen(self, listening: ListeningSocket) -> asyncio.Server:
        protocol_factory = partial(
            listening.protocol,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        loop = asyncio.get_running_loop()
        is_unix = listening.listener.family is socket.AF_UNIX
        return await (loop.create_unix_server if is_unix else loop.create_server)(
            protocol_factory,
            sock=listening.listener,
            backlog=self.config.backlog,
            ssl=listening.context,
            ssl_handshake_timeout=None if listening.context is None else _HANDSHAKE_TIMEOUT_S,
        )


def run_worker(task: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a task until a signal cancels it, or the parent process is gone."""

    async def run_until_signal() -> None:
        running = asyncio.ensure_future(task())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, running.cancel)
        with _exit_with_parent():
            await asyncio.wait([running])
        if not running.cancelled():
            running.result()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run_until_signal())


@contextmanager
def _stop_requested() -> Iterator[list[int]]:
    """Yield a list that stays empty until a signal asks this process to stop."""
    received: list[int] = []

    def remember(number: int, _: FrameType | None) -> None:
        received.append(number)

    previous_handlers = {
        number: signal.signal(number, remember) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield received
    finally:
        for number, handler in previous_handlers.items():
            signal.signal(number, handler)


@contextmanager
def _exit_with_parent() -> Iterator[None]:
    """Exit at once if the parent process is gone, for whatever reason: the next start must find the port and
    the database free."""
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


def _start_process(task: ProcessTask) -> ForkProcess:
    process = _FORK.Process(target=_run_task, args=(task,), name=task.name)
    process.start()
    return process


def _run_task(task: ProcessTask) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    task.run()


def _restart_process(running: _RunningProcess) -> None:
    """Restart a process that ended without being asked to; raises EnvironmentProblem."""
    running.process.join()
    now = time.monotonic()
    running.died_at = [*(death for death in running.died_at if now - death < _DEATH_WINDOW_S), now]
    if len(running.died_at) >= _MAX_DEATHS:
        raise EnvironmentProblem(
            f"the process {running.task.name!r} of the sandbox ended {_MAX_DEATHS} times within "
            f"{_DEATH_WINDOW_S:.0f} seconds",
            help="see what it wrote above",
        )
    _LOG.error(
        "the process %r ended with the code %s; it is restarted", running.task.name, running.process.exitcode
    )
    running.process = _start_process(running.task)


def _stop_processes(processes: Sequence[ForkProcess]) -> None:
    """Ask processes to stop, and kill those that do not."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    for process in processes:
        process.join(max(0.0, deadline - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()


def prepare_processes(
    api: Api,
    database: Database,
    settings: SandboxSettings,
    listener: socket.socket,
    mtls_listener: MutualTlsListener | None = None,
    *,
    api_processes: int = 1,
    workers: int = 1,
) -> tuple[ProcessTask, ...]:
    """Prepare the database and return the tasks of a sandbox: the given number that serve requests at a listening
    socket, and at another with mutual TLS if there is one, and this many that deliver webhooks.

    Raises InvalidContract if the contract is not the sandbox's, before anything is written.
    """
    if mtls_listener is not None:
        settings = replace(settings, need_certificate=mtls_listener.accounts)
    environment = _sandbox_environment(database, settings)
    app = sandbox_app(api, database, settings, environment)
    cross_origin = CrossOrigin.of(api, settings.allowed_origins)
    write_problem = problem_writer(ProblemRegistry.of(api), cross_origin, environment.random_bytes)
    listeners = tuple(_listening_sockets(write_problem, listener, mtls_listener))
    prepare_database(api, database, settings, environment)
    if database.is_single_machine:
        with database.write() as connection:
            release_all_leases(connection)  # all leases are stale: no other sandbox uses this database
    database.close()  # its connections must not go into other processes; each makes its own

    def run_api_process() -> None:
        with closing(database):
            serve_requests(app, listeners)

    def run_delivery_process() -> None:
        with closing(database):
            run_worker(lambda: run_delivery_worker(api, database, settings, environment))

    return (
        *(
            ProcessTask(name=f"requests {number}", run=run_api_process)
            for number in range(1, api_processes + 1)
        ),
        *(
            ProcessTask(name=f"webhooks {number}", run=run_delivery_process)
            for number in range(1, workers + 1)
        ),
    )


def _listening_sockets(
    write_problem: WriteRefusal, listener: socket.socket, mtls_listener: MutualTlsListener | None
) -> Iterator[ListeningSocket]:
    yield ListeningSocket(listener=listener, protocol=protocol_class(write_problem))
    if mtls_listener is not None:
        http = protocol_class(write_problem, mtls_listener.certified_for)
        yield ListeningSocket(listener=mtls_listener.listener, protocol=http, context=mtls_listener.context)


def _sandbox_environment(database: Database, settings: SandboxSettings) -> SandboxEnvironment:
    """Return the environment of a sandbox. In real time its clock is never read from the database."""
    real = SandboxEnvironment(
        clock=_utc_now, real_clock=_utc_now, random_bytes=secrets.token_bytes, rng=random.SystemRandom()
    )
    if settings.clock.mode is ClockMode.REAL:
        return real
    clock = SandboxClock(database, _utc_now)
    return replace(real, clock=clock, flow=clock.flow)


def _utc_now() -> datetime:
    return datetime.now(UTC)
