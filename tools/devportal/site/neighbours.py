"""The page before and the one after, to which the foot of a page leads: both in the same area of the site.

MkDocs lines up all pages of the navigation, so the last guide would lead on to the first product. A reader
who turns pages stays in the area whose tab is marked.
"""

from collections.abc import Iterator

from mkdocs.structure import StructureItem
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage


def keep_within_areas(nav: Navigation) -> None:
    """Part pages of different areas; a navigation without sections is one area."""
    if not any(item.is_section for item in nav.items):
        return
    for item in nav.items:
        pages = tuple(_pages_of(item))
        if pages:
            pages[0].previous_page = None
            pages[-1].next_page = None


def _pages_of(item: StructureItem) -> Iterator[SitePage]:
    """Yield the pages of an area in the order of the navigation."""
    if isinstance(item, SitePage):
        yield item
    for child in item.children or ():
        yield from _pages_of(child)
