"""The search from a command line: what is called exactly what is asked for comes first."""

import copy
import json
from pathlib import Path

import pytest

from devportal.docs.queries import SiteQueries
from devportal.docs.search import search
from devportal.docs.search_index import SEARCH_DETAILS, SEARCH_INDEX, UnpackedIndex, read_index
from devportal.docs.site_source import open_site
from devportal.errors import UnreadableInput
from devportal.markup import SearchEntry, SearchKind
from devportal.site.search import columns
from devportal.site.search.index import SearchIndex
from tests.own_site import read_own_site
from tests.site.building import CONTRACT, built_from
from tests.site.reading_search import entries


@pytest.fixture(scope="module")
def own_index() -> tuple[str, UnpackedIndex]:
    """Return the index of this project's site, packed and unpacked."""
    text = (read_own_site().site_dir / SEARCH_INDEX).read_text(encoding="utf-8")
    return text, read_index(text)


def test_an_index_is_unpacked_whole(own_index: tuple[str, UnpackedIndex]) -> None:
    """Kinds, addresses, titles, names and texts are those that another reader finds."""
    text, index = own_index
    expected = entries(text)

    assert [(entry.kind, entry.address, entry.title) for entry in index.entries] == [
        (entry.kind, entry.address, entry.title) for entry in expected
    ]
    assert [tuple(filter(None, (entry.code, *entry.names))) for entry in index.entries] == [
        entry.tags for entry in expected
    ]


def test_every_field_is_at_its_places(own_index: tuple[str, UnpackedIndex]) -> None:
    """The anchors of fields that another reader finds."""
    text, index = own_index
    found = {
        (place.entry.address, ".".join(filter(None, (place.anchor, *map(index.fields.anchor_step, way)))))
        for number in range(len(index.fields.lines))
        for place, way in index.fields.places(number, 1_000_000)
    }

    assert {(entry.address, anchor) for entry in entries(text) for anchor, _ in entry.fields} <= found


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("sendMessage", "reference/messages/send-message/"),
        ("send a message", "reference/messages/send-message/"),
        ("POST /v1/messages", "reference/messages/send-message/"),
        ("/v1/calls/call_42", "reference/calls/retrieve-call/"),
        ("https://api.example.com/v1/calls/call_42?x=1", "reference/calls/retrieve-call/"),
        ("The token lacks a scope", "reference/errors/insufficient-scope/"),
        ("insufficient-scope", "reference/errors/insufficient-scope/"),
        ("message.status_changed", "reference/events/message-status-changed/"),
        ("campaign_id", "reference/schemas/message/#campaign_id"),
        ("Norwegian SMS price", "coverage/no/"),
    ],
)
def test_the_best_result_is_first(query: str, address: str, own_index: tuple[str, UnpackedIndex]) -> None:
    """An id, a title, a path with values, an error, an event, a field, and a synonym."""
    _, index = own_index

    assert search(index, query, most=1)[0].address == address


def made_index(*entries_by_url: tuple[str, SearchEntry]) -> UnpackedIndex:
    """Return an index of these entries."""
    made = SearchIndex()
    for url, entry in entries_by_url:
        made.add(url, entry)
    return read_index(made.text())


SMALL = made_index(
    (
        "roles/delete/",
        SearchEntry(kind=SearchKind.OPERATION, title="Delete a role", tags=("DELETE /roles/{id}",)),
    ),
    ("members/", SearchEntry(title="Members")),
    ("nick/", SearchEntry(title="Nick of a member")),
    (
        "bills/list/",
        SearchEntry(
            kind=SearchKind.OPERATION,
            title="List bills",
            tags=("GET /bills",),
            fields="Query parameters\tquery\n status\n",
        ),
    ),
    ("quotes/cancel/", SearchEntry(title="見積取消")),
    ("quotes/list/", SearchEntry(title="見積一覧")),
    ("errors/", SearchEntry(title="共通エラーレスポンス")),
    ("events/lost/", SearchEntry(kind=SearchKind.EVENT, title="Parcel lost", tags=("parcel.lost",))),
)


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("delte a role", "roles/delete/"),
        ("memebrs", "members/"),
        ("delete rolle", "roles/delete/"),
        ("niick", "nick/"),
        ("kick members", "members/"),
        ("filter bills by status", "bills/list/#query.status"),
        ("search bills", "bills/list/"),
        ("webhooks", "events/lost/"),
        ("見積の取消", "quotes/cancel/"),
        ("見積 一覧", "quotes/list/"),
        ("エラー", "errors/"),
    ],
)
def test_slips_verbs_and_words_without_blanks_are_understood(query: str, address: str) -> None:
    """A slip is forgiven by the length of its word; a short word is not taken for another one that it is like."""
    assert search(SMALL, query, most=1)[0].address == address


