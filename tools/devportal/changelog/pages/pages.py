"""All pages of a changelog: the list of entries, the releases, and one page for each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby

from devportal.changelog.entries.entry import Entry, newest_first
from devportal.changelog.pages.change_list import change_list, change_lists
from devportal.changelog.pages.channels import channels
from devportal.changelog.pages.compare_page import compare_pages
from devportal.changelog.pages.differences import Places
from devportal.changelog.pages.entry_page import entry_page
from devportal.changelog.pages.feed import with_feeds
from devportal.changelog.pages.feeds_page import feeds_page
from devportal.changelog.pages.filters import (
    BREAKING_OR_BETA,
    INDEX,
    Filter,
    api_slugs,
    api_uris,
    filter_rows,
    filters,
    impact_choices,
)
from devportal.changelog.pages.release_history import ReleaseHistory
from devportal.changelog.pages.release_pages import release_pages
from devportal.changelog.pages.rendering import MOST_CARDS, ChangelogContext, list_uri, no_link
from devportal.changelog.pages.sidebar import sidebar
from devportal.changelog.proof.severity import Severity
from devportal.language import OURS, mark_texts
from devportal.last_results import LastResults
from devportal.markup import Artefact, Page, SearchEntry
from devportal.markup.feeds import NOT_XML, check_feed
from devportal.project.settings import PortalApi, Settings
from devportal.translation import gettext

_SCRIPT = "assets/devportal/changelog.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Card:
    """An entry in a list, and the other choices of impacts that include it."""

    entry: Entry
    severity: Severity
    other_impacts: tuple[str, ...]


def list_pages(shown: Filter, frame: ChangelogContext) -> Iterator[Page]:
    """Yield the pages of one filter. Only the list of everything is found by search.

    Where all entries are on its first page, a script filters them there and then.
    """
    starts = range(0, len(shown.entries), MOST_CARDS) or range(1)
    uris = tuple(list_uri(shown, start) for start in starts)
    for number, start in enumerate(starts):
        yield _page(shown, frame, number, uris, shown.entries[start : start + MOST_CARDS])


def _page(
    shown: Filter, frame: ChangelogContext, number: int, uris: tuple[str, ...], entries: tuple[Entry, ...]
) -> Page:
    uri, is_all = uris[number], shown.uri == INDEX
    heading = _with_page_number(shown.heading, number)
    is_live = is_all and len(uris) == 1 and len(entries) > 1
    cards = (
        _Card(entry=entry, severity=frame.severity(entry), other_impacts=frame.other_impacts(entry))
        for entry in entries
    )
    values = {
        "lead": shown.lead,
        "heading": heading,
        "short_heading": _with_page_number(shown.subject, number),
        "index": INDEX,
        "has_entries": bool(frame.filters[0].entries),
        "rows": filter_rows(shown, frame.filters, frame.slugs),
        "days": [(day, tuple(group)) for day, group in groupby(cards, key=lambda card: card.entry.date)],
        "total": len(shown.entries),
        "has_beta": frame.has_beta,
        "severities": frame.shown_severities,
        "slugs": frame.slugs,
        "channel": next((channel for channel in frame.channels if channel.home == shown.uri), None),
        "feeds": frame.feeds_uri,
        "feed_names": [channel.name for channel in frame.channels if channel.name],
        "is_live": is_live,
        "beta_choice": next(
            (
                {"uri": filter_.uri, "label": filter_.impact.label}
                for filter_ in frame.filters
                if filter_.impact and filter_.impact.value == BREAKING_OR_BETA
            ),
            None,
        ),
        "newer": uris[number - 1] if number else "",
        "older": uris[number + 1] if number + 1 < len(uris) else "",
    }
    body, markdown = frame.render("list", uri, values)
    return Page(
        uri=uri,
        title=heading,
        description=shown.lead,
        body=body,
        markdown=markdown,
        search=(SearchEntry(title=shown.heading, text=shown.lead),) if is_all and not number else (),
        sidebar=sidebar(uri, frame),
        layout="wide",
        scripts=(_SCRIPT,) if is_live else (),
    )


def _with_page_number(heading: str, number: int) -> str:
    """Return the heading of a list on its page of a number, from 0."""
    return gettext("%(title)s, page %(number)s", title=heading, number=number + 1) if number else heading


def changelog_pages(
    entries: Iterable[Entry],
    settings: Settings = Settings(),
    *,
    site_url: str,
    title: str,
    operations: Mapping[str, str] | None = None,
    places: Places = no_link,
    has_beta: bool = False,
    release_history: ReleaseHistory | None = None,
    references: Mapping[str, str] | None = None,
    language: str = OURS,
    last: LastResults | None = None,
) -> Iterator[Page | Artefact]:
    """Return the pages of a changelog, and its feeds if the settings ask for them, announced on each page.

    `title` is the API's name. `operations` gives the uri of each operation's page (`POST /v1/orders`), for
    links, `places` that of every part; `has_beta` says whether the contract has parts in beta. With `release_history`
    there are pages of the releases and the file of all changes, and each entry shows what changed in the
    contract; `references` gives the uri of the reference of each release that has one. `language` is that of
    the entries. Without entries there is no feed. `last` has what was rendered before, in a served portal.

    Raises InvalidSettings for a feed without an absolute site_url, and for an authority that is neither a
    host name nor an e-mail address.
    """
    if settings.feed:
        check_feed("changelog", site_url=site_url, authority=settings.feed_authority)
    ordered = newest_first(entries)
    title = NOT_XML.sub("", title)
    own = replace(
        _frame(
            ordered,
            settings,
            site_url=site_url,
            title=title,
            has_beta=has_beta,
            severities=release_history.severities if release_history else {},
        ),
        operations=operations or {},
        places=places,
        release_history=release_history,
        references=references or {},
        language=language,
        last=last,
    )
    return _with_feeds(_pages(ordered, own, (own,)), own)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiChangelog:
    """The changelog of one of several APIs: what `changelog_pages` takes for the only one of a portal."""

    api: PortalApi
    entries: tuple[Entry, ...]
    operations: Mapping[str, str] = field(repr=False)
    places: Places = field(repr=False)
    has_beta: bool
    release_history: ReleaseHistory | None = field(repr=False)
    references: Mapping[str, str] = field(default_factory=dict, repr=False)
    language: str = OURS


def changelog_pages_of_apis(
    changelogs: Sequence[ApiChangelog], settings: Settings, *, site_url: str, title: str, language: str
) -> Iterator[Page | Artefact]:
    """Return the pages of the changelog of several APIs: one list of all entries, which readers can filter by API.

    Entries, releases and comparisons of an API are in a folder of it. `title` is that of the site. Raises
    InvalidSettings as `changelog_pages`.
    """
    if settings.feed:
        check_feed("changelog", site_url=site_url, authority=settings.feed_authority)
    ordered = newest_first(entry for changelog in changelogs for entry in changelog.entries)
    known = {
        key: severity
        for each in changelogs
        if each.release_history
        for key, severity in each.release_history.severities.items()
    }
    slugs = {changelog.api.title: changelog.api.name for changelog in changelogs}
    whole = replace(
        _frame(
            ordered,
            settings,
            site_url=site_url,
            title=NOT_XML.sub("", title),
            has_beta=any(changelog.has_beta for changelog in changelogs),
            severities=known,
            slugs=slugs,
            subject=gettext("the APIs of %(title)s", title=NOT_XML.sub("", title)),
        ),
        language=language,
        has_several=True,
    )
    frames = tuple(
        replace(
            whole,
            api=changelog.api,
            title=changelog.api.title,
            operations=changelog.operations,
            places=changelog.places,
            release_history=changelog.release_history,
            references=changelog.references,
            language=changelog.language,
        )
        for changelog in changelogs
    )
    pages = chain(
        _pages(ordered, whole, frames), [change_lists(whole, (changelog.api for changelog in changelogs))]
    )
    return _with_feeds(pages, whole)


def _frame(
    entries: tuple[Entry, ...],
    settings: Settings,
    *,
    site_url: str,
    title: str,
    has_beta: bool,
    severities: Mapping[str, Severity],
    slugs: Mapping[str, str] | None = None,
    subject: str = "",
) -> ChangelogContext:
    """Return what all pages have in common. `slugs` are the names of APIs in addresses, by default those of entries.
    `subject` is as of `filters`.
    """
    severities = {entry.key: Severity(entry.impact) for entry in entries} | dict(severities)
    impacts = impact_choices(has_beta=has_beta or Severity.BREAKING_BETA in severities.values())
    slugs = api_slugs(entries) if slugs is None else slugs
    lists = filters(
        entries, title=title, severities=severities, impacts=impacts, slugs=slugs, subject=subject
    )
    return ChangelogContext(
        settings=settings,
        title=title,
        site_url=site_url.rstrip("/") + "/" if site_url else "",
        filters=lists,
        channels=tuple(channels(lists, slugs, title=title, impacts=impacts))
        if settings.feed and entries
        else (),
        impacts=impacts,
        severities=severities,
        apis=api_uris(slugs),
        slugs=slugs,
        operations={},
    )


def _with_feeds(pages: Iterable[Page | Artefact], frame: ChangelogContext) -> Iterator[Page | Artefact]:
    return with_feeds(pages, frame) if frame.channels else iter(pages)


def _pages(
    entries: tuple[Entry, ...], whole: ChangelogContext, frames: Sequence[ChangelogContext]
) -> Iterator[Page | Artefact]:
    """Yield the pages of all entries, then those that each frame has by itself: its releases and its changes."""
    for shown in whole.filters:
        yield from _mark_entry_texts(list_pages(shown, whole), whole)
    by_api = {frame.api: frame for frame in frames}
    newer_ones = (None, *entries)
    older_ones = (*entries[1:], None)
    for entry, newer, older in zip(entries, newer_ones, older_ones, strict=False):
        frame = by_api[entry.api]
        yield from _mark_entry_texts([entry_page(entry, frame, newer=newer, older=older)], frame)
    if whole.channels:
        yield from _mark_entry_texts([feeds_page(whole)], whole)
    for frame in frames:
        if frame.release_history is not None:
            yield from _mark_entry_texts(release_pages(frame, frame.release_history), frame)
            yield from _mark_entry_texts(compare_pages(frame, frame.release_history), frame)
        own = (entry for entry in entries if entry.api == frame.api)
        yield change_list(frame, own, frame.release_history)


def _mark_entry_texts(pages: Iterable[Page | Artefact], frame: ChangelogContext) -> Iterator[Page | Artefact]:
    """Yield pages with the texts in the language of the entries marked so."""
    for page in pages:
        yield replace(page, body=mark_texts(page.body, frame.language)) if isinstance(page, Page) else page
