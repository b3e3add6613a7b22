"""Lists that continue on pages below the first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from devportal.translation import format_number, pgettext

T = TypeVar("T")

MAX_OPERATIONS = 100
"""How many operations one page of a group lists: as many as fit beside the left column."""
MAX_SCHEMAS = 300
MAX_PROBLEMS = 150
MAX_SCOPES_LISTED = 60
MAX_EVENTS = 60
MAX_LISTED_GROUPS = 100
"""How many events and groups the overview lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage(Generic[T]):
    """A part of a list on one page; `words` distinguish it from the other parts."""

    uri: str
    items: tuple[T, ...]
    words: str


def list_pages(
    uri: str, items: Sequence[T], most: int, name: Callable[[T], str] | None = None
) -> tuple[ListPage[T], ...]:
    """Return a list by page, `most` items on each; the first is at `uri`, and may be empty.

    With `name`, for lists sorted by name, parts are labelled by their first and last names, else by numbers.
    """
    stem = uri.removesuffix(".md")
    return tuple(
        ListPage(
            uri=f"{stem}/{first // most + 1}.md" if first else uri,
            items=tuple(items[first : first + most]),
            words=_range_label(items, first, min(first + most, len(items)), name),
        )
        for first in range(0, len(items) or 1, most)
    )


def _range_label(items: Sequence[T], first: int, end: int, name: Callable[[T], str] | None) -> str:
    ends = [format_number(first + 1), format_number(end)]
    if name is not None and items:
        ends = [name(items[first]), name(items[end - 1])]
    if ends[0] == ends[1]:
        return ends[0]
    return pgettext("part of a list", "%(first)s to %(last)s", first=ends[0], last=ends[1])


def list_page_links(pages: Sequence[ListPage[T]]) -> tuple[tuple[str, str], ...]:
    """Return the links between the pages of a list: words and uris; empty for a single page."""
    return tuple((page.words, page.uri) for page in pages) if len(pages) > 1 else ()
