"""Since when parts of the reference are there: where the words stand, and that they are nowhere else."""

import json
from pathlib import Path
from typing import Any

from devportal.contract import Api, Location, load_contract, read_contract
from devportal.documents import parse_document
from devportal.markup import Page
from devportal.reference.history_marks import HistoryMark, HistoryMarks, part_location
from devportal.reference.links import contract_places
from devportal.reference.pages.pages import reference_pages
from tests.reference.reading import parse_html

SINCE = (HistoryMark(words="since 1.1.0", uri="changelog/a.md"),)
CHANGED = (HistoryMark(words="changed in 1.2.0", uri="changelog/compare/1.1.0...1.2.0.md"),)
_CONTRACT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Parcels", "version": "1.2.0"},
    "paths": {
        "/parcels": {
            "post": {
                "operationId": "send",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"type": "object", "properties": {"to": {"type": "string"}}}
                        }
                    }
                },
                "responses": {
                    "200": {
                        "description": "Done",
                        "headers": {"X-Left": {"schema": {"type": "integer"}}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Parcel"}}},
                    }
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Parcel": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "weight": {"type": "integer"}},
            }
        }
    },
}
FOUND = {
    ("POST /parcels", ""): SINCE + CHANGED,
    ("POST /parcels", "query.limit"): SINCE,
    ("POST /parcels", "request(application/json).to"): CHANGED,
    ("POST /parcels", "response.200"): CHANGED,
    ("POST /parcels", "response.200.header.X-Left"): SINCE,
    ("schemas/Parcel", "weight"): SINCE,
}


def api() -> Api:
    """Return the small contract."""
    return read_contract(parse_document(json.dumps(_CONTRACT), name="openapi.json")).api


def pages(marks: HistoryMarks | None = None) -> dict[str, Page]:
    """Return the pages of the small contract."""
    made = reference_pages(api(), marks=marks) if marks is not None else reference_pages(api())
    return {page.uri: page for page in made}


def operation(made: dict[str, Page]) -> Page:
    """Return the page of the operation."""
    return next(page for uri, page in made.items() if uri.endswith("/send.md"))


def test_each_part_says_its_own() -> None:
    """The head, a parameter, a field of a body, a response, a header, and a field of a shared schema."""
    body = operation(pages(HistoryMarks(FOUND, api()))).body
    _, _, below = body.partition("<section")

    for anchor, words in {
        "query.limit": "since 1.1.0",
        "body.to": "changed in 1.2.0",
        "response.200.X-Left": "since 1.1.0",
        "response.200.weight": "since 1.1.0",
    }.items():
        part = below.partition(f'id="{anchor}"')[2].partition("dp-details")[2]
        assert words in part.partition("</details>")[0], anchor
    (response,) = parse_html(body).find("details", id="response.200")
    assert "changed in 1.2.0" in response.find("details", cls="dp-details")[-1].text
    own = below.rpartition("dp-details")[2].partition("</details>")[0]
    assert ("since 1.1.0" in own, "changed in 1.2.0" in own) == (True, True)
    assert below.count("/changelog/") == 7


def test_a_mark_leads_to_the_page_that_tells_more() -> None:
    """From the depth of the page that it stands on, in the twin too."""
    one = operation(pages(HistoryMarks(FOUND, api())))

    assert '<a href="../../../changelog/a/">since 1.1.0</a>' in one.body
    assert "History: [since 1.1.0](../../changelog/a.md)" in one.markdown


def test_the_page_of_a_schema_has_the_marks_of_its_fields() -> None:
    """Once for all who use it."""
    schema = pages(HistoryMarks(FOUND, api()))["reference/schemas/parcel.md"].body

    assert schema.count("/changelog/") == 1
    assert schema.index('id="weight"') < schema.index("/changelog/")


def test_without_history_pages_are_as_they_were() -> None:
    """Not a byte differs: a contract without releases knows nothing of them."""
    assert pages(HistoryMarks({}, api())) == pages()
    assert not any("/changelog/" in page.body for page in pages().values())


