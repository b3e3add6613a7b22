# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `halls.yaml`: a hall has one booking on a day, so that the same request is accepted once."""

import json
import re
import uuid
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "halls.yaml"
SUBJECT = subject_of(CONTRACT)
SCHEMAS = request_schemas(SUBJECT)
FEATURES = {"stage", "bar", "piano"}
OPEN = ("requested", "confirmed")
SEATS = 20


class Halls(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.halls: dict[str, Thing] = {}
        self.bookings: dict[str, Thing] = {}
        self.responses: dict[str, tuple[Thing, Thing]] = {}
        self.last_number = 0

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "halls":
                return self.json(self.show_hall(self.add_hall(self.read("createHall", body))), 201)
            case "GET", "halls":
                found = self.list_halls(request)
                response = self.json({"halls": [self.show_hall(hall) for hall in found]})
                response.headers["X-Request-Id"] = self.request_id(request.headers.get("x-request-id", ""))
                return response
            case "GET", "halls", key if key in self.halls:
                return self.json(self.show_hall(self.halls[key]))
            case "POST", "halls", key, "archive" if key in self.halls:
                self.archive(self.halls[key])
                return self.json(self.show_hall(self.halls[key]))
            case "POST", "bookings":
                key = request.headers.get("idempotency-key", "")
                return self.json(self.book(self.read("createBooking", body), key), 201)
            case "GET", "bookings":
                return self.json({"bookings": self.list_bookings(dict(request.query_params))})
        return self.respond_beside(request.method, request.scope["path"].strip("/").split("/"), body)

    def respond_beside(self, method: str, path: list[str], body: bytes) -> Response:
        match (method, *path):
            case "POST", "bookings", "search":
                return self.json({"bookings": self.search(self.read("searchBookings", body))})
            case "POST", "bookings", "cancel":
                ids = self.read("cancelBookings", body)["booking_ids"]
                return self.json(self.summarise([self.cancel_one(key) for key in ids]))
            case "GET", "bookings", key:
                return self.json(self.find(key))
            case "PATCH", "bookings", key:
                return self.json(self.change(self.find(key), self.read("changeBooking", body)))
            case "POST", "bookings", key, "confirm":
                return self.json(self.confirm(self.find(key)))
            case "POST", "bookings", key, "cancel":
                return self.json(self.cancel(self.find(key)))
        raise Refusal(404)

    def request_id(self, given: str) -> str:
        is_usable = re.fullmatch("[A-Za-z0-9-]{8,60}", given) is not None
        return given if is_usable else uuid.uuid4().hex

    def read(self, operation: str, body: bytes) -> Thing:
        return read_object(SUBJECT, SCHEMAS[operation], body)

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def next_id(self, prefix: str) -> str:
        self.last_number += 1
        return f"{prefix}_{self.last_number:06}"

    def find(self, key: str) -> Thing:
        if key not in self.bookings:
            raise Refusal(404)
        return self.bookings[key]

    def add_hall(self, data: Thing) -> Thing:
        hall = {"hall_id": self.next_id("hal"), "features": [], "archived": False, **data}
        self.halls[hall["hall_id"]] = hall
        return hall

    def show_hall(self, hall: Thing) -> Thing:
        booked = [each for each in self.bookings.values() if each["hall_id"] == hall["hall_id"]]
        return {**hall, "open_bookings": self.count_open(booked)}

    def count_open(self, bookings: list[Thing]) -> int:
        return sum(1 for each in bookings if each["status"] in OPEN)

    def archive(self, hall: Thing) -> None:
        hall["archived"] = True

    def list_halls(self, request: Request) -> list[Thing]:
        wanted = request.query_params.getlist("feature")
        shown = request.query_params.get("include_archived", "false")
        if shown not in ("true", "false") or not FEATURES.issuperset(wanted):
            raise Refusal(400)
        halls = [hall for hall in self.halls.values() if shown == "true" or not hall["archived"]]
        return [hall for hall in halls if self.has_features(hall, wanted)]

    def has_features(self, hall: Thing, wanted: list[str]) -> bool:
        return all(feature in hall["features"] for feature in wanted)

    def book(self, data: Thing, key: str) -> Thing:
        if key and key in self.responses:
            sent, booking = self.responses[key]
            return booking if sent == data else self.refuse_key()
        if data["hall_id"] not in self.halls or data["last_day"] < data["first_day"] or data["seats"] > SEATS:
            raise Refusal(422)
        if any(self.overlaps(each, data) for each in self.bookings.values()):
            raise Refusal(409)
        booking = {"booking_id": self.next_id("bkg"), **data, "status": "requested", "confirmed_at": None}
        self.bookings[booking["booking_id"]] = booking
        self.responses[key] = data, dict(booking)
        return booking

    def refuse_key(self) -> Thing:
        raise Refusal(422)

    def overlaps(self, other: Thing, data: Thing) -> bool:
        is_same = other["hall_id"] == data["hall_id"] and other["status"] != "cancelled"
        return bool(
            is_same and other["first_day"] <= data["last_day"] and data["first_day"] <= other["last_day"]
        )

    def change(self, booking: Thing, data: Thing) -> Thing:
        if data.get("last_day", booking["last_day"]) < booking["first_day"]:
            raise Refusal(422)
        booking.update(data)
        return booking

    def confirm(self, booking: Thing) -> Thing:
        if booking["status"] != "requested":
            raise Refusal(409)
        booking["status"] = "confirmed"
        booking["confirmed_at"] = datetime.now(UTC).isoformat()
        return booking

    def cancel(self, booking: Thing) -> Thing:
        if booking["status"] not in OPEN:
            raise Refusal(409)
        booking["status"] = "cancelled"
        return booking

    def cancel_one(self, key: str) -> Thing:
        is_open = key in self.bookings and self.bookings[key]["status"] in OPEN
        if is_open:
            self.cancel(self.bookings[key])
        return {"booking_id": key, "cancelled": is_open}

    def summarise(self, results: list[Thing]) -> Thing:
        return {"results": results, "cancelled_count": sum(each["cancelled"] for each in results)}

    def search(self, data: Thing) -> list[Thing]:
        if "cursor" in data:
            raise Refusal(400)
        found = [each for each in self.bookings.values() if self.is_sought(each, data)]
        return found[::-1][: data.get("limit", 30)]

    def is_sought(self, booking: Thing, data: Thing) -> bool:
        has_state = booking["status"] in data.get("statuses", [booking["status"]])
        return has_state and data.get("text", "").lower() in booking["guest"].lower()

    def list_bookings(self, query: dict[str, str]) -> list[Thing]:
        first, seats = query.get("from", "1000-01-01"), query.get("seats_min", "1")
        if not re.fullmatch("[1-9][0-9]*", seats):
            raise Refusal(400)
        try:
            day = date.fromisoformat(first)
        except ValueError as error:
            raise Refusal(400) from error
        part, order = query.get("guest_contains"), query.get("sort", self.default_order())
        hall_id = query.get("hall_id")
        if hall_id is not None and not re.fullmatch("hal_[0-9]{6}", hall_id):
            raise Refusal(400)
        if part == "" or order not in ("first_day", "-first_day"):
            raise Refusal(400)
        found = [
            each
            for each in self.bookings.values()
            if self.fits(each, day, int(seats))
            and self.has_part(each, part or "")
            and hall_id in (None, each["hall_id"])
        ]
        return sorted(found, key=lambda each: str(each["first_day"]), reverse=order.startswith("-"))

    def default_order(self) -> str:
        return "-first_day"

    def has_part(self, booking: Thing, part: str) -> bool:
        return part.lower() in booking["guest"].lower()

    def fits(self, booking: Thing, first: date, seats: int) -> bool:
        return date.fromisoformat(booking["first_day"]) >= first and booking["seats"] >= seats
