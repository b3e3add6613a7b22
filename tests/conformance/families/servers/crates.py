# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The good server of `crates.yaml`, with seams at which tests break its promises."""

import json
import re
import uuid
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.family import Family
from devportal.conformance.results.result import Failure
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "crates.yaml"
Thing = dict[str, Any]


def failures_of(family: Family, app: "Crates") -> list[Failure]:
    """Return the failures that a family finds, with those that it cannot confirm."""
    log = run_family(family, app, subject_of(CONTRACT))
    return [failure for failure in log.failures if failure.check == family.name]


def titles(family: Family, app: "Crates") -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    failures = failures_of(family, app)
    assert all(failure.fails for failure in failures)
    return {failure.title for failure in failures}


class Refusal(Exception):
    """An answer that is a problem document."""

    def __init__(self, status: int, title: str) -> None:
        super().__init__(title)
        self.status, self.title = status, title


def text(pattern: str) -> Callable[[Any], bool]:
    """Return a test of whole texts."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.DOTALL) is not None


def is_whole_number(value: Any) -> bool:
    """Say whether a value is a whole number within the bounds."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and value % 1 == 0 and 1 <= value <= 100


def number(value: Any) -> bool:
    """Return whether a value is a number that fits a float."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and -1e300 < value < 1e300


def day(value: Any) -> bool:
    """Return whether a value is a day of the calendar."""
    try:
        return text("[0-9]{4}-[0-9]{2}-[0-9]{2}")(value) and bool(date.fromisoformat(value))
    except ValueError:
        return False


class Crates:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.crates: dict[str, Thing] = {"crt_1": {"id": "crt_1", "name": "The first"}}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = self.answer(request, await request.body())
        except Refusal as refusal:
            problem = {"title": refusal.title, "status": refusal.status}
            response = self.json(problem, refusal.status, "application/problem+json")
        response.headers["X-Request-Id"] = self.new_name(request)
        await response(scope, receive, send)

    def new_name(self, request: Request) -> str:  # noqa: ARG002 - for those who break it
        return uuid.uuid4().hex

    def answer(self, request: Request, body: bytes) -> Response:
        path, method = request.url.path, request.method
        if path == "/v1/crates" and method == "POST":
            self.acceptable(request)
            self.media_type(request)
            return self.pack(self.parse(body))
        if path == "/v1/crates" and method in ("GET", "HEAD"):
            self.acceptable(request)
            return self.list_crates(request)
        key = path.removeprefix("/v1/crates/")
        if method in ("GET", "HEAD") and key != path:
            self.acceptable(request)
            return self.json(self.find(key))
        raise Refusal(404, "there is nothing here")

    def find(self, key: str) -> Thing:
        if key not in self.crates:
            raise Refusal(404, "there is no such crate")
        return self.crates[key]

    def acceptable(self, request: Request) -> None:
        accept = request.headers.get("accept", "*/*").lower()
        ranges = [part.partition(";")[0].strip() for part in accept.split(",")]
        if not any(range_ in ("*/*", "application/*", "application/json") for range_ in ranges):
            raise Refusal(406, "there is JSON only")

    def media_type(self, request: Request) -> None:
        given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if given != "application/json" or request.headers.get("content-encoding"):
            raise Refusal(415, "send JSON")

    def parse(self, body: bytes) -> Any:
        try:
            return json.loads(body.decode("utf-8"), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, "that is not JSON") from error

    def rules(self) -> dict[str, Callable[[Any], bool]]:
        return {
            "name": text(".{2,20}"),
            "code": text("C[0-9]{3,6}"),
            "weight": is_whole_number,
            "fragile": lambda value: isinstance(value, bool),
            "colour": lambda value: value in ("red", "green") and isinstance(value, str),
            "tags": lambda value: (
                isinstance(value, list)
                and 1 <= len(value) <= 3
                and all(item in ("heavy", "wet") for item in value)
            ),
            "note": lambda value: value is None or text(".{0,30}")(value),
            "price": lambda value: number(value) and value >= 0 and value % 0.25 == 0,
            "sizes": lambda value: (
                isinstance(value, list)
                and all(number(item) and item % 1 == 0 for item in value)
                and len(value) == len(set(value)) <= 3
            ),
            "grade": lambda value: number(value) and value in (1, 2),
            "packed": day,
            "pin": text(".{4,}"),
            "labels": lambda value: (
                isinstance(value, dict) and 1 <= len(value) <= 2 and all(map(text(".*"), value.values()))
            ),
            "origin": lambda value: (
                isinstance(value, dict) and set(value) == {"country"} and text("[A-Z]{2}")(value["country"])
            ),
        }

    required: tuple[str, ...] = ("name", "code", "weight")

    def pack(self, data: Any) -> Response:
        rules = self.rules()
        if not isinstance(data, dict) or set(self.required) - set(data) or set(data) - set(rules):
            raise Refusal(422, "that is no crate")
        if not all(rules[name](value) for name, value in data.items()):
            raise Refusal(422, "that is no crate")
        if data["code"] == "C000":
            raise Refusal(422, "that code is taken")
        key = f"crt_{len(self.crates) + 1}"
        self.crates[key] = {"id": key, "name": data["name"]}
        return self.json(self.crates[key], 201)

    def list_crates(self, request: Request) -> Response:
        limit = self.limit(request.query_params.get("limit", "50"))
        if request.query_params.get("fragile", "true") not in ("true", "false"):
            raise Refusal(400, "fragile is true or false")
        self.colour(request.query_params.get("colour", "red"))
        self.code(request.query_params.get("code", "C000"))
        return self.json(list(self.crates.values())[:limit])

    def limit(self, given: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", given, re.ASCII) or not 1 <= int(given) <= 50:
            raise Refusal(400, "limit is 1 to 50")
        return int(given)

    def colour(self, given: str) -> str:
        if given not in ("red", "green"):
            raise Refusal(400, "there is red and green")
        return given

    def code(self, given: str) -> str:
        if not text("C[0-9]{3,6}")(given):
            raise Refusal(400, "a code is a C with digits")
        return given

    def json(self, body: Any, status: int = 200, kind: str = "application/json") -> Response:
        return Response(json.dumps(body), status_code=status, media_type=kind)


def _refuse(constant: str) -> None:
    raise ValueError(constant)
