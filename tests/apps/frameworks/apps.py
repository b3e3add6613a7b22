"""The servers: orders kept in the way of a framework, around one way to read requests."""

import json
import re
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID, uuid4

import jsonschema_rs
import yaml
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

SECRET = "5f2a0c77d1e94b3a"
_NUMBER = re.compile(r"-?[0-9]{1,10}")
GREATEST = 2**31 - 1


class InvalidInput(Exception):
    """A value that is not as the contract has it: the name of its member."""


class FrameworkApp:
    """An ASGI application with a list of orders, one of them, its creation and its deletion."""

    name: ClassVar[str]
    scheme: ClassVar[str] = ""
    """The scheme before the token; empty if everybody may call."""
    path: ClassVar[str]
    media_types: ClassVar[str] = r"application/json"

    def __init__(self) -> None:
        """Begin without orders."""
        document = yaml.safe_load(self.contract.read_text(encoding="utf-8"))
        self.schema = document["components"]["schemas"]["NewOrder"]
        self.orders: dict[str, dict[str, Any]] = {}

    @property
    def contract(self) -> Path:
        """The file of the contract."""
        return Path(__file__).with_name(f"{self.name}.yaml")

    @property
    def token(self) -> str:
        """The token as it is given to a run."""
        return f"{self.scheme} {SECRET}".strip() if self.scheme else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        await (await self.respond(request))(scope, receive, send)

    async def respond(self, request: Request) -> Response:
        """Return the response to a request."""
        found = re.fullmatch(re.escape(self.path.rstrip("/")) + r"(?:/([^/]+))?/?", request.url.path)
        if found is None or request.url.path.endswith("/") != self.path.endswith("/"):
            return self.error(request, 404)
        methods = ("GET", "DELETE") if found[1] else ("GET", "POST")
        if request.method not in methods:
            return self.error(request, 405, headers={"Allow": ", ".join(methods)})
        if self.scheme and not self._is_authorised(request):
            return self.error(request, 401, headers={"WWW-Authenticate": self.scheme})
        try:
            if found[1]:
                return self._respond_about_one(request, found[1])
            return await self._create(request) if request.method == "POST" else self.page(request)
        except InvalidInput as error:
            return self.error(request, 400, member=str(error))

    def error(
        self, request: Request, status: int, *, member: str = "", headers: dict[str, str] | None = None
    ) -> Response:
        """Return an error in the way of the framework."""
        raise NotImplementedError

    def page(self, request: Request) -> Response:
        """Return a page of the orders in the way of the framework."""
        raise NotImplementedError

    def number(self, request: Request, name: str, usual: int, least: int, most: int = GREATEST) -> int:
        """Return a number of the query."""
        text = request.query_params.get(name, str(usual))
        if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
            raise InvalidInput(name)
        return int(text)

    def _is_authorised(self, request: Request) -> bool:
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == self.scheme.lower() and secret == SECRET

    def _respond_about_one(self, request: Request, key: str) -> Response:
        try:
            order_id = str(UUID(key))
        except ValueError:
            raise InvalidInput("id") from None
        if order_id != key or key not in self.orders:
            return self.error(request, 404)
        if request.method == "DELETE":
            del self.orders[key]
            return Response(status_code=204)
        return JSONResponse(self.orders[key])

    async def _create(self, request: Request) -> Response:
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if not re.fullmatch(self.media_types, media_type):
            return self.error(request, 415)
        try:
            body = json.loads((await request.body()).decode())
            json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            jsonschema_rs.validate(_without_nullable(self.schema), body)
        except (ValueError, RecursionError):
            raise InvalidInput("body") from None
        known = {name: body[name] for name in self.schema["properties"] if name in body}
        order = {"id": str(uuid4()), **known}
        self.orders[order["id"]] = order
        return JSONResponse(order, 201)


