"""The search index: what goes in comes out, small."""

import gzip
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api, load_contract
from devportal.markup import Page, SearchEntry, SearchKind, url_of
from devportal.reference.pages.pages import reference_pages
from devportal.site.search.columns import COLUMN_SEPARATOR
from devportal.site.search.index import (
    DETAILS_NAME,
    INDEX_NAME,
    MAX_SENTENCE,
    SearchIndex,
    derived_operation_id,
    derived_slug,
    derived_title,
    mark_cells,
    merged_search_indexes,
    unmark_cells,
)
from devportal.site.search.synonyms import common_synonyms
from tests.corpus import contract_param, corpus_contract
from tests.reference.reading import pages_of_others
from tests.site.reading_search import Entry, entries

PAGE = Page(
    uri="reference/parcels/get parcel.md",
    title="Find",
    description="",
    body="<h1>Find</h1>",
    markdown="# Find\n",
    search=(
        SearchEntry(title="Find <b>", text='A & "B"', tags=("GET /parcels/{id}",)),
        SearchEntry(title="Weight", text="grams", anchor="weight"),
    ),
)
OUTLINE = (
    "Request body\tbody\n parcel\n  weight\n  item\t1.item\n  size\tsize-2\nResponse 200\tresponse.200\n id"
)


def index_entries(*given: tuple[str, SearchEntry]) -> tuple[Entry, ...]:
    """Return what comes out of an index made of addresses and entries."""
    made = SearchIndex()
    for address, entry in given:
        made.add(address, entry)
    return entries(made.text())


def test_our_index_takes_the_place_of_that_of_the_theme(tmp_path: Path) -> None:
    """With the entries of hand-written pages, whose titles and texts are HTML, what those say of themselves,
    and our own.
    """
    index = tmp_path / "search_index.json"
    docs = [
        {"location": "", "title": "Home", "text": "<p>Fish &amp; <code>chips</code></p>"},
        {"location": "guide/", "title": "Guide", "text": "Steps."},
        {"location": "guide/#part", "title": "Part", "text": "", "tags": ["new"]},
    ]
    index.write_text(json.dumps({"config": {"lang": ["en"]}, "docs": docs}), encoding="utf-8")

    text = merged_search_indexes(index, [PAGE], {"": "", "guide/": "How to fish."})[INDEX_NAME]

    found = entries(text)
    assert [(entry.address, entry.title, entry.text, entry.tags) for entry in found] == [
        ("", "Home", "Fish & chips", ()),
        ("guide/", "Guide", "How to fish.\tSteps.", ()),
        ("guide/#part", "Part", "", ("new",)),
        ("reference/parcels/get%20parcel/", "Find <b>", 'A & "B"', ("GET /parcels/{id}",)),
        ("reference/parcels/get%20parcel/#weight", "Weight", "grams", ()),
    ]


def test_sentences_are_kept_apart_and_code_behind_them(tmp_path: Path) -> None:
    """A paragraph, an item and a line of code each end one; so does a full stop before a capital."""
    index = tmp_path / "search_index.json"
    text = (
        "<p>Send it, e.g. now. <code>To</code> is E.164. Then:</p>"
        "<pre><code>curl &lt;url&gt;\n\n  --data x\n</code></pre>"
        "<ul><li>one</li><li>two</li></ul><p>The end</p>"
        "<pre><code>exit. Done\n</code></pre>"
    )
    docs = [{"location": "guide/", "title": "Guide", "text": text}]
    index.write_text(json.dumps({"config": {}, "docs": docs}), encoding="utf-8")

    text = merged_search_indexes(index, [])[INDEX_NAME]

    (entry,) = entries(text)
    prose, code = (part.split("\t") for part in entry.text.split("\t\t"))
    assert prose == ["Send it, e.g. now.", "To is E.164.", "Then:", "one", "two", "The end"]
    assert code == ["curl <url>", "--data x", "exit.", "Done"]


