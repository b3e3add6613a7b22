# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `tickets.yaml`, with seams at which tests break its promises."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = Path(__file__).parent / "tickets.yaml"
OF_CLIENTS = ("title", "note", "sender")


class Tickets(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.tickets: dict[str, Thing] = {}
        self.versions: dict[str, int] = {}
        self.boards: dict[str, Thing] = {}
        self.comments: dict[str, Thing] = {}
        self.moment = datetime(2026, 11, 27, 12, tzinfo=UTC)

    def respond(self, request: Request, body: bytes) -> Response:
        if request.headers.get("authorization", "") not in (f"Bearer {MAIN}", f"Bearer {OTHER}"):
            raise Refusal(401)
        return self.call(request, json.loads(body) if body else None)

    def call(self, request: Request, data: Any) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "tickets":
                return self.show(self.open(data), 201)
            case "GET", "tickets":
                page, limit = (int(request.query_params.get(name, default)) for name, default in PAGE)
                return self.json(self.page(page, limit))
            case "GET", "tickets", key:
                return self.show(self.find(key))
            case "PUT", "tickets", key:
                ticket = self.find(key)
                self.check_version(key, request.headers.get("if-match"))
                self.versions[key] += 1
                return self.show(self.change(ticket, data))
            case "PATCH", "tickets", key:
                ticket = self.find(key)
                self.check_version(key, request.headers.get("if-match"))
                self.versions[key] += 1
                return self.show(self.patch(ticket, data))
            case "DELETE", "tickets", key:
                self.find(key)
                self.check_version(key, request.headers.get("if-match"))
                del self.tickets[key]
                return Response(status_code=204)
        return self.respond_beside(request, data)

    def respond_beside(self, request: Request, data: Any) -> Response:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "tickets", key, "comments":
                self.find(key)
                comment = {"id": str(uuid.uuid4()), **self.comment(data)}
                self.comments[comment["id"]] = comment
                return self.json(comment, 201)
            case "GET", "comments", key if key in self.comments:
                return self.json(self.comments[key])
            case "POST", "boards":
                self.check_tickets(data["ticket_ids"])
                board = {"id": str(uuid.uuid4()), "name": data["name"], "ticket_ids": data["ticket_ids"]}
                self.boards[board["id"]] = board
                return self.json(board, 201)
            case "GET", "boards", key if key in self.boards:
                return self.json(self.boards[key])
        raise Refusal(404)

    def json(self, body: Any, status: int = 200, **headers: str) -> Response:
        return Response(json.dumps(body), status, media_type="application/json", headers=headers)

    def show(self, ticket: Thing, status: int = 200) -> Response:
        shown = {**ticket, "_links": self.links(ticket["id"])}
        return self.json(shown, status, ETag=self.tag(ticket["id"]))

    def tag(self, key: str) -> str:
        return f'"{self.versions[key]}"'

    def links(self, key: str) -> Thing:
        return {"self": {"href": f"/tickets/{key}"}, "close": {"href": f"/tickets/{key}/closing"}}

    def now(self) -> str:
        self.moment += timedelta(seconds=2)
        return self.moment.isoformat().replace("+00:00", "Z")

    def find(self, key: str) -> Thing:
        if key not in self.tickets:
            raise Refusal(404)
        return self.tickets[key]

    def check_version(self, key: str, tag: str | None) -> None:
        if tag is None:
            raise Refusal(self.without_tag())
        if tag not in ("*", self.tag(key)):
            raise Refusal(412)

    def without_tag(self) -> int:
        return 428

    def check_tickets(self, keys: list[str]) -> None:
        if any(key not in self.tickets for key in keys):
            raise Refusal(422)

    def client_members(self, data: Thing) -> Thing:
        """Return what a client may set."""
        if not data.get("title"):
            raise Refusal(400)
        members = {name: data[name] for name in OF_CLIENTS if name in data}
        if isinstance(members.get("sender"), dict):
            members["sender"] = {"name": members["sender"]["name"], "rank": "guest"}
        return members

    def new(self) -> Thing:
        key = str(uuid.uuid4())
        return {"id": key, "state": "open", "is_paid": False, "opened_at": self.now(), "views": 0}

    def open(self, data: Thing) -> Thing:
        return self.add({**self.new(), **self.client_members(data)})

    def add(self, ticket: Thing) -> Thing:
        self.tickets[ticket["id"]] = ticket
        self.versions[ticket["id"]] = 1
        return ticket

    def change(self, ticket: Thing, data: Thing) -> Thing:
        allowed = self.client_members(data)
        for name in OF_CLIENTS:
            ticket.pop(name, None)
        ticket.update(allowed)
        return ticket

    def comment(self, data: Thing) -> Thing:
        return {"text": data["text"], "is_pinned": False}

    def patch(self, ticket: Thing, data: Thing) -> Thing:
        ticket.update({name: data[name] for name in ("title", "note") if name in data})
        if ticket.get("note", "") is None:
            self.remove_note(ticket)
        return ticket

    def remove_note(self, ticket: Thing) -> None:
        del ticket["note"]

    def page(self, number: int, limit: int) -> Thing:
        items = [*self.tickets.values()]
        end = number * limit
        return {
            "items": items[end - limit : end],
            "links": {
                "self": self.page_address(number, limit),
                "next": self.page_address(number + 1, limit) if end < len(items) else None,
                "prev": self.page_address(number - 1, limit) if number > 1 else None,
            },
        }

    def page_address(self, number: int, limit: int) -> str:
        return f"/tickets?page={number}&limit={limit}"


PAGE = (("page", "1"), ("limit", "2"))
