# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""The good server of `ledger.yaml`, with seams at which tests break its promises."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.conformance.families.servers.boxes import MAIN
from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = Path(__file__).parent / "ledger.yaml"


class Ledger(Server):
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.entries: dict[str, Thing] = {}
        self.deleted: dict[str, Thing] = {}

    def refuse(self, status: int) -> Response:
        return Response(status_code=status)

    def respond(self, request: Request, body: bytes) -> Response:
        return self.respond_to(request, json.loads(body) if body else {})

    def respond_to(self, request: Request, data: Thing) -> Response:
        match [request.method, *request.url.path.strip("/").split("/")[1:]]:
            case ["POST"]:
                return JSONResponse(self.show(self.post(data)), 201)
            case ["GET"]:
                shown = [self.show(entry) for entry in self.entries.values()]
                limit = int(request.query_params.get("limit", 50))
                return JSONResponse({"entries": shown[:limit], "all": len(shown)})
            case ["POST", "batch"]:
                results = [self.result(index, item) for index, item in enumerate(data["entries"])]
                return JSONResponse({"results": self.finish(results)}, 207)
            case ["PATCH", "relabel"]:
                is_own = request.headers.get("authorization", "").endswith(MAIN)
                return JSONResponse({"results": self.finish(self.relabel(data, is_own=is_own))}, 207)
            case ["GET", key] if key in self.entries:
                return JSONResponse(self.show(self.entries[key]))
            case ["DELETE", key] if key in self.entries:
                self.deleted[key] = self.entries.pop(key)
                return Response(status_code=204)
            case ["POST", key, "restore"] if key in self.entries:
                return JSONResponse(self.show(self.restore_existing(self.entries[key])))
            case ["POST", key, "restore"] if key in self.deleted:
                return JSONResponse(self.show(self.restore(self.deleted[key])))
            case ["PATCH", key] if key in self.entries:
                self.check_period({**self.entries[key], **data})
                self.entries[key] |= {**data, "updated_at": self.now()}
                return JSONResponse(self.show(self.entries[key]))
        raise Refusal(404)

    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        found = {key: self.is_found(key) and is_own for key in data["ids"]}
        for key in (key for key in data["ids"] if found[key] and key in self.entries):
            self.entries[key] |= {"memo": data["memo"], "updated_at": self.now()}
        return [{"id": key, "status": 200 if is_there else 404} for key, is_there in found.items()]

    def is_found(self, key: str) -> bool:
        return key in self.entries

    def now(self) -> str:
        return datetime.now(UTC).isoformat().replace("+00:00", "Z")

    def post(self, data: Thing) -> Thing:
        self.check_entry(data)
        self.check_period(data)
        entry = {"id": str(uuid.uuid4()), **data, "created_at": self.now(), "updated_at": self.now()}
        return self.store(entry)

    def store(self, entry: Thing) -> Thing:
        self.entries[entry["id"]] = entry
        return entry

    def restore(self, entry: Thing) -> Thing:
        self.deleted.pop(entry["id"])
        return self.store(entry)

    def restore_existing(self, entry: Thing) -> Thing:
        raise Refusal(409)

    def check_entry(self, data: Thing) -> None:
        lines = data.get("lines")
        if set(data) - {"memo", "lines", "valid_from", "valid_until"} or not isinstance(
            data.get("memo"), str
        ):
            raise Refusal(422)
        if not lines or sum(line["debit"] for line in lines) != sum(line["credit"] for line in lines):
            raise Refusal(422)

    def check_period(self, data: Thing) -> None:
        if data.get("valid_until", "9999-12-31") < data.get("valid_from", "0000-01-01"):
            raise Refusal(422)

    def show(self, entry: Thing) -> Thing:
        debit, credit = (sum(line[side] for line in entry["lines"]) for side in ("debit", "credit"))
        count = len(entry["lines"])
        return {
            **entry,
            "line_count": count,
            "total_debit": debit,
            "total_credit": credit,
            "balance": debit - credit,
        }

    def result(self, index: int, item: Thing) -> Thing:
        try:
            return {"index": index, "status": 201, "entry": self.show(self.post(item))}
        except Refusal as refusal:
            return {"index": index, "status": refusal.status, "error": {"reason": "refused"}}

    def finish(self, results: list[Thing]) -> list[Thing]:
        return results
