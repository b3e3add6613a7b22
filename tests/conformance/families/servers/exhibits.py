# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `exhibits.yaml`, whose bodies are multipart and XML, with seams at which tests
break its promises.
"""

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from devportal.contract.media_types import media_type_essence
from devportal.contract.validate.json_schema import Direction
from devportal.contract.wire_format.deserialisation import TextReader, parse_multipart
from devportal.contract.wire_format.xml_values import XmlReader, parse_xml
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "exhibits.yaml"
SUBJECT = subject_of(CONTRACT)
TEXTS = TextReader(SUBJECT.api, SUBJECT.validator)
MEDIA_TYPES = {
    operation.id: operation.request_body.content[0]
    for operation in SUBJECT.operations
    if operation.request_body is not None
}


class Exhibits(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.exhibits: dict[str, Thing] = {}
        self.loans: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        match (request.method, *request.scope["path"].strip("/").split("/")):
            case "POST", "exhibits":
                return self.show(self.add_exhibit(self.read("addExhibit", request, body)), 201)
            case "GET", "exhibits", key if key in self.exhibits:
                return self.show(self.exhibits[key])
            case "POST", "loans":
                return self.show(self.add_loan(self.read("addLoan", request, body)), 201)
            case "GET", "loans", key if key in self.loans:
                return self.show(self.loans[key])
            case "PUT", "loans", key if key in self.loans:
                return self.show(self.replace(key, self.read("replaceLoan", request, body)))
        raise Refusal(404)

    def show(self, body: Thing, status: int = 200) -> Response:
        return Response(json.dumps(body), status, media_type="application/json")

    def read(self, operation: str, request: Request, body: bytes) -> Thing:
        media_type = MEDIA_TYPES[operation]
        given = request.headers.get("content-type", "")
        if media_type_essence(given) != media_type.name:
            raise Refusal(415)
        try:
            if media_type.name == "application/xml":
                data = self.read_xml(operation, body)
            else:
                data = TEXTS.read_multipart(media_type.schema, tuple(parse_multipart(given, body)))
        except ValueError as error:
            raise Refusal(400) from error
        if not isinstance(data, dict) or not self.is_valid(operation, data):
            raise Refusal(400)
        return data

    def read_xml(self, operation: str, body: bytes) -> Any:
        if parse_xml(body).name != "loan":
            raise ValueError("another element")
        return XmlReader(SUBJECT.api, TEXTS).read(MEDIA_TYPES[operation].schema, body)

    def is_valid(self, operation: str, data: Thing) -> bool:
        schema = MEDIA_TYPES[operation].schema
        return schema is not None and SUBJECT.validator.is_valid(schema, data, Direction.REQUEST)

    def add_exhibit(self, data: Thing) -> Thing:
        key = f"e{len(self.exhibits) + 1}"
        self.exhibits[key] = {"id": key, **self.of_exhibit(data), "file": f"/files/{key}"}
        return self.exhibits[key]

    def of_exhibit(self, data: Thing) -> Thing:
        return data

    def add_loan(self, data: Thing) -> Thing:
        key = f"l{len(self.loans) + 1}"
        self.loans[key] = {"id": key, **self.of_loan(data)}
        return self.loans[key]

    def of_loan(self, data: Thing) -> Thing:
        return data

    def replace(self, key: str, data: Thing) -> Thing:
        self.loans[key] = {"id": key, **data}
        return self.loans[key]
