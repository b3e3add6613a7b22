# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""The good server of `parcels.yaml` in Starlette, with seams at which `faulty.py` breaks its promises."""

import json
import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

TOKEN = "parcels-secret-token-7391"
NOT_CARRIED = {("DE", 13)}
"""Valid requests that a business rule refuses: destination and weight."""
ALLOWED = {"/v1/parcels": ("POST",), "/v1/parcels/": ("GET", "HEAD"), "/v1/health": ("GET", "HEAD")}


class Refusal(Exception):
    """An answer that is a problem document."""

    def __init__(self, status: int, kind: str, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.headers = status, kind, detail, headers or {}


class Parcels:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.parcels: dict[str, dict[str, Any]] = {"pcl_example": self.parcel("pcl_example", "GB", 420)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        request_id = uuid.uuid4().hex
        try:
            response = await self.answer(request)
        except Refusal as refusal:
            response = self.problem(refusal, request_id)
        self.stamp(response, request_id)
        await response(scope, receive, send)

    def stamp(self, response: Response, request_id: str) -> None:
        response.headers["X-Request-Id"] = request_id

    async def answer(self, request: Request) -> Response:
        path = request.url.path
        prefix = "/v1/parcels/" if path.startswith("/v1/parcels/") else path
        handlers = {"/v1/parcels": self.register, "/v1/parcels/": self.read, "/v1/health": self.health}
        if prefix not in handlers:
            raise Refusal(404, "not-found", "There is nothing here.")
        if request.method not in ALLOWED[prefix]:
            return await self.wrong_method(request, ALLOWED[prefix])
        return await handlers[prefix](request)

    async def wrong_method(self, request: Request, allowed: tuple[str, ...]) -> Response:
        raise Refusal(405, "method", f"No {request.method} here.", {"Allow": ", ".join(allowed)})

    async def register(self, request: Request) -> Response:
        self.authenticate(request)
        self.media_type(request)
        data = self.parse(await request.body())
        self.validate(data)
        if (data["destination"], data["weight_g"]) in NOT_CARRIED:
            raise Refusal(422, "not-carried", "That parcel is not carried.")
        parcel = self.parcel(self.new_id(), data["destination"], data["weight_g"])
        self.parcels[parcel["id"]] = parcel
        return self.created_response(parcel)

    def authenticate(self, request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token.strip() != TOKEN:
            raise Refusal(401, "unauthenticated", "No valid token.", {"WWW-Authenticate": "Bearer"})

    def media_type(self, request: Request) -> None:
        given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if given != "application/json":
            raise Refusal(415, "media-type", "Send application/json.")

    def parse(self, body: bytes) -> Any:
        try:
            return json.loads(body.decode("utf-8"), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise Refusal(400, "malformed", "The body is not JSON.") from error

    def validate(self, data: Any) -> None:
        if not isinstance(data, dict) or not _is_parcel(data):
            raise Refusal(422, "invalid", "The body does not fit.")

    def new_id(self) -> str:
        return f"pcl_{uuid.uuid4().hex}"

    def parcel(self, key: str, destination: str, weight_g: int) -> dict[str, Any]:
        return {"id": key, "state": "registered", "destination": destination, "weight_g": int(weight_g)}

    def created_response(self, parcel: dict[str, Any]) -> Response:
        return self.json(parcel, 201)

    async def read(self, request: Request) -> Response:
        self.authenticate(request)
        found = self.parcels.get(request.url.path.removeprefix("/v1/parcels/"))
        if found is None:
            raise Refusal(404, "no-parcel", "There is no such parcel.")
        return self.json(found, 200)

    async def health(self, request: Request) -> Response:
        return self.json({"status": "ok"}, 200)

    def problem(self, refusal: Refusal, request_id: str) -> Response:
        body = {
            "type": f"https://parcels.example/errors/{refusal.kind}",
            "title": refusal.kind,
            "status": refusal.status,
            "detail": refusal.detail,
            "request_id": request_id,
        }
        return self.json(body, refusal.status, "application/problem+json", refusal.headers)

    def json(
        self, body: Any, status: int, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> Response:
        return Response(json.dumps(body), status_code=status, media_type=kind, headers=headers)


def _is_parcel(data: dict[str, Any]) -> bool:
    weight, note = data.get("weight_g"), data.get("note", "")
    whole = isinstance(weight, (int, float)) and not isinstance(weight, bool) and weight % 1 == 0
    return (
        set(data) <= {"destination", "weight_g", "note"}
        and data.get("destination") in ("GB", "FR", "DE")
        and whole
        and 1 <= int(weight or 0) <= 30000
        and isinstance(note, str)
        and len(note) <= 80
    )


def _refuse(constant: str) -> None:
    raise ValueError(constant)
