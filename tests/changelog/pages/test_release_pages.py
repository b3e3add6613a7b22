"""Pages made from the releases: entries with their changes, comparisons, and the list of releases."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog import Memory, changelog_pages
from devportal.changelog.pages.release_history import NEXT, ReleaseHistory, release_history
from devportal.changelog.pages.release_pages import MOST_ENTRIES
from devportal.differ import Verdict
from devportal.markup import Artefact, Page
from devportal.project.settings import Settings
from tests.changelog.history import (
    FIRST,
    TO,
    WEIGHT,
    Shelf,
    contract,
    covering_entry,
    fingerprint,
    put,
    with_shorter_text,
    with_weight,
)
from tests.changelog.samples import SITE_URL

NO_FEED = Settings(feed=False)

PAGES = {"POST /parcels": "reference/post.md", "schemas/Parcel": "reference/schemas/parcel.md"}


def places(owner: str, place: str) -> str:
    """Return where the small contract is shown, as if there were a reference."""
    page = PAGES.get(owner, "")
    return f"{page}#{place}" if page and place else page


def three_releases(folder: Path, *, is_pinned: bool = True) -> ReleaseHistory:
    """Return three releases: something new in the second, something broken in the third."""
    third: dict[str, Any] = with_shorter_text(with_weight(contract("2.0.0")))
    shelf = Shelf(folder, contract(), with_weight(contract("1.1.0")), entries=(FIRST, WEIGHT))
    cover = {"schema": "NewParcel", "field": "to"}
    if is_pinned:
        cover["finding"] = fingerprint(shelf, third)
    breaking = covering_entry(cover, slug="shorter", spec_from="1.1.0", spec_to="2.0.0")
    (folder / "all").mkdir()
    shelf = Shelf(
        folder / "all", contract(), with_weight(contract("1.1.0")), third, entries=(FIRST, WEIGHT, breaking)
    )
    working = put(third, *TO, value={"type": "string", "maxLength": 5, "description": "Whom it is for"})
    history, _ = shelf.read(working)
    made = release_history(history, policy={}, cache=Memory())
    assert made is not None
    return made


@pytest.fixture
def files_by_uri(tmp_path: Path) -> dict[str, Page | Artefact]:
    """Return all pages and files of the small history, by their uris."""
    history = three_releases(tmp_path)
    entries = [entry for proof in history.proofs for entry in proof.entries]
    pages = changelog_pages(
        entries,
        site_url=SITE_URL,
        title="Parcels",
        settings=NO_FEED,
        places=places,
        release_history=history,
        references={"1.1.0": "reference/1.1.0/index.md"},
    )
    return {item.uri: item for item in pages}


def page(made: dict[str, Page | Artefact], uri: str) -> Page:
    """Return one page."""
    one = made[uri]
    assert isinstance(one, Page)
    return one


def test_neighbours_and_the_way_to_the_newest_are_compared(files_by_uri: dict[str, Page | Artefact]) -> None:
    """Each release has a page with the one before it, and one with the newest; all are on one page."""
    assert [uri for uri in files_by_uri if "/compare/" in uri] == [
        "changelog/compare/index.md",
        f"changelog/compare/2.0.0...{NEXT}.md",
        "changelog/compare/1.1.0...2.0.0.md",
        "changelog/compare/1.0.0...2.0.0.md",
        "changelog/compare/1.0.0...1.1.0.md",
    ]


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("changelog/releases.md", "releases"),
        ("changelog/compare/1.1.0...2.0.0.md", "compare"),
        ("changelog/2026-05-01-shorter.md", "entry-with-changes"),
    ],
)
def test_pages_are_as_agreed(
    uri: str, name: str, files_by_uri: dict[str, Page | Artefact], golden: Callable[[str, str], None]
) -> None:
    """Releases, two of them compared, and an entry of one, each whole, as HTML and as Markdown."""
    one = page(files_by_uri, uri)

    golden(f"changelog/{name}.html", one.body)
    golden(f"changelog/{name}.md", one.markdown)


def test_an_entry_shows_what_it_covers_and_nothing_else(files_by_uri: dict[str, Page | Artefact]) -> None:
    """The change of another entry of another release is not there."""
    weight = page(files_by_uri, "changelog/2026-05-01-weight.md").body

    assert 'href="../../reference/schemas/parcel/#weight"' in weight
    assert '<span class="dp-badge dp-badge--additive">Additive</span>' in weight
    assert "maxLength" not in weight
    assert weight.count('class="dp-diff__row"') == 1


def test_an_entry_shows_nothing_graver_than_it_says(tmp_path: Path) -> None:
    """What breaks is shown by the entry that names it, not by one whose wide selector selects it too."""
    new = with_shorter_text(with_weight(contract("2.0.0")))
    (tmp_path / "before").mkdir()
    mark = fingerprint(Shelf(tmp_path / "before", contract()), new)
    breaking = covering_entry({"finding": mark}, slug="shorter", spec_from="1.0.0", spec_to="2.0.0")
    wide = covering_entry(
        {"rule": "schema.*"},
        slug="wide",
        impact="additive",
        kind="added",
        action_required=False,
        effective=None,
        spec_from="1.0.0",
        spec_to="2.0.0",
    )
    history, _ = Shelf(tmp_path, contract(), new, entries=(FIRST, wide, breaking)).read(new)
    made = release_history(history, policy={}, cache=Memory())
    assert made is not None

    assert [change.verdict for change in made.changes_of(wide)] == [Verdict.COMPATIBLE]
    assert [change.verdict for change in made.changes_of(breaking)] == [Verdict.BREAKING]


def test_changes_of_words_alone_are_set_apart(files_by_uri: dict[str, Page | Artefact]) -> None:
    """What no request and no response shows is folded under its own heading."""
    body = page(files_by_uri, f"changelog/compare/2.0.0...{NEXT}.md").body

    assert "<h1>Unreleased changes since 2.0.0</h1>" in body
    assert '<p class="dp-compare__counts">1 change: <a href="#docs">1 documentation</a>.</p>' in body
    assert '<details class="dp-nested dp-compare__docs">' in body
    assert 'id="breaking"' not in body


def test_changes_are_counted_and_ordered_by_impact(files_by_uri: dict[str, Page | Artefact]) -> None:
    """The summary counts what the sections below it hold, the most severe first, in the words of the changelog."""
    body = page(files_by_uri, "changelog/compare/1.0.0...2.0.0.md").body

    sections = re.split(r'<h2 id="(breaking|risky|deprecation|additive|docs)">', body)[1:]
    rows = {
        impact: text.count('<li class="dp-diff__row')
        for impact, text in zip(sections[::2], sections[1::2], strict=True)
    }
    assert list(rows) == ["breaking", "additive"]
    assert re.findall(r'<a href="#(\w+)">(\d+) ', body) == [
        (impact, str(count)) for impact, count in rows.items()
    ]


def test_entries_of_a_comparison_are_ordered_by_impact(files_by_uri: dict[str, Page | Artefact]) -> None:
    """The breaking entry comes before the additive one, whenever they were published."""
    body = page(files_by_uri, "changelog/compare/1.0.0...2.0.0.md").body

    listed = body[body.index('class="dp-compare__entries"') : body.index('id="breaking"')]
    assert re.findall(r"dp-badge--(\w+)", listed) == ["breaking", "additive"]


def test_every_comparison_is_linked_from_one_page(files_by_uri: dict[str, Page | Artefact]) -> None:
    """Without JavaScript, the table leads to each pair that has a page."""
    body = page(files_by_uri, "changelog/compare/index.md").body

    linked = set(re.findall(r'data-old="([^"]+)" data-new="([^"]+)"', body))
    assert linked == {("2.0.0", NEXT), ("1.1.0", "2.0.0"), ("1.0.0", "2.0.0"), ("1.0.0", "1.1.0")}


def test_a_leap_tells_what_both_steps_told(files_by_uri: dict[str, Page | Artefact]) -> None:
    """From the first release to the newest there are the changes and the entries of both steps."""
    body = page(files_by_uri, "changelog/compare/1.0.0...2.0.0.md").body

    assert "weight" in body
    assert "2026-05-01-shorter" in body
    assert "2026-05-01-weight" in body
    assert "2026-05-01-first" not in body


def test_the_contract_of_a_release_is_there_as_it_was_published(
    files_by_uri: dict[str, Page | Artefact], tmp_path: Path
) -> None:
    """Byte for byte, at an address that says which it is."""
    file = files_by_uri["changelog/releases/1.1.0.yaml"]

    assert isinstance(file, Artefact)
    assert file.content == (tmp_path / "all" / "releases" / "1.1.0.yaml").read_bytes()


def test_pages_are_made_without_reading_files(tmp_path: Path) -> None:
    """What was published is read once: pages show what was proven, also where a file is gone by then."""
    history = three_releases(tmp_path)
    for file in (tmp_path / "all" / "releases").iterdir():
        file.unlink()

    made = {
        changelog_page.uri: changelog_page
        for changelog_page in changelog_pages(
            (), site_url="", title="Parcels", settings=NO_FEED, release_history=history
        )
    }

    assert "(YAML, 1 KB)" in page(made, "changelog/releases.md").body
    assert isinstance(made["changelog/releases/2.0.0.yaml"], Artefact)


@pytest.mark.parametrize("step", [1, -1])
def test_a_release_names_its_newest_entries(tmp_path: Path, step: int) -> None:
    """In whatever order they were read; how many more there are than have room is told."""
    entries = [
        covering_entry(
            {"operation": "POST /parcels"},
            id=f"2026-04-{number:02}-told",
            date=f"2026-04-{number:02}",
            impact="additive",
            kind="added",
            action_required=False,
            effective=None,
            spec_to="1.0.0",
        )
        for number in range(1, MOST_ENTRIES + 3)[::step]
    ]
    history, _ = Shelf(tmp_path, contract(), entries=entries).read(contract())
    told = release_history(history, policy={}, cache=Memory())

    made = {
        changelog_page.uri: changelog_page
        for changelog_page in changelog_pages(
            entries, site_url="", title="Parcels", settings=NO_FEED, release_history=told
        )
    }
    body = page(made, "changelog/releases.md").body

    days = [int(day) for day in re.findall(r'href="\.\./2026-04-(\d+)-told/"', body)]
    assert days == list(range(MOST_ENTRIES + 2, 2, -1))
    assert "And 2 more." in body


def test_comparisons_are_not_found_by_search(files_by_uri: dict[str, Page | Artefact]) -> None:
    """Entries and the pages that list releases are found, copies of what they say are not."""
    found = {file.uri for file in files_by_uri.values() if isinstance(file, Page) and file.search}

    assert [uri for uri in found if "/compare/" in uri] == ["changelog/compare/index.md"]
    assert "changelog/releases.md" in found


def test_nothing_is_told_of_releases_that_are_not_there(tmp_path: Path) -> None:
    """A project without releases has the pages of its entries alone."""
    history, _ = Shelf(tmp_path, entries=()).read(contract())

    assert release_history(history, policy={}, cache=Memory()) is None
