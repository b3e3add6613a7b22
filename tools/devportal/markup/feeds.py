"""Feeds with ids that do not depend on the site's address, and their archives (RFC 5005 §4)."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final
from urllib.parse import quote, urlsplit
from uuid import NAMESPACE_DNS, uuid5

from devportal.errors import InvalidSettings
from devportal.language import OURS
from devportal.markup.urls import url_of

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 §2.2 does not allow, so that no feed can carry them."""
GENERATOR: Final = "devportal"

_AUTHORITY = re.compile(r"[A-Za-z0-9._-]+(?:@[A-Za-z0-9.-]+)?")
"""A host name or an e-mail address (RFC 4151 §2.1, authorityName)."""
_UNFIT = re.compile(r"[\x00-\x20<>\"]")
"""Characters that no address contains (RFC 3986 §2)."""


class FeedFormat(StrEnum):
    """The formats of every feed; the value is the extension of its files."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"

    @property
    def media_type(self) -> str:
        """Return the media type, by which readers find a feed in the head of a page."""
        return f"application/{'feed' if self is FeedFormat.JSON else self.value}+{_SYNTAX[self]}"

    @property
    def label(self) -> str:
        """Return the name that people know."""
        return {FeedFormat.RSS: "RSS", FeedFormat.ATOM: "Atom", FeedFormat.JSON: "JSON Feed"}[self]


_SYNTAX = {FeedFormat.RSS: "xml", FeedFormat.ATOM: "xml", FeedFormat.JSON: "json"}
RSS: Final = FeedFormat.RSS.media_type


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedItem:
    """An item: `summary` is plain text, `content` is HTML with absolute links.

    `amended_on` is the day of the newest correction, if there was one.
    """

    id: str
    url: str
    title: str
    date: dt.date
    amended_on: dt.date | None = None
    terms: tuple[str, ...]
    summary: str
    content: str

    @property
    def changed_on(self) -> dt.date:
        """Return the day of the last change of the item."""
        return max(self.date, self.amended_on or self.date)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed with its items in the given order; `home` is the absolute address of its page.

    `stem` is the uri of its files without extension: `changelog/feed`. `begun` is the date of the feed
    while it has no items. `language` is that of the items.
    """

    id: str
    stem: str
    title: str
    author: str
    description: str
    home: str
    begun: dt.date
    items: tuple[FeedItem, ...]
    language: str = OURS


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """A document of a feed, written in every format. Stems name the other documents; empty if there is none.

    An archive has the items that the subscription document, `current`, no longer has (RFC 5005 §4).
    """

    feed: Feed
    stem: str
    items: tuple[FeedItem, ...]
    older: str = ""
    newer: str = ""
    current: str = ""

    @property
    def changed_on(self) -> dt.date:
        """Return the day of the newest change to any item: a feed knows no other clock."""
        return max((item.changed_on for item in self.items), default=self.feed.begun)

    @property
    def published_on(self) -> dt.date:
        """Return the day of the newest item."""
        return max((item.date for item in self.items), default=self.feed.begun)

    def address(self, form: FeedFormat, *, site_url: str) -> str:
        """Return the address of the document in a format."""
        return absolute_url(f"{self.stem}.{form}", site_url=site_url)

    def relations(self, form: FeedFormat, *, site_url: str) -> Iterator[tuple[str, str]]:
        """Yield the link relations to the feed's other documents with their addresses (RFC 5005 §4)."""
        stems = {"current": self.current, "prev-archive": self.older, "next-archive": self.newer}
        for relation, stem in stems.items():
            if stem:
                yield relation, absolute_url(f"{stem}.{form}", site_url=site_url)


def single_document(feed: Feed) -> FeedDocument:
    """Return the only document of a feed that keeps no archives."""
    return FeedDocument(feed=feed, stem=feed.stem, items=feed.items)


def feed_links(title: str, stem: str) -> tuple[tuple[str, str, str], ...]:
    """Return the links to a feed for the head of a page: media type, title and uri of each format."""
    return tuple((form.media_type, title, f"{stem}.{form}") for form in FeedFormat)


