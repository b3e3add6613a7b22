"""No page of this project's site is too large for a browser, whether it is generated or written by hand."""

from pathlib import Path

from devportal.reference.pages.part_pages import MAX_NODES
from tests.own_site import OwnSite
from tests.site.building import Tags


def count_elements(page: Path) -> int:
    """Return how many elements a page has before a script runs."""
    return len(Tags(page.read_text(encoding="utf-8")).tags)


def test_every_page_of_the_own_site_is_light(own_site: OwnSite) -> None:
    """None has more than 1,500 elements."""
    pages = sorted(own_site.site_dir.rglob("*.html"))
    counts = {page.relative_to(own_site.site_dir).as_posix(): count_elements(page) for page in pages}

    assert len(counts) > 300
    assert {name: count for name, count in counts.items() if count > MAX_NODES} == {}
