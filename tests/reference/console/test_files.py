"""The files of consoles: small, self-contained together, and the same for the same contract."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import load_contract
from devportal.project.settings import Settings
from devportal.reference.console import console_address, console_files
from devportal.reference.pages.pages import reference_pages
from tests.contracts import contract_at, own_contract
from tests.corpus import corpus_contract
from tests.reference.reading import api_from

from .node import ROOT, ask, modules

SHARED = re.compile(r'"\$ref":"(#/\$defs/[^"]*)"')
STRIPE_BYTES = 2_000_000


def files(name: str = "openapi/openapi.yaml") -> dict[str, Any]:
    """Return the files of a contract of this project, by uri."""
    api = contract_at(ROOT / name, name).api
    return {console_file.uri: json.loads(console_file.content) for console_file in console_files(api)}


def test_every_operation_has_a_file_beside_its_page() -> None:
    """Where its page says."""
    api = own_contract().api
    uris = {console_file.uri for console_file in console_files(api)}
    pages = {reference_page.uri: reference_page for reference_page in reference_pages(api, has_console=True)}

    assert "reference/messages/send-message/console.json" in uris
    for uri in uris:
        if uri.endswith("/console.json"):
            page = pages[uri.replace("/console.json", ".md")]
            assert f'data-console="{console_address(page.uri)}" hidden>Try it</button>' in page.body
            assert page.scripts[-1] == "assets/devportal/console.js"


def test_without_a_console_a_page_says_nothing_of_it() -> None:
    """No button, no script."""
    api = api_from({"paths": {"/a": {"get": {"responses": {}}}}})

    assert [
        reference_page
        for reference_page in reference_pages(api)
        if reference_page.scripts or "dp-try" in reference_page.body
    ] == []


@pytest.mark.parametrize("name", ["openapi/openapi.yaml", "tests/reference/contracts/rich-3.1.yaml"])
def test_each_reference_leads_to_a_schema_that_is_fetched(name: str) -> None:
    """In the files that an operation names, as far as references lead."""
    made = files(name)
    for uri, data in made.items():
        if not uri.endswith("/console.json"):
            continue
        for direction, numbers in data["needs"].items():
            shared: dict[str, Any] = {}
            for number in numbers:
                shared |= made[f"reference/console/{direction}-{number}.json"]
            part = [data["responses"]] if direction == "received" else [data["parameters"], data["bodies"]]
            open_, seen = {*_references(part)}, set[str]()
            while open_:
                reference = open_.pop()
                seen.add(reference)
                open_ |= {*_references(shared[_name(reference)])} - seen
            assert not seen or shared


def _references(value: Any) -> list[str]:
    return SHARED.findall(json.dumps(value, separators=(",", ":")))


def _name(reference: str) -> str:
    return reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")


def test_properties_travel_in_their_direction() -> None:
    """What is read only is no field of a form, what is written only is nothing of an answer."""
    thing = {
        "type": "object",
        "required": ["id", "key"],
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "key": {"type": "string", "writeOnly": True},
        },
    }
    media = {"content": {"application/json": {"schema": thing}}}
    api = api_from(
        {"paths": {"/a": {"post": {"operationId": "a", "requestBody": media, "responses": {"200": media}}}}}
    )

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))

    assert data["bodies"][0]["schema"]["required"] == ["key"]
    assert data["responses"]["200"]["application/json"]["required"] == ["id"]


def test_hints_are_plain_and_whole() -> None:
    """Each paragraph on a line of its own; what a form shows of it first, the form decides."""
    more = "More. " * 50
    parameter = {
        "name": "q",
        "in": "query",
        "description": f"A *word*\nor [two](#x). {more}\n\n- one\n- two\n\n \n\nThe `end`.",
        "schema": {},
    }
    api = api_from({"paths": {"/a": {"get": {"parameters": [parameter], "responses": {}}}}})

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))

    assert data["parameters"][0]["hint"] == f"A word or two. {more.strip()}\none two\nThe end."


def test_readers_learn_where_a_token_comes_from() -> None:
    """From the description of the scheme, the settings, and the page of the reference if they name none."""
    bearer = {"type": "http", "scheme": "bearer", "description": "Ask *sales* for one."}
    api = api_from(
        {
            "security": [{"bearer": []}],
            "paths": {"/a": {"get": {"responses": {}}}, "/b": {"get": {"security": [], "responses": {}}}},
            "components": {"securitySchemes": {"bearer": bearer}},
        }
    )
    settings = Settings(token_page="guides/tokens/#one", sandbox_token="It prints one.")

    with_page, public = (json.loads(console_file.content) for console_file in console_files(api, settings))
    without, _ = (json.loads(console_file.content) for console_file in console_files(api))

    assert with_page["token"] == {"page": "guides/tokens/#one", "sandbox": "It prints one."}
    assert with_page["security"][0]["about"] == "Ask sales for one."
    assert without["token"] == {"page": "reference/authentication/"}
    assert "token" not in public


def test_hint_without_an_end_is_cut() -> None:
    """What is longer than a page belongs on the page."""
    parameter = {"name": "q", "in": "query", "description": "word " * 1000, "schema": {}}
    api = api_from({"paths": {"/a": {"get": {"parameters": [parameter], "responses": {}}}}})

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))

    assert data["parameters"][0]["hint"].endswith("word…")
    assert len(data["parameters"][0]["hint"]) <= 2001


@pytest.mark.parametrize(
    ("required", "optional", "parts", "obstacles"),
    [
        ([], ["plan", "photo"], ["title"], []),
        (["plan"], ["photo"], ["plan"], ["Choose a file for plan."]),
    ],
)
def test_upload_starts_without_optional_files(
    required: list[str], optional: list[str], parts: list[str], obstacles: list[str], tmp_path: Path
) -> None:
    """They are in the samples, and nobody has chosen one: only a file that is required is asked for."""
    file = {"type": "string", "format": "binary"}
    properties = {"title": {"type": "string"}, "plan": file, "photo": file}
    schema = {"type": "object", "properties": properties, "allOf": [{"required": required}]}
    body = {"content": {"multipart/form-data": {"schema": schema}}}
    api = api_from({"paths": {"/a": {"post": {"operationId": "a", "requestBody": body, "responses": {}}}}})

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))
    (answer,) = ask(modules(tmp_path / "modules"), "starts", [data])

    assert data["bodies"][0]["optionalFiles"] == optional
    assert answer == {"parts": parts, "obstacles": obstacles}


@pytest.mark.parametrize("keyword", ["allOf", "oneOf", "anyOf"])
def test_upload_of_a_schema_that_is_made_of_itself_has_its_files(keyword: str) -> None:
    """A part may lead back to the whole, through another one too; the names are those of all parts."""
    file = {"type": "string", "format": "binary"}
    upload = {
        "type": "object",
        "required": ["plan"],
        "properties": {"plan": file},
        keyword: [{"$ref": "#/components/schemas/More"}],
    }
    more = {
        "type": "object",
        "properties": {"photo": file},
        keyword: [{"$ref": "#/components/schemas/Upload"}],
    }
    body = {"content": {"multipart/form-data": {"schema": {"$ref": "#/components/schemas/Upload"}}}}
    api = api_from(
        {
            "paths": {"/a": {"post": {"operationId": "a", "requestBody": body, "responses": {}}}},
            "components": {"schemas": {"Upload": upload, "More": more}},
        }
    )

    data = next(
        json.loads(console_file.content)
        for console_file in console_files(api)
        if console_file.uri.endswith("console.json")
    )

    assert data["bodies"][0]["files"] == ["plan", "photo"]
    assert data["bodies"][0]["optionalFiles"] == ["photo"]


def test_same_contract_gives_the_same_bytes() -> None:
    """In the same order."""
    api = own_contract().api

    assert [*console_files(api)] == [*console_files(api)]


def test_no_credential_is_in_a_file() -> None:
    """Only the names of variables are."""
    data = files("tests/reference/samples/matrix.yaml")

    secrets = re.findall(r'"secret": ?"([^"]*)"', json.dumps(data))
    assert set(secrets) == {"API_KEY", "BEARER", "HEADER", "QUERY", "COOKIE"}


@pytest.mark.corpus
def test_large_contract_stays_small() -> None:
    """Schemas that many operations reach are there once."""
    made = [*console_files(corpus_contract("stripe.json").api)]

    assert sum(len(artefact.content) for artefact in made) < STRIPE_BYTES
    assert max(len(artefact.content) for artefact in made) < 100_000


def test_names_that_need_escapes_are_found(tmp_path: Path) -> None:
    """In references and in files."""
    contract = tmp_path / "openapi.json"
    thing = {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/a~1b%25c"}}}
    answer = {
        "description": "x",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/é"}}},
    }
    contract.write_text(
        json.dumps(
            {
                "openapi": "3.1.0",
                "info": {"title": "T", "version": "1"},
                "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": answer}}}},
                "components": {"schemas": {"é": thing, "a/b%c": {"type": "integer"}}},
            }
        ),
        encoding="utf-8",
    )

    made = {
        console_file.uri: json.loads(console_file.content)
        for console_file in console_files(load_contract(contract, name="o").api)
    }

    shared = made["reference/console/received-0.json"]
    assert [*shared] == ["0-é", "1-a/b%c"]
    assert made["reference/a/a/console.json"]["needs"]["received"] == [0]
