# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""The good server of `novels.yaml`, resources of JSON:API with relationships, with seams at which tests break it."""

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = Path(__file__).parent / "novels.yaml"


class Novels(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.authors: dict[str, str] = {}
        self.novels: dict[str, tuple[str, Thing]] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        account = request.headers.get("authorization", "").removeprefix("Bearer ")
        if account not in (MAIN, OTHER):
            raise Refusal(401)
        is_including = request.query_params.get("include") == "author"
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "authors":
                key = f"author-{len(self.authors) + 1:06}"
                self.authors[key] = account
                return self.document({"data": self.author(key)}, 201)
            case "GET", "authors", key if self.authors.get(key) == account:
                return self.document({"data": self.author(key)}, 200)
            case "POST", "novels":
                return self.document({"data": self.add(json.loads(body)["data"], account)}, 201)
            case "GET", "novels":
                own = [novel for owner, novel in self.novels.values() if owner == account]
                page = self.page(own, dict(request.query_params))
                included = self.included_in_list(page) if is_including else None
                return self.document({"data": page}, 200, included)
            case "GET", "novels", key if key in self.novels and self.novels[key][0] == account:
                novel = self.novels[key][1]
                return self.document({"data": novel}, 200, self.authors_of([novel]) if is_including else None)
        raise Refusal(404)

    def page(self, novels: list[Thing], query: dict[str, str]) -> list[Thing]:
        number, size = int(query.get("page[number]", "1")), int(query.get("page[size]", "20"))
        author = self.wanted_author(query.get("filter[author]"), number)
        found = [each for each in novels if author in (None, each["relationships"]["author"]["data"]["id"])]
        return found[(number - 1) * size : number * size]

    def wanted_author(self, author: str | None, page: int) -> str | None:
        return author

    def author(self, key: str) -> Thing:
        return {"type": "authors", "id": key, "attributes": {"name": "Ada"}}

    def add(self, wish: Thing, account: str) -> Thing:
        if not self.may_refer_to(wish["relationships"]["author"]["data"]["id"], account):
            raise Refusal(422)
        key = f"novel-{len(self.novels) + 1:06}"
        self.novels[key] = account, {**wish, "id": key}
        return self.novels[key][1]

    def may_refer_to(self, author: str, account: str) -> bool:
        return self.authors.get(author) == account

    def authors_of(self, novels: list[Thing]) -> list[Thing]:
        keys = dict.fromkeys(novel["relationships"]["author"]["data"]["id"] for novel in novels)
        return [self.author(key) for key in keys]

    def included_in_list(self, novels: list[Thing]) -> list[Thing]:
        return self.authors_of(novels)

    def refuse(self, status: int) -> Response:
        return self.document({"errors": [{"status": str(status)}]}, status)

    def document(self, document: Thing, status: int, included: list[Thing] | None = None) -> Response:
        whole: dict[str, Any] = {**document, **({"included": included} if included is not None else {})}
        return Response(json.dumps(whole), status, media_type="application/vnd.api+json")
