# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""The good server of `visits.yaml`, with seams at which tests break its promises.

It is right about what it stores, and validates nothing.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "visits.yaml"
STATES = ("waiting", "admitted", "discharged")
Thing = dict[str, Any]


class Refusal(Exception):
    """A rejection."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Visits:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.visits: dict[int, Thing] = {}
        self.versions: dict[int, int] = {}
        self.keys: dict[tuple[str, str], tuple[bytes, Response]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = self.answer(request, await request.body())
        except Refusal as refusal:
            response = self.json({"error": refusal.reason}, refusal.status)
        await response(scope, receive, send)

    def answer(self, request: Request, body: bytes) -> Response:
        match [request.method, *request.url.path.strip("/").split("/")[2:]]:
            case ["POST"]:
                return self.run_once(request, body, lambda: self.add(self.parse_body(body)))
            case ["GET"]:
                return self.page(request)
            case ["GET", key]:
                visit = self.find(key)
                return self.json({"data": self.visit_json(visit)}, 200, {"ETag": self.tag(visit)})
            case ["PATCH", key]:
                visit = self.find(key)
                self.check_version(request, visit)
                return self.json({"data": self.change(visit, self.parse_body(body))}, 200)
            case ["POST", key, "admit"]:
                return self.run_once(request, body, lambda: self.act(self.find(key), "admitted"))
            case ["POST", key, "end"]:
                return self.run_once(request, body, lambda: self.act(self.find(key), "discharged"))
        raise Refusal(404, "there is nothing here")

    def parse_body(self, body: bytes) -> Thing:
        data: Thing = json.loads(body)
        if "due" in data:
            data["due"] = self.instant(data["due"])
        return data

    def instant(self, text: str) -> str:
        return self.format_time(datetime.fromisoformat(text))

    def format_time(self, time: datetime) -> str:
        return time.astimezone(UTC).isoformat().replace("+00:00", "Z")

    def run_once(self, request: Request, body: bytes, do: Any) -> Response:
        key = request.headers.get("idempotency-key", "")
        known = self.keys.get((request.url.path, key)) if key else None
        if known is None:
            response: Response = do()
            self.keys[request.url.path, key] = (body, response)
            return response
        if known[0] != body:
            self.refuse_other_body()
        return known[1]

    def refuse_other_body(self) -> None:
        raise Refusal(409, "there was another body")

    def now(self) -> str:
        return self.format_time(datetime.now(UTC))

    def add(self, wish: Thing) -> Response:
        number, now = len(self.visits) + 1, self.now()
        visit = {
            "ward": "north",
            "urgent": False,
            **self.stored_members(wish),
            "id": number,
            "status": "waiting",
        }
        self.visits[number] = {**visit, "created_at": now, "updated_at": now}
        return self.json({"data": self.visits[number]}, 201)

    def stored_members(self, wish: Thing) -> Thing:
        return wish

    def find(self, key: str) -> Thing:
        if not key.isdigit() or int(key) not in self.visits:
            raise Refusal(404, "there is no such visit")
        return self.visits[int(key)]

    def visit_json(self, visit: Thing) -> Thing:
        return visit

    def tag(self, visit: Thing) -> str:
        return f'"{visit["id"]}-{self.versions.get(visit["id"], 0)}"'

    def check_version(self, request: Request, visit: Thing) -> None:
        if request.headers.get("if-match", self.tag(visit)) != self.tag(visit):
            raise Refusal(412, "it has changed")

    def change(self, visit: Thing, wish: Thing) -> Thing:
        visit |= wish
        return self.touch(visit)

    def touch(self, visit: Thing) -> Thing:
        self.versions[visit["id"]] = self.versions.get(visit["id"], 0) + 1
        visit["updated_at"] = self.now()
        return visit

    def set_time(self, visit: Thing, name: str, time: str) -> Thing:
        visit[name] = time
        return visit

    def act(self, visit: Thing, state: str) -> Response:
        if STATES.index(visit["status"]) != STATES.index(state) - 1:
            raise Refusal(409, "not in this state")
        return self.json({"data": self.move(visit, state)}, 200)

    def move(self, visit: Thing, state: str) -> Thing:
        visit |= {"status": state, f"{state}_at": self.now()}
        return self.touch(visit)

    def page(self, request: Request) -> Response:
        given = request.query_params
        visits = self.sort_visits(
            self.filter_visits(list(self.visits.values()), given), given.get("sort", "")
        )
        start = int(given.get("offset", 0))
        page = visits[start : start + int(given.get("limit", self.default_limit()))]
        return self.json(
            {"data": [self.item(item) for item in page], "meta": {"total": self.total(visits, page)}}, 200
        )

    def default_limit(self) -> int:
        return 20

    def filter_visits(self, visits: list[Thing], given: Any) -> list[Thing]:
        visits = [visit for visit in visits if given.get("ward") in (None, visit["ward"])]
        return [visit for visit in visits if given.get("urgent") in (None, str(visit["urgent"]).lower())]

    def sort_visits(self, visits: list[Thing], order: str) -> list[Thing]:
        name = order.removeprefix("-")
        having = [visit for visit in visits if name in visit]
        others = [visit for visit in visits if name not in visit]
        return (
            [*sorted(having, key=lambda item: item[name], reverse=order.startswith("-")), *others]
            if order
            else visits
        )

    def total(self, visits: list[Thing], page: list[Thing]) -> int:
        return len(visits)

    def item(self, visit: Thing) -> Thing:
        return visit

    def json(self, body: Any, status: int, headers: dict[str, str] | None = None) -> Response:
        return Response(json.dumps(body), status, headers, "application/json")


def titles(family: Family, app: Visits) -> set[str]:
    """Return the titles of what a family finds wrong with a server, all of it confirmed."""
    log = run_family(family, app, subject_of(CONTRACT))
    assert log.tallies
    assert all(failure.fails for failure in log.failures if failure.check == family.name)
    return {failure.title for failure in log.failures if failure.check == family.name}
