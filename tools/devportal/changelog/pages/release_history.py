"""The releases of a contract for pages: the changes of each release, and those between two versions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from devportal.changelog.entries.entry import Entry, newest_first
from devportal.changelog.proof.comparing import WrittenPolicy, release_step
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.proof.proving import History
from devportal.changelog.proof.severity import Severity, entry_severity
from devportal.changelog.releases.folder import Release
from devportal.derived_cache import Memory
from devportal.differ import Change
from devportal.gc_pause import gc_paused
from devportal.translation import gettext

NEXT = "next"
"""The version of the working contract in addresses and on pages, if it differs from the last release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Two versions and the changes from the older to the newer one, the most severe first."""

    old: str
    new: str
    changes: tuple[Change, ...] = field(repr=False)
    entries: tuple[Entry, ...] = ()
    """The entries of these changes, the newest first."""
    folder: str = "changelog"
    """The folder of the changelog, or of what it has of one of several APIs."""

    @property
    def versions(self) -> tuple[str, str]:
        """Return the names of both for sentences."""
        return self.old, gettext("the next release") if self.new == NEXT else self.new

    @property
    def uri(self) -> str:
        """Return the uri of the page that compares the two."""
        return f"{self.folder}/compare/{self.old}...{self.new}.md"


@dataclass(frozen=True, kw_only=True)
class ReleaseHistory:
    """The history of a contract with the intervals that have a page, by their versions."""

    releases: tuple[Release, ...]
    proofs: tuple[StepProof, ...] = field(repr=False)
    intervals: Mapping[tuple[str, str], Interval] = field(repr=False)
    folder: str = "changelog"
    """The folder of the changelog, or of what it has of one of several APIs."""

    @property
    def releases_uri(self) -> str:
        """Return the uri of the page of all releases."""
        return f"{self.folder}/releases.md"

    @property
    def comparisons_uri(self) -> str:
        """Return the uri of the page that offers all comparisons."""
        return f"{self.folder}/compare/index.md"

    def contract_uri(self, release: Release) -> str:
        """Return the uri of the contract of a release as it was published."""
        return f"{self.folder}/releases/{release.version}.yaml"

    @property
    def versions(self) -> tuple[str, ...]:
        """Return all versions, the oldest first; last the working contract, if it differs."""
        numbers = tuple(release.version for release in self.releases)
        return (*numbers, NEXT) if any(new == NEXT for _, new in self.intervals) else numbers

    @cached_property
    def _by_entry(self) -> Mapping[str, StepProof]:
        return {entry.id: proof for proof in self.proofs for entry in proof.entries}

    def changes_of(self, entry: Entry) -> tuple[Change, ...]:
        """Return the changes that an entry covers, the most severe first."""
        proof = self._by_entry.get(entry.id)
        return proof.covered_by(entry) if proof else ()

    def interval_of(self, entry: Entry) -> Interval | None:
        """Return the interval that an entry belongs to; None if it has no page, such as for a first release."""
        proof = self._by_entry.get(entry.id)
        if proof is None or proof.step.old is None:
            return None
        return self.intervals.get(_versions(proof))

    @cached_property
    def severities(self) -> Mapping[str, Severity]:
        """Return what each entry means for readers, by its id."""
        return {
            entry.key: entry_severity(entry, proof.covered_by(entry))
            for proof in self.proofs
            for entry in proof.entries
        }

    def release_of(self, entry: Entry) -> Release | None:
        """Return the release that an entry belongs to; None if it is not released yet."""
        proof = self._by_entry.get(entry.id)
        return proof.step.new if proof else None

    def before(self, version: str) -> Interval | None:
        """Return the interval that ends with a version and begins with the one before it."""
        return next((self.intervals[old, new] for old, new in self._neighbours if new == version), None)

    @cached_property
    def _neighbours(self) -> tuple[tuple[str, str], ...]:
        pairs = (_versions(proof) for proof in self.proofs if proof.step.old is not None)
        return tuple(pair for pair in pairs if pair in self.intervals)


@gc_paused()
def release_history(
    history: History,
    *,
    policy: WrittenPolicy,
    cache: Memory,
    leaps: bool = True,
    folder: str = "changelog",
) -> ReleaseHistory | None:
    """Return the history for pages in a folder; None if nothing was released or a release cannot be read.

    Compares neighbours and, with `leaps`, each release with the newest one: about two pages a release.
    """
    releases = history.releases.releases
    if not releases or not history.proofs:
        return None
    intervals = {(interval.old, interval.new): interval for interval in _neighbour_intervals(history.proofs)}
    for old in releases[:-2] if leaps else ():
        interval = _interval_between(old, releases[-1], policy=policy, cache=cache)
        intervals[interval.old, interval.new] = replace(
            interval, entries=newest_first(_entries_released_after(old, history.proofs))
        )
    placed = {versions: replace(interval, folder=folder) for versions, interval in intervals.items()}
    return ReleaseHistory(releases=releases, proofs=history.proofs, intervals=placed, folder=folder)


def _neighbour_intervals(proofs: tuple[StepProof, ...]) -> Iterator[Interval]:
    for proof in proofs:
        if proof.step.old is not None and (proof.step.new is not None or proof.step.changes):
            old, new = _versions(proof)
            yield Interval(old=old, new=new, changes=proof.step.changes, entries=newest_first(proof.entries))


def _entries_released_after(old: Release, proofs: tuple[StepProof, ...]) -> Iterator[Entry]:
    for proof in proofs:
        if proof.step.new is not None and proof.step.new.number > old.number:
            yield from proof.entries


def _interval_between(old: Release, new: Release, *, policy: WrittenPolicy, cache: Memory) -> Interval:
    """Compare two releases as if none had been between them."""
    step = release_step(old, new, policy=policy, cache=cache)
    return Interval(old=old.version, new=new.version, changes=step.changes)


def _versions(proof: StepProof) -> tuple[str, str]:
    step = proof.step
    return (step.old.version if step.old else "", step.new.version if step.new else NEXT)
