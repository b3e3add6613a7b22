"""`uses.yaml`: read with places, wrong names are problems."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.documents import parse_document
from devportal.findings import Finding
from devportal.integrators.uses import Use, UseKind, Uses, parse_path_text, path_text, read_uses

RIGHT = """
version: 1
since: 1.2.0
operations:
  POST /orders:
    parameters: [header.Idempotency-Key]
    request: [to, "items[].sku"]
    responses: {"201": [id, state]}
    headers: []
    values: {request.channel: [air]}
  GET /orders: {}
events:
  order.sent: {fields: [data.state]}
"""


def read(text: str) -> tuple[Uses, tuple[Finding, ...]]:
    """Read a file of this text."""
    return read_uses(parse_document(text, name="uses.yaml"))


def messages(findings: Sequence[Finding]) -> list[str]:
    """Return the findings as a compiler prints them."""
    return [f"{finding.place}: {finding.message}; {finding.help}" for finding in findings]


def test_a_right_file_is_read_without_a_problem() -> None:
    """A list that is missing is everything, an empty one nothing."""
    uses, findings = read(RIGHT)

    assert findings == ()
    assert uses.since == "1.2.0"
    assert uses.uses == (
        Use(
            kind=UseKind.OPERATION,
            name="POST /orders",
            parameters=("header.Idempotency-Key",),
            request=(("to",), ("items", "[]", "sku")),
            responses={"201": (("id",), ("state",))},
            headers=(),
            values={"request.channel": ("air",)},
        ),
        Use(kind=UseKind.OPERATION, name="GET /orders"),
        Use(kind=UseKind.EVENT, name="order.sent", request=(("data", "state"),)),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "uses.yaml:1:1: the file is empty, not a mapping"),
        ("operations: {}", "uses.yaml:1:1: the field 'version' is missing"),
        ("version: 2", "uses.yaml:1:1: `version` is 2, not 1"),
        ("version: 1\noperation: {}", "uses.yaml:2:1: the field 'operation' is not known here; did"),
        ("version: 1\noperations:\n  GET /a: {requst: []}", "'requst' is not known here; did you mean `request`?"),
        ("version: 1\noperations:\n  GET /a: {request: a}", "`operations.GET /a.request` is 'a', not a list"),
        ("version: 1\noperations:\n  get /a: {}", "uses.yaml:3:3: 'get /a' is not an operation"),
        ("version: 1\noperations:\n  getOrders: {}", "uses.yaml:3:3: 'getOrders' is not an operation"),
        ("version: 1\noperations:\n  GET /a: {parameters: [limit]}", "no location; write where it is sent, such as"),
        ("version: 1\noperations:\n  GET /a: {request: ['a..b']}", "'a..b' is not a field"),
        ("version: 1\noperations:\n  GET /a: {responses: {'200': ['a[0]']}}", "'a[0]' is not a field"),
        ("version: 1\nevents:\n  sent: {fields: ['../x']}", "'../x' is not a field"),
        ("version: 1\nsince: spring", "uses.yaml:2:1: 'spring' is not a release"),
    ],
)  # fmt: skip
def test_a_problem_has_its_place_and_what_to_do(text: str, expected: str) -> None:
    """No wrong file is read as an empty one in silence."""
    uses, findings = read(text)

    assert any(expected in message for message in messages(findings)), messages(findings)
    assert uses.uses == ()


@given(st.lists(st.text(min_size=1).filter(lambda name: name not in {"*", "[]"}), max_size=4).map(tuple))
def test_every_path_can_be_written_and_read(path: tuple[str, ...]) -> None:
    """Whatever the names of properties are."""
    assert parse_path_text(path_text(path)) == path
