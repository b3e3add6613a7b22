"""Jobs, whose states go on by themselves until their work is done."""

from datetime import timedelta

import pytest

from devportal.mock.resources.planner import make_plan
from devportal.mock.startup import resource_lines
from tests.contract.inline import api
from tests.mock.contracts import Client

CONTRACT = """\
paths:
  /reports:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {format: {type: string}}}}}}
      responses:
        '202':
          description: A
          headers: {Location: {schema: {type: string}}, Retry-After: {schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Report'}}}
  /reports/{id}:
    parameters: [&id {name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: {application/json: {schema:
      {$ref: '#/components/schemas/Report'}}}}, '404': {description: N}}}
  /reports/{id}/cancel:
    parameters: [*id]
    post:
      description: Only queued and running reports can be cancelled.
      responses: {'200': {description: A, content: {application/json: {schema:
        {$ref: '#/components/schemas/Report'}}}}, '409': {description: N}}
components:
  schemas:
    Report:
      type: object
      required: [id, status, progress]
      properties:
        id: {type: string}
        format: {type: string}
        status: {type: string, enum: [QUEUED, IN_PROGRESS, SUCCEEDED, FAILED, CANCELLED]}
        progress: {type: integer, maximum: 100}
        started_at: {type: string, format: date-time}
        completed_at: {type: [string, 'null'], format: date-time}
        result_url: {type: [string, 'null'], format: uri}
        output: {type: string}
"""


def test_a_job_goes_on_until_it_is_done() -> None:
    """Its times and its result come with its states, and what is done cannot be cancelled."""
    client = Client(api(CONTRACT), step_s=2)
    accepted = client.call("POST", "/reports", {"format": "pdf"})
    address = str(accepted.header("Location")).removeprefix("http://127.0.0.1:8080")
    first = client.json("GET", address)
    client.now += timedelta(seconds=3)
    running = client.json("GET", address)
    client.now += timedelta(seconds=3)
    done = client.json("GET", address)

    assert accepted.header("Retry-After") == "1"
    assert first.items() >= {"status": "QUEUED", "progress": 0, "result_url": None, "format": "pdf"}.items()
    assert not {"started_at", "output"} & first.keys()
    assert (running["status"], running["completed_at"]) == ("IN_PROGRESS", None)
    assert running["started_at"].startswith("2026-11-27T09:00:02")
    assert (done["status"], done["progress"], done["started_at"]) == ("SUCCEEDED", 100, running["started_at"])
    assert done["completed_at"].startswith("2026-11-27T09:00:04")
    assert done["result_url"]
    assert done["output"]
    assert client.call("POST", f"{address}/cancel").status == 409


@pytest.mark.parametrize(
    "states",
    [
        ("pending", "queued", "running", "done"),
        ("validating", "in_progress", "finalizing", "completed"),
        ("CREATED", "STARTED", "SUCCESS"),
    ],
)
def test_a_job_goes_on_from_whatever_state_is_its_first(states: tuple[str, ...]) -> None:
    """States of one stage follow each other."""
    listed = "QUEUED, IN_PROGRESS, SUCCEEDED"
    client = Client(api(CONTRACT.replace(listed, ", ".join(states))), step_s=2)
    address = f"/reports/{client.json('POST', '/reports', {})['id']}"
    shown = []
    for _ in states:
        shown.append(client.json("GET", address)["status"])
        client.now += timedelta(seconds=2)

    assert tuple(shown) == states


def test_a_job_that_an_action_starts_does_not_start_by_itself() -> None:
    """It goes on from there."""
    states = "QUEUED, RUNNING, SUCCEEDED"
    contract = CONTRACT.replace("QUEUED, IN_PROGRESS, SUCCEEDED", states).replace("/cancel", "/run")
    client = Client(api(contract.replace("cancelled.", "run.")), step_s=2)
    address = f"/reports/{client.json('POST', '/reports', {})['id']}"
    client.now += timedelta(seconds=9)

    assert client.json("GET", address)["status"] == "QUEUED"
    assert client.json("POST", f"{address}/run")["status"] == "RUNNING"
    client.now += timedelta(seconds=3)
    assert client.json("GET", address)["status"] == "SUCCEEDED"


def test_a_cancelled_job_stays() -> None:
    """Its next step does not come."""
    client = Client(api(CONTRACT), step_s=2)
    address = f"/reports/{client.json('POST', '/reports', {})['id']}"
    client.json("POST", f"{address}/cancel")
    client.now += timedelta(seconds=9)

    assert client.json("GET", address)["status"] == "CANCELLED"


def test_what_is_no_job_stays_as_it_is() -> None:
    """A todo that is created waits for somebody to do it."""
    todos = CONTRACT.replace("/reports", "/todos").replace("'202'", "'201'")

    assert [line for line in resource_lines(make_plan(api(todos))) if "by itself" in line] == []
    assert [*resource_lines(make_plan(api(CONTRACT)))] == [
        (
            "  /reports/{id}: create, read, actions: cancel "
            "('status' goes from QUEUED to IN_PROGRESS to SUCCEEDED by itself)"
        )
    ]
