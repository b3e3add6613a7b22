"""The page of all releases, and the contract of each as it was published."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.entries.entry import Entry, newest_first
from devportal.changelog.pages.differences import SeverityCount, severity_counts
from devportal.changelog.pages.filters import INDEX
from devportal.changelog.pages.release_history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import STYLES, ChangelogContext
from devportal.changelog.pages.sidebar import sidebar
from devportal.changelog.proof.edits import join_directions
from devportal.changelog.proof.severity import change_severity, is_version_change
from devportal.changelog.releases.folder import Release
from devportal.markup import Artefact, Page, SearchEntry
from devportal.translation import format_number, gettext

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
    file: str = ""
    """The uri of the contract as it was published."""

    @property
    def version(self) -> str:
        """Return the version as addresses have it."""
        return self.release.version if self.release else NEXT

    @property
    def title(self) -> str:
        """Return the heading."""
        return self.release.version if self.release else gettext("Unreleased")

    @property
    def date(self) -> date | None:
        """Return the day of the release, if there is one."""
        return self.release.date if self.release else None

    @property
    def tallies(self) -> tuple[SeverityCount, ...]:
        """Return how many changes there are of each impact."""
        changes = self.before.changes if self.before else ()
        directed = join_directions(change for change in changes if not is_version_change(change))
        return severity_counts(change_severity(directed_change.change) for directed_change in directed)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries that the page lists."""
        return self.all_entries[:MOST_ENTRIES]

    @property
    def further(self) -> int:
        """Return how many more entries there are."""
        return len(self.all_entries) - len(self.entries)

    @property
    def size(self) -> str:
        """Return the size of that file for readers: `12 KB`."""
        return f"{format_number(max(1, len(self.release.content) // 1000))} KB" if self.release else ""


def release_pages(frame: ChangelogContext, release_history: ReleaseHistory) -> Iterator[Page | Artefact]:
    """Yield the page of all releases, and the contract of each as it was published."""
    uri = release_history.releases_uri
    description = gettext(
        "Every published version of the %(api)s contract, newest first, with its changes.", api=frame.title
    )
    values = {
        "index": INDEX,
        "severities": frame.severities,
        "references": frame.references,
        "lead": description,
        "releases": tuple(_views(release_history)),
        "newest": release_history.releases[-1].version,
    }
    body, markdown = frame.render("releases", uri, values)
    yield Page(
        uri=uri,
        title=gettext("Releases"),
        description=description,
        body=body,
        markdown=markdown,
        search=(SearchEntry(title=gettext("Releases"), text=description),),
        sidebar=sidebar(uri, frame),
        layout="wide",
        styles=STYLES,
    )
    for release in release_history.releases:
        yield Artefact(uri=release_history.contract_uri(release), content=release.content)


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
            file=release_history.contract_uri(release),
        )
