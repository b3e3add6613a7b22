"""The foot of a page leads to the page before and the one after, and out of its area to neither."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from .building import built_project, write_project

_FOOT = re.compile(r'class="md-footer__link md-footer__link--(prev|next)" aria-label="[^:]*: ([^"]*)"')
PAGES = ("a", "b", "c", "d")
IN_AREAS = [
    {"Home": "index.md"},
    {"Guides": [{"First": ["a.md"]}, {"Then": ["b.md", "c.md"]}]},
    {"Reference": "reference/index.md"},
    {"More": ["d.md", {"Elsewhere": "https://x.example/"}]},
]
FLAT = ["index.md", "a.md", "b.md", "c.md", "d.md", {"Reference": "reference/index.md"}]


def footer_links(folder: Path, nav: list[Any]) -> Mapping[str, dict[str, str]]:
    """Return the links in the footer of each page of a project, by the page's address."""
    config = write_project(folder, nav=nav)
    for name in PAGES:
        (folder / "docs" / f"{name}.md").write_text(f"# Page {name}\n", encoding="utf-8")
    site = built_project(config, folder / "site").site_dir
    addresses = ("", "a/", "b/", "c/", "d/", "reference/")
    texts = {address: (site / address / "index.html").read_text(encoding="utf-8") for address in addresses}
    return {value: dict(_FOOT.findall(text)) for value, text in texts.items()}


def test_foot_leads_through_an_area_and_not_out_of_it(folder: Path) -> None:
    """Through its sections it does; the first page has none before it, and the last none after it."""
    assert footer_links(folder, IN_AREAS) == {
        "": {},
        "a/": {"next": "Page b"},
        "b/": {"prev": "Page a", "next": "Page c"},
        "c/": {"prev": "Page b"},
        "reference/": {},
        "d/": {},
    }


def test_pages_without_sections_are_one_area(folder: Path) -> None:
    """Whoever lists pages only meant them to be read one after the other."""
    found = footer_links(folder, FLAT)

    assert found["a/"] == {"prev": "Welcome", "next": "Page b"}
    assert found["d/"] == {"prev": "Page c", "next": "Reference"}


@pytest.mark.parametrize("nav", [[], [{"Elsewhere": "https://x.example/"}]])
def test_navigation_without_pages_stops_nothing(folder: Path, nav: list[Any]) -> None:
    """There may be links only, or nothing at all."""
    assert footer_links(folder, nav)["a/"] == {}
