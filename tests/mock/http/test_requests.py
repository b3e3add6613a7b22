"""Requests are validated, and refused as the contract documents; nothing hostile is a server error."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import load_contract
from devportal.mock.resources.planner import make_plan
from devportal.mock.startup import limit_lines
from tests.contract.inline import api, contract
from tests.mock.contracts import TOKEN, Client, client_of

TEA = {"product": "Tea", "quantity": 2}


@pytest.fixture(name="orders", scope="module")
def _orders() -> Client:
    return client_of("orders")


@pytest.mark.parametrize(
    "body",
    [
        {"product": "Tea"},
        {"product": "", "quantity": 1},
        {**TEA, "quantity": "2"},
        {**TEA, "colour": "red"},
        [],
        None,
        7,
    ],
)
def test_an_invalid_body_is_refused_in_the_shape_of_the_contract(orders: Client, body: Any) -> None:
    """With a status that is documented, and what is wrong in words."""
    response = orders.call("POST", "/v1/orders", raw=json.dumps(body).encode())
    problem = json.loads(response.body)

    assert response.status == 422
    assert response.header("Content-Type") == "application/problem+json"
    assert problem["status"] == 422
    assert problem["title"] == "Unprocessable Entity"
    assert problem["detail"].startswith("body")


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("limit=0", "limit"), ("limit=two", "limit"), ("limit=1.5", "limit"), ("limit=1&limit=2", "limit"),
        ("status=lost", "status"), ("created_after=yesterday", "created_after"),
    ],
)  # fmt: skip
def test_an_invalid_parameter_is_named(orders: Client, query: str, part: str) -> None:
    """Numbers are written as numbers, and enumerations are closed."""
    response = orders.call("GET", f"/v1/orders?{query}")

    assert response.status == 400
    assert f"query.{part}: " in json.loads(response.body)["detail"]


def test_a_problem_of_a_body_has_its_place(orders: Client) -> None:
    """The same place and words as `check_request` of `devportal mcp` has, which reads requests with the same code."""
    missing = orders.call("POST", "/v1/orders", {"product": "Tea"})
    wrong = orders.call("POST", "/v1/orders", {"product": "Tea", "quantity": "two"})

    assert json.loads(missing.body)["detail"] == "body.quantity: this required field is missing."
    assert json.loads(wrong.body)["detail"].startswith("body.quantity: ")


HOSTILE = [
    b"{", b"", b"\xff\xfe", b"\xef\xbb\xbf{}", b"NaN", b'{"quantity": NaN}', b"{}{}", b"[" * 100_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000, b'{"quantity": 1e999999, "product": "a"}', b"1" * 5_000,
    b'{"product": "\\ud800", "quantity": 1}', b'{"product": "\x00", "quantity": 1}', b"null", b'"' * 7,
]  # fmt: skip


@pytest.mark.parametrize("body", HOSTILE)
@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-16", "multipart/form-data", "", "\x01"],
)
def test_no_body_is_a_server_error(orders: Client, body: bytes, content_type: str) -> None:
    """Neither broken JSON nor deep or huge values are more than a refusal."""
    response = orders.call("POST", "/v1/orders", raw=body, content_type=content_type)

    assert response.status < 500


@pytest.mark.parametrize(
    "path",
    [
        "/v1/orders/%", "/v1/orders/%ff%fe", "/v1/orders/%00", "/v1/orders/..%2f..%2fetc", "/v1/orders?limit=%",
        "/v1/orders?%=%&&=", "/v1/orders/ord_" + "a" * 10_000, "//", "/v1//orders", "/v1/orders/", "/%F0%9F%98%80",
        "/v1/orders?limit=" + "9" * 5_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "TRACE", "BREW"])
def test_no_path_is_a_server_error(orders: Client, path: str, method: str) -> None:
    """Whatever it is encoded like."""
    assert orders.call(method, path).status < 500


def test_half_of_a_surrogate_pair_is_stored_and_shown(orders: Client) -> None:
    """JSON can hold it (RFC 8259 §8.2)."""
    response = orders.call("POST", "/v1/orders", raw=b'{"product": "\\ud800", "quantity": 1}')

    assert response.status == 201
    assert b'"\\ud800"' in response.body


def test_a_path_that_the_contract_lacks_is_404_and_a_method_405(orders: Client) -> None:
    """405 lists the methods of the path (RFC 9110 §15.5.6)."""
    wrong_method = orders.call("DELETE", "/v1/orders")

    assert orders.call("GET", "/v1/nothing").status == 404
    assert wrong_method.status == 405
    assert wrong_method.header("Allow") == "GET, HEAD, OPTIONS, POST"
    assert orders.call("OPTIONS", "/v1/orders").header("Allow") == "GET, HEAD, OPTIONS, POST"


def test_head_has_the_headers_of_get(orders: Client) -> None:
    """And no body (RFC 9110 §9.3.2)."""
    get, head = (orders.call(method, "/v1/orders/ord_a1b2c3d4") for method in ("GET", "HEAD"))

    assert head.body == b""
    assert head.header("Content-Length") == str(len(get.body))
    assert head.header("ETag") == get.header("ETag")


NOTES = """\
paths:
  /notes/{noteId}/texts/{format}:
    parameters:
      - {name: noteId, in: path, required: true, schema: {type: string, default: ''}}
      - {name: format, in: path, required: true, schema: {type: string, enum: [html, text]}}
    get:
      responses:
        '200':
          description: It
          content:
            application/json: {schema: {$ref: '#/components/schemas/Note'}}
            text/html: {schema: {type: string}}
        '404': {description: There is none}
