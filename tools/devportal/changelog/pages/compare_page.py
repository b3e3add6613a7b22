"""The page that compares two releases: everything that changed, and links to other comparisons."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from devportal.changelog.entries.entry import Entry
from devportal.changelog.pages.differences import (
    ChangeGroup,
    Places,
    group_changes,
    split_into_pages,
    verdict_counts,
)
from devportal.changelog.pages.release_history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import STYLES, ChangelogContext, templates
from devportal.changelog.pages.timeline import format_date
from devportal.changelog.proof.severity import is_version_change
from devportal.differ import Change, Verdict
from devportal.markup import Heading, Page, render_page

MOST_NODES = 1_000
"""The limit of elements for the changes of a page; more changes go to further pages."""
MOST_ENTRIES = 20
"""How many entries are listed at most."""
SCRIPT = "assets/devportal/compare.js"


def compare_pages(frame: ChangelogContext, release_history: ReleaseHistory) -> Iterator[Page]:
    """Yield the pages of all intervals, the newest first."""
    order = {version: number for number, version in enumerate(release_history.versions)}
    intervals = sorted(
        release_history.intervals.values(),
        key=lambda interval: (order[interval.new], order[interval.old]),
        reverse=True,
    )
    for interval in intervals:
        yield from _pages(interval, frame, release_history)


def _pages(interval: Interval, frame: ChangelogContext, release_history: ReleaseHistory) -> Iterator[Page]:
    changes = tuple(change for change in interval.changes if not is_version_change(change))
    parts = _page_parts(changes, frame.places)
    uris = tuple(_uri(interval, number) for number in range(len(parts)))
    shared = {
        "frame": frame,
        "lead": _introduction(interval, release_history),
        "old": interval.old,
        "new": interval.new,
        "tallies": verdict_counts(changes),
        **_picker(release_history),
    }
    for number, part in enumerate(parts):
        own = {
            "source": uris[number],
            "heading": f"{_heading(interval)}, part {number + 1}" if number else _heading(interval),
            "groups": part.groups,
            "wording": part.wording,
            "wording_count": sum(len(group.rows) for group in part.wording),
            "earlier": uris[number - 1] if number else "",
            "later": uris[number + 1] if number + 1 < len(uris) else "",
        }
        yield _page(shared | own | _entries(() if number else interval.entries))


def _page(values: dict[str, Any]) -> Page:
    body, markdown = render_page(templates(), "compare", values["source"], values)
    return Page(
        uri=values["source"],
        title=values["heading"],
        description=values["lead"],
        body=body,
        markdown=markdown,
        headings=_headings(values),
        styles=STYLES,
        scripts=(SCRIPT,),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What one page shows: changes that requests or responses show, and below them changes of wording."""

    groups: tuple[ChangeGroup, ...] = ()
    wording: tuple[ChangeGroup, ...] = ()


def _page_parts(changes: tuple[Change, ...], places: Places) -> tuple[_Part, ...]:
    """Split changes into pages, the most severe first; both kinds are on one page if they fit."""
    visible = group_changes((one for one in changes if one.verdict is not Verdict.DOCUMENTATION), places)
    wording = group_changes((one for one in changes if one.verdict is Verdict.DOCUMENTATION), places)
    if sum(group.nodes for group in (*visible, *wording)) <= MOST_NODES:
        return (_Part(groups=visible, wording=wording),)
    change_parts = (_Part(groups=part) for part in split_into_pages(visible, most=MOST_NODES) if part)
    wording_parts = (_Part(wording=part) for part in split_into_pages(wording, most=MOST_NODES) if part)
    return (*change_parts, *wording_parts)


def _entries(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """Return the entries that a page lists; only the first page of a comparison has any."""
    return {
        "entries": entries[:MOST_ENTRIES],
        "further_entries": max(0, len(entries) - MOST_ENTRIES),
    }


def _headings(values: dict[str, Any]) -> tuple[Heading, ...]:
    named = (("entries", "Entries"), ("groups", "Changes"), ("wording", "Wording"))
    anchors = {"groups": "changes"}
    return tuple(
        Heading(level=2, anchor=anchors.get(key, key), title=title) for key, title in named if values[key]
    )


def _uri(interval: Interval, number: int) -> str:
    return interval.uri if not number else f"{interval.uri.removesuffix('.md')}/part-{number + 1}.md"


def _heading(interval: Interval) -> str:
    return (
        f"Not released yet: after {interval.old}"
        if interval.new == NEXT
        else f"From {interval.old} to {interval.new}"
    )


def _introduction(interval: Interval, release_history: ReleaseHistory) -> str:
    days = {release.version: release.date for release in release_history.releases}
    old, new = days.get(interval.old), days.get(interval.new)
    when = f", of {format_date(old)}, " if old else " "
    if interval.new == NEXT:
        return f"Everything that has changed in the contract since {interval.old}{when}".rstrip(", ") + "."
    last = f", of {format_date(new)}" if new else ""
    return f"Everything that changed in the contract from {interval.old}{when}to {interval.new}{last}."


def _picker(release_history: ReleaseHistory) -> dict[str, object]:
    """Return the choices of versions: as links, and as two lists."""
    versions = release_history.versions
    following = dict(pairwise(versions))
    intervals = tuple(release_history.intervals.values())
    steps = tuple(one for one in intervals if following.get(one.old) == one.new)
    leaps = tuple(one for one in intervals if following.get(one.old) != one.new)
    newest = release_history.releases[-1].version
    pickings = [("One release", _by_version(steps, versions))]
    if leaps:
        pickings.append((f"Up to {newest}", _by_version(leaps, versions)))
    return {
        "names": {version: "not released yet" if version == NEXT else version for version in versions},
        "olds": tuple(
            version for version in reversed(versions) if any(one.old == version for one in intervals)
        ),
        "news": tuple(
            version for version in reversed(versions) if any(one.new == version for one in intervals)
        ),
        "pickings": pickings,
    }


def _by_version(intervals: tuple[Interval, ...], versions: tuple[str, ...]) -> tuple[Interval, ...]:
    return tuple(sorted(intervals, key=lambda one: versions.index(one.old), reverse=True))
