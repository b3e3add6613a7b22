"""The page of one entry: its facts, the changes of the contract, its timeline, and links to its neighbours."""

from collections.abc import Iterable
from typing import Any

from devportal.changelog.entries.entry import Entry, Section, SectionName
from devportal.changelog.pages.differences import AffectedOperation, group_changes, split_into_pages
from devportal.changelog.pages.filters import INDEX, impact_uri
from devportal.changelog.pages.release_history import Interval
from devportal.changelog.pages.rendering import (
    STYLES,
    ChangelogContext,
    entry_link,
    entry_summary,
    entry_uri,
)
from devportal.changelog.pages.sidebar import sidebar
from devportal.changelog.pages.timeline import entry_timeline
from devportal.changelog.proof.edits import join_directions
from devportal.differ import Change, SubjectKind
from devportal.markup import Heading, Page, SearchEntry, plain_text
from devportal.markup.feeds import absolute_url
from devportal.translation import format_day, gettext

_Values = dict[str, Any]

MOST_NODES = 800
"""The limit of elements for the changes of the contract; the page of the release has all of them."""
MOST_AFFECTED = 24
"""How many affected operations and events are named at most."""


def entry_page(entry: Entry, frame: ChangelogContext, *, newer: Entry | None, older: Entry | None) -> Page:
    """Return the page of an entry; `newer` and `older` are its neighbours in the whole list."""
    source, release_history = entry_uri(entry), frame.release_history
    changes = release_history.changes_of(entry) if release_history else ()
    interval = release_history.interval_of(entry) if release_history else None
    values = _entry_values(entry, frame) | _change_values(source, changes, interval, frame)
    values |= {
        "newer": entry_link(newer, frame) if newer is not None else None,
        "older": entry_link(older, frame) if older is not None else None,
    }
    body, markdown = frame.render("entry", source, values)
    return Page(
        uri=source,
        title=entry.title,
        description=entry_summary(entry),
        body=body,
        markdown=markdown,
        headings=_headings(entry, has_changes=bool(changes)),
        search=_search_entries(entry, frame),
        sidebar=sidebar(source, frame),
        styles=STYLES,
    )


def _entry_values(entry: Entry, frame: ChangelogContext) -> _Values:
    """Return the template values of the entry and of the release that it belongs to."""
    source, release_history = entry_uri(entry), frame.release_history
    release = release_history.release_of(entry) if release_history else None
    return {
        "entry": entry,
        "sections": _body_sections(entry),
        "when": entry.section(SectionName.TIMELINE),
        "index": INDEX,
        "api_pages": {name: frame.apis[name] for name in entry.listed_apis},
        "operations": {
            cover.subject: frame.operations[cover.subject]
            for cover in entry.covers
            if cover.subject in frame.operations
        },
        "impact_page": impact_uri(frame.severity(entry)),
        "severity": frame.severity(entry),
        "release": {"version": release.version, "uri": f"{frame.releases_uri}#{release.version}"}
        if release is not None
        else None,
        "events": entry_timeline(entry, release),
        "permalink": absolute_url(source, site_url=frame.site_url) if frame.site_url else "",
    }


def _change_values(
    source: str, changes: tuple[Change, ...], interval: Interval | None, frame: ChangelogContext
) -> _Values:
    """Return the template values of the changes of the contract that fit on a page, and of what they affect."""
    versions = interval.versions if interval else ("", "")
    (shown, *rest), affected = frame.result(
        ("changes", source),
        (changes, frame.places, versions),
        lambda: (
            split_into_pages(
                group_changes(join_directions(changes), frame.places, versions), most=MOST_NODES
            ),
            _affected_operations(changes, frame),
        ),
    )
    return {
        "interval": {"old": interval.old, "new": interval.new, "uri": interval.uri} if interval else None,
        "groups": shown,
        "further": sum(len(group.rows) for part in rest for group in part),
        "affected": affected[:MOST_AFFECTED],
        "further_affected": max(0, len(affected) - MOST_AFFECTED),
    }


def _body_sections(entry: Entry) -> list[Section]:
    """Return the sections but the timeline, which is shown together with the entry's dates."""
    return [section for section in entry.sections if section.name is not SectionName.TIMELINE]


def _affected_operations(changes: Iterable[Change], frame: ChangelogContext) -> tuple[AffectedOperation, ...]:
    """Return the operations and events that changes affect, each once, in their order."""
    kinds = {SubjectKind.OPERATION, SubjectKind.EVENT}
    uses = (change.used_by or () for change in changes)
    names = {use.subject: use.subject.name for used in uses for use in used if use.subject.kind in kinds}
    return tuple(
        AffectedOperation(name=name, uri=frame.places(name, ""))
        for _, name in sorted(names.items(), key=lambda item: item[0])
    )


def _headings(entry: Entry, *, has_changes: bool) -> tuple[Heading, ...]:
    names = [*(section.name for section in _body_sections(entry)), SectionName.TIMELINE]
    headings = [Heading(level=2, anchor=name.anchor, title=name.heading) for name in names]
    if has_changes:
        headings.insert(-1, Heading(level=2, anchor="contract", title=gettext("In the contract")))
    if entry.links:
        headings.append(Heading(level=2, anchor="further-reading", title=gettext("Further reading")))
    return tuple(headings)


def _search_entries(entry: Entry, frame: ChangelogContext) -> tuple[SearchEntry, ...]:
    facts = f"{frame.severity(entry).label} · {', '.join(entry.listed_apis)} · {format_day(entry.date)}"
    sections = (
        SearchEntry(title=section.name.heading, text=plain_text(section.text), anchor=section.name.anchor)
        for section in entry.sections
    )
    return (SearchEntry(title=entry.title, text=facts), *sections)
