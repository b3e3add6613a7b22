# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `articles.yaml`, with seams at which tests break its promises."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "articles.yaml"
SUBJECT = subject_of(CONTRACT)
SCHEMAS = request_schemas(SUBJECT)


class Articles(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.articles: dict[str, Thing] = {}
        self.drawers: dict[str, Thing] = {}
        self.shelves: dict[str, Thing] = {}

    def refuse(self, status: int) -> Response:
        return self.document({"errors": [{"status": str(status)}]}, status)

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "GET", "articles":
                return self.document({"data": [*self.articles.values()]})
            case "POST", "articles":
                data = self.read("createArticle", body)["data"]
                return self.document({"data": self.add(data["attributes"])}, 201)
            case "GET", "articles", key if key in self.articles:
                return self.document({"data": self.articles[key]})
            case "PATCH", "articles", key if key in self.articles:
                data = self.read("changeArticle", body)["data"]
                if data["id"] != key:
                    raise Refusal(409)
                return self.document({"data": self.change(self.articles[key], data["attributes"])})
        return self.respond_beside(request, body)

    def respond_beside(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "GET", "drawers", key if key in self.drawers:
                return self.json(self.drawers[key])
            case "PUT", "drawers", key:
                if re.fullmatch("[a-z0-9-]{1,40}", key) is None:
                    raise Refusal(400)
                status = 200 if key in self.drawers else 201
                return self.json(self.store(key, self.read("putDrawer", body)), status)
            case "POST", "shelves":
                return self.json(self.add_shelf(self.read("createShelf", body)), 201)
            case "GET", "shelves", key if key in self.shelves:
                return self.json(self.shelves[key])
        raise Refusal(404)

    def read(self, operation: str, body: bytes) -> Thing:
        return read_object(SUBJECT, SCHEMAS[operation], body)

    def document(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/vnd.api+json")

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def now(self) -> str:
        return datetime.now(UTC).isoformat().replace("+00:00", "Z")

    def add(self, attributes: Thing) -> Thing:
        key, now = str(len(self.articles) + 1), self.now()
        times = {"created_at": now, "updated_at": now}
        self.articles[key] = {"type": "articles", "id": key, "attributes": {**attributes, **times}}
        return self.articles[key]

    def change(self, article: Thing, attributes: Thing) -> Thing:
        article["attributes"] = {
            **self.new_attributes(article["attributes"], attributes),
            "updated_at": self.now(),
        }
        return article

    def new_attributes(self, before: Thing, attributes: Thing) -> Thing:
        return {**before, **attributes}

    def store(self, key: str, data: Thing) -> Thing:
        self.drawers[key] = {"drawerKey": key, **self.drawer_members(self.drawers.get(key, {}), data)}
        return self.drawers[key]

    def drawer_members(self, before: Thing, data: Thing) -> Thing:  # noqa: ARG002
        return data

    def add_shelf(self, data: Thing) -> Thing:
        self.check_articles(data["article_ids"])
        key = f"s{len(self.shelves) + 1}"
        self.shelves[key] = {"id": key, **data, "article_ids": self.article_order(data["article_ids"])}
        return self.shelves[key]

    def check_articles(self, keys: list[str]) -> None:
        if any(key not in self.articles for key in keys):
            raise Refusal(422)

    def article_order(self, keys: list[str]) -> list[str]:
        return keys
