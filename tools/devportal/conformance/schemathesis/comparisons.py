"""What the checks of Schemathesis compare: it counts a check as passed too if a case has nothing to compare."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from devportal.conformance.deployment.credentials import is_secured
from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject
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
    of_contract: bool = True
    """Whether it needs something of the contract, rather than another run."""


def _lacks_required_header(compared_case: ComparedCase) -> bool:
    sent = {name.lower() for name, _ in compared_case.exchange.request.headers}
    required = (
        each.name.lower()
        for each in compared_case.operation.parameters
        if each.location_in is ParameterLocation.HEADER and each.required
    )
    return any(name not in sent for name in required)


def _has_schema(compared_case: ComparedCase) -> bool:
    return compared_case.documented is not None and any(
        each.schema is not None for each in compared_case.documented.content
    )


def _is_allow_shown(compared_case: ComparedCase) -> bool:
    answer = compared_case.exchange.answer
    return answer is not None and (answer.status == METHOD_NOT_ALLOWED or answer.header("allow") is not None)


def _is_success(compared_case: ComparedCase) -> bool:
    return compared_case.exchange.is_success


def _path(exchange: Exchange) -> str:
    return urlsplit(exchange.request.url).path


_RESPONSE = "a response to a case of Schemathesis"
_SEQUENCES = "a creation or a deletion in a sequence of requests: run `--profile nightly`"

COMPARISONS: Mapping[str, Comparison] = {
    "not_a_server_error": Comparison(is_made=lambda _: True, needs=_RESPONSE),
    "status_code_conformance": Comparison(
        is_made=lambda compared_case: bool(compared_case.operation.responses), needs=_RESPONSE
    ),
    "content_type_conformance": Comparison(
        is_made=lambda compared_case: (
            compared_case.documented is not None and bool(compared_case.documented.content)
        ),
        needs="a response for which the contract documents `content`",
    ),
    "response_headers_conformance": Comparison(
        is_made=lambda compared_case: (
            compared_case.documented is not None and bool(compared_case.documented.headers)
        ),
        needs="a response for which the contract documents `headers`",
    ),
    "response_schema_conformance": Comparison(
        is_made=_has_schema, needs="a response for which the contract documents a `schema`"
    ),
    "positive_data_acceptance": Comparison(
        is_made=lambda compared_case: compared_case.exchange.is_valid,
        needs="a valid request that can be generated",
    ),
    "negative_data_rejection": Comparison(
        is_made=lambda compared_case: bool(compared_case.case.invalid_inputs),
        needs="a parameter or body whose schema forbids anything",
    ),
    "missing_required_header": Comparison(
        is_made=_lacks_required_header, needs="a header parameter with `required: true`"
    ),
    "unsupported_method": Comparison(
        is_made=lambda compared_case: compared_case.exchange.request.method != compared_case.operation.method,
        needs="a case with a method that the path does not declare",
    ),
    "allow_header_conformance": Comparison(
        is_made=_is_allow_shown, needs="a response with status 405 or an `Allow` header"
    ),
    "use_after_free": Comparison(
        is_made=lambda compared_case: _path(compared_case.exchange) in compared_case.history.deleted_paths,
        needs=_SEQUENCES,
        of_contract=False,
    ),
    "ensure_resource_availability": Comparison(
        is_made=lambda compared_case: (
            compared_case.case.phase == STATEFUL and compared_case.history.has_created
        ),
        needs=_SEQUENCES,
        of_contract=False,
    ),
    "ignored_auth": Comparison(
        is_made=lambda compared_case: is_secured(compared_case.operation) and _is_success(compared_case),
        needs="a successful response of an operation with `security`",
    ),
    "object_level_authorization": Comparison(
        is_made=lambda _: False,
        needs="two accounts that Schemathesis knows: here the check `tenants` tests the same",
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
