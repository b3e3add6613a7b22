"""The page before and the one after, to which the foot of a page leads: both in the same area of the site.

MkDocs lines up all pages of the navigation, so the last guide would lead on to the first product. A reader
who turns pages stays in the area whose tab is marked.
"""

from mkdocs.structure import StructureItem
from mkdocs.structure.nav import Navigation


def keep_within_areas(nav: Navigation) -> None:
    """Part pages of different areas; a navigation without sections is one area."""
    if not any(item.is_section for item in nav.items):
        return
    for page in nav.pages:
        after = page.next_page
        if after is not None and _area_of(page) is not _area_of(after):
            page.next_page = after.previous_page = None


def _area_of(item: StructureItem) -> StructureItem:
    """Return the entry of the navigation that an item is below, or the item itself."""
    return item if item.parent is None else _area_of(item.parent)
