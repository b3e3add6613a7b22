"""The result of `devportal affected` in each format. All texts of an API are untrusted."""

import hashlib
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from devportal.errors import Place
from devportal.integrators.affected import Affected, AffectingChange
from devportal.integrators.uses import Uses
from devportal.markup.commonmark import escape_markdown
from devportal.reporting.annotations import workflow_command
from devportal.reporting.printable import count_noun, escape_unprintable, printable_line

FORMAT = 1
"""The number of the shape of the JSON: a higher one is another shape."""
_MOST_LINES = 20
_FOR_PROVIDERS = re.compile(r"\b(?:deprecate|keep|raise the major|accept or send both)\b")
"""What only hints to the authors of a contract say, most of them in portals that an earlier version made."""
_LONGEST_ADVICE = 600
_LONGEST_ICS_LINE = 75
"""Octets of a content line without its break (RFC 5545 §3.1)."""


class AffectedFormat(StrEnum):
    """A format of the result."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"
    ICS = "ics"


def render_affected(result: Affected, uses: Uses, form: AffectedFormat, *, file: str) -> str:
    """Return the result in a format; `file` is the file of the uses, as a forge calls it."""
    writers: Mapping[AffectedFormat, Callable[[], str]] = {
        AffectedFormat.TEXT: lambda: to_text(result),
        AffectedFormat.JSON: lambda: to_json_text(result),
        AffectedFormat.MARKDOWN: lambda: to_markdown(result),
        AffectedFormat.GITHUB: lambda: to_github(result, uses, file=file),
        AffectedFormat.ICS: lambda: to_ics(result),
    }
    return writers[form]()


def summary(result: Affected) -> str:
    """Return the result in a sentence."""
    looked_at = f"{count_noun(result.looked_at, 'change')} since {result.since}"
    if not result.changes:
        return f"Not affected: {looked_at}, none touches what you use."
    count = len(result.changes)
    verb = "touches" if count == 1 else "touch"
    return f"Affected: {count_noun(count, 'change')} {verb} what you use ({looked_at})."


def due_text(change: AffectingChange) -> str:
    """Return by when to act."""
    if change.due is None:
        return "no date announced"
    if change.impact == "deprecation":
        return f"stops working on {change.due}"
    return f"in effect from {change.due}"


def advice_lines(change: AffectingChange) -> tuple[str, ...]:
    """Return what to do: the migration of the entries with its lines, else the hint of the differ for clients."""
    migrations = [line for entry in change.entries for line in entry.what_to_do.splitlines()]
    hint = "" if _FOR_PROVIDERS.search(change.hint) else change.hint
    lines = [escape_unprintable(line.rstrip()) for line in migrations or [hint] if line.strip()]
    shown = tuple(lines[:_MOST_LINES])
    return (
        (*shown, "…")
        if len(lines) > _MOST_LINES
        else shown or ("Compare your code with the changed contract.",)
    )


def advice_text(change: AffectingChange) -> str:
    """Return what to do on one line."""
    return textwrap.shorten(" ".join(advice_lines(change)), _LONGEST_ADVICE, placeholder=" …")


def release_text(change: AffectingChange) -> str:
    """Return the release that has the change."""
    return printable_line(change.release) if change.release else "the next release"


def to_text(result: Affected) -> str:
    """Return the result for a terminal."""
    lines: list[str] = []
    for change in result.changes:
        rule = f" [{change.rule}]" if change.rule else ""
        lines += [f"{printable_line(change.impact)} in {release_text(change)}, {due_text(change)}{rule}"]
        lines += [f"  {printable_line(touch.name)}" for touch in change.touched]
        lines += [f"  change: {printable_line(change.message)}"]
        lines += [f"  message: {printable_line(change.witness)}"] if change.witness else []
        first, *others = advice_lines(change)
        lines += [f"  do: {first}", *(f"      {line}" for line in others)]
        lines += [f"  see: {printable_line(entry.url)}" for entry in change.entries] + [""]
    return "".join(f"{line}\n" for line in (*lines, summary(result)))


def to_json_text(result: Affected) -> str:
    """Return the result as JSON."""
    data = {
        "format": FORMAT,
        "title": result.title,
        "since": result.since,
        "releases": list(result.releases),
        "looked_at": result.looked_at,
        "affected": [_change_data(change) for change in result.changes],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _change_data(affecting_change: AffectingChange) -> dict[str, Any]:
    return {
        "fingerprint": affecting_change.fingerprint,
        "rule": affecting_change.rule,
        "impact": affecting_change.impact,
        "release": affecting_change.release or None,
        "released": str(affecting_change.released) if affecting_change.released else None,
        "due": str(affecting_change.due) if affecting_change.due else None,
        "touched": [
            {
                "kind": touch.use.kind.value if touch.use else "api",
                "name": touch.use.name if touch.use else "",
                "part": touch.part,
            }
            for touch in affecting_change.touched
        ],
        "message": affecting_change.message,
        "what_to_do": advice_text(affecting_change),
        "witness": affecting_change.witness or None,
        "entries": [
            {"id": entry.id, "title": entry.title, "url": entry.url} for entry in affecting_change.entries
        ],
    }


def to_markdown(result: Affected) -> str:
    """Return the result for a comment."""
    lines = [f"## {_inline(result.title)}: {_inline(summary(result))}", ""]
    for change in result.changes:
        lines += [
            f"### {_inline(change.impact.capitalize())} in {_inline(release_text(change))}, {due_text(change)}",
            "",
        ]
        lines += [f"- **{_inline(touch.name)}**" for touch in change.touched]
        lines += [f"- Change: {_inline(change.message)}"]
        lines += [f"- Message: {_inline(change.witness)}"] if change.witness else []
        lines += [f"- What to do: {_inline(advice_text(change))}"]
        lines += [f"- See {_inline(entry.title)}: {_inline(entry.url)}" for entry in change.entries] + [""]
    return "".join(f"{line}\n" for line in lines)


def _inline(text: str) -> str:
    """Return text in which nothing is markup or a mention."""
    return escape_markdown(printable_line(text)).replace("@", "@&#8203;")


def to_github(result: Affected, uses: Uses, *, file: str) -> str:
    """Return an annotation for each use that a change touches, at its line in the file of the uses."""
    commands = [
        workflow_command(
            "error",
            _place(uses, touch.use, file),
            title=f"{printable_line(change.impact)} in {release_text(change)}, {due_text(change)}",
            message="\n".join(_annotation_lines(change, printable_line(touch.name))),
        )
        for change in result.changes
        for touch in change.touched
    ]
    return "".join(f"{line}\n" for line in (*commands, summary(result)))


def _place(uses: Uses, use: Any, file: str) -> Place:
    if use is None or uses.document is None:
        return Place(file=file)
    place = uses.document.place(uses.pointer(use))
    return Place(file=file, line=place.line, column=place.column)


def _annotation_lines(affecting_change: AffectingChange, name: str) -> Iterator[str]:
    yield f"{name}: {printable_line(affecting_change.message)}"
    if affecting_change.witness:
        yield f"Message: {printable_line(affecting_change.witness)}"
    yield f"What to do: {advice_text(affecting_change)}"
    for entry in affecting_change.entries:
        yield printable_line(entry.url)


def to_ics(result: Affected) -> str:
    """Return a calendar with a day for each change that has one (RFC 5545).

    Its bytes depend on nothing but the result: a stamp is the day of the release, or that of the event.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//devportal//affected//EN", "CALSCALE:GREGORIAN"]
    lines += [f"X-WR-CALNAME:{_ics_text(f'{result.title}: deadlines')}"]
    for change in result.changes:
        if change.due is not None:
            lines += _ics_event(change, change.due, result.title)
    lines += ["END:VCALENDAR"]
    return "".join(f"{_fold(line)}\r\n" for line in lines)


