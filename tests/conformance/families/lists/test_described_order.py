# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""How contracts say which items of a list come first."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.lists import sorting
from devportal.conformance.families.lists.described_order import described_order_probes
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = """\
paths:
  /letters:
    get:
      description: {description}
      responses:
        '200':
          description: Letters
          content:
            application/json:
              schema:
                type: array
                items: {{properties: {{sentAt: {{type: string, format: date-time}}}}}}
"""


@pytest.mark.parametrize(
    ("description", "is_order"),
    [
        ("Letters, newest first.", True),
        ("The newest letters come first.", True),
        ("Without `sort`, the most recent are listed first.", True),
        ("The oldest letter is first.", True),
        ("Sorted by creation date, with the most recently created first.", True),
        ("Letters in reverse chronological order.", True),
        ("Letters are listed chronologically.", True),
        ("By `view`, the newest or the oldest letters come first.", False),
        ("Returns the newest letters.", False),
        ("The latest version of the first letter.", False),
        ("Most recently sent first.", True),
        ("Most recently opened first.", False),
    ],
)
def test_an_order_is_understood(description: str, *, is_order: bool) -> None:
    """The newest or the oldest items come first, in whichever words."""
    subject = subject_of_contract(contract(CONTRACT.format(description=f'"{description}"')))

    assert bool([*described_order_probes(subject)]) is is_order


MEMOS = """\
openapi: 3.1.0
info: {title: Memos, version: "1"}
paths:
  /memos:
    get:
      description: Newest first.
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1, default: 1}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 5, default: 5}}
      responses:
        "200":
          description: Memos.
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Memo'}}}
    post:
      requestBody:
        required: true
        content:
          application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}
      responses:
        "201":
          description: Written.
          content: &memo {application/json: {schema: {$ref: '#/components/schemas/Memo'}}}
  /memos/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: A memo., content: *memo}, "404": {description: None.}}
components:
  schemas:
    Memo:
      type: object
      required: [id, text, writtenAt]
      properties:
        id: {type: integer}
        text: {type: string}
        writtenAt: {type: string, format: date-time}
"""
START = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


class Memos(Server):
    """An ASGI application. Twelve memos are of one moment, and those that come later of later ones."""

    def __init__(self, *, is_newest_first: bool) -> None:
        self.memos = [self.write(number, "A memo.", START) for number in range(1, 13)]
        self.is_newest_first = is_newest_first

    def write(self, number: int, text: str, moment: datetime) -> Thing:
        return {"id": number, "text": text, "writtenAt": moment.isoformat()}

    def respond(self, request: Request, body: bytes) -> Response:
        query, path = request.query_params, request.scope["path"]
        if request.method == "POST":
            number = len(self.memos) + 1
            moment = START + timedelta(seconds=2 * number)
            self.memos.append(self.write(number, json.loads(body)["text"], moment))
            return Response(json.dumps(self.memos[-1]), 201, media_type="application/json")
        if path != "/memos":
            found = [memo for memo in self.memos if path == f"/memos/{memo['id']}"]
            if not found:
                raise Refusal(404)
            return Response(json.dumps(found[0]), media_type="application/json")
        size = int(query.get("size", "5"))
        start = (int(query.get("page", "1")) - 1) * size
        memos = self.memos[::-1] if self.is_newest_first else self.memos
        return Response(json.dumps(memos[start : start + size]), media_type="application/json")


@pytest.mark.parametrize("is_newest_first", [True, False])
def test_an_order_is_compared_on_all_pages(*, is_newest_first: bool, tmp_path: Path) -> None:
    """A new item of a long list that is in the wrong order is on the last page."""
    path = tmp_path / "memos.yaml"
    path.write_text(MEMOS, encoding="utf-8")

    titles = titles_for_contract(sorting.FAMILY, Memos(is_newest_first=is_newest_first), path)

    assert titles == (set() if is_newest_first else {"GET /memos: a list is not newest first"})


@pytest.mark.parametrize("is_newest_first", [True, False])
def test_items_without_addresses_are_created_too(*, is_newest_first: bool, tmp_path: Path) -> None:
    """The list of a hotel's reviews is enough to know their order."""
    path = tmp_path / "memos.yaml"
    head, rest = MEMOS.split("  /memos/{id}:")
    path.write_text(f"{head}components:{rest.partition('components:')[2]}", encoding="utf-8")

    titles = titles_for_contract(sorting.FAMILY, Memos(is_newest_first=is_newest_first), path)

    assert titles == (set() if is_newest_first else {"GET /memos: a list is not newest first"})


LEAVES = """\
openapi: 3.1.0
info: {title: Leaves, version: "1"}
paths:
  /leaves:
    get:
      description: Ordered by `starts_on`, the latest first.
      responses:
        "200": {description: Leaves., content: {application/json: {schema: {type: array, items:
          {type: object, required: [id, starts_on, created_at], properties: {id: {type: integer},
          starts_on: {type: string, format: date}, created_at: {type: string, format: date-time}}}}}}}
"""


class Leaves(Server):
    """An ASGI application. Leaves of later days were asked for earlier."""

    def __init__(self, days: tuple[int, ...]) -> None:
        self.leaves = [
            {"id": day, "starts_on": f"2026-12-{day:02}", "created_at": f"2026-11-{30 - day:02}T09:00:00Z"}
            for day in days
        ]

    def respond(self, request: Request, body: bytes) -> Response:  # noqa: ARG002 - the same for all
        return Response(json.dumps(self.leaves), media_type="application/json")


@pytest.mark.parametrize(("days", "is_right"), [((9, 5, 2), True), ((2, 5, 9), False)])
def test_an_order_by_days_is_compared(days: tuple[int, ...], *, is_right: bool, tmp_path: Path) -> None:
    """The member that the sentence quotes counts, and no other time."""
    path = tmp_path / "leaves.yaml"
    path.write_text(LEAVES, encoding="utf-8")

    titles = titles_for_contract(sorting.FAMILY, Leaves(days), path)

    assert titles == (set() if is_right else {"GET /leaves: a list is not newest first"})


@pytest.mark.parametrize(("day", "is_compared"), [("date", True), ("birthday", False)])
def test_a_day_alone_counts_if_it_is_that_of_the_item(day: str, *, is_compared: bool, tmp_path: Path) -> None:
    """A list of people who joined lately is in no order of their birthdays."""
    path = tmp_path / "leaves.yaml"
    text = LEAVES.replace("by `starts_on`, the latest first", "the newest first").replace("starts_on", day)
    path.write_text(text.replace(", created_at: {type: string, format: date-time}", ""), encoding="utf-8")
    leaves = Leaves((2, 5, 9))
    leaves.leaves = [{"id": leave["id"], day: leave["starts_on"]} for leave in leaves.leaves]

    titles = titles_for_contract(sorting.FAMILY, leaves, path)

    assert titles == ({"GET /leaves: a list is not newest first"} if is_compared else set())
