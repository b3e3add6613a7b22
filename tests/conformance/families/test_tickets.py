# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of members that only the server sets."""

from dataclasses import replace
from typing import Any

import pytest
import yaml
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import read_only_members, updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.http import preconditions, repeat_reads
from devportal.conformance.families.responses import links
from devportal.conformance.family import Family
from devportal.conformance.knowledge.requests.conditions import needs_condition
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.server import Refusal, Thing
from tests.conformance.families.servers.tickets import CONTRACT, OF_CLIENTS, Tickets
from tests.conformance.running import subject_of
from tests.reference.reading import api_from

FAMILIES = (deleted_resources, links, preconditions, read_only_members, repeat_reads, updated_resources)


def titles(family: Family, app: Tickets) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    log = run_family(family, app, replace(subject_of(CONTRACT), parties=EVERYONE))
    failures = [failure for failure in log.failures if failure.check == family.name]
    assert all(failure.fails for failure in failures), failures
    return {f"{failure.operation}: {failure.title}" for failure in failures}


class StoresAllMembers(Tickets):
    def open(self, data: Thing) -> Thing:
        return self.add({**self.new(), **data})


class StoresOne(Tickets):
    name = "views"

    def open(self, data: Thing) -> Thing:
        taken = {self.name: data[self.name]} if self.name in data else {}
        return self.add({**self.new(), **self.client_members(data), **taken})


class StoresIds(StoresOne):
    name = "id"


class StoresStates(StoresOne):
    name = "state"


class StoresFlags(StoresOne):
    name = "is_paid"


class StoresTimes(StoresOne):
    name = "opened_at"


class StoresInnerMembers(Tickets):
    def client_members(self, data: Thing) -> Thing:
        return {**super().client_members(data), **({"sender": data["sender"]} if "sender" in data else {})}


class RejectsIdsOnly(StoresOne):
    def open(self, data: Thing) -> Thing:
        if "id" in data:
            raise Refusal(400)
        return super().open(data)


class ChangesAllMembers(Tickets):
    def change(self, ticket: Thing, data: Thing) -> Thing:
        ticket.update({**data, "id": ticket["id"]})
        return ticket


class FailsOnViews(Tickets):
    def open(self, data: Thing) -> Thing:
        if "views" in data:
            raise Refusal(500)
        return super().open(data)


class NeedsNoTag(Tickets):
    def check_version(self, key: str, tag: str | None) -> None:
        super().check_version(key, tag or "*")


class LinksNowhere(Tickets):
    def links(self, key: str) -> Thing:
        return {"self": {"href": f"/items/{key}"}}


class PagesNowhere(Tickets):
    def page_address(self, number: int, limit: int) -> str:
        return f"/v1/tickets?page={number}&limit={limit}"


class PagesBeforeTheFirst(Tickets):
    def page(self, number: int, limit: int) -> Thing:
        if number < 1:
            raise Refusal(400)
        page = super().page(number, limit)
        return {**page, "links": {**page["links"], "prev": self.page_address(number - 1, limit)}}


class FailsOnLaterPages(Tickets):
    def page(self, number: int, limit: int) -> Thing:
        if limit > 2:
            raise Refusal(500)
        return super().page(number, limit)

    def page_address(self, number: int, limit: int) -> str:
        return super().page_address(number, limit + 1)


class LinksElsewhere(Tickets):
    """Links to another host, by a template, and to an address below the base URL."""

    def links(self, key: str) -> Thing:
        return {
            "self": {"href": f"https://other.example/tickets/{key}"},
            "up": {"href": "/nothing/{name}", "templated": True},
            "collection": [{"href": "/tickets"}],
        }


class TagsIds(Tickets):
    def tag(self, key: str) -> str:
        return f'"{key}"'


class BringsBack(Tickets):
    """Changes what was deleted, and shows it."""

    def __init__(self) -> None:
        super().__init__()
        self.deleted: dict[str, Thing] = {}
        self.is_change = False

    def call(self, request: Request, data: Any) -> Response:
        self.is_change = request.method in ("PUT", "PATCH")
        if request.method == "DELETE":
            key = request.url.path.rpartition("/")[2]
            self.deleted[key] = self.tickets.get(key, {})
        return super().call(request, data)

    def find(self, key: str) -> Thing:
        return self.deleted[key] if self.is_change and key in self.deleted else super().find(key)


class PinsComments(Tickets):
    def comment(self, data: Thing) -> Thing:
        return {**super().comment(data), **data}


class RewritesComments(Tickets):
    def comment(self, data: Thing) -> Thing:
        return {**super().comment(data), "text": "something else"}


class KeepsNotes(Tickets):
    def patch(self, ticket: Thing, data: Thing) -> Thing:
        return super().patch(ticket, {name: value for name, value in data.items() if value is not None})


