"""`changelog/changes.json`: every change of every release, for programs of those who use the API.

Its shape is published: `schemas/changes.schema.json`, which the tests hold it to.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from devportal.changelog.entries.entry import Entry, SectionName
from devportal.changelog.pages.release_history import NEXT, ReleaseHistory
from devportal.changelog.pages.rendering import ChangelogContext, entry_summary, entry_uri
from devportal.changelog.proof.comparing import VersionStep
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.proof.severity import Severity, change_severity, is_version_change
from devportal.changelog.proof.witnesses import witness_view
from devportal.contract import ABSENT
from devportal.differ import Change, SubjectKind, Verdict
from devportal.differ.output.json_data import witness_data
from devportal.differ.pairs.lifecycle import parse_day
from devportal.differ.places.place_parts import PlaceParts, parse_path, parse_place
from devportal.differ.places.sections import join_path
from devportal.documents import to_json
from devportal.markup import Artefact
from devportal.markup.feeds import absolute_url
from devportal.project.settings import PortalApi
from devportal.translation import ENGLISH, interface_of

CHANGES = "changelog/changes.json"
VERSION = 1
"""The number of the shape: a higher one is another shape, more keys are the same one."""
VERSION_OF_SEVERAL = 2
"""The number of the shape of the file that names those of several APIs."""
_SUNSET_RULES = frozenset({"sunset.set", "sunset.later", "sunset.earlier"})


def change_list(
    frame: ChangelogContext, entries: Iterable[Entry], history: ReleaseHistory | None
) -> Artefact:
    """Return the file of all changes. Addresses are relative to the site if its address is not known.

    A changelog without releases has its entries only. Programs read it, so it is in English in every language.
    """
    with interface_of(ENGLISH):
        return _change_list(frame, entries, history)


def _change_list(
    frame: ChangelogContext, entries: Iterable[Entry], history: ReleaseHistory | None
) -> Artefact:
    proofs = history.proofs if history is not None else ()
    named = {"api": frame.api.name} if frame.api is not None else {}
    data = {
        "version": VERSION,
        **named,
        "title": frame.title,
        "site": frame.site_url or None,
        "operations": sorted(frame.operations),
        "releases": [
            _kept_release(proof, frame, history) for proof in proofs if history and _is_listed(proof)
        ],
        "entries": {
            entry.id: _entry(entry, frame, history)
            for entry in sorted(entries, key=lambda entry: (entry.date, entry.id))
        },
    }
    uri = changes_uri(frame.api.name) if frame.api is not None else CHANGES
    return Artefact(uri=uri, content=f"{to_json(data)}\n".encode("utf-8", "backslashreplace"))


def changes_uri(name: str) -> str:
    """Return the uri of the file of all changes of one of several APIs."""
    return f"changelog/api/{name}/changes.json"


def change_lists(frame: ChangelogContext, apis: Iterable[PortalApi]) -> Artefact:
    """Return the file that names the file of all changes of each of several APIs."""
    data = {
        "version": VERSION_OF_SEVERAL,
        "title": frame.title,
        "site": frame.site_url or None,
        "apis": [
            {
                "api": portal_api.name,
                "title": portal_api.title,
                "changes": changes_uri(portal_api.name),
            }
            for portal_api in apis
        ],
    }
    return Artefact(uri=CHANGES, content=f"{to_json(data)}\n".encode("utf-8", "backslashreplace"))


def _is_listed(proof: StepProof) -> bool:
    """Return whether a step is a release, or has changes that are announced."""
    return proof.step.new is not None or bool(proof.step.changes)


def _kept_release(proof: StepProof, frame: ChangelogContext, history: ReleaseHistory) -> dict[str, Any]:
    """Return a release with its changes as it was for the last build, if they have the same entries."""
    step = proof.step
    new = step.new.version if step.new is not None else NEXT
    interval = history.intervals.get((step.old.version, new)) if step.old is not None else None
    url = absolute_url(interval.uri, site_url=frame.site_url) if interval is not None else None
    entries = {
        fingerprint: sorted(entry.id for entry in covering)
        for fingerprint, covering in proof.covering_entries.items()
    }
    name = (changes_uri(frame.api.name) if frame.api is not None else CHANGES, new)
    causes = (step.changes, entries, step.old and step.old.version, step.new and step.new.date, url)
    return frame.result(name, causes, lambda: _release(step, entries, new, url))


def _release(
    step: VersionStep, entries: Mapping[str, Sequence[str]], new: str, url: str | None
) -> dict[str, Any]:
    """Return a release with its changes; `entries` are the ids of those of each change, by its fingerprint."""
    return {
        "version": step.new.version if step.new is not None else None,
        "date": _day(step.new.date) if step.new is not None else None,
        "previous": step.old.version if step.old is not None else None,
        "url": url,
        "changes": [] if step.is_first else list(_changes(step, entries, new)),
    }


def _changes(step: VersionStep, entries: Mapping[str, Sequence[str]], new: str) -> Iterator[dict[str, Any]]:
    for change in step.changes:
        if not is_version_change(change):
            covering = entries.get(step.selection.fingerprint(change), ())
            yield _change(change, covering, step.old.version if step.old else "", new)


def _change(change: Change, entries: Sequence[str], old: str, new: str) -> dict[str, Any]:
    """Return a change with the ids of its entries. `old` and `new` are left out if there is no value."""
    is_schema = change.subject.section == "schemas" and change.subject.kind is SubjectKind.COMPONENT
    both = {"old": change.old, "new": change.new}
    return {
        "fingerprint": change.fingerprint,
        "rule": change.rule,
        "impact": str(change_severity(change)),
        "verdict": str(change.verdict),
        "area": str(change.area),
        "action": str(change.action),
        "direction": str(change.direction) if change.direction is not None else None,
        "subject": {
            "kind": str(change.subject.kind),
            "name": change.subject.name,
            "section": change.subject.section,
        },
        "field": change.field,
        "schema_path": list(parse_path(change.field)) if is_schema else None,
        "places": [
            {"kind": str(use.subject.kind), "name": use.subject.name}
            | _place_data(parse_place(join_path(use.field, change.field) if is_schema else use.field))
            for use in change.used_by
        ],
        **{side: value for side, value in both.items() if value is not ABSENT},
        "message": change.message,
        "hint": change.hint,
        "sunset": _day(parse_day(str(change.new))) if change.rule in _SUNSET_RULES else None,
        "entries": list(entries),
        "witness": _witness(change, old, new),
    }


def _place_data(place: PlaceParts) -> dict[str, Any]:
    """Return a place without the members that it has no value for."""
    optional = {
        "status": place.status,
        "media_type": place.media_type,
        "location": place.location,
        "parameter": place.parameter,
        "header": place.header,
    }
    return {
        "side": str(place.side),
        **{name: value for name, value in optional.items() if value},
        "path": list(place.path),
    }


def _witness(change: Change, old: str, new: str) -> dict[str, Any] | None:
    view, data = witness_view(change.witness_search, old, new), witness_data(change)
    if view is None or data is None or data["message"] is None:
        return None
    return {"summary": view.summary, "line": view.line, "reason": view.reason, **data["message"]}


def _entry(entry: Entry, frame: ChangelogContext, history: ReleaseHistory | None) -> dict[str, Any]:
    migration = entry.section(SectionName.MIGRATION)
    release = history.release_of(entry) if history is not None else None
    changes = history.changes_of(entry) if history is not None else ()
    return {
        "title": entry.title,
        "url": absolute_url(entry_uri(entry), site_url=frame.site_url),
        "release": release.version if release is not None else entry.spec_to or None,
        "apis": list(entry.apis),
        "operations": sorted(
            {
                *_operations(_substantial_changes(changes)),
                *(cover.operation for cover in entry.covers if cover.operation),
            }
        ),
        "impact": str(entry.impact),
        "severity": str(frame.severities.get(entry.key) or Severity(entry.impact)),
        "kind": str(entry.kind),
        "date": _day(entry.date),
        "effective": _day(entry.effective),
        "sunset": _day(entry.sunset),
        "action_required": entry.action_required,
        "beside_contract": entry.is_beside_contract,
        "summary": entry_summary(entry),
        "what_to_do": migration.text.strip() if migration is not None else "",
    }


def _substantial_changes(changes: Sequence[Change]) -> Sequence[Change]:
    """Return the changes of more than words; all if there are no others.

    A shared part that is described in other words is used by many operations, for which nothing changes.
    """
    return [change for change in changes if change.verdict is not Verdict.DOCUMENTATION] or changes


def _operations(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the operations and events that changes affect."""
    for change in changes:
        for subject in (change.subject, *(use.subject for use in change.used_by)):
            if subject.kind in (SubjectKind.OPERATION, SubjectKind.EVENT):
                yield subject.name


def _day(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None
