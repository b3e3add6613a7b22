# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Texts and files that are stored, and operations on what does not exist."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.creations.stored_contents import content_probes
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.references.missing_resources import missing_resource_probes
from devportal.conformance.families.validation import boundary_values
from devportal.conformance.family import Family
from devportal.contract import load_contract
from devportal.mock.application import MockApplication
from devportal.mock.clock import MockClock
from devportal.mock.http.exchange import MockRequest, MockResponse
from devportal.mock.resources.store import State
from devportal.mock.run import make_mock
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).with_name("contents.yaml")
FAMILIES = (boundary_values, deleted_resources, stored_resources, unknown_ids)


class Contents(MockApplication):
    """A mock. A faulty server overrides a method."""

    def __init__(self) -> None:
        super().__init__(
            make_mock(load_contract(CONTRACT).api, grants=()), State(), MockClock(lambda: datetime.now(UTC))
        )

    def respond(self, request: MockRequest) -> MockResponse:
        parts = request.path.strip("/").split("/")
        response = super().respond(request)
        if response.status == 404:
            return self.missing(request, response)
        if response.status == 400:
            return self.invalid(request, response)
        if request.method == "GET" and len(parts) == 3 and response.status == 200:
            body = self.content(parts[2], response.body)
            return replace(response, body=body).with_header("Content-Length", str(len(body)))
        return response

    def missing(self, request: MockRequest, response: MockResponse) -> MockResponse:  # noqa: ARG002
        return response

    def invalid(self, request: MockRequest, response: MockResponse) -> MockResponse:  # noqa: ARG002
        return response

    def content(self, name: str, stored: bytes) -> bytes:  # noqa: ARG002
        return stored


class Converts(Contents):
    """Compresses images, and ends texts with a line feed."""

    def content(self, name: str, stored: bytes) -> bytes:
        return stored.strip() + b"\n" if name == "note" else stored[::-1] if name == "photo" else stored


class ReadsFilesAsText(Contents):
    def content(self, name: str, stored: bytes) -> bytes:
        return stored.decode("utf-8", "replace").encode() if name == "data" else stored


class CutsImages(Contents):
    def content(self, name: str, stored: bytes) -> bytes:
        return stored[:20] if name == "photo" else stored


class CapitalizesNotes(Contents):
    def content(self, name: str, stored: bytes) -> bytes:
        return stored.upper() if name == "note" else stored


class KeepsFirstImage(Contents):
    first = b""

    def content(self, name: str, stored: bytes) -> bytes:
        if name == "photo":
            self.first = self.first or stored
        return self.first if name == "photo" else stored


class LosesEndsOfFiles(Contents):
    def content(self, name: str, stored: bytes) -> bytes:
        return stored[:1] if name == "content" else stored


class StripsFiles(Contents):
    def content(self, name: str, stored: bytes) -> bytes:
        return stored.strip() if name == "content" else stored


class KeepsContentsOfDeletedFiles(Contents):
    kept = b""

    def content(self, name: str, stored: bytes) -> bytes:
        self.kept = stored if name == "content" else self.kept
        return stored

    def missing(self, request: MockRequest, response: MockResponse) -> MockResponse:
        is_download = request.method == "GET" and request.path.endswith("/content") and self.kept
        return MockResponse(status=200, body=self.kept) if is_download else response


class CountsKilobytes(Contents):
    def respond(self, request: MockRequest) -> MockResponse:
        response = super().respond(request)
        if not request.path.startswith("/files") or not response.body.startswith(b"{"):
            return response
        return replace(response, body=json.dumps({**json.loads(response.body), "size": 0}).encode())


class TakesAnyNote(Contents):
    def invalid(self, request: MockRequest, response: MockResponse) -> MockResponse:
        is_note = request.method == "PUT" and request.path.endswith("/note")
        return MockResponse(status=204) if is_note else response


class DeletesNothing(Contents):
    def missing(self, request: MockRequest, response: MockResponse) -> MockResponse:
        return MockResponse(status=204) if request.method == "DELETE" else response


class ChangesNothing(Contents):
    def missing(self, request: MockRequest, response: MockResponse) -> MockResponse:
        return MockResponse(status=200) if request.method == "PATCH" else response


class StoresForNobody(Contents):
    def missing(self, request: MockRequest, response: MockResponse) -> MockResponse:
        return MockResponse(status=204) if request.method == "PUT" else response


def failed_promises(family: Family, app: Contents, contract: Path = CONTRACT) -> set[str]:
    """Return operation and title of each confirmed failure."""
    log = run_family(family, app, subject_of(contract))
    return {f"{failure.operation}: {failure.title}" for failure in log.failures if failure.fails}


@pytest.mark.parametrize("app", [Contents, Converts])
def test_the_right_servers_are_not_accused(app: type[Contents]) -> None:
    """Images may be compressed, and texts may end with a line feed."""
    assert {title for module in FAMILIES for title in failed_promises(module.FAMILY, app())} == set()


