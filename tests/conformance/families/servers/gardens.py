# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `gardens.yaml`, with seams at which tests break its promises."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "gardens.yaml"
SUBJECT = subject_of(CONTRACT)
SCHEMAS = request_schemas(SUBJECT)


class Gardens(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.gardens: dict[int, Thing] = {}
        self.plants: list[Thing] = []
        self.beds: dict[int, Thing] = {}
        self.last_number = 0

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "gardens":
                return self.show(self.add_garden(self.read("createGarden", body)), 201)
            case "GET", "gardens":
                return self.json(self.page(dict(request.query_params)))
            case "POST", "gardens", key if key.endswith(":archive"):
                garden = self.find(key.removesuffix(":archive"))
                return self.show(self.archive(garden))
            case "GET", "gardens", key:
                return self.show(self.find(key))
            case "PATCH", "gardens", key:
                garden, data = self.find(key), self.read("changeGarden", body)
                self.check_version(garden, data.pop("version"))
                self.change(garden, data)
                self.raise_version(garden)
                return self.show(self.find(key))
            case "DELETE", "gardens", key:
                del self.gardens[self.find(key)["id"]]
                return Response(status_code=204)
            case "POST", "gardens", key, "water":
                return self.show(self.water(self.find(key)))
            case "GET", "gardens", key, "plants":
                return self.json(self.plants_of(self.find(key)["id"]))
            case "POST", "gardens", key, "plants":
                garden_id = self.find(key)["id"]
                return self.json(self.add_plant(garden_id, self.read("addPlant", body)), 201)
        return self.respond_beside(request, body)

    def respond_beside(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "gardens", key, "rain":
                return self.json({"timesWatered": self.rain(self.find(key)), "notes": "It rains."})
            case "GET", "beds":
                return self.json(self.list_beds(dict(request.query_params)))
            case "POST", "beds":
                data = self.read("createBed", body)
                if data["gardenId"] not in self.gardens:
                    raise Refusal(422)
                bed = {"id": self.next_number(), **data, "status": "planned"}
                self.beds[bed["id"]] = bed
                return self.json(self.bed(bed), 201)
            case "GET", "beds", key if is_number(key) and int(key) in self.beds:
                return self.json(self.bed(self.beds[int(key)]))
            case "POST", "beds", key, "plant" if is_number(key) and int(key) in self.beds:
                self.plant(self.beds[int(key)])
                return self.json(self.bed(self.beds[int(key)]))
            case "DELETE", "beds", key if is_number(key) and int(key) in self.beds:
                self.delete_bed(int(key))
                return Response(status_code=204)
        raise Refusal(404)

    def list_beds(self, query: dict[str, str]) -> Thing:
        garden_id, status = query.get("gardenId"), query.get("status")
        is_wrong = garden_id is not None and not is_number(garden_id)
        if is_wrong or status not in (None, "planned", "planted"):
            raise Refusal(400)
        beds = [bed for bed in self.beds.values() if self.is_in_garden(bed, garden_id)]
        found = [self.bed(bed) for bed in beds if status is None or self.has_status(bed, status)]
        return {"items": found, "total": self.total(found)}

    def plant(self, bed: Thing) -> None:
        bed["status"] = "planted"

    def has_status(self, bed: Thing, status: str) -> bool:
        return bool(bed["status"] == status)

    def bed(self, bed: Thing) -> Thing:
        return {name: bed[name] for name in ("id", "title", "status")}

    def is_in_garden(self, bed: Thing, garden_id: str | None) -> bool:
        return garden_id is None or bed["gardenId"] == int(garden_id)

    def delete_bed(self, key: int) -> None:
        del self.beds[key]

    def read(self, operation: str, body: bytes) -> Thing:
        return read_object(SUBJECT, SCHEMAS[operation], body)

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def show(self, garden: Thing, status: int = 200) -> Response:
        return self.json(self.representation(garden), status)

    def representation(self, garden: Thing) -> Thing:
        return {
            **garden,
            "bedCount": self.count_beds(garden["id"]),
            "plantCount": len(self.plants_of(garden["id"])),
        }

    def count_beds(self, key: int) -> int:
        return sum(bed["gardenId"] == key for bed in self.beds.values())

    def now(self) -> str:
        return datetime.now(UTC).isoformat().replace("+00:00", "Z")

    def next_number(self) -> int:
        self.last_number += 1
        return self.last_number

    def find(self, key: str) -> Thing:
        if not is_number(key) or int(key) not in self.gardens:
            raise Refusal(404)
        return self.gardens[int(key)]

    def add_garden(self, data: Thing) -> Thing:
        key = self.next_number()
        garden = {
            "id": key, "kind": "wild", "labels": {}, "version": 1, "isArchived": False, "archivedAt": None,
            "timesWatered": 0, "createdAt": self.now(), **data,
        }  # fmt: skip
        self.gardens[key] = garden
        return garden

    def check_version(self, garden: Thing, version: int) -> None:
        if garden["version"] != version:
            raise Refusal(409)

    def raise_version(self, garden: Thing) -> None:
        garden["version"] += 1

    def change(self, garden: Thing, data: Thing) -> None:
        labels = {**garden["labels"], **data.get("labels", {})}
        garden.update({**data, "labels": labels})

    def archive(self, garden: Thing) -> Thing:
        if garden["isArchived"]:
            raise Refusal(409)
        garden.update(isArchived=True, archivedAt=self.now())
        return garden

    def water(self, garden: Thing) -> Thing:
        garden["timesWatered"] += 1
        return garden

    def rain(self, garden: Thing) -> int:
        garden["timesWatered"] += 1
        return int(garden["timesWatered"])

    def add_plant(self, garden_id: int, data: Thing) -> Thing:
        plant = {"id": self.next_number(), **data, "gardenId": garden_id}
        self.plants.append(plant)
        return {name: value for name, value in plant.items() if name != "gardenId"}

    def plants_of(self, garden_id: int) -> list[Thing]:
        return [
            {name: value for name, value in plant.items() if name != "gardenId"}
            for plant in self.plants
            if plant["gardenId"] == garden_id
        ]

    def page(self, query: dict[str, str]) -> Thing:
        number, limit = (query.get(name, default) for name, default in (("page", "1"), ("limit", "20")))
        if not (is_number(number) and is_number(limit) and int(number) and 1 <= int(limit) <= 50):
            raise Refusal(400)
        text = query.get("q")
        if text is not None and not 2 <= len(text) <= 80:
            raise Refusal(400)
        found = [
            self.representation(garden)
            for garden in self.gardens.values()
            if text is None or self.holds(garden, text)
        ]
        end = int(number) * int(limit)
        return {"items": found[end - int(limit) : end], "total": self.total(found)}

    def total(self, items: list[Thing]) -> int:
        return len(items)

    def holds(self, garden: Thing, text: str) -> bool:
        return text.casefold() in f"{garden['name']}\n{garden.get('notes', '')}".casefold()


def is_number(text: str) -> bool:
    """Return whether a text is a whole number of ASCII digits that is not very long."""
    return text.isascii() and text.isdecimal() and len(text) < 20
