"""Everything that is checked of a changelog against the history of its contract, in one call."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from devportal.changelog.comparing import Written, steps
from devportal.changelog.entry import Entry
from devportal.changelog.memory import Memory
from devportal.changelog.naming import check_steps, check_there
from devportal.changelog.promises import check_promises
from devportal.changelog.proof import Proven, check_claims, proven
from devportal.changelog.publishing import check_days, check_publications, check_versions
from devportal.changelog.releases import Release, Releases, check_content
from devportal.contract import Contract
from devportal.errors import PortalError
from devportal.findings import Finding, in_order

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
    for release in releases.releases:
        found += _content_findings(release, memory)
    try:
        walked = tuple(steps(releases, working, policy=policy, today=today, memory=memory))
    except PortalError:  # the finding on the release that cannot be read says why
        return History(releases=releases), in_order(found)
    made = History(releases=releases, proofs=proven(walked, entries, today=today))
    found += [*check_steps(entries, walked), *check_versions(walked)]
    for proof in made.proofs:
        found += [*check_claims(proof), *check_promises(proof)]
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
