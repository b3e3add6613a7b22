"""Everything that is checked of a changelog against the history of its contract, in one call."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from devportal.changelog.entries.check import check_releases_exist, check_steps
from devportal.changelog.entries.entry import Entry
from devportal.changelog.proof.claims import check_claims
from devportal.changelog.proof.comparing import WrittenPolicy, version_steps
from devportal.changelog.proof.proof import StepProof, check_deprecations, prove_steps
from devportal.changelog.proof.uncovered_changes import check_uncovered_changes
from devportal.changelog.releases.folder import check_content, check_missing
from devportal.changelog.releases.interruption import check_interrupted
from devportal.changelog.releases.publishing import check_publications, check_release_dates, check_versions
from devportal.changelog.releases.releases import Release, Releases
from devportal.contract import Contract, Location
from devportal.derived_cache import Memory
from devportal.differ.walk.versions import read_version
from devportal.errors import Place, PortalError
from devportal.findings import Finding, Level, in_order
from devportal.gc_pause import gc_paused

_READ = "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The releases of a contract and its working state, what changed at each step, and who tells it."""

    releases: Releases
    proofs: tuple[StepProof, ...] = field(default=(), repr=False)

    @property
    def unreleased(self) -> StepProof | None:
        """Return the step to the working contract, None where there is no release or no contract."""
        last = self.proofs[-1] if self.proofs else None
        return last if last is not None and last.step.new is None else None


@gc_paused()
def read_history(
    releases: Releases,
    entries: tuple[Entry, ...],
    working: Contract | None,
    *,
    policy: WrittenPolicy,
    today: date,
    memory: Memory,
) -> tuple[History, tuple[Finding, ...]]:
    """Return the history, and everything in which entries, releases and contract do not agree, by place."""
    if unproven := tuple(check_releases_exist(entries, releases)):
        return History(releases=releases), unproven
    found = [*check_release_dates(releases, today), *check_publications(entries, releases)]
    if interrupted := tuple(check_interrupted(releases, entries)):
        return History(releases=releases), in_order([*found, *interrupted])
    found += check_missing(releases)
    for release in releases.releases:
        if not release.is_edited:
            found += _content_findings(release, memory)
    if working is not None:
        found += _check_working(working, releases)
    try:
        compared = tuple(version_steps(releases, working, policy=policy, today=today, memory=memory))
    except PortalError as error:
        return History(releases=releases), in_order([*found, *_unreadable(error, found, releases)])
    walked = tuple(step for step in compared if not releases.lacks_between(step.old, step.new))
    made = History(releases=releases, proofs=prove_steps(walked, entries, today=today))
    found += [*check_steps(entries, walked, releases), *check_versions(walked)]
    for proof in made.proofs:
        found += [*check_claims(proof), *check_uncovered_changes(proof), *check_deprecations(proof)]
    return made, in_order(found)


def _content_findings(release: Release, memory: Memory) -> Iterator[Finding]:
    """Yield what is wrong within a frozen contract, unless it is known to be right."""
    key = (_READ, release.version, release.sha256)
    if memory.get(*key) is not None:
        return
    found = tuple(check_content(release))
    if not found:
        memory.put("right", *key)
    yield from found


def _unreadable(error: PortalError, found: list[Finding], releases: Releases) -> Iterator[Finding]:
    """Yield why nothing could be compared, unless a finding on the frozen contract says so already."""
    is_told = any(one.rule == "release-unreadable" for one in found)
    if not is_told and not any(release.is_edited for release in releases.releases):
        yield Finding(
            rule="release-unreadable",
            level=Level.ERROR,
            place=error.place or Place(file=releases.name),
            message=f"the releases cannot be compared: {error.message}",
            help=error.help,
        )


def _check_working(working: Contract, releases: Releases) -> Iterator[Finding]:
    """Yield that the working contract has a version below one that is published already."""
    last, version = releases.last, read_version(working.api.version)
    if last is not None and version is not None and version < last.number:
        yield Finding(
            rule="release-version",
            level=Level.ERROR,
            place=working.place(Location("", ("info", "version"))),
            message=f"`info.version` is {working.api.version!r}, but {last.version} is released already",
            help=f"write {last.version}, or the version that comes next",
        )
