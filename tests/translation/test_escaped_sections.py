"""No English word of the toolkit is on pages, twins and feeds of the changelog, of rates and coverage, and of runs.

Open: why a contract refuses the message that proves a change, and what a report of a run says, is in English in every
language. Pages mark it as such (`lang="en"`). Their twins cannot, so lines with no other words than these are right
here. What the differ says of a change is read as a whole in `test_change_sentences`.
"""

import copy
import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from devportal.catalog.book.book import NO_REGISTRATION
from devportal.catalog.pages import Contact, Options, catalog_pages
from devportal.catalog.records.values import Values
from devportal.changelog import Entry, Memory
from devportal.changelog.pages.pages import changelog_pages
from devportal.changelog.pages.part_history import part_history_marks
from devportal.changelog.pages.release_history import release_history
from devportal.conformance.verification import Guide, conformance_pages, operation_marks, read_runs
from devportal.contract import load_contract
from devportal.markup import Artefact, Page
from devportal.project.settings import Settings
from devportal.reporting import Format
from devportal.translation import Interface, format_day, interface_of, join_words
from devportal.translation.catalogues import Catalogue, find_catalogue, load_interface
from tests.catalog.own_book import BOOK
from tests.catalog.past import records_with_past
from tests.catalog.publishing import small_catalog
from tests.changelog.history import Shelf, contract, with_shorter_text, with_weight
from tests.changelog.samples import entry
from tests.conformance.running import CONTRACT
from tests.conformance.values import FAILURE, LABEL, result, write_result
from tests.translation.escaped_words import (
    LANGUAGE,
    escaped_from_html,
    escaped_from_markdown,
    words_in_english,
    words_outside_brackets,
    write_pseudo_catalogue,
)

SITE = "https://xn--o1a.example/"
_CODES = re.compile(
    r"\b[A-Z]{2,3}\b|[\w.-]+\.(?:csv|json|yaml|pdf|example)\b|\b\w+(?:-\w+)+\b|\bhttps?:\S+|/parcels\b"
    r"|\b(?:Atom|JSON Feed|YAML|SHA-256|Norway|Sweden)\b|\b\d+ ms\b|\b\d+ [A-Z][a-z]+ \d{4}\b"
)
"""Codes, units, paths, names of files and formats; days and countries, which babel does not name in this language."""
_REFUSAL = '<p class="dp-diff__hint" dir="auto" lang="en">'
"""Why a contract refuses a message."""
_DECLARED = frozenset(
    {"title", "noun", "plural", "symbol", "short", "every", "absent", "attribute", "uses_title"}
)
_SENTENCES = frozenset({"column", "start", "meaning", "help", "write", "lead", "registrant", "service"})
_FORMATS = frozenset({"words", "in_name"})


@pytest.fixture(scope="module")
def interface(tmp_path_factory: pytest.TempPathFactory) -> Interface:
    """The language whose messages are in brackets."""
    path = write_pseudo_catalogue(tmp_path_factory.mktemp("language"))
    return load_interface(Catalogue(language=LANGUAGE, files=(path,)))


def cyrillic(value: Any, known: dict[int, tuple[Any, Any]], name: str = "") -> Any:
    """Return a value with the texts that a project declares in Cyrillic; the same things stay the same."""
    if value is NO_REGISTRATION or isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return _text(value, name)
    if name in ("restrictions", "billing_terms"):
        return tuple("ы" for _ in value)
    if id(value) not in known:
        known[id(value)] = (value, _rebuild(value, known, name))
    return known[id(value)][1]


def _text(value: str, name: str) -> str:
    if name in _FORMATS:
        return "{} ы"
    return "ы" if value and name in _DECLARED | _SENTENCES else value


def _rebuild(value: Any, known: dict[int, tuple[Any, Any]], name: str) -> Any:
    if isinstance(value, Values):
        return Values(
            {
                key: "ы"
                if key == "name"
                else cyrillic(other_value, known, "title" if name == "everywhere" else key)
                for key, other_value in value.items()
            }
        )
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(cyrillic(item, known, name) for item in value)
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    made = copy.copy(value)
    if hasattr(made, "__dict__"):
        vars(made).clear()  # what is cached has the other words
    for field in dataclasses.fields(value):
        object.__setattr__(made, field.name, cyrillic(getattr(value, field.name), known, field.name))
    return made


def untranslated_texts(made: Iterable[Page | Artefact]) -> list[str]:
    """Return what is in English on pages, in twins and in feeds."""
    found = set()
    for page in made:
        if isinstance(page, Artefact):
            found |= {f"{page.uri}: {text}" for text in _escaped_from_feed(page)}
            continue
        english = words_in_english(page.body)
        texts = [page.title, page.description, *(entry.title for entry in page.headings)]
        texts += [text for part in page.search for text in (part.title, part.text)]
        lines = [*escaped_from_markdown(page.markdown), *escaped_from_html(page.body + page.sidebar)]
        for text in (*(text for text in texts if _words(text)), *lines):
            if not _words(text) <= english:
                found.add(f"{page.uri}: {text}")
    return sorted(found)


def _words(text: str) -> set[str]:
    return set(words_outside_brackets(_CODES.sub("", text))[0])


