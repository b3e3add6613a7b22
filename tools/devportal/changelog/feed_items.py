"""What an entry is as an item of a feed: all that it says, as HTML that needs no page around it."""

from datetime import date

from devportal.changelog.entry import Entry
from devportal.changelog.links import absolute
from devportal.changelog.rendering import entry_uri, html, summary, templates
from devportal.language import mark_directions
from devportal.pages.feeds import Item, address, tag_uri


def item_of(entry: Entry, *, site_url: str, authority: str) -> Item:
    """Return the item of an entry; `site_url` is absolute and ends in `/`."""
    return Item(
        id=guid(entry, authority=authority),
        url=address(entry_uri(entry), site_url=site_url),
        title=entry.title,
        date=entry.date,
        amended_on=_amended_on(entry),
        terms=_terms(entry),
        summary=summary(entry),
        content=_content(entry, site_url),
    )


def guid(entry: Entry, *, authority: str) -> str:
    """Return the permanent identifier of an entry's item: its day is that of the entry's id."""
    return tag_uri(authority, entry.id[:10], f"changelog/{entry.id}")


def _content(entry: Entry, site_url: str) -> str:
    def change(link: str) -> str:
        return absolute(link, source=entry_uri(entry), site_url=site_url)

    sections = [(section.name, html(section.text, change)) for section in entry.sections]
    links = [(link.title, change(link.url)) for link in entry.links]
    template = templates().get_template("feed_item.html.jinja")
    return mark_directions(template.render(entry=entry, sections=sections, links=links))


def _terms(entry: Entry) -> tuple[str, ...]:
    terms = (*(f"api:{name}" for name in entry.apis), f"impact:{entry.impact}", f"kind:{entry.kind}")
    return (*terms, "action-required") if entry.action_required else terms


def _amended_on(entry: Entry) -> date | None:
    return max((amendment.date for amendment in entry.amended), default=None)
