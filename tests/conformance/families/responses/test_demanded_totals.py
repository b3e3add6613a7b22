# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Lists whose numbers must have a total: the shares of all owners."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.responses import consistent_members
from devportal.conformance.families.responses.demanded_totals import demanded_totals
from devportal.conformance.knowledge.requests.request_variants import valid_body
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

PATHS = """\
paths:
  /deeds:
    post:
      description: {description}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [owners]
              properties:
                owners:
                  type: array
                  minItems: 1
                  items:
                    type: object
                    required: [share, years]
                    properties: {{share: {{type: integer, minimum: 1}}, years: {{type: integer}}}}
      responses: {{"201": {{description: It., content: &deed {{application/json: {{schema: {{type: object,
        properties: {{id: {{type: integer}}}}}}}}}}}}, "422": {{description: Refused.}}}}
  /deeds/{{id}}:
    get:
      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}}}]
      responses: {{"200": {{description: It., content: *deed}}}}
"""
SENTENCE = "The shares of all owners must add up to 100."


@pytest.mark.parametrize(
    ("sentence", "total"),
    [
        (SENTENCE, 100),
        ("All `share`s of the owners have to sum up to 100 %, or 422.", 100),
        ("The total of the shares of the owners must be 12", 12),
        ("Owner shares must sum to exactly 1.0 and be positive", 1),
        ("The shares of all owners must not add up to 100", None),
        ("The shares of all owners should add up to 100", None),
        ("The shares of all owners must add up to 100 or less", None),
        ("The shares of all owners must add up to 100 at most", None),
        ("The shares of all owners must add up to 100 or the deed is refused", 100),
        ("For split deeds, the shares of all owners must add up to 100", None),
        ("If the deed is split, the shares of all owners must add up to 100", None),
        ("The shares of all owners must add up to 100, unless the deed is a draft", None),
        ("The shares of all owners must add up to 100 (or 0)", None),
        ("The shares of all owners must add up to 100 (with a tolerance of 1)", None),
        ("The shares of all owners must add up to 100, otherwise they are scaled", None),
        ("The shares must add up to 100", None),
        ("The weights of all owners must add up to 100", None),
    ],
)
def test_a_total_is_understood(sentence: str, total: int | None) -> None:
    """Of a member of a list that the sentence names, if clients must keep it."""
    subject = subject_of_contract(contract(PATHS.format(description=json.dumps(sentence))))
    (create,) = (operation for operation in subject.operations if operation.method == "POST")
    body = valid_body(subject, create)
    assert body is not None

    found = demanded_totals(subject, create, body)

    expected = [] if total is None else [("owners", "share", Decimal(total))]
    assert [(each.items, each.member, each.value) for each in found] == expected


class Deeds(Server):
    """An ASGI application."""

    def __init__(self, most: int, least: int) -> None:
        self.most, self.least = most, least

    def respond(self, request: Request, body: bytes) -> Response:
        if request.method == "POST":
            owners = json.loads(body)["owners"]
            if not self.least <= sum(owner["share"] for owner in owners) <= self.most:
                raise Refusal(422)
        return Response(json.dumps({"id": 1}), 201 if body else 200, media_type="application/json")


@pytest.mark.parametrize(
    ("least", "most", "is_right"), [(100, 100, True), (0, 100, False), (100, 999, False)]
)
def test_another_total_is_rejected(least: int, most: int, *, is_right: bool, tmp_path: Path) -> None:
    """A smaller one as well as a greater one."""
    path = tmp_path / "deeds.yaml"
    head = 'openapi: 3.1.0\ninfo: {title: Deeds, version: "1"}\n'
    path.write_text(head + PATHS.format(description=SENTENCE), encoding="utf-8")

    titles = titles_for_contract(consistent_members.FAMILY, Deeds(most, least), path)

    assert titles == (set() if is_right else {"POST /deeds: 'owners' is accepted with another total"})