components:
  schemas:
    Note:
      type: object
      required: [text, appId]
      example: {text: A note, appId: null}
      properties:
        text: {type: string}
        appId: {type: string, example: null}
"""


def test_examples_that_break_the_contract_are_not_shown() -> None:
    """No segment of a path is empty, and no member is null that may not be; two media types vary by `Accept`."""
    client = Client(contract(NOTES).api)
    shown = client.call("GET", "/notes/string/texts/html")

    assert shown.status == 200
    assert json.loads(shown.body)["appId"] == "string"
    assert shown.header("Vary") == "Accept"


def test_an_empty_text_is_a_body() -> None:
    """It has the media type of a text, and no bytes; without a media type there is no body."""
    post = "post: {requestBody: {required: true, content: {text/plain: {schema: {type: string}}}}, "
    client = Client(contract(NAMES.replace("post: {", post)).api)

    assert client.call("POST", "/a/repos", Content_Type="text/plain").status == 200
    assert client.call("POST", "/a/repos").status == 400


CALLS = """\
paths:
  /rest?method=photos.get: {get: {responses: {'200': {description: A photo}}}}
  /rest?method=photos.find:
    get:
      parameters: [{name: text, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: Photos}, '400': {description: Refused}}
"""


def test_paths_with_queries_are_told_apart_by_them() -> None:
    """Some contracts write the query that chooses an operation into its path."""
    client = Client(contract(CALLS).api)
    queries = ("method=photos.get", "method=photos.find", "text=a&method=photos.find", "method=other", "")

    assert [client.call("GET", f"/rest?{query}").status for query in queries] == [200, 400, 200, 200, 200]


@pytest.mark.parametrize(
    ("schema", "body", "status"),
    [
        ("{type: string, maxLength: 4}", b"1234", 200),
        ("{type: string, maxLength: 4}", b"12345", 400),
        ("{type: integer, minimum: 3}", b"12", 200),
        ("{type: integer, minimum: 3}", b"2", 400),
        ("{type: integer}", b"two", 400),
        ("{type: object, required: [a], properties: {a: {type: integer}}}", b'{"a": 1}', 200),
        ("{type: object, required: [a], properties: {a: {type: integer}}}", b'{"a": "x"}', 400),
        ("{type: object, required: [a], properties: {a: {type: integer}}}", b"a=1", 400),
    ],
)
def test_a_text_stands_for_a_value_of_its_schema(schema: str, body: bytes, status: int) -> None:
    """`text/plain` with a schema of a number or an object, as samples of the reference send it."""
    post = f"post: {{requestBody: {{required: true, content: {{text/plain: {{schema: {schema}}}}}}}, "
    client = Client(contract(NAMES.replace("post: {", post)).api)

    assert client.call("POST", "/a/repos", raw=body, content_type="text/plain").status == status


TABLE = """\
paths:
  /rows:
    get:
      responses:
        '200':
          description: Rows
          content:
            application/json: {schema: {type: array, items: ROW}}
            text/csv: {schema: {type: string}, example: "COLUMNS\\n1,x\\n"}
    post:
      requestBody: {required: true, content: {application/json: {schema: ROW}}}
      responses: {'201': {description: A row, content: {application/json: {schema: ROW}}}}
  /rows/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A row, content: {application/json: {schema: ROW}}}, '404': {description: No}}
