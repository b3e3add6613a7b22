# ruff: noqa: D102, ARG002, ARG005 - what stands in for a deployment takes more than it needs
"""Walks through lists whose next page is told in different ways."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.knowledge.paging import (
    ListTarget,
    first_request,
    item_keys,
    read_filled_list,
    walk_pages,
    with_query,
)
from devportal.contract import Operation
from devportal.contract.resources import find_listings
from tests.conformance.families.lending import library
from tests.conformance.running import SendInOrder
from tests.conformance.values import exchange
from tests.contract.inline import contract

SUBJECT = library()
BOOKS = next(listing for listing in SUBJECT.listings if listing.operation.id == "listBooks")
WAY = ListTarget(subject=SUBJECT, listing=BOOKS, key=("id",))
ITEMS = [{"id": name} for name in "abcde"]


class Pages(SendInOrder):
    """A deployment that answers the two items after one, and as the next page what `told` makes of it."""

    def __init__(self, member: str, parameter: str = "cursor", told: Any = None) -> None:
        self.member, self.parameter, self.told = member, parameter, told
        self.asked: list[str] = []

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        self.asked.append(request.url)
        after = dict(parse_qsl(urlsplit(request.url).query)).get(self.parameter, "")
        shown = [item for item in ITEMS if item["id"] > after][:2]
        more = bool(shown) and shown[-1] != ITEMS[-1]
        body = {"data": shown, self.member: self.told(request, shown[-1]["id"]) if more else None}
        return replace(exchange(200, body), request=request)


@pytest.mark.parametrize(
    "told",
    [
        lambda request, last: last,
        lambda request, last: with_query(request, {"cursor": last}).url,
        lambda request, last: f"?cursor={last}",
        lambda request, last: f"https://elsewhere.example{urlsplit(request.url).path}?cursor={last}",
        lambda request, last: True,
    ],
    ids=["cursor", "address", "query", "address of another name", "more"],
)
def test_the_next_page_is_found_however_it_is_told(told: Any) -> None:
    """By a cursor, by addresses of several forms, or by the last item where there is said to be more."""
    pages = Pages("next_cursor", told=told)

    seen = walk_pages(WAY, pages, first_request(WAY))

    assert list(item_keys(seen.items, ("id",))) == list("abcde")
    assert seen.is_complete
    assert all(text.startswith(SUBJECT.base_url) for text in pages.asked)


def test_the_next_page_is_found_in_a_list_of_links() -> None:
    """Documents of GeoJSON have them beside their items; the last page has none to another."""

    def links(request: Request, last: str) -> list[dict[str, str]]:
        following = with_query(request, {"cursor": last}).url
        return [{"rel": "self", "href": request.url}, {"rel": "next", "href": following}]

    seen = walk_pages(WAY, Pages("links", told=links), first_request(WAY))

    assert [*item_keys(seen.items, ("id",))] == [*"abcde"]
    assert seen.is_complete


def test_other_servers_are_not_asked() -> None:
    """An address that leads elsewhere ends the walk: credentials are not for others."""
    pages = Pages("next_cursor", told=lambda *_: "https://elsewhere.example/other")

    assert len(walk_pages(WAY, pages, first_request(WAY)).pages) == 1
    assert len(pages.asked) == 1


def test_a_page_that_leads_to_itself_ends_the_walk() -> None:
    """A circle is seen as one, and not walked for ever."""
    seen = walk_pages(WAY, Pages("next_cursor", told=lambda *_: "a"), first_request(WAY))

    assert seen.has_loop
    assert not seen.is_complete


def test_a_refusal_is_no_list() -> None:
    """Where the first page is none, there is nothing to walk."""
    with pytest.raises(Unsendable):
        walk_pages(WAY, Refusing("next_cursor"), first_request(WAY))


class Refusing(Pages):
    """A deployment that shows nothing."""

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        return replace(exchange(), answer=HttpResponse(status=403))


def test_half_of_a_surrogate_pair_cannot_be_sent() -> None:
    """A filter by a text that the deployment stored: the run goes on without it."""
    with pytest.raises(Unsendable, match="half of a surrogate pair"):
        with_query(Request(method="GET", url="http://127.0.0.1/pets?limit=1"), {"name": "\ud800"})


class Whole(Pages):
    """A deployment that shows all items on one page."""

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        self.asked.append(request.url)
        return replace(exchange(200, {"data": ITEMS, self.member: None}), request=request)


def test_a_list_with_enough_items_on_one_page_is_read_once() -> None:
    """The page that shows that it has enough is the whole list."""
    app = Whole("next_cursor")

    walk = read_filled_list(WAY, app)

    assert (walk.is_complete, walk.items, len(app.asked)) == (True, tuple(ITEMS), 1)


ROWS = """\
paths:
  /rows:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: PARAMETER, in: query, required: true, schema: {type: integer, example: 7}}
      responses:
        '200':
          description: Rows
          content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}
"""


@pytest.mark.parametrize(("parameter", "first"), [("offset", "0"), ("page", "1")])
def test_a_list_begins_where_its_example_does_not(parameter: str, first: str) -> None:
    """A number of the page that is required is that of the first one."""
    subject = replace(SUBJECT, contract=contract(ROWS.replace("PARAMETER", parameter)))
    (listing,) = find_listings(subject.api, subject.conventions)

    request = first_request(ListTarget(subject=subject, listing=listing), size=2)

    assert dict(parse_qsl(urlsplit(request.url).query)) == {parameter: first, "limit": "2"}
