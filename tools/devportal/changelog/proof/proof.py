"""The proof: every change has its entry, every entry its change, and both agree on deprecations."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from devportal.changelog.entries.entry import Cover, Entry, Kind
from devportal.changelog.proof.comparing import VersionStep
from devportal.changelog.proof.severity import PINNED_VERDICTS, is_at_least, least_impact
from devportal.changelog.proof.suggestions import describe_change
from devportal.differ import Change
from devportal.differ.pairs.lifecycle import parse_day
from devportal.errors import Place
from devportal.findings import Finding, Level


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One selector of an entry, and what it selects of its step."""

    entry: Entry
    position: int
    cover: Cover
    selected: tuple[Change, ...] = field(repr=False)

    @cached_property
    def covered_changes(self) -> tuple[Change, ...]:
        """Return the changes that the entry covers: those it names by fingerprint, and others that need no
        fingerprint and whose severity is not above the impact of the entry.
        """
        if self.cover.finding:
            return self.selected
        return tuple(
            change
            for change in self.selected
            if change.verdict not in PINNED_VERDICTS and self.has_sufficient_impact(change)
        )

    def has_sufficient_impact(self, change: Change) -> bool:
        """Return whether the impact of the entry is high enough for a change."""
        return is_at_least(self.entry.impact, least_impact(change))

    @property
    def place(self) -> Place:
        """Return the place of the selector in the entry's file."""
        return self.entry.place("covers", str(self.position))


@dataclass(frozen=True, kw_only=True)
class StepProof:
    """A step with the entries that belong to it and all that they claim."""

    step: VersionStep
    entries: tuple[Entry, ...]
    today: date | None = None

    def is_ahead(self, entry: Entry) -> bool:
        """Return whether an entry announces what the contract does not have yet."""
        return self.step.new is None and self.today is not None and entry.live > self.today

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Return every selector of every entry with what it selects."""
        return tuple(
            Claim(entry=entry, position=position, cover=cover, selected=self.step.selection.select(cover))
            for entry in self.entries
            for position, cover in enumerate(entry.covers)
        )

    @cached_property
    def _covered_by_entry(self) -> Mapping[str, frozenset[str]]:
        """Return the fingerprints of what each entry covers, by its id."""
        by_entry: dict[str, set[str]] = defaultdict(set)
        for claim in self.claims:
            by_entry[claim.entry.id].update(map(self.step.selection.fingerprint, claim.covered_changes))
        return {id_: frozenset(fingerprints) for id_, fingerprints in by_entry.items()}

    @cached_property
    def covering_entries(self) -> Mapping[str, tuple[Entry, ...]]:
        """Return the entries that cover each change, by its fingerprint."""
        by_fingerprint: dict[str, dict[str, Entry]] = defaultdict(dict)
        for claim in self.claims:
            for change in claim.covered_changes:
                by_fingerprint[self.step.selection.fingerprint(change)][claim.entry.id] = claim.entry
        return {fingerprint: tuple(entries.values()) for fingerprint, entries in by_fingerprint.items()}

    def covered_by(self, entry: Entry) -> tuple[Change, ...]:
        """Return the changes that an entry covers, the most severe first, each once."""
        fingerprints = self._covered_by_entry.get(entry.id, frozenset())
        return self.step.selection.find_changes(fingerprints)

    @property
    def uncovered_changes(self) -> tuple[Change, ...]:
        """Return the changes that need an entry and have none. A first release needs none: it is all new."""
        if self.step.is_first:
            return ()
        fingerprint = self.step.selection.fingerprint
        return tuple(
            change
            for change in self.step.changes_needing_entry
            if fingerprint(change) not in self.covering_entries
        )


def prove_steps(
    steps: Iterable[VersionStep], entries: Iterable[Entry], *, today: date | None = None
) -> tuple[StepProof, ...]:
    """Return each step with its entries: those that name its newer version, or no version if it has none yet."""
    by_version: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_version[entry.spec_to].append(entry)
    return tuple(
        StepProof(step=step, entries=tuple(by_version[step.new.version if step.new else ""]), today=today)
        for step in steps
    )


_DEPRECATED = "deprecated.set"
_SUNSET_RULES = frozenset({"sunset.set", "sunset.later", "sunset.earlier"})
"""Rules whose new value is the day on which a part stops working."""


def check_deprecations(proof: StepProof) -> Iterator[Finding]:
    """Yield deprecations of the contract without an entry of their kind and sunset, and the reverse."""
    if proof.step.is_first:
        return
    for change in proof.step.changes_needing_entry:
        if change.rule != _DEPRECATED and change.rule not in _SUNSET_RULES:
            continue
        entries = proof.covering_entries.get(change.fingerprint, ())
        if not entries:
            continue
        if change.rule == _DEPRECATED:
            yield from _check_kind(change, entries)
        else:
            yield from _check_day(change, entries, proof)
    for entry in proof.entries:
        if proof.is_ahead(entry):
            continue
        yield from _check_entry(entry, proof)


def _check_kind(change: Change, entries: tuple[Entry, ...]) -> Iterator[Finding]:
    if all(entry.kind is not Kind.DEPRECATED for entry in entries):
        yield _error(
            entries[0].place("kind"),
            f"`kind` is {entries[0].kind.value!r}, but {describe_change(change)}",
            "cover it in an entry of kind `deprecated` and impact `deprecation`",
        )


def _check_day(change: Change, entries: tuple[Entry, ...], proof: StepProof) -> Iterator[Finding]:
    day = parse_day(str(change.new))
    if any(entry.kind is Kind.DEPRECATED and entry.sunset == day for entry in entries):
        return
    entry = next((entry for entry in entries if entry.kind is Kind.DEPRECATED), entries[0])
    sunset_text = f"`sunset` is {entry.sunset}" if entry.sunset else "this entry has no `sunset`"
    yield _error(
        entry.place("sunset" if entry.sunset else "kind"),
        f"{sunset_text}, but {describe_change(change)} at {proof.step.place(change)}",
        f"write `kind: deprecated` and `sunset: {day}`, or fix `x-sunset` in the contract",
    )


def _check_entry(entry: Entry, proof: StepProof) -> Iterator[Finding]:
    """Check that an entry that announces a deprecation or a sunset covers that change of the contract."""
    covered = proof.covered_by(entry)
    if entry.kind is Kind.DEPRECATED and not any(
        change.rule == _DEPRECATED or change.rule in _SUNSET_RULES for change in covered
    ):
        yield _error(
            entry.place("kind"),
            f"this entry announces a deprecation, but nothing it covers was deprecated {proof.step.name}",
            "mark the part `deprecated: true` in the contract and cover that change, or fix `kind`",
        )
    elif entry.sunset is not None and all(
        parse_day(str(change.new)) != entry.sunset for change in covered if change.rule in _SUNSET_RULES
    ):
        yield _error(
            entry.place("sunset"),
            f"`sunset` is {entry.sunset}, but nothing this entry covers got that `x-sunset` {proof.step.name}",
            f'write `x-sunset: "{entry.sunset}"` at the part in the contract and cover that change, or fix '
            "`sunset`",
        )


def _error(place: Place, message: str, help_: str) -> Finding:
    return Finding(rule="changelog-deprecation", level=Level.ERROR, place=place, message=message, help=help_)
