"""Input × boundary: what lies at a bound of its schema is valid, and what lies just outside is not."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.inputs import (
    Boundary,
    Input,
    authorised_request,
    boundaries,
    inputs,
    is_forbidden,
    is_server_issued,
    valid_request_values,
    violations,
)
from devportal.conformance.knowledge.response_check import (
    documents_invalid_refusal,
    has_problem_type_per_reason,
    refusal_of,
)
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.conformance.knowledge.valid_request import RequestValues
from devportal.conformance.run.probing import FailureCollector
from devportal.contract import ABSENT, Operation

VALID_REFUSED = "what the contract allows is refused as invalid"
VALID_BREAKS_SERVER = "what the contract allows is a server error"
INVALID_ACCEPTED = "what the contract forbids is accepted"
INVALID_BREAKS_SERVER = "what the contract forbids is a server error"
UNDECLARED = "devportalUndeclared"
"""The name of a member that no contract has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryAttempt:
    """A valid request at a bound, the next one inside, others near the example, and one outside; None is
    what there is none of. `wrong` is surely invalid: what it gets is what invalid data gets.
    """

    place: str
    valid: RequestValues | None = None
    inner: RequestValues | None = None
    near: tuple[RequestValues, ...] = ()
    beyond: RequestValues | None = None
    wrong: RequestValues | None = None


class _NoResponseReceived(Exception):
    """No answer came: each further request could take as long."""


