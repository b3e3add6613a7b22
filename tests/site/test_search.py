"""Our entries beside those of the theme in its search index."""

import json
from pathlib import Path
from typing import Any

from devportal.pages import Page, SearchEntry
from devportal.site.search import merge_search_entries

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
THEIRS: dict[str, Any] = {
    "config": {"lang": ["en"]},
    "docs": [{"location": "", "title": "Home", "text": "x"}],
}


def test_entries_are_added_behind_those_of_the_theme(tmp_path: Path) -> None:
    """Escaped as the theme wants them, at the page's address, with the anchor of a section."""
    index = tmp_path / "search_index.json"
    index.write_text(json.dumps(THEIRS), encoding="utf-8")

    merge_search_entries(index, [PAGE])

    written = json.loads(index.read_text(encoding="utf-8"))
    assert written["config"] == THEIRS["config"]
    assert written["docs"] == [
        *THEIRS["docs"],
        {
            "location": "reference/parcels/get%20parcel/",
            "title": "Find &lt;b&gt;",
            "text": 'A &amp; "B"',
            "tags": ["GET /parcels/{id}"],
        },
        {"location": "reference/parcels/get%20parcel/#weight", "title": "Weight", "text": "grams"},
    ]


def test_a_site_without_search_gets_no_index(tmp_path: Path) -> None:
    """Who leaves the plugin out has no search."""
    merge_search_entries(tmp_path / "search_index.json", [PAGE])

    assert list(tmp_path.iterdir()) == []
