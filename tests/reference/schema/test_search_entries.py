"""What search knows of the reference: every field that has a row, by the anchor of that row."""

import re
from collections.abc import Iterable, Iterator
from html import unescape

import pytest

from devportal.markup import Page, SearchEntry, SearchKind
from devportal.reference.pages.pages import reference_pages
from devportal.reference.pages.search_entries import part_entry
from devportal.reference.schema.described_values import TypeLabel
from devportal.reference.schema.fields import Field
from devportal.reference.schema.shapes import RowKind
from tests.contracts import contract_at
from tests.corpus import each_contract
from tests.reference.reading import CONTRACTS, api_from, field_saying, pages_of_others

RICH = ("rich-3.0.yaml", "rich-3.1.yaml")
_ID = re.compile(r'<[^>]* id="([^"]*)"')
_ROW = re.compile(r'<li class="dp-field[^"]*" id="([^"]*)"')


def anchors(outline: str) -> Iterator[str]:
    """Yield the anchors that an outline of fields stands for."""
    above: list[str] = []
    for line in outline.split("\n") if outline else ():
        body = line.lstrip(" ")
        name, _, end = body.removesuffix("\t" * (line != body)).partition("\t")
        del above[len(line) - len(body) :]
        if line == body:
            above = [end]
            continue
        piece = end or re.sub(r"\s+", "-", name)
        above.append(f"{above[-1]}.{piece}" if above[-1] else piece)
        yield above[-1]


def without_place(pages: Iterable[Page]) -> list[str]:
    """Return the fields in search entries that the page of the entry has no element for."""
    found = []
    for page in pages:
        ids = set(map(unescape, _ID.findall(page.body)))
        for entry in page.search:
            found += [f"{page.uri}#{anchor}" for anchor in anchors(entry.fields) if anchor not in ids]
            found += [f"{page.uri}#{entry.anchor}"] if entry.anchor and entry.anchor not in ids else []
    return found


def pages_of(name: str) -> dict[str, Page]:
    """Return the pages of one of our contracts by their uri."""
    return {
        reference_page.uri: reference_page
        for reference_page in reference_pages(contract_at(CONTRACTS / name).api)
    }


@pytest.mark.parametrize("name", RICH)
def test_every_field_that_is_found_is_there(name: str) -> None:
    """No hit leads to an anchor that its page does not have."""
    assert without_place(pages_of(name).values()) == []


@pytest.mark.corpus
@each_contract
def test_every_field_of_others_that_is_found_is_there(name: str) -> None:
    """However the contracts of others nest their unions, arrays and maps."""
    assert without_place(pages_of_others(name).values()) == []


@pytest.mark.parametrize("name", RICH)
def test_every_row_with_a_name_is_found(name: str) -> None:
    """Parameters in the path are found by the path, and fields that two parts share by the first of them."""
    for page in pages_of(name).values():
        (entry, *_) = page.search
        found = {anchor.rpartition(".")[2] for anchor in anchors(entry.fields)}
        rows = {unescape(item) for item in _ROW.findall(page.body)}
        named = {text for text in rows if not re.search(r"(^|\.)path\.|[:]|\.\d+$", text)}

        assert {text.rpartition(".")[2] for text in named} - found == set(), page.uri


def test_an_operation_is_known_by_its_path_and_id() -> None:
    """The tag that is shown comes first, the id last."""
    page = pages_of("rich-3.1.yaml")["reference/parcels/create-parcel.md"]

    (entry, *_) = page.search

    assert entry.kind is SearchKind.OPERATION
    assert entry.tags == ("POST /parcels", "createParcel")
    assert "Request body\tbody\n" in entry.fields


