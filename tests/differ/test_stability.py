"""A mark of stability tells something only where it says more than what the part belongs to."""

import pytest

from devportal.contract import read_contract
from devportal.differ import Change, Verdict, compare
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


def _changed_fields(old: str, new: str) -> list[tuple[str, str]]:
    first, second = (read_contract(parse_document(text, name="api.yaml")).api for text in (old, new))
    return [(change.rule, change.field) for change in compare(first, second).changes]


BETA = "x-stability-level: beta"


@pytest.mark.parametrize(
    ("around", "expected"),
    [("", [("stability.lowered", "b")]), (BETA, [])],
)
def test_a_mark_within_a_beta_operation_repeats_it(around: str, expected: list[tuple[str, str]]) -> None:
    """A property of a beta operation that is marked beta itself was beta before."""
    old, new = _contract(around, "", ""), _contract(around, "", f", {BETA}")

    assert _changed_fields(old, new) == expected


def test_a_mark_that_goes_within_a_beta_schema_changes_nothing() -> None:
    """A property that drops its mark is as beta as the schema it is in."""
    old, new = _contract("", BETA, f", {BETA}"), _contract("", BETA, "")

    assert _changed_fields(old, new) == []


def test_a_shared_schema_is_raised_in_a_stable_operation() -> None:
    """A shared schema that drops its mark becomes what the operation is."""
    old, new = _contract("", BETA, ""), _contract("", "", "")

    assert [rule for rule, _ in _changed_fields(old, new)] == ["stability.raised"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("enum: [a, b], x-beta-values: [b]", "enum: [a]", "risky"),
        ("enum: [a, b], x-beta-values: [a]", "enum: [a], x-beta-values: [a]", "breaking"),
        ("maxLength: 9, x-beta-keywords: [maxLength]", "maxLength: 5, x-beta-keywords: [maxLength]", "risky"),
        ("maxLength: 9, x-beta-keywords: [pattern]", "maxLength: 5", "breaking"),
    ],
)
def test_a_beta_value_or_keyword_never_breaks(old: str, new: str, expected: str) -> None:
    """What is beta within a stable property promises as little as a property that is beta itself."""
    assert [change.verdict.value for change in _of_parameter(old, new)] == [expected]


def _of_parameter(old: str, new: str, *, around: str = "") -> tuple[Change, ...]:
    text = """
openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /things:
    get:
      AROUND
      parameters: [{name: q, in: query, schema: {type: string, KEYWORDS}}]
      responses: {'200': {description: OK}}
""".replace("AROUND", around)
    apis = [
        read_contract(parse_document(text.replace("KEYWORDS", other_text), name="api.yaml")).api
        for other_text in (old, new)
    ]
    return compare(apis[0], apis[1]).changes


@pytest.mark.parametrize(
    ("plain", "marked", "told"),
    [
        ("enum: [a, b]", "enum: [a, b], x-beta-values: [b]", ("value", "b")),
        ("enum: [a, b], x-beta-values: [a]", "enum: [a, b], x-beta-values: [a, b]", ("value", "b")),
        ("maxLength: 9", "maxLength: 9, x-beta-keywords: [maxLength]", ("keyword", "maxLength")),
        ("format: uri", "format: uri, x-beta-keywords: [format]", ("keyword", "format")),
        ("enum: [a]", "enum: [a], x-beta-keywords: [enum]", ("keyword", "enum")),
    ],
)
def test_a_promise_is_not_taken_back_in_silence(plain: str, marked: str, told: tuple[str, str]) -> None:
    """Who calls a value or a keyword beta could else take it away in the next release without breaking."""
    what, name = told
    (lowered,), (raised,) = _of_parameter(plain, marked), _of_parameter(marked, plain)

    assert (lowered.rule, lowered.verdict, lowered.old) == (
        f"schema.{what}.stability.lowered",
        Verdict.RISKY,
        name,
    )
    assert (raised.rule, raised.verdict, raised.new) == (
        f"schema.{what}.stability.raised",
        Verdict.COMPATIBLE,
        name,
    )
    assert _of_parameter(plain, marked, around=BETA) == ()


def test_a_new_value_or_keyword_may_be_beta_from_the_start() -> None:
    """Nothing is taken back where nothing was promised."""
    value = _of_parameter("enum: [a]", "enum: [a, b], x-beta-values: [b]")
    keyword = _of_parameter("minLength: 1", "minLength: 1, maxLength: 9, x-beta-keywords: [maxLength]")

    assert [change.rule for change in (*value, *keyword)] == [
        "schema.enum.value.added",
        "schema.max-length.lowered",
    ]
