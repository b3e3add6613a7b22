# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""The good server of `boxes.yaml`, with seams at which tests break its promises."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

CONTRACT = Path(__file__).parent / "boxes.yaml"
MAIN, OTHER = "boxes-main-secret-5521", "boxes-other-secret-8836"
READER, EXPIRED = "boxes-reader-secret-1409", "boxes-expired-secret-7720"
ALL = ("boxes:read", "boxes:write")
PAGE = 20
Thing = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks: an account and what it may do."""

    account: str
    scopes: tuple[str, ...] = ALL


class Refusal(Exception):
    """An answer that is a problem document."""

    def __init__(self, status: int, title: str, **headers: str) -> None:
        super().__init__(title)
        self.status, self.title, self.headers = status, title, headers


@dataclass
class Boxes:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    boxes: dict[tuple[str, str], Thing] = field(default_factory=dict)
    moves: list[tuple[str, Thing]] = field(default_factory=list)
    kept: dict[tuple[str, str], Thing] = field(default_factory=dict)
    made: int = 0
    tokens: dict[str, Caller] = field(
        default_factory=lambda: {
            MAIN: Caller(account="main"),
            OTHER: Caller(account="other"),
            READER: Caller(account="main", scopes=("boxes:read",)),
        }
    )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = self.answer(request, await request.body())
        except Refusal as refusal:
            body = {"title": refusal.title, "status": refusal.status}
            response = self.json(body, refusal.status, "application/problem+json")
            response.headers.update({name.replace("_", "-"): text for name, text in refusal.headers.items()})
        self.stamp(request, response)
        await response(scope, receive, send)

    def stamp(self, request: Request, response: Response) -> None:
        return

    def answer(self, request: Request, body: bytes) -> Response:
        if request.url.path == "/v1/sizes" and request.method == "GET":
            return self.json(["small", "large"])
        for method, pattern, scope, handler in ROUTES:
            found = re.fullmatch(pattern, request.url.path)
            if found and request.method == method:
                caller = self.caller(request)
                self.permit(caller, scope, request)
                return handler(self, request, caller, body, *found.groups())
        raise Refusal(404, "there is nothing here")

    def caller(self, request: Request) -> Caller:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        caller = self.tokens.get(token.strip()) if scheme.lower() == "bearer" else None
        if caller is None:
            raise Refusal(401, "who are you?", WWW_Authenticate="Bearer")
        return caller

    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        if scope not in caller.scopes:
            raise Refusal(403, "you may not", WWW_Authenticate='Bearer error="insufficient_scope"')

    def find(self, caller: Caller, key: str) -> Thing:
        box = self.boxes.get((caller.account, key))
        if box is None:
            raise Refusal(404, "there is no such box")
        return box

    def visible(self, caller: Caller) -> list[Thing]:
        return [box for (account, _), box in self.boxes.items() if account == caller.account][::-1]

    def parse(self, body: bytes) -> Thing:
        try:
            data = json.loads(body)
        except ValueError as error:
            raise Refusal(400, "that is not JSON") from error
        if not isinstance(data, dict):
            raise Refusal(422, "that is no object")
        return data

    def valid(self, data: Thing) -> Thing:
        if not isinstance(data.get("name"), str) or data.get("size", "small") not in ("small", "large"):
            raise Refusal(422, "that is no box")
        return {"size": "small", **data}

    def new_id(self, caller: Caller) -> str:
        self.made += 1
        return f"box_{self.made * 7919:012d}"

    def stored_for_key(self, caller: Caller, key: str) -> Thing | None:
        return self.kept.get((caller.account, key))

    def make(self, request: Request, caller: Caller, body: bytes) -> Response:
        data = self.valid(self.parse(body))
        key = request.headers.get("idempotency-key", "")
        if key and (before := self.stored_for_key(caller, key)):
            return self.json(before, 201)
        box = {"id": self.new_id(caller), **data, "state": "open"}
        self.boxes[caller.account, box["id"]] = box
        self.kept[caller.account, key] = box
        move = {"id": f"move_{self.made * 6133:012d}", "box_id": box["id"], "what": "made"}
        self.moves.insert(0, (caller.account, move))
        return self.json(box, 201)

    def page(self, request: Request, caller: Caller, body: bytes) -> Response:
        wanted = request.query_params.get("box_id", "")
        found = [item for item in self.visible(caller) if wanted in ("", item["id"])]
        start = self.start(caller, request.query_params.get("cursor", ""))
        end = start + min(int(request.query_params.get("limit", PAGE)), PAGE)
        following = f"{caller.account}.{end}" if end < len(found) else None
        return self.json({"data": found[start:end], "next_cursor": following})

    def start(self, caller: Caller, cursor: str) -> int:
        account, _, number = cursor.partition(".")
        if cursor and account != caller.account:
            raise Refusal(400, "that is not a cursor of yours")
        return int(number or 0)

    def read(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        return self.json(self.find(caller, key))

    def change(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        box = self.find(caller, key)
        box.update(self.valid(self.parse(body)))
        return self.json(box)

    def delete(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        self.find(caller, key)
        del self.boxes[caller.account, key]
        return Response(status_code=204)

    def seal(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        box = self.find(caller, key)
        if box["state"] == "sealed":
            raise Refusal(409, "it is sealed")
        box["state"] = "sealed"
        return self.json(box)

    def label(self, request: Request, caller: Caller, body: bytes) -> Response:
        data = self.parse(body)
        if not self.is_known(caller, str(data.get("box_id"))):
            raise Refusal(422, "there is no such box")
        return self.json({"id": "lbl_1", "box_id": data["box_id"], "text": str(data.get("text"))}, 201)

    def is_known(self, caller: Caller, key: str) -> bool:
        return (caller.account, key) in self.boxes

    def log(self, request: Request, caller: Caller, body: bytes) -> Response:
        return self.json({"data": [move for account, move in self.moves if self.may_list(caller, account)]})

    def move(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        for account, move in self.moves:
            if move["id"] == key and self.may_read(caller, account):
                return self.json(move)
        raise Refusal(404, "there is no such move")

    def may_read(self, caller: Caller, account: str) -> bool:
        return caller.account == account

    def may_list(self, caller: Caller, account: str) -> bool:
        return caller.account == account

    def json(self, body: Any, status: int = 200, kind: str = "application/json") -> Response:
        return Response(json.dumps(body), status_code=status, media_type=kind)


ROUTES: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("POST", "/v1/boxes", "boxes:write", lambda app, *rest: app.make(*rest)),
    ("GET", "/v1/boxes", "boxes:read", lambda app, *rest: app.page(*rest)),
    ("GET", "/v1/boxes/([^/]+)", "boxes:read", lambda app, *rest: app.read(*rest)),
    ("PATCH", "/v1/boxes/([^/]+)", "boxes:write", lambda app, *rest: app.change(*rest)),
    ("DELETE", "/v1/boxes/([^/]+)", "boxes:write", lambda app, *rest: app.delete(*rest)),
    ("POST", "/v1/boxes/([^/]+)/seal", "boxes:write", lambda app, *rest: app.seal(*rest)),
    ("POST", "/v1/labels", "boxes:write", lambda app, *rest: app.label(*rest)),
    ("GET", "/v1/moves", "boxes:read", lambda app, *rest: app.log(*rest)),
    ("GET", "/v1/moves/([^/]+)", "boxes:read", lambda app, *rest: app.move(*rest)),
)