def _ics_event(affecting_change: AffectingChange, day: date, title: str) -> list[str]:
    name = affecting_change.entries[0].title if affecting_change.entries else affecting_change.message
    about = [touch.name for touch in affecting_change.touched] + [
        affecting_change.message,
        advice_text(affecting_change),
    ]
    urls = [entry.url for entry in affecting_change.entries if "://" in entry.url]
    stamp = affecting_change.released or day
    return [
        "BEGIN:VEVENT",
        f"UID:{_uid(affecting_change, title)}",
        f"DTSTAMP:{stamp:%Y%m%d}T000000Z",
        f"DTSTART;VALUE=DATE:{day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{_next_day(day):%Y%m%d}",
        f"SUMMARY:{_ics_text(f'{title}: {name}')}",
        f"DESCRIPTION:{_ics_text(chr(10).join(map(printable_line, about)))}",
        *([f"URL:{printable_line(urls[0])}"] if urls else []),
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _next_day(day: date) -> date:
    """Return the day after; the last day there is has none."""
    return day if day == date.max else day + timedelta(days=1)


def _uid(affecting_change: AffectingChange, title: str) -> str:
    """Return an id that is the same each time (RFC 5545 §3.8.4.7)."""
    parts = "\0".join((title, affecting_change.release, affecting_change.fingerprint))
    return f"{hashlib.sha256(parts.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}@devportal"


def _ics_text(text: str) -> str:
    """Return text as a value of type TEXT (RFC 5545 §3.3.11)."""
    lines = [printable_line(line) for line in text.split("\n")]
    escaped = "\n".join(lines).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escaped.replace("\n", "\\n")


def _fold(line: str) -> str:
    """Return a content line folded at its octets, never within a character (RFC 5545 §3.1)."""
    folded, size = [], 0
    for char in line:
        octets = len(char.encode("utf-8", "backslashreplace"))
        if size + octets > _LONGEST_ICS_LINE:
            folded.append("\r\n ")
            size = 1
        folded.append(char)
        size += octets
    return "".join(folded)
