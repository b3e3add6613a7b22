"""Checks entries against changes: selectors without a change, and changes that no entry covers."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from devportal.changelog.entries.check import check_releases_exist, check_steps
from devportal.changelog.entries.draft_groups import apis_by_subject
from devportal.changelog.entries.entry import Cover, Entry
from devportal.changelog.entries.placeholders import is_marked, is_proposed_title
from devportal.changelog.proof.comparing import VersionStep, WrittenPolicy, version_steps
from devportal.changelog.proof.proof import Claim, StepProof, check_deprecations, prove_steps
from devportal.changelog.proof.severity import PINNED_VERDICTS, advised_impact, is_at_least, least_impact
from devportal.changelog.proof.suggestions import cover_fields, cover_lines, describe_change
from devportal.changelog.releases.folder import Release, Releases, check_content, check_missing
from devportal.changelog.releases.publishing import (
    check_interrupted,
    check_publications,
    check_release_dates,
    check_versions,
)
from devportal.contract import Contract, Location
from devportal.contract.semantic_version import read_version
from devportal.contract.wording import truncate_text
from devportal.derived_cache import Memory
from devportal.differ import Change
from devportal.errors import Place, PortalError
from devportal.findings import Finding, Level, error_finding, in_order
from devportal.gc_pause import gc_paused


def check_claims(proof: StepProof) -> Iterator[Finding]:
    """Yield findings on what the entries of a step claim."""
    for claim in proof.claims:
        if not proof.is_ahead(claim.entry):
            yield from _check_claim(claim, proof.step)
        if claim.cover.finding:
            milder = (change for change in claim.covered_changes if not claim.has_sufficient_impact(change))
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
    yield error_finding(
        "changelog-phantom",
        claim.place,
        f"no change {step.name} matches {lines}",
        _suggest_selector(claim, step) or "remove the selector, or fix `spec_from` and `spec_to`",
    )


def _suggest_selector(claim: Claim, step: VersionStep) -> str:
    """Suggest a fingerprint if the rest of a selector matches, such as after the fingerprint changed."""
    wider = replace(claim.cover, finding="")
    if wider in (claim.cover, Cover()):
        return ""
    candidates = [change for change in step.selection.select(wider) if change.verdict in PINNED_VERDICTS]
    if not candidates:
        return ""
    suggestions = " or ".join(f"'{change.fingerprint}' ({change.message})" for change in candidates[:3])
    return f"it may mean {suggestions}: `devportal changelog pin {claim.entry.id}` writes that"


def impact_too_low(change: Change, claim: Claim) -> Finding:
    """Return a finding: the impact of an entry is below the severity of a change."""
    return error_finding(
        "changelog-impact",
        claim.entry.place("impact"),
        f"`impact` is {claim.entry.impact.value!r}, but {describe_change(change)}",
        f"write `impact: {advised_impact(change).value}`, or cover that change in another entry:\n"
        f"{cover_lines([change])}",
    )


def _entry_without_changes(entry: Entry, proof: StepProof) -> Finding:
    left = [change for change in proof.uncovered_changes if set(_tags(change)) & set(entry.apis)]
    lines = f"\n{cover_lines(left)}" if left else ""
    return error_finding(
        "changelog-phantom",
        entry.place("impact"),
        "this entry covers no change of the contract",
        f"write `contract: none` if only behaviour changed, or add the changes it describes:\ncovers:{lines}"
        if left
        else "write `contract: none` if only behaviour changed, or add `covers`",
    )


def _check_apis(entry: Entry, proof: StepProof) -> Iterator[Finding]:
    """Yield a finding if an entry covers a change of an API that it does not name; one of several is enough."""
    for change in proof.covered_by(entry):
        affected = set(_tags(change))
        if (
            affected
            and affected.isdisjoint(entry.apis)
            and _new_tags(change, proof.step).isdisjoint(entry.apis)
        ):
            names = ", ".join(f"`{name}`" for name in sorted(affected))
            added = names if len(affected) == 1 else f"one of {names}"
            yield error_finding(
                "changelog-api",
                entry.place("apis"),
                f"this entry covers {describe_change(change)}, which belongs to the API {names}",
                f"add {added} to `apis`, or cover that change in another entry",
            )
            return


def _check_live(entry: Entry, proof: StepProof) -> Iterator[Finding]:
    """Yield a finding if an entry becomes effective after the release that has its change."""
    new = proof.step.new
    if new is None or new.date is None or entry.effective is None or entry.effective <= new.date:
        return
    if proof.covered_by(entry):
        yield error_finding(
            "changelog-effective",
            entry.place("effective"),
            f"`effective` is {entry.effective}, but {new.version}, released on {new.date}, already has the change",
            f"write the day on which it went live, {new.date} at the latest",
        )


def _tags(change: Change) -> Iterator[str]:
    for use in change.used_by:
        yield from use.tags


def _new_tags(change: Change, step: VersionStep) -> set[str]:
    """Return the tags that the newer contract gives to what a change affects: they may be others than before."""
    contract = step.newer_contract()
    groups = apis_by_subject(contract.api) if contract is not None else {}
    return {name for use in change.used_by for name in groups.get(use.subject.name, ())}


def check_uncovered_changes(proof: StepProof) -> Iterator[Finding]:
    """Yield a finding for each change without an entry: at the entry that nearly covers it, if there is one."""
    nearest = _nearest_claims(proof)
    for change in proof.uncovered_changes:
        claim = nearest.get(id(change))
        if claim is None:
            yield _uncovered_finding(change, proof)
        elif claim.has_sufficient_impact(change):
            yield _unpinned_finding(change, claim.entry)
        else:
            yield impact_too_low(change, claim)


def _nearest_claims(proof: StepProof) -> Mapping[int, Claim]:
    """Return the first claim that selects each uncovered change, preferably of an entry with enough impact.

    The keys are the identities of the changes.
    """
    uncovered = {id(change) for change in proof.uncovered_changes}
    nearest: dict[int, Claim] = {}
    for claim in proof.claims if uncovered else ():
        for change in claim.selected:
            if id(change) not in uncovered:
                continue
            other = nearest.setdefault(id(change), claim)
            if claim.has_sufficient_impact(change) and not other.has_sufficient_impact(change):
                nearest[id(change)] = claim
    return nearest


def _unpinned_finding(change: Change, entry: Entry) -> Finding:
    return error_finding(
        "changelog-pin",
        entry.place("covers"),
        f"{describe_change(change)}: this entry does not name it by its fingerprint",
        f"if it describes that change, run `devportal changelog pin {entry.id}`, or add to `covers`:\n"
        f"{cover_lines([change])}",
    )


def _uncovered_finding(change: Change, proof: StepProof) -> Finding:
    step, least = proof.step, least_impact(change)
    enough = [entry.id for entry in proof.entries if is_at_least(entry.impact, least)]
    if enough:
        advice = f"add it to {enough[0]} or another entry"
    elif step.new is None:
        advice = "complete the entry that `devportal changelog draft` writes, or write one"
    else:
        advice = f'write an entry with `spec_to: "{step.new.version}"`'
    return error_finding(
        "changelog-uncovered",
        step.place(change),
        f"this change {step.name} has no changelog entry: {describe_change(change)}",
        f"{advice}, with impact {advised_impact(change).value} or higher and this in `covers`:\n"
        f"{cover_lines([change])}",
    )


_READ = "release"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The releases of a contract and its working state, the changes of each step, and their entries."""

    releases: Releases
    proofs: tuple[StepProof, ...] = field(default=(), repr=False)

    @property
    def unreleased(self) -> StepProof | None:
        """Return the step to the working contract; None if there is no release or no contract."""
        last = self.proofs[-1] if self.proofs else None
        return last if last is not None and last.step.new is None else None


