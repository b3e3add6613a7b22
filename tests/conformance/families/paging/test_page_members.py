# ruff: noqa: D102 - servers: their names say what they show, their methods are promises
"""Members beside the items of a page that are named as those that describe it, and mean something else."""

import json

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.paging import pagination
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.server import Server, Thing
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = """\
paths:
  /stamps:
    get:
      parameters:
        - {name: LIMIT, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 10}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}
      responses:
        "200":
          description: Some stamps.
          content:
            application/json:
              schema:
                type: object
                properties:
                  items: {type: array, items: {type: object, properties: {id: {type: string}}}}
"""


class Stamps(Server):
    """Shows members beside the items, by the size of a page and its items."""

    stamps: tuple[Thing, ...] = tuple({"id": f"s{number}"} for number in range(10))

    def __init__(self, limit: str) -> None:
        self.limit = limit

    def respond(self, request: Request, body: bytes) -> Response:  # noqa: ARG002
        size, start = (
            int(request.query_params.get(name, value))
            for name, value in ((self.limit, "10"), ("offset", "0"))
        )
        shown = self.stamps[start : start + size]
        members = {"items": shown, **self.members(size, len(shown))}
        return Response(json.dumps(members), 200, {}, "application/json")

    def members(self, size: int, shown: int) -> Thing:  # noqa: ARG002
        return {self.limit: size}


class CountsAll(Stamps):
    def members(self, size: int, shown: int) -> Thing:  # noqa: ARG002
        return {"count": 10, "numberOfElements": shown}


class HasQuota(Stamps):
    def members(self, size: int, shown: int) -> Thing:  # noqa: ARG002
        return {"quota": {"limit": 5000, "first": True}, "paging": {"limit": size}}


class CallsTheSizeItemsOnPage(Stamps):
    def members(self, size: int, shown: int) -> Thing:  # noqa: ARG002
        return {"itemsOnPage": size}


class ShowsAnotherSize(Stamps):
    def members(self, size: int, shown: int) -> Thing:  # noqa: ARG002
        return {"paging": {"limit": size + 1}}


def titles(app: Stamps) -> set[str]:
    """Return the titles of what is wrong with the pages of a server."""
    subject = subject_of_contract(contract(CONTRACT.replace("LIMIT", app.limit)))
    return {failure.title for failure in run_family(pagination.FAMILY, app, subject).failures}


@pytest.mark.parametrize(
    "app", [Stamps("limit"), CountsAll("count"), HasQuota("limit"), CallsTheSizeItemsOnPage("limit")]
)
def test_members_with_another_meaning_are_not_compared(app: Stamps) -> None:
    """A count may be that of all items, and a limit one of something else."""
    assert titles(app) == set()


def test_the_size_of_another_page_is_found() -> None:
    """Objects with the usual names describe the page."""
    assert titles(ShowsAnotherSize("limit")) == {"'limit' is not that of the page"}
