"""The documents of feeds as files: RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1, the same bytes every time."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from feedgen.entry import FeedEntry
from feedgen.feed import FeedGenerator
from feedgen.util import xml_elem

from devportal.markup.feeds import GENERATOR, FeedDocument, FeedFormat, FeedItem, midnight
from devportal.markup.page import Artefact

_ATOM: Final = "http://www.w3.org/2005/Atom"
_HISTORY: Final = "http://purl.org/syndication/history/1.0"
_MINUTES_TO_LIVE: Final = 12 * 60


def feed_files(documents: Iterable[FeedDocument], *, site_url: str) -> Iterator[Artefact]:
    """Yield each document of a feed in every form; `site_url` is absolute and ends in `/`."""
    for document in documents:
        for form in FeedFormat:
            yield Artefact(uri=f"{document.stem}.{form}", content=_document_bytes(document, form, site_url))


def _document_bytes(document: FeedDocument, form: FeedFormat, site_url: str) -> bytes:
    match form:
        case FeedFormat.RSS:
            return _rss(document, site_url)
        case FeedFormat.ATOM:
            return _atom(document, site_url)
        case FeedFormat.JSON:
            return _json(document, site_url)


def _rss(document: FeedDocument, site_url: str) -> bytes:
    rss = _generator(document, FeedFormat.RSS, site_url)
    # feedgen makes the last link given the channel's link.
    rss.link(href=document.feed.home, rel="alternate")
    rss.ttl(_MINUTES_TO_LIVE)
    rss.pubDate(midnight(document.published_on))
    rss.lastBuildDate(midnight(document.changed_on))
    rss.register_extension("history", _History)
    rss.history.set_document(document, site_url)
    return bytes(rss.rss_str(pretty=True))


def _atom(document: FeedDocument, site_url: str) -> bytes:
    atom = _generator(document, FeedFormat.ATOM, site_url)
    atom.id(document.feed.id)
    atom.author(name=document.feed.author)
    atom.link(href=document.feed.home, rel="alternate", type="text/html")
    atom.updated(midnight(document.changed_on))
    for relation, href in document.relations(FeedFormat.ATOM, site_url=site_url):
        atom.link(href=href, rel=relation, type=FeedFormat.ATOM.media_type)
    atom.register_extension("history", _History)
    atom.history.set_document(document, site_url)
    return bytes(atom.atom_str(pretty=True))


def _generator(document: FeedDocument, form: FeedFormat, site_url: str) -> FeedGenerator:
    """Return the generator with the content of both XML formats; it has room for one self link."""
    generator = FeedGenerator()
    generator.title(document.feed.title)
    generator.description(document.feed.description)
    generator.link(href=document.address(form, site_url=site_url), rel="self", type=form.media_type)
    generator.language(document.feed.language)
    generator.generator(GENERATOR)
    for item in document.items:
        _fill_entry(generator.add_entry(order="append"), item)
    return generator


def _fill_entry(entry: FeedEntry, item: FeedItem) -> None:
    entry.title(item.title)
    entry.link(href=item.url)
    entry.guid(item.id, permalink=False)
    entry.pubDate(midnight(item.date))
    entry.updated(midnight(item.changed_on))
    # A label would take the place of the term in RSS.
    entry.category([{"term": term} for term in item.terms])
    entry.description(item.summary, isSummary=True)
    entry.content(item.content, type="html")


class _History:
    """The feedgen extension that marks archives, and in RSS links the other documents (RFC 5005)."""

    is_archive = False
    links: tuple[tuple[str, str], ...] = ()

    def set_document(self, document: FeedDocument, site_url: str) -> None:
        """Take a document, to describe its place among those of its feed."""
        self.is_archive = bool(document.current)
        self.links = tuple(document.relations(FeedFormat.RSS, site_url=site_url))

    def extend_ns(self) -> dict[str, str]:
        """Return the namespace, where anything is in it."""
        return {"fh": _HISTORY} if self.is_archive else {}

    def extend_rss(self, rss: Any) -> None:
        """Extend the channel, before its items."""
        for relation, href in self.links:
            link = {"href": href, "rel": relation, "type": FeedFormat.RSS.media_type}
            xml_elem(f"{{{_ATOM}}}link", rss[0], **link)
        self.extend_atom(rss[0])

    def extend_atom(self, feed: Any) -> None:
        """Extend the feed, before its entries; feedgen itself writes its links."""
        if self.is_archive:
            xml_elem(f"{{{_HISTORY}}}archive", feed)


def _json(document: FeedDocument, site_url: str) -> bytes:
    relations = dict(document.relations(FeedFormat.JSON, site_url=site_url))
    members = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": document.feed.title,
        "description": document.feed.description,
        "home_page_url": document.feed.home,
        "feed_url": document.address(FeedFormat.JSON, site_url=site_url),
        **({"next_url": relations["prev-archive"]} if document.older else {}),
        "language": document.feed.language,
        "authors": [{"name": document.feed.author}],
        "items": [_item_members(item) for item in document.items],
    }
    return json.dumps(members, ensure_ascii=False, indent=1).encode() + b"\n"


def _item_members(item: FeedItem) -> Mapping[str, str | list[str]]:
    return {
        "id": item.id,
        "url": item.url,
        "title": item.title,
        "summary": item.summary,
        "content_html": item.content,
        "date_published": _rfc3339(item.date),
        **({"date_modified": _rfc3339(item.changed_on)} if item.amended_on else {}),
        "tags": [*item.terms],
    }


def _rfc3339(day: date) -> str:
    return midnight(day).isoformat().replace("+00:00", "Z")
