# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Links of pages that can be read by an offset too."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.paging import pagination
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.server import Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Stamps, version: "1"}
paths:
  /stamps:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 10}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}
      responses:
        "200":
          description: Some stamps.
          headers:
            Link: {description: DESCRIPTION, schema: {type: string}}
          content:
            application/json:
              schema: {type: array, items: {type: object, properties: {id: {type: string}, motif: {type: string}}}}
"""
PROMISE = "Has `next` and `prev`, each only if there is such a page."


class Stamps(Server):
    """Each method is a promise; a faulty server overrides one."""

    stamps: tuple[Thing, ...] = tuple({"id": f"s{number}", "motif": "Bear"} for number in range(10))

    def respond(self, request: Request, body: bytes) -> Response:
        limit, offset = (
            int(request.query_params.get(name, value)) for name, value in self.defaults().items()
        )
        shown = self.stamps[offset : offset + limit]
        has_next = self.has_next(offset + limit, shown)
        headers = {"Link": f'<{self.next_address(limit, offset + limit)}>; rel="next"'} if has_next else {}
        return Response(json.dumps(shown), 200, headers, "application/json")

    def defaults(self) -> dict[str, str]:
        return {"limit": "10", "offset": "0"}

    def has_next(self, end: int, shown: tuple[Thing, ...]) -> bool:
        return end < len(self.stamps)

    def next_address(self, limit: int, offset: int) -> str:
        return f"/stamps?limit={limit}&offset={offset}"


class NeverLinks(Stamps):
    def has_next(self, end: int, shown: tuple[Thing, ...]) -> bool:
        return False


class LinksFromTheLastPage(Stamps):
    def has_next(self, end: int, shown: tuple[Thing, ...]) -> bool:
        return bool(shown)


class DropsTheLimit(Stamps):
    def next_address(self, limit: int, offset: int) -> str:
        return f"/stamps?offset={offset}"


class IgnoresTheLimit(DropsTheLimit):
    def defaults(self) -> dict[str, str]:
        return {"size": "4", "offset": "0"}


def titles(app: Stamps, folder: Path, description: str = PROMISE) -> set[str]:
    """Return the titles of what is wrong with the pages of a server."""
    path = folder / "stamps.yaml"
    path.write_text(CONTRACT.replace("DESCRIPTION", json.dumps(description)), encoding="utf-8")
    return {failure.title for failure in run_family(pagination.FAMILY, app, subject_of(path)).failures}


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (NeverLinks, "a page has no link to the next one"),
        (LinksFromTheLastPage, "the last page leads to another one"),
        (DropsTheLimit, "the link to the next page drops the query"),
        (IgnoresTheLimit, "a page holds more items than were asked for"),
    ],
)
def test_each_wrong_server_is_found(app: type[Stamps], title: str, tmp_path: Path) -> None:
    """The header has what its description promises."""
    assert titles(app(), tmp_path) == {title}


def test_the_right_server_is_not_accused(tmp_path: Path) -> None:
    """Only the last page has no link."""
    assert titles(Stamps(), tmp_path) == set()


@pytest.mark.parametrize("app", [NeverLinks, LinksFromTheLastPage])
def test_without_a_promise_links_are_free(app: type[Stamps], tmp_path: Path) -> None:
    """A header may be left out, and an empty page may end a list."""
    assert titles(app(), tmp_path, "Other pages.") == set()