"""


@pytest.mark.parametrize(("columns", "last"), [("A,Id", "y,ID"), ("A", "y"), ("No,Total", "1,x")])
def test_a_table_in_a_text_has_the_columns_of_its_example(columns: str, last: str) -> None:
    """With the resources as rows, if the columns are members: others are the contract's own, and show its example."""
    row = "{type: object, required: [id, a], properties: {id: {type: string, readOnly: true}, a: {type: string}}}"
    client = Client(contract(TABLE.replace("ROW", row).replace("COLUMNS", columns)).api)
    created = client.json("POST", "/rows", {"a": "y"})
    table = client.call("GET", "/rows", Accept="text/csv").body.decode().splitlines()

    assert (table[0], table[-1]) == (columns, last.replace("ID", created["id"]))
    assert client.json("GET", "/rows")[-1]["a"] == "y"


TARGETS = """\
paths:
  /#X-Target=Things.Create:
    post:
      operationId: create
      parameters: [{name: X-Target, in: header, required: true, schema: {type: string, enum: [Things.Create]}}]
      responses: {'200': {description: Created}, '400': {description: Refused}}
  /#X-Target=Things.Find:
    post:
      operationId: find
      parameters: [{name: X-Target, in: header, required: true, schema: {const: Things.Find}}]
      responses: {'202': {description: Found}, '400': {description: Refused}}
  /{owner}/#Action=Tag:
    get:
      operationId: tag
      parameters:
      - {name: owner, in: path, required: true, schema: {type: string}}
      - {name: Action, in: query, required: true, schema: {type: string, enum: [Tag]}}
      responses: {'200': {description: Tagged}, '400': {description: Refused}}
  /{owner}/#Action=Untag:
    get:
      operationId: untag
      parameters:
      - {name: owner, in: path, required: true, schema: {type: string}}
      - {name: Action, in: query, required: true, schema: {type: string, enum: [Untag]}}
      responses: {'202': {description: Untagged}, '400': {description: Refused}}
"""


def test_paths_with_fragments_are_told_apart_by_what_requests_send() -> None:
    """A fragment is never sent: a header or a query parameter with one valid value says which operation is meant."""
    client = Client(contract(TARGETS, version="3.1.0").api)

    by_header = [
        client.call("POST", "/", X_Target=f"Things.{name}").status for name in ("Create", "Find", "Sell")
    ]
    by_query = [client.call("GET", f"/me/?Action={name}").status for name in ("Tag", "Untag", "Sell")]

    assert by_header == [200, 202, 400]
    assert by_query == [200, 202, 400]
    assert client.call("POST", "/").status == 400


