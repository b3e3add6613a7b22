"""Changes fields of an entry's front matter in its text; every other byte stays as somebody wrote it."""

import re
from typing import Any

from devportal.changelog.entry import Cover
from devportal.changelog.line_breaks import bare, break_of, lines_of, with_breaks_of
from devportal.changelog.suggesting import covers_text
from devportal.documents import parse_document
from devportal.errors import RefusedWrite, UnreadableInput

_KEY = re.compile(r"""(["']?)([A-Za-z_]+)\1[ \t]*:(?=[ \t]|$)""")
_FENCE = re.compile(r"---[ \t]*")


def with_fields(text: str, fields: dict[str, str | None]) -> str:
    """Return the text of an entry with fields set, each to its lines of YAML, or taken out by None.

    A field that is there keeps its place; a new one goes to the end of the front matter. Raises RefusedWrite
    where the front matter is written so that this would change anything else.
    """
    lines = lines_of(text)
    end = next(n for n, line in enumerate(lines) if n and _FENCE.fullmatch(bare(line)))
    head = lines[1:end]
    for key, written in fields.items():
        head = _set(head, key, written.split("\n") if written is not None else [], usual=break_of(lines[0]))
    if _others(head, fields) != _others(lines[1:end], fields):
        raise RefusedWrite(
            "this front matter is written in a form that cannot be changed in place",
            help="write each field on a line of its own",
        )
    return "".join([lines[0], *head, *lines[end:]])


def _others(head: list[str], fields: dict[str, str | None]) -> dict[str, Any] | None:
    """Return the fields that are to stay as they are, None where the front matter does not parse."""
    try:
        data = parse_document("\n".join(map(bare, head)), name="front matter").data
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


def _set(head: list[str], key: str, lines: list[str], *, usual: str) -> list[str]:
    starts = [n for n, line in enumerate(head) if _KEY.match(bare(line))]
    for start, end in zip(starts, [*starts[1:], len(head)], strict=False):
        found = _KEY.match(bare(head[start]))
        if found is not None and found[2] == key:
            kept = _silent_end(head, end)
            return [*head[:start], *with_breaks_of(head[start:kept], lines, usual=usual), *head[kept:]]
    return [*head, *with_breaks_of((), lines, usual=usual)]


def _silent_end(head: list[str], end: int) -> int:
    """Return where a field ends: blank lines and comments in front of the next one belong to that."""
    while re.fullmatch(r"\s*(?:#.*)?", bare(head[end - 1])):
        end -= 1
    return end
