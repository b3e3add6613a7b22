"""Parameters in each style of OpenAPI are read as they are written (OAS 3.0.3 §4.7.12)."""

from pathlib import Path

import pytest

from devportal.contract import load_contract
from tests.mock.contracts import Client

DOCUMENT = """
openapi: 3.0.3
info: {{title: Styles, version: '1'}}
paths:
  /a{path}:
    get:
      parameters: [{parameter}]
      responses: {{'200': {{description: A}}, '400': {{description: B}}}}
"""
NUMBERS = "schema: {type: array, items: {type: integer}, maxItems: 3}"
MEMBERS = "required: [x], additionalProperties: false, properties: {x: {type: integer}, y: {type: integer}}"
POINT = f"schema: {{type: object, {MEMBERS}}}"


@pytest.mark.parametrize(
    ("parameter", "right", "wrong"),
    [
        (f"name: p, in: query, {NUMBERS}", "/a?p=1&p=2", "/a?p=1,2"),
        (f"name: p, in: query, explode: false, {NUMBERS}", "/a?p=1,2", "/a?p=1;2"),
        (f"name: p, in: query, style: pipeDelimited, explode: false, {NUMBERS}", "/a?p=1%7C2", "/a?p=1,2"),
        (f"name: p, in: query, style: spaceDelimited, explode: false, {NUMBERS}", "/a?p=1%202", "/a?p=1,2"),
        (f"name: p, in: query, style: deepObject, {POINT}", "/a?p[x]=1&p[y]=2", "/a?p[x]=1&p[z]=2"),
        (f"name: p, in: query, {POINT}", "/a?x=1&y=2", "/a?x=one"),
        (f"name: p, in: query, explode: false, {POINT}", "/a?p=x,1,y,2", "/a?p=y,2"),
        ("name: p, in: query, content: {application/json: {schema: {type: array}}}", "/a?p=%5B1%5D", "/a?p=%7B%7D"),
        (f"name: p, in: path, required: true, {NUMBERS}", "/a/1,2/x", "/a/1,two/x"),
        (f"name: p, in: path, required: true, style: label, {NUMBERS}", "/a/.1,2/x", "/a/.one/x"),
        (f"name: p, in: path, required: true, style: matrix, {NUMBERS}", "/a/;p=1,2/x", "/a/;p=one/x"),
        (f"name: p, in: path, required: true, style: matrix, explode: true, {NUMBERS}", "/a/;p=1;p=2/x", "/a/;p=one/x"),
        (f"name: p, in: path, required: true, style: simple, explode: true, {POINT}", "/a/x=1,y=2/x", "/a/y=2/x"),
        ("name: p, in: path, required: true, schema: {type: string, pattern: '^a/b$'}", "/a/a%2Fb/x", "/a/a%2Fc/x"),
    ],
)  # fmt: skip
def test_a_style_is_read(tmp_path: Path, parameter: str, right: str, wrong: str) -> None:
    """What is written in it is accepted, and what is not is refused."""
    file = tmp_path / "styles.yaml"
    path = "/{p}/x" if "in: path" in parameter else ""
    file.write_text(DOCUMENT.format(parameter="{" + parameter + "}", path=path), encoding="utf-8")
    client = Client(load_contract(file).api)

    assert [client.call("GET", text).status for text in (right, wrong)] == [200, 400]


def test_placeholders_in_the_query_of_a_path_are_read(tmp_path: Path) -> None:
    """`check` warns of such paths; requests for them have the values in their query all the same."""
    file = tmp_path / "query.yaml"
    parameter = "name: p, in: path, required: true, schema: {type: integer}"
    document = DOCUMENT.format(parameter="{" + parameter + "}", path="?page={p}&format=json")
    file.write_text(document, encoding="utf-8")
    client = Client(load_contract(file).api)

    paths = ("/a?page=1&format=json", "/a?page=one&format=json", "/a?format=json")
    assert [client.call("GET", path).status for path in paths] == [200, 400, 400]


def test_headers_and_cookies_are_read(tmp_path: Path) -> None:
    """Lists in them have commas; each is required."""
    file = tmp_path / "styles.yaml"
    header = f"name: X-N, in: header, required: true, {NUMBERS}"
    cookie = "name: c, in: cookie, required: true, schema: {type: integer}"
    file.write_text(DOCUMENT.format(parameter=f"{{{header}}}, {{{cookie}}}", path=""), encoding="utf-8")
    client = Client(load_contract(file).api)

    assert client.call("GET", "/a", X_N="1, 2", Cookie="b=x; c=5").status == 200
    assert client.call("GET", "/a", X_N="1, b", Cookie="c=5").status == 400
    assert client.call("GET", "/a", X_N="1", Cookie="c=five").status == 400
    assert client.call("GET", "/a", X_N="1").status == 400


def test_files_of_a_multipart_body_are_fields(tmp_path: Path) -> None:
    """Texts are read by their schemas, and files are texts (RFC 7578)."""
    file = tmp_path / "parts.yaml"
    members = "{size: {type: integer}, file: {type: string, format: binary}}"
    schema = f"{{type: object, required: [size, file], properties: {members}}}"
    file.write_text(
        f"""
openapi: 3.0.3
info: {{title: Parts, version: '1'}}
paths:
  /a:
    post:
      requestBody: {{required: true, content: {{multipart/form-data: {{schema: {schema}}}}}}}
      responses: {{'200': {{description: A}}, '400': {{description: B}}}}
""",
        encoding="utf-8",
    )
    client = Client(load_contract(file).api)

    def parts(size: str) -> bytes:
        return (
            f'--b\r\nContent-Disposition: form-data; name="size"\r\n\r\n{size}\r\n'
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n\x00\x01\r\n--b--\r\n"
        ).encode()

    boundary = "multipart/form-data; boundary=b"
    assert client.call("POST", "/a", raw=parts("7"), content_type=boundary).status == 200
    assert client.call("POST", "/a", raw=parts("large"), content_type=boundary).status == 400
    assert client.call("POST", "/a", raw=parts("7"), content_type="multipart/form-data").status == 400
