"""Resources that are created and listed below another one, but read at a path without it (shallow nesting)."""

from pathlib import Path

import pytest

from devportal.contract import Api
from devportal.mock.resources.planner import make_plan
from devportal.mock.resources.store import StateFile
from devportal.mock.startup import limit_lines, resource_lines
from tests.contract.inline import api
from tests.mock.contracts import Client

LOCATION = "headers: {Location: {schema: {type: string}}}"
METERS = """\
paths:
  /sites:
    post:
      responses:
        '201': {description: A, content: &site {application/json: {schema: {$ref: '#/components/schemas/Site'}}}}
  /sites/{site_id}:
    parameters: [&site_id {name: site_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: *site}, '404': {description: N}}}
  /sites/{site_id}/meters:
    parameters: [*site_id]
    get:
      parameters: [{name: medium, in: query, schema: {type: string}}]
      responses:
        '200':
          description: L
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Meter'}}}}
        '404': {description: N}
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {medium: {type: string}}}
      responses:
        '201':
          description: A
          HEADERS
          content: &meter {application/json: {schema: {$ref: '#/components/schemas/Meter'}}}
        '404': {description: N}
  /meters/{meter_id}:
    parameters: [{name: meter_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: A, content: *meter}, '404': {description: N}}}
    delete: {responses: {'204': {description: D}, '404': {description: N}}}
components:
  schemas:
    Site: {type: object, required: [id], properties: {id: {type: string}}}
    Meter:
      type: object
      required: [id, site_id]
      properties: {id: {type: string}, site_id: {type: string}, medium: {type: string}}
"""


@pytest.fixture(name="meters", params=[LOCATION, ""], ids=["with Location", "without Location"])
def _meters(request: pytest.FixtureRequest) -> Api:
    return api(METERS.replace("HEADERS", request.param))


def test_a_nested_list_belongs_to_the_resource(meters: Api) -> None:
    """Nothing answers with an example only."""
    plan = make_plan(meters)

    assert list(resource_lines(plan)) == [
        "  /sites/{site_id}: create, read",
        "  /meters/{meter_id}: list, create, read, delete",
    ]
    assert list(limit_lines(plan)) == [
        "  POST /sites/{site_id}/meters: documents no 400 or 422: an invalid body gets 404"
    ]


def test_a_nested_list_shows_what_was_created_there(meters: Api) -> None:
    """It leaves out what was created below another parent, filters, and forgets what is deleted."""
    client = Client(meters)
    first, second = (client.json("POST", "/sites")["id"] for _ in range(2))
    gas, heat = (
        client.json("POST", f"/sites/{first}/meters", {"medium": medium}) for medium in ("gas", "heat")
    )

    assert client.json("GET", f"/meters/{gas['id']}") == gas
    assert gas["site_id"] == first
    assert client.json("GET", f"/sites/{first}/meters") == [gas, heat]
    assert client.json("GET", f"/sites/{first}/meters?medium=heat") == [heat]
    assert client.json("GET", f"/sites/{second}/meters") == []
    client.json("DELETE", f"/meters/{gas['id']}")
    assert client.json("GET", f"/sites/{first}/meters") == [heat]
    assert client.call("GET", "/sites/none/meters").status == 404


def test_a_resource_names_its_parent() -> None:
    """Also if the parameter of the parent is called as that of any type."""
    client = Client(
        api(
            METERS.replace("HEADERS", LOCATION)
            .replace("{site_id}", "{id}")
            .replace("name: site_id", "name: id")
        )
    )
    site = client.json("POST", "/sites")["id"]

    assert client.json("POST", f"/sites/{site}/meters", {"medium": "gas"})["site_id"] == site


def test_a_new_mock_lists_its_resource_below_its_parent(meters: Api) -> None:
    """The sample of the nested list works like that of the resource."""
    client = Client(meters)
    (site, meter) = (record.id for record in client.application.state.all_records())

    (listed,) = client.json("GET", f"/sites/{site}/meters")
    assert (listed["id"], listed["site_id"]) == (meter, site)


def test_a_state_file_keeps_where_a_resource_was_created(meters: Api, tmp_path: Path) -> None:
    """The list is the same after a restart."""
    state = StateFile(tmp_path / "state.db")
    client = Client(meters, state)
    site = client.json("POST", "/sites")["id"]
    meter = client.json("POST", f"/sites/{site}/meters", {"medium": "gas"})
    state.close()

    assert Client(meters, StateFile(tmp_path / "state.db")).json("GET", f"/sites/{site}/meters") == [meter]
