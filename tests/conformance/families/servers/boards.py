# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `boards.yaml`, with seams at which tests break its promises."""

import json
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import (
    Refusal,
    Server,
    Thing,
    read_object,
    request_schemas,
)
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "boards.yaml"


class Boards(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.boards: dict[tuple[str, str], Thing] = {}
        self.cards: dict[tuple[str, str], dict[int, Thing]] = {}
        self.stamps: dict[tuple[str, str, str], Thing] = {}
        self.subject = subject_of(CONTRACT)
        self.schemas = request_schemas(self.subject)

    def respond(self, request: Request, body: bytes) -> Response:
        account = request.headers.get("authorization", "").removeprefix("Bearer ")
        if account not in (MAIN, OTHER):
            raise Refusal(401)
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "boards":
                return self.show(self.create(account, self.read("createBoard", body)), 201)
            case method, "boards", slug, *rest if (account, slug) in self.boards:
                return self.respond_below(method, (account, slug), rest, body)
        raise Refusal(404)

    def respond_below(self, method: str, key: tuple[str, str], rest: list[str], body: bytes) -> Response:
        match (method, *rest):
            case ("GET",):
                return self.show(self.boards[key])
            case "POST", "archive":
                self.boards[key]["archived"] = True
                return self.show(self.boards[key])
            case "POST", "cards":
                return self.show(self.add_card(key, self.read("addCard", body)), 201)
            case "GET", "cards", number if number.isdigit() and int(number) in self.cards[key]:
                return self.show(self.card(self.cards[key][int(number)]))
            case "GET", "stamps", name if (*key, name) in self.stamps:
                return self.show(self.stamps[*key, name])
            case "PUT", "stamps", name if re.fullmatch("[a-z]{2,12}", name):
                is_new = (*key, name) not in self.stamps
                self.stamps[*key, name] = self.stamp(self.read("putStamp", body))
                return self.show(self.stamps[*key, name], self.put_status(is_new=is_new))
        raise Refusal(404)

    def refuse(self, status: int) -> Response:
        return Response(None, status)

    def show(self, shown: Thing, status: int = 200) -> Response:
        return Response(json.dumps(shown), status, media_type="application/json")

    def read(self, name: str, body: bytes) -> Thing:
        return read_object(self.subject, self.schemas[name], body)

    def create(self, account: str, data: Thing) -> Thing:
        self.check_slug(account, data["slug"])
        self.boards[account, data["slug"]] = {**data, "archived": False}
        self.cards[account, data["slug"]] = {}
        return self.boards[account, data["slug"]]

    def check_slug(self, account: str, slug: str) -> None:
        if (account, slug) in self.boards:
            raise Refusal(409)

    def add_card(self, key: tuple[str, str], data: Thing) -> Thing:
        if self.boards[key]["archived"]:
            raise Refusal(409)
        if data.get("reply_to", 0) not in {0, *self.cards[key]}:
            raise Refusal(400)
        number = 1000 + len(self.cards[key])
        self.cards[key][number] = {"id": number, **data}
        return self.cards[key][number]

    def card(self, card: Thing) -> Thing:
        return card

    def stamp(self, stamp: Thing) -> Thing:
        return stamp

    def put_status(self, *, is_new: bool) -> int:
        return 201 if is_new else 200
