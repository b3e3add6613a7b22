"""Deprecations and sunsets: the contract and the changelog promise the same, in both directions."""

from collections.abc import Iterator

from devportal.changelog.entry import Entry, Kind
from devportal.changelog.proof import Proven
from devportal.changelog.suggesting import phrase
from devportal.differ import Change
from devportal.differ.lifecycle import day_of
from devportal.errors import Place
from devportal.findings import Finding, Level

_DEPRECATED = "deprecated.set"
_DATED = frozenset({"sunset.set", "sunset.later", "sunset.earlier"})
"""Rules whose new value is the day on which a part stops working."""


def check_promises(proof: Proven) -> Iterator[Finding]:
    """Yield deprecations of the contract without an entry of their kind and day, and the other way round."""
    if proof.step.is_first:
        return
    for change in proof.step.told:
        if change.rule != _DEPRECATED and change.rule not in _DATED:
            continue
        tellers = proof.tellers.get(change.fingerprint, ())
        if tellers:
            check = _check_kind if change.rule == _DEPRECATED else _check_day
            yield from check(change, tellers, proof)
    for entry in proof.entries:
        if proof.is_ahead(entry):
            continue
        yield from _check_entry(entry, proof)


def _check_kind(change: Change, tellers: tuple[Entry, ...], proof: Proven) -> Iterator[Finding]:
    if all(entry.kind is not Kind.DEPRECATED for entry in tellers):
        yield _error(
            tellers[0].place("kind"),
            f"`kind` is {tellers[0].kind.value!r}, but {phrase(change)}",
            f"tell it in an entry of kind `deprecated` and impact `deprecation` ({proof.step.name})",
        )


def _check_day(change: Change, tellers: tuple[Entry, ...], proof: Proven) -> Iterator[Finding]:
    day = day_of(str(change.new))
    if any(entry.kind is Kind.DEPRECATED and entry.sunset == day for entry in tellers):
        return
    entry = next((one for one in tellers if one.kind is Kind.DEPRECATED), tellers[0])
    said = f"`sunset` is {entry.sunset}" if entry.sunset else "this entry has no `sunset`"
    yield _error(
        entry.place("sunset" if entry.sunset else "kind"),
        f"{said}, but {phrase(change)} at {proof.step.place(change)}",
        f"write `kind: deprecated` and `sunset: {day}`, or mend `x-sunset` of the contract",
    )


def _check_entry(entry: Entry, proof: Proven) -> Iterator[Finding]:
    """An entry that announces the end of something tells where the contract says so."""
    covered = proof.covered_by(entry)
    if entry.kind is Kind.DEPRECATED and not any(
        change.rule == _DEPRECATED or change.rule in _DATED for change in covered
    ):
        yield _error(
            entry.place("kind"),
            f"this entry deprecates, but nothing that it covers is deprecated in {proof.step.name}",
            "mark the part `deprecated: true` in the contract and cover that change, or mend `kind`",
        )
    elif entry.sunset is not None and all(
        day_of(str(change.new)) != entry.sunset for change in covered if change.rule in _DATED
    ):
        yield _error(
            entry.place("sunset"),
            f"`sunset` is {entry.sunset}, but nothing that this entry covers gets that `x-sunset` in "
            f"{proof.step.name}",
            f'write `x-sunset: "{entry.sunset}"` at the part in the contract and cover that change, or mend '
            "`sunset`",
        )


def _error(place: Place, message: str, help_: str) -> Finding:
    return Finding(rule="changelog-deprecation", level=Level.ERROR, place=place, message=message, help=help_)
