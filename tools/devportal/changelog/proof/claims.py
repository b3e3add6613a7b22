"""What entries claim and history denies: changes that are none, milder impacts, other APIs and days."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.changelog.entries.entry import Cover, Entry
from devportal.changelog.proof.comparing import VersionStep
from devportal.changelog.proof.proof import Claim, StepProof
from devportal.changelog.proof.severity import PINNED_VERDICTS, advised_impact
from devportal.changelog.proof.suggestions import cover_fields, cover_lines, describe_change
from devportal.differ import Change
from devportal.errors import Place
from devportal.findings import Finding, Level


def check_claims(proof: StepProof) -> Iterator[Finding]:
    """Yield what the entries of a step make up."""
    for claim in proof.claims:
        if not proof.is_ahead(claim.entry):
            yield from _check_claim(claim, proof.step)
        if claim.cover.finding:
            milder = (change for change in claim.covered if not claim.is_grave_enough(change))
            yield from (impact_too_low(change, claim) for change in milder)
    for entry in proof.entries:
        if not (entry.covers or entry.is_beside_contract or proof.is_ahead(entry)):
            yield _entry_without_changes(entry, proof)
        yield from _check_apis(entry, proof)
        yield from _check_live(entry, proof)


def _check_claim(claim: Claim, step: VersionStep) -> Iterator[Finding]:
    if claim.selected:
        return
    lines = "; ".join(f"{key}: {value}" for key, value in cover_fields(claim.cover).items())
    yield _error(
        "changelog-phantom",
        claim.place,
        f"nothing that changed in {step.name} is {lines}",
        _suggest_selector(claim, step) or "remove the selector, or mend `spec_from` and `spec_to`",
    )


def _suggest_selector(claim: Claim, step: VersionStep) -> str:
    """Return what to write where the rest of a selector is right, such as after its fingerprint changed."""
    wider = replace(claim.cover, finding="")
    if wider in (claim.cover, Cover()):
        return ""
    found = [change for change in step.selection.of(wider) if change.verdict in PINNED_VERDICTS]
    if not found:
        return ""
    told = " or ".join(f"'{change.fingerprint}' ({change.message})" for change in found[:3])
    return f"it may mean {told}: `devportal changelog pin {claim.entry.id}` writes that"


def impact_too_low(change: Change, claim: Claim) -> Finding:
    """Return that an entry calls a change less than it is."""
    return _error(
        "changelog-impact",
        claim.entry.place("impact"),
        f"`impact` is {claim.entry.impact.value!r}, but {describe_change(change)}",
        f"write `impact: {advised_impact(change).value}`, or tell that change in an entry of its own:\n"
        f"{cover_lines([change])}",
    )


def _entry_without_changes(entry: Entry, proof: StepProof) -> Finding:
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


def _check_apis(entry: Entry, proof: StepProof) -> Iterator[Finding]:
    """Yield that an entry tells of an API that it does not name; one of several is enough."""
    for change in proof.covered_by(entry):
        touched = set(_tags(change))
        if touched and not touched & set(entry.apis):
            names = ", ".join(f"`{name}`" for name in sorted(touched))
            added = names if len(touched) == 1 else f"one of {names}"
            yield _error(
                "changelog-api",
                entry.place("apis"),
                f"this entry tells of {describe_change(change)}, which is of the API {names}",
                f"add {added} to `apis`, or tell that change in an entry of its own",
            )
            return


def _check_live(entry: Entry, proof: StepProof) -> Iterator[Finding]:
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


def _tags(change: Change) -> Iterator[str]:
    for use in change.used_by:
        yield from use.tags


def _error(rule: str, place: Place, message: str, help_: str) -> Finding:
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
