"""The servers: what each does with a body that its contract allows, around one way to read requests."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema_rs
import yaml
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

Things = dict[str, dict[str, Any]]
Given = tuple[int, Any]
Handler = Callable[[Things, str, Any], Given]
"""What an operation does with the things that there are, the id in the path and the body."""


@dataclass(frozen=True, slots=True)
class PlainApp:
    """An ASGI application of a contract beside this file: handlers by operationId."""

    name: str
    handlers: Mapping[str, Handler]
    things: Things = field(default_factory=dict)

    @property
    def contract(self) -> Path:
        """The file of the contract."""
        return Path(__file__).with_name(f"{self.name}.yaml")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        await (await self._response(request))(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        document = yaml.safe_load(self.contract.read_text(encoding="utf-8"))
        for template, item in document["paths"].items():
            found = re.fullmatch(re.sub(r"\{\w+\}", "([^/]+)", template), request.url.path)
            if found is not None:
                operation = item.get(request.method.lower())
                if operation is None:
                    allowed = ", ".join(value.upper() for value in item if value in {"get", "post", "delete"})
                    return Response(status_code=405, headers={"Allow": allowed})
                return await self._carry_out(document, operation, "".join(found.groups()), request)
        return Response(status_code=404)

    async def _carry_out(self, document: Any, operation: Any, key: str, request: Request) -> Response:
        body = None
        if "requestBody" in operation:
            if "application/json" not in request.headers.get("content-type", ""):
                return Response(status_code=415)
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            try:
                body = json.loads(await request.body())
                jsonschema_rs.validate({**schema, "components": document.get("components", {})}, body)
            except (ValueError, RecursionError):
                return Response(status_code=400)
        status, made = self.handlers[operation["operationId"]](self.things, key, body)
        if made is None:
            return Response(status_code=status)
        return Response(json.dumps(made), status_code=status, media_type="application/json")


def _keep(code: int, **members: Any) -> Handler:
    """Return a handler that keeps the body as a new thing, with more members, and returns it."""

    def handler(things: Things, _: str, body: Any) -> Given:
        thing = {**members, **body, "id": f"t{len(things) + 1}"}
        things[thing["id"]] = thing
        return code, thing

    return handler


def _read(things: Things, key: str, _: Any) -> Given:
    return (200, things[key]) if key in things else (404, None)


def _delete(things: Things, key: str, _: Any) -> Given:
    if things.get(key) is None:
        return 404, None
    things.pop(key)
    things[f"{key} was"] = {}  # so that no id comes again
    return 204, None


def _list(things: Things, _: str, __: Any) -> Given:
    return 200, [item for item in things.values() if item]


def _cancel(things: Things, key: str, _: Any) -> Given:
    if key not in things:
        return 404, None
    things[key]["status"] = "cancelled"
    return 200, things[key]


def _count(things: Things, _: str, body: Any) -> Given:
    things[f"t{len(things)}"] = {}
    segments = sum(len(message["segments"]) for message in body["messages"])
    return 201, {"id": f"t{len(things)}", "messages": len(body["messages"]), "segments": segments}


def _line(things: Things, _: str, body: Any) -> Given:
    things[f"t{len(things)}"] = body
    return 201, {"id": f"t{len(things)}", "segments": 1}


def plain_apps() -> Mapping[str, PlainApp]:
    """Return each server anew, by its name."""
    handlers: Mapping[str, Mapping[str, Handler]] = {
        "chat": {"sendMessage": _line},
        "todo": {
            "listTodos": _list,
            "createTodo": _keep(201, done=False),
            "readTodo": _read,
            "deleteTodo": _delete,
        },
        "booking": {
            "createBooking": _keep(201, status="booked"),
            "readBooking": _read,
            "cancelBooking": _cancel,
        },
        "transcripts": {"createTranscript": _count},
        "messages": {
            "sendMessage": _keep(202, status="queued", segments=1, encoding="utf-8"),
            "listMessages": lambda things, *_: (200, {"data": list(things.values())}),
            "retrieveMessage": _read,
        },
    }
    return {name: PlainApp(name, rows) for name, rows in handlers.items()}