def test_locations_have_names_that_outlast_a_release() -> None:
    """Where a field stands becomes what the differ calls it; what has no such name has no marks."""
    body = ("paths", "/parcels", "post", "requestBody", "content", "text/csv", "schema")

    assert part_location(Location("", (*body, "properties", "to"))) == ("POST /parcels", "request.to")
    assert part_location(Location("", ("components", "schemas", "A", "items", "properties", "b"))) == (
        "schemas/A",
        "[].b",
    )
    assert part_location(Location("", ("paths", "/parcels", "post", "parameters", "0", "schema"))) is None
    whole = ("paths", "/parcels", "post", "responses", "200", "content", "text/csv", "schema")
    assert part_location(Location("", whole)) is None
    assert part_location(Location("", (*whole, "properties", "a"))) == ("POST /parcels", "response.200.a")


def test_bodies_of_events_have_names_that_outlast_a_release() -> None:
    """That of the event, whichever list of events it is in."""
    body = ("moved", "post", "requestBody", "content", "application/json", "schema", "properties", "id")

    assert part_location(Location("", ("webhooks", *body))) == ("moved", "request.id")
    assert part_location(Location("", ("x-webhooks", *body))) == ("moved", "request.id")
    assert part_location(Location("", ("x-others", *body))) is None


def test_shared_schemas_of_other_files_are_known_by_name(tmp_path: Path) -> None:
    """Releases are one file: there a schema of another file has the name that the contract gives it."""
    parcel = _CONTRACT["components"]["schemas"]["Parcel"]
    lead = {**_CONTRACT, "components": {"schemas": {"Parcel": {"$ref": "parts.json#/Box"}}}}
    (tmp_path / "openapi.json").write_text(json.dumps(lead), encoding="utf-8")
    (tmp_path / "parts.json").write_text(json.dumps({"Box": parcel, "Other": parcel}), encoding="utf-8")
    contract = load_contract(tmp_path / "openapi.json", name="openapi.json")
    marks = HistoryMarks({("schemas/Parcel", "weight"): SINCE, ("schemas/", "weight"): CHANGED}, contract.api)

    assert marks.at(Location("parts.json", ("Box", "properties", "weight"))) == SINCE
    assert marks.at(Location("parts.json", ("Box", "properties", "id"))) == ()
    assert marks.at(Location("parts.json", ("Other", "properties", "weight"))) == ()


def test_places_lead_to_what_is_sure_to_be_there() -> None:
    """To the anchor where the page has it, to the page where not, and nowhere where there is no page."""
    places = contract_places(api())
    page = operation(pages()).uri

    assert places.uri("POST /parcels", "query.limit") == f"{page}#query.limit"
    assert places.uri("POST /parcels", "request.to.x") == f"{page}#body"
    assert places.uri("POST /parcels", "response.200.weight") == f"{page}#response.200"
    assert places.uri("POST /parcels", "response.404") == page
    assert places.uri("schemas/Parcel", "weight.unit") == "reference/schemas/parcel.md#weight"
    assert places.uri("schemas/Parcel", "gone") == "reference/schemas/parcel.md"
    assert places.uri("GET /parcels") == ""
    assert places.uri("responses/NotFound", "x") == ""
    assert places.uri("") == "reference/index.md"


def test_a_security_scheme_has_its_place_on_the_page_of_all() -> None:
    """One that is not there has none, nor has a schema that is called like one."""
    token = {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}
    data = {**_CONTRACT, "components": {**_CONTRACT["components"], **token}}
    places = contract_places(read_contract(parse_document(json.dumps(data), name="openapi.json")).api)

    assert places.uri("securitySchemes/token") == "reference/authentication.md#security.token"
    assert places.uri("securitySchemes/other") == ""
    assert places.uri("schemas/token") == ""
