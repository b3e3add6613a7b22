"""Problem documents: members of the right types, and types with what belongs to them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.families.responses import problem_details
from devportal.contract import Location, ProblemType
from tests.conformance.families.servers.crates import CONTRACT
from tests.conformance.running import subject_of, subject_of_contract
from tests.conformance.values import exchange
from tests.contract.inline import contract

GONE = ProblemType(
    uri="https://crates.example/gone", title="Gone", status=404, location=Location(file="", pointer=())
)
SUBJECT = subject_of(CONTRACT)
REGISTERED = replace(
    SUBJECT,
    contract=replace(SUBJECT.contract, api=replace(SUBJECT.api, problem_types=(GONE,))),
)


def titles(problem: dict[str, Any]) -> list[str]:
    """Return what is wrong with a problem that comes with 404."""
    answer = HttpResponse(
        status=404,
        headers=(("Content-Type", "application/problem+json"),),
        body=json.dumps(problem).encode(),
    )
    exchange = Exchange(
        operation="GET /v1/crates/{crate_id}",
        request=Request(method="GET", url="http://127.0.0.1:1/v1/crates/x"),
        answer=answer,
    )
    return [failure.title for failure in problem_details.find_failures(REGISTERED, (exchange,))]


@pytest.mark.parametrize(
    "problem",
    [
        {"type": GONE.uri, "title": "Gone", "status": 404, "instance": "/crates/%C3%BC?a=[1]#b", "more": [1]},
        {"type": "https://crates.example/other", "title": "Any", "status": 404},
        {"type": "about:blank", "detail": "\u00fc"},
        {},
    ],
)
def test_right_problems_are_left_alone(problem: dict[str, Any]) -> None:
    """Members may be missing, and types that nobody registered may say what they like."""
    assert not titles(problem)


@pytest.mark.parametrize(
    ("problem", "title"),
    [
        ({"title": 1}, "a problem's member has the wrong type"),
        ({"status": "404"}, "a problem's member has the wrong type"),
        ({"type": "not a reference"}, "a problem's type is not a URI reference"),
        ({"instance": "/a%zz"}, "a problem's instance is not a URI reference"),
        ({"type": GONE.uri, "title": "Lost"}, "a problem's title is not that of its type"),
    ],
)
def test_wrong_problems_are_found(problem: dict[str, Any], title: str) -> None:
    """Each member is held to RFC 9457, and a registered type to its title."""
    assert title in titles(problem)


def test_a_type_with_another_status() -> None:
    """A registered type belongs to its status."""
    other = replace(GONE, status=410)
    subject = replace(
        SUBJECT, contract=replace(SUBJECT.contract, api=replace(SUBJECT.api, problem_types=(other,)))
    )
    answer = HttpResponse(
        status=404,
        headers=(("Content-Type", "application/problem+json"),),
        body=b'{"type": "https://crates.example/gone", "title": "Gone"}',
    )
    exchange = Exchange(request=Request(method="GET", url="http://127.0.0.1:1/"), answer=answer)

    assert [failure.title for failure in problem_details.find_failures(subject, (exchange,))] == [
        "a problem's type belongs to another status"
    ]


def test_a_response_without_a_body_holds_no_problem() -> None:
    """Frameworks write the media type of problems on a 204 too."""
    answer = HttpResponse(status=204, headers=(("Content-Type", "application/problem+json"),), body=b"")
    exchange = Exchange(
        operation="DELETE /v1/crates/{crate_id}",
        request=Request(method="DELETE", url="http://127.0.0.1:1/v1/crates/x"),
        answer=answer,
    )

    assert not list(problem_details.find_failures(SUBJECT, (exchange,)))


ERRORS = """\
paths:
  /shelves:
    get:
      responses:
        '404':
          description: None
          content:
            application/vnd.api+json: {schema: {type: object}}
            application/json:
              schema:
                type: object
                properties:
                  status: {type: string, description: A word.}
                  error: {type: object, properties: {code: {type: integer, description: The HTTP status.}}}
"""
ONE_ERROR = {"errors": [{"status": "404"}]}
OTHER_ERROR = {"errors": [{"status": "400"}]}
JSON, JSON_API = "application/json", "application/vnd.api+json"


@pytest.mark.parametrize(
    ("body", "kind", "member"),
    [
        (ONE_ERROR, JSON_API, ""),
        (OTHER_ERROR, JSON_API, "errors[0].status"),
        ({"errors": [{"status": "400"}, {"status": "404"}]}, JSON_API, ""),
        (OTHER_ERROR, JSON, ""),
        ({"status": "none", "error": {"code": 404}}, JSON, ""),
        ({"status": "none", "error": {"code": 400}}, JSON, "error.code"),
        ({"error": {}}, JSON, ""),
        ([], JSON, ""),
    ],
)
def test_errors_that_state_their_status_state_the_right_one(body: Any, kind: str, member: str) -> None:
    """The only error of JSON:API, and a member that is the HTTP status by its description."""
    subject = subject_of_contract(contract(ERRORS))
    answered = replace(exchange(404, body, kind=kind), operation="GET /shelves")

    failures = list(problem_details.find_failures(subject, (answered,)))

    messages = [failure.message for failure in failures]
    assert messages == (
        [f"'{member}' is {'400' if kind == JSON else repr('400')} and the HTTP status is 404"] * bool(member)
    )