OPEN_ERRORS = """\
paths:
  /a:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [b]}}}}
      responses:
        '200': {description: Done}
        '400': {description: Refused, content: {application/json: {schema: SCHEMA}}}
"""


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ("{}", ["message"]),
        ("{type: object}", ["message"]),
        ("{type: object, additionalProperties: false}", []),
        ("{type: object, properties: {reason: {type: string}}}", ["reason"]),
    ],
)
def test_an_error_that_the_contract_leaves_open_has_a_message(schema: str, names: list[str]) -> None:
    """An empty object would not say what is wrong with the request."""
    client = Client(contract(OPEN_ERRORS.replace("SCHEMA", schema)).api)

    response = client.call("POST", "/a", {})

    assert response.status == 400
    assert [name for name, text in json.loads(response.body).items() if "b" in text] == names


YAML = """\
paths:
  /rules:
    post:
      requestBody:
        required: true
        content: {application/yaml: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}
      responses: {'201': {description: Made}, '400': {description: Unreadable}, '422': {description: Invalid}}
"""


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"name: a", 201), (b'{"name": "a"}', 201), (b"name: 1", 422), (b"0", 422), (b"a: [", 400)],
)
def test_bodies_in_yaml_are_validated(body: bytes, status: int) -> None:
    """A value of YAML is one of JSON (RFC 9512 §3.4)."""
    client = Client(contract(YAML).api)

    assert client.call("POST", "/rules", raw=body, content_type="application/yaml").status == status


NAMES = """\
paths:
  /{name}/repos:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: All}}}
  /{parent}/repos:
    parameters: [{name: parent, in: path, required: true, schema: {type: string, maxLength: 3}}]
    post: {responses: {'200': {description: Made}, '400': {description: Refused}}}
"""


def test_paths_that_differ_in_names_are_one() -> None:
    """Each operation reads the values by its own names."""
    client = Client(contract(NAMES).api)
    statuses = [
        client.call(*call).status
        for call in (("GET", "/long/repos"), ("POST", "/a/repos"), ("POST", "/long/repos"))
    ]

    assert statuses == [200, 200, 400]
    assert client.call("DELETE", "/a/repos").header("Allow") == "GET, HEAD, OPTIONS, POST"


HEADS = """\
paths:
  /parts/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string, example: a}}]
    get:
      responses:
        '200':
          description: It
          content: {application/json: {schema: {type: object, properties: {id: {type: string, example: a}}}}}
    head: {responses: {'STATUS': {description: It is there}}}
"""


@pytest.mark.parametrize(("status", "length"), [(200, True), (204, False)])
def test_a_declared_head_has_the_headers_of_get_if_its_status_allows(status: int, length: bool) -> None:  # noqa: FBT001
    """One with another success than GET answers what it documents."""
    client = Client(api(HEADS.replace("STATUS", str(status))))
    get, head = (client.call(method, "/parts/a") for method in ("GET", "HEAD"))

    assert head.status == status
    assert head.body == b""
    assert (head.header("Content-Length") == str(len(get.body))) is length


def test_another_media_type_is_415_where_documented(orders: Client) -> None:
    """A class such as 4XX documents it too."""
    assert orders.call("POST", "/v1/orders", TEA, content_type="text/plain").status == 415
    shop = client_of("shop")
    assert (
        shop.call(
            "POST", "/api/customers", {"fullName": "A"}, content_type="text/csv", X_Api_Key=TOKEN
        ).status
        == 415
    )


def test_fields_of_a_form_have_the_types_of_their_schemas() -> None:
    """A form has texts alone: numbers and lists are read by the schema."""
    shop = client_of("shop")
    form = {"content_type": "application/x-www-form-urlencoded", "X_Api_Key": TOKEN}
    added = shop.call("POST", "/api/customers", raw=b"fullName=Ada&age=36&tags=a&tags=b", **form)
    refused = shop.call("POST", "/api/customers", raw=b"fullName=Ada&age=old", **form)

    assert json.loads(added.body)["age"] == 36
    assert json.loads(added.body)["tags"] == ["a", "b"]
    assert refused.status == 400
    assert json.loads(refused.body)["error"]["message"].startswith("body.age")