def test_cells_of_tables_are_kept_apart(tmp_path: Path) -> None:
    """A row is a sentence with a dot between cells, heads are left out, code stays joined to what follows it."""
    head = "<thead><tr><th>Limit</th>\n<th>Value</th></tr></thead>"
    table = f"<table>{head}<tr><td>Rate<br>a second</td><td></td><td>5</td></tr></table>"
    marked = mark_cells(table)
    text = re.sub(
        r"(?s)<thead data-search-exclude.*?</thead>|</?t\w+>|<br>", "", marked
    )  # what the theme keeps of it
    index = tmp_path / "search_index.json"
    docs = [{"location": "", "title": "Home", "text": f"<p><code>a</code>, b</p>{text}"}]
    index.write_text(json.dumps({"docs": docs}), encoding="utf-8")

    text = merged_search_indexes(index, ())[INDEX_NAME]

    assert unmark_cells(marked) == table
    assert entries(text)[0].text == "a, b\tRate a second · 5"


def test_only_synonyms_of_words_that_a_site_uses_are_in_its_index() -> None:
    """In any number, and of any of the words of a phrase; those of the project are there too."""
    made = SearchIndex(synonyms=(("price", "cost"), ("sign up", "register"), ("parcel", "package")))
    made.add("", SearchEntry(title="Prices", text="What to do to sign up."))

    assert json.loads(made.text())["synonyms"] == [["price", "cost"], ["sign up", "register"]]


def test_common_synonyms_are_in_every_index() -> None:
    """What readers call a price, and what comes from a country."""
    made = SearchIndex()
    made.add("rates/no/", SearchEntry(title="Norway", text="Rates"))

    synonyms = json.loads(made.text())["synonyms"]

    assert ["Norway", "Norwegian"] in synonyms
    assert any({"pricing", "rate"} <= set(group) for group in synonyms)


def test_no_word_is_its_own_synonym() -> None:
    """Each group has different members, at least two."""
    assert [
        common_synonym
        for common_synonym in common_synonyms()
        if len({part.lower() for part in common_synonym}) < max(2, len(common_synonym))
    ] == []


def test_what_is_too_long_to_be_shown_is_divided_between_words() -> None:
    """A table is one long sentence; no word of it is lost or broken, however long."""
    words = [f"w{number}" for number in range(200)] + ["x" * 300]

    (entry,) = index_entries(("a/", SearchEntry(title="A", text=" ".join(words))))

    parts = entry.text.split("\t")
    assert " ".join(parts).split() == words
    assert max(map(len, parts[:-1])) <= MAX_SENTENCE


def test_a_site_without_search_gets_no_index(tmp_path: Path) -> None:
    """Who leaves the plugin out has no search."""
    assert merged_search_indexes(tmp_path / "search_index.json", [PAGE]) == {}


def test_details_are_in_an_index_of_their_own(tmp_path: Path) -> None:
    """The first says that there is one, which has all of the first too; without details there is none."""
    theme = tmp_path / "search_index.json"
    theme.write_text(json.dumps({"docs": []}), encoding="utf-8")
    outline = "Query\tquery\n state = open\tstate\t\n state = done\tstate\t\n state"
    entry = SearchEntry(title="List tasks", text="Tasks.", details="Newest first.", fields=outline)
    page = replace(PAGE, search=(entry,))

    made = merged_search_indexes(theme, [page])

    (short,), (whole,) = entries(made[INDEX_NAME]), entries(made[DETAILS_NAME])
    assert (short.text, whole.text) == ("Tasks.", "Tasks.\tNewest first.")
    assert short.fields == whole.fields == {("query.state", "Query")}
    assert [" = done" in made[name] for name in (INDEX_NAME, DETAILS_NAME)] == [False, True]
    assert json.loads(made[INDEX_NAME])["details"] is True
    assert [*merged_search_indexes(theme, [PAGE])] == [INDEX_NAME]


def test_fields_keep_their_anchors() -> None:
    """Nested ones too, and those whose anchors are not their names."""
    (entry,) = index_entries(("a/", SearchEntry(title="A", fields=OUTLINE)))

    assert entry.fields == {
        ("body.parcel", "Request body"),
        ("body.parcel.weight", "Request body"),
        ("body.parcel.1.item", "Request body"),
        ("body.parcel.size-2", "Request body"),
        ("response.200.id", "Response 200"),
    }


