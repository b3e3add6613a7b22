"""What the servers of these tests have in common: requests become responses, or refusals with a status."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Schema
from devportal.contract.validate.json_schema import Direction

Thing = dict[str, Any]


class Refusal(Exception):
    """A response that is a problem document."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Server:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response to a request, whether it is accepted or refused."""
        request = Request(scope, receive)
        body = await request.body()
        try:
            response = self.respond(request, body)
        except Refusal as refusal:
            response = self.refuse(refusal.status)
        await response(scope, receive, send)

    def respond(self, request: Request, body: bytes) -> Response:
        """Return the response to a request. Raises Refusal."""
        raise NotImplementedError

    def refuse(self, status: int) -> Response:
        """Return the problem document of a refusal."""
        return Response(json.dumps({"title": "Refused"}), status, media_type="application/problem+json")


def request_schemas(subject: Subject) -> dict[str, Schema | None]:
    """Return the schema of the first media type of each request body, by operationId."""
    return {
        operation.id: operation.request_body.content[0].schema
        for operation in subject.operations
        if operation.request_body is not None
    }


def read_object(subject: Subject, schema: Schema | None, body: bytes) -> Thing:
    """Return a JSON body that is an object and valid by its schema. Raises Refusal."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refusal(400) from error
    if schema is None or not subject.validator.is_valid(schema, data, Direction.REQUEST):
        raise Refusal(400)
    if not isinstance(data, dict):
        raise Refusal(400)
    return data
