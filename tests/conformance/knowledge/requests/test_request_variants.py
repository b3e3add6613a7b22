"""Other valid requests for the same operation."""

import re
from pathlib import Path

import pytest

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.knowledge.requests.request_variants import (
    idempotency_key_parameter,
    request_json,
    request_variants,
    varied_texts_request,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from devportal.contract.validate.json_schema import Direction
from tests.conformance.families.lending import library
from tests.conformance.running import subject_of, subject_of_contract
from tests.contract.inline import contract

SUBJECT = library()
ADD = next(operation for operation in SUBJECT.operations if operation.id == "addBook")
NESTED_ATTRIBUTES = {"title": "Lathe", "isbn": "9780000000001"}
NESTED = """\
openapi: 3.1.0
info: {title: Books, version: "1"}
paths:
  /books:
    post:
      operationId: addBook
      requestBody:
        content:
          application/vnd.api+json:
            example: {data: {type: books, attributes: {title: Lathe, isbn: "9780000000001"}, of: {id: "7"}}}
            schema:
              properties:
                data:
                  properties:
                    type: {enum: [books]}
                    of: {properties: {id: {type: string}}}
                    attributes:
                      properties:
                        title: {type: string}
                        isbn: {type: string, pattern: "^97[89][0-9]{10}$"}
      responses: {"204": {description: Added.}}
"""
READ = next(operation for operation in SUBJECT.operations if operation.id == "readBook")

UNIQUE_NUMBERS = """\
openapi: 3.1.0
info: {title: Badges, version: "1"}
paths:
  /badges:
    post:
      requestBody:
        content:
          application/json:
            schema:
              properties:
                badge: {type: integer, minimum: 1, maximum: 999999, description: Unique.}
                floor: {type: integer}
            example: {badge: 700000, floor: 3}
      responses: {"201": {description: Issued.}, "409": {description: The badge exists already.}}
"""


def test_variants_are_valid_and_differ_in_one_member() -> None:
    """Free texts come first; values of an enum stay in it, numbers within their bounds."""
    usual = SUBJECT.valid(ADD)
    assert usual is not None
    before = request_json(usual)
    schema = ADD.request_body.content[0].schema if ADD.request_body is not None else None
    assert schema is not None

    bodies = [request_json(request_variant) for request_variant in request_variants(SUBJECT, ADD, usual)]

    changed = [[name for name in before if body[name] != before[name]] for body in bodies]
    assert changed == [["title"], ["genre"], ["copies"]]
    assert all(SUBJECT.validator.is_valid(schema, body, Direction.REQUEST) for body in bodies)


def test_a_request_gets_a_key_of_its_own_each_time() -> None:
    """Where an operation takes keys; others stay as they are."""
    usual, reading = SUBJECT.valid(ADD), SUBJECT.valid(READ)
    assert usual is not None
    assert reading is not None

    keys = {dict(with_new_idempotency_key(SUBJECT, ADD, usual).headers)["Idempotency-Key"] for _ in range(3)}

    assert len(keys) == 3
    assert idempotency_key_parameter(SUBJECT, READ) is None
    assert with_new_idempotency_key(SUBJECT, READ, reading) == reading


def nested_requests(tmp_path: Path) -> tuple[Subject, Operation, Request]:
    """Return a request like those of JSON:API: what can be varied is two objects deep."""
    file = tmp_path / "nested.yaml"
    file.write_text(NESTED, encoding="utf-8")
    subject = subject_of(file)
    request = subject.valid(subject.operations[0])
    assert request is not None
    return subject, subject.operations[0], request


def test_members_of_inner_objects_are_varied_if_no_other_one_can_be(tmp_path: Path) -> None:
    """The type is fixed, and the identifier of an inner object names another resource."""
    subject, operation, usual = nested_requests(tmp_path)

    bodies = [request_json(variant) for variant in request_variants(subject, operation, usual)]

    changed = [
        [name for name, value in body["data"]["attributes"].items() if value != NESTED_ATTRIBUTES[name]]
        for body in bodies
    ]
    assert changed == [["title"], ["isbn"]]
    assert all(body["data"]["of"] == {"id": "7"} for body in bodies)


def test_texts_that_may_be_unique_are_other_ones_each_time(tmp_path: Path) -> None:
    """Also those whose form allows no suffix: they keep it."""
    subject, operation, usual = nested_requests(tmp_path)

    isbns = {
        request_json(varied_texts_request(subject, operation, usual))["data"]["attributes"]["isbn"]
        for _ in range(5)
    }

    assert len(isbns) > 1
    assert all(re.fullmatch("97[89][0-9]{10}", isbn) for isbn in isbns)


NAMES = """\
paths:
  /things:
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {name: {type: string, pattern: PATTERN, example: EXAMPLE}}}
      responses: {'204': {description: Added.}}
"""


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        (r"^[a-z][a-z0-9]{2,30}\.(example|test)$", "shop.example"),
        (r"^www\.[a-z][a-z0-9]*\.example$", "www.shop.example"),
        ("^[A-Z]-[0-9]{2}-[0-9]{2,3}$", "A-01-03"),
        ("^BOX [A-Z0-9]+ small$", "BOX M8 small"),
    ],
)
def test_patterns_with_fixed_ends_have_other_texts(pattern: str, example: str) -> None:
    """Any number of resources with unique names can be created."""
    text = NAMES.replace("PATTERN", f"'{pattern}'").replace("EXAMPLE", example)
    subject = subject_of_contract(contract(text))
    usual = subject.valid(subject.operations[0])
    assert usual is not None

    requests = [varied_texts_request(subject, subject.operations[0], usual) for _ in range(6)]

    names = {request_json(request)["name"] for request in requests}
    assert len(names - {example}) > 3
    assert all(re.search(pattern, name) for name in names)


