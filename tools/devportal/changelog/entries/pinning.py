"""Adds fingerprints to the selectors of entries: those of the changes that they select already.

A change is pinned in the narrowest selector that selects it, and only in an entry whose impact is high enough:
otherwise a wide selector of one entry would take over what another entry covers.
"""

from collections.abc import Container, Iterator
from dataclasses import replace

from devportal.changelog.entries.entry import Cover, Entry
from devportal.changelog.proof.proof import Claim, StepProof
from devportal.changelog.proof.severity import PINNED_VERDICTS, is_at_least, least_impact, needs_entry
from devportal.differ import Change


def entries_to_pin(
    proof: StepProof, ids: Container[str] | None = None
) -> Iterator[tuple[Entry, tuple[Cover, ...]]]:
    """Yield the entries of a step whose selectors change by pinning, with what they cover then.

    Only those of `ids` are, if any are given. A fingerprint that no change has any more is looked for again,
    and its selector left out where there is nothing like it.
    """
    claims = tuple(_without_stale_fingerprint(claim, proof) for claim in proof.claims)
    chosen = _claims_to_pin(claims)
    for entry in proof.entries:
        if ids is not None and entry.id not in ids:
            continue
        covers: dict[Cover, None] = {}
        for claim in claims:
            if claim.entry is entry:
                covers.update(dict.fromkeys(_pinned_covers(claim, chosen)))
        if tuple(covers) != entry.covers:
            yield entry, tuple(covers)


def _without_stale_fingerprint(claim: Claim, proof: StepProof) -> Claim:
    """Return a claim without a fingerprint that no change has: what it selects then is what it may mean."""
    cover = claim.cover
    if not cover.finding or proof.step.selection.has(cover.finding):
        return claim
    wider = replace(cover, finding="")
    if wider == Cover():
        return claim
    candidates = proof.step.selection.select(wider)
    if not candidates and wider.subject != wider.rule:
        any_rule = proof.step.selection.select(replace(wider, rule=""))
        candidates = tuple(change for change in any_rule if change.verdict in PINNED_VERDICTS)
    return replace(claim, cover=wider, selected=candidates)


def _claims_to_pin(claims: tuple[Claim, ...]) -> dict[str, set[int]]:
    """Return the changes to pin, by the identity of their claim."""
    best: dict[str, tuple[tuple[bool, bool, int, bool], set[int]]] = {}
    for claim in claims:
        for change in _pinnable_changes(claim):
            rank = _narrowness(claim.cover)
            current = best.get(change.fingerprint)
            if current is None or rank > current[0]:
                best[change.fingerprint] = (rank, {id(claim)})
            elif rank == current[0]:
                current[1].add(id(claim))
    return {fingerprint: claims for fingerprint, (_, claims) in best.items()}


def _pinnable_changes(claim: Claim) -> Iterator[Change]:
    for change in claim.selected:
        if change.verdict in PINNED_VERDICTS and is_at_least(claim.entry.impact, least_impact(change)):
            yield change


def _narrowness(cover: Cover) -> tuple[bool, bool, int, bool]:
    is_component = bool(cover.schema or cover.component)
    return bool(cover.finding), bool(cover.rule), len(cover.field), is_component


def _pinned_covers(claim: Claim, chosen: dict[str, set[int]]) -> Iterator[Cover]:
    """Yield the selector itself if it selects more than the pinned changes, then the pinned selectors."""
    cover = claim.cover
    if cover.finding:
        yield cover
        return
    pins = [change for change in _pinnable_changes(claim) if id(claim) in chosen.get(change.fingerprint, ())]
    named = {change.fingerprint for change in pins}
    is_wide = any(
        _covers_unpinned(change, claim) for change in claim.selected if change.fingerprint not in named
    )
    is_stale = bool(claim.entry.covers[claim.position].finding)
    if is_wide or not (pins or is_stale):
        yield cover
    for change in pins:
        yield replace(cover, rule=change.rule, finding=change.fingerprint)


def _covers_unpinned(change: Change, claim: Claim) -> bool:
    """Return whether a selector covers a change that needs telling without naming it."""
    is_wide = change.verdict not in PINNED_VERDICTS and is_at_least(claim.entry.impact, least_impact(change))
    return is_wide and needs_entry(change)