def test_schemas_are_found_by_the_codes_of_errors_that_they_enumerate() -> None:
    """A client sees `card_declined`; what other members enumerate would make the index too large."""
    code = {"type": "string", "enum": ["card_declined", "expired"]}
    order = {"state": {"type": "string", "enum": ["open"]}, "failure_code": code}
    schemas = {
        "Problem": {"type": "object", "properties": {"code": code, "status": {"enum": [400]}}},
        "Order": {"type": "object", "properties": order},
        "ErrorCode": code,
        "Fine": {"type": "object", "properties": {"code": code}},
    }
    pages = reference_pages(api_from({"components": {"schemas": schemas}, "paths": {}}))
    texts = {entry.title: entry.text for page in pages for entry in page.search}

    codes = "card_declined, expired"
    assert {name: texts[name] for name in schemas} == {
        "Problem": codes,
        "Order": codes,
        "ErrorCode": codes,
        "Fine": "",
    }


def test_a_callback_is_found_by_its_name() -> None:
    """And by what its requests are called; it leads to its section on the page of the operation."""
    page = pages_of("rich-3.1.yaml")["reference/parcels/create-parcel.md"]

    (_, moved) = page.search

    assert (moved.kind, moved.title, moved.text) == (SearchKind.EVENT, "moved", "It moved")
    assert f'id="{moved.anchor}"' in page.body


def test_fields_that_parts_share_are_listed_once() -> None:
    """The headers of all responses, for example, are found at the first."""
    for page in pages_of("rich-3.1.yaml").values():
        for entry in page.search:
            parts = re.split(r"^(?! ).*$\n?", entry.fields, flags=re.MULTILINE)[1:]
            assert len({part.strip("\n") for part in parts}) == len(parts), page.uri


def test_a_part_of_a_page_says_where_its_fields_are() -> None:
    """By the words that the whole has for that place; the parts of a schema need none."""
    part = field_saying(
        name="shape", anchor="body.shape", type=TypeLabel(text="object"), fields=(row("body.shape.x"),)
    )
    group = part._replace(name="", kind=RowKind.GROUP, fields=(row("body.x"), row("response.200.x")))
    called = group._replace(fields=(row("callback.on.data.body.x"),))
    operation = SearchEntry(kind=SearchKind.OPERATION, title="Create")
    schema = SearchEntry(kind=SearchKind.SCHEMA, title="Parcel")

    found = [
        part_entry(operation, "shape", part),
        part_entry(operation, "some", group),
        part_entry(operation, "some", called),
        part_entry(schema, "s", part),
    ]

    assert [search_entry.fields for search_entry in found] == [
        "Request body\tbody.shape\n x",
        "Request body\tbody\n x",
        "Callback on.data: Request body\tcallback.on.data.body\n x",
        "\tbody.shape\n x",
    ]


def row(anchor: str) -> Field:
    """Return a field called as its anchor ends."""
    return field_saying(name=anchor.rpartition(".")[2], anchor=anchor, type=TypeLabel(text="string"))


def test_problem_is_found_by_what_its_status_is_called() -> None:
    """Unless its title says so."""
    types = [
        {"type": "https://a.example/taken", "title": "Taken", "status": 409, "description": "By others."},
        {"type": "https://a.example/gone", "title": "Gone", "status": 410, "description": "For good."},
        {"type": "https://a.example/odd", "title": "Odd", "status": 499, "description": "Odd."},
    ]
    api = api_from({"paths": {"/a": {"get": {"responses": {}}}}, "x-problem-types": types})

    found = {entry.title: entry.text for page in reference_pages(api) for entry in page.search}

    assert found["Taken"] == "Conflict: By others."
    assert (found["Gone"], found["Odd"]) == ("For good.", "Odd.")


