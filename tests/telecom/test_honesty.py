"""What the service documents is told apart from what this portal proposes, and no statement is forgotten."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Api, Schema, Stability
from devportal.contract.operation_names import every_schema
from devportal.documents import read_document
from devportal.markup import Page
from devportal.reference.addresses import addresses_of, slug
from devportal.reference.pages.pages import reference_pages
from devportal.reference.pages.stability import marked_parts
from devportal.site.hand_written.grounds import markdown_anchors

from .honesty import DOCS, SERVICE, Row, described_rows, rows, silent_statements, statements

ROWS = tuple(rows())
HOLDERS = {"NewMessage", "AcceptedMessage"}
"""Schemas that promise nothing by themselves, as their fields do; nor do those that all resources share."""
WORDS = "e79acd5e0248770890c4b691fe89cd8a06e04e00b7158abab48cc8c4584ecfb9"
"""The SHA-256 of the words of the description as its owner gave it, with a space between each two."""
RECORDS = {"rates/index.md", "coverage/index.md", "changelog/index.md"}
"""The pages made of records that every build has."""
LISTS = {f"reference/{name}.md" for name in ("index", "authentication", "errors/index", "stability")}
"""Pages of the reference that are about no single part."""


@pytest.fixture(scope="module")
def pages(api: Api) -> dict[str, Page]:
    """Return the pages of the reference by uri."""
    return {page.uri: page for page in reference_pages(api)}


@pytest.fixture(scope="module")
def levels(api: Api) -> dict[str, set[Stability | None]]:
    """Return the stabilities that are declared at each place of the reference."""
    found: dict[str, set[Stability | None]] = {}
    for part in marked_parts(api, addresses_of(api)):
        found.setdefault(part.uri, set()).add(part.level)
    return found


@pytest.fixture(scope="module")
def stable(contract_path: Path) -> dict[str, Any]:
    """Return the nodes that are marked as stable, by file and pointer."""
    files = sorted(path for path in contract_path.parent.glob("*.yaml") if path.name != "redirects.yaml")
    marked = {
        f"{path.name}#{pointer}": node
        for path in files
        for pointer, node in _nodes(read_document(path).data)
        if node.get("x-stability-level") == "stable"
    }
    assert marked
    return marked


def _nodes(value: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield pointer, value
        for key, other_value in value.items():
            yield from _nodes(other_value, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for number, other_value in enumerate(value):
            yield from _nodes(other_value, f"{pointer}/{number}")


def documented_places() -> set[str]:
    """Return what the description documents, as places of the contract: one operation with its success, the
    fields in its tables, the state in its table, and the bearer scheme.
    """
    send = "messages.yaml#/paths/~1v1~1messages/post"
    schemas = {
        "Message (request fields)": ("NewMessage",),
        "Message (response fields)": ("AcceptedMessage", "Message"),
        "States and transitions": (),
    }
    return {
        send,
        f"{send}/responses/202",
        "messages.yaml#/components/schemas/MessageStatus",
        "openapi.yaml#/components/securitySchemes/bearerToken",
        *(
            f"messages.yaml#/components/schemas/{schema}/properties/{field}"
            for section, field, _ in described_rows()
            for schema in schemas[section]
        ),
    }


def test_nothing_is_stable_that_is_not_documented(stable: dict[str, Any]) -> None:
    """And what is documented of the request and its response is stable."""
    assert stable.keys() - documented_places() == set()
    assert {
        place for place in documented_places() if "schemas/Message/" not in place
    } - stable.keys() == set()


def test_every_stable_mark_has_a_source(stable: dict[str, Any]) -> None:
    """One that the description has a place for."""
    places = markdown_anchors(SERVICE.read_text(encoding="utf-8"))
    sources = {place: one_or_more(node.get("x-source", "")) for place, node in stable.items()}

    assert {place: names for place, names in sources.items() if not {*map(slug, names)} <= places} == {}


def one_or_more(written: str | list[str]) -> list[str]:
    """Return what a mark names: a text, or a list of them."""
    return [written] if isinstance(written, str) else written


def test_what_is_only_named_has_its_source_beside_the_decision(api: Api) -> None:
    """Each statement that a part of the reference keeps is the source of some part, be it stable or beta."""
    parts = marked_parts(api, addresses_of(api))
    named = {slug(source) for part in parts if part.grounds for source in part.grounds.sources}
    kept = {
        row.anchor
        for row in ROWS
        if row.is_shown and any(place.startswith("reference/") for place in set(row.places) - LISTS)
    }

    assert kept - named == set()
    assert any(part.level is Stability.BETA and part.grounds.sources for part in parts if part.grounds)


def test_every_part_says_how_stable_it_is(api: Api) -> None:
    """Operations, events, errors and credentials each for itself, and so does each field of the operation
    that is documented: nothing is stable only because nobody said that it is not.
    """
    sent = [operation for webhook in api.webhooks for operation in webhook.operations]
    fields = [
        field
        for schema in api.schemas.values()
        if schema.name in ("NewMessage", "AcceptedMessage")
        for field in schema.properties
    ]

    assert [
        operation.id for operation in (*api.operations, *sent) if not operation.stability_is_declared
    ] == []
    assert [field.name for field in fields if field.schema.stability is None and not field.schema.ref] == []
    assert {problem_type.stability for problem_type in api.problem_types} == {Stability.BETA}
    assert [
        security_scheme.name for security_scheme in api.security_schemes if security_scheme.stability is None
    ] == []
    unmarked = [schema for schema in api.schemas.values() if schema.stability is None]
    assert {schema.name for schema in unmarked if schema.location.file != "common.yaml"} - HOLDERS == set()


def test_only_values_that_are_given_are_documented(api: Api) -> None:
    """The description gives one channel and one status."""
    given = {
        value
        for schema in every_schema(api)
        if schema.stability is Stability.STABLE
        for value in stable_values(schema)
    }

    assert given == {"sms", "queued"}


def stable_values(schema: Schema) -> list[Any]:
    """Return the values of an enum that are not marked as proposals."""
    return [value for value in schema.enum if value not in schema.beta_values]


def test_description_is_word_for_word_that_of_the_owner() -> None:
    """What we add to it are the note at its top and an address for each statement."""
    text = SERVICE.read_text(encoding="utf-8").partition("\n# ")[2]
    text = re.sub(r"^!!! note.*\n(?:    .*\n)+", "", text, flags=re.MULTILINE)
    words = re.sub(r"\{ #[\w-]+ \}", "", text).replace("&lt;", "<").replace("&gt;", ">").split()

    assert sha256(" ".join(words).encode()).hexdigest() == WORDS


def test_every_statement_has_a_row() -> None:
    """Each numbered one, each row of its tables, and each sentence that says that something is not shown."""
    told = {(row.anchor, row.field) for row in ROWS}
    fields = {(slug(section), field) for section, field, _ in described_rows()}

    assert set(statements()) - {anchor for anchor, _ in told} == set()
    assert fields - told == set()


def test_what_is_not_shown_is_never_told_as_documented() -> None:
    """Its row stands among the proposals, and no other does."""
    silent = {(anchor, "") for anchor in silent_statements()}
    silent |= {(slug(section), field) for section, field, text in described_rows() if "not shown" in text}

    assert {(row.anchor, row.field) for row in ROWS if not row.is_shown} == silent


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_row_leads_to_places_that_are_there(row: Row, pages: dict[str, Page]) -> None:
    """Pages of the reference and hand-written ones, with their anchors."""
    assert row.places
    for place in row.places:
        uri, _, anchor = place.partition("#")
        if uri in pages:
            assert not anchor or f'id="{anchor}"' in pages[uri].body, place
        elif uri not in RECORDS:
            assert (DOCS / uri).is_file(), place
            assert not anchor or anchor in markdown_anchors((DOCS / uri).read_text(encoding="utf-8")), place


@pytest.mark.parametrize("row", [row for row in ROWS if not row.is_shown], ids=str)
def test_proposal_leads_to_parts_that_are_proposals(
    row: Row, levels: dict[str, set[Stability | None]]
) -> None:
    """Not to anything that is marked as stable."""
    parts = {place for place in row.places if place.startswith("reference/") and place not in LISTS}

    assert {part: levels.get(part) for part in parts if levels.get(part) != {Stability.BETA}} == {}
