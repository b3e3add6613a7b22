"""A sandbox before it runs: what is prepared once, and what its processes do then."""

import random
import secrets
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

from devportal.contract import Api
from telecom.problems import ProblemRegistry
from telecom.sandbox.app import Rim, SandboxSettings, deliver, prepare, sandbox_app
from telecom.sandbox.clock import Mode
from telecom.sandbox.cross_origin import CrossOrigin
from telecom.sandbox.database import Database
from telecom.sandbox.entrance import Entrance, Secured
from telecom.sandbox.http_protocol import protocol
from telecom.sandbox.leases import release_all
from telecom.sandbox.processes import Part, answer_requests, work
from telecom.sandbox.timekeeping import SandboxClock
from telecom.sandbox.unreadable import Refusal, refusing


def prepared(
    api: Api,
    database: Database,
    settings: SandboxSettings,
    listener: socket.socket,
    secured: Secured | None = None,
    *,
    answering: int = 1,
    delivering: int = 1,
) -> tuple[Part, ...]:
    """Prepare the database and return the parts of a sandbox: so many that answer requests at a socket that
    listens, and at another with mutual TLS where there is one, and so many that deliver webhooks.

    Raises InvalidContract where the contract is not the sandbox's, before anything is written.
    """
    if secured is not None:
        settings = replace(settings, need_certificate=secured.accounts)
    rim = _rim(database, settings)
    app = sandbox_app(api, database, settings, rim)
    cross_origin = CrossOrigin.of(api, settings.allowed_origins)
    refusal = refusing(ProblemRegistry.of(api), cross_origin, rim.random_bytes)
    entrances = tuple(_entrances(refusal, listener, secured))
    prepare(api, database, settings, rim)
    if database.is_of_one_machine:
        with database.write() as connection:
            release_all(connection)  # whoever has leased a delivery is gone: there is no other sandbox
    database.close()  # its connections must not go into other processes; each makes its own

    def requests() -> None:
        with closing(database):
            answer_requests(app, entrances)

    def webhooks() -> None:
        with closing(database):
            work(lambda: deliver(api, database, settings, rim))

    return (
        *(Part(name=f"requests {number}", run=requests) for number in range(1, answering + 1)),
        *(Part(name=f"webhooks {number}", run=webhooks) for number in range(1, delivering + 1)),
    )


def _entrances(refusal: Refusal, listener: socket.socket, secured: Secured | None) -> Iterator[Entrance]:
    yield Entrance(listener=listener, http=protocol(refusal))
    if secured is not None:
        http = protocol(refusal, secured.certified_for)
        yield Entrance(listener=secured.listener, http=http, context=secured.context)


def _rim(database: Database, settings: SandboxSettings) -> Rim:
    """Return the rim of a sandbox. In real time nothing of its clock is read."""
    real = Rim(clock=_now, real_clock=_now, random_bytes=secrets.token_bytes, rng=random.SystemRandom())
    if settings.clock.mode is Mode.REAL:
        return real
    clock = SandboxClock(database, _now)
    return replace(real, clock=clock, flow=clock.flow)


def _now() -> datetime:
    return datetime.now(UTC)
