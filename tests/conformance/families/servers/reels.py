# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `reels.yaml`: what is published needs a file first, and captions have short identifiers."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "reels.yaml"
SUBJECT = subject_of(CONTRACT)
SCHEMAS = request_schemas(SUBJECT)
GONE = 410
PLAYBACK = {"autoplay": False, "volume": 80}


class Reels(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.reels: dict[str, Thing] = {}
        self.deleted: set[str] = set()
        self.files: dict[str, bytes] = {}
        self.captions: dict[tuple[str, str], Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "reels":
                return self.json(self.add(self.read("createReel", body)), 201)
            case "POST", "reels", "batch":
                items = self.read("createReels", body)["items"]
                return self.json({"results": [self.result(*pair) for pair in enumerate(items)]})
            case "GET", "reels", key:
                return self.json(self.find(key))
            case "DELETE", "reels", key:
                self.delete(key)
                return Response(status_code=204)
            case "PUT", "reels", key, "file":
                self.store(self.find(key), body)
                return Response(status_code=204)
            case "GET", "reels", key, "file" if self.find(key) and key in self.files:
                return Response(self.files[key], media_type="application/octet-stream")
            case "PUT", "reels", key, "playback":
                return self.json(self.set_playback(self.find(key), self.read("setPlayback", body)))
            case "POST", "reels", key, "publish":
                return self.json(self.publish(self.find(key)))
            case method, "reels", key, "captions", language:
                return self.caption(method, (self.find(key)["id"], language), body)
        raise Refusal(404)

    def read(self, operation: str, body: bytes) -> Thing:
        return read_object(SUBJECT, SCHEMAS[operation], body)

    def json(self, body: Any, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def find(self, key: str) -> Thing:
        if key in self.deleted:
            raise Refusal(self.status_of_deleted())
        if key not in self.reels:
            raise Refusal(404)
        return self.reels[key]

    def status_of_deleted(self) -> int:
        return GONE

    def add(self, data: Thing) -> Thing:
        key = f"reel_{len(self.reels) + 1:06}"
        self.reels[key] = {
            "id": key,
            **data,
            "state": "draft",
            "version": 1,
            "playback": dict(PLAYBACK),
            "size_bytes": None,
            "sha256": None,
        }
        return self.reels[key]

    def result(self, index: int, item: Thing) -> Thing:
        return {"index": index, "status": 201, "reel": self.add(item)}

    def delete(self, key: str) -> None:
        if key not in self.reels:
            raise Refusal(404)
        if key not in self.deleted and self.reels[key]["state"] == "published":
            raise Refusal(409)
        self.deleted.add(key)

    def store(self, reel: Thing, content: bytes) -> None:
        self.files[reel["id"]] = content
        reel["size_bytes"], reel["sha256"] = len(content), self.digest(content)
        if reel["state"] == "draft":
            reel["state"] = "ready"

    def digest(self, content: bytes) -> str:
        return hashlib.sha256(content).hexdigest()

    def set_playback(self, reel: Thing, data: Thing) -> Thing:
        reel["playback"] = {**PLAYBACK, **data}
        return reel

    def publish(self, reel: Thing) -> Thing:
        if reel["state"] != "ready":
            raise Refusal(409)
        reel["state"] = "published"
        reel["version"] += 1
        return reel

    def caption(self, method: str, key: tuple[str, str], body: bytes) -> Response:
        if method not in ("PUT", "GET", "DELETE"):
            return Response(status_code=405, headers={"Allow": "GET, PUT, DELETE"})
        if not re.fullmatch("[a-z]{2}(-[A-Z]{2})?", key[1]) or (method != "PUT" and key not in self.captions):
            raise Refusal(400 if method == "PUT" else 404)
        match method:
            case "PUT":
                status = self.status_of_caption(is_new=key not in self.captions)
                self.captions[key] = {"language": key[1], **self.read("putCaption", body)}
                return self.json(self.captions[key], status)
            case "DELETE":
                self.remove_caption(key)
                return Response(status_code=204)
        return self.json(self.captions[key])

    def status_of_caption(self, *, is_new: bool) -> int:
        return 201 if is_new else 200

    def remove_caption(self, key: tuple[str, str]) -> None:
        del self.captions[key]
