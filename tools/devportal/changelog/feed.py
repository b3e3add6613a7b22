"""The feed of the changelog: what an entry is as an item of it."""

from datetime import date

from devportal.changelog.entry import Entry
from devportal.changelog.filters import INDEX
from devportal.changelog.links import absolute
from devportal.changelog.rendering import entry_uri, html, summary, templates
from devportal.pages import Artefact
from devportal.pages.feeds import RSS, Feed, Item, address, rss_file, tag_uri

FEED = "changelog/feed.rss"
MEDIA_TYPE = RSS


def rss_feed(entries: tuple[Entry, ...], *, site_url: str, title: str, authority: str) -> Artefact:
    """Return the feed of at least one entry, in the order given; `site_url` is absolute and ends in `/`.

    Each item has its entry's whole text as HTML with absolute links, and plain text as its description.
    """
    feed = Feed(
        title=f"{title} changelog",
        description=f"Changes to {title}: what they are, whom they touch, and what to do.",
        home=address(INDEX, site_url=site_url),
        changed_on=max(_changed(entry) for entry in entries),
        items=tuple(_item(entry, site_url=site_url, authority=authority) for entry in entries),
    )
    return rss_file(feed, uri=FEED, site_url=site_url)


def guid(entry: Entry, *, authority: str) -> str:
    """Return the permanent identifier of an entry's item: its first date is that of its id."""
    return tag_uri(authority, entry.id[:10], f"changelog/{entry.id}")


def _item(entry: Entry, *, site_url: str, authority: str) -> Item:
    return Item(
        id=guid(entry, authority=authority),
        url=address(entry_uri(entry), site_url=site_url),
        title=entry.title,
        date=entry.date,
        terms=_terms(entry),
        summary=summary(entry),
        content=_content(entry, site_url),
    )


def _content(entry: Entry, site_url: str) -> str:
    def change(link: str) -> str:
        return absolute(link, source=entry_uri(entry), site_url=site_url)

    sections = [(section.name, html(section.text, change)) for section in entry.sections]
    links = [(link.title, change(link.url)) for link in entry.links]
    template = templates().get_template("feed_item.html.jinja")
    return template.render(entry=entry, sections=sections, links=links)


def _terms(entry: Entry) -> tuple[str, ...]:
    terms = (*(f"api:{name}" for name in entry.apis), f"impact:{entry.impact}", f"kind:{entry.kind}")
    return (*terms, "action-required") if entry.action_required else terms


def _changed(entry: Entry) -> date:
    return max((entry.date, *(amendment.date for amendment in entry.amended)))
