"""What a request to a mock leads to."""

from dataclasses import dataclass

from devportal.contract import Operation
from devportal.mock.http.exchange import MockRequest, MockResponse
from devportal.mock.http.requests import ReadRequest
from devportal.mock.resources.plan import Role
from devportal.mock.resources.store import Change, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that callbacks and webhooks may report: what an operation did to a resource."""

    operation: Operation
    request: MockRequest
    read: ReadRequest
    response: MockResponse
    role: Role
    record: Record | None = None
    previous: Record | None = None
    """The record before a change, None for a new one."""
    event: str = ""
    """The event that the state machine names for this step, if it names one."""
    is_step: bool = False
    """Whether the state went on by itself, and no request did anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a request leads to: a response, changes of the state, and what may be reported."""

    response: MockResponse
    changes: tuple[Change, ...] = ()
    happenings: tuple[Happening, ...] = ()
