"""A mark of stability tells something only where it says more than what the part belongs to."""

import pytest

from devportal.contract import read_contract
from devportal.differ import compare
from devportal.documents import parse_document


def _contract(operation: str, schema: str, prop: str) -> str:
    return f"""
openapi: 3.0.3
info: {{title: T, version: "1"}}
paths:
  /things:
    get:
      {operation}
      responses:
        '200':
          description: OK
          content: {{application/json: {{schema: {{$ref: '#/components/schemas/A'}}}}}}
components:
  schemas:
    A:
      type: object
      {schema}
      properties:
        b: {{type: string{prop}}}
"""


def _found(old: str, new: str) -> list[tuple[str, str]]:
    first, second = (read_contract(parse_document(text, name="api.yaml")).api for text in (old, new))
    return [(one.rule, one.field) for one in compare(first, second).changes]


BETA = "x-stability-level: beta"


@pytest.mark.parametrize(
    ("around", "expected"),
    [("", [("stability.lowered", "b")]), (BETA, [])],
)
def test_a_mark_within_a_beta_operation_repeats_it(around: str, expected: list[tuple[str, str]]) -> None:
    """A property of a beta operation that is marked beta itself was beta before."""
    old, new = _contract(around, "", ""), _contract(around, "", f", {BETA}")

    assert _found(old, new) == expected


def test_a_mark_that_goes_within_a_beta_schema_changes_nothing() -> None:
    """A property that drops its mark is as beta as the schema it is in."""
    old, new = _contract("", BETA, f", {BETA}"), _contract("", BETA, "")

    assert _found(old, new) == []


def test_a_shared_schema_is_raised_in_a_stable_operation() -> None:
    """A shared schema that drops its mark becomes what the operation is."""
    old, new = _contract("", BETA, ""), _contract("", "", "")

    assert [rule for rule, _ in _found(old, new)] == ["stability.raised"]
