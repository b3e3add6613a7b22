# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `permits.yaml`, with seams at which tests break its promises."""

import json
import uuid
from datetime import UTC, datetime
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

CONTRACT = Path(__file__).parent / "permits.yaml"


def now() -> str:
    """Return the current time."""
    return datetime.now(UTC).isoformat()


class Permits(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.permits: dict[str, Thing] = {}
        self.owners: dict[str, str] = {}
        self.subject = subject_of(CONTRACT)
        self.schemas = request_schemas(self.subject)

    def respond(self, request: Request, body: bytes) -> Response:
        account = request.headers.get("authorization", "").removeprefix("Bearer ")
        if account not in (MAIN, OTHER):
            raise Refusal(401)
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "permits":
                data = read_object(self.subject, self.schemas["applyForPermit"], body)
                return self.show(self.create(data, account), 201)
            case "GET", "permits":
                query = dict(request.query_params)
                mine = [permit for key, permit in self.permits.items() if self.owners[key] == account]
                return self.show({"items": [permit for permit in mine if self.is_listed(permit, query)]})
            case "GET", "permits", key:
                return self.show(self.find(key, account))
            case "PATCH", "permits", key:
                permit = self.find(key, account)
                data = read_object(self.subject, self.schemas["changePermit"], body)
                return self.show(self.change(permit, data))
            case "POST", "permits", key, "issue":
                return self.show(self.issue(self.find(key, account)))
            case "POST", "permits", key, "revoke":
                return self.show(self.revoke(self.find(key, account)))
            case "GET", "permits", key, "document":
                return self.document(self.find(key, account))
        raise Refusal(404)

    def show(self, permit: Thing, status: int = 200) -> Response:
        return Response(json.dumps(permit), status, media_type="application/json")

    def find(self, key: str, account: str) -> Thing:
        if self.owners.get(key) != account:
            raise Refusal(404)
        return self.permits[key]

    def create(self, data: Thing, account: str) -> Thing:
        self.check_hours(data["closure"])
        key = str(uuid.uuid4())
        self.owners[key] = account
        self.permits[key] = {
            "id": key,
            "state": self.first_state(),
            "desk": "north",
            "archivedAt": None,
            **data,
        }
        self.permits[key]["deposit"] = self.deposit(data["lanes"]["closed"])
        return self.permits[key]

    def is_listed(self, permit: Thing, query: Thing) -> bool:
        desks = self.desks(query["desk"]) if "desk" in query else [permit["desk"]]
        return (
            self.has_street(permit, query.get("street", ""))
            and self.has_note(permit, query.get("note", ""))
            and permit["desk"] in desks
            and (permit["state"] != "revoked" or self.includes_revoked(query))
        )

    def has_street(self, permit: Thing, text: str) -> bool:
        return str(permit["street"]).lower().startswith(text.lower())

    def has_note(self, permit: Thing, text: str) -> bool:
        return text in permit.get("note", "")

    def desks(self, text: str) -> list[str]:
        return text.split(",")

    def includes_revoked(self, query: Thing) -> bool:
        return bool(query.get("includeRevoked") == "true")

    def first_state(self) -> str:
        return "filed"

    def check_hours(self, hours: Thing) -> None:
        if datetime.fromisoformat(hours["closesAt"]) <= datetime.fromisoformat(hours["opensAt"]):
            raise Refusal(400)

    def deposit(self, lanes: int) -> int:
        return 100 * lanes

    def change(self, permit: Thing, data: Thing) -> Thing:
        permit.update(data)
        if "desk" in data:
            permit["archivedAt"] = self.archived_at(permit)
        return permit

    def archived_at(self, permit: Thing) -> str | None:
        return now() if permit["desk"] == "archive" else None

    def issue(self, permit: Thing) -> Thing:
        if permit["state"] != "filed":
            raise Refusal(409)
        permit |= {"state": "issued", "number": f"P-{len(self.permits)}"}
        return permit

    def revoke(self, permit: Thing) -> Thing:
        if permit["state"] != "issued":
            raise Refusal(409)
        permit |= {"state": "revoked", "revokedAt": now()}
        return permit

    def document(self, permit: Thing) -> Response:
        if permit["state"] != "issued":
            raise Refusal(409)
        return Response(b"%PDF-1.7", media_type="application/pdf")
