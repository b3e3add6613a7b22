"""All pages of a changelog: the list of entries, the releases, and one page for each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from devportal.changelog.entries.entry import Entry, newest_first
from devportal.changelog.pages.compare_page import compare_pages
from devportal.changelog.pages.differences import Places, VerdictCount, verdict_counts
from devportal.changelog.pages.entry_page import entry_page
from devportal.changelog.pages.feed import subscriptions, with_feeds
from devportal.changelog.pages.filters import INDEX, Filter, api_slugs, api_uris, filter_rows, filters
from devportal.changelog.pages.release_history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import (
    RELEASES,
    STYLES,
    ChangelogContext,
    no_link,
    templates,
)
from devportal.changelog.proof.severity import is_version_change
from devportal.changelog.releases.folder import Release
from devportal.language import OURS, mark_texts
from devportal.markup import Artefact, Page, SearchEntry, render_page
from devportal.markup.feeds import NOT_XML, check_feed
from devportal.project.settings import Settings

MOST_CARDS = 60
"""How many entries a page lists; older ones are on further pages."""
_SCRIPT = "assets/devportal/changelog.js"


def list_pages(shown: Filter, frame: ChangelogContext) -> Iterator[Page]:
    """Yield the pages of one filter. Only the list of everything is found by search.

    Where all entries are on its first page, a script filters them there and then.
    """
    starts = range(0, len(shown.entries), MOST_CARDS) or range(1)
    uris = tuple(_uri(shown, number) for number in range(1, len(starts) + 1))
    for number, start in enumerate(starts):
        yield _page(shown, frame, number, uris, shown.entries[start : start + MOST_CARDS])


def _uri(shown: Filter, number: int) -> str:
    if number == 1:
        return shown.uri
    folder = shown.uri.removesuffix(".md").removesuffix("/index")
    return f"{folder}/page-{number}.md"


def _page(
    shown: Filter, frame: ChangelogContext, number: int, uris: tuple[str, ...], entries: tuple[Entry, ...]
) -> Page:
    uri, is_all = uris[number], shown.uri == INDEX
    heading = f"{shown.heading}, page {number + 1}" if number else shown.heading
    is_live = is_all and len(uris) == 1 and len(entries) > 1
    values = {
        "shown": shown,
        "heading": heading,
        "everything": frame.filters[0],
        "rows": filter_rows(shown, frame.filters),
        "days": [(day, tuple(group)) for day, group in groupby(entries, key=lambda entry: entry.date)],
        "total": len(shown.entries),
        "frame": frame,
        "feeds": subscriptions(shown) if frame.has_feed else (),
        "is_live": is_live,
        "newer": uris[number - 1] if number else "",
        "older": uris[number + 1] if number + 1 < len(uris) else "",
    }
    body, markdown = render_page(templates(), "list", uri, values)
    return Page(
        uri=uri,
        title=heading,
        description=shown.lead,
        body=body,
        markdown=markdown,
        search=(SearchEntry(title=shown.heading, text=shown.lead),) if is_all and not number else (),
        layout="wide",
        scripts=(_SCRIPT,) if is_live else (),
    )


MOST_ENTRIES = 12
"""How many entries of a release are listed at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseView:
    """A release as the page shows it; `release` is None for what is not released yet."""

    release: Release | None
    all_entries: tuple[Entry, ...] = ()
    """All its entries, the newest first."""
    before: Interval | None = None
    """What changed since the release before it."""
    leap: Interval | None = None
    """What changed up to the newest release, if that is not the next one."""
    is_first: bool = False
    is_newest: bool = False

    @property
    def version(self) -> str:
        """Return the version as addresses have it."""
        return self.release.version if self.release else NEXT

    @property
    def title(self) -> str:
        """Return the heading."""
        return self.release.version if self.release else "Not released yet"

    @property
    def date(self) -> date | None:
        """Return the day of the release, if there is one."""
        return self.release.date if self.release else None

    @property
    def tallies(self) -> tuple[VerdictCount, ...]:
        """Return how many changes there are of each verdict."""
        changes = self.before.changes if self.before else ()
        return verdict_counts(change for change in changes if not is_version_change(change))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries that the page lists."""
        return self.all_entries[:MOST_ENTRIES]

    @property
    def further(self) -> int:
        """Return how many more entries there are."""
        return len(self.all_entries) - len(self.entries)

    @property
    def file(self) -> str:
        """Return the uri of the contract as it was published."""
        return contract_uri(self.release) if self.release else ""

    @property
    def size(self) -> str:
        """Return the size of that file for readers: `12 KB`."""
        return f"{max(1, len(self.release.content) // 1000):,} KB" if self.release else ""


def release_pages(frame: ChangelogContext, release_history: ReleaseHistory) -> Iterator[Page | Artefact]:
    """Yield the page of all releases, and the contract of each as it was published."""
    description = (
        f"Every version of the contract of {frame.title} that was published, the newest first, "
        "with what changed in it."
    )
    values = {
        "frame": frame,
        "lead": description,
        "releases": tuple(_views(release_history)),
        "newest": release_history.releases[-1].version,
    }
    body, markdown = render_page(templates(), "releases", RELEASES, values)
    yield Page(
        uri=RELEASES,
        title="Releases",
        description=description,
        body=body,
        markdown=markdown,
        search=(SearchEntry(title="Releases", text=description),),
        layout="wide",
        styles=STYLES,
    )
    for release in release_history.releases:
        yield Artefact(uri=contract_uri(release), content=release.content)


def contract_uri(release: Release) -> str:
    """Return the uri of the contract of a release as it was published."""
    return f"changelog/releases/{release.version}.yaml"


def _views(release_history: ReleaseHistory) -> Iterator[ReleaseView]:
    pending = release_history.before(NEXT)
    if pending is not None:
        yield ReleaseView(release=None, all_entries=pending.entries, before=pending)
    first, newest = release_history.releases[0], release_history.releases[-1]
    entries_by_version = {
        proof.step.new.version: proof.entries
        for proof in release_history.proofs
        if proof.step.new is not None
    }
    for release in reversed(release_history.releases):
        before = release_history.before(release.version)
        leap = release_history.intervals.get((release.version, newest.version))
        yield ReleaseView(
            release=release,
            all_entries=newest_first(entries_by_version.get(release.version, ())),
            before=before,
            leap=leap if leap is not before else None,
            is_first=release is first,
            is_newest=release is newest,
        )


def changelog_pages(
    entries: Iterable[Entry],
    settings: Settings = Settings(),
    *,
    site_url: str,
    title: str,
    operations: Mapping[str, str] | None = None,
    places: Places = no_link,
    annals: ReleaseHistory | None = None,
    references: Mapping[str, str] | None = None,
    language: str = OURS,
) -> Iterator[Page | Artefact]:
    """Return the pages of a changelog, and its feeds if the settings ask for them, announced on each page.

    `title` is the API's name. `operations` gives the uri of each operation's page (`POST /v1/orders`), for
    links, `places` that of every part. With `annals` there are pages of the releases, and each entry shows
    what changed in the contract; `references` gives the uri of the reference of each release that has one.
    `language` is that of the entries. Without entries there is no feed.

    Raises InvalidSettings for a feed without an absolute site_url, and for an authority that is neither a
    host name nor an e-mail address.
    """
    if settings.feed:
        check_feed("changelog", site_url=site_url, authority=settings.feed_authority)
    ordered = newest_first(entries)
    title = NOT_XML.sub("", title)
    frame = ChangelogContext(
        settings=settings,
        title=title,
        site_url=site_url.rstrip("/") + "/" if site_url else "",
        has_feed=settings.feed and bool(ordered),
        filters=filters(ordered, title=title),
        apis=api_uris(ordered),
        slugs=api_slugs(ordered),
        operations=operations or {},
        places=places,
        release_history=annals,
        references=references or {},
        language=language,
    )
    pages = (
        replace(one, body=mark_texts(one.body, language)) if isinstance(one, Page) else one
        for one in _pages(ordered, frame)
    )
    if not frame.has_feed:
        return pages
    return with_feeds(pages, frame)


def _pages(entries: tuple[Entry, ...], frame: ChangelogContext) -> Iterator[Page | Artefact]:
    for shown in frame.filters:
        yield from list_pages(shown, frame)
    newer_ones = (None, *entries)
    older_ones = (*entries[1:], None)
    for entry, newer, older in zip(entries, newer_ones, older_ones, strict=False):
        yield entry_page(entry, frame, newer=newer, older=older)
    if frame.release_history is not None:
        yield from release_pages(frame, frame.release_history)
        yield from compare_pages(frame, frame.release_history)
