"""The changes of an API since a version or a day, from the `changelog/changes.json` of a site."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from devportal.changelog.pages.change_list import CHANGES, changes_uri
from devportal.docs.operations import find_name, require_name
from devportal.docs.records import SiteRecords, parse_json
from devportal.docs.site_source import SiteSource
from devportal.errors import InvalidSettings, UnreadableInput
from devportal.integrators.changes_file import Changes, parse_changes
from devportal.suggestions import suggest_names

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedChange:
    """An entry of the changelog. Texts without a value are empty.

    `url` is the address of its page, below the root of the site if the address of that is unknown; `details` are
    the changes of the contract that it covers, as the published schema describes them.
    """

    id: str
    title: str
    summary: str
    what_to_do: str
    url: str
    date: str
    effective: str
    sunset: str
    version: str
    impact: str
    severity: str
    kind: str
    action_required: bool
    apis: tuple[str, ...]
    operations: tuple[str, ...]
    details: tuple[Mapping[str, Any], ...] = field(repr=False)
    api: str = ""
    """The name of its API, in a site of several."""


def read_site_changes(
    source: SiteSource, records: SiteRecords, *, api: str = ""
) -> tuple[DocumentedChange, ...]:
    """Return the entries of the changelog of a site, the newest first. Raises UnreadableInput.

    Of several APIs, those of the one of a name, or of all.
    """
    if records.apis:
        return _changes_of_several(source, records, api)
    text = source.read(CHANGES)
    if text is None:
        raise UnreadableInput(
            f"{source.name} has no {CHANGES}",
            help="the setting 'changelog' of a portal adds it; build an older site again with this version",
        )
    return documented_changes(parse_changes(parse_json(text, CHANGES), name=CHANGES), records)


def _changes_of_several(source: SiteSource, records: SiteRecords, api: str) -> tuple[DocumentedChange, ...]:
    """Return the entries of all APIs that have a changelog, or of one of them, the newest first."""
    found: list[DocumentedChange] = []
    has_any = False
    for documented in records.apis:
        uri = changes_uri(documented.name)
        text = source.read(uri) if api in ("", documented.name) else None
        if text is not None:
            has_any = True
            changes = documented_changes(parse_changes(parse_json(text, uri), name=uri), records)
            found += [replace(change, api=documented.name) for change in changes]
    if not has_any:
        of_which = f"for the API {api!r}" if api else "for any of its APIs"
        raise UnreadableInput(
            f"{source.name} has no list of changes {of_which}",
            help="the setting 'changelog' of an API adds it",
        )
    return tuple(sorted(found, key=lambda change: (change.date, change.id), reverse=True))


def documented_changes(changes: Changes, records: SiteRecords) -> tuple[DocumentedChange, ...]:
    """Return the entries of a list of changes, the newest first."""
    by_entry: dict[str, list[Mapping[str, Any]]] = {}
    for release in changes.releases:
        for change in release["changes"]:
            for name in change["entries"]:
                by_entry.setdefault(name, []).append(change)
    newest_first = sorted(
        changes.entries.items(), key=lambda item: (item[1]["date"] or "", item[0]), reverse=True
    )
    return tuple(
        DocumentedChange(
            id=name,
            title=entry["title"],
            summary=entry["summary"],
            what_to_do=entry["what_to_do"],
            url=_entry_url(entry["url"], records),
            date=entry["date"] or "",
            effective=entry["effective"] or "",
            sunset=entry["sunset"] or "",
            version=entry["release"] or "",
            impact=entry["impact"],
            severity=entry["severity"],
            kind=entry["kind"],
            action_required=entry["action_required"],
            apis=tuple(entry["apis"]),
            operations=tuple(entry["operations"]),
            details=tuple(by_entry.get(name, ())),
        )
        for name, entry in newest_first
    )


def _entry_url(url: str, records: SiteRecords) -> str:
    """Return the address of an entry; one that is not the web's is taken as below the root of the site."""
    try:
        is_web = urlsplit(url).scheme in ("http", "https")
    except ValueError:
        is_web = False
    return url if is_web else f"{records.site_url or './'}{url}"


def select_changes(
    records: SiteRecords,
    changes: Sequence[DocumentedChange],
    *,
    since: str = "",
    impacts: Collection[str] = (),
    operation: str = "",
) -> tuple[DocumentedChange, ...]:
    """Return the entries of the changelog that are asked for, in the order of `changes`, the newest first.

    `since` is a version, whose own entries are left out, or a day, whose entries are in. Raises InvalidSettings
    for a version or an operation that the site does not know.
    """
    if since and len({change.api for change in changes}) > 1 and not _DAY.fullmatch(since):
        raise InvalidSettings(
            f"{since!r} is the version of one API, and the site has several",
            help=f"name the API too: {', '.join(api.name for api in records.apis)}; "
            "or give a day, such as 2026-01-31",
        )
    wanted = _operation_name(records, changes, operation) if operation else ""
    newer = changes if not since else tuple(_changes_since(records, changes, since))
    return tuple(
        documented_change
        for documented_change in newer
        if (not impacts or documented_change.severity in impacts or documented_change.impact in impacts)
        and (not wanted or wanted in documented_change.operations)
    )


def _changes_since(
    records: SiteRecords, changes: Sequence[DocumentedChange], since: str
) -> Iterator[DocumentedChange]:
    if _DAY.fullmatch(since):
        yield from (change for change in changes if change.date >= since)
        return
    versions = [release.version for release in records.releases]
    versions += [
        change.version for change in reversed(changes) if change.version and change.version not in versions
    ]
    if since not in versions:
        last = f"its last versions: {', '.join(versions[-3:])}." if versions else ""
        hint = suggest_names(since, versions, last)
        raise InvalidSettings(
            f"the site has no version {since!r}",
            help=f"{hint} You can also give a day, such as 2026-01-31".lstrip(),
        )
    day = next((release.date for release in records.releases if release.version == since), "")
    old = set(versions[: versions.index(since) + 1])
    yield from (
        change for change in changes if (change.version not in old if change.version else change.date > day)
    )


def _operation_name(records: SiteRecords, changes: Sequence[DocumentedChange], asked: str) -> str:
    """Return the name of an operation of the site, or of one that was removed."""
    operation = find_name(records.operations, asked)
    if operation is not None:
        return operation.name
    changed = {name for change in changes for name in change.operations}
    return asked if asked in changed else require_name(records.operations, asked).name
