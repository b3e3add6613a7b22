"""The page of two releases: everything that changed from one to the other, and the way to any other two."""

from collections.abc import Iterator
from itertools import pairwise

from devportal.changelog.differences import Group, groups_of, parts_of, tallies
from devportal.changelog.frame import STYLES, Frame
from devportal.changelog.gravity import is_of_version
from devportal.changelog.history import NEXT, Annals, Interval
from devportal.changelog.rendering import templates
from devportal.changelog.timeline import day
from devportal.differ import Verdict
from devportal.pages import Heading, Page

MOST_NODES = 1_000
"""So many elements the changes of a page take; more are on further pages."""
MOST_ENTRIES = 20
"""So many entries are named."""
SCRIPT = "assets/devportal/compare.js"


def compare_pages(frame: Frame, annals: Annals) -> Iterator[Page]:
    """Yield the pages of all intervals, the newest first."""
    order = {version: number for number, version in enumerate(annals.versions)}
    intervals = sorted(
        annals.intervals.values(), key=lambda one: (order[one.new], order[one.old]), reverse=True
    )
    for one in intervals:
        yield from _pages(one, frame, annals)


def _pages(one: Interval, frame: Frame, annals: Annals) -> Iterator[Page]:
    changes = [change for change in one.changes if not is_of_version(change)]
    felt = [change for change in changes if change.verdict is not Verdict.DOCUMENTATION]
    words = [change for change in changes if change.verdict is Verdict.DOCUMENTATION]
    graver = [(part, ()) for part in parts_of(groups_of(felt, frame.places), most=MOST_NODES) if part]
    milder = [((), part) for part in parts_of(groups_of(words, frame.places), most=MOST_NODES) if part]
    parts: list[tuple[tuple[Group, ...], tuple[Group, ...]]] = [*graver, *milder] or [((), ())]
    if len(parts) == 2 and graver and milder and _nodes(graver[0][0]) + _nodes(milder[0][1]) <= MOST_NODES:
        parts = [(graver[0][0], milder[0][1])]
    uris = tuple(_uri(one, number) for number in range(len(parts)))
    for number, (groups, wording) in enumerate(parts):
        heading = _heading(one) if not number else f"{_heading(one)}, part {number + 1}"
        values = {
            "source": uris[number],
            "frame": frame,
            "heading": heading,
            "lead": _lead(one, annals),
            "old": one.old,
            "new": one.new,
            "tallies": tallies(changes),
            "entries": one.entries[:MOST_ENTRIES] if not number else (),
            "further_entries": max(0, len(one.entries) - MOST_ENTRIES) if not number else 0,
            "groups": groups,
            "wording": wording,
            "wording_count": sum(len(group.rows) for group in wording),
            "earlier": uris[number - 1] if number else "",
            "later": uris[number + 1] if number + 1 < len(uris) else "",
            **_picker(annals),
        }
        yield Page(
            uri=uris[number],
            title=heading,
            description=_lead(one, annals),
            body=templates().get_template("compare.html.jinja").render(values),
            markdown=templates().get_template("compare.md.jinja").render(values),
            headings=_headings(values),
            styles=STYLES,
            scripts=(SCRIPT,),
        )


def _headings(values: dict[str, object]) -> tuple[Heading, ...]:
    named = (("entries", "Entries"), ("groups", "Changes"), ("wording", "Wording"))
    anchors = {"groups": "changes"}
    return tuple(
        Heading(level=2, anchor=anchors.get(key, key), title=title) for key, title in named if values[key]
    )


def _nodes(groups: tuple[Group, ...]) -> int:
    return sum(group.nodes for group in groups)


def _uri(one: Interval, number: int) -> str:
    return one.uri if not number else f"{one.uri.removesuffix('.md')}/part-{number + 1}.md"


def _heading(one: Interval) -> str:
    return f"Not released yet: after {one.old}" if one.new == NEXT else f"From {one.old} to {one.new}"


def _lead(one: Interval, annals: Annals) -> str:
    days = {release.version: release.date for release in annals.releases}
    old, new = days.get(one.old), days.get(one.new)
    when = f", of {day(old)}, " if old else " "
    if one.new == NEXT:
        return f"Everything that has changed in the contract since {one.old}{when}".rstrip(", ") + "."
    last = f", of {day(new)}" if new else ""
    return f"Everything that changed in the contract from {one.old}{when}to {one.new}{last}."


def _picker(annals: Annals) -> dict[str, object]:
    """Return what there is to choose from: as links, and as two lists of versions."""
    versions = annals.versions
    following = dict(pairwise(versions))
    intervals = tuple(annals.intervals.values())
    steps = tuple(one for one in intervals if following.get(one.old) == one.new)
    leaps = tuple(one for one in intervals if following.get(one.old) != one.new)
    newest = annals.releases[-1].version
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
