"""The parts of a check family: the probes it sends, the exchanges it checks, and its documentation.

A family is one module and one row, in `families.registry` or in the registry of a plug-in.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Location, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFailure:
    """A promise that exchanges break. The title distinguishes failures of one family and operation.
    `operation` is its label, or empty if the failure belongs to no operation. A failure that `is_note` breaks
    no promise; only an unusual request, which hardly any client sends, shows one that `is_pedantic`. `member`
    is the path of the member of the last response that is wrong, such as `address.city`, if one is.
    """

    title: str
    message: str
    operation: str
    promise: Location | None
    evidence: tuple[Exchange, ...]
    is_note: bool = False
    is_pedantic: bool = False
    member: str = ""


class Send(Protocol):
    """Sends requests to the deployment. Each method raises `Unsendable` if a request cannot or must not be
    sent.
    """

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Send a request and return the exchange."""

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Send requests at the same time, each over its own connection; return the exchanges in their order."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""


def send_or_none(send: Send, operation: Operation | None, request: Request | None) -> Exchange | None:
    """Return the exchange, None if there is no request, or if it cannot be sent."""
    try:
        return send(operation, request) if request is not None else None
    except Unsendable:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One test of a deployment; run again if it fails.

    `operation` is the label under which it is counted. Probes share nothing: each creates what it needs. One
    that can compare nothing raises `Unsendable` with what it would need: then it has not passed. A probe that
    `is_rude` may crash a fragile deployment, so it runs last.
    """

    operation: str
    run: Callable[[Send], Iterator[CheckFailure]]
    is_rude: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckDescription:
    """The documentation of a family, in CommonMark: the promise, how it is tested, what to do when it fails,
    and the sources of the promise (`RFC 9110 §15.5.6`).
    """

    promise: str
    test: str
    remedy: str
    sources: tuple[str, ...] = ()


def is_answered(subject: Subject, exchange: Exchange) -> bool:
    """Return whether an exchange is that of a tested operation, with a response."""
    return subject.operation(exchange.operation) is not None and exchange.answer is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of checks: probes that it sends itself, and checks of all exchanges of a run.

    `sees` checks exchanges, including those of Schemathesis if `sees_all`, and only by their contents: a
    failure is confirmed by sending its evidence again. With `sees_rude`, it also checks the responses to rude
    probes. `compares` returns whether an exchange has something that `sees` compares. `needs` names what a
    contract or its settings must have for the family to compare anything. `lacks` returns what the run would
    need for the family and does not have (`a token of another tenant: …`), or nothing. `beside` allows its
    probes to run while others send as well: each response is checked on its own. A family that is
    `about_state` checks what a deployment stores, so it is skipped for a mock. Evidence is sent again in up
    to `rounds` rounds, which are checked together: more than one for failures that show only sometimes.
    """

    name: str
    summary: str
    words: CheckDescription
    probes: Callable[[Subject], Iterator[Probe]] | None = None
    sees: Callable[[Subject, tuple[Exchange, ...]], Iterator[CheckFailure]] | None = None
    sees_all: bool = True
    sees_rude: bool = False
    compares: Callable[[Subject, Exchange], bool] = is_answered
    needs: str = "something in the contract that it can compare"
    lacks: Callable[[Subject], str] | None = None
    beside: bool = False
    about_state: bool = False
    rounds: int = 1
