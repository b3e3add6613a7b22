"""The changelog for the site: the list and its filters, a page for each entry, the releases, and the feed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from devportal.changelog.entries.entry import Entry, newest_first
from devportal.changelog.pages.compare_page import compare_pages
from devportal.changelog.pages.differences import Places
from devportal.changelog.pages.entry_page import entry_page
from devportal.changelog.pages.feed import with_feeds
from devportal.changelog.pages.filters import api_slugs, api_uris, filters
from devportal.changelog.pages.history import ReleaseHistory
from devportal.changelog.pages.list_page import list_pages
from devportal.changelog.pages.releases_page import release_pages
from devportal.changelog.pages.rendering import ChangelogContext, no_link
from devportal.language import OURS, mark_texts
from devportal.markup import Artefact, Page
from devportal.markup.feeds import NOT_XML, check_feed


def changelog_pages(
    entries: Iterable[Entry],
    *,
    site_url: str,
    title: str,
    feed: bool,
    feed_authority: str = "",
    operations: Mapping[str, str] | None = None,
    places: Places = no_link,
    annals: ReleaseHistory | None = None,
    references: Mapping[str, str] | None = None,
    language: str = OURS,
) -> Iterator[Page | Artefact]:
    """Return the pages of a changelog, and with `feed` its feeds, announced on each page.

    `title` is the API's name. `feed_authority` is the name that ids are minted under (RFC 4151), by default
    the host of `site_url`. `operations` gives the uri of each operation's page (`POST /v1/orders`), for
    links, `places` that of every part. With `annals` there are pages of the releases, and each entry shows
    what changed in the contract; `references` gives the uri of the reference of each release that has one.
    `language` is that of the entries. Without entries there is no feed.

    Raises InvalidSettings for a feed without an absolute site_url, and for an authority that is neither a
    host name nor an e-mail address.
    """
    if feed:
        check_feed("changelog", site_url=site_url, authority=feed_authority)
    ordered = newest_first(entries)
    title = NOT_XML.sub("", title)
    frame = ChangelogContext(
        title=title,
        site_url=site_url.rstrip("/") + "/" if site_url else "",
        has_feed=feed and bool(ordered),
        filters=filters(ordered, title=title),
        apis=api_uris(ordered),
        slugs=api_slugs(ordered),
        operations=operations or {},
        places=places,
        annals=annals,
        references=references or {},
        language=language,
    )
    made = (
        replace(one, body=mark_texts(one.body, language)) if isinstance(one, Page) else one
        for one in _pages(ordered, frame)
    )
    if not frame.has_feed:
        return made
    return with_feeds(made, frame, authority=feed_authority)


def _pages(entries: tuple[Entry, ...], frame: ChangelogContext) -> Iterator[Page | Artefact]:
    for shown in frame.filters:
        yield from list_pages(shown, frame)
    newer_ones = (None, *entries)
    older_ones = (*entries[1:], None)
    for entry, newer, older in zip(entries, newer_ones, older_ones, strict=False):
        yield entry_page(entry, frame, newer=newer, older=older)
    if frame.annals is not None:
        yield from release_pages(frame, frame.annals)
        yield from compare_pages(frame, frame.annals)
