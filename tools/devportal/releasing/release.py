"""A release: freezes the contract, stamps its entries and records both, in an order that a second run can
complete.

The manifest is written first and defines the release. Then the contract is frozen and the entries are
stamped. After an interruption, running the same command again completes what is already recorded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from devportal.atomic_files import FileWrite
from devportal.changelog import Entry, Release
from devportal.changelog.entries.front_matter import with_versions
from devportal.changelog.proof.comparing import planned_step, verdict_settings
from devportal.changelog.proof.proof import StepProof, check_deprecations
from devportal.changelog.proof.proving import check_claims
from devportal.changelog.proof.severity import least_version, required_bump
from devportal.changelog.releases.folder import check_content, parse_release_version
from devportal.changelog.releases.manifest import MANIFEST_NAME, Manifest, Record, manifest_text, sha256_of
from devportal.changelog.releases.publishing import (
    unstamped_entries,
    version_reason,
    version_text,
    with_publications,
)
from devportal.contract import Location
from devportal.contract.published.bundle import bundle
from devportal.documents import to_yaml
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.project.caches import comparison_cache_in
from devportal.releasing.project import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """A planned release: the files to write, in this order, or the findings that prevent it."""

    changes: tuple[FileWrite, ...] = ()
    findings: tuple[Finding, ...] = ()
    is_completion: bool = False


def plan_release(project: Project, version: str, day: date) -> ReleasePlan:
    """Return the plan to release the working contract as a version with a date."""
    record = project.releases.manifest.record(version)
    if record is not None:
        return _plan_completion(project, record)
    findings = tuple(_release_findings(project, version, day))
    if findings:
        return ReleasePlan(findings=findings)
    content = _freeze_contract(project)
    entries = tuple(entry for entry in project.entries if _belongs_to_release(entry, project, day))
    new_record = Record(
        version=version, date=day, sha256=sha256_of(content), policy=verdict_settings(project.policy)
    )
    if wrong_claims := tuple(_check_entries_of_release(project, entries, new_record, content)):
        return ReleasePlan(findings=wrong_claims)
    before = project.releases.manifest
    manifest = with_publications(
        replace(before, records=(*before.records, new_record)),
        (replace(entry, spec_to=version) for entry in entries),
    )
    return ReleasePlan(changes=tuple(_release_changes(project, manifest, manifest.records[-1], content)))


def plan_adoption(project: Project, version: str, day: date) -> ReleasePlan:
    """Return the plan to record a contract that was frozen elsewhere, with its entries."""
    manifest = project.releases.manifest
    release = next((release for release in project.releases.releases if release.version == version), None)
    if release is None:
        message = f"there is no {project.releases.name}/{version}.yaml to record"
        help_ = "put the published contract there, or leave out --adopt to freeze the current one"
        return ReleasePlan(findings=(_release_error(Place(file=project.releases.name), message, help_),))
    if release.record is not None:
        return ReleasePlan(is_completion=True)
    findings = (*_check_day(project, day), *_check_version_order(project, version), *check_content(release))
    if findings:
        return ReleasePlan(findings=findings)
    new_record = Record(
        version=version, date=day, sha256=release.sha256, policy=verdict_settings(project.policy)
    )
    manifest = replace(manifest, records=(*manifest.records, new_record))
    manifest = with_publications(manifest, (entry for entry in project.entries if entry.spec_to == version))
    return ReleasePlan(changes=(_manifest_write(project, manifest),))


def _plan_completion(project: Project, record: Record) -> ReleasePlan:
    """Return the rest of a recorded release: nothing, unless it was interrupted."""
    stamped = tuple(_stamp_entries(project, record))
    if record.version not in project.releases.missing:
        return ReleasePlan(changes=stamped, is_completion=True)
    name = f"{record.version}.yaml"
    content = _freeze_contract(project)
    if sha256_of(content) != record.sha256:
        message = f"{record.version} is recorded, but not frozen, and the contract was changed since"
        help_ = "take the file, or the contract of that state, back from your version control"
        place = Place(file=f"{project.releases.name}/{name}")
        return ReleasePlan(findings=(_release_error(place, message, help_),), is_completion=True)
    frozen = FileWrite(path=project.releases.folder / name, content=content)
    return ReleasePlan(changes=(frozen, *stamped), is_completion=True)


def _release_findings(project: Project, version: str, day: date) -> Iterator[Finding]:
    yield from _check_day(project, day)
    if order_findings := tuple(_check_version_order(project, version)):
        yield from order_findings
        return
    place = project.contract.place(Location("", ("info", "version")))
    contract_version = project.contract.api.version
    if contract_version != version:
        yield _release_error(
            place,
            f"`info.version` is {contract_version!r}, but the release is {version}",
            f"write `version: {version}`",
        )
    proof = project.unreleased
    if proof is None or proof.step.old is None:
        return
    least = least_version(proof.step.old.number, required_bump(proof.step.changes))
    if parse_release_version(version) < least:
        yield _release_error(
            place,
            f"{version} is too low after {proof.step.old.version}, because {version_reason(proof.step)}",
            f"write `version: {version_text(least)}` or a later one, and release that",
        )


def _check_version_order(project: Project, version: str) -> Iterator[Finding]:
    last = project.releases.manifest.last
    if last is not None and parse_release_version(version) <= parse_release_version(last.version):
        message = f"{version} is not above the last release, {last.version}"
        yield _release_error(Place(file=project.releases.manifest_name), message, "choose a higher version")


def _check_day(project: Project, day: date) -> Iterator[Finding]:
    place = Place(file=project.releases.manifest_name)
    last = project.releases.manifest.last
    if last is not None and day < last.date:
        message = (
            f"the day of the release, {day}, is before that of the last one, {last.version} of {last.date}"
        )
        yield _release_error(place, message, "give a later day with --date")
    if day > project.today:
        message = f"the day of the release, {day}, is after today, {project.today}"
        yield _release_error(place, message, "release it on that day, or with the date of today")


def _belongs_to_release(entry: Entry, project: Project, day: date) -> bool:
    """Say whether an entry belongs to the release: not if it announces a change that is not in the contract
    yet.
    """
    if entry.spec_to:
        return False
    proof = project.unreleased
    return entry.live <= day or (proof is not None and bool(proof.covered_by(entry)))


def _check_entries_of_release(
    project: Project, entries: tuple[Entry, ...], record: Record, content: bytes
) -> Iterator[Finding]:
    """Yield what entries claim wrongly of the release that they are stamped with, as a check after it would.

    Before the first release nothing has been compared yet, and claims of announcements are not judged before.
    """
    name = f"{record.version}.yaml"
    planned = Release(
        version=record.version,
        name=f"{project.releases.name}/{name}",
        sha256=record.sha256,
        path=project.releases.folder / name,
        content=content,
        record=record,
    )
    step = planned_step(
        project.unreleased.step if project.unreleased is not None else None,
        planned,
        project.contract,
        policy=record.policy,
        cache=comparison_cache_in(project.inputs.comparisons),
    )
    proof = StepProof(step=step, entries=entries)
    reported = {(finding.rule, finding.place) for finding in project.findings}
    for finding in (*check_claims(proof), *check_deprecations(proof)):
        if (finding.rule, finding.place) not in reported:
            yield finding


def _release_changes(
    project: Project, manifest: Manifest, record: Record, content: bytes
) -> Iterator[FileWrite]:
    yield _manifest_write(project, manifest)
    yield FileWrite(path=project.releases.folder / f"{record.version}.yaml", content=content)
    yield from _stamp_entries(project, record)


def _stamp_entries(project: Project, record: Record) -> Iterator[FileWrite]:
    """Yield the entries of a release that do not name it yet."""
    other_versions = [
        other_record.version
        for other_record in project.releases.manifest.records
        if other_record.version != record.version
    ]
    earlier = [
        version
        for version in other_versions
        if parse_release_version(version) < parse_release_version(record.version)
    ]
    for entry in unstamped_entries(record, project.entries):
        text = with_versions(
            project.texts[entry.id], spec_from=earlier[-1] if earlier else "", spec_to=record.version
        )
        yield FileWrite(path=project.entry_file(entry.id), content=text.encode())


def _manifest_write(project: Project, manifest: Manifest) -> FileWrite:
    return FileWrite(path=project.releases.folder / MANIFEST_NAME, content=manifest_text(manifest).encode())


def _freeze_contract(project: Project) -> bytes:
    return to_yaml(bundle(project.contract)).encode("utf-8", "surrogatepass")


def _release_error(place: Place, message: str, help_: str) -> Finding:
    return Finding(rule="release-refused", level=Level.ERROR, place=place, message=message, help=help_)
