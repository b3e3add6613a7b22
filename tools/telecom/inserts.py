"""Tables about the sandbox for hand-written pages, as Markdown (entry points `devportal.inserts`): its magic
numbers, and the requests of its control API, both from their source."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from devportal.contract import Api, Operation, Schema, load_contract
from devportal.markup.page import InsertProblem
from telecom.calls import ANSWERED_OUTCOME, CALL_OUTCOMES
from telecom.magic_numbers import DESTINATIONS, ORDINARY_DESTINATION, Destination, final_outcome
from telecom.problems import ProblemRegistry
from telecom.receipts import Channel
from telecom.sandbox.control import CONTRACT
from telecom.states import StateMachines

_ANY_OTHER = "any other"


def magic_numbers(api: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return the table of magic numbers, of `messages` or of `calls`."""
    if len(arguments) != 1 or arguments[0] not in _TABLES:
        return InsertProblem(
            message=f"the insert 'magic-numbers' has no table {' '.join(arguments)!r}",
            help=f"write one of {', '.join(map(repr, _TABLES))} behind it",
        )
    return "\n".join(_TABLES[arguments[0]](api))


def sandbox_control(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return the requests of the control API, whatever contract the portal documents."""
    if arguments:
        return InsertProblem(
            message=f"the insert 'sandbox-control' has no table {' '.join(arguments)!r}",
            help="write nothing behind it",
        )
    return _control_requests()


@lru_cache(maxsize=1)
def _control_requests() -> str:
    """Return the table of requests: the contract of the control API does not change while a process runs."""
    return "\n".join(_control_request_rows(load_contract(CONTRACT).api))


def _control_request_rows(control: Api) -> Iterator[str]:
    yield "| request | what it does | members of the body | parameters |"
    yield "|---|---|---|---|"
    for operation in control.operations:
        parameters = [_code_span(parameter.name) for parameter in operation.parameters]
        members = map(_code_span, dict.fromkeys(_body_members(control, operation)))
        request = _code_span(f"{operation.method} {operation.path}")
        yield _table_row(
            request, operation.summary, ", ".join(members) or "none", ", ".join(parameters) or "none"
        )


def _body_members(control: Api, operation: Operation) -> Iterator[str]:
    for media in operation.request_content:
        if media.schema is not None:
            yield from _properties(control, media.schema)


def _properties(control: Api, schema: Schema) -> Iterator[str]:
    """Yield the members of a schema, of all its branches."""
    resolved = control.schemas[schema.ref] if schema.ref else schema
    yield from (member.name for member in resolved.properties)
    for branch in resolved.one_of:
        yield from _properties(control, branch)


def _message_rows(api: Api) -> Iterator[str]:
    machines, problems = StateMachines.read(api), ProblemRegistry.of(api)
    yield "| destination | what it simulates | final status | receipts | `error_code` |"
    yield "|---|---|---|---|---|"
    for number, destination in DESTINATIONS.items():
        status, receipts, error = _outcome_cells(machines, destination)
        if destination.refusal is not None:
            refused = (
                f"{problems.problem(destination.refusal, '').type.status} {_code_span(destination.refusal)}"
            )
            accepts_some = destination.refused_channels != frozenset(Channel)
            status = f"{status}, or {refused}" if accepts_some else refused
            receipts = receipts if accepts_some else "none"
        yield _table_row(_code_span(number), destination.meaning, status, receipts, error)
    yield _table_row(
        _ANY_OTHER, ORDINARY_DESTINATION.meaning, *_outcome_cells(machines, ORDINARY_DESTINATION)
    )


def _outcome_cells(machines: StateMachines, destination: Destination) -> tuple[str, str, str]:
    """Return the final status, the receipts in their order, and the error code."""
    outcome = final_outcome(machines, destination)
    receipts = ", then ".join(map(_code_span, outcome.receipts))
    return (
        _code_span(outcome.status),
        receipts or "none",
        _code_span(outcome.error) if outcome.error else "none",
    )


def _call_rows(_: Api) -> Iterator[str]:
    yield "| destination | what it simulates | final status | `end_cause` |"
    yield "|---|---|---|---|"
    for number, outcome in [
        *((_code_span(number), outcome) for number, outcome in CALL_OUTCOMES.items()),
        (_ANY_OTHER, ANSWERED_OUTCOME),
    ]:
        yield _table_row(number, outcome.meaning, _code_span(outcome.status), _code_span(outcome.cause))


def _table_row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _code_span(text: str) -> str:
    return f"`{text}`"


_TABLES: Mapping[str, Callable[[Api], Iterator[str]]] = {"messages": _message_rows, "calls": _call_rows}