@gc_paused()
def read_history(
    releases: Releases,
    entries: tuple[Entry, ...],
    working: Contract | None,
    *,
    policy: WrittenPolicy,
    today: date,
    memory: Memory,
    processes: int = 1,
    leaps: bool = False,
) -> tuple[History, tuple[Finding, ...]]:
    """Return the history, and findings for all that entries, releases and contract disagree on, by place.

    Up to this many `processes` compare contracts; with `leaps`, each release will be compared with the newest.
    """
    if unproven := tuple(check_releases_exist(entries, releases)):
        return History(releases=releases), unproven
    findings = [*check_release_dates(releases, today), *check_publications(entries, releases)]
    if interrupted := tuple(check_interrupted(releases, entries)):
        return History(releases=releases), in_order([*findings, *interrupted])
    findings += check_missing(releases)
    for release in releases.releases:
        if not release.is_edited:
            findings += _content_findings(release, memory)
    if working is not None:
        findings += _check_working(working, releases)
    try:
        steps = version_steps(
            releases, working, policy=policy, today=today, cache=memory, processes=processes, leaps=leaps
        )
        compared = tuple(steps)
    except PortalError as error:
        return History(releases=releases), in_order([*findings, *_unreadable(error, findings, releases)])
    provable = tuple(step for step in compared if not releases.lacks_between(step.old, step.new))
    history = History(releases=releases, proofs=prove_steps(provable, entries, today=today))
    findings += [*check_steps(entries, provable, releases), *check_versions(provable)]
    for proof in history.proofs:
        if proof.step.new is None and working is not None and working.unread_part is not None:
            findings.append(_unproven_note(working.unread_part, proof.step))
            continue
        findings += [*check_claims(proof), *check_uncovered_changes(proof), *check_deprecations(proof)]
        findings += _check_titles(proof, releases.manifest.published.keys())
    return history, in_order(findings)


