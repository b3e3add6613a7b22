"""A resource of the sandbox: its operations, what happens to it in time, and the samples it starts with."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from devportal.catalog import Catalog
from devportal.contract import Api
from telecom.sandbox.identifiers import RandomBytes
from telecom.sandbox.operations import Handler
from telecom.sandbox.timed import Timed
from telecom.states import Machines


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeding:
    """For whom samples are made, from which contract, when, and with which randomness. The examples of the
    contract are the samples, so that whoever copies one from the reference finds what it names."""

    account: str
    api: Api
    now: datetime
    random_bytes: RandomBytes
    machines: Machines
    catalog: Catalog
    """The records of the project, in every state of review."""

    def shown(self, operation_id: str) -> Iterator[Any]:
        """Yield each example body of an operation's successful answers."""
        operation = next(one for one in self.api.operations if one.id == operation_id)
        for response in operation.successes:
            for media in response.content:
                yield from (example.value for example in media.examples)


Seed = Callable[[sa.Connection, Seeding], None]
"""Makes the samples of an account, in place of those that are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Handlers by operationId, and what else a resource has."""

    handlers: Mapping[str, Handler]
    timed: tuple[Timed, ...] = ()
    seed: Seed | None = None
