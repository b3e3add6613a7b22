"""An operation whose ordinary request always fails has one failure, whatever the checks send to it."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from devportal.conformance.results.wording import group_failures
from tests.apps.parcels import TOKEN
from tests.apps.serving import serving
from tests.conformance.running import blocking_failures, describe_result, run

pytestmark = pytest.mark.conformance
TEAS = """\
openapi: 3.1.0
info: {title: Teas, version: '1'}
paths:
  /teas:
    get:
      operationId: listTeas
      responses: {'200': {description: Teas, content: {application/json: {schema: {type: array}}}}}
    post:
      operationId: addTea
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [leaf]
              properties: {leaf: {type: string, maxLength: 20}}
      responses: {'201': {description: Added}, '400': {description: Refused}}
"""


def teas(status: int, *, reads: bool) -> Starlette:
    """Return a server whose POST always gets a status; its GET works, or gets it too."""

    async def answer(request: Request) -> JSONResponse:
        if reads and request.method in ("GET", "HEAD"):
            return JSONResponse([])
        return JSONResponse({"error": "the kettle is down"}, status)

    return Starlette(routes=[Route("/teas", answer, methods=["GET", "POST"])])


@pytest.mark.deep
@pytest.mark.parametrize("status", [503, 429, 500])
def test_an_operation_that_always_fails_has_one_failure(status: int, tmp_path: Path) -> None:
    """Malformed bodies get the same response as the ordinary request: they show nothing of their own."""
    contract = tmp_path / "teas.yaml"
    contract.write_text(TEAS, encoding="utf-8")
    with serving(teas(status, reads=True)) as url:
        result = run(url, contract=contract, phases=("coverage",))

    failures = blocking_failures(result)
    assert [(failure.operation, failure.title) for failure in failures] == [
        ("POST /teas", "every request fails")
    ], describe_result(result)
    assert failures[0].exchange is not None
    assert failures[0].exchange.status == status


def test_each_operation_that_always_fails_is_named(tmp_path: Path) -> None:
    """Two operations that fail are two failures, and one group in reports."""
    contract = tmp_path / "teas.yaml"
    contract.write_text(TEAS, encoding="utf-8")
    with serving(teas(500, reads=False)) as url:
        result = run(url, contract=contract, phases=("coverage",))

    failures = blocking_failures(result)
    assert {(failure.operation, failure.title) for failure in failures} == {
        ("GET /teas", "every request fails"),
        ("POST /teas", "every request fails"),
    }, describe_result(result)
    assert len(group_failures(failures)) == 1


def test_rejected_credentials_are_no_success(tmp_path: Path) -> None:
    """A server that checks the token and then always fails fails all the same."""
    contract = tmp_path / "teas.yaml"
    security = (
        "security: [{token: []}]\ncomponents: {securitySchemes: {token: {type: http, scheme: bearer}}}\n"
    )
    contract.write_text(TEAS + security, encoding="utf-8")

    async def answer(request: Request) -> JSONResponse:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return JSONResponse({}, 401, headers={"WWW-Authenticate": "Bearer"})
        if request.method in ("GET", "HEAD"):
            return JSONResponse([])
        return JSONResponse({"error": "the kettle is down"}, 500)

    app = Starlette(routes=[Route("/teas", answer, methods=["GET", "POST"])])
    with serving(app) as url:
        result = run(url, contract=contract, phases=("coverage",))

    about_post = [
        blocking_failure.title
        for blocking_failure in blocking_failures(result)
        if blocking_failure.operation == "POST /teas"
    ]
    assert about_post == ["every request fails"], describe_result(result)
