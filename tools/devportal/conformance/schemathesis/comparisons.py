"""What the checks of Schemathesis compare: it counts a check as passed too if a case has nothing to compare."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from devportal.conformance.deployment.credentials import is_secured
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.test_target import Subject
from devportal.conformance.schemathesis.events import Case
from devportal.contract import Operation, ParameterLocation, Response

STATEFUL = "stateful"
"""The phase that sends sequences of requests."""
METHOD_NOT_ALLOWED = 405


@dataclass(slots=True)
class CaseHistory:
    """What the cases so far did: the paths that they deleted, and whether a sequence created anything."""

    deleted_paths: set[str] = field(default_factory=set)
    has_created: bool = False

    def add(self, case: Case) -> None:
        """Remember a case."""
        exchange = case.exchange
        if case.phase != STATEFUL or exchange.answer is None or not exchange.answer.is_success:
            return
        if exchange.request.method == "DELETE":
            self.deleted_paths.add(_path(exchange))
        self.has_created = self.has_created or exchange.request.method == "POST"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCase:
    """A case with what decides what its checks compare."""

    case: Case
    subject: Subject
    operation: Operation
    history: CaseHistory

    @property
    def exchange(self) -> Exchange:
        """Its request and response."""
        return self.case.exchange

    @property
    def documented(self) -> Response | None:
        """The documented response of its status."""
        return documented_response(self.operation, self.exchange.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """When a check compares anything, and what it needs in order to."""

    is_made: Callable[[ComparedCase], bool]
    needs: str


def _lacks_required_header(one: ComparedCase) -> bool:
    sent = {name.lower() for name, _ in one.exchange.request.headers}
    required = (
        each.name.lower()
        for each in one.operation.parameters
        if each.location_in is ParameterLocation.HEADER and each.required
    )
    return any(name not in sent for name in required)


def _has_schema(one: ComparedCase) -> bool:
    return one.documented is not None and any(each.schema is not None for each in one.documented.content)


def _is_allow_shown(one: ComparedCase) -> bool:
    answer = one.exchange.answer
    return answer is not None and (answer.status == METHOD_NOT_ALLOWED or answer.header("allow") is not None)


def _is_success(one: ComparedCase) -> bool:
    return one.exchange.answer is not None and one.exchange.answer.is_success


def _path(exchange: Exchange) -> str:
    return urlsplit(exchange.request.url).path


_RESPONSE = "a response to a case of Schemathesis"
_SEQUENCES = "in a sequence of requests, which `--profile nightly` sends"

COMPARISONS: Mapping[str, Comparison] = {
    "not_a_server_error": Comparison(is_made=lambda _: True, needs=_RESPONSE),
    "status_code_conformance": Comparison(is_made=lambda one: bool(one.operation.responses), needs=_RESPONSE),
    "content_type_conformance": Comparison(
        is_made=lambda one: one.documented is not None and bool(one.documented.content),
        needs="a response for which the contract documents `content`",
    ),
    "response_headers_conformance": Comparison(
        is_made=lambda one: one.documented is not None and bool(one.documented.headers),
        needs="a response for which the contract documents `headers`",
    ),
    "response_schema_conformance": Comparison(
        is_made=_has_schema, needs="a response for which the contract documents a `schema`"
    ),
    "positive_data_acceptance": Comparison(
        is_made=lambda one: one.exchange.is_valid, needs="a valid request that can be generated"
    ),
    "negative_data_rejection": Comparison(
        is_made=lambda one: bool(one.case.invalid_inputs),
        needs="a parameter or body whose schema forbids anything",
    ),
    "missing_required_header": Comparison(
        is_made=_lacks_required_header, needs="a header parameter with `required: true`"
    ),
    "unsupported_method": Comparison(
        is_made=lambda one: one.exchange.request.method != one.operation.method,
        needs="a case with a method that the path does not declare",
    ),
    "allow_header_conformance": Comparison(
        is_made=_is_allow_shown, needs="a response with status 405 or an `Allow` header"
    ),
    "use_after_free": Comparison(
        is_made=lambda one: _path(one.exchange) in one.history.deleted_paths,
        needs=f"a deletion {_SEQUENCES}",
    ),
    "ensure_resource_availability": Comparison(
        is_made=lambda one: one.case.phase == STATEFUL and one.history.has_created,
        needs=f"a creation {_SEQUENCES}",
    ),
    "ignored_auth": Comparison(
        is_made=lambda one: is_secured(one.operation) and _is_success(one),
        needs="a successful response of an operation with `security`",
    ),
    "object_level_authorization": Comparison(
        is_made=lambda _: False,
        needs="nothing here: the check `tenants` does the same with another account's credential",
    ),
}
"""Every check of Schemathesis, by its name."""


def is_compared(check: str, case: Case, subject: Subject, history: CaseHistory) -> bool:
    """Return whether a check compared anything in a case."""
    operation, comparison = subject.operation(case.exchange.operation), COMPARISONS.get(check)
    if operation is None or case.exchange.answer is None:
        return False
    if comparison is None:
        return True
    return comparison.is_made(ComparedCase(case=case, subject=subject, operation=operation, history=history))
