"""Input × boundary: what lies at a bound of its schema is valid, and what lies just outside is not."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from devportal.conformance.boundaries import Boundary, boundaries
from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.gathering import Gathering
from devportal.conformance.inputs import (
    Input,
    bases,
    inputs,
    is_forbidden,
    is_reference,
    request_of,
    violations,
)
from devportal.conformance.refusal import promises_refusal, refusal_of, tells_reasons_apart
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import Filling
from devportal.contract import ABSENT, Operation

REFUSED = "what the contract allows is refused as invalid"
BROKEN = "what the contract allows is a server error"
ACCEPTED = "what the contract forbids is accepted"
BROKEN_BEYOND = "what the contract forbids is a server error"
UNDECLARED = "devportalUndeclared"
"""The name of a member that no contract has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A valid request at a bound, the next one inside, others near the example, and one outside; None is
    what there is none of. `wrong` is surely invalid: what it gets is what invalid data gets.
    """

    place: str
    valid: Filling | None = None
    inner: Filling | None = None
    near: tuple[Filling, ...] = ()
    beyond: Filling | None = None
    wrong: Filling | None = None


class _Silent(Exception):
    """No answer came: each further request could take as long."""


@dataclass(frozen=True, slots=True)
class _Trial:
    """Asks about one operation and gathers what is wrong."""

    subject: Subject
    operation: Operation
    send: Send
    gathered: Gathering

    def run(self, attempt: Attempt, *, is_welcome: bool) -> None:
        """Send what is outside; and what is valid where the unchanged request succeeds (`is_welcome`): what
        refuses that refuses everything.
        """
        if attempt.beyond is not None:
            self._beyond(attempt.place, self.ask(attempt.beyond))
        if attempt.valid is None or not is_welcome:
            return
        exchange = self.ask(attempt.valid)
        if exchange.status >= 500:
            self.gathered.add(BROKEN, attempt.place, exchange)
        elif self._is_called_invalid(attempt, exchange):
            self.gathered.add(REFUSED, attempt.place, exchange)

    def ask(self, filling: Filling) -> Exchange:
        """Send a request; raises _Silent where no answer comes, which the family `answers` tells."""
        exchange = self.send(self.operation, request_of(self.subject, filling))
        if exchange.answer is None:
            raise _Silent
        return exchange

    def accepts(self, filling: Filling) -> bool:
        """Say whether a request succeeds."""
        return 200 <= self.ask(filling).status < 300

    def _beyond(self, place: str, exchange: Exchange) -> None:
        if 200 <= exchange.status < 300 and promises_refusal(self.operation):
            self.gathered.add(ACCEPTED, f"beyond {place}", exchange)
        elif exchange.status >= 500:
            self.gathered.add(BROKEN_BEYOND, f"beyond {place}", exchange)

    def _is_called_invalid(self, attempt: Attempt, exchange: Exchange) -> bool:
        """Say whether valid data was refused for being invalid, and not by a rule that no schema can say.

        It is where it gets what invalid data gets, and the very next value is accepted; or where values near
        the example are, and the contract has other problem types for other reasons.
        """
        refusal, wrong = refusal_of(exchange), attempt.beyond or attempt.wrong
        if refusal is None or wrong is None or refusal != refusal_of(self.ask(wrong)):
            return False
        if attempt.inner is not None and self.accepts(attempt.inner):
            return True
        if not tells_reasons_apart(self.subject.api, self.operation, refusal.status):
            return False
        return not attempt.near or any(self.accepts(one) for one in attempt.near)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes something, and can be asked more than once."""
    for operation in subject.operations:
        if operation.method != "DELETE" and (operation.parameters or operation.request_body):
            yield Probe(operation=label(operation), run=partial(_tried, subject, operation))


def _tried(subject: Subject, operation: Operation, send: Send) -> Iterator[Fault]:
    trial = _Trial(subject, operation, send, Gathering(operation))
    try:
        valid = bases(subject, operation)
        found = inputs(subject, valid)
        for base in valid:
            is_welcome = trial.accepts(base)
            here = tuple(one for one in found if one.filling is base)
            for attempt in _attempts(subject, base, here):
                trial.run(attempt, is_welcome=is_welcome)
    except _Silent:
        pass
    yield from trial.gathered.faults()


def _attempts(subject: Subject, base: Filling, here: tuple[Input, ...]) -> Iterator[Attempt]:
    """Yield what is tried with one valid request and the places in it."""
    longest = base
    for one in here:
        for boundary in boundaries(one.meaning, one.value):
            attempt = _at(subject, one, boundary)
            if attempt.valid is not None and boundary.title == "the longest text" and one.steps[1:] == ():
                longest = one.put_into(longest, boundary.value)
            yield attempt
        yield from _left_out(subject, one)
    if isinstance(base.body, dict):
        more = base.with_body({**base.body, UNDECLARED: 1})
        if is_forbidden(subject, more):
            yield Attempt(place="what is declared: a member that is not", beyond=more)
    if longest is not base:
        yield Attempt(place="all texts at their longest", valid=_valid(subject, longest))


def _at(subject: Subject, one: Input, boundary: Boundary) -> Attempt:
    def filled(value: Any) -> Filling | None:
        return None if value is ABSENT else _valid(subject, one.having(value))

    near = (filled(value) for value in boundary.near)
    # Outside of a body, nothing cannot be told from a parameter that is left out.
    is_tried = boundary.beyond is not ABSENT and not (one.parameter and boundary.beyond in ("", []))
    beyond = one.having(boundary.beyond) if is_tried else None
    return Attempt(
        place=f"{boundary.title} in {one.name}",
        valid=None if is_reference(subject, one) else filled(boundary.value),
        inner=filled(boundary.inner),
        near=tuple(filling for filling in near if filling is not None),
        beyond=beyond if beyond is not None and is_forbidden(subject, beyond) else None,
        wrong=_wrong(subject, one),
    )


def _left_out(subject: Subject, one: Input) -> Iterator[Attempt]:
    """Yield what happens without a part: allowed where it is optional, forbidden where it is required."""
    if not one.is_present or (one.steps and isinstance(one.steps[-1], int)):
        return
    without = one.having(ABSENT)
    if one.parameter is not None:
        return  # a path without one is another path; what else is required, Schemathesis leaves out
    if is_forbidden(subject, without):
        yield Attempt(place=f"what is required: {one.name} left out", beyond=without)
    elif (valid := _valid(subject, without)) is not None:
        yield Attempt(place=f"optional {one.name} left out", valid=valid, wrong=_wrong(subject, one))


def _wrong(subject: Subject, one: Input) -> Filling | None:
    if one.parameter is not None:
        return None
    wrong = one.having({UNDECLARED: []})
    return wrong if is_forbidden(subject, wrong) else None


def _valid(subject: Subject, filling: Filling) -> Filling | None:
    return None if violations(subject, filling) else filling


FAMILY = Family(
    name="boundary-values",
    summary="bounds are where the contract has them",
    words=Words(
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
