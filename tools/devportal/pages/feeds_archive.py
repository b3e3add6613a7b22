"""Archives of a feed (RFC 5005 §4): what the document to subscribe to no longer has stays readable.

Archives are cut from the oldest item on, so that a new item never moves an old one from archive to archive,
and between days, so that a second item of a day does not either.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from devportal.pages.feeds import Feed, FeedDocument, Item

MOST: Final = 50
"""How many items a reader is given, the newest; and how many make an archive full."""


def documents(feed: Feed) -> Iterator[FeedDocument]:
    """Yield the documents of a feed whose items are the newest first: that to subscribe to, then archives.

    Where an archive is full, the same items are in it for ever, and where it has a newer neighbour, so is
    everything else that it says, unless an item is amended.
    """
    full, rest = _cut(feed.items)
    stems = [f"{feed.stem}/{number}" for number in range(1, len(full) + 1)]
    yield FeedDocument(
        feed=feed, stem=feed.stem, items=_current(feed.items, rest), older=stems[-1] if stems else ""
    )
    around = ["", *stems, ""]
    for stem, items, older, newer in zip(stems, full, around, around[2:], strict=False):
        yield FeedDocument(feed=feed, stem=stem, items=items, older=older, newer=newer, current=feed.stem)


def _cut(items: tuple[Item, ...]) -> tuple[list[tuple[Item, ...]], int]:
    """Return the items of each full archive, the oldest archive first, and how many items are in none."""
    full: list[tuple[Item, ...]] = []
    filling: list[Item] = []
    for _, day in groupby(reversed(items), key=lambda item: item.date):
        if len(filling) >= MOST:
            full.append(tuple(reversed(filling)))
            filling = []
        filling.extend(day)
    return full, len(filling)


def _current(items: tuple[Item, ...], rest: int) -> tuple[Item, ...]:
    """Return the newest items, all that are in no archive, and those corrected since the oldest of these.

    RFC 5005 §4 has the subscription document tell of what was published or changed most recently.
    """
    newest = items[: max(MOST, rest)]
    corrected = (item for item in items[len(newest) :] if item.changed_on >= newest[-1].date)
    return (*newest, *corrected)