@dataclass(frozen=True, slots=True)
class _BoundaryTrial:
    """Asks about one operation and gathers what is wrong."""

    subject: Subject
    operation: Operation
    send: Send
    gathered: FailureCollector

    def run(self, attempt: BoundaryAttempt, *, is_welcome: bool) -> None:
        """Send what is outside; and what is valid where the unchanged request succeeds (`is_welcome`): what
        refuses that refuses everything.
        """
        if attempt.beyond is not None:
            self._beyond(attempt.place, self.ask(attempt.beyond))
        if attempt.valid is None or not is_welcome:
            return
        exchange = self.ask(attempt.valid)
        if exchange.status >= 500:
            self.gathered.add(VALID_BREAKS_SERVER, attempt.place, exchange)
        elif self._is_called_invalid(attempt, exchange):
            self.gathered.add(VALID_REFUSED, attempt.place, exchange)

    def ask(self, filling: RequestValues) -> Exchange:
        """Send a request; raises _Silent where no answer comes, which the family `answers` tells."""
        exchange = self.send(self.operation, authorised_request(self.subject, filling))
        if exchange.answer is None:
            raise _NoResponseReceived
        return exchange

    def accepts(self, filling: RequestValues) -> bool:
        """Say whether a request succeeds."""
        return 200 <= self.ask(filling).status < 300

    def _beyond(self, place: str, exchange: Exchange) -> None:
        if 200 <= exchange.status < 300 and documents_invalid_refusal(self.operation):
            self.gathered.add(INVALID_ACCEPTED, f"beyond {place}", exchange)
        elif exchange.status >= 500:
            self.gathered.add(INVALID_BREAKS_SERVER, f"beyond {place}", exchange)

    def _is_called_invalid(self, attempt: BoundaryAttempt, exchange: Exchange) -> bool:
        """Say whether valid data was refused for being invalid, and not by a rule that no schema can say.

        It is where it gets what invalid data gets, and the very next value is accepted; or where values near
        the example are, and the contract has other problem types for other reasons.
        """
        refusal, wrong = refusal_of(exchange), attempt.beyond or attempt.wrong
        if refusal is None or wrong is None or refusal != refusal_of(self.ask(wrong)):
            return False
        if attempt.inner is not None and self.accepts(attempt.inner):
            return True
        if not has_problem_type_per_reason(self.subject.api, self.operation, refusal.status):
            return False
        return not attempt.near or any(self.accepts(one) for one in attempt.near)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes something, and can be asked more than once."""
    for operation in subject.operations:
        if operation.method != "DELETE" and (operation.parameters or operation.request_body):
            yield Probe(
                operation=operation_label(operation), run=partial(_try_boundaries, subject, operation)
            )


def _try_boundaries(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    trial = _BoundaryTrial(subject, operation, send, FailureCollector(operation))
    try:
        valid = valid_request_values(subject, operation)
        found = inputs(subject, valid)
        for base in valid:
            is_welcome = trial.accepts(base)
            here = tuple(one for one in found if one.filling is base)
            for attempt in _boundary_attempts(subject, base, here):
                trial.run(attempt, is_welcome=is_welcome)
    except _NoResponseReceived:
        pass
    yield from trial.gathered.failures()


def _boundary_attempts(
    subject: Subject, base: RequestValues, here: tuple[Input, ...]
) -> Iterator[BoundaryAttempt]:
    """Yield what is tried with one valid request and the places in it."""
    longest = base
    for one in here:
        for boundary in boundaries(one.meaning, one.value):
            attempt = _attempt_at(subject, one, boundary)
            if attempt.valid is not None and boundary.title == "the longest text" and one.steps[1:] == ():
                longest = one.put_into(longest, boundary.value)
            yield attempt
        yield from _omission_attempts(subject, one)
    if isinstance(base.body, dict):
        more = base.with_body({**base.body, UNDECLARED: 1})
        if is_forbidden(subject, more):
            yield BoundaryAttempt(place="what is declared: a member that is not", beyond=more)
    if longest is not base:
        yield BoundaryAttempt(place="all texts at their longest", valid=_valid_or_none(subject, longest))


def _attempt_at(subject: Subject, one: Input, boundary: Boundary) -> BoundaryAttempt:
    def request_with(value: Any) -> RequestValues | None:
        return None if value is ABSENT else _valid_or_none(subject, one.having(value))

    near = (request_with(value) for value in boundary.near)
    # Outside of a body, nothing cannot be told from a parameter that is left out.
    is_tried = boundary.beyond is not ABSENT and not (one.parameter and boundary.beyond in ("", []))
    beyond = one.having(boundary.beyond) if is_tried else None
    return BoundaryAttempt(
        place=f"{boundary.title} in {one.name}",
        valid=None if is_server_issued(subject, one) else request_with(boundary.value),
        inner=request_with(boundary.inner),
        near=tuple(filling for filling in near if filling is not None),
        beyond=beyond if beyond is not None and is_forbidden(subject, beyond) else None,
        wrong=_surely_invalid(subject, one),
    )


def _omission_attempts(subject: Subject, one: Input) -> Iterator[BoundaryAttempt]:
    """Yield what happens without a part: allowed where it is optional, forbidden where it is required."""
    if not one.is_present or (one.steps and isinstance(one.steps[-1], int)):
        return
    without = one.having(ABSENT)
    if one.parameter is not None:
        return  # a path without one is another path; what else is required, Schemathesis leaves out
    if is_forbidden(subject, without):
        yield BoundaryAttempt(place=f"what is required: {one.name} left out", beyond=without)
    elif (valid := _valid_or_none(subject, without)) is not None:
        yield BoundaryAttempt(
            place=f"optional {one.name} left out", valid=valid, wrong=_surely_invalid(subject, one)
        )


def _surely_invalid(subject: Subject, one: Input) -> RequestValues | None:
    if one.parameter is not None:
        return None
    wrong = one.having({UNDECLARED: []})
    return wrong if is_forbidden(subject, wrong) else None


def _valid_or_none(subject: Subject, filling: RequestValues) -> RequestValues | None:
    return None if violations(subject, filling) else filling


FAMILY = Family(
    name="boundary-values",
    summary="bounds are where the contract has them",
    words=CheckDescription(
        promise="What lies at a bound of the contract is taken as valid, and what lies just outside is "
        "refused. Neither is a server error.",
        test="Each parameter and each member of a JSON body is set to its shortest and longest text, "
        "least and greatest number, fewest and most items, each enumerated value, null where that "
        "is allowed, and is left out, the rest of the request being the example. Valid data that is "
        "refused is a failure only if invalid data gets the same answer and a value beside it is "
        "accepted: a rule that no schema can say may refuse what it likes. Just outside each bound, "
        "without each required member, and with one that is not declared, a success is a failure.",
        remedy="Let the deployment and the contract take their bounds from one place. Lengths count "
        "code points, not bytes or UTF-16 units.",
        sources=("JSON Schema 2020-12 Validation §6", "OAS 3.0.3 §4.7.24"),
    ),
    probes=probes,
    beside=True,
)
