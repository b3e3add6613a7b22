"""What a revision of releases and entries proves of a later one: what was published is as it was.

The manifest has the digest of each frozen contract and entry. Whoever changes both a file and its digest is
caught here, by comparison with files that they cannot change.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from devportal.changelog.entries.entry import Entry
from devportal.changelog.releases.folder import Release, Releases, manifest_place
from devportal.changelog.releases.manifest import Publication, Record, entry_digest
from devportal.changelog.releases.publishing import is_as_published
from devportal.errors import Place
from devportal.findings import Finding, Level


def check_releases_kept(before: Releases, now: Releases, *, base: str) -> Iterator[Finding]:
    """Yield the frozen contracts and the records of the manifest that are not as in the revision `base`."""
    by_version = {release.version: release for release in now.releases}
    for release in recorded_releases(before):
        kept = by_version.get(release.version)
        if kept is None or kept.content != release.content:
            difference = "is gone" if kept is None else f"is not the file that {base} has"
            message = f"the contract that was published as {release.version} {difference}"
            yield _finding("since-release", Place(file=f"{now.name}/{release.version}.yaml"), message, base)
    yield from _check_manifest(before, now, base)


def recorded_releases(before: Releases) -> tuple[Release, ...]:
    """Return the releases that are on record as they are."""
    return tuple(
        release for release in before.releases if release.record is not None and not release.is_edited
    )


def check_entries_kept(
    before: Iterable[Entry], now: Iterable[Entry], recorded: Releases, *, name: str, base: str
) -> Iterator[Finding]:
    """Yield the entries that were published in the revision `base` and are gone or differ.

    `recorded` are its releases. An entry may have other words if a correction was added. `name` is the name of
    the folder of the entries in messages.
    """
    by_id = {entry.id: entry for entry in now}
    for entry in published_entries(before, recorded):
        kept = by_id.get(entry.id)
        if kept is None:
            message = f"the entry {entry.id}, which was published in {base}, is gone"
            yield _finding("since-entry", Place(file=name), message, base)
        elif not _is_kept(entry, kept):
            message = f"this entry was published in {base} and changed since"
            yield _finding("since-entry", kept.place("id"), message, base)


def published_entries(entries: Iterable[Entry], recorded: Releases) -> tuple[Entry, ...]:
    """Return the entries that are as they were published."""
    published = recorded.manifest.published
    return tuple(
        entry for entry in entries if entry.id in published and is_as_published(entry, published[entry.id])
    )


def _is_kept(before: Entry, now: Entry) -> bool:
    """Return whether an entry has its published words, or a correction was added to it."""
    has_corrections = now.amended[: len(before.amended)] == before.amended
    is_corrected = len(now.amended) > len(before.amended)
    return has_corrections and (is_corrected or entry_digest(now) == entry_digest(before))


def _check_manifest(before: Releases, now: Releases, base: str) -> Iterator[Finding]:
    records = now.manifest.records
    known = {record.version for record in before.manifest.records}
    for position, record in enumerate(before.manifest.records):
        kept = records[position] if position < len(records) else None
        is_later = any(later.version == record.version for later in records[position + 1 :])
        if kept is not None and kept.version not in known and is_later:
            yield _insertion(kept, record, manifest_place(now, position, "version"), base)
            return
        if kept is None or _release_facts(kept) != _release_facts(record):
            difference = "is gone" if kept is None else "is not as it was recorded"
            message = f"the release {record.version}, which {base} has on record, {difference}"
            place = (
                Place(file=now.manifest_name) if kept is None else manifest_place(now, position, "version")
            )
            yield _finding("since-release", place, message, base)
            return
        for id_, publications in record.entries.items():
            yield from _check_publications(id_, publications, kept.entries.get(id_, ()), now, base)
    published = now.manifest.published
    for id_, publications in before.manifest.announced.items():
        yield from _check_publications(id_, publications, published.get(id_, ()), now, base)


def _insertion(inserted: Record, record: Record, place: Place, base: str) -> Finding:
    """Return the finding for a release that stands before one that is published: most often a fix of an older one."""
    message = f"{inserted.version} is new, but stands before {record.version}, which {base} has on record"
    help_ = (
        "remove it here, with its contract and entries: releases are only added at the end, so publish a fix of an "
        f"older release than {record.version} from a separate branch"
    )
    return Finding(rule="since-release", level=Level.ERROR, place=place, message=message, help=help_)


def _release_facts(record: Record) -> tuple[object, ...]:
    """Return everything recorded of a release but its entries."""
    return record.version, record.date, record.sha256, record.policy


def _check_publications(
    id_: str, before: tuple[Publication, ...], now: tuple[Publication, ...], releases: Releases, base: str
) -> Iterator[Finding]:
    """Yield a finding if publications of an entry are gone, or one was added without a correction."""
    place = Place(file=releases.manifest_name)
    if now[: len(before)] != before:
        message = f"the record of the entry {id_} that {base} has is gone"
        yield _finding("since-release", place, message, base)
    elif any(later.amended <= earlier.amended for earlier, later in pairwise(now[len(before) - 1 :])):
        message = f"the entry {id_} was published again since {base} without a correction"
        yield _finding("since-release", place, message, base)


def _finding(rule: str, place: Place, message: str, base: str) -> Finding:
    help_ = (
        f"restore it as {base} has it: what was published stays; if {base} is newer than this branch, merge "
        "it first"
    )
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