def _unproven_note(unread: Finding, step: VersionStep) -> Finding:
    """Return a note in place of what a contract with unread parts seems to have lost: nobody removed them."""
    return Finding(
        rule="changelog-unproven",
        level=Level.NOTE,
        place=unread.place,
        message=f"the changes {step.name} are not compared with the changelog: this part cannot be read",
        help="fix the errors of the contract first",
    )


def _check_titles(proof: StepProof, published: Collection[str]) -> Iterator[Finding]:
    """Yield a finding for each entry to be published whose title is still the one that its draft proposed."""
    for entry in proof.entries:
        if entry.id in published or is_marked(entry.title):
            continue
        if is_proposed_title(entry.title, proof.covered_by(entry)):
            yield error_finding(
                "changelog-prose",
                entry.place("title"),
                f"`title` is still the one that the draft proposed: {truncate_text(entry.title)!r}",
                "write one sentence about what changed, in your own words",
            )


def _content_findings(release: Release, cache: Memory) -> Iterator[Finding]:
    """Yield what is wrong in a frozen contract, unless the cache has it as valid."""
    key = (_READ, release.version, release.sha256)
    if cache.get(*key) is not None:
        return
    findings = tuple(check_content(release))
    if not findings:
        cache.put("right", *key)
    yield from findings


def _unreadable(error: PortalError, findings: list[Finding], releases: Releases) -> Iterator[Finding]:
    """Yield why the releases cannot be compared, unless a finding on a frozen contract reports it already."""
    is_reported = any(finding.rule == "release-unreadable" for finding in findings)
    if not is_reported and not any(release.is_edited for release in releases.releases):
        yield Finding(
            rule="release-unreadable",
            level=Level.ERROR,
            place=error.place or Place(file=releases.name),
            message=f"the releases cannot be compared: {error.message}",
            help=error.help,
        )


def _check_working(working: Contract, releases: Releases) -> Iterator[Finding]:
    """Yield a finding if the version of the working contract is below the last release."""
    last, version = releases.last, read_version(working.api.version)
    if last is not None and version is not None and version < last.number:
        yield Finding(
            rule="release-version",
            level=Level.ERROR,
            place=working.place(Location("", ("info", "version"))),
            message=f"`info.version` is {working.api.version!r}, but {last.version} is already released",
            help=f"write {last.version}, or the version that comes next",
        )
