# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The good server of `folders.yaml`, with seams at which tests break its promises."""

import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = Path(__file__).parent / "folders.yaml"


class Folders(Server):
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.folders: dict[str, Thing] = {}
        self.files: dict[str, Thing] = {}

    def refuse(self, status: int) -> Response:
        return Response(status_code=status)

    def respond(self, request: Request, body: bytes) -> Response:
        return self.respond_to(request, json.loads(body) if body else {})

    def respond_to(self, request: Request, data: Thing) -> Response:
        match [request.method, *request.url.path.strip("/").split("/")]:
            case ["GET", "folders"]:
                return self.json(
                    [self.show(folder) for folder in self.folders.values() if self.is_listed(folder)]
                )
            case ["POST", "folders"]:
                return self.json(self.show(self.create(self.attributes(data))), 201)
            case ["GET", "files", key] if key in self.files:
                return self.json(self.show_file(self.files[key]))
            case ["DELETE", "files", key] if key in self.files:
                self.delete_file(key)
                return Response(status_code=204)
            case [method, "folders", key, *rest] if key in self.folders:
                return self.respond_about(self.folders[key], [method, *rest], data)
        raise Refusal(404)

    def respond_about(self, folder: Thing, steps: list[str], data: Thing) -> Response:
        match steps:
            case ["GET"]:
                return self.json(self.show(folder))
            case ["PATCH"]:
                self.check_change(folder)
                self.check_name(self.attributes(data), folder)
                folder |= self.attributes(data)
                return self.json(self.show(folder))
            case ["POST", "trash"]:
                self.move(folder, "active", {"state": "trashed", "trashedAt": self.now()})
                return self.json(self.show(folder))
            case ["POST", "restore"]:
                self.move(folder, "trashed", self.restored_members())
                return self.json(self.show(folder))
            case ["GET", "files"]:
                return self.json([self.show_file(file) for file in self.files_in(folder)])
            case ["POST", "files"]:
                self.check_addition(folder)
                file = {"id": str(uuid.uuid4()), "folder": folder["id"], **self.attributes(data)}
                self.files[file["id"]] = file
                return self.json(self.show_file(file), 201)
        raise Refusal(404)

    def attributes(self, data: Thing) -> Thing:
        attributes = data.get("data", {}).get("attributes")
        if not isinstance(attributes, dict) or set(attributes) - {"name", "title", "bytes"}:
            raise Refusal(422)
        return attributes

    def now(self) -> str:
        return datetime.now(UTC).isoformat().replace("+00:00", "Z")

    def create(self, attributes: Thing) -> Thing:
        self.check_new_name(attributes)
        folder = {"id": str(uuid.uuid4()), **attributes, "state": "active", "trashedAt": None}
        self.folders[folder["id"]] = folder
        return folder

    def check_new_name(self, attributes: Thing) -> None:
        self.check_name(attributes, {})

    def check_name(self, attributes: Thing, own: Thing) -> None:
        others = [folder["name"] for folder in self.folders.values() if folder is not own]
        if attributes.get("name") in others:
            raise Refusal(409)

    def check_change(self, folder: Thing) -> None:
        if folder["state"] == "trashed":
            raise Refusal(409)

    def check_addition(self, folder: Thing) -> None:
        self.check_change(folder)

    def move(self, folder: Thing, before: str, after: Thing) -> None:
        if folder["state"] != before:
            raise Refusal(409)
        folder |= after

    def restored_members(self) -> Thing:
        return {"state": "active", "trashedAt": None}

    def is_listed(self, folder: Thing) -> bool:
        return bool(folder["state"] == "active")

    def files_in(self, folder: Thing) -> list[Thing]:
        return [file for file in self.files.values() if file["folder"] == folder["id"]]

    def delete_file(self, key: str) -> None:
        del self.files[key]

    def total(self, folder: Thing) -> int:
        return sum(int(file["bytes"]) for file in self.files_in(folder))

    def show(self, folder: Thing) -> Thing:
        attributes = {name: value for name, value in folder.items() if name != "id"}
        return {
            "type": "folders",
            "id": folder["id"],
            "attributes": {**attributes, "totalBytes": self.total(folder)},
        }

    def show_file(self, file: Thing) -> Thing:
        return {
            "type": "files",
            "id": file["id"],
            "attributes": {"title": file["title"], "bytes": file["bytes"]},
        }

    def json(self, data: Any, status: int = 200) -> Response:
        return JSONResponse({"data": data}, status, media_type="application/vnd.api+json")
