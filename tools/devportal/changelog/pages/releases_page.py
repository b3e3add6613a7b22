"""The page of all releases: what each changed, and its contract as it was published."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.entries.entry import Entry, newest_first
from devportal.changelog.pages.differences import VerdictCount, verdict_counts
from devportal.changelog.pages.history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import RELEASES, STYLES, ChangelogContext, templates
from devportal.changelog.proof.severity import is_version_change
from devportal.changelog.releases.releases import Release
from devportal.markup import Artefact, Page, SearchEntry

MOST_ENTRIES = 12
"""So many entries of a release are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseView:
    """A release as the page shows it; without one, what is not released yet."""

    release: Release | None
    told: tuple[Entry, ...] = ()
    """All its entries, the newest first."""
    before: Interval | None = None
    """What changed since the release before it."""
    leap: Interval | None = None
    """What changed up to the newest release, where that is not the next one."""
    is_first: bool = False
    is_newest: bool = False

    @property
    def version(self) -> str:
        """Return what addresses call it."""
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
        """Return the entries that are named."""
        return self.told[:MOST_ENTRIES]

    @property
    def further(self) -> int:
        """Return how many more entries there are."""
        return len(self.told) - len(self.entries)

    @property
    def file(self) -> str:
        """Return the uri of the contract as it was published."""
        return contract_uri(self.release) if self.release else ""

    @property
    def size(self) -> str:
        """Return the size of that file in words."""
        return f"{max(1, len(self.release.content) // 1000):,} KB" if self.release else ""


def release_pages(frame: ChangelogContext, annals: ReleaseHistory) -> Iterator[Page | Artefact]:
    """Yield the page of all releases, and the contract of each as it was published."""
    lead = (
        f"Every version of the contract of {frame.title} that was published, the newest first, "
        "with what changed in it."
    )
    values = {
        "source": RELEASES,
        "frame": frame,
        "lead": lead,
        "releases": tuple(_views(annals)),
        "newest": annals.releases[-1].version,
    }
    yield Page(
        uri=RELEASES,
        title="Releases",
        description=lead,
        body=templates().get_template("releases.html.jinja").render(values),
        markdown=templates().get_template("releases.md.jinja").render(values),
        search=(SearchEntry(title="Releases", text=lead),),
        layout="wide",
        styles=STYLES,
    )
    for release in annals.releases:
        yield Artefact(uri=contract_uri(release), content=release.content)


def contract_uri(release: Release) -> str:
    """Return the uri of the contract of a release as it was published."""
    return f"changelog/releases/{release.version}.yaml"


def _views(annals: ReleaseHistory) -> Iterator[ReleaseView]:
    pending = annals.before(NEXT)
    if pending is not None:
        yield ReleaseView(release=None, told=pending.entries, before=pending)
    first, newest = annals.releases[0], annals.releases[-1]
    told = {proof.step.new.version: proof.entries for proof in annals.proofs if proof.step.new is not None}
    for release in reversed(annals.releases):
        before = annals.before(release.version)
        leap = annals.intervals.get((release.version, newest.version))
        yield ReleaseView(
            release=release,
            told=newest_first(told.get(release.version, ())),
            before=before,
            leap=leap if leap is not before else None,
            is_first=release is first,
            is_newest=release is newest,
        )
