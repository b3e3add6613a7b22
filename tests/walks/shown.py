"""What a guide shows as output, looked for in what commands print; `…` stands for what differs each time."""

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import permutations
from typing import Any

ANY = "…"
FORMER_PHRASES = {
    "HTTP/1.1 413 Content Too Large": "HTTP/1.1 413 Request Entity Too Large",
    "HTTP/1.1 422 Unprocessable Content": "HTTP/1.1 422 Unprocessable Entity",
}
"""What newer versions of Python call a status, and what Python 3.11 does, whose words the guides show."""


class Form(StrEnum):
    """How output is compared.

    Text line by line, where a line of `…` alone stands for any lines; lines as text, in whatever order they
    come. JSON as values, where the text `…` stands for any value, at the end of an array for more elements,
    and as a name for more members. HTTP by its status line, the headers that are shown, and the body.
    """

    TEXT = "text"
    LINES = "lines"
    JSON = "json"
    HTTP = "http"


def find(form: Form, shown: str, printed: str) -> int | None:
    """Return the offset behind the first place in `printed` that is as shown, None where there is none."""
    match form:
        case Form.TEXT:
            return _find_text(shown, printed)
        case Form.LINES:
            orders = permutations(shown.rstrip("\n").split("\n"))
            ends = (_find_text("\n".join(lines), printed) for lines in orders)
            return next((end for end in ends if end is not None), None)
        case Form.JSON:
            return _find_json(json.loads(shown), printed)
        case Form.HTTP:
            return _find_http(shown, printed)


def fits(shown: Any, value: Any) -> bool:
    """Say whether a value of JSON is as shown."""
    match shown:
        case str():
            return shown == ANY or (isinstance(value, str) and _pattern(shown).fullmatch(value) is not None)
        case dict():
            return isinstance(value, dict) and _fits_members(shown, value)
        case list():
            return isinstance(value, list) and _fits_elements(shown, value)
        case _:
            return type(shown) is type(value) and bool(shown == value)


def _fits_members(shown: dict[str, Any], value: dict[str, Any]) -> bool:
    named = {name: other_value for name, other_value in shown.items() if name != ANY}
    has_all = named.keys() <= value.keys() if ANY in shown else named.keys() == value.keys()
    return has_all and all(fits(other_value, value[name]) for name, other_value in named.items())


def _fits_elements(shown: list[Any], value: list[Any]) -> bool:
    first = shown[:-1] if shown[-1:] == [ANY] else shown
    has_as_many = len(value) >= len(first) if len(first) < len(shown) else len(value) == len(first)
    return has_as_many and all(
        fits(other_first, other) for other_first, other in zip(first, value, strict=False)
    )


def _pattern(shown: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in shown.split(ANY)), re.DOTALL)


def _find_text(shown: str, printed: str) -> int | None:
    pattern = "".join(_line(line) for line in shown.rstrip("\n").split("\n"))
    found = re.compile(rf"^{pattern}", re.MULTILINE).search(printed)
    return found.end() if found else None


def _line(shown: str) -> str:
    """Return the pattern of one line, with its end."""
    if shown.strip() == ANY:
        return r"(?:[^\n]*\n)*?"
    return "[^\n]*".join(re.escape(part) for part in shown.rstrip().split(ANY)) + r"[ \t]*(?:\n|\Z)"


def _find_json(shown: Any, printed: str) -> int | None:
    return next((end for value, end in _values(printed) if fits(shown, value)), None)


def _values(printed: str) -> Iterator[tuple[Any, int]]:
    """Yield the objects and arrays of JSON in a text that are in no other, each with its end."""
    decoder, start = json.JSONDecoder(), 0
    while opening := re.compile(r"[{\[]").search(printed, start):
        try:
            value, start = decoder.raw_decode(printed, opening.start())
        except json.JSONDecodeError:
            start = opening.end()
        else:
            yield value, start


def _find_http(shown: str, printed: str) -> int | None:
    head, _, body = shown.partition("\n\n")
    for answer in re.finditer(r"^HTTP/[\d.]+ [^\n]*\n(?:[^\n]+\n)*\n?", printed, re.MULTILINE):
        if not _fits_head(head, answer[0]):
            continue
        if not body.strip():
            return answer.end()
        form = Form.JSON if body.lstrip()[0] in "{[" else Form.TEXT
        end = find(form, body, printed[answer.end() :])
        if end is not None:
            return answer.end() + end
    return None


def _fits_head(shown: str, head: str) -> bool:
    status, *headers = (line for line in shown.split("\n") if line.strip() not in ("", ANY))
    came = dict(_header(line) for line in head.split("\n")[1:] if line)
    printed = head.partition("\n")[0].strip()
    return status.strip() == FORMER_PHRASES.get(printed, printed) and all(
        name in came and _pattern(value).fullmatch(came[name]) for name, value in map(_header, headers)
    )


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value.strip()
