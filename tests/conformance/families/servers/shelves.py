# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The good server of `shelves.yaml`, with seams at which tests break its promises."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "shelves.yaml"
MEMBERS = {"boards", "colour", "label", "built", "room", "wide", "books"}
Thing = dict[str, Any]


def titles(family: Family, app: "Shelves") -> set[str]:
    """Return the titles of what a family finds wrong with a server, after it has tested something."""
    log = run_family(family, app, subject_of(CONTRACT))
    assert log.tallies
    return {failure.title for failure in log.failures if failure.fails}


class Shelves:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.shelves: dict[str, Thing] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = self.answer(
            request.method, request.url.path, await request.body(), dict(request.query_params)
        )
        await response(scope, receive, send)

    def answer(self, method: str, path: str, body: bytes, query: dict[str, str]) -> Response:
        code = path.removeprefix("/v1/shelves").removeprefix("/")
        if method == "GET" and path == "/v1/shelves":
            return self.json({"shelves": [item for item in self.shown_things() if self.fits(item, query)]})
        if not re.fullmatch("[a-z][a-z0-9-]{1,30}", code) or (method != "PUT" and code not in self.shelves):
            return Response(status_code=404)
        if method == "DELETE":
            self.delete(code)
            return Response(status_code=204)
        if method in ("PUT", "PATCH"):
            members = self.members(body)
            if members is None:
                return Response(status_code=400)
            is_new = code not in self.shelves
            shelf = self.put(code, members) if method == "PUT" else self.change(self.shelves[code], members)
            return self.json({"shelf": shelf}, 201 if is_new else 200)
        return self.json({"shelf": self.read(code)}) if method == "GET" else Response(status_code=405)

    def members(self, body: bytes) -> Thing | None:
        try:
            members = json.loads(body)["shelf"]
        except (ValueError, KeyError, TypeError):
            return None
        is_valid = (
            isinstance(members, dict)
            and members.keys() <= MEMBERS
            and members.get("boards", 1) in range(1, 21)
            and members.get("colour", "red") in ("red", "green")
            and all(isinstance(members.get(name, ""), str) for name in ("label", "built", "room"))
            and all(re.fullmatch("[0-9]+[.][0-9]{2}", book["price"]) for book in members.get("books", ()))
        )
        return members if is_valid else None

    def shown_things(self) -> list[Thing]:
        return list(self.shelves.values())

    def fits(self, shelf: Thing, query: dict[str, str]) -> bool:
        boards = shelf.get("boards", 0)
        return (
            int(query.get("min_boards", 0)) <= boards <= int(query.get("max_boards", 99))
            and query.get("built_from", "") <= shelf.get("built", "")
            and query.get("room", shelf.get("room")) == shelf.get("room")
        )

    def read(self, code: str) -> Thing:
        return self.shelves[code]

    def put(self, code: str, members: Thing) -> Thing:
        created = self.shelves.get(code, {"created_at": self.now()})["created_at"]
        self.shelves[code] = {**members, "code": code, "created_at": created}
        return self.shelves[code]

    def change(self, shelf: Thing, members: Thing) -> Thing:
        shelf.update(members)
        return shelf

    def delete(self, code: str) -> None:
        del self.shelves[code]

    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="microseconds")

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status_code=status, media_type="application/json")
