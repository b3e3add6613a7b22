"""What a mock understands of a contract, and what it says that it does not."""

from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.contract.validate.validator import Validator
from devportal.mock.http.credentials import Grant
from devportal.mock.http.representation import Representations
from devportal.mock.resources.plan import Role
from devportal.mock.resources.planner import make_plan
from devportal.mock.startup import limit_lines, resource_lines, sample_call, schema_lines
from tests.contract.inline import api
from tests.mock.contracts import TOKEN, Client, api_of


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "orders",
            [
                (
                    "  /orders/{order_id}: list, create, read, replace, update, delete, actions: place "
                    "(states of 'status' follow x-state-machine)"
                ),
                "  /orders/{order_id}/lines/{line_id}: list, create, read",
                "  /settings: read, replace",
            ],
        ),
        ("fastapi", ["  /items/{item_id}: list, create, read, replace, delete"]),
        ("journal", ["  /entries/{slug}: list, read, replace, delete"]),
    ],
)
def test_resources_are_named_with_what_can_be_done(name: str, lines: list[str]) -> None:
    """By paths, links and schemas."""
    assert list(resource_lines(make_plan(api_of(name)))) == lines


def test_what_answers_examples_is_said() -> None:
    """No guess is hidden."""
    lines = list(limit_lines(make_plan(api_of("orders"))))

    assert lines == ["  GET /status: answers with an example: nothing says which resource it belongs to"]
    assert "  GET /items/{item_id}: documents no 404: what does not exist gets 422" in limit_lines(
        make_plan(api_of("fastapi"))
    )


SECURED = """
openapi: 3.1.0
info: {{title: Secured, version: '1'}}
paths:
  {path}: {{get: {{security: {security}, responses: {{'200': {{description: A}}}}}}}}
components:
  securitySchemes:
    bearer: {{type: http, scheme: bearer}}
    token: {{type: openIdConnect, openIdConnectUrl: 'https://id.example'}}
    digest: {{type: http, scheme: digest}}
    basic: {{type: http, scheme: basic}}
    key: {{type: apiKey, in: header, name: X-Key}}
    id: {{type: apiKey, in: query, name: app_id}}
    cookie: {{type: apiKey, in: cookie, name: sid}}
    certificate: {{type: mutualTLS}}
"""


@pytest.mark.parametrize(
    ("path", "security", "call"),
    [
        ("/a", "[]", "curl http://h/v1/a"),
        ("/a", "[{bearer: []}]", "curl -H 'Authorization: Bearer T' http://h/v1/a"),
        ("/a", "[{digest: []}]", "curl -H 'Authorization: Digest T' http://h/v1/a"),
        ("/a", "[{basic: []}]", "curl -u mock:T http://h/v1/a"),
        ("/a", "[{key: [], id: []}, {bearer: []}]", "curl -H 'X-Key: T' 'http://h/v1/a?app_id=T'"),
        ("/a", "[{cookie: [], certificate: []}]", "curl -b 'sid=T' http://h/v1/a"),
        ("/a", "[{bearer: [], token: []}]", "curl -H 'Authorization: Bearer T' http://h/v1/a"),
        ("/本/{id}", "[]", "curl http://h/v1/%E6%9C%AC/id"),
        ("/a?b=c", "[{id: []}]", "curl 'http://h/v1/a?b=c&app_id=T'"),
    ],
)
def test_sample_call_has_all_credentials(tmp_path: Path, path: str, security: str, call: str) -> None:
    """Those of the first alternative, wherever each is sent; the address is one (RFC 3986 §2)."""
    file = tmp_path / "openapi.yaml"
    file.write_text(SECURED.format(path=path, security=security), encoding="utf-8")
    api = load_contract(file).api

    assert sample_call(api, "http://h", "/v1", (Grant(token="T"),)) == call


CLOSED = """
openapi: 3.0.3
info: {title: Closed, version: '1'}
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200':
          description: A
          content:
            application/json:
              schema:
                allOf:
                  - {type: object, additionalProperties: false, required: [id], properties: {id: {type: string}}}
                  - {type: object, additionalProperties: false, required: [b], properties: {b: {type: string}}}
"""


def test_a_schema_without_values_is_said(tmp_path: Path) -> None:
    """Two closed objects that exclude each other: the mock still starts, and answers."""
    file = tmp_path / "closed.yaml"
    file.write_text(CLOSED, encoding="utf-8")
    client = Client(load_contract(file).api)
    plan = make_plan(client.api)
    lines = list(schema_lines(plan, Representations(client.api, Validator(client.api))))

    assert lines == [
        (
            "  /a/{id}: no value was found that its schema allows, so responses may break it: "
            "a branch of allOf forbids members of another (additionalProperties: false)"
        )
    ]
    assert client.call("GET", "/a/1").status in (200, 404)


def test_each_operation_has_a_role() -> None:
    """None is forgotten."""
    for name in ("orders", "fastapi", "shop", "journal"):
        api = api_of(name)
        plan = make_plan(api)

        assert {plan.assignment(operation).role for operation in api.operations} <= set(Role)


def test_the_call_to_try_has_a_key_of_the_query() -> None:
    """Without it, the first call of a reader would get 401."""
    mock_api = api("""\
        paths: {/things: {get: {responses: {'200': {description: Things}}}}}
        security: [{key: []}]
        components: {securitySchemes: {key: {type: apiKey, in: query, name: api_key}}}
        """)

    shown = sample_call(mock_api, "http://127.0.0.1:4010", "", (Grant(token=TOKEN),))

    assert shown == f"curl 'http://127.0.0.1:4010/things?api_key={TOKEN}'"


def test_the_call_to_try_reads_something_that_the_mock_has() -> None:
    """A read with the identifier of its sample, not the first operation, which may delete."""
    mock_api = api("""\
        paths:
          /things/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: string}, example: lamp one}]
            delete: {responses: {'204': {description: Deleted}}}
            get: {responses: {'200': {description: A thing}}}
        """)

    assert sample_call(mock_api, "http://h", "", ()) == "curl http://h/things/lamp%20one"


def test_the_call_to_try_has_what_tells_its_operation_apart() -> None:
    """A fragment of a path is not sent, so a header or the query says which operation is meant."""
    mock_api = api("""\
        paths:
          /#X-Target=Things.List:
            post:
              parameters:
              - {name: X-Target, in: header, required: true, schema: {type: string, enum: [Things.List]}}
              - {name: Version, in: query, required: true, schema: {type: string, enum: ['2020-01-01']}}
              responses: {'200': {description: Things}}
        """)

    shown = sample_call(mock_api, "http://h", "", ())

    assert shown == "curl -X POST -H 'x-target: Things.List' 'http://h/?Version=2020-01-01'"


@pytest.mark.parametrize(
    ("statuses", "limits"),
    [
        ("'409'", ["  POST /lists: documents no 400 or 422: an invalid body gets 409"]),
        ("'409', '422'", []),
        ("4XX", []),
        ("'401'", []),
    ],
)
def test_the_start_says_what_invalid_bodies_get(statuses: str, limits: list[str]) -> None:
    """If the contract documents only statuses that mean something else."""
    refusals = "".join(f"        {status}: {{description: No}}\n" for status in statuses.split(", "))
    text = f"""\
paths:
  /lists:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object, required: [name]}}}}}}}}
      responses:
        '201': {{description: New}}
{refusals}"""

    assert [line for line in limit_lines(make_plan(api(text))) if "POST" in line] == limits
