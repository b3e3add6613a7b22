"""Releases and changelog entries as JSON data, for `docs.json`: what programs need to know whom a change touches."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from devportal.changelog.entries.entry import Entry
from devportal.changelog.pages.differences import subject_name
from devportal.changelog.pages.release_history import ReleaseHistory
from devportal.changelog.pages.rendering import entry_summary, entry_uri
from devportal.changelog.proof.severity import Severity
from devportal.changelog.releases.folder import Release
from devportal.differ import Change, SubjectKind, Verdict
from devportal.differ.output.json_data import witness_data


def release_data(release: Release) -> dict[str, Any]:
    """Return a release: its version, and its day if that is on record."""
    return {"version": release.version, "date": release.date.isoformat() if release.date else None}


def entry_data(entry: Entry, annals: ReleaseHistory | None) -> dict[str, Any]:
    """Return an entry with the changes of the contract that it covers, the most severe first."""
    changes = annals.changes_of(entry) if annals is not None else ()
    severity = annals.severities.get(entry.id) if annals is not None else None
    return {
        "id": entry.id,
        "title": entry.title,
        "summary": entry_summary(entry),
        "page": entry_uri(entry),
        "date": entry.date.isoformat(),
        "effective": entry.effective.isoformat() if entry.effective else None,
        "sunset": entry.sunset.isoformat() if entry.sunset else None,
        "version": _version_of(entry, annals),
        "impact": str(entry.impact),
        "severity": str(severity or Severity(entry.impact)),
        "kind": str(entry.kind),
        "action_required": entry.action_required,
        "apis": list(entry.apis),
        "operations": sorted(
            {
                *_operations(_substantial_changes(changes)),
                *(one.operation for one in entry.covers if one.operation),
            }
        ),
        "changes": [_change_data(one) for one in changes],
    }


def _version_of(entry: Entry, annals: ReleaseHistory | None) -> str | None:
    release = annals.release_of(entry) if annals is not None else None
    return release.version if release is not None else entry.spec_to or None


def _change_data(change: Change) -> dict[str, Any]:
    return {
        "fingerprint": change.fingerprint,
        "rule": change.rule,
        "verdict": str(change.verdict),
        "subject": subject_name(change.subject),
        "field": change.field,
        "message": change.message,
        "hint": change.hint,
        "operations": sorted(set(_operations([change]))),
        "witness": witness_data(change),
    }


def _substantial_changes(changes: Sequence[Change]) -> Sequence[Change]:
    """Return the changes of more than words; all if there are no others.

    A shared part that is described in other words is used by many operations, for which nothing changes.
    """
    return [one for one in changes if one.verdict is not Verdict.DOCUMENTATION] or changes


def _operations(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the operations and events that changes affect."""
    for change in changes:
        for subject in (change.subject, *(one.subject for one in change.used_by)):
            if subject.kind in (SubjectKind.OPERATION, SubjectKind.EVENT):
                yield subject.name
