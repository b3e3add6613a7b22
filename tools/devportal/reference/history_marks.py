"""History marks: when a part of a contract was added and when it changed, each with a link.

They come from the releases of the contract; without releases there are none. Parts have the names that the
differ gives them (`devportal.differ.change`), because locations in the file change between releases. The differ is
imported for the first mark: a contract without releases needs none of it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from devportal.contract import Api, Location
from devportal.markup import href, twin_href
from devportal.reference.markup import escape_attribute, escape_markdown, escape_text
from devportal.translation import join_list

_MEDIA_TYPE = re.compile(r"\([^()]*\)")
_WEBHOOK_SECTIONS = ("webhooks", "x-webhooks")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryMark:
    """A mark of a part, such as `since 1.3.0`, and the uri of the page with the details.

    `kind` is the result of a test, `passed`, `failed` or `doubtful`; empty if it is not from a test.
    """

    words: str
    uri: str
    kind: str = ""


PartLocation = tuple[str, str]
"""The owner of a part (`POST /v1/orders`, `schemas/Order`, the name of an event), and the place in it."""


class HistoryMarks:
    """The marks of the parts of one contract."""

    def __init__(
        self,
        marks_by_part: Mapping[PartLocation, tuple[HistoryMark, ...]] | None = None,
        api: Api | None = None,
    ) -> None:
        """Take the marks, and the contract, which has the names of shared schemas in other files."""
        self._marks_by_part = {
            (owner, without_media_types(place)): marks
            for (owner, place), marks in (marks_by_part or {}).items()
        }
        self._names = (
            {schema.location: schema.name for schema in api.schemas.values() if schema.name} if api else {}
        )
        self._marks_by_location: dict[Location, tuple[HistoryMark, ...]] = {}

    def __bool__(self) -> bool:
        """Say whether there are any marks."""
        return bool(self._marks_by_part)

    def of(self, owner: str, place: str = "") -> tuple[HistoryMark, ...]:
        """Return the marks of a place."""
        return self._marks_by_part.get((owner, place), ())

    def at(self, location: Location) -> tuple[HistoryMark, ...]:
        """Return the marks of the part at a location."""
        if not self._marks_by_part:
            return ()
        marks = self._marks_by_location.get(location)
        if marks is None:
            part = part_location(location) if not location.file else self._component_location(location)
            marks = self._marks_by_location[location] = self._marks_by_part.get(part, ()) if part else ()
        return marks

    def _component_location(self, location: Location) -> PartLocation | None:
        """Return the named part at a location in another file: in releases, all shared schemas have names."""
        for end in range(len(location.pointer), -1, -1):
            name = self._names.get(Location(location.file, location.pointer[:end]))
            if name is not None:
                return f"schemas/{name}", _steps(location.pointer[end:])
        return None


NO_HISTORY_MARKS = HistoryMarks()


def without_media_types(place: str) -> str:
    """Return a place without media types: media types with the same schema share rows."""
    return _MEDIA_TYPE.sub("", place)


def part_location(location: Location) -> PartLocation | None:
    """Return the part at a location of a contract in one file; None if it has no stable name."""
    from devportal.differ import change  # noqa: PLC0415 - see above

    component = change.component_of(location)
    if component is not None:
        section, name, rest = component
        return f"{section}/{name}", _steps(rest)
    match location.pointer:
        case ("paths", path, method, "requestBody", *_):
            return f"{method.upper()} {path}", f"request{change.pointer_steps(location.pointer[4:])}"
        case ("paths", path, method, "responses", status, *_):
            pointer = change.pointer_steps(
                location.pointer[5:]
            )  # the response itself has the marks of its whole body
            return (f"{method.upper()} {path}", f"response.{status}{pointer}") if pointer else None
        case (section, name, _, "requestBody", *_) if section in _WEBHOOK_SECTIONS:
            return name, f"request{change.pointer_steps(location.pointer[4:])}"
    return None


def _steps(pointer: tuple[str, ...]) -> str:
    from devportal.differ import change  # noqa: PLC0415 - see above

    return change.pointer_steps(pointer).removeprefix(".")


def history_marks_html(marks: tuple[HistoryMark, ...], source: str) -> str:
    """Return marks as HTML on the page `source`; empty without marks."""
    return join_list(_mark_html(mark, source) for mark in marks)


def _mark_html(mark: HistoryMark, source: str) -> str:
    kind = f' class="dp-mark--{escape_attribute(mark.kind)}"' if mark.kind else ""
    return f'<a href="{escape_attribute(href(source, mark.uri))}"{kind}>{escape_text(mark.words)}</a>'


def history_marks_markdown(marks: tuple[HistoryMark, ...], source: str) -> str:
    """Return marks for the twin of the page `source`; empty without marks."""
    return join_list(f"[{escape_markdown(mark.words)}]({twin_href(source, mark.uri)})" for mark in marks)