CHANGED, FOUND = "a content is read with other bytes than were stored", "what does not exist is found"


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (stored_resources, ReadsFilesAsText, f"PUT /customers/{{customer_id}}/data: {CHANGED}"),
        (stored_resources, CutsImages, f"PUT /customers/{{customer_id}}/photo: {CHANGED}"),
        (stored_resources, KeepsFirstImage, f"PUT /customers/{{customer_id}}/photo: {CHANGED}"),
        (stored_resources, CapitalizesNotes, f"PUT /customers/{{customer_id}}/note: {CHANGED}"),
        (stored_resources, LosesEndsOfFiles, f"POST /files: {CHANGED}"),
        (stored_resources, StripsFiles, f"POST /files: {CHANGED}"),
        (stored_resources, CountsKilobytes, "POST /files: a resource describes another file than was stored"),
        (
            deleted_resources,
            KeepsContentsOfDeletedFiles,
            "DELETE /files/{file_id}: what was stored below a deleted resource can still be read",
        ),
        (
            boundary_values,
            TakesAnyNote,
            "PUT /customers/{customer_id}/note: what the contract forbids is accepted",
        ),
        (unknown_ids, DeletesNothing, f"DELETE /customers/{{customer_id}}: {FOUND}"),
        (unknown_ids, ChangesNothing, f"PATCH /customers/{{customer_id}}: {FOUND}"),
        (unknown_ids, StoresForNobody, f"PUT /customers/{{customer_id}}/photo: {FOUND}"),
    ],
    ids=lambda item: item.__name__ if isinstance(item, type) else "",
)
def test_each_wrong_server_is_found(family: Any, app: type[Contents], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in failed_promises(family.FAMILY, app())


LABELS = """\
openapi: 3.0.3
info: {title: Labels, version: '1'}
paths:
  /labels/{label_id}:
    parameters: [{name: label_id, in: path, required: true, schema: {type: string}}]
    get: {responses: &found {'200': {description: Done}, '404': {description: Not found}}}
    put: {responses: {PUT}}
    delete: {description: 'ABOUT', responses: {'200': {description: SUCCESS}, '404': {description: Not found}}}
"""
CREATION = "  /labels: {post: {responses: {'201': {description: Created}}}}\n"


@pytest.mark.parametrize(
    ("put", "about", "success", "creation", "tested"),
    [
        ("", "", "Deleted", CREATION, {"PUT", "DELETE"}),
        ("", "", "Deleted", "", {"DELETE"}),
        (", '201': {description: Created}", "", "Deleted", CREATION, {"DELETE"}),
        ("", "Succeeds even if there is no such label.", "Deleted", CREATION, {"PUT"}),
        ("", "", "It is deleted or was already deleted", CREATION, {"PUT"}),
    ],
)
def test_what_may_create_or_accepts_the_missing_is_not_tested(
    put: str, about: str, success: str, creation: str, tested: set[str], tmp_path: Path
) -> None:
    """A `PUT` creates if it documents 201 or nothing else creates; a deletion may document that it accepts any."""
    contract = tmp_path / "labels.yaml"
    text = LABELS.replace("PUT", "'200': {description: Done}, '404': {description: Not found}" + put)
    text = text.replace("ABOUT", about).replace("SUCCESS", success)
    contract.write_text(text + creation, encoding="utf-8")

    found = {probe.operation.partition(" ")[0] for probe in missing_resource_probes(subject_of(contract))}

    assert found == tested


SCRIPTS = """\
openapi: 3.0.3
info: {title: Scripts, version: '1'}
paths:
  /scripts:
    post:
      requestBody: {content: &text {text/plain: {schema: {type: string, example: echo}}}}
      responses:
        '201': &script {description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/Script'}}}}
  /scripts/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': *script, '404': {description: Not found}}}
  /scripts/{id}/LAST:
    parameters: *id
    get: {responses: {'200': {description: Done, content: {RETURNED: {schema: {type: string}}}}}}
OTHER
components:
  schemas:
    Script: {type: object, required: [id], properties: {id: {type: string}}}
"""
PUT = "    put: {requestBody: {content: *text}, responses: {'204': {description: Stored}}}"
SECOND = """\
  /scripts/{id}/raw:
    parameters: *id
    get: {responses: {'200': {description: Done, content: *text}}}
"""


@pytest.mark.parametrize(
    ("last", "returned", "other", "tested"),
    [
        ("content", "text/plain", "", {"POST"}),
        ("rawFile", "application/octet-stream", "", {"POST"}),
        ("log", "text/plain", "", set()),
        ("content", "text/html", "", set()),
        ("content", "text/plain", SECOND, set()),
        ("content", "text/plain", PUT, {"PUT"}),
        ("content", "text/html", PUT, set()),
    ],
)
def test_only_what_returns_an_upload_is_its_download(
    last: str, returned: str, other: str, tested: set[str], tmp_path: Path
) -> None:
    """What is below a created resource may be a log, or another form of it; or have its own upload."""
    contract = tmp_path / "scripts.yaml"
    text = SCRIPTS.replace("LAST", last).replace("RETURNED", returned).replace("OTHER", other)
    contract.write_text(text, encoding="utf-8")

    assert {probe.operation.partition(" ")[0] for probe in content_probes(subject_of(contract))} == tested


LOGO = """\
openapi: 3.0.3
info: {title: Brand, version: '1'}
paths:
  /brand/logo:
    get: {responses: {'200': {description: Done, content: &file {application/octet-stream: {}}}}}
    put: {requestBody: {required: true, content: *file}, responses: {'204': {description: Stored}}}
"""


@pytest.mark.parametrize("most_bytes", [1_000, 5])
def test_what_is_at_an_address_of_its_own_is_restored(most_bytes: int, tmp_path: Path) -> None:
    """The logo of the account is there again, whether or not the server keeps what it is sent."""
    contract = tmp_path / "brand.yaml"
    contract.write_text(LOGO, encoding="utf-8")
    logos = [b"logo"]

    async def show(_: Request) -> Response:
        return Response(logos[-1], media_type="application/octet-stream")

    async def store(request: Request) -> Response:
        logos.append((await request.body())[:most_bytes])
        return Response(status_code=204)

    routes = [Route("/brand/logo", show), Route("/brand/logo", store, methods=["PUT"])]
    log = run_family(stored_resources.FAMILY, Starlette(routes=routes), subject_of(contract))

    assert [failure.title for failure in log.failures] == ([CHANGED] if most_bytes == 5 else [])
    assert len(logos) > 2
    assert logos[-1] == b"logo"
