"""Input × boundary: a value at a bound of its schema is valid, and one just outside is not."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import CONFLICT
from devportal.conformance.knowledge.requests.boundaries import UNDECLARED, Boundary, boundaries
from devportal.conformance.knowledge.requests.forbidden_requests import (
    FORBIDDEN_DATA,
    JUDGED_DATA,
    FailureCollector,
    is_judgement,
    request_location,
)
from devportal.conformance.knowledge.requests.inputs import (
    Input,
    PathSteps,
    authorised_request,
    body_input,
    inputs,
    is_forbidden,
    is_server_issued,
    replace_value,
    valid_request_values,
    value_at,
    violations,
)
from devportal.conformance.knowledge.requests.request_variants import (
    idempotency_key_parameter,
    request_json,
    request_variants,
    varied_texts_request,
)
from devportal.conformance.knowledge.requests.valid_request import RequestValues
from devportal.conformance.knowledge.resources.created_resources import MOST_VARIANTS, response_json
from devportal.conformance.knowledge.resources.echoed_values import MISSING, echo_difference, stored_resource
from devportal.conformance.knowledge.resources.operation_resources import with_resource_for_action
from devportal.conformance.knowledge.response_check import (
    documents_invalid_refusal,
    has_problem_type_per_reason,
    refusal_of,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.wording import VALUE_CHANGED
from devportal.contract import ABSENT, Location, Operation, Schema

VALID_REFUSED = "valid data is rejected as invalid"
VALID_BREAKS_SERVER = "what the contract allows is a server error"
WRONG_DEFAULT = "a member that is left out has another default"
INVALID_ACCEPTED = "what the contract forbids is accepted"
INVALID_BREAKS_SERVER = "what the contract forbids is a server error"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryAttempt:
    """The requests of one boundary: a valid one at the bound, the next one inside, others near the example,
    and one outside; None if there is none. `case` names the valid one, and `outside_case` the one outside.

    `surely_invalid` shows what invalid data gets, and `promise` is where the contract describes the input. `steps`
    lead to it in a body, and are empty for a parameter; `schema` describes it. `default` is what the contract has
    for a member that is left out, else ABSENT. `put_into` puts the value at the bound into another valid request;
    None if it must be the only change.
    """

    case: str = ""
    outside_case: str = ""
    promise: Location
    steps: PathSteps = ()
    schema: Schema | None = None
    default: Any = ABSENT
    put_into: Callable[[RequestValues], RequestValues] | None = None
    valid: RequestValues | None = None
    inner: RequestValues | None = None
    near: tuple[RequestValues, ...] = ()
    outside: RequestValues | None = None
    surely_invalid: RequestValues | None = None


class _NoResponseReceived(Exception):
    """No response came: each further request could take as long."""


@dataclass(slots=True)
class _BoundaryTrial:
    """Tests one operation and collects the failures."""

    subject: Subject
    operation: Operation
    send: Send
    collector: FailureCollector
    lacks: str = FORBIDDEN_DATA
    """What was lacking to see how the deployment judges the data of requests."""
    base: RequestValues | None = None
    """The unchanged request, which is valid."""

    def run_all(self, base: RequestValues, attempts: Sequence[BoundaryAttempt]) -> None:
        """Send the unchanged request, the valid values of several members at once, and all that this does not
        show to be correct.
        """
        self.base = base
        is_base_accepted = self.accepts(base)
        passed: set[int] = set()
        for group in combinable_groups(attempts) if is_base_accepted else ():
            combined = reduce(
                lambda request, item: item.put_into(request) if item.put_into else request, group, base
            )
            if not violations(self.subject, combined) and self._passes_at_once(group, combined):
                passed.update(map(id, group))
        for attempt in attempts:
            self.run(attempt, is_base_accepted=is_base_accepted, has_passed=id(attempt) in passed)

    def _passes_at_once(self, group: Sequence[BoundaryAttempt], combined: RequestValues) -> bool:
        """Return whether a request with the values of several attempts is accepted, and stored as sent."""
        exchange = self.send_values(combined, *(attempt.steps for attempt in group))
        return 200 <= exchange.status < 300 and not any(
            self._echo_difference(boundary_attempt, combined, exchange) for boundary_attempt in group
        )

    def run(self, attempt: BoundaryAttempt, *, is_base_accepted: bool, has_passed: bool) -> None:
        """Send the invalid request, and the valid one if the unchanged request succeeds (`is_base_accepted`)
        and no other request has shown that its value is accepted (`has_passed`).
        """
        if attempt.outside is not None:
            outside = self.send_values(attempt.outside, attempt.steps)
            self.lacks = "" if not self.lacks or is_judgement(outside) else JUDGED_DATA
            self._check_outside(attempt, outside)
        if attempt.valid is None or not is_base_accepted:
            return
        self.lacks = ""
        if has_passed:
            return
        exchange = self.send_values(attempt.valid, attempt.steps)
        if exchange.status >= 500:
            self.collector.add(VALID_BREAKS_SERVER, attempt.promise, attempt.case, exchange)
        elif self._is_called_invalid(attempt, exchange):
            self.collector.add(VALID_REFUSED, attempt.promise, attempt.case, exchange)
        elif exchange.status < 300 and attempt.steps:
            self._check_echo(attempt, attempt.valid, exchange)

    def _check_echo(self, attempt: BoundaryAttempt, valid: RequestValues, exchange: Exchange) -> None:
        """Compare what was stored with what was sent, or with the default of a member that was left out."""
        if difference := self._echo_difference(attempt, valid, exchange):
            is_left_out = value_at(valid.body, attempt.steps) is ABSENT
            title = WRONG_DEFAULT if is_left_out else VALUE_CHANGED
            self.collector.add(title, attempt.promise, f"{attempt.case} ({difference})", exchange)

    def _echo_difference(self, attempt: BoundaryAttempt, valid: RequestValues, exchange: Exchange) -> str:
        """Return how a response shows another value than the request has, or the default; empty if it does not."""
        sent = value_at(valid.body, attempt.steps)
        resource = stored_resource(self.subject, self.operation)
        is_new = resource is not None and resource.create is self.operation
        expected = attempt.default if sent is ABSENT and is_new else sent
        difference = (
            ""
            if expected is ABSENT or attempt.schema is None
            else echo_difference(
                self.subject, self.operation, attempt.steps, attempt.schema, expected, exchange
            )
        )
        return "" if sent is ABSENT and difference == MISSING else difference

    def send_values(self, request_values: RequestValues, *tested: PathSteps) -> Exchange:
        """Send a request; if that gets 409, with other texts than the `tested` ones: another resource may have what
        only one can have. Raises _NoResponseReceived if no response comes, which the family `answers` reports.
        """
        exchange = self.send(self.operation, authorised_request(self.subject, request_values))
        for other in self._with_other_texts(request_values, tested) if exchange.status == CONFLICT else ():
            exchange = self.send(self.operation, authorised_request(self.subject, other))
            if exchange.status != CONFLICT:
                break
        if exchange.answer is None:
            raise _NoResponseReceived
        return exchange

    def _with_other_texts(
        self, request_values: RequestValues, tested: Sequence[PathSteps]
    ) -> Iterator[RequestValues]:
        """Yield the values with another text, one after another, and with all others; `tested` ones stay. An invalid
        request has those of the unchanged one.
        """
        is_invalid = bool(tested) and bool(violations(self.subject, request_values))
        plain = self.base if is_invalid and self.base is not None else request_values
        request = authorised_request(self.subject, plain)
        variants = islice(request_variants(self.subject, self.operation, request), MOST_VARIANTS)
        for variant in (*variants, varied_texts_request(self.subject, self.operation, request)):
            body = request_json(variant)
            for steps in tested:
                body = replace_value(body, steps, value_at(request_values.body, steps))
            if body is not None and body != request_values.body:
                yield request_values.with_body(body)

    def accepts(self, request_values: RequestValues, *tested: PathSteps) -> bool:
        """Return whether a request succeeds."""
        return 200 <= self.send_values(request_values, *tested).status < 300

    def _check_outside(self, attempt: BoundaryAttempt, exchange: Exchange) -> None:
        case = attempt.outside_case
        if 200 <= exchange.status < 300 and documents_invalid_refusal(self.operation):
            self.collector.add(INVALID_ACCEPTED, attempt.promise, case, exchange)
        elif exchange.status >= 500:
            self.collector.add(INVALID_BREAKS_SERVER, attempt.promise, case, exchange)

    def _is_called_invalid(self, attempt: BoundaryAttempt, exchange: Exchange) -> bool:
        """Return whether valid data was rejected as invalid, and not by a rule that no schema can express.

        It was if it gets the response of invalid data, and the next value is accepted, or the complaint about
        the member is that about another type; or if values near the example are accepted, and the contract
        has other problem types for other reasons.
        """
        refusal, invalid = refusal_of(exchange), attempt.outside or attempt.surely_invalid
        if refusal is None or invalid is None:
            return False
        invalid_exchange = self.send_values(invalid)
        if refusal != refusal_of(invalid_exchange):
            return False
        if invalid is attempt.surely_invalid and _is_same_complaint(
            member_name(attempt.steps), exchange, invalid_exchange
        ):
            return True
        if attempt.inner is not None and self.accepts(attempt.inner, attempt.steps):
            return True
        if not has_problem_type_per_reason(self.subject.api, self.operation, refusal.status):
            return False
        return not attempt.near or any(
            self.accepts(request_values, attempt.steps) for request_values in attempt.near
        )


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes input and can be repeated."""
    for operation in subject.operations:
        if operation.method != "DELETE" and (operation.parameters or operation.request_body):
            yield Probe(
                operation=operation_label(operation), run=partial(_try_boundaries, subject, operation)
            )


