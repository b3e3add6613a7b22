# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `festivals.yaml`, with seams at which tests break its promises."""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "festivals.yaml"
ACCOUNTS = {f"Bearer {MAIN}": "main", f"Bearer {OTHER}": "other"}
OF_CLIENTS = ("title", "capacity", "is_free", "genres")


class Festivals(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.subject = subject_of(CONTRACT)
        self.schemas = request_schemas(self.subject)
        self.festivals: dict[str, Thing] = {}
        self.owners: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.passes: dict[str, dict[str, Thing]] = {}
        self.responses: dict[tuple[str, str], Response] = {}
        self.moment = datetime(2026, 11, 27, 12, tzinfo=UTC)

    def respond(self, request: Request, body: bytes) -> Response:
        account = ACCOUNTS.get(request.headers.get("authorization", ""))
        if account is None:
            raise Refusal(401)
        match (request.method, *request.url.path.strip("/").split("/")[1:]):
            case "POST", "festivals":
                data, request_id = (
                    self.read("CreateFestival", body),
                    request.query_params.get("requestId", ""),
                )
                return self.once(request_id, account, lambda: self.show(self.create(data, account)))
            case "GET", "festivals":
                return self.json(self.page(account, request.query_params))
            case "GET", "festivals", key:
                return self.show(self.find(key, account))
            case "PATCH", "festivals", key:
                festival, data = self.find(key, account), self.read("UpdateFestival", body)
                self.check_etag(festival, data)
                return self.show(self.change(festival, data))
            case "DELETE", "festivals", key:
                festival = self.find(key, account)
                self.delete(festival)
                return self.show(festival)
            case method, "festivals", key, "passes", *rest:
                self.find(key, account)
                return self.respond_to_pass(method, key, rest, body)
        raise Refusal(404)

    def once(self, request_id: str, account: str, respond: Callable[[], Response]) -> Response:
        """Return the first response to a request, if it has an id."""
        key = (account, request_id.lower() or uuid.uuid4().hex)
        if key not in self.responses:
            self.responses[key] = respond()
        return self.responses[key]

    def respond_to_pass(self, method: str, key: str, rest: Sequence[str], body: bytes) -> Response:
        if method == "POST" and not rest:
            data, pass_id = self.read("CreatePass", body), uuid.uuid4().hex
            name = f"festivals/{key}/passes/{pass_id}"
            sold = {"name": name, "holder": data["holder"], "days": data["days"]}
            self.passes.setdefault(key, {})[pass_id] = sold
            return self.json(sold)
        if method == "GET" and not rest:
            return self.json({"passes": self.passes_of(key)})
        if method == "GET" and len(rest) == 1:
            return self.json(self.find_pass(key, rest[0]))
        raise Refusal(404)

    def passes_of(self, key: str) -> list[Thing]:
        return [*self.passes.get(key, {}).values()]

    def find_pass(self, key: str, pass_id: str) -> Thing:
        if pass_id not in self.passes.get(key, {}):
            raise Refusal(404)
        return self.passes[key][pass_id]

    def read(self, operation_id: str, body: bytes) -> Thing:
        return read_object(self.subject, self.schemas[operation_id], body)

    def json(self, value: Thing) -> Response:
        return Response(json.dumps(value), media_type="application/json")

    def show(self, festival: Thing) -> Response:
        return self.json(self.representation(festival))

    def representation(self, festival: Thing) -> Thing:
        return {**festival, "etag": self.etag(festival)}

    def etag(self, festival: Thing) -> str:
        return f'"{self.versions[festival["name"]]}"'

    def now(self) -> str:
        self.moment += timedelta(seconds=2)
        return self.moment.isoformat().replace("+00:00", "Z")

    def create(self, data: Thing, account: str) -> Thing:
        key = uuid.uuid4().hex
        festival = {
            "name": self.name(key),
            "uid": str(uuid.uuid4()),
            "createTime": self.now(),
            **{name: data[name] for name in OF_CLIENTS if name in data},
        }
        self.festivals[key], self.owners[key] = festival, account
        self.versions[festival["name"]] = 1
        return festival

    def name(self, key: str) -> str:
        return f"festivals/{key}"

    def find(self, key: str, account: str) -> Thing:
        if key not in self.festivals or not self.may_see(key, account):
            raise Refusal(404)
        return self.festivals[key]

    def may_see(self, key: str, account: str) -> bool:
        return self.owners[key] == account

    def check_etag(self, festival: Thing, data: Thing) -> None:
        if data.get("etag", self.etag(festival)) != self.etag(festival):
            raise Refusal(409)

    def change(self, festival: Thing, data: Thing) -> Thing:
        festival.update({name: data[name] for name in OF_CLIENTS if name in data})
        self.versions[festival["name"]] += 1
        return festival

    def delete(self, festival: Thing) -> None:
        festival["deleteTime"] = self.now()
        self.versions[festival["name"]] += 1

    def items(self, account: str, *, with_deleted: bool = False) -> list[Thing]:
        own = [festival for key, festival in self.festivals.items() if self.may_see(key, account)]
        return self.sort(
            [
                self.representation(festival)
                for festival in own
                if with_deleted or "deleteTime" not in festival
            ]
        )

    def sort(self, festivals: list[Thing]) -> list[Thing]:
        return sorted(festivals, key=lambda festival: (festival["title"], festival["name"]))

    def has_genre(self, festival: Thing, genre: str | None) -> bool:
        return genre is None or genre in festival.get("genres", [])

    def page(self, account: str, query: Mapping[str, str]) -> Thing:
        genre, with_deleted = query.get("genre"), query.get("showDeleted", "false")
        if genre not in (None, "jazz", "rock", "folk") or with_deleted not in ("true", "false"):
            raise Refusal(400)
        shown = self.items(account, with_deleted=with_deleted == "true")
        festivals = [festival for festival in shown if self.has_genre(festival, genre)]
        size, start = query.get("pageSize", "50"), query.get("pageToken", "0")
        if not (size.isdigit() and start.isdigit() and 1 <= int(size) <= 100):
            raise Refusal(400)
        end = int(start) + int(size)
        items = festivals[int(start) : end]
        token = {"nextPageToken": str(end)} if end < len(festivals) else {}
        return {"festivals": items, "totalSize": self.total(festivals, items), **token}

    def total(self, festivals: list[Thing], page: list[Thing]) -> int:  # noqa: ARG002 - a faulty server uses it
        return len(festivals)
