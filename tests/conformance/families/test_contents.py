# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Texts and files that are stored, and operations on what does not exist."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.families import boundary_values, stored_resources, unknown_ids
from devportal.conformance.families.missing_resources import missing_resource_probes
from devportal.conformance.family import Family
from devportal.contract import load_contract
from devportal.mock.application import MockApplication
from devportal.mock.clock import MockClock
from devportal.mock.exchange import MockRequest, MockResponse
from devportal.mock.run import make_mock
from devportal.mock.store import State
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).with_name("contents.yaml")
FAMILIES = (boundary_values, stored_resources, unknown_ids)
FILE_END = b"\r\n--"


class Contents(MockApplication):
    """A mock that also keeps the files of forms, and looks up customers. A faulty server overrides a method."""

    def __init__(self) -> None:
        super().__init__(
            make_mock(load_contract(CONTRACT).api, grants=()), State(), MockClock(lambda: datetime.now(UTC))
        )
        self.files: dict[str, bytes] = {}

    def respond(self, request: MockRequest) -> MockResponse:
        parts = request.path.strip("/").split("/")
        if request.path == "/orders" and not self.has_customer(request):
            return MockResponse(status=404)
        response = super().respond(request)
        if request.path == "/files" and response.status == 201:
            content = request.body.partition(b'name="file"')[2].partition(b"\r\n\r\n")[2]
            self.files[json.loads(response.body)["id"]] = content.partition(FILE_END)[0]
        if parts[0] == "files" and len(parts) == 3 and response.status == 200:
            return _with_content(response, self.files[parts[1]])
        if response.status == 404:
            return self.missing(request, response)
        if response.status == 400:
            return self.invalid(request, response)
        if request.method == "GET" and len(parts) == 3 and response.status == 200:
            return _with_content(response, self.content(parts[2], response.body))
        return response

    def has_customer(self, request: MockRequest) -> bool:
        try:
            known = json.loads(request.body)["customer_id"]
        except (ValueError, KeyError, TypeError):
            return True
        return any(str(known) == record.id for record in self.state.all_records())

    def missing(self, request: MockRequest, response: MockResponse) -> MockResponse:  # noqa: ARG002
        return response

    def invalid(self, request: MockRequest, response: MockResponse) -> MockResponse:  # noqa: ARG002
        return response

    def content(self, name: str, stored: bytes) -> bytes:  # noqa: ARG002
        return stored


def _with_content(response: MockResponse, body: bytes) -> MockResponse:
    return replace(response, body=body).with_header("Content-Length", str(len(body)))


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
    def respond(self, request: MockRequest) -> MockResponse:
        self.files = {key: content[:1] for key, content in self.files.items()}
        return super().respond(request)


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


class SellsToNobody(Contents):
    def has_customer(self, request: MockRequest) -> bool:  # noqa: ARG002
        return True


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
        (
            boundary_values,
            TakesAnyNote,
            "PUT /customers/{customer_id}/note: what the contract forbids is accepted",
        ),
        (unknown_ids, DeletesNothing, f"DELETE /customers/{{customer_id}}: {FOUND}"),
        (unknown_ids, ChangesNothing, f"PATCH /customers/{{customer_id}}: {FOUND}"),
        (unknown_ids, StoresForNobody, f"PUT /customers/{{customer_id}}/photo: {FOUND}"),
        (unknown_ids, SellsToNobody, "POST /orders: 'customer_id' takes what does not exist"),
    ],
    ids=lambda item: item.__name__ if isinstance(item, type) else "",
)
def test_each_wrong_server_is_found(family: Any, app: type[Contents], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in failed_promises(family.FAMILY, app())


CUSTOMER_OR_MISSING = """\
'201': {$ref: '#/components/responses/Customer'}
        '404': {description: Not found}
"""


@pytest.mark.parametrize(
    ("app", "documented", "changed"),
    [
        (DeletesNothing, "description: Deleted}", "description: It is deleted or was already deleted}"),
        (SellsToNobody, "'201': {$ref: '#/components/responses/Customer'}\n", CUSTOMER_OR_MISSING),
        (SellsToNobody, "'404': {description: Not found}", "'404': {description: No such coupon}"),
    ],
)
def test_what_the_contract_leaves_open_is_no_failure(
    app: type[Contents], documented: str, changed: str, tmp_path: Path
) -> None:
    """A deletion may accept what is gone; a 404 that everything documents, or that is about another thing, does not
    promise that references are looked up.
    """
    contract = tmp_path / "contents.yaml"
    contract.write_text(CONTRACT.read_text(encoding="utf-8").replace(documented, changed), encoding="utf-8")

    assert failed_promises(unknown_ids.FAMILY, app(), contract) == set()


LABELS = """\
openapi: 3.0.3
info: {title: Labels, version: '1'}
paths:
  /labels/{label_id}:
    parameters: [{name: label_id, in: path, required: true, schema: {type: string}}]
    get: {responses: &found {'200': {description: Done}, '404': {description: Not found}}}
    put: {responses: {PUT}}
    delete: {description: 'DELETE', responses: *found}
"""
CREATION = "  /labels: {post: {responses: {'201': {description: Created}}}}\n"


@pytest.mark.parametrize(
    ("put", "delete", "creation", "tested"),
    [
        ("", "", CREATION, {"PUT", "DELETE"}),
        ("", "", "", {"DELETE"}),
        (", '201': {description: Created}", "", CREATION, {"DELETE"}),
        ("", "Succeeds even if there is no such label.", CREATION, {"PUT"}),
    ],
)
def test_what_may_create_or_accepts_the_missing_is_not_tested(
    put: str, delete: str, creation: str, tested: set[str], tmp_path: Path
) -> None:
    """A `PUT` creates if it documents 201 or nothing else creates; a deletion may document that it accepts any."""
    contract = tmp_path / "labels.yaml"
    text = LABELS.replace("PUT", "'200': {description: Done}, '404': {description: Not found}" + put)
    contract.write_text(text.replace("DELETE", delete) + creation, encoding="utf-8")

    found = {probe.operation.partition(" ")[0] for probe in missing_resource_probes(subject_of(contract))}

    assert found == tested
