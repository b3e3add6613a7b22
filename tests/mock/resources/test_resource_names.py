"""Paths whose parameters are whole resource names, as the transcoding of gRPC has them."""

import pytest

from devportal.mock.resources.resource_names import with_resource_names
from tests.contract.inline import api
from tests.mock.contracts import Client


def contract(pattern: str = "projects/[^/]+/jobs/[^/]+") -> str:
    """Return jobs of projects: the name of a job has a pattern."""
    job = "{description: A job, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}"
    name = f"{{name: name, in: path, required: true, schema: {{type: string, pattern: '{pattern}'}}}}"
    parent = "{name: parent, in: path, required: true, schema: {type: string, pattern: '^projects/[^/]+$'}}"
    return f"""\
paths:
  /v1/{{parent}}/jobs:
    parameters: [{parent}]
    get:
      operationId: ListJobs
      responses:
        '200':
          description: Jobs
          content:
            application/json:
              schema:
                type: object
                properties:
                  jobs: {{type: array, items: {{$ref: '#/components/schemas/Job'}}}}
                  nextPageToken: {{type: string}}
    post:
      operationId: CreateJob
      requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/Job'}}}}}}}}
      responses: {{'200': {job}}}
  /v1/{{name}}:
    parameters: [{name}]
    get: {{operationId: GetJob, responses: {{'200': {job}}}}}
    delete: {{operationId: DeleteJob, responses: {{'204': {{description: Gone}}}}}}
  /v1/{{name}}:cancel:
    parameters: [{name}]
    post: {{operationId: CancelJob, responses: {{'200': {job}}}}}
components:
  schemas:
    Job:
      type: object
      properties: {{name: {{type: string, readOnly: true}}, size: {{type: integer}}}}
"""


def test_job_is_found_by_the_name_that_its_creation_returns() -> None:
    """Whether a client encodes the slashes or not, and only below its own project."""
    client = Client(api(contract()))

    job = client.json("POST", "/v1/projects/a/jobs", {"size": 5})

    assert job["name"].startswith("projects/a/jobs/")
    encoded = job["name"].replace("/", "%2F")
    assert client.json("GET", f"/v1/{job['name']}") == client.json("GET", f"/v1/{encoded}") == job
    assert client.json("GET", "/v1/projects/a/jobs")["jobs"] == [job]
    assert client.json("GET", "/v1/projects%2Fa/jobs")["jobs"] == [job]
    assert job not in client.json("GET", "/v1/projects/b/jobs")["jobs"]
    assert client.json("POST", f"/v1/{job['name']}:cancel")["name"] == job["name"]
    statuses = [client.call(method, f"/v1/{job['name']}").status for method in ("DELETE", "GET")]
    assert statuses == [204, 404]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("projects/[^/]+/jobs/[^/]+", "/v1/projects/{project}/jobs/{job}"),
        (r"^projects\/[^/]+$", "/v1/projects/{project}"),
        ("^(a|b)/.*$", "/v1/{name}"),
        ("[^/]+", "/v1/{name}"),
        ("^[a-z]+$", "/v1/{name}"),
    ],
)
def test_only_a_pattern_of_whole_segments_is_a_resource_name(pattern: str, path: str) -> None:
    """Another one may mean anything."""
    found = with_resource_names(api(contract(pattern))).operations

    assert next(operation.path for operation in found if operation.id == "GetJob") == path


@pytest.mark.parametrize(
    ("parent", "name", "paths"),
    [
        ("Format: projects/{project}", "`projects/{project}/jobs/{job}`", {"parent", "name"}),
        ("For example `projects/PROJECT_ID`.", "projects/*/jobs/*", {"parent", "name"}),
        ("For example projects/123.", "", {"parent"}),
        ("The parent", "See https://example.com/projects/{project}", set()),
        ("A path/name without spaces", "and/or", set()),
        ("The parent/ID", "The name/ID of a job, such as job/1", set()),
    ],
)
def test_the_form_of_a_resource_name_may_be_described(parent: str, name: str, paths: set[str]) -> None:
    """Without a pattern, for all operations of a path. What is no form is left alone."""
    text = contract("ANY").replace(", pattern: 'ANY'", "").replace(", pattern: '^projects/[^/]+$'", "")
    text = text.replace("{name: parent, in: path,", f"{{name: parent, in: path, description: '{parent}',")
    text = text.replace("{name: name, in: path,", f"{{name: name, in: path, description: '{name}',", 1)

    found = {operation.path for operation in with_resource_names(api(text)).operations}

    assert ("/v1/projects/{project}/jobs" in found) is ("parent" in paths)
    assert ("/v1/projects/{project}/jobs/{job}" in found) is ("name" in paths)
    assert ("/v1/projects/{project}/jobs/{job}:cancel" in found) is ("name" in paths)


def test_the_form_of_a_resource_name_is_that_of_paths_with_the_same_start() -> None:
    """The names of other collections are other names, and a path may have a collection itself."""
    name = "{name: name, in: path, required: true, schema: {type: string}}"
    jobs = name.replace("in: path", "in: path, description: 'Format: jobs/{job}'")
    paths = {"/v1/{name}": jobs, "/v1/{name}:cancel": name, "/v1/jobs/{name}": jobs, "/v1/pets/{name}": name}
    text = "paths:\n" + "".join(
        f"  {path}: {{get: {{parameters: [{parameter}], responses: {{'200': {{description: One}}}}}}}}\n"
        for path, parameter in paths.items()
    )

    found = {operation.path for operation in with_resource_names(api(text)).operations}

    assert found == {"/v1/jobs/{job}", "/v1/jobs/{job}:cancel", "/v1/jobs/{name}", "/v1/pets/{name}"}


def test_a_creation_and_a_change_follow_the_parameters_of_google() -> None:
    """The identifier of something new (AIP-133), and the members that a change is about (AIP-134)."""
    mask = "{name: updateMask, in: query, schema: {type: string}}"
    text = contract().replace(
        "      operationId: CreateJob\n",
        "      operationId: CreateJob\n      parameters: [{name: jobId, in: query, schema: {type: string}}]\n",
    )
    body = "{content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}"
    shown = "{'200': {description: A job, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}}"
    change = f"    patch: {{parameters: [{mask}], requestBody: {body}, responses: {shown}}}\n    delete:"
    text = text.replace("    delete:", change).replace(
        "size: {type: integer}",
        "size: {type: integer}, color: {type: string}, at: {type: object, properties: "
        "{row: {type: integer}, shelf: {type: integer}}}",
    )
    client = Client(api(text))

    created = client.json(
        "POST", "/v1/projects/a/jobs?jobId=j1", {"size": 5, "color": "red", "at": {"row": 1, "shelf": 1}}
    )
    changed = client.json(
        "PATCH",
        "/v1/projects/a/jobs/j1?updateMask=color,at.row",
        {"size": 9, "color": "blue", "at": {"row": 2, "shelf": 2}},
    )

    assert created["name"] == "projects/a/jobs/j1"
    assert (changed["size"], changed["color"], changed["at"]) == (5, "blue", {"row": 2, "shelf": 1})