def _without_nullable(schema: Any) -> Any:
    """Return a schema of OAS 3.0 as JSON Schema."""
    if isinstance(schema, list):
        return [_without_nullable(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {
        name: _without_nullable(value) for name, value in schema.items() if name not in ("nullable", "format")
    }
    return {**rest, "type": [schema["type"], "null"]} if schema.get("nullable") is True else rest


class AspNet(FrameworkApp):
    """ProblemDetails with a `traceId`, `text/json` and `application/*+json` bodies, errors without a body."""

    name = "aspnet"
    scheme = "Bearer"
    path = "/api/Orders"
    media_types = r"(application|text)/json|application/.+\+json"

    def error(
        self, request: Request, status: int, *, member: str = "", headers: dict[str, str] | None = None
    ) -> Response:
        """Return ProblemDetails; nothing for what the routing and the authentication reject."""
        if status in (401, 405) or (status == 404 and not request.url.path.startswith(f"{self.path}/")):
            return Response(status_code=status, headers=headers)
        problem = {
            "type": "https://tools.ietf.org/html/rfc9110#section-15.5",
            "title": HTTPStatus(status).phrase,
            "status": status,
            "traceId": f"00-{uuid4().hex}-{uuid4().hex[:16]}-00",
            **({"errors": {member: [f"The field {member} is invalid."]}} if member else {}),
        }
        return JSONResponse(problem, status, headers, media_type="application/problem+json")

    def page(self, request: Request) -> Response:
        """Return an array; pages are counted from 1."""
        number = self.number(request, "pageNumber", 1, 1)
        size = self.number(request, "pageSize", 20, 1, 50)
        return JSONResponse(list(self.orders.values())[(number - 1) * size : number * size])


class Spring(FrameworkApp):
    """`timestamp`, `status`, `error` and `path` in each error, pages counted from 0, no credential."""

    name = "spring"
    path = "/api/orders"

    def error(
        self,
        request: Request,
        status: int,
        *,
        member: str = "",  # noqa: ARG002 - this framework does not name it
        headers: dict[str, str] | None = None,
    ) -> Response:
        """Return the error attributes."""
        attributes = {
            "timestamp": "2026-11-27T09:30:00.000+00:00",
            "status": status,
            "error": HTTPStatus(status).phrase,
            "path": request.url.path,
        }
        return JSONResponse(attributes, status, headers)

    def page(self, request: Request) -> Response:
        """Return a page with its numbers."""
        number = self.number(request, "page", 0, 0)
        size = self.number(request, "size", 20, 1, 50)
        content = list(self.orders.values())[number * size : (number + 1) * size]
        total = len(self.orders)
        page = {"totalElements": total, "totalPages": -(-total // size), "size": size, "number": number}
        return JSONResponse({**page, "content": content})


class Django(FrameworkApp):
    """`detail`, or the errors of each field; trailing slashes, and pages with `count` and `next`."""

    name = "django"
    scheme = "Token"
    path = "/api/orders/"
    page_size: ClassVar[int] = 10

    def error(
        self,
        request: Request,  # noqa: ARG002 - this framework does not name it
        status: int,
        *,
        member: str = "",
        headers: dict[str, str] | None = None,
    ) -> Response:
        """Return the errors of a field, or a sentence."""
        body = {member: ["Enter a valid value."]} if member else {"detail": f"{HTTPStatus(status).phrase}."}
        return JSONResponse(body, status, headers)

    def page(self, request: Request) -> Response:
        """Return a page with links; one that does not exist is 404."""
        text = request.query_params.get("page", "1")
        number = int(text) if _NUMBER.fullmatch(text) else 0
        if number < 1 or (number > 1 and (number - 1) * self.page_size >= len(self.orders)):
            return self.error(request, 404)
        end = number * self.page_size
        body = {
            "count": len(self.orders),
            "next": self._link(request.url, number + 1) if end < len(self.orders) else None,
            "previous": self._link(request.url, number - 1) if number > 1 else None,
            "results": list(self.orders.values())[end - self.page_size : end],
        }
        return JSONResponse(body)

    def _link(self, url: URL, number: int) -> str:
        return str(url.include_query_params(page=number))


FRAMEWORKS: dict[str, type[FrameworkApp]] = {item.name: item for item in (AspNet, Spring, Django)}
"""The servers by the names of their contracts."""
