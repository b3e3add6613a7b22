"""The proof: every change of the contract has its entry, and every entry its change.

What an entry claims is what its selectors select between the two versions that it names. A breaking or risky
change is covered only by its fingerprint: a wide selector would cover whatever comes under it later.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from devportal.changelog.comparing import Step
from devportal.changelog.entry import Cover, Entry
from devportal.changelog.gravity import PINNED, advised_impact, is_at_least, least_impact
from devportal.changelog.suggesting import cover_lines, phrase, written
from devportal.differ import Change
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
    def covered(self) -> tuple[Change, ...]:
        """Return the changes that count as told: those named by their fingerprint, and of others those that
        are neither grave nor graver than the entry says.
        """
        if self.cover.finding:
            return self.selected
        return tuple(
            change
            for change in self.selected
            if change.verdict not in PINNED and is_at_least(self.entry.impact, least_impact(change))
        )

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


def check_claims(proof: Proven) -> Iterator[Finding]:
    """Yield what entries leave out, and what they make up."""
    for claim in proof.claims:
        if not proof.is_ahead(claim.entry):
            yield from _check_claim(claim, proof.step)
        if claim.cover.finding:
            yield from (_too_low(change, claim) for change in claim.covered if not _fits(claim, change))
    for entry in proof.entries:
        if not (entry.covers or entry.is_beside_contract or proof.is_ahead(entry)):
            yield _empty(entry, proof)
        yield from _check_apis(entry, proof)
        yield from _check_live(entry, proof)
    yield from _check_untold(proof)


def _check_apis(entry: Entry, proof: Proven) -> Iterator[Finding]:
    """Yield that an entry tells of an API that it does not name; one of several is enough."""
    for change in proof.covered_by(entry):
        touched = set(_tags(change))
        if touched and not touched & set(entry.apis):
            names = ", ".join(f"`{name}`" for name in sorted(touched))
            added = names if len(touched) == 1 else f"one of {names}"
            yield _error(
                "changelog-api",
                entry.place("apis"),
                f"this entry tells of {phrase(change)}, which is of the API {names}",
                f"add {added} to `apis`, or tell that change in an entry of its own",
            )
            return


def _check_live(entry: Entry, proof: Proven) -> Iterator[Finding]:
    """Yield that an entry says that what a release has comes after it."""
    new = proof.step.new
    if new is None or new.date is None or entry.effective is None or entry.effective <= new.date:
        return
    if proof.covered_by(entry):
        yield _error(
            "changelog-effective",
            entry.place("effective"),
            f"`effective` is {entry.effective}, but {new.version} of {new.date} has the change already",
            f"write the day on which it is live, {new.date} at the latest",
        )


def _check_untold(proof: Proven) -> Iterator[Finding]:
    """Yield each change without an entry: at the entry that nearly tells it, if there is one."""
    untold = {id(change) for change in proof.untold}
    near: dict[int, Claim] = {}
    for claim in proof.claims if untold else ():
        for change in claim.selected:
            known = near.get(id(change))
            if id(change) in untold and (
                known is None or (not _fits(known, change) and _fits(claim, change))
            ):
                near[id(change)] = claim
    for change in proof.untold:
        nearest = near.get(id(change))
        if nearest is None:
            yield _uncovered(change, proof)
        elif _fits(nearest, change):
            yield _unpinned(change, nearest.entry)
        else:
            yield _too_low(change, nearest)


def _check_claim(claim: Claim, step: Step) -> Iterator[Finding]:
    if claim.selected:
        return
    lines = "; ".join(f"{key}: {value}" for key, value in written(claim.cover).items())
    yield _error(
        "changelog-phantom",
        claim.place,
        f"nothing that changed in {step.name} is {lines}",
        _nearest(claim, step) or "remove the selector, or mend `spec_from` and `spec_to`",
    )


def _nearest(claim: Claim, step: Step) -> str:
    """Return what to write where the rest of a selector is right, such as after its fingerprint changed."""
    wider = replace(claim.cover, finding="")
    if wider in (claim.cover, Cover()):
        return ""
    found = [change for change in step.selection.of(wider) if change.verdict in PINNED]
    if not found:
        return ""
    told = " or ".join(f"'{change.fingerprint}' ({change.message})" for change in found[:3])
    return f"it may mean {told}: `devportal changelog pin {claim.entry.id}` writes that"


def _fits(claim: Claim, change: Change) -> bool:
    """Say whether the entry is of an impact that is grave enough for a change."""
    return is_at_least(claim.entry.impact, least_impact(change))


def _too_low(change: Change, claim: Claim) -> Finding:
    return _error(
        "changelog-impact",
        claim.entry.place("impact"),
        f"`impact` is {claim.entry.impact.value!r}, but {phrase(change)}",
        f"write `impact: {advised_impact(change).value}`, or tell that change in an entry of its own:\n"
        f"{cover_lines([change])}",
    )


def _empty(entry: Entry, proof: Proven) -> Finding:
    left = [change for change in proof.untold if set(_tags(change)) & set(entry.apis)]
    lines = f"\n{cover_lines(left)}" if left else ""
    return _error(
        "changelog-phantom",
        entry.place("impact"),
        "this entry covers no change of the contract",
        f"say `contract: none` if only behaviour changed, or add what it tells:\ncovers:{lines}"
        if left
        else "say `contract: none` if only behaviour changed, or add `covers`",
    )


def _tags(change: Change) -> Iterator[str]:
    for use in change.used_by:
        yield from use.tags


def _unpinned(change: Change, entry: Entry) -> Finding:
    return _error(
        "changelog-pin",
        entry.place("covers"),
        f"{phrase(change)}, and this entry does not name it by its fingerprint",
        f"if it tells that change, run `devportal changelog pin {entry.id}`, or add to `covers`:\n"
        f"{cover_lines([change])}",
    )


def _uncovered(change: Change, proof: Proven) -> Finding:
    step, least = proof.step, least_impact(change)
    enough = [entry.id for entry in proof.entries if is_at_least(entry.impact, least)]
    if enough:
        advice = f"tell it in {enough[0]} or another entry"
    elif step.new is None:
        advice = "`devportal changelog draft` begins an entry: complete it. Or write one"
    else:
        advice = f'write an entry with `spec_to: "{step.new.version}"`'
    return _error(
        "changelog-uncovered",
        step.place(change),
        f"no entry tells of this change in {step.name}: {phrase(change)}",
        f"{advice}, of impact {advised_impact(change).value} or graver, with this in `covers`:\n"
        f"{cover_lines([change])}",
    )


def _error(rule: str, place: Place, message: str, help_: str) -> Finding:
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