def _escaped_from_feed(artefact: Artefact) -> Iterable[str]:
    if artefact.uri.endswith("feed.json"):
        feed = json.loads(artefact.content)
        texts = [feed["title"], feed["description"]]
        for item in feed["items"]:
            texts += [item["title"], item["summary"], *escaped_from_html(item["content_html"])]
        yield from (text for text in texts if _words(text))


def test_rates_and_coverage(interface: Interface) -> None:
    """Pages of rates, of coverage, of markets and of histories; the project declares its words in Cyrillic."""
    options = Options(
        site_url=SITE,
        title="Ы",
        settings=Settings(rate_history=True),
        contact=Contact(name="Ы", address="mailto:ы"),
    )
    with interface_of(interface):
        made = [
            catalog_page
            for public in (small_catalog(), records_with_past())
            for catalog_page in catalog_pages(cyrillic(public, {}), options)
        ]

    assert any(page.uri.endswith("history/index.md") for page in made)
    assert any(page.uri == "rates/feed.json" for page in made)
    assert untranslated_texts(made) == []


def _translated_entry(slug: str, *covers: Mapping[str, str], **fields: object) -> Entry:
    body = "## What changed\n\nЫ.\n\n## Who is affected\n\nЫ.\n\n## Migration\n\nЫ.\n"
    told = {
        "id": f"2026-05-01-{slug}",
        "date": "2026-05-01",
        "title": "Ы",
        "apis": ["Ы"],
        "covers": list(covers) or None,
    }
    return entry(body, **(told | fields))


def test_changelog(interface: Interface, tmp_path: Path) -> None:
    """Lists, entries, releases, comparisons and feeds."""
    first = _translated_entry(
        "first",
        {"operation": "POST /parcels"},
        spec_to="1.0.0",
        sunset="2027-01-01",
        impact="deprecation",
        kind="deprecated",
        audience=["rest", "sdk"],
        links=[{"title": "Ы", "url": "https://xn--o1a.example"}],
    )
    shelf = Shelf(tmp_path, contract(), with_shorter_text(contract("2.0.0")), entries=(first,))
    working = with_weight(with_shorter_text(contract("3.0.0")))
    later = _translated_entry(
        "later",
        {"operation": "POST /parcels"},
        impact="breaking",
        kind="changed",
        action_required=True,
        effective="2026-06-01",
        spec_from="1.0.0",
        spec_to="2.0.0",
    )
    history, _ = shelf.read(working, later)
    releases = release_history(history, policy={}, cache=Memory())
    assert releases is not None
    settings = Settings(notifications="https://xn--o1a.example")
    with interface_of(interface):
        made = list(
            changelog_pages(
                (first, later),
                settings,
                site_url=SITE,
                title="Ы",
                has_beta=True,
                release_history=releases,
                language="ru",
            )
        )
        marks = [words for listed in part_history_marks(releases).values() for words, _ in listed]

    assert {"changelog/releases.md", "changelog/feeds.md", "changelog/feed.json"} <= {
        page.uri for page in made
    }
    assert any("compare/" in page.uri for page in made)
    bodies = [page.body for page in made if isinstance(page, Page)]
    assert any("dp-diff__text" in body for body in bodies)
    assert {line for body in bodies for line in body.splitlines() if 'lang="en"' in line} <= {
        line for body in bodies for line in body.splitlines() if line.startswith(_REFUSAL)
    }
    assert untranslated_texts(made) == []
    assert [words for words in marks if _words(words)] == []


def test_runs(interface: Interface, tmp_path: Path) -> None:
    """The status of deployments, the page of the area, and the marks at operations."""
    one = load_contract(CONTRACT)
    for number, run in enumerate((result(FAILURE), result())):
        (tmp_path / f"{number}.json").write_text(write_result(run, Format.JSON), encoding="utf-8")
    with interface_of(interface):
        runs = read_runs(tmp_path, name="runs")
        guides = [
            Guide(
                "conformance/running.md",
                "Run the tests",
                "Reports, what counts as a failure, and known failures.",
            )
        ]
        made = list(conformance_pages(runs, one, operations={LABEL: "reference/x.md"}, guides=guides))
        marks = [mark.words for listed in operation_marks(runs, one).values() for mark in listed]

    words_of_data = {"quick", "stable", "Parcels"}
    assert [
        text for text in untranslated_texts(made) if not _words(text.partition(": ")[2]) <= words_of_data
    ] == []
    assert marks
    assert [words for words in marks if _words(words)] == []


def test_days_and_countries_in_german() -> None:
    """Days, lists and names of countries are those of the language; codes and files keep the English ones."""
    german = load_interface(find_catalogue("de"))
    with interface_of(german):
        assert format_day(date(2026, 3, 5)) == "5. März 2026"
        assert join_words(["a", "b", "c"], english=" ".join) == "a, b und c"
        assert BOOK.markets.shown_names["NO"] == "Norwegen"
        assert BOOK.markets.names["NO"] == "Norway"
        files = {
            catalog_page.uri: catalog_page.content
            for catalog_page in catalog_pages(small_catalog(), Options())
            if isinstance(catalog_page, Artefact)
        }

    assert b"Norway" in files["rates/rates.csv"]
    assert b"Norwegen" not in files["rates/rates.csv"]
    assert format_day(date(2026, 3, 5)) == "5 March 2026"
    assert join_words(["a", "b"], english=" and ".join) == "a and b"