def test_statuses_of_an_operation_are_found_by_what_they_mean() -> None:
    """With the name of RFC 9110 and the reason the contract gives; 200 and the default say nothing."""
    responses = {
        "200": {"description": "Done."},
        "202": {"description": "Queued."},
        "404": {"description": "Not found."},
        "409": {"description": "This title is *taken*.\n\nUse another."},
        "422": {"description": "422 response for addTask"},
        "4XX": {"description": "Out of credit."},
        "499": {"description": ""},
        "default": {"description": "Anything else."},
    }
    api = api_from({"paths": {"/tasks": {"post": {"operationId": "addTask", "responses": responses}}}})

    (entry,) = (entry for page in reference_pages(api) for entry in page.search if entry.tags)

    head, *lines = entry.fields.split("\n")
    assert head == "Responses\tresponse"
    assert sorted(lines) == [
        " 202 Accepted\t202",
        " 404 Not Found\t404",
        " 409 Conflict: This title is taken. Use another.\t409",
        " 422 Unprocessable Entity\t422",
        " 499",
        " 4XX: Out of credit.\t4XX",
    ]


def test_statuses_of_callbacks_say_which_callback() -> None:
    """They are no responses of the operation."""
    request = {"post": {"responses": {"410": {"description": "No longer wanted."}}}}
    operation = {"callbacks": {"done": {"{$request.query.url}": request}}, "responses": {}}
    api = api_from({"paths": {"/tasks": {"post": operation}}})

    outlines = [entry.fields for page in reference_pages(api) for entry in page.search if entry.tags]

    assert outlines == ["Callback done: Responses\tcallback.done.response\n 410 Gone: No longer wanted.\t410"]


def test_values_of_a_field_are_details_with_its_anchor() -> None:
    """Those it may have, those of its items and branches, and short examples; numbers and long texts are not."""
    schema = {
        "type": "object",
        "properties": {
            "state": {"type": "string", "enum": ["open", "wont_fix", "x" * 80]},
            "size": {"type": "integer", "enum": [1, 2]},
            "events": {"type": "array", "items": {"type": "string", "enum": ["task.done"]}},
            "place": {"type": "object", "properties": {"city": {"type": "string", "example": "Oslo"}}},
        },
    }
    api = api_from({"paths": {}, "components": {"schemas": {"Task": schema}}})

    (entry,) = (entry for page in reference_pages(api) for entry in page.search if entry.title == "Task")

    values = [
        line.strip(" ") for line in entry.fields.split("\n") if line.startswith(" ") and line.endswith("\t")
    ]
    assert values == [
        "state = open\tstate\t",
        "state = wont_fix\tstate\t",
        "events = task.done\tevents\t",
        "city = Oslo\tcity\t",
    ]
    assert {"state", "events", "place.city"} <= set(anchors(entry.fields))


def test_descriptions_and_values_of_a_schema_are_details() -> None:
    """What a shared enumeration allows is found on its page, as is the description of an operation on its own."""
    api = api_from(
        {
            "paths": {"/a": {"get": {"description": "Returns the *newest* first.", "responses": {}}}},
            "components": {"schemas": {"Channel": {"description": "How.", "enum": ["sms", "fax"]}}},
        }
    )

    details = {entry.kind: entry.details for page in reference_pages(api) for entry in page.search}

    assert details[SearchKind.SCHEMA] == "How.\nsms\nfax"
    assert details[SearchKind.OPERATION] == "Returns the newest first."


def test_texts_in_examples_of_bodies_are_details_of_the_operation() -> None:
    """Each once, also from nested members; names, times, numbers and long texts are not."""
    value = {
        "name": "Kilimanjaro",
        "at": "2026-01-31T12:00:00Z",
        "legs": [{"to": "Moshi", "km": 3}, {"to": "Moshi"}],
    }
    content = {"application/json": {"example": value}}
    operation = {
        "description": "Books.",
        "requestBody": {"content": content},
        "responses": {
            "200": {"description": "", "content": {"text/plain": {"example": "It is booked " * 9}}}
        },
    }
    api = api_from({"paths": {"/trips": {"post": operation}}})

    details = {entry.kind: entry.details for page in reference_pages(api) for entry in page.search}

    assert details[SearchKind.OPERATION] == "Books.\nKilimanjaro · Moshi"
