# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Members of pages that say whether more items follow."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.paging import pagination
from tests.conformance.families.asking import run_family, titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}
        - {name: after, in: query, schema: {type: string}}
      responses:
        "200":
          description: A page of notes.
          content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}
        "400": {description: Wrong.}
components:
  schemas:
    Page:
      type: object
      required: [data, paging]
      properties:
        data: {type: array, items: {type: object, required: [id], properties: {id: {type: string}}}}
        paging:
          type: object
          properties:
            has_more: {type: boolean, description: DESCRIPTION}
            is_last: {type: boolean, description: Whether this is the last page.}
            next: {type: [string, 'null'], description: Leads to the next page; null on the last page.}
        authors:
          type: object
          properties:
            names: {type: array, items: {type: string}}
            has_more: {type: boolean, description: Whether there are more authors.}
            is_last: {type: boolean}
"""
COUNT = 12


class Notes(Server):
    """Each method is a promise; a faulty server overrides one."""

    def respond(self, request: Request, body: bytes) -> Response:  # noqa: ARG002
        query = request.query_params
        limit, after = query.get("limit", "50"), query.get("after", "-1")
        if request.scope["path"] != "/notes" or not limit.isdecimal() or not 0 < int(limit) <= 50:
            raise Refusal(400)
        if after != "-1" and not (after.isdecimal() and int(after) < COUNT):
            raise Refusal(400)
        start = int(after) + 1
        items = [{"id": str(number)} for number in range(start, min(start + int(limit), COUNT))]
        is_last = self.is_last(start + int(limit))
        authors = {"names": ["Ada"], "has_more": True, "is_last": True}
        page = {"data": items, "paging": self.paging(items, is_last=is_last), "authors": authors}
        return Response(json.dumps(page), media_type="application/json")

    def is_last(self, end: int) -> bool:
        return end >= COUNT

    def paging(self, items: list[Thing], *, is_last: bool) -> dict[str, Any]:
        end = None if is_last or not items else items[-1]["id"]
        return {"next": end, "has_more": not is_last, "is_last": is_last}


class FindsMoreAtTheEnd(Notes):
    def is_last(self, end: int) -> bool:
        return end > COUNT


class NeverHasMore(Notes):
    def paging(self, items: list[Thing], *, is_last: bool) -> dict[str, Any]:
        return super().paging(items, is_last=is_last) | {"has_more": False}


class IsAlwaysLast(Notes):
    def paging(self, items: list[Thing], *, is_last: bool) -> dict[str, Any]:
        return super().paging(items, is_last=is_last) | {"is_last": True}


class IsNeverLast(Notes):
    def paging(self, items: list[Thing], *, is_last: bool) -> dict[str, Any]:
        return super().paging(items, is_last=is_last) | {"is_last": False}


class LeadsOnFromTheLast(Notes):
    def paging(self, items: list[Thing], *, is_last: bool) -> dict[str, Any]:
        return super().paging(items, is_last=is_last) | {"next": items[-1]["id"] if items else None}


def write_contract(folder: Path, description: str = "Whether there are more notes.") -> Path:
    """Return a contract whose `has_more` has a description."""
    path = folder / "notes.yaml"
    path.write_text(CONTRACT.replace("DESCRIPTION", description), encoding="utf-8")
    return path


LAST_FOLLOWED = "GET /notes: a page that others follow is marked as the last"
MORE_AT_END = "GET /notes: the last page is marked as having more"


@pytest.mark.parametrize(
    ("server", "title"),
    [
        (FindsMoreAtTheEnd, MORE_AT_END),
        (NeverHasMore, LAST_FOLLOWED),
        (IsAlwaysLast, LAST_FOLLOWED),
        (IsNeverLast, MORE_AT_END),
        (LeadsOnFromTheLast, "GET /notes: the last page leads to another one"),
    ],
)
def test_marks_of_pages_must_be_true(server: type[Notes], title: str, tmp_path: Path) -> None:
    """They are compared with the pages that follow."""
    assert title in titles_for_contract(pagination.FAMILY, server(), write_contract(tmp_path))


def test_true_marks_pass(tmp_path: Path) -> None:
    """The last page has none after it, all others have one. Those of another list in the page are not of the page."""
    log = run_family(pagination.FAMILY, Notes(), subject_of(write_contract(tmp_path)))

    assert log.failures == []


def test_an_empty_page_may_follow_if_there_only_may_be_more(tmp_path: Path) -> None:
    """A description with a doubt promises nothing, and an empty page is the last."""
    contract = write_contract(tmp_path, "There may be more notes.")

    class DoubtsTheEnd(Notes):
        def paging(self, items: list[Thing], *, is_last: bool) -> dict[str, Any]:
            is_empty = not items
            shown = super().paging(items, is_last=is_last)
            return shown | {"has_more": not is_empty, "next": items[-1]["id"] if items else None}

    titles = titles_for_contract(pagination.FAMILY, DoubtsTheEnd(), contract)

    assert MORE_AT_END not in titles
