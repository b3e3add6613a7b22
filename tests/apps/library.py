# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""The good server of `library.yaml` in Starlette, with seams at which tests break its promises.

Its time is moved by who waits for it.
"""

import hashlib
import json
import threading
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

MAIN, OTHER = "library-main-token-5521", "library-other-token-9917"
TENANTS = {f"Bearer {MAIN}": "main", f"Bearer {OTHER}": "other"}
LENT_AFTER_S = 0.15
NAMES = [{"name": f"n{number:02}"} for number in range(1, 12)]

Thing = dict[str, Any]


class Refusal(Exception):
    """An answer that refuses."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


def moment(text: str) -> datetime:
    """Return the time of a text, which may have any offset (RFC 3339 §4.2). Raises Refusal if it is not a time."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise Refusal(400, "no time") from error
    if time.tzinfo is None:
        raise Refusal(400, "no offset")
    return time


class Library:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.books: dict[str, dict[str, Thing]] = {}
        self.loans: dict[str, Thing] = {}
        self.begun: dict[str, float] = {}
        self.keys: dict[Any, tuple[bytes, Thing]] = {}
        self.lock = threading.RLock()
        self.passed_s = 0.0

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.passed_s += seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        try:
            response = await run_in_threadpool(self.answer, request, body)
        except Refusal as refusal:
            response = self.json({"reason": refusal.reason}, refusal.status)
        self.stamp(response)
        await response(scope, receive, send)

    def stamp(self, response: Response) -> None:
        return

    def answer(self, request: Request, body: bytes) -> Response:
        tenant = TENANTS.get(request.headers.get("authorization", ""))
        if tenant is None:
            raise Refusal(401, "no token")
        _, noun, *rest = request.url.path.strip("/").split("/")
        match noun:
            case "books":
                return self.about_books(request, tenant, rest, body)
            case "loans":
                return self.about_loans(request, rest, body)
            case "shelves":
                return self.json(self.shelves(request), 200)
            case "readers":
                return self.json(self.readers(request), 200)
            case "news":
                return self.news(request)
        raise Refusal(404, "nothing here")

    def about_books(self, request: Request, tenant: str, rest: list[str], body: bytes) -> Response:
        match [request.method, *rest]:
            case ["POST"]:
                return self.add(request, tenant, body)
            case ["GET"]:
                return self.books_page(request, self.shown_books(tenant))
            case ["GET", key]:
                return self.show(request, self.book(tenant, key))
            case ["PATCH", key]:
                return self.json(self.change(self.book(tenant, key), json.loads(body)), 200)
            case ["DELETE", key]:
                self.book(tenant, key)
                return self.delete(tenant, key)
        raise Refusal(404, "nothing here")

    def about_loans(self, request: Request, rest: list[str], body: bytes) -> Response:
        match [request.method, *rest]:
            case ["POST"]:
                return self.json(self.lend(json.loads(body)), 202)
            case ["GET", key]:
                return self.json(self.loan(key), 200)
            case ["POST", key, "return"]:
                return self.json(self.give_back(self.loan(key)), 200)
        raise Refusal(404, "nothing here")

    def add(self, request: Request, tenant: str, body: bytes) -> Response:
        wish, key = json.loads(body), request.headers.get("idempotency-key")
        if key is not None:
            self.check_key(key)
        with self.guard():
            if key is None:
                return self.created_response(self.store(tenant, wish))
            place = self.place(tenant, key)
            if place in self.keys:
                return self.replay(tenant, wish, body, *self.keys[place])
            self.pause()
            self.keys[place] = (body, self.store(tenant, wish))
            return self.created_response(self.keys[place][1])

    def guard(self) -> Any:
        return self.lock

    def pause(self) -> None:
        return

    def check_key(self, key: str) -> None:
        if not 8 <= len(key.strip('"')) <= 64:
            raise Refusal(400, "no key")

    def place(self, tenant: str, key: str) -> Any:
        return tenant, key

    def replay(self, tenant: str, wish: Thing, body: bytes, before: bytes, book: Thing) -> Response:
        if body != before:
            raise Refusal(422, "another body")
        return self.created_response(book)

    def store(self, tenant: str, wish: Thing) -> Thing:
        now = self.now()
        book = {
            "id": self.new_id(),
            "copies": 1,
            "lendable": True,
            **wish,
            "created_at": now,
            "updated_at": now,
        }
        self.books.setdefault(tenant, {})[book["id"]] = book
        return book

    def now(self) -> str:
        return (datetime.now(UTC) + timedelta(seconds=self.passed_s)).isoformat(timespec="microseconds")

    def new_id(self) -> str:
        return f"bk_{uuid.uuid4().hex}"

    def created_response(self, book: Thing) -> Response:
        response = self.json(book, 201)
        response.headers["Location"] = self.location(book)
        return response

    def location(self, book: Thing) -> str:
        return f"/v1/books/{book['id']}"

    def shown_books(self, tenant: str) -> list[Thing]:
        return list(self.books.get(tenant, {}).values())

    def books_page(self, request: Request, books: list[Thing]) -> Response:
        given = request.query_params
        books = self.filter_by_genre(books, given.get("genre"))
        books = self.filter_by_title(books, given["title"]) if "title" in given else books
        books = self.made_since(books, given["created_after"]) if "created_after" in given else books
        books = self.made_until(books, given["created_before"]) if "created_before" in given else books
        limit = self.limit(int(request.query_params.get("limit", 3)))
        start = self.start(books, request.query_params.get("cursor"))
        page = books[start : start + limit]
        return self.json({"data": page, "next_cursor": self.next_cursor(books, start + limit)}, 200)

    def filter_by_genre(self, books: list[Thing], genre: str | None) -> list[Thing]:
        return [book for book in books if genre in (None, book["genre"])]

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        return [book for book in books if book["title"] == title]

    def made_since(self, books: list[Thing], time: str) -> list[Thing]:
        return [book for book in books if moment(book["created_at"]) >= moment(time)]

    def made_until(self, books: list[Thing], time: str) -> list[Thing]:
        return [book for book in books if moment(book["created_at"]) < moment(time)]

    def limit(self, asked: int) -> int:
        return asked

    def start(self, books: list[Thing], cursor: str | None) -> int:
        if cursor is None:
            return 0
        places = [place for place, book in enumerate(books) if book["id"] == cursor]
        if not places:
            raise Refusal(400, "no such cursor")
        return places[0] + 1

    def next_cursor(self, books: list[Thing], end: int) -> str | None:
        return books[end - 1]["id"] if end < len(books) else None

    def book(self, tenant: str, key: str) -> Thing:
        if key not in self.books.get(tenant, {}):
            raise Refusal(404, "no such book")
        return self.books[tenant][key]

    def show(self, request: Request, book: Thing) -> Response:
        tag = self.tag(book)
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"ETag": tag})
        return self.json(book, 200, {"ETag": tag})

    def tag(self, book: Thing) -> str:
        return f'"{hashlib.sha256(json.dumps(book).encode()).hexdigest()[:16]}"'

    def change(self, book: Thing, wish: Thing) -> Thing:
        book |= {**wish, "updated_at": self.now()}
        return book

    def delete(self, tenant: str, key: str) -> Response:
        del self.books[tenant][key]
        return Response(status_code=204)

    def lend(self, wish: Thing) -> Thing:
        loan = {"id": f"ln_{uuid.uuid4().hex}", **wish, "status": "asked"}
        self.loans[loan["id"]] = loan
        self.begun[loan["id"]] = self.passed_s
        return dict(loan)

    def loan(self, key: str) -> Thing:
        if key not in self.loans:
            raise Refusal(404, "no such loan")
        loan = self.loans[key]
        if loan["status"] == "asked" and self.passed_s - self.begun[key] > LENT_AFTER_S:
            loan["status"] = "lent"
        return loan

    def give_back(self, loan: Thing) -> Thing:
        if loan["status"] != "lent":
            raise Refusal(409, "it is not lent")
        loan["status"] = "returned"
        return loan

    def shelves(self, request: Request) -> list[Thing]:
        number = max(int(request.query_params.get("page", 1)), 1)
        size = int(request.query_params.get("per_page", 4))
        return NAMES[(number - 1) * size : number * size]

    def readers(self, request: Request) -> list[Thing]:
        start = int(request.query_params.get("offset", 0))
        return NAMES[start : start + int(request.query_params.get("limit", 4))]

    def news(self, request: Request) -> Response:
        start = int(request.query_params.get("after", 0))
        end = start + int(request.query_params.get("limit", 4))
        address = str(request.url.include_query_params(after=end))
        headers = {"Link": f'<{address}>; rel="next"'} if end < len(NAMES) else {}
        return self.json(NAMES[start:end], 200, headers)

    def json(self, body: Any, status: int, headers: dict[str, str] | None = None) -> Response:
        return Response(json.dumps(body), status, headers, "application/json")
