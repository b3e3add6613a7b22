"""Feeds: the same items give the same bytes, in RSS 2.0 and in JSON Feed 1.1.

The id of an item is a tag URI (RFC 4151) of an authority that is a setting, so that neither a new host nor a
new path makes every reader announce old items anew. Links are absolute, and times are midnight UTC: what
items tell of is known by its day.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final
from urllib.parse import quote, urlsplit

from feedgen.entry import FeedEntry
from feedgen.feed import FeedGenerator

from devportal.errors import InvalidSettings
from devportal.pages.page import Artefact
from devportal.pages.urls import url_of

RSS: Final = "application/rss+xml"
JSON_FEED: Final = "application/feed+json"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 §2.2 does not allow, so that no feed can carry them."""

_MINUTES_TO_LIVE = 12 * 60
_AUTHORITY = re.compile(r"[A-Za-z0-9._-]+(?:@[A-Za-z0-9.-]+)?")
"""A host name or an e-mail address (RFC 4151 §2.1, authorityName)."""
_UNFIT = re.compile(r"[\x00-\x20<>\"]")
"""What no address contains (RFC 3986 §2), and much of what no feed could carry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One piece of news: `summary` is plain text, `content` the whole of it as HTML with absolute links."""

    id: str
    url: str
    title: str
    date: date
    terms: tuple[str, ...]
    summary: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed of at least one item, in the order given; `home` is the absolute address of the page of it.

    `changed_on` is the day of the newest change to any item.
    """

    title: str
    description: str
    home: str
    changed_on: date
    items: tuple[Item, ...]


def rss_file(feed: Feed, *, uri: str, site_url: str) -> Artefact:
    """Return the feed as RSS 2.0; `site_url` is absolute and ends in `/`."""
    made = FeedGenerator()
    made.title(feed.title)
    made.description(feed.description)
    made.link(href=address(uri, site_url=site_url), rel="self", type=RSS)
    # feedgen makes the last link given the channel's link.
    made.link(href=feed.home, rel="alternate")
    made.language("en")
    made.generator("devportal")
    made.ttl(_MINUTES_TO_LIVE)
    made.lastBuildDate(_midnight(feed.changed_on))
    made.pubDate(_midnight(max(item.date for item in feed.items)))
    for item in feed.items:
        _fill(made.add_entry(order="append"), item)
    return Artefact(uri=uri, content=made.rss_str(pretty=True))


def _fill(entry: FeedEntry, item: Item) -> None:
    entry.title(item.title)
    entry.link(href=item.url)
    entry.guid(item.id, permalink=False)
    entry.pubDate(_midnight(item.date))
    entry.category([{"term": term} for term in item.terms])
    entry.description(item.summary, isSummary=True)
    entry.content(item.content)


def json_file(feed: Feed, *, uri: str, site_url: str) -> Artefact:
    """Return the feed as JSON Feed 1.1; `site_url` is absolute and ends in `/`."""
    members = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.description,
        "home_page_url": feed.home,
        "feed_url": address(uri, site_url=site_url),
        "language": "en",
        "items": [_members(item) for item in feed.items],
    }
    return Artefact(uri=uri, content=json.dumps(members, ensure_ascii=False, indent=1).encode() + b"\n")


def _members(item: Item) -> Mapping[str, str | list[str]]:
    return {
        "id": item.id,
        "url": item.url,
        "title": item.title,
        "summary": item.summary,
        "content_html": item.content,
        "date_published": _midnight(item.date).isoformat().replace("+00:00", "Z"),
        "tags": [*item.terms],
    }


def tag_uri(authority: str, day: date | str, name: str) -> str:
    """Return a permanent identifier that `authority` minted on a day: a tag URI (RFC 4151 §2.1)."""
    return f"tag:{authority},{day}:{name}"


def address(target: str, *, site_url: str) -> str:
    """Return the absolute address of a uri with or without anchor; `site_url` ends in `/`."""
    uri, hash_mark, anchor = target.partition("#")
    return site_url + url_of(uri) + (hash_mark and f"#{quote(anchor)}")


def check_feed(what: str, *, site_url: str, authority: str) -> None:
    """Raise InvalidSettings for a feed without an absolute site_url, and for an authority that makes no ids.

    An authority is a host name or an e-mail address. `what` has the feed: `changelog`.
    """
    if not _is_absolute(site_url):
        raise InvalidSettings(
            f"the {what}'s feed needs the site's absolute address, and site_url is {site_url!r}",
            help="set site_url to an address that starts with https://, or turn the feed off",
        )
    if not _AUTHORITY.fullmatch(authority):
        raise InvalidSettings(
            f"the authority of the feed's ids is {authority!r}, no host name and no e-mail address",
            help="use a name that is yours, such as example.com, and never change it",
        )


def _is_absolute(site_url: str) -> bool:
    try:
        parts = urlsplit(site_url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and not _UNFIT.search(site_url)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
