"""Refusals of which a contract says nothing: HTTP says what they mean."""

from pathlib import Path

import pytest

from devportal.conformance.knowledge.response_check import is_left_to_http, list_statuses
from tests.apps.parcels import Parcels
from tests.apps.serving import serving
from tests.conformance.running import CONTRACT, describe_result, run, subject_of

DOCUMENT = """
openapi: 3.0.3
info: {title: T, version: '1'}
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
paths:
  /a:
    get:
      security: [{key: []}]
      responses: {'200': {description: Fine.}, '404': {description: Gone.}}
  /b:
    get:
      responses: {'200': {description: Fine.}, '404': {description: Gone.}}
  /c:
    get:
      responses: {'200': {description: Fine.}}
  /d:
    get:
      security: [{key: []}]
      responses: {'200': {description: Fine.}, '403': {description: No.}}
  /e:
    get: {summary: Documents no response}
"""


@pytest.mark.parametrize(
    ("path", "status", "is_left"),
    [
        ("/a", 401, True),
        ("/a", 403, True),
        ("/a", 422, False),
        ("/a", 404, False),
        ("/b", 401, False),
        ("/c", 422, True),
        ("/c", 500, False),
        ("/c", 201, False),
        ("/d", 401, False),
        ("/d", 422, True),
        ("/d", 404, True),
        ("/e", 200, True),
        ("/e", 404, True),
        ("/e", 500, False),
    ],
)
def test_what_is_left_to_http(tmp_path: Path, path: str, status: int, *, is_left: bool) -> None:
    """A contract that speaks of refusals is held to what it says; one that is silent promises none."""
    contract = tmp_path / "openapi.yaml"
    contract.write_text(DOCUMENT)
    operation = subject_of(contract).operation(f"GET {path}")

    assert operation is not None
    assert is_left_to_http(operation, status) is is_left


@pytest.mark.deep
@pytest.mark.conformance
def test_a_server_may_refuse_a_missing_credential_where_401_is_not_documented(tmp_path: Path) -> None:
    """The contract demands a credential: a server that answers 401 without one cannot do otherwise."""
    contract = tmp_path / "parcels.yaml"
    lines = CONTRACT.read_text().splitlines(keepends=True)
    contract.write_text("".join(line for line in lines if "'401'" not in line))
    with serving(Parcels()) as url:
        result = run(url, contract=contract, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)


def test_many_statuses_are_listed_shortly() -> None:
    """The first ones and the last are enough to see what is documented."""
    assert list_statuses(["422", "200", "400"]) == "200, 400, 422"
    assert list_statuses(["429", "404", "200", "400", "401", "default"]) == "200, 400 … default"