@pytest.mark.parametrize("query", ["rxxe", "xembxrx", "abc", "税金"])
def test_what_is_too_far_away_is_not_meant(query: str) -> None:
    """One letter in four may be wrong, and two at most."""
    assert search(SMALL, query) == ()


@pytest.mark.parametrize(
    ("query", "addresses"),
    [
        ("delete role uncommon unheard unseen", ["roles/delete/"]),
        ("nick uncommon unheard", ["nick/"]),
        ("uncommon unheard unseen", []),
    ],
)
def test_some_words_of_a_long_question_are_better_than_none(query: str, addresses: list[str]) -> None:
    """Those with most of them, even if it is less than half."""
    assert [found.address for found in search(SMALL, query)] == addresses


@pytest.mark.parametrize("query", ["", "   ", "?", "zzzzqqqq", "/", "\x1b[31m"])
def test_nothing_is_found_for_nothing(query: str, own_index: tuple[str, UnpackedIndex]) -> None:
    """No error either."""
    _, index = own_index

    assert search(index, query) == ()


def test_a_recursive_schema_ends(tmp_path: Path) -> None:
    """A field below itself is found once for each place."""
    document = copy.deepcopy(CONTRACT)
    content = document["paths"]["/parcels/{id}"]["get"]["responses"]["200"]["content"]["application/json"]
    content["schema"] = {"$ref": "#/components/schemas/Box"}
    box = {"type": "object", "properties": {"inner_box": {"$ref": "#/components/schemas/Box"}}}
    document["components"] = {"schemas": {"Box": box}}
    site = built_from(document, tmp_path / "made").site_dir

    found = search(read_index((site / SEARCH_INDEX).read_text(encoding="utf-8")), "inner_box")

    assert found[0].kind == "field"
    assert len({search_result.address for search_result in found}) == len(found)


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        {"docs": []},
        {"pages": {"page": ["no columns"]}},
        {
            "pages": {"page": ["Aa", "", "", "", "", "AA"]},
            "parts": [],
            "fields": "",
            "below": "",
            "shapes": "",
        },
        {"pages": {}, "parts": [], "fields": "Aa", "below": "", "shapes": "BAB"},
        {"pages": {}, "parts": [], "fields": "Aa", "below": "", "shapes": "AzzzzzzzzzzzzzzzzA"},
    ],
)
def test_another_index_is_an_error(data: object) -> None:
    """Also the theme's own, and one whose numbers lead nowhere."""
    with pytest.raises(UnreadableInput):
        read_index(json.dumps(data))


def test_an_index_that_grows_without_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its lines has that above it and one letter more."""
    monkeypatch.setattr(columns, "MAX_UNPACKED", 1000)
    names = "\x7f".join(f"{columns.encode_number(number)}x" for number in range(100))

    with pytest.raises(UnreadableInput):
        read_index(json.dumps({"pages": {}, "parts": [], "fields": names, "below": "", "shapes": ""}))


def test_details_are_read_where_a_site_has_them(tmp_path: Path) -> None:
    """The index of the search says whether there are any; if they are gone, the names are left."""
    entry = SearchEntry(title="List tasks", details="Newest first.")
    for name, with_details in ((SEARCH_INDEX, False), (SEARCH_DETAILS, True)):
        made = SearchIndex(with_details=with_details)
        made.add("reference/tasks/list/", entry)
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(made.text(), encoding="utf-8")
    queries = SiteQueries(source=open_site(str(tmp_path)))

    with_details = queries.search("newest", most=1).data["results"]
    (tmp_path / SEARCH_DETAILS).unlink()
    without = queries.search("newest", most=1).data["results"]

    assert [[result["title"] for result in found] for found in (with_details, without)] == [
        ["List tasks"],
        [],
    ]


def test_values_and_descriptions_are_found() -> None:
    """An index with details has them: a value leads to its field."""
    made = SearchIndex(with_details=True)
    made.add(
        "reference/tasks/list/",
        SearchEntry(
            kind=SearchKind.OPERATION,
            title="List tasks",
            tags=("GET /tasks",),
            details="Returns the newest first.",
            fields="Query\tquery\n state = wont_fix\tstate\t\n state\nResponses\tresponse\n 404 Not Found\t404",
        ),
    )
    index = read_index(made.text())

    first = [search(index, query)[0] for query in ("wont_fix", "newest first", "404 tasks")]

    assert [(result.kind, result.title, result.address.partition("#")[2]) for result in first] == [
        ("field", "state = wont_fix", "query.state"),
        ("operation", "List tasks", ""),
        ("response", "404 Not Found", "response.404"),
    ]
