"""The proof: every change of the contract has its entry, and every entry its change.

What an entry claims is what its selectors select between the two versions that it names. A breaking or risky
change is covered only by its fingerprint: a wide selector would cover whatever comes under it later.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from devportal.changelog.comparing import Step
from devportal.changelog.entry import Cover, Entry
from devportal.changelog.gravity import PINNED, is_at_least, least_impact
from devportal.differ import Change
from devportal.errors import Place


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One selector of an entry, and what it selects of its step."""

    entry: Entry
    position: int
    cover: Cover
    selected: tuple[Change, ...] = field(repr=False)

    @cached_property
    def covered(self) -> tuple[Change, ...]:
        """Return the changes that count as told: those named by their fingerprint, and of others those that
        are neither grave nor graver than the entry says.
        """
        if self.cover.finding:
            return self.selected
        return tuple(
            change
            for change in self.selected
            if change.verdict not in PINNED and self.is_grave_enough(change)
        )

    def is_grave_enough(self, change: Change) -> bool:
        """Say whether the entry is of an impact that may tell a change."""
        return is_at_least(self.entry.impact, least_impact(change))

    @property
    def place(self) -> Place:
        """Return where the selector stands."""
        return self.entry.place("covers", str(self.position))


@dataclass(frozen=True, kw_only=True)
class Proven:
    """A step with the entries that belong to it and all that they claim."""

    step: Step
    entries: tuple[Entry, ...]
    today: date | None = None

    def is_ahead(self, entry: Entry) -> bool:
        """Say whether an entry announces what the contract does not have yet."""
        return self.step.new is None and self.today is not None and entry.live > self.today

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Return every selector of every entry with what it selects."""
        return tuple(
            Claim(entry=entry, position=position, cover=cover, selected=self.step.selection.of(cover))
            for entry in self.entries
            for position, cover in enumerate(entry.covers)
        )

    @cached_property
    def _covered(self) -> Mapping[str, frozenset[str]]:
        """Return the fingerprints of what each entry covers, by its id."""
        found: dict[str, set[str]] = defaultdict(set)
        for claim in self.claims:
            found[claim.entry.id].update(map(self.step.selection.fingerprint, claim.covered))
        return {id_: frozenset(told) for id_, told in found.items()}

    @cached_property
    def tellers(self) -> Mapping[str, tuple[Entry, ...]]:
        """Return the entries that cover each change, by its fingerprint."""
        found: dict[str, dict[str, Entry]] = defaultdict(dict)
        for claim in self.claims:
            for change in claim.covered:
                found[self.step.selection.fingerprint(change)][claim.entry.id] = claim.entry
        return {fingerprint: tuple(entries.values()) for fingerprint, entries in found.items()}

    def covered_by(self, entry: Entry) -> tuple[Change, ...]:
        """Return the changes that an entry covers, the gravest first, each once."""
        told = self._covered.get(entry.id, frozenset())
        return self.step.selection.named(told)

    @property
    def untold(self) -> tuple[Change, ...]:
        """Return the changes that need an entry and have none. A first release needs none: it is all new."""
        if self.step.is_first:
            return ()
        named = self.step.selection.fingerprint
        return tuple(change for change in self.step.told if named(change) not in self.tellers)


def proven(
    steps: Iterable[Step], entries: Iterable[Entry], *, today: date | None = None
) -> tuple[Proven, ...]:
    """Return each step with its entries: those that name its newer version, or none where it has none yet."""
    by_version: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_version[entry.spec_to].append(entry)
    return tuple(
        Proven(step=step, entries=tuple(by_version[step.new.version if step.new else ""]), today=today)
        for step in steps
    )
