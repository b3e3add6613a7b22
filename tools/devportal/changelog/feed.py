"""The RSS 2.0 feed: the same entries give the same bytes, and an item's guid never changes.

A guid is a tag URI (RFC 4151) of an authority that is a setting, the entry's first date and its id, so
that neither a new host nor a new path makes every reader announce old entries anew.
"""

from datetime import UTC, date, datetime, time

from feedgen.entry import FeedEntry
from feedgen.feed import FeedGenerator

from devportal.changelog.entry import Entry
from devportal.changelog.filters import INDEX
from devportal.changelog.links import absolute, address
from devportal.changelog.rendering import entry_uri, html, summary, templates
from devportal.pages import Artefact

FEED = "changelog/feed.rss"
MEDIA_TYPE = "application/rss+xml"
_MINUTES_TO_LIVE = 12 * 60


def rss_feed(entries: tuple[Entry, ...], *, site_url: str, title: str, authority: str) -> Artefact:
    """Return the feed of at least one entry, in the order given; `site_url` is absolute and ends in `/`.

    Each item has its entry's whole text as HTML with absolute links, and plain text as its description.
    Times are midnight UTC, for an entry knows only its day.
    """
    feed = FeedGenerator()
    feed.title(f"{title} changelog")
    feed.description(f"Changes to {title}: what they are, whom they touch, and what to do.")
    feed.link(href=address(FEED, site_url=site_url), rel="self", type=MEDIA_TYPE)
    # feedgen makes the last link given the channel's link.
    feed.link(href=address(INDEX, site_url=site_url), rel="alternate")
    feed.language("en")
    feed.generator("devportal")
    feed.ttl(_MINUTES_TO_LIVE)
    feed.lastBuildDate(_midnight(max(_changed(entry) for entry in entries)))
    feed.pubDate(_midnight(max(entry.date for entry in entries)))
    for entry in entries:
        item = feed.add_entry(order="append")
        _fill(item, entry, site_url=site_url, authority=authority)
    return Artefact(uri=FEED, content=feed.rss_str(pretty=True))


def guid(entry: Entry, *, authority: str) -> str:
    """Return the permanent identifier of an entry's item: a tag URI (RFC 4151 §2.1)."""
    return f"tag:{authority},{entry.id[:10]}:changelog/{entry.id}"


def _fill(item: FeedEntry, entry: Entry, *, site_url: str, authority: str) -> None:
    item.title(entry.title)
    item.link(href=address(entry_uri(entry), site_url=site_url))
    item.guid(guid(entry, authority=authority), permalink=False)
    item.pubDate(_midnight(entry.date))
    item.category([{"term": term} for term in _terms(entry)])
    item.description(summary(entry), isSummary=True)
    item.content(_content(entry, site_url))


def _content(entry: Entry, site_url: str) -> str:
    def change(link: str) -> str:
        return absolute(link, source=entry_uri(entry), site_url=site_url)

    sections = [(section.name, html(section.text, change)) for section in entry.sections]
    links = [(link.title, change(link.url)) for link in entry.links]
    template = templates().get_template("feed_item.html.jinja")
    return template.render(entry=entry, sections=sections, links=links)


def _terms(entry: Entry) -> list[str]:
    terms = [*(f"api:{name}" for name in entry.apis), f"impact:{entry.impact}", f"kind:{entry.kind}"]
    return [*terms, "action-required"] if entry.action_required else terms


def _changed(entry: Entry) -> date:
    return max((entry.date, *(amendment.date for amendment in entry.amended)))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
