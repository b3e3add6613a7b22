"""What changed and no entry tells: each change with what to write, in the entry that nearly tells it."""

from collections.abc import Iterator, Mapping

from devportal.changelog.entries.entry import Entry
from devportal.changelog.proof.claims import impact_too_low
from devportal.changelog.proof.proof import Claim, StepProof
from devportal.changelog.proof.severity import advised_impact, is_at_least, least_impact
from devportal.changelog.proof.suggestions import cover_lines, describe_change
from devportal.differ import Change
from devportal.errors import Place
from devportal.findings import Finding, Level


def check_uncovered_changes(proof: StepProof) -> Iterator[Finding]:
    """Yield each change without an entry: at the entry that nearly tells it, if there is one."""
    near = _nearest_claims(proof)
    for change in proof.untold:
        claim = near.get(id(change))
        if claim is None:
            yield _uncovered_finding(change, proof)
        elif claim.is_grave_enough(change):
            yield _unpinned_finding(change, claim.entry)
        else:
            yield impact_too_low(change, claim)


def _nearest_claims(proof: StepProof) -> Mapping[int, Claim]:
    """Return the first claim that selects each untold change, one of a grave enough entry if there is any.

    Changes are known by their identity.
    """
    untold = {id(change) for change in proof.untold}
    near: dict[int, Claim] = {}
    for claim in proof.claims if untold else ():
        for change in claim.selected:
            if id(change) not in untold:
                continue
            known = near.setdefault(id(change), claim)
            if claim.is_grave_enough(change) and not known.is_grave_enough(change):
                near[id(change)] = claim
    return near


def _unpinned_finding(change: Change, entry: Entry) -> Finding:
    return _error(
        "changelog-pin",
        entry.place("covers"),
        f"{describe_change(change)}, and this entry does not name it by its fingerprint",
        f"if it tells that change, run `devportal changelog pin {entry.id}`, or add to `covers`:\n"
        f"{cover_lines([change])}",
    )


def _uncovered_finding(change: Change, proof: StepProof) -> Finding:
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
        f"no entry tells of this change in {step.name}: {describe_change(change)}",
        f"{advice}, of impact {advised_impact(change).value} or graver, with this in `covers`:\n"
        f"{cover_lines([change])}",
    )


def _error(rule: str, place: Place, message: str, help_: str) -> Finding:
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
