"""Everything that is checked of a changelog against the history of its contract, in one call."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from devportal.changelog.claims import check_claims
from devportal.changelog.comparing import Written, steps
from devportal.changelog.entry import Entry
from devportal.changelog.interruption import check_interrupted
from devportal.changelog.naming import check_steps, check_there
from devportal.changelog.promises import check_promises
from devportal.changelog.proof import Proven, proven
from devportal.changelog.publishing import check_days, check_publications, check_versions
from devportal.changelog.release_checks import check_content, check_missing
from devportal.changelog.releases import Release, Releases
from devportal.changelog.untold import check_untold
from devportal.contract import Contract, Location
from devportal.differ.versions import read_version
from devportal.errors import Place, PortalError
from devportal.findings import Finding, Level, in_order
from devportal.garbage import no_search_for_garbage
from devportal.memory import Memory

_READ = "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The releases of a contract and its working state, what changed at each step, and who tells it."""

    releases: Releases
    proofs: tuple[Proven, ...] = field(default=(), repr=False)

    @property
    def unreleased(self) -> Proven | None:
        """Return the step to the working contract, None where there is no release or no contract."""
        last = self.proofs[-1] if self.proofs else None
        return last if last is not None and last.step.new is None else None


@no_search_for_garbage()
def read_history(
    releases: Releases,
    entries: tuple[Entry, ...],
    working: Contract | None,
    *,
    policy: Written,
    today: date,
    memory: Memory,
) -> tuple[History, tuple[Finding, ...]]:
    """Return the history, and everything in which entries, releases and contract do not agree, by place."""
    if unproven := tuple(check_there(entries, releases)):
        return History(releases=releases), unproven
    found = [*check_days(releases, today), *check_publications(entries, releases)]
    if interrupted := tuple(check_interrupted(releases, entries)):
        return History(releases=releases), in_order([*found, *interrupted])
    found += check_missing(releases)
    for release in releases.releases:
        if not release.is_edited:
            found += _content_findings(release, memory)
    if working is not None:
        found += _check_working(working, releases)
    try:
        compared = tuple(steps(releases, working, policy=policy, today=today, memory=memory))
    except PortalError as error:
        return History(releases=releases), in_order([*found, *_unreadable(error, found, releases)])
    walked = tuple(step for step in compared if not releases.lacks_between(step.old, step.new))
    made = History(releases=releases, proofs=proven(walked, entries, today=today))
    found += [*check_steps(entries, walked, releases), *check_versions(walked)]
    for proof in made.proofs:
        found += [*check_claims(proof), *check_untold(proof), *check_promises(proof)]
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
