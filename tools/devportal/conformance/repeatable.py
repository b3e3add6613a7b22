"""Operations that an idempotency key makes repeatable, and first requests with such keys."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Fault, Send
from devportal.conformance.line import Unsendable
from devportal.conformance.stocking import body_of, member_at
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import REFUSED, VARIANTS, is_success, request_for
from devportal.conformance.variation import key_parameter, new_key, variants, with_header
from devportal.contract import Operation, Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeatable:
    """An operation with the header that makes it repeatable, and what leads to the identifier of what it
    makes in its answers.
    """

    subject: Subject
    operation: Operation
    header: Parameter
    key: tuple[str, ...]

    def request(self, request: Request, key: str) -> Request:
        """Return a request with a key."""
        return with_header(request, self.header.name, key)

    def made(self, exchange: Exchange) -> Any:
        """Return the identifier of what an answer says was made, None where it says none."""
        return member_at(body_of(exchange), self.key) if self.key else None


def repeatables(subject: Subject) -> Iterator[Repeatable]:
    """Yield the operations that can be repeated by a key."""
    for operation in subject.operations:
        header = key_parameter(subject, operation)
        if header is not None and operation.method != "GET":
            owner = next((one for one in subject.resources if one.create is operation), None)
            key = owner.key if owner is not None else ()
            yield Repeatable(subject=subject, operation=operation, header=header, key=key)


def first(one: Repeatable, send: Send, key: str | None = None) -> tuple[Request, Exchange]:
    """Send a request with a key until one of several bodies is accepted; return it without its key.

    Raises Unsendable where none is.
    """
    usual = request_for(one.subject, one.operation)
    if usual is None:
        raise Unsendable("there is no valid request")
    for request in (usual, *islice(variants(one.subject, one.operation, usual), VARIANTS)):
        exchange = send(one.operation, one.request(request, key or key_of(one)))
        if is_success(exchange):
            return request, exchange
        if exchange.status not in REFUSED:
            break
    raise Unsendable("no request with a key is accepted")


def key_of(one: Repeatable) -> str:
    """Return a key that was never used. Raises Unsendable where the contract allows none that we make."""
    key = new_key(one.subject, one.header)
    if key is None:
        raise Unsendable("the contract allows no key that can be made here")
    return key


def key_in(one: Repeatable, exchange: Exchange) -> str:
    """Return the key that a request was sent with."""
    headers = exchange.request.headers
    return next(value for name, value in headers if is_called(name, (one.header.name,)))


def fault(one: Repeatable, title: str, message: str, *evidence: Exchange) -> Fault:
    """Return a fault of an operation that takes a key."""
    return Fault(
        title=title,
        message=message,
        operation=label(one.operation),
        promise=one.header.location,
        evidence=evidence,
    )
