# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Jobs that a POST to their own collection starts."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.states import jobs
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Jobs, version: "1"}
paths:
  /jobs:
    post:
      operationId: startJob
      responses:
        "202": {description: Started., content: &job {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
  /jobs/{id}:
    get:
      operationId: getJob
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A job., content: *job}, "404": {description: None.}}
components:
  schemas:
    Job:
      type: object
      required: [id, state]
      properties:
        id: {type: string}
        state: {type: string, enum: [queued, running, done, failed]}
        result: {type: [string, "null"], description: Set when the job is done.}
        file: {type: [string, "null"], description: Set when the job is finished. Null before.}
        log: {type: [string, "null"], description: Set when the job is finished. Not set if it had nothing to do.}
        hook: {type: [string, "null"], description: The URL that is called when the job is finished.}
        ended: {type: [string, "null"], description: Set when the job is finished. Not before `result`.}
"""


class Jobs:
    """An ASGI application. A job moves with each reading. A faulty server overrides a method."""

    def __init__(self) -> None:
        self.reads: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        key = str(uuid.uuid4()) if request.method == "POST" else request.url.path.rpartition("/")[2]
        known = request.method == "POST" or key in self.reads
        response = Response(status_code=404)
        if known:
            reads = self.reads[key] = self.reads.get(key, -1) + 1
            status = 202 if request.method == "POST" else 200
            response = Response(json.dumps(self.job(key, reads)), status, media_type="application/json")
        await response(scope, receive, send)

    def job(self, key: str, reads: int) -> dict[str, Any]:
        state = self.state(reads)
        is_done = state == "done"
        result, ended = (self.result(), self.end_time()) if is_done else (None, None)
        shown = {"result": result, "file": result, "log": None, "hook": None, "ended": ended}
        return {"id": key, "state": state, **shown}

    def state(self, reads: int) -> str:
        return ("queued", "running", "done")[min(reads, 2)]

    def result(self) -> str | None:
        return "42"

    def end_time(self) -> str | None:
        return "just now"


class LeavesTheEnd(Jobs):
    def state(self, reads: int) -> str:
        return "running" if reads > 3 else super().state(reads)


class HasNoResult(Jobs):
    def result(self) -> str | None:
        return None


class FailsWithoutResult(HasNoResult):
    def state(self, reads: int) -> str:
        return super().state(reads).replace("done", "failed")

    def job(self, key: str, reads: int) -> dict[str, Any]:
        return super().job(key, reads) | {"ended": self.end_time()}


class HasNoEnd(Jobs):
    def end_time(self) -> str | None:
        return None


@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (Jobs, set()),
        (LeavesTheEnd, {"a job goes back"}),
        (HasNoResult, {"an ended job has no 'result'"}),
        (FailsWithoutResult, set()),
        (HasNoEnd, {"an ended job has no 'ended'"}),
    ],
)
def test_jobs_whose_creation_is_only_accepted_are_followed(
    app: type[Jobs], titles: set[str], tmp_path: Path
) -> None:
    """202 is the only success of the creation, and one of the states is a good end."""
    contract = tmp_path / "jobs.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    log = run_family(jobs.FAMILY, app(), subject_of(contract))

    assert {failure.title for failure in log.failures if failure.fails} == titles
    assert not log.untested_probes
