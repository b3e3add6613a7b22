"""What is only accepted may be watched at another kind of thing."""

import uuid
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from devportal.conformance.families import stored_resources
from devportal.conformance.knowledge.test_target import Subject
from tests.conformance.families.lending import asked_of
from tests.conformance.running import subject_of

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