def test_only_documented_statuses_are_used() -> None:
    """FastAPI documents 422 alone: an unknown identifier gets it, with the shape that is documented."""
    fastapi = client_of("fastapi")
    missing = fastapi.call("GET", "/items/987654", token=None)

    assert missing.status == 422
    assert [problem["loc"][0] for problem in json.loads(missing.body)["detail"]] == ["path"]


def test_a_wrong_media_type_has_its_place_in_a_list_of_problems() -> None:
    """The header says what the body is."""
    fastapi = client_of("fastapi")
    refused = fastapi.call("POST", "/items/", raw=b"x", content_type="text/plain", token=None)

    assert refused.status == 422
    assert [problem["loc"] for problem in json.loads(refused.body)["detail"]] == [["header", "Content-Type"]]


def test_a_preference_chooses_the_response(orders: Client) -> None:
    """`Prefer: code` and `example` (RFC 7240); the response says what was applied."""
    missing = orders.call("GET", "/v1/orders/ord_a1b2c3d4", Prefer="code=404")
    gift = orders.call("GET", "/v1/orders/ord_a1b2c3d4", Prefer="example=gift")
    unknown = orders.call("GET", "/v1/orders/ord_a1b2c3d4", Prefer="code=302")

    assert (missing.status, missing.header("Preference-Applied")) == (404, "code=404")
    assert orders.call("GET", "/v1/orders/ord_a1b2c3d4?__code=404").body == missing.body
    assert orders.call("GET", "/v1/orders/ord_a1b2c3d4?__example=gift").body == gift.body
    assert json.loads(gift.body)["id"] == "ord_gift0001"
    assert (unknown.status, unknown.header("Preference-Applied")) == (200, None)


HINTS = """
openapi: 3.0.3
info: {title: Hints, version: '1'}
paths:
  /a:
    get:
      x-mock: {code: 503}
      responses: {'200': {description: A}, '503': {description: B}}
  /b:
    get:
      x-mock: {example: second}
      responses:
        '200':
          description: A
          content: {application/json: {schema: {type: string}, examples: {first: {value: one}, second: {value: two}}}}
  /c:
    get:
      x-mock: {code: 418}
      responses: {'200': {description: A}}
  /d:
    get:
      x-mock: {example: far}
      responses:
        '200':
          description: A
          content:
            application/json:
              schema: {type: string}
              examples: {near: {value: one}, far: {externalValue: 'https://api.example/far.json'}}
"""


def test_a_contract_can_say_what_its_mock_returns(tmp_path: Path) -> None:
    """`x-mock`: a documented status, or an example; a request can ask for another."""
    file = tmp_path / "hints.yaml"
    file.write_text(HINTS, encoding="utf-8")
    client = Client(load_contract(file).api)

    assert [client.call("GET", path).status for path in ("/a", "/b", "/c")] == [503, 200, 200]
    assert client.call("GET", "/b").body == b'"two"'
    assert client.call("GET", "/a", Prefer="code=200").status == 200


def test_an_example_whose_value_is_elsewhere_is_not_said_to_be_applied(tmp_path: Path) -> None:
    """The mock reads nothing from the network; the start lists what `x-mock` asks for in vain."""
    file = tmp_path / "hints.yaml"
    file.write_text(HINTS, encoding="utf-8")
    hinted = load_contract(file).api

    far = Client(hinted).call("GET", "/d", Prefer="example=far")
    near = Client(hinted).call("GET", "/d", Prefer="example=near")

    assert (far.body, far.header("Preference-Applied")) == (b'"one"', None)
    assert (near.body, near.header("Preference-Applied")) == (b'"one"', 'example="near"')
    assert [line.rpartition("; ")[2] for line in limit_lines(make_plan(hinted)) if "x-mock" in line] == [
        "x-mock is ignored: the operation documents no status 418",
        "x-mock is ignored: no response has an example 'far' with a value",
    ]


