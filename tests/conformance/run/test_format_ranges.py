"""A number beyond the range of a format breaks no promise unless the contract writes the bound."""

from pathlib import Path

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.run.format_ranges import is_beyond_format_only
from devportal.conformance.run.schemathesis_wording import failure_message
from devportal.conformance.schemathesis.events import Case, FailedCheck
from tests.conformance.running import subject_of

PETS = """\
openapi: 3.0.3
info: {{title: Pets, version: '1'}}
paths:
  /pets:
    post:
      parameters: [{{name: limit, in: query, schema: {{type: integer, format: int32, {bounds}}}}}]
      requestBody: {{required: {required}, content: {{application/json: {{schema: {{type: object}}}}}}}}
      responses: {{'200': {{description: Pets}}, '415': {{description: Refused}}}}
"""


def case(*rules: str, inputs: tuple[tuple[str, str], ...] = (("query", "limit"),), status: int = 200) -> Case:
    """Return a case on `POST /pets` that breaks rules."""
    exchange = Exchange(
        operation="POST /pets",
        request=Request(method="POST", url="http://127.0.0.1:1/pets?limit=2147483648"),
        answer=HttpResponse(status=status, headers=(), body=b""),
    )
    return Case(phase="coverage", invalid_inputs=inputs, broken_rules=rules, exchange=exchange)


@pytest.mark.parametrize(
    ("bounds", "broken", "is_format_only"),
    [
        ("minimum: 0", case("value above maximum"), True),
        ("maximum: 9", case("minimum"), True),
        ("minimum: 0", case("minimum"), False),
        ("minimum: 0", case("value below minimum"), False),
        ("maximum: 9", case("value above maximum"), False),
        ("maximum: 9", case("value below minimum"), True),
        ("minimum: 0", case("incorrect type"), False),
        ("minimum: 0", case(), False),
        ("minimum: 0", case("value above maximum", inputs=(("body", "application/json"),)), False),
    ],
)
def test_only_a_written_bound_is_broken(
    bounds: str, broken: Case, *, is_format_only: bool, tmp_path: Path
) -> None:
    """`int32` alone need not be checked (OAS 3.0.3 §4.4)."""
    file = tmp_path / "pets.yaml"
    file.write_text(PETS.format(bounds=bounds, required="true"), encoding="utf-8")

    assert is_beyond_format_only(subject_of(file), broken) is is_format_only


@pytest.mark.parametrize(("required", "advises"), [("false", True), ("true", False)])
def test_a_rejected_request_without_a_body_explains_itself(
    required: str, *, advises: bool, tmp_path: Path
) -> None:
    """Generated contracts often leave out that a body is required."""
    file = tmp_path / "pets.yaml"
    file.write_text(PETS.format(bounds="minimum: 0", required=required), encoding="utf-8")
    rejected = case(inputs=(), status=415)
    failed = FailedCheck(
        check="positive_data_acceptance", code="ST202", title="", message="", schema_path="",
        exchange=rejected.exchange,
    )  # fmt: skip

    message = failure_message(subject_of(file), rejected, failed)

    assert ("write `required: true` in its `requestBody`" in message) is advises
    assert "gets 415" in message
