"""What a check family is: questions that it asks a deployment, what it sees in all exchanges, and its words.

A family is one module and one row, in `families.registry` or in that of a plug-in. Its words make its page in
the documentation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.test_target import Subject
from devportal.contract import Location, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFailure:
    """A promise that exchanges break. The title tells faults of one family and operation apart; `operation`
    is the label of one, or empty where the fault belongs to none. One that `is_note` breaks no promise.
    """

    title: str
    message: str
    operation: str
    promise: Location | None
    evidence: tuple[Exchange, ...]
    is_note: bool = False


class Send(Protocol):
    """The way to the deployment. Each raises `Unsendable` where a request cannot or must not be sent."""

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return what came back."""

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time, over a connection each; return the exchanges in their order."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""


def send_or_none(send: Send, operation: Operation | None, request: Request | None) -> Exchange | None:
    """Return what came back, None where there is no request, or none that can be sent."""
    try:
        return send(operation, request) if request is not None else None
    except Unsendable:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One question to a deployment; asked once more where the answer is a fault.

    `operation` is the label under which it is counted. Nothing is carried from one asking to the next: each
    makes what it needs. One that `is_rude` may bring a fragile deployment down: it is asked when all else is
    known.
    """

    operation: str
    run: Callable[[Send], Iterator[CheckFailure]]
    is_rude: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDescription:
    """What a family's page says, in CommonMark: what is promised, how it is tested, what to do when it is
    broken, and where the promise comes from (`RFC 9110 §15.5.6`).
    """

    promise: str
    test: str
    remedy: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of checks: probes that it sends itself, and what it sees in all exchanges of a run.

    `sees` judges exchanges, those of Schemathesis too where `sees_all`, and must do so from their
    contents alone: a fault that it sees is confirmed by sending its evidence again. `lacks` says what a
    run would need for the family and does not have (`a token of another tenant: …`), or nothing. `beside`
    says that its probes may run while others send as well: each answer is judged by itself. One that is
    `about_state` asks what a deployment keeps: a mock, which keeps nothing, is not asked. Evidence is sent
    again in up to so many `rounds`, judged together: more than one for what shows only now and then.
    """

    name: str
    summary: str
    words: CheckDescription
    probes: Callable[[Subject], Iterator[Probe]] | None = None
    sees: Callable[[Subject, tuple[Exchange, ...]], Iterator[CheckFailure]] | None = None
    sees_all: bool = True
    lacks: Callable[[Subject], str] | None = None
    beside: bool = False
    about_state: bool = False
    rounds: int = 1