def test_a_request_without_body_has_no_variants() -> None:
    """There is no member to change."""
    reading = SUBJECT.valid(READ)
    assert reading is not None

    assert not list(request_variants(SUBJECT, READ, reading))


def test_integers_that_are_unique_are_other_ones_each_time(tmp_path: Path) -> None:
    """A number that another member only counts stays."""
    contract = tmp_path / "numbers.yaml"
    contract.write_text(UNIQUE_NUMBERS, encoding="utf-8")
    subject = subject_of(contract)
    usual = subject.valid(subject.operations[0])
    assert usual is not None

    bodies = [request_json(varied_texts_request(subject, subject.operations[0], usual)) for _ in range(4)]

    assert len({body["badge"] for body in bodies}) == 4
    assert all(1 <= body["badge"] <= 999_999 and body["floor"] == 3 for body in bodies)


OWN_KEYS = """\
paths:
  /doors:
    post:
      requestBody: {content: &door {application/json: {schema: {type: object, required: [key], properties: {
        key: {type: string, description: Unique., example: lobby}, alarm_id: {type: string, example: a7}}}}}}
      responses:
        '201': {description: Added., content: *door}
        '409': {description: There is a door with this `key`., content: {application/problem+json: {}}}
  /doors/{key}:
    get:
      parameters: [{name: key, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A door., content: *door}}
  /alarms: {post: {responses: {'201': {description: Added.}}}}
  /alarms/{alarm_id}:
    get:
      parameters: [{name: alarm_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: An alarm.}}
"""


def test_a_unique_identifier_that_clients_choose_is_another_one_each_time() -> None:
    """The identifier of another resource stays."""
    subject = subject_of_contract(contract(OWN_KEYS))
    usual = subject.valid(subject.operations[0])
    assert usual is not None

    bodies = [request_json(varied_texts_request(subject, subject.operations[0], usual)) for _ in range(3)]

    assert len({body["key"] for body in bodies} - {"lobby"}) == 3
    assert {body["alarm_id"] for body in bodies if "alarm_id" in body} <= {"a7"}
