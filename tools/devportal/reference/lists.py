"""Lists that are too long for one page: their own page has the first part, pages below it the others.

A page of a thousand links is slow, and nobody reads it to the end; those who look for something search.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

OPERATIONS = 100
"""So many operations stand on one page of a group: with the left column, that is what a page may hold."""
SCHEMAS = 300
PROBLEMS = 150
SCOPES = 60
EVENTS = 60
GROUPS = 100
"""So many events and groups stand on the overview, where both may be."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage(Generic[T]):
    """A part of a list, and the page it stands on; `words` tell it from the other parts."""

    uri: str
    items: tuple[T, ...]
    words: str


def list_pages(
    uri: str, items: Sequence[T], most: int, name: Callable[[T], str] | None = None
) -> tuple[ListPage[T], ...]:
    """Return a list by page, so many on each; the first is at `uri`, and may be empty.

    Parts are told apart by the names of their ends where the list is in the order of names, else by numbers.
    """
    stem = uri.removesuffix(".md")
    return tuple(
        ListPage(
            uri=f"{stem}/{first // most + 1}.md" if first else uri,
            items=tuple(items[first : first + most]),
            words=_words(items, first, min(first + most, len(items)), name),
        )
        for first in range(0, len(items) or 1, most)
    )


def _words(items: Sequence[T], first: int, end: int, name: Callable[[T], str] | None) -> str:
    ends = [f"{first + 1:,}", f"{end:,}"]
    if name is not None and items:
        ends = [name(items[first]), name(items[end - 1])]
    return " to ".join(dict.fromkeys(ends))


def ways(pages: Sequence[ListPage[T]]) -> tuple[tuple[str, str], ...]:
    """Return what leads from each part of a list to all: words and uris; nothing where there is only one."""
    return tuple((one.words, one.uri) for one in pages) if len(pages) > 1 else ()
