"""What hand-written pages show of the sandbox, as Markdown (entry points `devportal.inserts`): its magic
numbers, from the tables that it plays from, and the requests of its control API, from their contract."""

from collections.abc import Callable, Iterator, Mapping

from devportal.contract import Api, Operation, Schema, load_contract
from devportal.pages.inserts import Wrong
from telecom.calls import ANSWERED, OUTCOMES
from telecom.magic_numbers import DESTINATIONS, ORDINARY, Destination, fate
from telecom.problems import ProblemRegistry
from telecom.receipts import Channel
from telecom.sandbox.control import CONTRACT
from telecom.states import Machines

_OTHERS = "any other"


def magic_numbers(api: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return the numbers that stand for an outcome, of `messages` or of `calls`."""
    if len(arguments) != 1 or arguments[0] not in _TABLES:
        return Wrong(
            message=f"the insert 'magic-numbers' has no table {' '.join(arguments)!r}",
            help=f"write one of {', '.join(map(repr, _TABLES))} behind it",
        )
    return "\n".join(_TABLES[arguments[0]](api))


def sandbox_control(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return the requests of the control API, whatever contract the portal is about."""
    if arguments:
        return Wrong(
            message=f"the insert 'sandbox-control' has no table {' '.join(arguments)!r}",
            help="write nothing behind it",
        )
    return "\n".join(_requests(load_contract(CONTRACT).api))


def _requests(control: Api) -> Iterator[str]:
    yield "| request | what it does | members of the body | parameters |"
    yield "|---|---|---|---|"
    for one in control.operations:
        parameters = [_code(parameter.name) for parameter in one.parameters]
        members = map(_code, dict.fromkeys(_members(control, one)))
        request = _code(f"{one.method} {one.path}")
        yield _row(request, one.summary, ", ".join(members) or "none", ", ".join(parameters) or "none")


def _members(control: Api, operation: Operation) -> Iterator[str]:
    for media in operation.request_body.content if operation.request_body is not None else ():
        if media.schema is not None:
            yield from _properties(control, media.schema)


def _properties(control: Api, schema: Schema) -> Iterator[str]:
    """Yield the members of what a schema describes, by whichever branch."""
    meant = control.schemas[schema.ref] if schema.ref else schema
    yield from (member.name for member in meant.properties)
    for branch in meant.one_of:
        yield from _properties(control, branch)


def _messages(api: Api) -> Iterator[str]:
    machines, problems = Machines.read(api), ProblemRegistry.of(api)
    yield "| destination | what it stands for | in the end | receipts | `error_code` |"
    yield "|---|---|---|---|---|"
    for number, one in DESTINATIONS.items():
        end, receipts, error = _fate(machines, one)
        if one.refusal is not None:
            refused = f"{problems.problem(one.refusal, '').type.status} {_code(one.refusal)}"
            others = one.refused != frozenset(Channel)
            end = f"{end}, or {refused}" if others else refused
            receipts = receipts if others else "none"
        yield _row(_code(number), one.meaning, end, receipts, error)
    yield _row(_OTHERS, ORDINARY.meaning, *_fate(machines, ORDINARY))


def _fate(machines: Machines, one: Destination) -> tuple[str, str, str]:
    """Return the status in the end, the receipts in the order in which they come, and the error code."""
    end = fate(machines, one)
    receipts = ", then ".join(map(_code, end.receipts))
    return _code(end.status), receipts or "none", _code(end.error) if end.error else "none"


def _calls(_: Api) -> Iterator[str]:
    yield "| destination | what it stands for | in the end | `end_cause` |"
    yield "|---|---|---|---|"
    for number, one in [*((_code(number), one) for number, one in OUTCOMES.items()), (_OTHERS, ANSWERED)]:
        yield _row(number, one.meaning, _code(one.status), _code(one.cause))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    return f"`{text}`"


_TABLES: Mapping[str, Callable[[Api], Iterator[str]]] = {"messages": _messages, "calls": _calls}
