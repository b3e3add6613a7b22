"""The page of all releases: what each changed, and its contract as it was published."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.differences import Tally, tallies
from devportal.changelog.entry import Entry, newest_first
from devportal.changelog.frame import RELEASES, STYLES, Frame
from devportal.changelog.gravity import is_of_version
from devportal.changelog.history import NEXT, Annals
from devportal.changelog.releases import Release
from devportal.changelog.rendering import templates
from devportal.differ import Change
from devportal.pages import Artefact, Page, SearchEntry

MOST_ENTRIES = 12
"""So many entries of a release are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseView:
    """A release as the page shows it; uris are empty where there is nothing to lead to."""

    version: str
    title: str
    date: date | None
    tallies: tuple[Tally, ...]
    entries: tuple[Entry, ...]
    further: int
    previous: str = ""
    before: str = ""
    to_newest: str = ""
    file: str = ""
    size: str = ""
    sha256: str = ""
    is_first: bool = False
    is_newest: bool = False


def release_pages(frame: Frame, annals: Annals) -> Iterator[Page | Artefact]:
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
        yield Artefact(uri=file_uri(release), content=release.content)


def file_uri(release: Release) -> str:
    """Return the uri of the contract of a release as it was published."""
    return f"changelog/releases/{release.version}.yaml"


def _views(annals: Annals) -> Iterator[ReleaseView]:
    pending = annals.before(NEXT)
    if pending is not None:
        yield ReleaseView(
            version=NEXT,
            title="Not released yet",
            date=None,
            tallies=_tallies(pending.changes),
            entries=pending.entries[:MOST_ENTRIES],
            further=max(0, len(pending.entries) - MOST_ENTRIES),
            previous=pending.old,
            before=pending.uri,
        )
    first, newest = annals.releases[0], annals.releases[-1]
    told = {proof.step.new.version: proof.entries for proof in annals.proofs if proof.step.new is not None}
    for release in reversed(annals.releases):
        before = annals.before(release.version)
        leap = annals.intervals.get((release.version, newest.version))
        entries = newest_first(told.get(release.version, ()))
        yield ReleaseView(
            version=release.version,
            title=release.version,
            date=release.date,
            tallies=_tallies(before.changes) if before else (),
            entries=entries[:MOST_ENTRIES],
            further=max(0, len(entries) - MOST_ENTRIES),
            previous=before.old if before else "",
            before=before.uri if before else "",
            to_newest=leap.uri if leap and leap is not before else "",
            file=file_uri(release),
            size=f"{max(1, len(release.content) // 1000):,} KB",
            sha256=release.sha256,
            is_first=release is first,
            is_newest=release is newest,
        )


def _tallies(changes: tuple[Change, ...]) -> tuple[Tally, ...]:
    return tallies(change for change in changes if not is_of_version(change))
