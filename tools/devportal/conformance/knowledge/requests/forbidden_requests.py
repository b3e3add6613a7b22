"""Requests that the contract forbids, and other spellings of valid ones: their failures, one for each kind."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.requests.request_variants import (
    EquivalentRequest,
    compare_equivalent_requests,
)
from devportal.conformance.knowledge.response_check import documents_invalid_refusal
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract import Location, Operation

MOST_CASES = 5
"""How many cases a message names."""


@dataclass(slots=True)
class FailureCollector:
    """The failures of one operation by title and promise, each with its cases in the order found."""

    operation: Operation
    cases: dict[tuple[str, Location], list[str]] = field(default_factory=dict)
    evidence: dict[tuple[str, Location], tuple[Exchange, ...]] = field(default_factory=dict)

    def add(self, title: str, promise: Location, case: str, *evidence: Exchange) -> None:
        """Add a failed case, once; the evidence of the first case of a title and a promise is kept."""
        cases, text = self.cases.setdefault((title, promise), []), f"{case} gets {evidence[-1].outcome}"
        if text not in cases:
            cases.append(text)
        self.evidence.setdefault((title, promise), evidence)

    def failures(self) -> Iterator[CheckFailure]:
        """Yield one failure for each title and promise."""
        for (title, promise), cases in self.cases.items():
            suffix = f"; and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
            yield CheckFailure(
                title=title,
                message="; ".join(cases[:MOST_CASES]) + suffix,
                operation=operation_label(self.operation),
                promise=promise,
                evidence=self.evidence[title, promise],
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForbiddenRequest:
    """A request that the contract forbids: the name of its case, and where the contract forbids it."""

    case: str
    promise: Location
    request: Request


def spelling_failures(
    operation: Operation, plain: Request, other: EquivalentRequest, send: Send
) -> Iterator[CheckFailure]:
    """Yield the failure of a server for which a request in another spelling is not the same. Raises Unsendable."""
    failure = compare_equivalent_requests(operation, plain, other, request_location(operation), send)
    if failure is not None:
        yield failure


def check_forbidden_requests(
    operation: Operation,
    requests: Iterable[ForbiddenRequest],
    send: Send,
    *,
    accepted_title: str,
    server_error_title: str,
    is_pedantic: bool = False,
) -> Generator[CheckFailure, None, str]:
    """Yield the failures of requests that the contract forbids. `accepted_title` is the title if one succeeds
    although a rejection is promised, `server_error_title` that of a server error. Accepting
    requests that hardly any client sends `is_pedantic`. Return what was lacking if no response
    shows how the deployment judges the data: 404 and the like do not.
    """
    collector, lacks = FailureCollector(operation), FORBIDDEN_DATA
    for request in requests:
        exchange = send(operation, request.request)
        if (
            exchange.answer is None
        ):  # the family `answers` reports that; each further request could take as long
            break
        lacks = "" if not lacks or is_judgement(exchange) else JUDGED_DATA
        if exchange.answer.is_success and documents_invalid_refusal(operation):
            collector.add(accepted_title, request.promise, request.case, exchange)
        elif exchange.status >= 500:
            collector.add(server_error_title, request.promise, request.case, exchange)
    for failure in collector.failures():
        yield replace(failure, is_pedantic=is_pedantic and failure.title == accepted_title)
    return lacks


def is_judgement(exchange: Exchange) -> bool:
    """Return whether a response shows how a deployment judges the data of a request."""
    return exchange.answer is not None and exchange.status not in OTHER_REASONS


OTHER_REASONS = (401, 403, 404, 405, 409, 410, 412, 428, 429)
"""Statuses of requests that are refused for another reason than their data."""
JUDGED_DATA = (
    "a request whose data the deployment looks at: it is refused before, by 404 for example. Give the "
    "identifiers of existing resources under `values` in the settings"
)
"""What a test needs whose forbidden requests are all refused for another reason."""
FORBIDDEN_DATA = "a value that the contract forbids: a `type`, `enum`, `pattern` or bound"
"""What a test needs that has no forbidden request."""


def request_location(operation: Operation) -> Location:
    """Return where the contract describes requests of an operation."""
    if operation.request_body is not None:
        return operation.request_body.location
    return operation.parameters[0].location if operation.parameters else operation.location
