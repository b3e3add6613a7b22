"""Pages made from the releases: entries with their changes, comparisons, and the list of releases."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog import Memory, changelog_pages
from devportal.changelog.pages.pages import MOST_ENTRIES
from devportal.changelog.pages.release_history import NEXT, ReleaseHistory, release_history
from devportal.differ import Verdict
from devportal.markup import Artefact, Page
from devportal.project.settings import Settings
from tests.changelog.history import (
    FIRST,
    TO,
    TODAY,
    Shelf,
    contract,
    fingerprint,
    noted,
    put,
    shorter,
    telling,
)
from tests.changelog.samples import SITE_URL

NO_FEED = Settings(feed=False)

SECOND = telling(
    {"schema": "Parcel", "field": "weight"},
    slug="weight",
    impact="additive",
    kind="added",
    action_required=False,
    effective=None,
    spec_from="1.0.0",
    spec_to="1.1.0",
)
PAGES = {"POST /parcels": "reference/post.md", "schemas/Parcel": "reference/schemas/parcel.md"}


def places(owner: str, place: str) -> str:
    """Return where the small contract is shown, as if there were a reference."""
    page = PAGES.get(owner, "")
    return f"{page}#{place}" if page and place else page


def annals(folder: Path, *, is_pinned: bool = True) -> ReleaseHistory:
    """Return three releases: something new in the second, something broken in the third."""
    third: dict[str, Any] = shorter(noted(contract("2.0.0")))
    shelf = Shelf(folder, contract(), noted(contract("1.1.0")), entries=(FIRST, SECOND))
    cover = {"schema": "NewParcel", "field": "to"}
    if is_pinned:
        cover["finding"] = fingerprint(shelf, third)
    breaking = telling(cover, slug="shorter", spec_from="1.1.0", spec_to="2.0.0")
    (folder / "all").mkdir()
    shelf = Shelf(
        folder / "all", contract(), noted(contract("1.1.0")), third, entries=(FIRST, SECOND, breaking)
    )
    working = put(third, *TO, value={"type": "string", "maxLength": 5, "description": "Whom it is for"})
    history, _ = shelf.read(working)
    made = release_history(history, policy={}, today=TODAY, cache=Memory())
    assert made is not None
    return made


@pytest.fixture
def made(tmp_path: Path) -> dict[str, Page | Artefact]:
    """Return all pages and files of the small history, by their uris."""
    history = annals(tmp_path)
    entries = [entry for proof in history.proofs for entry in proof.entries]
    pages = changelog_pages(
        entries,
        site_url=SITE_URL,
        title="Parcels",
        settings=NO_FEED,
        places=places,
        annals=history,
        references={"1.1.0": "reference/1.1.0/index.md"},
    )
    return {one.uri: one for one in pages}


def page(made: dict[str, Page | Artefact], uri: str) -> Page:
    """Return one page."""
    one = made[uri]
    assert isinstance(one, Page)
    return one


def test_neighbours_and_the_way_to_the_newest_are_compared(made: dict[str, Page | Artefact]) -> None:
    """Each release has a page with the one before it, and one with the newest."""
    assert [uri for uri in made if "/compare/" in uri] == [
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
    uri: str, name: str, made: dict[str, Page | Artefact], golden: Callable[[str, str], None]
) -> None:
    """Releases, two of them compared, and an entry of one, each whole, as HTML and as Markdown."""
    one = page(made, uri)

    golden(f"changelog/{name}.html", one.body)
    golden(f"changelog/{name}.md", one.markdown)


def test_an_entry_shows_what_it_covers_and_nothing_else(made: dict[str, Page | Artefact]) -> None:
    """The change of another entry of another release is not there."""
    weight = page(made, "changelog/2026-05-01-weight.md").body

    assert 'href="../../reference/schemas/parcel/#weight"' in weight
    assert "Compatible" in weight
    assert "maxLength" not in weight
    assert weight.count('class="dp-diff__row"') == 1


def test_an_entry_shows_nothing_graver_than_it_says(tmp_path: Path) -> None:
    """What breaks is shown by the entry that names it, not by one whose wide selector selects it too."""
    new = shorter(noted(contract("2.0.0")))
    (tmp_path / "before").mkdir()
    mark = fingerprint(Shelf(tmp_path / "before", contract()), new)
    breaking = telling({"finding": mark}, slug="shorter", spec_from="1.0.0", spec_to="2.0.0")
    wide = telling(
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
    made = release_history(history, policy={}, today=TODAY, cache=Memory())
    assert made is not None

    assert [one.verdict for one in made.changes_of(wide)] == [Verdict.COMPATIBLE]
    assert [one.verdict for one in made.changes_of(breaking)] == [Verdict.BREAKING]


def test_changes_of_words_alone_are_set_apart(made: dict[str, Page | Artefact]) -> None:
    """What no request and no response shows is folded away under a heading of its own."""
    body = page(made, f"changelog/compare/2.0.0...{NEXT}.md").body

    assert "Not released yet" in body
    assert 'id="wording"' in body
    assert 'id="changes"' not in body


def test_a_leap_tells_what_both_steps_told(made: dict[str, Page | Artefact]) -> None:
    """From the first release to the newest there are the changes and the entries of both steps."""
    body = page(made, "changelog/compare/1.0.0...2.0.0.md").body

    assert "weight" in body
    assert "2026-05-01-shorter" in body
    assert "2026-05-01-weight" in body
    assert "2026-05-01-first" not in body


def test_the_contract_of_a_release_is_there_as_it_was_published(
    made: dict[str, Page | Artefact], tmp_path: Path
) -> None:
    """Byte for byte, at an address that says which it is."""
    file = made["changelog/releases/1.1.0.yaml"]

    assert isinstance(file, Artefact)
    assert file.content == (tmp_path / "all" / "releases" / "1.1.0.yaml").read_bytes()


def test_pages_are_made_without_reading_files(tmp_path: Path) -> None:
    """What was published is read once: pages show what was proven, also where a file is gone by then."""
    history = annals(tmp_path)
    for file in (tmp_path / "all" / "releases").iterdir():
        file.unlink()

    made = {
        one.uri: one
        for one in changelog_pages((), site_url="", title="Parcels", settings=NO_FEED, annals=history)
    }

    assert "(YAML, 1 KB)" in page(made, "changelog/releases.md").body
    assert isinstance(made["changelog/releases/2.0.0.yaml"], Artefact)


@pytest.mark.parametrize("step", [1, -1])
def test_a_release_names_its_newest_entries(tmp_path: Path, step: int) -> None:
    """In whatever order they were read; how many more there are than have room is told."""
    entries = [
        telling(
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
    told = release_history(history, policy={}, today=TODAY, cache=Memory())

    made = {
        one.uri: one
        for one in changelog_pages(entries, site_url="", title="Parcels", settings=NO_FEED, annals=told)
    }
    body = page(made, "changelog/releases.md").body

    days = [int(day) for day in re.findall(r'href="\.\./2026-04-(\d+)-told/"', body)]
    assert days == list(range(MOST_ENTRIES + 2, 2, -1))
    assert "And 2 more." in body


def test_comparisons_are_not_found_by_search(made: dict[str, Page | Artefact]) -> None:
    """Entries and the list of releases are found, copies of what they tell are not."""
    found = {one.uri for one in made.values() if isinstance(one, Page) and one.search}

    assert not [uri for uri in found if "/compare/" in uri]
    assert "changelog/releases.md" in found


def test_nothing_is_told_of_releases_that_are_not_there(tmp_path: Path) -> None:
    """A project without releases has the pages of its entries alone."""
    history, _ = Shelf(tmp_path, entries=()).read(contract())

    assert release_history(history, policy={}, today=TODAY, cache=Memory()) is None