FORM = """
openapi: 3.0.3
info: {title: Forms, version: '1'}
paths:
  /uploads:
    post:
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [about]
              properties:
                about: {type: object, required: [size], properties: {size: {type: integer}}}
                file: {type: string, format: binary}
      responses: {'204': {description: Stored}, '422': {description: Refused}}
"""


@pytest.mark.parametrize(
    ("about", "status"), [('{"size": 3}', 204), ('{"size": "3"}', 422), ("{", 422), ('"size"', 422)]
)
@pytest.mark.parametrize("head", ["", "Content-Type: application/json\r\n"])
def test_objects_of_a_multipart_body_are_sent_as_json(
    tmp_path: Path, head: str, about: str, status: int
) -> None:
    """As code samples of the reference send them; an object with a wrong member is refused."""
    file = tmp_path / "forms.yaml"
    file.write_text(FORM, encoding="utf-8")
    body = f'--b\r\nContent-Disposition: form-data; name="about"\r\n{head}\r\n{about}\r\n--b--\r\n'
    client = Client(load_contract(file).api)

    response = client.call(
        "POST", "/uploads", raw=body.encode(), content_type="multipart/form-data; boundary=b"
    )

    assert response.status == status


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ("<station><name>Hill</name><lat>1.5</lat></station>", 201),
        ("<station><lat>1.5</lat></station>", 422),
        ("<station><name>Hill</name><lat>north</lat></station>", 422),
        ("<station>", 400),
        ('<!DOCTYPE a [<!ENTITY b "c">]><station><name>&b;</name></station>', 400),
    ],
)
def test_xml_is_validated_and_stored(document: str, status: int) -> None:
    """As JSON is: what is created has the members that the client sent."""
    stations = Client(
        api("""\
        paths:
          /stations:
            post:
              requestBody:
                content:
                  application/xml:
                    schema: &station
                      type: object
                      required: [name]
                      properties: {id: {type: integer, readOnly: true}, name: {type: string}, lat: {type: number}}
              responses:
                '201': {description: Created, content: {application/json: {schema: *station}}}
                '400': {description: Not readable}
                '422': {description: Invalid}
          /stations/{id}:
            get:
              parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
              responses: {'200': {description: A station, content: {application/json: {schema: *station}}}}
        """)
    )
    response = stations.call("POST", "/stations", raw=document.encode(), content_type="application/xml")

    assert response.status == status
    if status == 201:
        created = json.loads(response.body)
        assert created | {"name": "Hill", "lat": 1.5} == created


@pytest.mark.parametrize(
    ("encoding", "sent", "labels"),
    [
        ("{style: spaceDelimited}", b"labels=a%20b", ["a", "b"]),
        ("{style: pipeDelimited, explode: false}", b"labels=a%7Cb", ["a", "b"]),
        ("{explode: false}", b"labels=a,b", ["a", "b"]),
        ("{style: form, explode: true}", b"labels=a,b&labels=c", ["a,b", "c"]),
        ("{contentType: text/plain}", b"labels=a%20b", ["a b"]),
    ],
)
def test_a_list_in_a_form_is_read_in_the_style_of_its_encoding(
    encoding: str, sent: bytes, labels: list[str]
) -> None:
    """One text has several items only if the contract describes so (OAS 3.1.1 §4.8.15.1.2)."""
    note = "{type: object, properties: {id: {type: string}, labels: {type: array, items: {type: string}}}}"
    content = f"content: {{application/json: {{schema: {note}}}}}"
    form = f"application/x-www-form-urlencoded: {{schema: {note}, encoding: {{labels: {encoding}}}}}"
    client = Client(
        api(f"""\
paths:
  /notes:
    post:
      requestBody: {{content: {{{form}}}}}
      responses: {{'201': {{description: It, {content}}}}}
  /notes/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
    get: {{responses: {{'200': {{description: It, {content}}}}}}}
""")
    )

    response = client.call("POST", "/notes", raw=sent, content_type="application/x-www-form-urlencoded")

    assert json.loads(response.body)["labels"] == labels