class RejectsThem(Tickets):
    """Rejects what only it sets, as it may."""

    def client_members(self, data: Thing) -> Thing:
        if data.keys() - set(OF_CLIENTS):
            raise Refusal(400)
        return super().client_members(data)


class MovesStates(Tickets):
    """Moves the state and counts views with each reading, as it may under a weak tag."""

    def tag(self, key: str) -> str:
        return f"W/{super().tag(key)}"

    def find(self, key: str) -> Thing:
        found = super().find(key)
        found["views"] += 1
        found["state"] = "held"
        return found


class TurnsFlags(Tickets):
    """Sets a flag with each change, as it may."""

    def change(self, ticket: Thing, data: Thing) -> Thing:
        changed = super().change(ticket, data)
        changed["is_paid"] = self.versions[ticket["id"]] > 2
        return changed


def test_lists_of_identifiers_name_existing_resources() -> None:
    """Boards of tickets can be created: their tickets exist."""
    log = run_family(stored_resources.FAMILY, Tickets(), replace(subject_of(CONTRACT), parties=EVERYONE))

    statuses = {exchange.status for exchange in log.exchanges if exchange.operation == "POST /boards"}
    assert 201 in statuses


class RefusesOtherwise(Tickets):
    """Rejects what has no tag with another status, which the other checks report."""

    def without_tag(self) -> int:
        return 400


@pytest.mark.parametrize(
    ("words", "is_needed"),
    [
        ("The request has no `If-Match`.", True),
        ("Precondition Required", True),
        ("If the header If-Match is missing.", True),
        ("`If-Match` is required.", True),
        ("If the ticket is held and has no tag.", False),
        ("May be sent if `If-Match` is missing.", False),
        ("Only for tickets that are held.", False),
    ],
)
def test_the_words_of_428_say_whether_each_change_needs_a_tag(words: str, is_needed: object) -> None:
    """A condition other than the lack of a tag limits 428 to some requests."""
    text = CONTRACT.read_text(encoding="utf-8").replace("The request has no `If-Match`.", repr(words))
    operations = api_from(yaml.safe_load(text)).operations
    operation = next(operation for operation in operations if operation.method == "PUT")

    assert needs_condition(operation) == is_needed


CREATION, CHANGE = "POST /tickets", "PUT /tickets/{ticketId}"
DEAD = "a link in the response leads nowhere"
SET = "a client sets members that are read-only"


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (links, LinksNowhere, f"GET /tickets/{{ticketId}}: {DEAD}"),
        (links, PagesNowhere, f"GET /tickets: {DEAD}"),
        (links, PagesBeforeTheFirst, f"GET /tickets: {DEAD}"),
        (links, FailsOnLaterPages, f"GET /tickets: {DEAD}"),
        (preconditions, NeedsNoTag, f"{CHANGE}: a change without a condition is accepted"),
        (
            preconditions,
            NeedsNoTag,
            "DELETE /tickets/{ticketId}: a change without a condition is accepted",
        ),
        (
            updated_resources,
            KeepsNotes,
            "PATCH /tickets/{ticketId}: null in a patch does not take the value away",
        ),
        (deleted_resources, BringsBack, f"{CHANGE}: what was deleted can be changed"),
        (read_only_members, PinsComments, f"POST /tickets/{{ticketId}}/comments: {SET}"),
        (
            stored_resources,
            RewritesComments,
            "POST /tickets/{ticketId}/comments: members of a creation are replaced",
        ),
        (repeat_reads, TagsIds, "GET /tickets/{ticketId}: one tag for two versions"),
        (read_only_members, StoresAllMembers, f"{CREATION}: {SET}"),
        (read_only_members, StoresOne, f"{CREATION}: {SET}"),
        (read_only_members, StoresIds, f"{CREATION}: {SET}"),
        (read_only_members, StoresStates, f"{CREATION}: {SET}"),
        (read_only_members, StoresFlags, f"{CREATION}: {SET}"),
        (read_only_members, StoresTimes, f"{CREATION}: {SET}"),
        (read_only_members, StoresInnerMembers, f"{CREATION}: {SET}"),
        (read_only_members, RejectsIdsOnly, f"{CREATION}: {SET}"),
        (read_only_members, ChangesAllMembers, f"{CHANGE}: {SET}"),
        (read_only_members, FailsOnViews, f"{CREATION}: members that are read-only cause a server error"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Tickets], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in titles(family.FAMILY, app())


@pytest.mark.parametrize(
    "app", [Tickets, LinksElsewhere, RefusesOtherwise, RejectsThem, MovesStates, TurnsFlags]
)
@pytest.mark.parametrize("family", FAMILIES)
def test_right_servers_are_not_accused(family: Any, app: type[Tickets]) -> None:
    """Right servers keep the promises of every family: they ignore what only they set, reject it, or set it."""
    assert titles(family.FAMILY, app()) == set()
