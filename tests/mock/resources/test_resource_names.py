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