def test_fields_that_many_pages_share_are_there_once() -> None:
    """A second page with the same fields costs its row, whatever the fields are."""
    one, two, other = SearchIndex(), SearchIndex(), SearchIndex()
    shared = SearchEntry(title="A", fields="\tbody\n" + "\n".join(f" field{number}" for number in range(99)))
    one.add("a/", shared)
    for made in (two, other):
        made.add("a/", shared)
    two.add("b/", shared)
    other.add("b/", SearchEntry(title="A"))

    assert len(two.text()) - len(other.text()) == len("AB")
    assert len(one.text()) > 200


@pytest.mark.parametrize(
    ("name", "address", "title"),
    [
        ("PostChargesCharge", "post-charges-charge", "Post charges charge"),
        ("listSMSMessages", "list-sms-messages", "List SMS messages"),
        ("issues/lock_2", "issues-lock-2", "Issues lock 2"),
        ("get_user_urls", "get-user-urls", "Get user URLs"),
        ("v1OAuth2Token", "v1-oauth2-token", "V1 OAuth2 token"),
        ("träger", "", ""),
        ("/", "", ""),
    ],
)
def test_addresses_and_titles_are_made_from_names(name: str, address: str, title: str) -> None:
    """Of ASCII letters, so that Python and JavaScript cannot differ."""
    made = (derived_slug(name), derived_title(name))

    assert made == (address, title)


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("POST /v1/charges/{charge}/capture", "PostChargesChargeCapture"),
        ("GET /bank_accounts", "GetBankAccounts"),
        ("message.sent", "Message.sent"),
        ("GET /größe", ""),
    ],
)
def test_ids_are_made_from_method_and_path(code: str, made: str) -> None:
    """As one widespread generator does; of other texts something that nobody calls an operation."""
    assert derived_operation_id(code) == made


def test_an_id_that_follows_from_the_path_comes_back() -> None:
    """It is left out of the index, with the title and the address that follow from it."""
    entry = SearchEntry(title="Get charges", tags=("GET /v1/charges", "GetCharges"))
    made = SearchIndex()
    made.add("charges/get-charges/", entry)

    (found,) = entries(made.text())

    assert "GetCharges" not in made.text()
    assert (found.tags, found.title, found.address) == (entry.tags, entry.title, "charges/get-charges/")


def test_what_can_be_made_from_a_name_is_left_out() -> None:
    """The last part of an address and a title, if they come back the same, and their ends."""
    given = (
        ("messages/send-message/", SearchEntry(title="Send message", tags=("POST /messages", "sendMessage"))),
        ("messages/send/", SearchEntry(title="Send a message", tags=("POST /messages", "sendMessage"))),
        ("access/", SearchEntry(title="Scope a.b*", tags=("a.b*",), anchor="scope.a.b*")),
        ("access/", SearchEntry(title="Scope *", tags=("c",), anchor="scope.*")),
    )
    made = SearchIndex()
    for address, entry in given:
        made.add(address, entry)

    addresses, titles, *_ = json.loads(made.text())["pages"]["page"]

    assert addresses.split(COLUMN_SEPARATOR) == ["Amessages/ ", "Jsend/", "Aaccess/#scope. ", "O*"]
    assert titles.split(COLUMN_SEPARATOR) == ["A", "ASend a message", "AScope  ", "G*"]
    assert [(entry.address, entry.title) for entry in entries(made.text())] == [
        (f"{address}#{entry.anchor}".rstrip("#"), entry.title) for address, entry in given
    ]


def test_a_home_page_alone_is_found() -> None:
    """Its address is empty, and so is all else but the title."""
    (entry,) = index_entries(("", SearchEntry(title="Home")))

    assert (entry.address, entry.title, entry.tags) == ("", "Home", ())


def test_texts_stay_on_their_lines() -> None:
    """No title, tag, text or field opens a line or a column of its own; long titles are cut."""
    hostile = SearchEntry(
        title="A\nB\tC " + "d" * 200, text="x\n\ny\x7fz", tags=("p\tq", "r\ns"), fields="\t\n o\x7fp"
    )

    (entry,) = index_entries(("a/", hostile))

    assert entry.title == "A B C…"
    assert (entry.text, entry.tags) == ("x\ty z", ("p q", "r s"))
    assert entry.fields == {("o-p", "")}


