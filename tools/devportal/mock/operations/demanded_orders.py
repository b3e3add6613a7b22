"""Rejects creations and changes whose values are not in the order that the contract demands: "must be after
`starts_at`".
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.response_check import documents_exact_status, documents_invalid_refusal
from devportal.contract import Operation
from devportal.contract.values.member_rules.agreement import BrokenOrder, MemberAgreement
from devportal.contract.wire_format.request_check import BODY, RequestProblem, value_steps
from devportal.mock.http.requests import refused_as_invalid
from devportal.mock.json_values import write_json
from devportal.mock.operations.call import Call
from devportal.mock.resources.body_schemas import sent_schema
from devportal.mock.resources.nested_members import nest_members
from devportal.mock.resources.plan import Plan, ResourceType
from devportal.mock.resources.store import Record

_CONFLICT = 409
_REFUSALS = (422, 400, _CONFLICT)
"""The statuses of a rejection if the rule names none: what is rejected has the syntax of its schema (RFC 9110
§15.5.21).
"""
_STATUS = re.compile(r"\b4\d\d\b")


def refuse_broken_order(
    plan: Plan, agreement: MemberAgreement, call: Call, record: Record, before: Record | None = None
) -> None:
    """Raise Refused if two values of a new version do not have the order that the creation or the operation demands,
    and the operation documents a rejection of invalid data. Values that were so before a change may stay.
    """
    operation, create = call.operation, call.type.create
    if not (documents_invalid_refusal(operation) or documents_exact_status(operation, _CONFLICT)):
        return
    demanding = (operation,) if create is None or create is operation else (create, operation)
    broken: dict[tuple[str, ...], BrokenOrder] = {}
    for each in demanding:
        known = list(_broken_orders(plan, agreement, call.type, each, before)) if before is not None else []
        for order in _broken_orders(plan, agreement, call.type, each, record):
            if order not in known:
                broken.setdefault((*order.pointer, order.order.name, order.order.other), order)
    members = nest_members(record.members, call.type.nested)
    problems = [_problem(order, members) for order in broken.values()]
    if problems:
        named = [status for order in broken.values() for status in _STATUS.findall(order.order.sentence)]
        raise refused_as_invalid(problems, (*map(int, named), *_REFUSALS))


def _broken_orders(
    plan: Plan, agreement: MemberAgreement, kind: ResourceType, operation: Operation, record: Record
) -> Iterator[BrokenOrder]:
    """Yield the orders that an operation demands of what it takes, and a record does not keep."""
    schema = sent_schema(plan.api, operation, kind.envelope)
    if schema is not None:
        members = nest_members(record.members, kind.nested)
        yield from agreement.broken_orders(schema, members, operation_sentences(operation))


def _problem(order: BrokenOrder, members: Mapping[str, Any]) -> RequestProblem:
    """Return the problem that a broken order is, at its place in what was sent."""
    pointer = (*order.pointer, order.order.name)
    return RequestProblem(
        part=BODY,
        pointer=pointer,
        place=BODY + value_steps(members, pointer),
        message=f"{_quote(order.value)} {order.order.demand}, which is {_quote(order.other)}",
    )


def _quote(value: object) -> str:
    return write_json(value).decode()
