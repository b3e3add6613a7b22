"""A body of a wrong type by the generator may be valid as it is sent, and a valid request invalid."""

from dataclasses import replace
from pathlib import Path

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.run.valid_bodies import is_invalid_as_sent, is_valid_as_sent
from devportal.conformance.schemathesis.events import Case
from tests.conformance.running import subject_of

PETS = """\
openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: &pet
            schema:
              type: object
              additionalProperties: false
              required: [tags]
              properties:
                tags: {type: array, items: {type: string}}
                age: {type: integer}
                method: {type: string, nullable: true, enum: [GET, POST]}
          application/json: *pet
          multipart/form-data: *pet
          application/xml: *pet
          text/csv: {schema: {type: string, minLength: 2}}
      responses: {'200': {description: Pets}, '400': {description: Refused}}
"""
MULTIPART = "multipart/form-data; boundary=b"


def multipart(**fields: str) -> str:
    """Return a multipart body with some fields."""
    parts = (
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
        for name, text in fields.items()
    )
    return f"{''.join(parts)}--b--\r\n"


FORM, JSON, XML = "application/x-www-form-urlencoded", "application/json", "application/xml"


@pytest.mark.parametrize(
    ("media_type", "body", "rule", "is_valid"),
    [
        (FORM, "tags=0", "incorrect type", True),
        (FORM, "tags=0&age=1", "incorrect type", True),
        (FORM, "tags=a&age=old", "incorrect type", False),
        (FORM, "tags=0", "maxItems", False),
        (MULTIPART, multipart(tags="0", age="1"), "incorrect type", True),
        (MULTIPART, multipart(tags="0"), "type", True),
        (MULTIPART, multipart(tags="a", age="old"), "incorrect type", False),
        (MULTIPART, multipart(tags="0"), "maxItems", False),
        (MULTIPART, "no parts", "incorrect type", False),
        (JSON, '{"tags": [], "method": null}', "incorrect type", True),
        (JSON, '{"tags": 0}', "incorrect type", False),
        (JSON, '{"tags": [], "method": "PUT"}', "incorrect type", False),
        (JSON, "{", "incorrect type", False),
        (XML, "<pet><tags>0</tags></pet>", "incorrect type", True),
        (XML, "<pet><tags>0</tags><age>1</age></pet>", "type", True),
        (XML, "<pet><tags>0</tags><age>old</age></pet>", "incorrect type", False),
        (XML, "<pet>0</pet>", "incorrect type", False),
        (XML, "<pet><tags>0</tags></pet>", "maxItems", False),
        (XML, "<pet", "incorrect type", False),
        ("text/csv", "17", "incorrect type", True),
        ("text/csv", "1", "incorrect type", False),
        ("text/plain", "{}", "incorrect type", False),
    ],
)
def test_what_is_valid_as_it_is_sent(
    tmp_path: Path, media_type: str, body: str, rule: str, *, is_valid: bool
) -> None:
    """A form and XML have texts alone; `nullable` beside an `enum` may be meant to allow null (OAS 3.0.3 §4.7.24.1)."""
    file = tmp_path / "pets.yaml"
    file.write_text(PETS, encoding="utf-8")
    case = Case(
        phase="fuzzing",
        invalid_inputs=(("body", media_type),),
        broken_rules=(rule,),
        exchange=exchange(media_type, body),
    )

    assert is_valid_as_sent(subject_of(file), case) is is_valid


@pytest.mark.parametrize(
    ("media_type", "body", "is_invalid"),
    [
        (FORM, "age=3", True),
        (FORM, "", True),
        (FORM, "tags=a", False),
        (MULTIPART, multipart(age="3"), True),
        (MULTIPART, multipart(tags="a"), False),
        (JSON, "{}", False),
        ("text/plain", "", False),
    ],
)
def test_a_form_cannot_hold_an_empty_list(
    tmp_path: Path, media_type: str, body: str, *, is_invalid: bool
) -> None:
    """A server that rejects a form without a required list is right."""
    file = tmp_path / "pets.yaml"
    file.write_text(PETS, encoding="utf-8")

    assert is_invalid_as_sent(subject_of(file), exchange(media_type, body)) is is_invalid


COLOURS = """\
openapi: 3.0.3
info: {title: Colours, version: '1'}
paths:
  /colours:
    get:
      parameters:
        - {name: tone, in: query, schema: {type: string, nullable: true, enum: [dark, light]}}
        - {name: depth, in: query, schema: {type: integer}}
        - {name: X-Tone, in: header, schema: {type: string, nullable: true, enum: [dark]}}
      responses: {'200': {description: Colours}, '400': {description: Refused}}
"""


