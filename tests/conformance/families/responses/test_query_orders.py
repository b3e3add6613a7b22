# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Parameters of a query that must be in an order: the ends of a time range."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.responses import consistent_members
from devportal.conformance.families.responses.query_orders import query_orders
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

PATHS = """\
paths:
  /free:
    get:
      description: {operation}
      parameters:
        - {{name: from, in: query, required: true, schema: {{type: string, format: date}}}}
        - {{name: to, in: query, description: {parameter}, required: true, schema: {{type: string, format: date}}}}
      responses: {{"200": {{description: Rooms.}}, "400": {{description: Refused.}}}}
"""


@pytest.mark.parametrize(
    ("operation", "parameter", "count"),
    [
        ("`to` must be after `from`; otherwise 400 is returned.", "The last day.", 1),
        ("Free rooms.", "Must be after `from`.", 1),
        ("`to` must be after `from`.", "Must not be before `from`.", 1),
        ("`to` may be before `from`.", "After `from`.", 0),
        ("`to` must be after `since`.", "The last day.", 0),
    ],
)
def test_an_order_of_parameters_is_understood(operation: str, parameter: str, count: int) -> None:
    """By the description of the operation, or by that of a parameter, once."""
    text = PATHS.format(operation=json.dumps(operation), parameter=json.dumps(parameter))
    subject = subject_of_contract(contract(text))

    assert len([*query_orders(subject, subject.operations[0])]) == count


class Rooms(Server):
    """An ASGI application. It takes ranges of at least `days` days."""

    def __init__(self, days: int) -> None:
        self.days = days

    def respond(self, request: Request, body: bytes) -> Response:  # noqa: ARG002 - it has none
        first, last = request.query_params["from"], request.query_params["to"]
        if (last > first) - (last < first) < self.days:
            raise Refusal(400)
        return Response("[]", media_type="application/json")


@pytest.mark.parametrize(("days", "is_right"), [(1, True), (0, False), (-1, False)])
def test_parameters_out_of_order_are_rejected(days: int, *, is_right: bool, tmp_path: Path) -> None:
    """A range that ends before it begins, and an empty one."""
    path = tmp_path / "rooms.yaml"
    head = 'openapi: 3.1.0\ninfo: {title: Rooms, version: "1"}\n'
    path.write_text(
        head + PATHS.format(operation="Rooms.", parameter="Must be after `from`."), encoding="utf-8"
    )

    titles = titles_for_contract(consistent_members.FAMILY, Rooms(days), path)

    assert titles == (set() if is_right else {"GET /free: 'to' is accepted out of order"})
