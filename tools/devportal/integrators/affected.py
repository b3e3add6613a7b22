"""The changes of the releases after one that touch what is used, and what to do about each by when."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import Any

from devportal.contract.path_templates import without_names
from devportal.documents import Document
from devportal.errors import InvalidSettings
from devportal.findings import Finding
from devportal.integrators.changes_file import IMPACTS, Changes
from devportal.integrators.touched import Touch, is_harmless, touches
from devportal.integrators.uses import Use, UseKind, Uses, problem
from devportal.markup.urls import url_of
from devportal.suggestions import suggest_name

Data = Mapping[str, Any]
_DEPRECATED, _SUNSET_RULES = "deprecated.set", frozenset({"sunset.set", "sunset.later", "sunset.earlier"})
_WITHDRAWALS = frozenset({"deprecated.unset", "sunset.dropped"})


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """An entry of the changelog as results name it. `url` is absolute if the portal's address is known."""

    id: str
    title: str
    url: str
    what_to_do: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectingChange:
    """A change that touches what is used. `rule` is empty for an entry about what the contract does not describe.

    `release` is its version, empty if it is announced only; `due` is the day by which to act, None if no day is
    known. `witness` is a message that one release accepts and the other one rejects, with the reason.
    """

    fingerprint: str
    rule: str
    impact: str
    message: str
    hint: str
    release: str
    released: date | None
    due: date | None
    touched: tuple[Touch, ...]
    witness: str = ""
    entries: tuple[EntryView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    """The result: the changes by day, those without a day last, and how many were looked at."""

    title: str
    since: str
    releases: tuple[str, ...]
    looked_at: int
    changes: tuple[AffectingChange, ...]


def find_affected(uses: Uses, changes: Changes, *, since: str) -> Affected:
    """Return the changes after a release that touch what is used, and earlier announcements of a sunset.

    Raises InvalidSettings for a release that the list does not have.
    """
    if since not in changes.versions:
        raise InvalidSettings(
            f"--since: {changes.name} has no release {since!r}",
            help=_version_help(changes, since),
        )
    position = changes.versions.index(since)
    later = changes.releases[position + 1 :]
    found = [
        *_earlier_announcements(uses, changes, changes.releases[: position + 1]),
        *(made for release in later for made in _of_release(uses, changes, release)),
        *_behaviour(uses, changes, later),
    ]
    return Affected(
        title=changes.title,
        since=since,
        releases=tuple(item["version"] or "" for item in later),
        looked_at=sum(len(item["changes"]) for item in later),
        changes=tuple(
            sorted(
                found, key=lambda item: (item.due or date.max, -impact_rank(item.impact), item.fingerprint)
            )
        ),
    )


def _version_help(changes: Changes, since: str) -> str:
    if not changes.versions:
        return "give the changes of a portal whose API has releases: this changelog has none"
    return suggest_name(since, changes.versions, f"use one of {', '.join(changes.versions)}")


def impact_rank(impact: str) -> int:
    """Return how severe an impact is; one that this version does not know is the most severe."""
    return len(IMPACTS) - IMPACTS.index(impact) if impact in IMPACTS else len(IMPACTS) + 1


def _of_release(uses: Uses, changes: Changes, release: Data) -> Iterator[AffectingChange]:
    with_sunset = {_place_key(change) for change in release["changes"] if change["rule"] in _SUNSET_RULES}
    for change in release["changes"]:
        if change["rule"] == _DEPRECATED and _place_key(change) in with_sunset:
            continue  # the change that sets the sunset says when
        if change["impact"] == "deprecation" and _is_superseded(change, changes):
            continue
        touched = touches(change, uses.uses)
        if touched:
            yield affecting_change(change, release, touched, changes)


def _earlier_announcements(
    uses: Uses, changes: Changes, releases: Iterable[Data]
) -> Iterator[AffectingChange]:
    """Yield sunsets that earlier releases announced, unless the part is gone, or it was taken back or changed."""
    for release in releases:
        for change in release["changes"]:
            if change["rule"] in _SUNSET_RULES and change["sunset"] and not _is_superseded(change, changes):
                touched = touches(change, uses.uses)
                if touched:
                    yield affecting_change(change, release, touched, changes)


def _is_superseded(change: Data, changes: Changes) -> bool:
    """Return whether a later change removes the same part, takes its announcement back, or moves its day."""
    key = _place_key(change)
    every = (entry for release in reversed(changes.releases) for entry in reversed(release["changes"]))
    later = takewhile(lambda item: item is not change, every)
    return any(
        _ends(item, key) for item in later if change["rule"] != _DEPRECATED or item["action"] == "removed"
    )


def _ends(change: Data, key: tuple[str, ...]) -> bool:
    if _place_key(change) != key:
        return False
    rule = change["rule"]
    return rule in _WITHDRAWALS or rule in _SUNSET_RULES or change["action"] == "removed"


def _place_key(change: Data) -> tuple[str, ...]:
    subject = change["subject"]
    return (subject["kind"], subject["section"], subject["name"], change["field"])


def _behaviour(uses: Uses, changes: Changes, releases: Iterable[Data]) -> Iterator[AffectingChange]:
    """Yield entries about what the contract does not describe, or not yet: nobody can say whom they touch."""
    if not uses.uses:
        return
    by_version = {release["version"]: release for release in releases}
    covered = {
        id_ for release in changes.releases for change in release["changes"] for id_ in change["entries"]
    }
    for id_, entry in sorted(changes.entries.items()):
        is_ahead = entry["release"] is None and id_ not in covered
        is_listed = entry["release"] in by_version or entry["release"] is None
        if not is_listed or not (entry["beside_contract"] or is_ahead):
            continue
        if entry["action_required"] or not is_harmless(entry):
            released = by_version[entry["release"]]["date"] if entry["release"] in by_version else None
            yield AffectingChange(
                fingerprint=id_,
                rule="",
                impact=entry["impact"],
                message=entry["summary"] or entry["title"],
                hint="",
                release=entry["release"] or "",
                released=_day(released),
                due=_day(entry["sunset"] or entry["effective"] or released or entry["date"]),
                touched=(Touch(use=None),),
                entries=(_entry_view(id_, entry, changes),),
            )


def affecting_change(
    change: Data, release: Data, touched: tuple[Touch, ...], changes: Changes
) -> AffectingChange:
    """Return a change of a release as results show it: by when to act, and the entries about it."""
    entries = [(id_, changes.entries[id_]) for id_ in change["entries"] if id_ in changes.entries]
    sunsets = [entry["sunset"] for _, entry in entries if entry["sunset"]]
    effective = [entry["effective"] for _, entry in entries if entry["effective"]]
    is_announcement = change["impact"] == "deprecation"
    day = change["sunset"] or (min(sunsets) if sunsets and is_announcement else None)
    if day is None and not is_announcement:
        day = min(effective) if effective else release["date"]
    witness = change["witness"]
    return AffectingChange(
        fingerprint=change["fingerprint"],
        rule=change["rule"],
        impact=change["impact"],
        message=change["message"],
        hint=change["hint"],
        release=release["version"] or "",
        released=_day(release["date"]),
        due=_day(day),
        touched=touched,
        witness=f"{witness['line']} ({witness['summary']}: {witness['reason']})" if witness else "",
        entries=tuple(_entry_view(id_, entry, changes) for id_, entry in entries),
    )


def _entry_view(id_: str, entry: Data, changes: Changes) -> EntryView:
    url = entry["url"]
    if "://" not in url and changes.site:
        url = changes.site + (url_of(url) if url.endswith(".md") else url)
    return EntryView(id=id_, title=entry["title"], url=url, what_to_do=entry["what_to_do"])


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def unknown_operations(uses: Uses, changes: Changes) -> Iterator[Finding]:
    """Yield used operations that neither the present contract nor any change names."""
    document = uses.document
    if document is None:
        return
    named = {
        place["name"]
        for release in changes.releases
        for change in release["changes"]
        for place in (change["subject"], *change["places"])
        if place["kind"] == "operation"
    }
    known = {without_names(name): name for name in sorted({*changes.operations, *named})}
    for use in uses.uses:
        if use.kind is UseKind.OPERATION and without_names(use.name) not in known:
            yield unknown_name(document, uses.pointer(use), use, known.values())


def unknown_name(document: Document, pointer: tuple[str, ...], use: Use, names: Iterable[str]) -> Finding:
    """Return the problem of an operation or event that an API does not have."""
    return problem(
        document,
        pointer,
        f"the API has no {use.kind} {use.name!r}",
        suggest_name(use.name, names, f"write the {use.kind} as in the contract, or remove it"),
    )
