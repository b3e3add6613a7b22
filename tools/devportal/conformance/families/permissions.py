"""Operation × scope: a credential does what its scopes allow, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from devportal.conformance.belonging import renewed
from devportal.conformance.credentials import is_secured, slots
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import VARIABLES, Party, Role
from devportal.conformance.response_check import response_for
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import request_for
from devportal.conformance.variation import fresh
from devportal.contract import Operation

FORBIDDEN = 403
COLLECTION_METHODS = ("GET", "POST")


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The scopes that an operation needs, by each of its security requirements."""

    alternatives: tuple[frozenset[str], ...]

    def is_met(self, scopes: frozenset[str]) -> bool:
        """Say whether scopes are enough."""
        return any(needed <= scopes for needed in self.alternatives)

    def is_foreign(self, scopes: frozenset[str]) -> bool:
        """Say whether scopes hold nothing of what is needed. Some contracts list scopes of which one is
        enough (OAS 3.0.3 §4.8.30 means all), so whoever has a part is not taken for lacking.
        """
        return all(needed and not needed & scopes for needed in self.alternatives)

    @property
    def text(self) -> str:
        """What is needed, for people."""
        return " or ".join(" and ".join(sorted(one)) for one in self.alternatives)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each operation and each limited credential what must be refused, or must not."""
    for party in subject.parties.each(Role.LIMITED):
        for operation in subject.operations:
            if party.scopes is None or not slots(subject.api, operation):
                continue
            need, scopes = need_of(operation), frozenset(party.scopes)
            if need.is_foreign(scopes):
                yield Probe(operation=label(operation), run=partial(_refused, subject, operation, party))
            elif need.is_met(scopes) and _is_of_a_collection(operation):
                yield Probe(operation=label(operation), run=partial(_allowed, subject, operation, party))


def need_of(operation: Operation) -> Need:
    """Return the scopes that an operation needs: those of a requirement, and those beside it."""
    beside = frozenset(operation.scopes)
    each = tuple(
        beside.union(*(frozenset(use.scopes) for use in requirement)) for requirement in operation.security
    )
    return Need(alternatives=each)


def lacks(subject: Subject) -> str:
    """Say what is missing: a credential without some scope, and which scopes it has."""
    if not any(is_secured(one) and any(need_of(one).alternatives) for one in subject.operations):
        return ""
    limited = list(subject.parties.each(Role.LIMITED))
    if not limited:
        return (
            f"a credential without some scope: set {VARIABLES[Role.LIMITED]} and write the scopes that it "
            "has into the settings under credentials.limited.scopes"
        )
    if all(one.scopes is None for one in limited):
        return "the scopes of the limited credential: write them under credentials.limited.scopes"
    return ""


def _is_of_a_collection(operation: Operation) -> bool:
    """Say whether an operation is about no thing in particular: a thing could belong to somebody else."""
    return "{" not in operation.path and operation.method in COLLECTION_METHODS


def _refused(subject: Subject, operation: Operation, party: Party, send: Send) -> Iterator[Fault]:
    with renewed(subject, operation, send) as known:
        yield from _tried(operation, party, send(operation, _request(known, operation, party)))


def _tried(operation: Operation, party: Party, exchange: Exchange) -> Iterator[Fault]:
    if exchange.answer is not None and 400 <= exchange.status < 500:
        # Any refusal will do: who checks the request first has not let it through either. What the contract
        # does not document is told by another check.
        return
    outcome = "is accepted" if 200 <= exchange.status < 400 else "is not refused with 403"
    yield _fault(
        operation,
        f"a credential without the scope {outcome}",
        f"{need_of(operation).text} is needed, and a credential with "
        f"{' and '.join(party.scopes or ()) or 'no scope'} gets {exchange.outcome}",
        exchange,
    )


def _allowed(subject: Subject, operation: Operation, party: Party, send: Send) -> Iterator[Fault]:
    exchange = send(operation, _request(subject, operation, party))
    if exchange.status != FORBIDDEN:
        return
    usual = send(operation, _request(subject, operation, None))
    if usual.status == FORBIDDEN or usual.answer is None:  # then the scope is not the reason
        return
    yield _fault(
        operation,
        "a credential with the scope is forbidden",
        f"{need_of(operation).text} is needed, and a credential that has it gets 403",
        usual,
        exchange,
    )


def _request(subject: Subject, operation: Operation, party: Party | None) -> Request:
    request = request_for(subject, operation)
    if request is None:
        raise Unsendable("there is no valid request")
    return fresh(subject, operation, subject.authorised(operation, request, party))


def _fault(operation: Operation, title: str, message: str, *evidence: Exchange) -> Fault:
    response = response_for(operation, FORBIDDEN)
    return Fault(
        title=title,
        message=message,
        operation=label(operation),
        promise=response.location if response is not None else operation.location,
        evidence=evidence,
    )


FAMILY = Family(
    name="permissions",
    summary="a credential does what its scopes allow, and nothing else",
    words=Words(
        promise="An operation that needs a scope refuses a credential without it, and does not refuse one "
        "that has it.",
        test="A credential with few scopes tries every operation: those that need others must refuse it; "
        "those that need what it has must not answer 403. The settings name it under "
        "`credentials.limited`, with its `scopes`; list there what its scopes imply too.",
        remedy="Read the scopes of an operation from the contract, and ask for them before anything is done.",
        sources=("RFC 6750 §3.1", "OAS 3.0.3 §4.8.30"),
    ),
    probes=probes,
    lacks=lacks,
)
