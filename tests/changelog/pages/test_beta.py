"""Breaking changes of parts in beta: a mark, filters and feeds of their own, derived from the contract."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog import Memory, changelog_pages
from devportal.changelog.entries.entry import Impact
from devportal.changelog.entries.facts import facts_block
from devportal.changelog.pages.release_history import ReleaseHistory, release_history
from devportal.changelog.proof.severity import Severity, entry_severity
from devportal.differ import Verdict
from devportal.markup import Artefact, Page
from devportal.project.settings import Settings
from tests.changelog.history import FIRST, GET, Shelf, contract, covering_entry, put, with_shorter_text
from tests.changelog.samples import SITE_URL

BETA = put(contract(), *GET, "x-stability-level", value="beta")
REMOVED = put(contract("1.1.0"), *GET, value=None)


def beta_history(folder: Path, new: dict[str, Any], **fields: Any) -> ReleaseHistory:
    """Return two releases: the second one changes an operation in beta, and an entry covers all of it."""
    changes = Shelf(folder, BETA).unreleased_step(new).step.changes_needing_entry
    covers = [{"finding": change.fingerprint} for change in changes]
    entry = covering_entry(
        *covers,
        spec_from="1.0.0",
        spec_to="1.1.0",
        slug="gone",
        **{"impact": "risky", "kind": "removed", "effective": None} | fields,
    )
    (folder / "all").mkdir()
    shelf = Shelf(folder / "all", BETA, new, entries=(FIRST, entry))
    history = release_history(shelf.read(new)[0], policy={}, cache=Memory())
    assert history is not None
    return history


def published_files(history: ReleaseHistory, *, has_beta: bool = False) -> dict[str, Page | Artefact]:
    """Return all pages and files, by their uris."""
    entries = [entry for proof in history.proofs for entry in proof.entries]
    pages = changelog_pages(
        entries, Settings(), site_url=SITE_URL, title="Parcels", release_history=history, has_beta=has_beta
    )
    return {page.uri: page for page in pages}


def body(pages: dict[str, Page | Artefact], uri: str) -> str:
    """Return the HTML of a page."""
    page = pages[uri]
    assert isinstance(page, Page)
    return page.body


def feed_ids(pages: dict[str, Page | Artefact], folder: str) -> list[str]:
    """Return the entries that a JSON feed has."""
    file = pages[f"changelog/{folder}/feed.json"]
    assert isinstance(file, Artefact)
    return [item["url"].rstrip("/").rsplit("/", 1)[1] for item in json.loads(file.content)["items"]]


@pytest.fixture
def pages(tmp_path: Path) -> dict[str, Page | Artefact]:
    """Return the pages of a changelog with a removed operation in beta."""
    return published_files(beta_history(tmp_path, REMOVED))


def test_differ_keeps_the_verdict_before_softening(tmp_path: Path) -> None:
    """A removed operation in beta is risky, and would be breaking if it were stable."""
    changes = Shelf(tmp_path, BETA).unreleased_step(REMOVED).step.changes_needing_entry

    softened = [
        (change.rule, change.verdict, change.softened_from) for change in changes if change.softened_from
    ]

    assert softened == [("operation.removed", Verdict.RISKY, Verdict.BREAKING)]


@pytest.mark.parametrize("path", ["/before", "/sooner"])
def test_stable_use_of_a_part_softens_nothing(tmp_path: Path, path: str) -> None:
    """What breaks a stable operation is breaking, whatever else in beta uses the same schema."""
    beta = {**BETA["paths"]["/parcels"]["post"], "x-stability-level": "beta"}
    shelf = Shelf(tmp_path, put(BETA, "paths", path, "post", value=beta))

    changes = shelf.unreleased_step(
        put(with_shorter_text(contract("2.0.0")), "paths", path, "post", value=beta)
    ).step.changes

    (found,) = (change for change in changes if change.rule == "schema.max-length.lowered")
    assert (found.verdict, found.softened_from, len(found.used_by)) == (Verdict.BREAKING, None, 2)


def test_facts_of_a_draft_say_that_it_breaks_beta(tmp_path: Path) -> None:
    """The impact to write is risky, and the author learns more."""
    changes = Shelf(tmp_path, BETA).unreleased_step(REMOVED).step.changes_needing_entry

    assert '@@ GET /parcels: "GET /parcels" is removed (breaking: beta) @@' in facts_block(changes)


def test_entry_is_marked_on_every_page(pages: dict[str, Page | Artefact]) -> None:
    """Lists, the entry itself and comparisons say that it breaks what is in beta."""
    badge = '<span class="dp-badge dp-badge--breaking-beta">Breaking: beta</span>'

    for uri in (
        "changelog/index.md",
        "changelog/2026-05-01-gone.md",
        "changelog/releases.md",
        "changelog/compare/1.0.0...1.1.0.md",
    ):
        assert badge in body(pages, uri), uri


@pytest.mark.parametrize(
    ("folder", "entries"),
    [
        ("impact/breaking", []),
        ("impact/breaking-beta", ["2026-05-01-gone"]),
        ("impact/breaking-or-beta", ["2026-05-01-gone"]),
        ("impact/risky", ["2026-05-01-gone"]),
        ("api/messages/breaking-or-beta", ["2026-05-01-gone"]),
    ],
)
def test_it_has_filters_and_feeds_of_its_own(
    pages: dict[str, Page | Artefact], folder: str, entries: list[str]
) -> None:
    """What breaks code can be followed with beta or without it; those who follow risky changes lose nothing."""
    assert feed_ids(pages, folder) == entries
    assert (f"changelog/{folder}.md" in pages) is bool(entries)


def test_feed_items_say_both_impacts(pages: dict[str, Page | Artefact]) -> None:
    """The category that the item had before stays."""
    file = pages["changelog/feed.json"]
    assert isinstance(file, Artefact)
    item = next(item for item in json.loads(file.content)["items"] if "gone" in item["url"])

    assert item["tags"] == [
        "api:Messages",
        "impact:risky",
        "impact:breaking-beta",
        "kind:removed",
        "action-required",
    ]
    assert "<strong>Breaking: beta, action required</strong>" in item["content_html"]


def test_one_sentence_at_the_filter_leads_to_everything_that_breaks(
    pages: dict[str, Page | Artefact],
) -> None:
    """It is in no box that has to be opened, on the page and in its twin."""
    index = pages["changelog/index.md"]
    assert isinstance(index, Page)
    visible = index.body.partition('<details class="dp-nested')[0]

    assert "Changes that break only parts in beta are marked <em>Breaking: beta</em>: choose " in visible
    assert '<a href="impact/breaking-or-beta/">Breaking, beta included</a> to see everything' in visible
    assert "[Breaking, beta included](impact/breaking-or-beta/" in index.markdown.replace(".md", "/")


def test_filter_in_place_finds_it_by_each_choice(pages: dict[str, Page | Artefact]) -> None:
    """The card names every choice of the select that has it."""
    index = body(pages, "changelog/index.md")

    assert 'data-impact="breaking-beta" data-other-impacts="breaking-or-beta risky"' in index
    assert re.findall(r'<option value="([^"]+)" data-label="[^"]*[Bb](?:reaking|eta)[^"]*"', index) == [
        "breaking-or-beta",
        "breaking-beta",
    ]


def test_contract_without_beta_has_no_such_choice(tmp_path: Path) -> None:
    """Neither a filter, a feed nor a meaning is about what there is not."""
    shelf = Shelf(tmp_path, contract(), entries=(FIRST,))
    history = release_history(shelf.read(contract())[0], policy={}, cache=Memory())
    assert history is not None

    pages = published_files(history)

    assert not [uri for uri in pages if "beta" in uri]
    assert "beta" not in body(pages, "changelog/index.md")


def test_contract_with_beta_has_its_feeds_before_the_first_such_change(tmp_path: Path) -> None:
    """Who waits for the first one subscribes before it."""
    shelf = Shelf(tmp_path, BETA, entries=(FIRST,))
    history = release_history(shelf.read(BETA)[0], policy={}, cache=Memory())
    assert history is not None

    pages = published_files(history, has_beta=True)

    assert feed_ids(pages, "impact/breaking-beta") == feed_ids(pages, "impact/breaking-or-beta") == []


@pytest.mark.parametrize("impact", [Impact.BREAKING, Impact.RISKY])
def test_entry_that_says_it_breaks_is_breaking(tmp_path: Path, impact: Impact) -> None:
    """Only what an entry calls risky can be a breaking change of a part in beta."""
    history = beta_history(tmp_path, REMOVED, impact=impact.value, effective="2026-05-01")
    entry = history.proofs[1].entries[0]

    severity = entry_severity(entry, history.changes_of(entry))

    assert severity is (Severity.BREAKING if impact is Impact.BREAKING else Severity.BREAKING_BETA)


def test_comparison_counts_it_apart(pages: dict[str, Page | Artefact]) -> None:
    """The summary, the heading and the rows below agree, in the words of the changelog."""
    page = body(pages, "changelog/compare/1.0.0...1.1.0.md")

    assert '<a href="#breaking-beta">1 breaking: beta</a>' in page
    assert 'Changelog entries <span class="dp-muted">1: 1 breaking: beta</span>' in page
    assert '<h2 id="breaking-beta">Breaking: beta <span class="dp-muted">1 change</span>' in page
    section = page.partition('<h2 id="breaking-beta">')[2].partition("<h2")[0]
    assert section.count('<li class="dp-diff__row') == 1
