"""What is only accepted may be watched at another kind of thing."""

import uuid
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from devportal.conformance.families.creations import stored_resources
from devportal.conformance.knowledge.subject import Subject
from tests.conformance.families.lending import asked_of
from tests.conformance.running import subject_of

EXPORTS = """
openapi: 3.0.3
info: {title: Exports, version: '1'}
paths:
  /exports:
    post:
      requestBody:
        required: true
        content:
          application/json: {schema: {type: object, properties: {title: {type: string}, pages: {type: integer}}}}
      responses:
        '202':
          description: It is queued.
          content: &export
            application/json: {schema: {$ref: '#/components/schemas/Export'}}
  /exports/{export_id}:
    get:
      parameters: [{name: export_id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: Done, content: *export}
        '404': {description: It is not there.}
components:
  schemas:
    Export:
      type: object
      required: [id, state]
      properties:
        id: {type: string}
        state: {type: string, enum: [queued, done]}
        title: {type: string}
        pages: {type: integer}
"""
CONTRACT = """
openapi: 3.0.3
info: {title: Reports, version: '1'}
paths:
  /v1/reports:
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}
      responses:
        '202':
          description: It will be made.
          headers: {Location: {schema: {type: string}}}
          content: &named
            application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}
  /v1/reports/{report_id}:
    get: &read
      parameters: [{name: report_id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: It is there., content: *named}
        '404': {description: It is not there.}
  /v1/jobs/{job_id}:
    get:
      parameters: [{name: job_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: How far it is., content: *named}}
"""


@pytest.fixture
def reports(tmp_path: Path) -> Subject:
    """A contract of reports that are made by jobs."""
    contract = tmp_path / "reports.yaml"
    contract.write_text(CONTRACT)
    return subject_of(contract)


def server(kind: str) -> Starlette:
    """Return a server that only accepts, and says that a thing of a kind is to be looked at."""

    async def accept(_: Request) -> JSONResponse:
        name = uuid.uuid4().hex
        return JSONResponse({"id": name}, 202, {"Location": f"/base/v1/{kind}/{name}"})

    async def absent(_: Request) -> JSONResponse:
        return JSONResponse({}, 404)

    async def job(request: Request) -> JSONResponse:
        return JSONResponse({"id": request.path_params["job_id"]})

    return Starlette(
        routes=[
            Route("/v1/reports", accept, methods=["POST"]),
            Route("/v1/reports/{report_id}", absent),
            Route("/base/v1/jobs/{job_id}", job),
        ]
    )


def test_a_monitor_is_not_what_it_watches(reports: Subject) -> None:
    """202 names the job at `Location`: nothing with that name has to be among the reports."""
    assert not asked_of(stored_resources.FAMILY, server("jobs"), reports).failures


def test_what_is_accepted_under_its_own_address_has_to_be_there(reports: Subject) -> None:
    """202 names a report at `Location`, and it never comes."""
    found = {
        failure.title for failure in asked_of(stored_resources.FAMILY, server("reports"), reports).failures
    }

    assert found == {"what was created cannot be read"}


def exports_server(acknowledged: frozenset[str], lost: frozenset[str]) -> Starlette:
    """Return a server whose 202 shows the `acknowledged` members, and whose readings lack the `lost` ones."""
    exports: dict[str, dict[str, object]] = {}

    async def accept(request: Request) -> JSONResponse:
        sent, name = await request.json(), uuid.uuid4().hex
        exports[name] = {"id": name, "state": "queued", **sent}
        shown = {member: value for member, value in sent.items() if member in acknowledged}
        return JSONResponse({"id": name, "state": "queued", **shown}, 202)

    async def show(request: Request) -> JSONResponse:
        known = exports.get(request.path_params["export_id"])
        if known is None:
            return JSONResponse({}, 404)
        return JSONResponse({member: value for member, value in known.items() if member not in lost})

    return Starlette(
        routes=[Route("/exports", accept, methods=["POST"]), Route("/exports/{export_id}", show)]
    )


BOTH, NONE = frozenset({"title", "pages"}), frozenset[str]()


@pytest.mark.parametrize(
    ("acknowledged", "lost", "found"),
    [
        (BOTH, NONE, set()),
        (BOTH, frozenset({"title"}), {"members of a creation are lost"}),
        (frozenset({"pages"}), frozenset({"title"}), set()),
        (NONE, BOTH, set()),
    ],
)
def test_what_an_accepting_response_shows_is_kept(
    acknowledged: frozenset[str], lost: frozenset[str], found: set[str], tmp_path: Path
) -> None:
    """A 202 that shows what was sent promises that it is read; what it does not show may be refused later."""
    contract = tmp_path / "exports.yaml"
    contract.write_text(EXPORTS, encoding="utf-8")
    log = asked_of(stored_resources.FAMILY, exports_server(acknowledged, lost), subject_of(contract))

    assert {failure.title for failure in log.failures} == found
