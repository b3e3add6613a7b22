"""Operation × credential: whoever has no valid credential is refused with 401."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.credentials import Carrier, Slot, is_secured, slots
from devportal.conformance.exchange import Request
from devportal.conformance.response_check import documents, response_for
from devportal.conformance.subject import Fault, Probe, Send, Subject, label
from devportal.contract import Operation

WRONG = "devportal-wrong-credential"
SHORTEST_TO_CUT = 8
"""A shorter secret is not cut: what is left could be valid by chance, and could not be masked."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each secured operation and each credential that must not work."""
    for operation in subject.operations:
        bare = subject.bare(operation)
        needed = slots(subject.api, operation)
        if bare is None or not needed or not is_secured(operation):
            continue
        for title, request, is_malformed in _requests(bare, needed, subject.token):
            run = partial(_refused, operation, title, request, is_malformed=is_malformed)
            yield Probe(operation=label(operation), run=run)


def _requests(bare: Request, needed: tuple[Slot, ...], secret: str) -> Iterator[tuple[str, Request, bool]]:
    yield "no credential", bare, False
    yield "a wrong credential", _filled(bare, needed, _shaped(needed, WRONG)), False
    yield "an empty credential", _filled(bare, needed, ""), True
    if len(secret) >= SHORTEST_TO_CUT:
        yield "the credential without its last character", _filled(bare, needed, secret[:-1]), False
        yield "the credential with one character more", _filled(bare, needed, secret + "x"), False
    carriers = {slot.carrier for slot in needed}
    if carriers == {Carrier.BEARER}:
        basic = Slot(scheme="", carrier=Carrier.BASIC, name="Authorization")
        yield "another authentication scheme", basic.fill(bare, f"nobody:{WRONG}"), True
    if carriers == {Carrier.BASIC}:
        bearer = Slot(scheme="", carrier=Carrier.BEARER, name="Authorization")
        yield "another authentication scheme", bearer.fill(bare, WRONG), True


def _refused(
    operation: Operation, title: str, request: Request, send: Send, *, is_malformed: bool
) -> Iterator[Fault]:
    exchange = send(operation, request)
    expected = _expected(operation, is_malformed=is_malformed)
    if exchange.status in expected:
        return
    response = response_for(operation, 401)
    names = " or ".join(str(status) for status in sorted(expected))
    outcome = "is accepted" if 200 <= exchange.status < 300 else f"is not refused with {names}"
    yield Fault(
        title=f"{title} {outcome}",
        message=f"with {title} the answer is {exchange.status or 'none'}; {names} is promised",
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
