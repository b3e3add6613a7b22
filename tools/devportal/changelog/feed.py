"""The feeds of the changelog: one for each list of entries, announced on the pages that they are of."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from devportal.changelog.entry import Entry, Impact
from devportal.changelog.feed_items import item_of
from devportal.changelog.filters import INDEX, Filter, impact_uri
from devportal.changelog.frame import Frame
from devportal.pages import Artefact, Page
from devportal.pages.feeds import Feed, Form, address, announcements, authority_of, feed_id
from devportal.pages.feeds_archive import documents
from devportal.pages.feeds_forms import feed_files

_PAGE = re.compile(r"(?:/index|/page-\d+)?\.md")
"""What the pages of one list end in, after the folder that their feed is in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """What one feed is of: the list of entries on the page `home`. Its files lie in `folder`."""

    folder: str
    title: str
    description: str
    home: str
    entries: tuple[Entry, ...]

    @property
    def stem(self) -> str:
        """Return the uri of the feed's files without what they end in."""
        return f"{self.folder}/feed"


def announcing(made: Iterable[Page | Artefact], frame: Frame, *, authority: str) -> Iterator[Page | Artefact]:
    """Yield the pages and files of a changelog with its feeds; each page announces its own, then the main.

    There is at least one entry, and the address of the site is known; `authority` is the setting, see
    `devportal.pages.feeds.authority_of`.
    """
    site_url = frame.site_url
    found = {channel.folder: channel for channel in channels(frame.filters, title=frame.title)}
    main = found[_folder(INDEX)]
    for one in made:
        if isinstance(one, Page):
            own = found.get(_folder(one.uri), main)
            yield replace(one, feeds=_announced(own) + (_announced(main) if own is not main else ()))
        else:
            yield one
    minted = authority_of(authority, site_url=site_url)
    for feed in _feeds(tuple(found.values()), frame, minted=minted):
        yield from feed_files(documents(feed), site_url=site_url)


def _feeds(all_: tuple[Channel, ...], frame: Frame, *, minted: str) -> Iterator[Feed]:
    """Yield the feed of each channel; the first one, as the first filter, has every entry."""
    entries, site_url = all_[0].entries, frame.site_url
    items = {entry.id: item_of(entry, site_url=site_url, authority=minted) for entry in entries}
    for channel in all_:
        yield Feed(
            id=feed_id(minted, channel.folder),
            stem=channel.stem,
            title=channel.title,
            author=frame.title,
            language=frame.language,
            description=channel.description,
            home=address(channel.home, site_url=site_url),
            begun=min(entry.date for entry in entries),
            items=tuple(items[entry.id] for entry in channel.entries),
        )


def subscriptions(shown: Filter) -> tuple[tuple[Form, str], ...]:
    """Return the feed of a list in each form, with its uri."""
    return tuple((form, f"{_folder(shown.uri)}/feed.{form}") for form in Form)


def channels(filters: tuple[Filter, ...], *, title: str) -> Iterator[Channel]:
    """Yield what there are feeds of: every list of entries, and each impact, whether it has entries or not.

    Who waits for the first breaking change has to be able to subscribe before it.
    """
    for shown in filters:
        yield _channel(shown.uri, shown.heading, shown.lead, title, shown.entries)
    listed = {shown.uri for shown in filters}
    for impact in Impact:
        uri = impact_uri(impact)
        if uri not in listed:
            yield replace(_channel(uri, f": {impact.label}", impact.meaning, title, ()), home=INDEX)


def _channel(uri: str, heading: str, lead: str, title: str, entries: tuple[Entry, ...]) -> Channel:
    return Channel(
        folder=_folder(uri),
        title=f"{title} changelog{heading.removeprefix('Changelog')}",
        description=lead,
        home=uri,
        entries=entries,
    )


def _folder(uri: str) -> str:
    return _PAGE.sub("", uri)


def _announced(channel: Channel) -> tuple[tuple[str, str, str], ...]:
    return announcements(channel.title, channel.stem)