def _try_boundaries(known: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    with with_resource_for_action(known, operation, send) as subject:
        yield from _boundary_failures(subject, operation, send)


def _boundary_failures(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    trial = _BoundaryTrial(subject, operation, send, FailureCollector(operation))
    try:
        valid = valid_request_values(subject, operation)
        all_inputs = inputs(subject, valid)
        for base in valid:
            base_inputs = tuple(input_ for input_ in all_inputs if input_.request_values is base)
            trial.run_all(base, tuple(_boundary_attempts(subject, base, base_inputs)))
    except _NoResponseReceived:
        pass
    yield from trial.collector.failures()
    if trial.lacks:
        raise Unsendable(trial.lacks)


def combinable_groups(attempts: Iterable[BoundaryAttempt]) -> tuple[tuple[BoundaryAttempt, ...], ...]:
    """Return the attempts whose valid values can be in one request, in groups of two or more: of different
    members, none inside another.
    """
    groups: list[list[BoundaryAttempt]] = []
    for attempt in attempts:
        if attempt.valid is None or attempt.put_into is None:
            continue
        fitting = (
            group for group in groups if not any(_is_nested(attempt.steps, each.steps) for each in group)
        )
        group = next(fitting, None)
        if group is None:
            groups.append([attempt])
        else:
            group.append(attempt)
    return tuple(tuple(group) for group in groups if len(group) > 1)


def _is_nested(first: PathSteps, second: PathSteps) -> bool:
    """Return whether one of two places is the other one, or inside it."""
    shared = min(len(first), len(second))
    return first[:shared] == second[:shared]


def _boundary_attempts(
    subject: Subject, base: RequestValues, request_inputs: tuple[Input, ...]
) -> Iterator[BoundaryAttempt]:
    """Yield the attempts with one valid request and its inputs."""
    longest, promise = base, _body_location(base)
    body = body_input(subject, base)
    for request_input in (*request_inputs, body) if body is not None else request_inputs:
        for boundary in boundaries(request_input.meaning, request_input.value):
            attempt = _attempt_at(subject, request_input, boundary)
            if (
                attempt.valid is not None
                and boundary.title == "the longest text"
                and request_input.steps[1:] == ()
            ):
                longest = request_input.put_into(longest, boundary.value)
            yield attempt
        yield from _omission_attempts(subject, request_input)
        yield from _undeclared_attempts(subject, request_input)
    if longest is not base:
        yield BoundaryAttempt(
            case="all texts at their longest", promise=promise, valid=_valid_or_none(subject, longest)
        )


def _body_location(base: RequestValues) -> Location:
    """Return where the contract describes a body as a whole, or the request if that has none."""
    schema = base.media_type.schema if base.media_type is not None else None
    return schema.location if schema is not None else request_location(base.operation)


def _attempt_at(subject: Subject, request_input: Input, boundary: Boundary) -> BoundaryAttempt:
    is_unwritable = request_input.is_in_form and boundary.value is None  # a form has no null

    def request_with(value: Any) -> RequestValues | None:
        return None if value is ABSENT else _valid_or_none(subject, request_input.request_values_with(value))

    near = (request_with(value) for value in boundary.near)
    keywords = frozenset({"format"}) if boundary.is_format else frozenset[str]()
    # Outside of JSON, an empty value and an omitted one look the same.
    is_text = request_input.parameter is not None or request_input.is_in_form
    is_tried = boundary.outside is not ABSENT and not (is_text and boundary.outside in ("", [], {}))
    outside = request_input.request_values_with(boundary.outside) if is_tried else None
    return BoundaryAttempt(
        case=f"{boundary.title} in {request_input.name}",
        outside_case=f"beyond {boundary.title} in {request_input.name}",
        promise=request_input.location,
        steps=request_input.steps,
        schema=request_input.schema,
        # Parameters select what is read, and a choice may need other members: each is tried alone.
        put_into=partial(request_input.put_into, value=boundary.value)
        if request_input.steps and not boundary.is_choice
        else None,
        valid=None
        if is_unwritable
        or is_server_issued(subject, request_input)
        or _is_idempotency_key(subject, request_input)
        else request_with(boundary.value),
        inner=request_with(boundary.inner),
        near=tuple(request_values for request_values in near if request_values is not None),
        outside=outside if outside is not None and is_forbidden(subject, outside, keywords) else None,
        surely_invalid=_surely_invalid(subject, request_input),
    )


def _is_idempotency_key(subject: Subject, request_input: Input) -> bool:
    """Return whether an input is an idempotency key, whose allowed lengths `idempotency-keys` tests."""
    operation = request_input.request_values.operation
    key = idempotency_key_parameter(subject, operation) if operation.method != "GET" else None
    return key is not None and request_input.parameter is key


def _omission_attempts(subject: Subject, request_input: Input) -> Iterator[BoundaryAttempt]:
    """Yield the attempt without an input: valid if it is optional, invalid if it is required."""
    if not request_input.is_present or (request_input.steps and isinstance(request_input.steps[-1], int)):
        return
    if request_input.parameter is None and not request_input.steps:
        return  # an empty body is tested by `odd-bodies`
    without = request_input.request_values_with(ABSENT)
    if request_input.parameter is not None:
        return  # a path without it is another path; Schemathesis leaves out other required parameters
    if is_forbidden(subject, without):
        yield BoundaryAttempt(
            outside_case=f"a request without the required {request_input.name}",
            promise=request_input.location,
            outside=without,
        )
    elif (valid := _valid_or_none(subject, without)) is not None:
        yield BoundaryAttempt(
            case=f"optional {request_input.name} left out",
            promise=request_input.location,
            steps=request_input.steps,
            schema=request_input.schema,
            default=subject.api.resolve(request_input.schema).default,
            valid=valid,
            surely_invalid=_surely_invalid(subject, request_input),
        )


def _undeclared_attempts(subject: Subject, request_input: Input) -> Iterator[BoundaryAttempt]:
    """Yield the attempt with a member that an object of a body does not declare. In a form it is a text, which may be
    a valid one: it is tried if neither the number nor the text is allowed.
    """
    if request_input.parameter is not None or not request_input.is_present:
        return
    if not isinstance(request_input.value, dict):
        return
    values = (1, "1") if request_input.is_in_form else (1,)
    with_undeclared, *others = (
        request_input.request_values_with({**request_input.value, UNDECLARED: value}) for value in values
    )
    if all(is_forbidden(subject, request_values) for request_values in (with_undeclared, *others)):
        place = f" in {request_input.name}" if request_input.steps else ""
        yield BoundaryAttempt(
            outside_case=f"an undeclared member{place}",
            promise=request_input.location,
            outside=with_undeclared,
        )


def member_name(steps: PathSteps) -> str:
    """Return the name of the innermost member that steps lead to, empty if there is none."""
    return next((step for step in reversed(steps) if isinstance(step, str)), "")


def _is_same_complaint(member: str, first: Exchange, second: Exchange) -> bool:
    """Return whether two rejections say the same, and name a member: a message about a value of another type
    is not a rule about the values of that member.
    """
    bodies = [_lasting_texts(response_json(exchange)) for exchange in (first, second)]
    return bool(member) and bodies[0] == bodies[1] and any(member in text for text in bodies[0])


def _lasting_texts(value: Any) -> list[str]:
    """Return the texts of a JSON value that are neither identifiers nor times."""
    match value:
        case dict():
            return [text for item in value.values() for text in _lasting_texts(item)]
        case list():
            return [text for item in value for text in _lasting_texts(item)]
        case str() if not any(text.isdigit() for text in value) or " " in value:
            return [value]
    return []


def _surely_invalid(subject: Subject, request_input: Input) -> RequestValues | None:
    if request_input.parameter is not None or request_input.is_in_form:
        return None
    wrong = request_input.request_values_with({UNDECLARED: []})
    return wrong if is_forbidden(subject, wrong) else None


def _valid_or_none(subject: Subject, request_values: RequestValues) -> RequestValues | None:
    return None if violations(subject, request_values) else request_values


FAMILY = Family(
    name="boundary-values",
    summary="bounds match the contract",
    words=CheckDescription(
        promise="Values at a bound of the contract are accepted and stored unchanged, and values just outside are "
        "rejected. Neither causes a server error. A member that is left out has the default of its schema.",
        test="Each parameter and each member of a body, or a body that is a text, is set to its shortest and "
        "longest text, smallest and largest number, fewest and most items, each enumerated value, both booleans and "
        "null if allowed, and is left out, while the rest of the request is the example. Sizes of several members of a "
        "body are sent in one request, and alone if that does not succeed. Rejected valid data "
        "is a failure only if invalid data gets the same response and a neighboring value is "
        "accepted, or if its complaint about the member is word for word that about a value of another type: "
        "rules that a schema cannot express may reject more. Just outside each bound, with a text that has "
        "nothing of its `format`, without each required member, and with an undeclared member, also in "
        "nested objects, a success is a failure. If the response to a creation or a change shows a value that "
        "was sent, it must be the same: texts may be normalized, but not truncated.",
        remedy="Derive the bounds of deployment and contract from one source. Count code points, not bytes "
        "or UTF-16 units.",
        sources=("JSON Schema 2020-12 Validation §6", "OAS 3.0.3 §4.7.24"),
    ),
    needs="a parameter or member with `enum`, `minimum`, `maximum`, `minLength`, `maxLength` or `pattern`",
    probes=probes,
    beside=True,
)
