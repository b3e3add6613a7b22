# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Operations with JSON and XML."""

import json
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.http import accept
from devportal.conformance.families.responses import documented_responses
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Wards, version: "1"}
paths:
  /ward:
    get:
      operationId: getWard
      responses:
        "200":
          description: A ward.
          content:
            application/json: {schema: {$ref: '#/components/schemas/Ward'}}
            application/xml: {schema: {$ref: '#/components/schemas/Ward'}}
        "406": {description: Not available.}
components:
  schemas:
    Ward:
      type: object
      required: [name, beds, opened_at]
      properties:
        name: {type: string}
        beds: {type: integer}
        opened_at: {type: string, format: date-time}
        note: {type: string}
"""
WARD = {"name": "Zoë & Söhne", "beds": 12, "opened_at": "2026-11-27T12:00:00Z", "note": "new"}
JSON, XML = "application/json", "application/xml"


class Wards:
    """An ASGI application. Each method is a promise; a faulty server overrides one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        weights = self.weights(Request(scope, receive).headers.get("accept", "*/*"))
        kind = max((JSON, XML), key=lambda name: weights.get(name, 0.0))
        response = (
            Response(self.body(kind), media_type=kind, headers=self.headers())
            if weights.get(kind, 0.0) > 0 and self.has(kind)
            else Response(status_code=406)
        )
        await response(scope, receive, send)

    def weights(self, header: str) -> dict[str, float]:
        found: dict[str, float] = {}
        for part in header.lower().split(","):
            name, _, weight = part.strip().partition(";q=")
            if (name.count("/") == 1 and weight.replace(".", "").isdigit()) or not weight:
                for kind in (JSON, XML) if name in ("*/*", "application/*") else (name,):
                    found.setdefault(kind, float(weight or 1))
        return found

    def has(self, kind: str) -> bool:
        return True

    def headers(self) -> dict[str, str]:
        return {}

    def body(self, kind: str) -> bytes:
        return json.dumps(WARD).encode() if kind == JSON else self.xml().encode()

    def xml(self) -> str:
        members = "".join(f"<{name}>{self.text(value)}</{name}>" for name, value in WARD.items())
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<Ward xmlns="urn:wards">{members}</Ward>'

    def text(self, value: object) -> str:
        return escape(str(value))


class Attributes(Wards):
    """Writes the values as attributes, and leaves out what is optional: it may."""

    def xml(self) -> str:
        return '<Ward name="Zo&#235; &amp; S&#xF6;hne" beds="12"><opened>2026-11-27</opened></Ward>'


class WithoutXml(Wards):
    def has(self, kind: str) -> bool:
        return kind == JSON


class Unescaped(Wards):
    def text(self, value: object) -> str:
        return str(value)


class OtherValues(Wards):
    def text(self, value: object) -> str:
        return super().text(value).replace("ë", "e")


class IsStored(Wards):
    """Lets caches store responses, which vary."""

    def headers(self) -> dict[str, str]:
        return {"Cache-Control": "public, max-age=60", "Vary": "Origin, accept"}


class IsStoredAlike(Wards):
    def headers(self) -> dict[str, str]:
        return {"Cache-Control": "public, max-age=60"}


class Latin(Wards):
    def body(self, kind: str) -> bytes:
        return super().body(kind).decode().encode("latin-1")


def titles(app: Wards, tmp_path: Path) -> set[str]:
    """Return the titles of what both families find wrong, all of it confirmed."""
    contract = tmp_path / "wards.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")
    failures = [
        failure
        for family in (accept.FAMILY, documented_responses.FAMILY)
        for failure in run_family(family, app, subject_of(contract)).failures
    ]
    return {failure.title for failure in failures if failure.fails}


@pytest.mark.parametrize("app", [Wards, Attributes, IsStored])
def test_both_media_types_may_be_asked_for(app: type[Wards], tmp_path: Path) -> None:
    """XML is documented: an Accept with it can be met."""
    assert titles(app(), tmp_path) == set()


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (WithoutXml, "a documented media type is not available"),
        (IsStoredAlike, "a negotiated response lacks Vary"),
        (OtherValues, "XML has other values than JSON"),
    ],
)
def test_each_wrong_server_is_found(app: type[Wards], title: str, tmp_path: Path) -> None:
    """Each breaks one promise, and the failure says which."""
    assert titles(app(), tmp_path) == {title}


@pytest.mark.parametrize("app", [Unescaped, Latin])
def test_documents_that_are_not_well_formed_are_found(app: type[Wards], tmp_path: Path) -> None:
    """An ampersand that is not escaped, and bytes that are not of the encoding."""
    contract = tmp_path / "wards.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")
    subject = subject_of(contract)
    log = run_family(accept.FAMILY, app(), subject)

    failures = [*documented_responses.find_failures(subject, tuple(log.exchanges))]

    assert any("the body is not XML" in failure.message for failure in failures)
