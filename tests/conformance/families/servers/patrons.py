# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `patrons.yaml`, with seams at which tests break its promises."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = Path(__file__).parent / "patrons.yaml"
DEFAULTS: Thing = {"language": "en", "layout": "wide", "digest": True}
UNIQUE = ("email", "code")


class Patrons(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.patrons: dict[str, Thing] = {}
        self.settings: dict[str, Thing] = {}
        self.owners: dict[str, str] = {}
        self.cards: dict[str, Thing] = {}
        self.loans: dict[str, Thing] = {}
        self.moment = datetime(2026, 11, 27, 12, tzinfo=UTC)
        self.account = ""
        self.key = ""
        self.keys: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        self.account = self.account_of(request)
        self.key = request.headers.get("idempotency-key", "")
        data = json.loads(body) if body else dict(request.query_params)
        made = self.call(request.method, request.url.path, data)
        is_creation = request.method == "POST" and not request.url.path.endswith("/block")
        status = 201 if is_creation else 204 if made is None else 200
        return Response(json.dumps(made) if made is not None else None, status, media_type="application/json")

    def now(self) -> str:
        self.moment += timedelta(seconds=2)
        return self.moment.isoformat().replace("+00:00", "Z")

    def touch(self, patron: Thing) -> None:
        patron["version"] += 1
        patron["updatedAt"] = self.now()

    def account_of(self, request: Request) -> str:
        secret = request.headers.get("authorization", "").removeprefix("Bearer ")
        if secret not in (MAIN, OTHER):
            raise Refusal(401)
        return secret

    def call(self, method: str, path: str, data: Any) -> Any:
        match (method, *path.strip("/").split("/")):
            case "POST", "patrons":
                return self.create(data)
            case "GET", "patrons":
                return self.page(int(data.get("page", "1")), int(data.get("pageSize", "20")))
            case "POST", "patrons", key, "block":
                return self.block(self.find(key))
            case "POST", "patrons:batch":
                return {"items": self.batch(data["items"])}
            case "GET", "patrons", key:
                return self.find(key)
            case ("PUT" | "PATCH") as verb, "patrons", key:
                return self.change(verb, self.find(key), data)
            case "DELETE", "patrons", key:
                return self.delete(self.find(key))
        return self.respond_below(method, path, data)

    def respond_below(self, method: str, path: str, data: Any) -> Any:
        match (method, *path.strip("/").split("/")):
            case "GET", "patrons", key, "settings":
                return self.settings[self.find(key)["id"]]
            case "PUT", "patrons", key, "settings":
                return self.set(self.find(key)["id"], data)
            case "POST", "patrons", key, "cards":
                return self.add_card(self.find(key), data)
            case verb, "patrons", key, "cards", card_id if self.cards.get(card_id, {}).get("of") == key:
                patron, card = self.find(key), self.cards[card_id]
                return self.delete_card(patron, card_id) if verb == "DELETE" else self.shown_card(card)
            case "POST", "loans":
                return self.lend(data)
            case "GET", "loans", key if self.owners.get(key) == self.account and key in self.loans:
                return self.loans[key]
        raise Refusal(404)

    def find(self, key: str) -> Thing:
        if key not in self.patrons or self.owners[key] != self.account:
            raise Refusal(404)
        return self.patrons[key]

    def has_value(self, name: str, value: Any, own: Thing | None = None) -> bool:
        return any(
            patron[name] == value and patron is not own and self.owners[patron["id"]] == self.account
            for patron in self.patrons.values()
        )

    def check_values(self, data: Thing, own: Thing | None = None) -> None:
        if any(name in data and self.has_value(name, data[name], own) for name in UNIQUE):
            raise Refusal(409)
        if data.get("loanId") is not None:
            self.check_loan(data["loanId"])

    def create(self, data: Thing) -> Thing:
        self.check_values(data)
        return self.add(data)

    def add(self, data: Thing) -> Thing:
        patron = {"id": str(uuid.uuid4()), "visits": 0, **data, "cardCount": 0, "version": 1}
        now = self.now()
        patron |= {"state": "open", "createdAt": now, "updatedAt": now}
        self.patrons[patron["id"]] = patron
        self.owners[patron["id"]] = self.account
        self.settings[patron["id"]] = dict(DEFAULTS)
        return patron

    def batch(self, items: list[Thing]) -> list[Thing]:
        for item in items:
            self.check_values(item)
        if any(len({item[name] for item in items}) < len(items) for name in UNIQUE):
            raise Refusal(409)
        return [self.add(item) for item in items]

    def change(self, method: str, patron: Thing, data: Thing) -> Thing:
        self.check_values(data, patron)
        patron.update({"visits": 0, **data} if method == "PUT" else data)
        self.touch(patron)
        return patron

    def block(self, patron: Thing) -> Thing:
        if patron["state"] != "open":
            raise Refusal(409)
        patron["state"] = "blocked"
        self.touch(patron)
        return patron

    def page(self, number: int, size: int) -> Thing:
        items = [patron for patron in self.patrons.values() if self.owners[patron["id"]] == self.account]
        shown = items[(number - 1) * size : number * size]
        return {"items": shown, "count": len(items), "totalPages": -(-len(items) // size)}

    def delete(self, patron: Thing) -> None:
        self.check_state(patron)
        if any(loan["patronId"] == patron["id"] for loan in self.loans.values()):
            raise Refusal(409)
        del self.patrons[patron["id"]]

    def set(self, key: str, data: Thing) -> Thing:
        self.settings[key] |= data
        return self.settings[key]

    def add_card(self, patron: Thing, data: Thing) -> Thing:
        key = str(uuid.uuid4())
        self.cards[key] = {"id": key, "label": data["label"], "of": patron["id"]}
        patron["cardCount"] += 1
        return self.shown_card(self.cards[key])

    def shown_card(self, card: Thing) -> Thing:
        return {"id": card["id"], "label": card["label"]}

    def delete_card(self, patron: Thing, card_id: str) -> None:
        del self.cards[card_id]
        patron["cardCount"] -= 1

    def lend(self, data: Thing) -> Thing:
        if self.key in self.keys:
            return self.keys[self.key]
        if not {"patronId", "title"} <= data.keys():
            raise Refusal(400)
        self.check_patron(data["patronId"])
        loan = {"id": str(uuid.uuid4()), **data}
        self.loans[loan["id"]] = loan
        self.owners[loan["id"]] = self.account
        if self.key:
            self.keys[self.key] = loan
        return loan

    def check_patron(self, key: str) -> None:
        if key not in self.patrons or self.owners[key] != self.account:
            raise Refusal(422)

    def check_loan(self, key: str) -> None:
        if key not in self.loans or self.owners[key] != self.account:
            raise Refusal(409)

    def check_state(self, patron: Thing) -> None:
        if patron["state"] != "open":
            raise Refusal(409)