def tag_uri(authority: str, day: dt.date | str, name: str) -> str:
    """Return a permanent identifier that `authority` minted on a day: a tag URI (RFC 4151 §2.1)."""
    return f"tag:{authority},{day}:{name}"


def feed_id(authority: str, name: str) -> str:
    """Return the permanent identifier of a feed itself, which has no date (RFC 4122 §4.3)."""
    return uuid5(uuid5(NAMESPACE_DNS, authority), name).urn


def midnight(day: dt.date) -> dt.datetime:
    """Return midnight UTC of a day."""
    return dt.datetime.combine(day, dt.time(), tzinfo=dt.UTC)


def absolute_url(target: str, *, site_url: str) -> str:
    """Return the absolute address of a uri with or without anchor; `site_url` ends in `/`."""
    uri, hash_mark, anchor = target.partition("#")
    return site_url + url_of(uri) + (hash_mark and f"#{quote(anchor)}")


def authority_of(setting: str, *, site_url: str) -> str:
    """Return the name that ids are minted under: the setting, or the host of the site where it is empty.

    A host beyond ASCII is named as DNS knows it (RFC 5891 §4). Empty: there is no host.
    """
    if setting:
        return setting
    try:
        return (urlsplit(site_url).hostname or "").encode("idna").decode("ascii")
    except ValueError:
        return ""


def check_feed(what: str, *, site_url: str, authority: str) -> None:
    """Raise InvalidSettings for a feed without an absolute site_url, and for an authority that makes no ids.

    `authority` is the setting, see `authority_of`. `what` has the feed: `changelog`.
    """
    if not _is_absolute(site_url):
        raise InvalidSettings(
            f"'site_url' is {repr(site_url) if site_url else 'missing'}, and the feeds of the {what} need the address "
            "of the site",
            help="set 'site_url' to an address that starts with https://, or turn the feeds off with 'feed: false'",
        )
    named = authority_of(authority, site_url=site_url)
    if not _AUTHORITY.fullmatch(named):
        setting = "'feed_authority'" if authority else "the host of 'site_url'"
        raise InvalidSettings(
            f"{setting} is {named!r}, which is neither a host name nor an email address",
            help="set 'feed_authority' to a name that is yours, such as example.com, and never change it",
        )


def _is_absolute(site_url: str) -> bool:
    try:
        parts = urlsplit(site_url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and not _UNFIT.search(site_url)


MAX_ITEMS: Final = 50
"""How many items a reader is given, the newest; and how many make an archive full."""


def feed_documents(feed: Feed) -> Iterator[FeedDocument]:
    """Yield the documents of a feed whose items are the newest first: that to subscribe to, then archives.

    Where an archive is full, the same items are in it for ever, and where it has a newer neighbour, so is
    everything else that it says, unless an item is amended.
    """
    full, rest = _split_archives(feed.items)
    stems = [f"{feed.stem}/{number}" for number in range(1, len(full) + 1)]
    yield FeedDocument(
        feed=feed, stem=feed.stem, items=_current_items(feed.items, rest), older=stems[-1] if stems else ""
    )
    around = ["", *stems, ""]
    for stem, items, older, newer in zip(stems, full, around, around[2:], strict=False):
        yield FeedDocument(feed=feed, stem=stem, items=items, older=older, newer=newer, current=feed.stem)


def _split_archives(items: tuple[FeedItem, ...]) -> tuple[list[tuple[FeedItem, ...]], int]:
    """Return the items of each full archive, the oldest archive first, and how many items are in none."""
    full: list[tuple[FeedItem, ...]] = []
    open_archive: list[FeedItem] = []
    for _, day in groupby(reversed(items), key=lambda item: item.date):
        if len(open_archive) >= MAX_ITEMS:
            full.append(tuple(reversed(open_archive)))
            open_archive = []
        open_archive.extend(day)
    return full, len(open_archive)


def _current_items(items: tuple[FeedItem, ...], rest: int) -> tuple[FeedItem, ...]:
    """Return the newest items, all that are in no archive, and those corrected since the oldest of these.

    RFC 5005 §4 has the subscription document show what was published or changed most recently.
    """
    newest = items[: max(MAX_ITEMS, rest)]
    corrected = (item for item in items[len(newest) :] if item.changed_on >= newest[-1].date)
    return (*newest, *corrected)
