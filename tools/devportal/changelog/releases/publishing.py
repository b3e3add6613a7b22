"""Checks what was published, and adds publications of entries to the manifest."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from devportal.changelog.entries.entry import Entry
from devportal.changelog.proof.comparing import VersionStep
from devportal.changelog.proof.severity import VersionBump, least_version, required_bump
from devportal.changelog.releases.folder import Releases, manifest_place
from devportal.changelog.releases.manifest import Manifest, Publication, Record, entry_digest, publication_of
from devportal.contract.semantic_version import Version
from devportal.errors import Place
from devportal.findings import Finding, error_finding

_RESTORE_ADVICE = "take it back from your version control: what was published stays"


def check_publications(entries: Iterable[Entry], releases: Releases) -> Iterator[Finding]:
    """Yield published entries that were changed without a correction, are gone, or were never recorded."""
    by_id = {entry.id: entry for entry in entries}
    manifest = releases.manifest
    for id_, publications in manifest.published.items():
        entry = by_id.get(id_)
        if entry is None:
            message = f"the entry {id_} was published, and is gone"
            yield error_finding(
                "changelog-published", Place(file=releases.manifest_name), message, _RESTORE_ADVICE
            )
        else:
            yield from _check_publication(entry, publications)
    recorded = {record.version for record in manifest.records}
    for entry in by_id.values():
        if entry.spec_to in recorded and entry.id not in manifest.published:
            yield error_finding(
                "changelog-published",
                entry.place("spec_to"),
                f"this entry names the release {entry.spec_to}, which was published without it",
                f"run `devportal changelog publish {entry.id}` to record it, or remove `spec_from` and "
                "`spec_to`: the next release writes them",
            )


def _check_publication(entry: Entry, publications: tuple[Publication, ...]) -> Iterator[Finding]:
    if is_as_published(entry, publications):
        return
    if is_corrected(entry, publications):
        message = "this published entry was corrected, but the correction is not recorded"
        help_ = f"run `devportal changelog publish {entry.id}`"
    else:
        message = publication_difference(entry, publications)
        help_ = (
            "restore it, or describe the correction under `amended` with `date` and `note`, and run "
            f"`devportal changelog publish {entry.id}`"
        )
    yield error_finding("changelog-published", entry.place("id"), message, help_)


def is_as_published(entry: Entry, publications: tuple[Publication, ...]) -> bool:
    """Return whether an entry has the words that were published last, and all their corrections."""
    last = publications[-1]
    return entry_digest(entry) == last.sha256 and len(entry.amended) >= last.amended


def publication_difference(entry: Entry, publications: tuple[Publication, ...]) -> str:
    """Return how an entry differs from what was published last."""
    if entry_digest(entry) == publications[-1].sha256:
        return "a correction of this published entry was removed"
    return "this published entry was changed"


def is_corrected(entry: Entry, publications: tuple[Publication, ...]) -> bool:
    """Return whether an entry has a correction that none of its publications has."""
    return len(entry.amended) > publications[-1].amended


def check_versions(steps: Iterable[VersionStep]) -> Iterator[Finding]:
    """Yield releases whose version rises less than their changes require."""
    for step in steps:
        if step.old is None or step.new is None:
            continue
        least = least_version(step.old.number, required_bump(step.changes))
        if step.new.number < least:
            yield error_finding(
                "release-version",
                Place(file=step.new.name),
                f"{step.new.version} follows {step.old.version}, and {version_reason(step)}",
                f"the least version with these changes is {version_text(least)}",
            )


def version_reason(step: VersionStep) -> str:
    """Return why a step needs its version, as half a sentence."""
    match required_bump(step.changes):
        case VersionBump.MAJOR:
            return f"there is a breaking change: {step.changes[0].message} ({step.changes[0].subject})"
        case VersionBump.MINOR:
            change = next(iter(step.changes_needing_entry))
            return f"requests or responses change: {change.message} ({change.subject})"
        case VersionBump.PATCH:
            return "descriptions change"


def version_text(version: Version) -> str:
    """Return a version as it is written."""
    return f"{version.major}.{version.minor}.{version.patch}"


def with_publications(manifest: Manifest, entries: Iterable[Entry]) -> Manifest:
    """Return a manifest with the entries recorded as they are now, after their earlier publications.

    An entry of a release is recorded with it, any other as announced.
    """
    for entry in entries:
        manifest = _with_publication(manifest, entry)
    return manifest


def _with_publication(manifest: Manifest, entry: Entry) -> Manifest:
    earlier = manifest.published.get(entry.id, ())
    now = publication_of(entry)
    publications = earlier if earlier and earlier[-1] == now else (*earlier, now)
    record = next((record for record in manifest.records if entry.id in record.entries), None)
    record = record or manifest.record(entry.spec_to)
    if record is None:
        return replace(manifest, announced={**manifest.announced, entry.id: publications})
    announced = {id_: publications for id_, publications in manifest.announced.items() if id_ != entry.id}
    updated = replace(record, entries={**record.entries, entry.id: publications})
    records = tuple(updated if existing is record else existing for existing in manifest.records)
    return replace(manifest, announced=announced, records=records)


def check_release_dates(releases: Releases, today: date) -> Iterator[Finding]:
    """Yield releases whose date is in the future."""
    for record in releases.manifest.records:
        if record.date > today:
            message = f"the release {record.version} is of {record.date}, which is after today, {today}"
            yield error_finding(
                "release-order", Place(file=releases.manifest_name), message, "fix the wrong date"
            )


def unstamped_entries(record: Record, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries of a release that do not name it in `spec_to`."""
    return tuple(entry for entry in entries if entry.id in record.entries and not entry.spec_to)


def check_interrupted(releases: Releases, entries: Iterable[Entry]) -> Iterator[Finding]:
    """Yield a finding if the last release was interrupted: other findings may follow from that.

    The record is written first, then the contract, then the entries: some entries do not name the release yet.
    """
    last = releases.manifest.last
    left = unstamped_entries(last, entries) if last is not None else ()
    if last is None or not left:
        return
    version = last.version
    is_frozen = version not in releases.missing
    more = f" and {len(left) - 1} more" if len(left) > 1 else ""
    yield error_finding(
        "release-interrupted",
        manifest_place(releases, len(releases.manifest.records) - 1, "version"),
        f"the release {version} was interrupted: {'' if is_frozen else 'its contract is not frozen, and '}"
        f"the entry {left[0].id}{more} {'do' if more else 'does'} not name it yet",
        f"run `devportal release {version}` again: it ends what it began",
    )
