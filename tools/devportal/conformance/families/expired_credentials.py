"""Operation × credential that was valid once: expired and revoked ones are refused like unknown ones."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.belonging import renewed
from devportal.conformance.credentials import slots
from devportal.conformance.families.authentication import expected, refusal_fault
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import VARIABLES, Role
from devportal.conformance.subject import Subject, label
from devportal.contract import Operation


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that demands a credential."""
    for operation in _secured(subject):
        yield Probe(operation=label(operation), run=partial(_refused, subject, operation))


def lacks(subject: Subject) -> str:
    """Say what is missing: a credential that was valid once."""
    if subject.other(Role.EXPIRED) is not None or not any(_secured(subject)):
        return ""
    return f"a credential that has expired or was revoked: set {VARIABLES[Role.EXPIRED]}"


def _secured(subject: Subject) -> Iterator[Operation]:
    return (one for one in subject.operations if slots(subject.api, one))


def _refused(subject: Subject, operation: Operation, send: Send) -> Iterator[Fault]:
    statuses = expected(operation)
    with renewed(subject, operation, send) as known:
        for party in subject.parties.each(Role.EXPIRED):
            request = known.valid(operation, party)
            if request is None:
                raise Unsendable("there is no valid request")
            exchange = send(operation, request)
            if exchange.status not in statuses:
                yield refusal_fault(operation, "an expired or revoked credential", statuses, exchange)
                return


FAMILY = Family(
    name="expired-credentials",
    summary="what has expired or was revoked opens nothing",
    words=Words(
        promise="A credential that has expired, or was revoked, is refused with 401 on every operation that "
        "demands one.",
        test="Each operation is asked with such a credential. The settings name it under "
        "`credentials.expired`; several can be named, an expired one and a revoked one.",
        remedy="Ask for the end of a credential wherever it is looked up, and let no cache outlive it.",
        sources=("RFC 9110 §15.5.2", "RFC 6750 §3.1"),
    ),
    probes=probes,
    beside=True,
    lacks=lacks,
)
