"""The promise that a failure quotes is the line of the contract that the deployment breaks."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.validation.boundary_values import FAMILY, INVALID_ACCEPTED
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.confirm import RunContext, schemathesis_failures
from devportal.conformance.run.schemathesis_wording import (
    failure_message,
    one_location_each,
    promise_locations,
)
from devportal.conformance.schemathesis.events import Case, FailedCheck
from devportal.contract import Location
from tests.conformance.families.servers.crates import Crates, failures_of, text
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Words, version: '1'}
paths:
  /words:
    post:
      operationId: addWord
      parameters:
        - {name: colour, in: query, schema: {type: string, maxLength: 30}}
        - {name: X-Reason, in: header, schema: {type: string, maxLength: 40}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text, origin]
              properties:
                text: {type: string, maxLength: 5}
                origin:
                  type: object
                  properties:
                    year: {type: integer}
      responses:
        '201':
          description: Added
          headers:
            Location: {required: true, schema: {type: string}}
          content:
            application/json:
              schema: {type: object, required: [id]}
        '400': {description: Refused}
"""
ADD = "POST /words"
WORD = {"text": "tea", "origin": {}}
BODY = ("body", "application/json")


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    """The contract, with a port where nobody listens."""
    contract = tmp_path / "words.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")
    return subject_of(contract)


def failed_case(
    code: str, *inputs: tuple[str, str], body: object = WORD, status: int = 201
) -> tuple[Case, FailedCheck]:
    """Return a case with one failed check, whose text is Schemathesis' own."""
    exchange = Exchange(
        operation=ADD,
        request=Request(
            method="POST",
            url="http://127.0.0.1:1/words",
            headers=(("content-type", "application/json"),),
            body=json.dumps(body).encode(),
        ),
        answer=HttpResponse(status=status, headers=(("content-type", "application/json"),), body=b"{}"),
    )
    failed = FailedCheck(
        check="-",
        code=code,
        title="-",
        message="Expected: 4XX, 5XX Invalid component",
        schema_path="",
        exchange=exchange,
    )
    case = Case(
        phase="fuzzing",
        exchange=exchange,
        invalid_inputs=inputs,
        broken_rules=("maxLength",) if inputs else (),
        failed_checks=(failed,),
    )
    return case, failed


def pointers(subject: Subject, case: tuple[Case, FailedCheck]) -> list[str]:
    """Return the possible promises of a failed case, below the operation."""
    operation = subject.operation(ADD)
    assert operation is not None
    return [
        "/".join(promise_location.pointer[3:])
        for promise_location in promise_locations(subject, operation, *case)
    ]


@pytest.mark.parametrize(
    ("inputs", "body", "expected"),
    [
        ([("header", "X-Reason")], WORD, ["parameters/1"]),
        ([("query", "colour")], WORD, ["parameters/0"]),
        ([("query", "colour"), ("header", "x-reason")], WORD, ["parameters/0", "parameters/1"]),
        ([BODY], {**WORD, "text": "teapot"}, ["properties/text"]),
        ([BODY], {**WORD, "origin": {"year": "1"}}, ["properties/origin/properties/year"]),
        ([BODY], {"origin": {}}, ["properties/text"]),
        ([BODY], [], [""]),
        ([], WORD, ["requestBody"]),
    ],
)
def test_an_accepted_request_breaks_the_promise_of_its_invalid_input(
    subject: Subject, inputs: Sequence[tuple[str, str]], body: object, expected: list[str]
) -> None:
    """The parameter or the member that is wrong, wherever it is in the body."""
    schema = "requestBody/content/application/json/schema"
    expected = [f"{schema}/{item}".rstrip("/") for item in expected] if BODY in inputs else expected

    assert pointers(subject, failed_case("ST201", *inputs, body=body)) == expected


def test_a_missing_header_is_named_if_the_generator_names_nothing(tmp_path: Path) -> None:
    """`an invalid request` would leave the reader to find out why."""
    contract = tmp_path / "words.yaml"
    contract.write_text(CONTRACT.replace("X-Reason,", "X-Reason, required: true,"), encoding="utf-8")
    case, _ = failed_case("ST201")
    with Deployment(RequestPolicy(), mask=Mask()) as deployment:
        context = RunContext(
            subject=subject_of(contract), deployment=deployment, mask=Mask(), gates=lambda _: True
        )
        (failure,) = schemathesis_failures(context, [case])

    assert failure.message == "a request with an invalid header 'X-Reason' (missing parameter) gets 201"
    assert failure.promise is not None
    assert failure.promise.line == 9


def test_a_missing_header_that_holds_the_credential_breaks_the_promise_of_the_401(tmp_path: Path) -> None:
    """It is the same fault as a request without a credential; another header is an input."""
    text = CONTRACT.replace("paths:\n", "security: [{key: []}]\npaths:\n", 1).replace(
        "        '400': {description: Refused}\n", "        '401': {description: Refused}\n"
    )
    schemes = "components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}\n"
    contract = tmp_path / "words.yaml"
    contract.write_text(text + schemes, encoding="utf-8")
    keyed = subject_of(contract)

    assert pointers(keyed, failed_case("ST203", ("header", "x-key"))) == ["responses/401"]
    assert pointers(keyed, failed_case("ST401")) == ["responses/401"]
    assert pointers(keyed, failed_case("ST203", ("header", "X-Reason"))) == ["parameters/1"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ST107", "responses/201/headers/Location"),
        ("ST108", "responses/201/content/application/json/schema"),
        ("ST103", "responses"),
    ],
)
def test_a_wrong_response_breaks_the_promise_of_its_part(subject: Subject, code: str, expected: str) -> None:
    """A header, a body and a status are promised in different places."""
    case = failed_case(code, status=204 if code == "ST103" else 201)

    assert pointers(subject, case) == [expected]


def test_a_case_with_several_invalid_inputs_belongs_to_the_one_that_is_proven() -> None:
    """Another case that changes only one of them shows which is the cause."""
    first, second, third = (Location("", (name,)) for name in "abc")

    assert list(one_location_each([(first, second), (second,), (third, first)])) == [second, second, third]


@pytest.mark.parametrize(
    ("code", "inputs", "status", "expected"),
    [
        (
            "ST201",
            [("header", "X-Reason")],
            201,
            "a request with an invalid header 'X-Reason' (maxLength) gets 201",
        ),
        ("ST101", [BODY], 500, "a request with an invalid body (maxLength) gets 500"),
        ("ST107", [], 201, "the header 'Location' is missing"),
        ("ST103", [], 204, "status 204 is not documented; documented are 201, 400"),
        ("ST401", [], 201, "a request without a valid credential gets 201"),
        ("ST999", [], 201, "the response is 201"),
    ],
)
def test_messages_are_sentences_of_our_own(
    subject: Subject, code: str, inputs: Sequence[tuple[str, str]], status: int, expected: str
) -> None:
    """No text of Schemathesis is in them."""
    assert failure_message(subject, *failed_case(code, *inputs, status=status)) == expected


def test_failures_of_two_members_quote_two_promises() -> None:
    """A server that checks no length breaks one promise for each member."""

    class Unchecked(Crates):
        def rules(self) -> dict[str, Callable[[Any], bool]]:
            return {**super().rules(), "name": text(".*"), "code": text(".*")}

    failures = [failure for failure in failures_of(FAMILY, Unchecked()) if failure.title == INVALID_ACCEPTED]

    assert len({failure.promise for failure in failures}) == len(failures) == 2
    assert all(failure.fails for failure in failures)
