"""Since when a part of a contract is there, and when it changed: quiet words beside it, each with a link.

They are worked out elsewhere, from the releases of the contract; without releases there are none. Parts are
named as the differ names them (`devportal.differ.change`), which outlasts a release: where something stands
in the file does not.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from devportal.contract import Api, Location
from devportal.differ import change
from devportal.markup import href, twin_href
from devportal.reference.markup import escape_attribute, escape_markdown, escape_text

_MEDIA_TYPE = re.compile(r"\([^()]*\)")
_WEBHOOK_SECTIONS = ("webhooks", "x-webhooks")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryMark:
    """What is told of a part, such as `since 1.3.0`, and the uri of the page that tells more.

    `kind` is what a test has shown of it, `kept`, `broken` or `doubtful`, empty where it is of no test.
    """

    words: str
    uri: str
    kind: str = ""


PartLocation = tuple[str, str]
"""What a part belongs to (`POST /v1/orders`, `schemas/Order`, the name of an event), and where in it."""


class HistoryMarks:
    """The marks of the parts of one contract."""

    def __init__(
        self,
        marks_by_part: Mapping[PartLocation, tuple[HistoryMark, ...]] | None = None,
        api: Api | None = None,
    ) -> None:
        """Take the marks, and the contract, which knows what shared schemas of other files are called."""
        self._marks_by_part = {
            (owner, without_media_types(place)): marks
            for (owner, place), marks in (marks_by_part or {}).items()
        }
        self._names = {one.location: one.name for one in api.schemas.values() if one.name} if api else {}
        self._marks_by_location: dict[Location, tuple[HistoryMark, ...]] = {}

    def __bool__(self) -> bool:
        """Say whether anything is marked at all."""
        return bool(self._marks_by_part)

    def of(self, owner: str, place: str = "") -> tuple[HistoryMark, ...]:
        """Return the marks of a place."""
        return self._marks_by_part.get((owner, place), ())

    def at(self, location: Location) -> tuple[HistoryMark, ...]:
        """Return the marks of what stands at a location."""
        if not self._marks_by_part:
            return ()
        marks = self._marks_by_location.get(location)
        if marks is None:
            part = part_location(location) if not location.file else self._component_location(location)
            marks = self._marks_by_location[location] = self._marks_by_part.get(part, ()) if part else ()
        return marks

    def _component_location(self, location: Location) -> PartLocation | None:
        """Return what a place in another file is called: in releases, all shared schemas have names."""
        for end in range(len(location.pointer), -1, -1):
            name = self._names.get(Location(location.file, location.pointer[:end]))
            if name is not None:
                return f"schemas/{name}", _steps(location.pointer[end:])
        return None


NO_HISTORY_MARKS = HistoryMarks()


def without_media_types(place: str) -> str:
    """Return a place without the media types in it: rows are shown once for all that have the same."""
    return _MEDIA_TYPE.sub("", place)


def part_location(location: Location) -> PartLocation | None:
    """Return what a location of a contract in one file is called; None for what has no name that lasts."""
    component = change.component_of(location)
    if component is not None:
        section, name, rest = component
        return f"{section}/{name}", _steps(rest)
    match location.pointer:
        case ("paths", path, method, "requestBody", *_):
            return f"{method.upper()} {path}", f"request{change.pointer_steps(location.pointer[4:])}"
        case ("paths", path, method, "responses", status, *_):
            pointer = change.pointer_steps(location.pointer[5:])  # of the body as a whole, the response tells
            return (f"{method.upper()} {path}", f"response.{status}{pointer}") if pointer else None
        case (section, name, _, "requestBody", *_) if section in _WEBHOOK_SECTIONS:
            return name, f"request{change.pointer_steps(location.pointer[4:])}"
    return None


def _steps(pointer: tuple[str, ...]) -> str:
    return change.pointer_steps(pointer).removeprefix(".")


def history_marks_html(marks: tuple[HistoryMark, ...], source: str) -> str:
    """Return marks as HTML on the page `source`, with a space before them; nothing where there are none."""
    if not marks:
        return ""
    rendered = " ".join(_mark_html(one, source) for one in marks)
    return f' <span class="dp-history">{rendered}</span>'


def _mark_html(mark: HistoryMark, source: str) -> str:
    kind = f' class="dp-mark--{escape_attribute(mark.kind)}"' if mark.kind else ""
    return f'<a href="{escape_attribute(href(source, mark.uri))}"{kind}>{escape_text(mark.words)}</a>'


def history_marks_markdown(marks: tuple[HistoryMark, ...], source: str) -> str:
    """Return marks for the twin of the page `source`; nothing where there are none."""
    return ", ".join(f"[{escape_markdown(one.words)}]({twin_href(source, one.uri)})" for one in marks)
