"""Operation × credential: whoever has no valid credential is refused with 401."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from devportal.conformance.credentials import Carrier, Slot, is_secured, slots
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.response_check import documents, response_for
from devportal.conformance.subject import Fault, Probe, Send, Subject, label
from devportal.contract import Operation

WRONG = "devportal-wrong-credential"
SHORTEST_TO_CUT = 8
"""A shorter secret is not cut: what is left could be valid by chance, and could not be masked."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each secured operation: it tries each credential that must not work."""
    for operation in subject.operations:
        bare = subject.bare(operation)
        needed = slots(subject.api, operation)
        if bare is None or not needed or not is_secured(operation):
            continue
        attempts = tuple(_attempts(bare, needed, subject.token))
        yield Probe(operation=label(operation), run=partial(_refused, operation, attempts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A request that must be refused. Malformed credentials may be refused as malformed requests."""

    title: str
    request: Request
    is_malformed: bool = False


def _attempts(bare: Request, needed: tuple[Slot, ...], secret: str) -> Iterator[Attempt]:
    yield Attempt(title="no credential", request=bare)
    yield Attempt(title="a wrong credential", request=_filled(bare, needed, _shaped(needed, WRONG)))
    yield Attempt(title="an empty credential", request=_filled(bare, needed, ""), is_malformed=True)
    if len(secret) >= SHORTEST_TO_CUT:
        cut, longer = _filled(bare, needed, secret[:-1]), _filled(bare, needed, secret + "x")
        yield Attempt(title="the credential without its last character", request=cut)
        yield Attempt(title="the credential with one character more", request=longer)
    carriers = {slot.carrier for slot in needed}
    if carriers in ({Carrier.BEARER}, {Carrier.BASIC}):
        other = Carrier.BASIC if carriers == {Carrier.BEARER} else Carrier.BEARER
        slot = Slot(scheme="", carrier=other, name="Authorization")
        request = slot.fill(bare, _shaped((slot,), WRONG))
        yield Attempt(title="another authentication scheme", request=request, is_malformed=True)


def _refused(operation: Operation, attempts: tuple[Attempt, ...], send: Send) -> Iterator[Fault]:
    for attempt in attempts:
        exchange = send(operation, attempt.request)
        expected = _expected(operation, is_malformed=attempt.is_malformed)
        if exchange.status in expected:
            continue
        yield _fault(operation, attempt, expected, exchange)
        if attempt.request is attempts[0].request and 200 <= exchange.status < 300:
            return  # where nothing is asked for, anything else gets in too


def _fault(operation: Operation, attempt: Attempt, expected: frozenset[int], exchange: Exchange) -> Fault:
    response = response_for(operation, 401)
    names = " or ".join(str(status) for status in sorted(expected))
    outcome = "is accepted" if 200 <= exchange.status < 300 else f"is not refused with {names}"
    return Fault(
        title=f"{attempt.title} {outcome}",
        message=f"with {attempt.title} the answer is {exchange.status or 'none'}; {names} is promised",
        operation=label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=(exchange,),
    )


def _expected(operation: Operation, *, is_malformed: bool) -> frozenset[int]:
    """Return the right statuses: 401 (RFC 9110 §15.5.2), and what the contract leaves open.

    A contract without 401 may mean 403. A malformed credential may be a malformed request (RFC 6750 §3.1).
    """
    expected = {401}
    if not documents(operation, 401):
        expected.add(403)
    if is_malformed and documents(operation, 400):
        expected.add(400)
    return frozenset(expected)


def _shaped(needed: tuple[Slot, ...], secret: str) -> str:
    return f"nobody:{secret}" if any(slot.carrier is Carrier.BASIC for slot in needed) else secret


def _filled(request: Request, needed: tuple[Slot, ...], secret: str) -> Request:
    for slot in needed:
        request = slot.fill(request, secret)
    return request