def test_kinds_survive_storage_as_text() -> None:
    """A kind that was read from JSON is as good as one of the code."""
    (entry,) = index_entries(("a/", SearchEntry(title="A", kind="schema")))  # type: ignore[arg-type]  # as read from JSON

    assert entry.kind == SearchKind.SCHEMA


_NAMES = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=6)
_TREES = st.recursive(
    st.dictionaries(_NAMES, st.none(), min_size=1, max_size=4),
    lambda inner: st.dictionaries(_NAMES, st.none() | inner, min_size=1, max_size=4),
    max_leaves=20,
)


@given(st.lists(_TREES, min_size=1, max_size=3))
def test_every_field_comes_back(trees: list[dict[str, object]]) -> None:
    """Whatever the names and however deep: what is written is read."""
    outlines = "\n".join("\n".join((f"Part {at}\tp{at}", *lines(tree, " "))) for at, tree in enumerate(trees))

    (entry,) = index_entries(("a/", SearchEntry(title="A", fields=outlines)))

    assert entry.fields == {
        (anchor, f"Part {at}") for at, tree in enumerate(trees) for anchor in anchors(tree, f"p{at}")
    }


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=12))
def test_sets_that_are_alike_come_back(sets: list[set[str]]) -> None:
    """Each is written as what sets it apart from one before it, and is itself again when it is read."""
    given = [
        (f"{at}/", "\tbody\n" + "\n".join(f" {name}" for name in sorted(names)))
        for at, names in enumerate(sets)
    ]

    found = index_entries(*((address, SearchEntry(title="A", fields=outline)) for address, outline in given))

    assert [{anchor for anchor, _ in entry.fields} for entry in found] == [
        {f"body.{name}" for name in names} for names in sets
    ]


def lines(tree: dict[str, object], indent: str) -> list[str]:
    """Return a tree of names as lines of an outline."""
    return [
        line
        for name, below in tree.items()
        for line in (f"{indent}{name}", *(lines(below, f"{indent} ") if isinstance(below, dict) else ()))
    ]


def anchors(tree: dict[str, object], above: str) -> list[str]:
    """Return the anchors of a tree of names."""
    return [
        anchor
        for name, below in tree.items()
        for anchor in (
            f"{above}.{name}",
            *(anchors(below, f"{above}.{name}") if isinstance(below, dict) else ()),
        )
    ]


def size_per_thousand(api: Api, pages: Iterable[Page]) -> float:
    """Return the size of the index of a contract in kilobytes packed, for each thousand operations."""
    made = SearchIndex()
    for page in pages:
        for entry in page.search:
            made.add(url_of(page.uri), entry)
    return len(gzip.compress(made.text().encode(), 9)) / len(api.operations)


LARGE = {"stripe.json": 55, "twilio_api_v2010.json": 50, "discord-3.1.json": 60}
"""Kilobytes for each thousand operations. Stripe's have no summaries: their titles are made from the paths, and a
browser cannot make them, so the index holds them.
"""


@pytest.mark.corpus
@pytest.mark.parametrize("name", [*map(contract_param, LARGE)], scope="session")
def test_the_index_of_a_large_contract_is_small(name: str) -> None:
    """At most 60 KB packed per thousand operations, even with two schemas for each of them."""
    pages = pages_of_others(name)

    assert size_per_thousand(corpus_contract(name).api, pages.values()) < LARGE[name]


def test_the_index_grows_with_the_operations_only(tmp_path: Path) -> None:
    """Hundreds of operations that share their schemas take little."""
    answer = {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
    properties = {f"field{number}": {"type": "string"} for number in range(40)}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Things", "version": "1"},
        "paths": {
            f"/areas/{number // 10}/things-{number}/{{id}}": {
                "get": {
                    "operationId": f"getThing{number}",
                    "summary": f"Get thing {number}",
                    "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                    "responses": {"200": {"description": "Found.", "content": answer}},
                }
            }
            for number in range(400)
        },
        "components": {"schemas": {"Thing": {"type": "object", "properties": properties}}},
    }
    contract = tmp_path / "things.json"
    contract.write_text(json.dumps(document), encoding="utf-8")

    api = load_contract(contract).api
    assert size_per_thousand(api, reference_pages(api)) < 15
