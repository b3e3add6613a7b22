"""The feeds of the changelog: for each API, impact and need for action, and an entry as an item."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial

from devportal.changelog.entries.body import absolute_link
from devportal.changelog.entries.entry import Entry
from devportal.changelog.pages.channels import Channel, folder_of
from devportal.changelog.pages.filters import INDEX
from devportal.changelog.pages.rendering import (
    ChangelogContext,
    entry_summary,
    entry_uri,
    render_html,
    templates,
)
from devportal.changelog.proof.severity import Severity
from devportal.language import mark_directions
from devportal.markup import Artefact, Page
from devportal.markup.feed_formats import feed_files
from devportal.markup.feeds import (
    Feed,
    FeedItem,
    absolute_url,
    authority_of,
    feed_documents,
    feed_id,
    feed_links,
    tag_uri,
)
from devportal.markup.markdown import without_scrolling_tables


def feed_item(entry: Entry, severity: Severity, *, site_url: str, authority: str) -> FeedItem:
    """Return the item of an entry; `site_url` is absolute and ends in `/`."""
    return FeedItem(
        id=guid(entry, authority=authority),
        url=absolute_url(entry_uri(entry), site_url=site_url),
        title=entry.title,
        date=entry.date,
        amended_on=_last_amended_on(entry),
        terms=_categories(entry, severity),
        summary=entry_summary(entry),
        content=_content(entry, severity, site_url),
    )


def guid(entry: Entry, *, authority: str) -> str:
    """Return the permanent identifier of an entry's item: its day is that of the entry's id."""
    return tag_uri(authority, entry.id[:10], f"changelog/{entry.key}")


def _content(entry: Entry, severity: Severity, site_url: str) -> str:
    def change(link: str) -> str:
        return absolute_link(link, source=entry_uri(entry), site_url=site_url)

    sections = [(section.name, render_html(section.text, change)) for section in entry.sections]
    links = [(link.title, change(link.url)) for link in entry.links]
    template = templates().get_template("feed_item.html.jinja")
    content = template.render(entry=entry, severity=severity, sections=sections, links=links)
    return mark_directions(without_scrolling_tables(content))


def _categories(entry: Entry, severity: Severity) -> tuple[str, ...]:
    impacts = dict.fromkeys((f"impact:{entry.impact}", f"impact:{severity}"))
    terms = (
        *(f"api:{name}" for name in dict.fromkeys((*entry.listed_apis, *entry.apis))),
        *impacts,
        f"kind:{entry.kind}",
    )
    return (*terms, "action-required") if entry.action_required else terms


def _last_amended_on(entry: Entry) -> date | None:
    return max((amendment.date for amendment in entry.amended), default=None)


def with_feeds(pages: Iterable[Page | Artefact], frame: ChangelogContext) -> Iterator[Page | Artefact]:
    """Yield the pages and files of a changelog with its feeds; each page announces its own, then the main.

    There is at least one entry, and the address of the site is known.
    """
    site_url = frame.site_url
    by_folder = {channel.folder: channel for channel in frame.channels}
    main = by_folder[folder_of(INDEX)]
    for page_or_file in pages:
        if isinstance(page_or_file, Page):
            own = by_folder.get(folder_of(page_or_file.uri), main)
            yield replace(
                page_or_file,
                feeds=_feed_announcements(own) + (_feed_announcements(main) if own is not main else ()),
            )
        else:
            yield page_or_file
    minted = authority_of(frame.settings.feed_authority, site_url=site_url)
    for feed in _feeds(frame.channels, frame, minted=minted):
        yield from frame.result(("feed", feed.stem), (feed, site_url), partial(_files, feed, site_url))


def _files(feed: Feed, site_url: str) -> tuple[Artefact, ...]:
    return tuple(feed_files(feed_documents(feed), site_url=site_url))


def _feeds(all_: tuple[Channel, ...], frame: ChangelogContext, *, minted: str) -> Iterator[Feed]:
    """Yield the feed of each channel; the first one, as the first filter, has every entry."""
    entries, site_url = all_[0].entries, frame.site_url
    items = {entry.key: _item(entry, frame, minted) for entry in entries}
    for channel in all_:
        yield Feed(
            id=feed_id(minted, channel.folder),
            stem=channel.stem,
            title=channel.title,
            author=frame.title,
            language=frame.language,
            description=channel.description,
            home=absolute_url(channel.home, site_url=site_url),
            begun=min(entry.date for entry in entries),
            items=tuple(items[entry.key] for entry in channel.entries),
        )


def _item(entry: Entry, frame: ChangelogContext, minted: str) -> FeedItem:
    severity, site_url = frame.severity(entry), frame.site_url
    causes = (entry, severity, site_url, minted)
    make = partial(feed_item, entry, severity, site_url=site_url, authority=minted)
    return frame.result(("item", entry.key), causes, make)


def _feed_announcements(channel: Channel) -> tuple[tuple[str, str, str], ...]:
    return feed_links(channel.title, channel.stem)
