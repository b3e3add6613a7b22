# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `clinic.yaml`, with seams at which the tests beside it break its promises."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "clinic.yaml"
SUBJECT = subject_of(CONTRACT)
SCHEMAS = request_schemas(SUBJECT)
MEMBERS = {"ward_id", "patient_name", "status", "status_text", "starts_at", "ends_at", "created_by"}
TEXTS = {"en": "Booked", "fr": "Réservé", "de": "Gebucht"}


class Clinic(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.wards: dict[str, Thing] = {}
        self.visits: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        query = dict(request.query_params)
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "wards":
                ward = {"id": self.next_id("wrd"), **self.read("createWard", body)}
                self.wards[ward["id"]] = ward
                return self.json(ward, 201)
            case "GET", "wards", key if key in self.wards:
                return self.json(self.wards[key])
            case "POST", "visits":
                return self.show(self.add(self.read("createVisit", body)), 201)
            case "GET", "visits":
                return self.json({"visits": self.list_visits(query)})
            case "GET", "visits", key:
                visit, language = self.find(key), self.language(request.headers.get("accept-language", ""))
                shown = self.pick({**visit, "status_text": TEXTS[language]}, self.chosen_members(query))
                return self.json({"visit": shown}, language=self.stated_language(language))
            case "PATCH", "visits", key:
                visit = self.find(key)
                visit.update(self.read("changeVisit", body))
                return self.show(visit)
            case "POST", "visits", key, "move":
                return self.show(self.move(self.find(key), self.read("moveVisit", body)["ward_id"]))
        raise Refusal(404)

    def read(self, operation: str, body: bytes) -> Thing:
        return read_object(SUBJECT, SCHEMAS[operation], body)

    def json(self, body: Any, status: int = 200, *, language: str = "") -> Response:
        headers = {"Content-Language": language} if language else None
        return Response(json.dumps(body), status, headers, media_type="application/json")

    def show(self, visit: Thing, status: int = 200) -> Response:
        return self.json({"visit": {**visit, "status_text": TEXTS["en"]}}, status)

    def next_id(self, prefix: str) -> str:
        return f"{prefix}_{len(self.wards) + len(self.visits) + 1:06}"

    def find(self, key: str) -> Thing:
        if key not in self.visits:
            raise Refusal(404)
        return self.visits[key]

    def add(self, data: Thing) -> Thing:
        self.check_ward(data["ward_id"])
        if datetime.fromisoformat(data["ends_at"]) <= datetime.fromisoformat(data["starts_at"]):
            raise Refusal(422)
        visit = {"id": self.next_id("vis"), "status": "booked", "created_by": "usr_7", **data}
        self.visits[visit["id"]] = visit
        return visit

    def check_ward(self, key: str) -> None:
        if key not in self.wards:
            raise Refusal(422)

    def move(self, visit: Thing, ward_id: str) -> Thing:
        self.check_ward(ward_id)
        visit["ward_id"] = ward_id
        return visit

    def language(self, accepted: str) -> str:
        return next((tag for tag in TEXTS if accepted.lower().startswith(tag)), "en")

    def stated_language(self, language: str) -> str:
        return language

    def chosen_members(self, query: dict[str, str]) -> set[str] | None:
        names = set(query["fields"].split(",")) if "fields" in query else None
        if names is not None and not names <= MEMBERS:
            raise Refusal(400)
        return names

    def pick(self, visit: Thing, names: set[str] | None) -> Thing:
        return {name: value for name, value in visit.items() if names is None or name in {*names, "id"}}

    def list_visits(self, query: dict[str, str]) -> list[Thing]:
        names = self.chosen_members(query)
        found = [visit for visit in self.visits.values() if self.fits(visit, query)]
        return [self.pick({**visit, "status_text": TEXTS["en"]}, names) for visit in found]

    def fits(self, visit: Thing, query: dict[str, str]) -> bool:
        start = datetime.fromisoformat(visit["starts_at"])
        try:
            return (
                self.is_from(start, date.fromisoformat(query.get("starts_from", "1000-01-01")))
                and self.is_to(start, date.fromisoformat(query.get("starts_to", "9000-01-01")))
                and start > datetime.fromisoformat(query.get("starts_after", "1000-01-01T00:00:00Z"))
                and self.is_until(
                    start, datetime.fromisoformat(query.get("starts_until", "9000-01-01T00:00:00Z"))
                )
            )
        except (ValueError, TypeError) as error:
            raise Refusal(400) from error

    def is_from(self, start: datetime, day: date) -> bool:
        return start.date() >= day

    def is_to(self, start: datetime, day: date) -> bool:
        return start.date() <= day

    def is_until(self, start: datetime, time: datetime) -> bool:
        return start <= time