@pytest.mark.parametrize(
    ("query", "inputs", "rule", "is_valid"),
    [
        ("tone=null", (("query", "tone"),), "incorrect type", True),
        ("tone=null&depth=1", (("query", "tone"),), "type", True),
        ("tone=pale", (("query", "tone"),), "incorrect type", False),
        ("tone=null", (("query", "tone"),), "enum", False),
        ("depth=null", (("query", "depth"),), "incorrect type", False),
        ("tone=null&depth=x", (("query", "tone"), ("query", "depth")), "incorrect type", False),
        ("", (("header", "X-Tone"),), "incorrect type", False),
    ],
)
def test_null_in_a_query_may_be_valid(
    tmp_path: Path, query: str, inputs: tuple[tuple[str, str], ...], rule: str, *, is_valid: bool
) -> None:
    """The text `null` stands for null in a parameter too if its schema allows that."""
    file = tmp_path / "colours.yaml"
    file.write_text(COLOURS, encoding="utf-8")
    request = Request(method="GET", url=f"http://127.0.0.1:1/colours?{query}")
    response = HttpResponse(status=200, headers=(), body=b"", elapsed_s=0.0)
    sent = Exchange(operation="GET /colours", request=request, answer=response)
    case = Case(phase="coverage", invalid_inputs=inputs, broken_rules=(rule,), exchange=sent)

    assert is_valid_as_sent(subject_of(file), case) is is_valid


PLACES = """\
openapi: 3.0.3
info: {title: Places, version: '1'}
paths:
  /places/{number}:
    parameters: [{name: number, in: path, required: true, schema: {type: number, format: int64}}]
    put:
      parameters: [{name: height, in: query, schema: {type: number, format: float}}]
      requestBody:
        content:
          application/json: {schema: {type: object, properties: {width: {type: number, format: float}}}}
      responses: {'200': {description: It}, '400': {description: Refused}}
"""


@pytest.mark.parametrize(
    ("address", "body", "is_invalid"),
    [
        ("/places/1", '{"width": 1.5}', False),
        ("/places/1", '{"width": -4.8e+144}', True),
        ("/places/1?height=1e300", "{}", True),
        ("/places/1?height=1e3", "{}", False),
        ("/places/1.05e+238", "{}", True),
        ("/places/one", '{"width": "wide"}', False),
    ],
)
def test_a_number_beyond_its_format_may_be_refused(
    tmp_path: Path, address: str, body: str, *, is_invalid: bool
) -> None:
    """Formats need not be checked, and may be (OAS 3.0.3 §4.4). What breaks more was never called valid."""
    file = tmp_path / "places.yaml"
    file.write_text(PLACES, encoding="utf-8")
    sent = exchange(JSON, body)
    request = replace(sent.request, method="PUT", url=f"http://127.0.0.1:1{address}")

    sent = replace(sent, request=request, operation="PUT /places/{number}")
    assert is_invalid_as_sent(subject_of(file), sent) is is_invalid


def exchange(media_type: str, body: str) -> Exchange:
    """Return an exchange of `POST /pets`."""
    request = Request(
        method="POST",
        url="http://127.0.0.1:1/pets",
        headers=(("Content-Type", media_type),),
        body=body.encode(),
    )
    return Exchange(request=request, answer=HttpResponse(status=200), operation="POST /pets")


OBJECTS = """\
openapi: 3.0.3
info: {title: Objects, version: '1'}
paths:
  /a:
    get:
      parameters:
        - {name: free, in: query, schema: &map {type: object, additionalProperties: {type: string}}}
        - {name: whole, in: query, explode: false, schema: *map}
        - {name: deep, in: query, style: deepObject, schema: *map}
        - {name: text, in: query, schema: {type: string}}
      responses: {'200': {description: A}}
"""


@pytest.mark.parametrize(
    ("name", "rule", "is_valid"),
    [
        ("free", "additionalProperties", True),
        ("free", "type", False),
        ("whole", "additionalProperties", False),
        ("deep", "additionalProperties", False),
        ("text", "additionalProperties", False),
        ("none", "additionalProperties", False),
    ],
)
def test_members_in_a_query_are_texts(name: str, rule: str, *, is_valid: bool, tmp_path: Path) -> None:
    """An object in pieces has any member as a parameter: nothing tells them from others that nobody knows."""
    file = tmp_path / "objects.yaml"
    file.write_text(OBJECTS, encoding="utf-8")
    exchange = Exchange(operation="GET /a", request=Request(method="GET", url="http://h/a?x=1"), answer=None)
    case = Case(phase="fuzzing", invalid_inputs=(("query", name),), broken_rules=(rule,), exchange=exchange)

    assert is_valid_as_sent(subject_of(file), case) is is_valid
