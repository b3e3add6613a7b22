"""The changes of an API since a version or a day, from the records of a site."""

import re
from collections.abc import Collection

from devportal.docs.operations import find_name, require_name, similar_names
from devportal.docs.records import DocumentedChange, SiteRecords
from devportal.errors import InvalidSettings, UnreadableInput

IMPACTS = ("breaking", "breaking-beta", "risky", "deprecation", "additive", "fix", "docs")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def select_changes(
    records: SiteRecords, *, since: str = "", impacts: Collection[str] = (), operation: str = ""
) -> tuple[DocumentedChange, ...]:
    """Return the entries of the changelog, the newest first.

    `since` is a version, whose own entries are left out, or a day, whose entries are in. Raises UnreadableInput
    if the site has no changelog, InvalidSettings for a version or an operation that it does not know.
    """
    if records.changes is None:
        raise UnreadableInput(
            "the site has no changelog", help="the setting 'changelog' of the portal adds one, see the manual"
        )
    wanted = _operation_name(records, operation) if operation else ""
    newer = records.changes if not since else _since(records, records.changes, since)
    return tuple(
        one
        for one in newer
        if (not impacts or one.severity in impacts or one.impact in impacts)
        and (not wanted or wanted in one.operations)
    )


def _since(
    records: SiteRecords, changes: tuple[DocumentedChange, ...], since: str
) -> tuple[DocumentedChange, ...]:
    if _DAY.fullmatch(since):
        return tuple(one for one in changes if one.date >= since)
    versions = [one.version for one in records.releases]
    versions += [one.version for one in reversed(changes) if one.version and one.version not in versions]
    if since not in versions:
        similar = similar_names(since, versions)
        hint = f"the last versions are {', '.join(versions[-3:])}. " if versions else ""
        hint = f"did you mean {' or '.join(similar)}? " if similar else hint
        raise InvalidSettings(
            f"the site has no version {since!r}",
            help=f"{hint}You can also give a day, such as 2026-01-31",
        )
    day = next((one.date for one in records.releases if one.version == since), "")
    old = set(versions[: versions.index(since) + 1])
    return tuple(one for one in changes if (one.version not in old if one.version else one.date > day))


def _operation_name(records: SiteRecords, asked: str) -> str:
    """Return the name of an operation of the site, or of one that was removed."""
    operation = find_name(records.operations, asked)
    if operation is not None:
        return operation.name
    changed = {name for one in records.changes or () for name in one.operations}
    return asked if asked in changed else require_name(records.operations, asked).name
