"""The pages that compare two releases, by impact, and the page on which to choose two."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from devportal.changelog.pages.differences import (
    ChangeGroup,
    Places,
    group_changes,
    severity_counts,
    split_into_pages,
)
from devportal.changelog.pages.filters import INDEX
from devportal.changelog.pages.release_history import NEXT, Interval, ReleaseHistory
from devportal.changelog.pages.rendering import STYLES, ChangelogContext, EntryLink, entry_link
from devportal.changelog.pages.sidebar import sidebar
from devportal.changelog.proof.edits import DirectedChange, join_directions
from devportal.changelog.proof.severity import Severity, change_severity, is_version_change
from devportal.markup import Heading, Page, SearchEntry
from devportal.translation import format_day, gettext, gettext_noop

MOST_NODES = 1_000
"""The limit of elements for the changes of a page; more changes go to further pages."""
MOST_ENTRIES = 20
"""How many entries are listed at most."""
SCRIPT = "assets/devportal/compare.js"


_LEAD = gettext_noop(
    "See what changed in the contract between two releases. Each release is compared with the one after it and "
    "with the newest."
)


def compare_pages(frame: ChangelogContext, release_history: ReleaseHistory) -> Iterator[Page]:
    """Yield the page of all comparisons, and those of all intervals, the newest first."""
    order = {version: number for number, version in enumerate(release_history.versions)}
    intervals = sorted(
        release_history.intervals.values(),
        key=lambda interval: (order[interval.new], order[interval.old]),
        reverse=True,
    )
    if intervals:
        yield _comparisons_page(frame, release_history, intervals[0])
    for interval in intervals:
        yield from _pages(interval, frame, release_history)


def _comparisons_page(frame: ChangelogContext, release_history: ReleaseHistory, newest: Interval) -> Page:
    values = {
        "index": INDEX,
        "lead": gettext(_LEAD),
        "old": newest.old,
        "new": newest.new,
        **_choices(release_history),
    }
    uri = release_history.comparisons_uri
    body, markdown = frame.render("comparisons", uri, values)
    return Page(
        uri=uri,
        title=gettext("Compare releases"),
        description=gettext(_LEAD),
        body=body,
        markdown=markdown,
        search=(SearchEntry(title=gettext("Compare releases"), text=gettext(_LEAD)),),
        sidebar=sidebar(uri, frame),
        styles=STYLES,
        scripts=(SCRIPT,),
    )


def _pages(interval: Interval, frame: ChangelogContext, release_history: ReleaseHistory) -> Iterator[Page]:
    changes = join_directions(change for change in interval.changes if not is_version_change(change))
    counts = severity_counts(change_severity(directed.change) for directed in changes)
    totals = {count.severity: count.count for count in counts}
    parts = frame.result(
        ("parts", interval.uri),
        (interval.changes, frame.places, interval.versions),
        lambda: _page_parts(changes, totals, frame.places, interval),
    )
    uris = tuple(_uri(interval, number) for number in range(len(parts)))
    part_of = {section.severity: number for number, part in reversed([*enumerate(parts)]) for section in part}
    shared = {
        "index": INDEX,
        "comparisons": frame.comparisons_uri,
        "lead": _introduction(interval, release_history),
        "old": interval.old,
        "new": interval.new,
        "total": len(changes),
        "counts": [(count, f"{uris[part_of[count.severity]]}#{count.severity.value}") for count in counts],
        "entry_counts": severity_counts(map(frame.severity, interval.entries)),
        "entry_count": len(interval.entries),
        **_choices(release_history),
    }
    for number, part in enumerate(parts):
        own = {
            "source": uris[number],
            "heading": gettext("%(page)s, part %(number)s", page=_heading(interval), number=number + 1)
            if number
            else _heading(interval),
            "sections": part,
            "earlier": uris[number - 1] if number else "",
            "later": uris[number + 1] if number + 1 < len(uris) else "",
        }
        yield _page(shared | own | {"entries": () if number else _entries(interval, frame)}, frame)


def _page(values: dict[str, Any], frame: ChangelogContext) -> Page:
    body, markdown = frame.render("compare", values["source"], values)
    return Page(
        uri=values["source"],
        title=values["heading"],
        description=values["lead"],
        body=body,
        markdown=markdown,
        headings=tuple(_headings(values)),
        sidebar=sidebar(values["source"], frame),
        styles=STYLES,
        scripts=(SCRIPT,),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonLink:
    """What the table of all comparisons shows of one: no page is made again because changes of another differ."""

    old: str
    new: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveritySection:
    """The changes of one severity that a page shows; `total` counts those on other pages too."""

    severity: Severity
    total: int
    groups: tuple[ChangeGroup, ...]

    @property
    def count(self) -> int:
        """Return how many changes there are."""
        return sum(len(group.rows) for group in self.groups)


def _page_parts(
    changes: tuple[DirectedChange, ...],
    totals: Mapping[Severity, int],
    places: Places,
    interval: Interval,
) -> tuple[tuple[SeveritySection, ...], ...]:
    """Return changes by severity, the most severe first, in parts that each fit on a page."""
    groups = [
        group
        for severity in Severity
        for group in group_changes(
            (change for change in changes if change_severity(change.change) is severity),
            places,
            interval.versions,
        )
    ]
    return tuple(
        tuple(
            SeveritySection(severity=severity, total=totals[severity], groups=tuple(of_severity))
            for severity, of_severity in groupby(part, key=lambda group: group.rows[0].severity)
        )
        for part in split_into_pages(groups, most=MOST_NODES)
    )


def _entries(interval: Interval, frame: ChangelogContext) -> tuple[EntryLink, ...]:
    """Return the entries that the first page of a comparison lists, the most severe first."""
    listed = sorted(interval.entries, key=lambda entry: frame.severity(entry).position)
    return tuple(entry_link(entry, frame) for entry in listed[:MOST_ENTRIES])


def _headings(values: dict[str, Any]) -> Iterator[Heading]:
    if values["entries"]:
        yield Heading(level=2, anchor="entries", title=gettext("Changelog entries"))
    for section in values["sections"]:
        yield Heading(level=2, anchor=section.severity.value, title=section.severity.label)


def _uri(interval: Interval, number: int) -> str:
    return interval.uri if not number else f"{interval.uri.removesuffix('.md')}/part-{number + 1}.md"


def _heading(interval: Interval) -> str:
    if interval.new == NEXT:
        return gettext("Unreleased changes since %(version)s", version=interval.old)
    return gettext("From %(old)s to %(new)s", old=interval.old, new=interval.new)


def _introduction(interval: Interval, release_history: ReleaseHistory) -> str:
    days = {release.version: release.date for release in release_history.releases}
    old, new = days.get(interval.old), days.get(interval.new)
    first = f"{interval.old} ({format_day(old)})" if old else interval.old
    if interval.new == NEXT:
        return gettext("Every change to the contract since %(version)s.", version=first)
    last = f"{interval.new} ({format_day(new)})" if new else interval.new
    return gettext("Every change to the contract from %(old)s to %(new)s.", old=first, new=last)


def _choices(release_history: ReleaseHistory) -> dict[str, object]:
    """Return the choices of versions as two lists, and the comparisons of each older version."""
    versions = release_history.versions
    following = dict(pairwise(versions))
    intervals = release_history.intervals
    newest = release_history.releases[-1].version
    olds = tuple(version for version in reversed(versions) if any(old == version for old, _ in intervals))
    news = tuple(version for version in reversed(versions) if any(new == version for _, new in intervals))
    rows = tuple(
        (old, intervals.get((old, following[old])), intervals.get((old, newest)))
        for old in olds
        if old in following
    )
    return {
        "names": {version: gettext("unreleased") if version == NEXT else version for version in versions},
        "olds": olds,
        "news": news,
        "rows": [
            (old, _comparison_link(step), _comparison_link(leap) if leap is not step else None)
            for old, step, leap in rows
        ],
    }


def _comparison_link(interval: Interval | None) -> ComparisonLink | None:
    if interval is None:
        return None
    return ComparisonLink(old=interval.old, new=interval.new, uri=interval.uri)
