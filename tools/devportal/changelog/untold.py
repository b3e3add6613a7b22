"""What changed and no entry tells: each change with what to write, in the entry that nearly tells it."""

from collections.abc import Iterator, Mapping

from devportal.changelog.claims import too_low
from devportal.changelog.entry import Entry
from devportal.changelog.gravity import advised_impact, is_at_least, least_impact
from devportal.changelog.proof import Claim, Proven
from devportal.changelog.suggesting import cover_lines, phrase
from devportal.differ import Change
from devportal.errors import Place
from devportal.findings import Finding, Level


def check_untold(proof: Proven) -> Iterator[Finding]:
    """Yield each change without an entry: at the entry that nearly tells it, if there is one."""
    near = _nearest(proof)
    for change in proof.untold:
        claim = near.get(id(change))
        if claim is None:
            yield _uncovered(change, proof)
        elif claim.is_grave_enough(change):
            yield _unpinned(change, claim.entry)
        else:
            yield too_low(change, claim)


def _nearest(proof: Proven) -> Mapping[int, Claim]:
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
