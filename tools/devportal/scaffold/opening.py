"""The operation that a new portal begins with: one that a reader can send right away, if there is one."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from devportal.contract import Api, Group, Location, Operation, Stability
from devportal.markup import code_block
from devportal.reference.addresses import Addresses
from devportal.reference.samples.from_contract import sample_requests
from devportal.reference.samples.panels import Panels, PlainSample
from devportal.reference.samples.request import SampleRequest, Secret
from devportal.reference.samples.servers import base_address, host_note

_LONGEST = 60
"""How many lines of an answer a first page shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstOperation:
    """An operation as the first pages show it: `request` and `answer` are blocks of code."""

    operation: Operation
    group: Group
    uri: str
    base: str
    host_note: str
    """What is to be said of the address, where the contract does not tell it whole."""
    variables: tuple[str, ...]
    """The variables of the environment that the request reads credentials from."""
    request: str = field(repr=False)
    answer: str = field(default="", repr=False)
    status: str = ""


def choose_first_operation(api: Api, addresses: Addresses) -> FirstOperation | None:
    """Return the operation to begin with, None where the contract has none."""
    groups: dict[Location, Group] = {}
    for group in api.groups:
        for operation in group.operations:
            groups.setdefault(operation.key, group)
    shown = [one for one in api.operations if one.key in groups]
    if not shown:
        return None
    operation = min(shown, key=_sending_effort)
    panels = Panels(api)
    requests = sample_requests(api, operation)[:1]
    sample = panels.plain(operation, requests)[0]
    answer = _short_success_response(panels, operation)
    return FirstOperation(
        operation=operation,
        group=groups[operation.key],
        uri=addresses.operation(operation),
        base=base_address(operation.servers),
        host_note=host_note(operation.servers),
        variables=()
        if operation.code_samples
        else tuple(dict.fromkeys(_environment_variables(requests[0].request))),
        request=code_block(sample.code, sample.language),
        answer=code_block(answer.code, answer.language) if answer else "",
        status=answer.label.split(" ")[0] if answer else "",
    )


def _sending_effort(operation: Operation) -> tuple[bool, bool, bool, int, bool]:
    """Return what keeps a reader from sending an operation at once; of equal ones the first is taken."""
    required = sum(one.required for one in operation.parameters)
    return (
        operation.deprecated,
        operation.stability is Stability.BETA,
        operation.method != "GET",
        required,
        bool(operation.request_body),
    )


def _short_success_response(panels: Panels, operation: Operation) -> PlainSample | None:
    """Return the body of the first success that is short enough to stand beside its request."""
    for one in panels.plain_answers(operation):
        if one.label.startswith("2") and one.code.count("\n") < _LONGEST:
            return one
    return None


def _environment_variables(request: SampleRequest) -> Iterator[str]:
    for _, words in (*request.query, *request.headers):
        yield from (one.variable for one in words if isinstance(one, Secret))
    if request.basic is not None:
        yield from (request.basic.username.variable, request.basic.password.variable)
