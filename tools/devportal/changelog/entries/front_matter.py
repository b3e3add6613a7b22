"""Changes fields of an entry's front matter; every other byte stays as somebody wrote it."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from devportal.changelog.entries.entry import Cover
from devportal.changelog.proof.suggestions import covers_text
from devportal.documents import parse_document
from devportal.errors import RefusedWrite, UnreadableInput

_BREAK = re.compile(r"\r?\n\Z")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their breaks; the last one is empty behind a final break."""
    return re.split(r"(?<=\n)", text)


def without_line_break(line: str) -> str:
    """Return a line without its break."""
    return _BREAK.sub("", line)


def line_break_of(line: str) -> str:
    """Return the line break at the end of a line; empty if it has none."""
    return line[len(without_line_break(line)) :]


def with_line_breaks_of(old: Sequence[str], new: Sequence[str], *, usual: str) -> list[str]:
    """Return lines without breaks as lines with them: where a line was there before, with its break.

    Any other has the break that the first of the old lines has, or the usual one where that has none.
    """
    first = (line_break_of(old[0]) if old else "") or usual
    breaks = [first] * len(new)
    matcher = SequenceMatcher(None, [without_line_break(line) for line in old], list(new), autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            breaks[block.b + offset] = line_break_of(old[block.a + offset])
    return [f"{line}{end}" for line, end in zip(new, breaks, strict=True)]


_KEY = re.compile(r"""(["']?)([A-Za-z_]+)\1[ \t]*:(?=[ \t]|$)""")
_FENCE = re.compile(r"---[ \t]*")


def with_fields(text: str, fields: dict[str, str | None]) -> str:
    """Return the text of an entry with fields set, each to its lines of YAML, or taken out by None.

    An existing field keeps its place; a new one goes to the end of the front matter. Raises RefusedWrite if
    the change would affect anything else.
    """
    lines = lines_of(text)
    end = next(n for n, line in enumerate(lines) if n and _FENCE.fullmatch(without_line_break(line)))
    head = lines[1:end]
    for key, written in fields.items():
        head = _set_field(
            head, key, written.split("\n") if written is not None else [], usual=line_break_of(lines[0])
        )
    if _other_fields(head, fields) != _other_fields(lines[1:end], fields):
        raise RefusedWrite(
            "this front matter is written in a form that cannot be changed in place",
            help="write each field on a separate line",
        )
    return "".join([lines[0], *head, *lines[end:]])


def _other_fields(head: list[str], fields: dict[str, str | None]) -> dict[str, Any] | None:
    """Return the fields that have to stay the same; None if the front matter does not parse."""
    try:
        data = parse_document("\n".join(map(without_line_break, head)), name="front matter").data
    except UnreadableInput:
        return None
    return {key: value for key, value in data.items() if key not in fields}


def with_covers(text: str, covers: tuple[Cover, ...]) -> str:
    """Return the text of an entry that covers what is given."""
    return with_fields(text, {"covers": f"covers:\n{covers_text(covers)}" if covers else None})


def with_versions(text: str, *, spec_from: str, spec_to: str) -> str:
    """Return the text of an entry that belongs to a release."""
    return with_fields(
        text,
        {
            "spec_from": f'spec_from: "{spec_from}"' if spec_from else None,
            "spec_to": f'spec_to: "{spec_to}"',
        },
    )


def _set_field(head: list[str], key: str, lines: list[str], *, usual: str) -> list[str]:
    starts = [n for n, line in enumerate(head) if _KEY.match(without_line_break(line))]
    for start, end in zip(starts, [*starts[1:], len(head)], strict=False):
        key_match = _KEY.match(without_line_break(head[start]))
        if key_match is not None and key_match[2] == key:
            kept = _field_end(head, end)
            return [*head[:start], *with_line_breaks_of(head[start:kept], lines, usual=usual), *head[kept:]]
    return [*head, *with_line_breaks_of((), lines, usual=usual)]


def _field_end(head: list[str], end: int) -> int:
    """Return where a field ends: blank lines and comments in front of the next one belong to that."""
    while re.fullmatch(r"\s*(?:#.*)?", without_line_break(head[end - 1])):
        end -= 1
    return end
