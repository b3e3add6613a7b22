"""The facts of a draft: what its changes were and are, between two markers, for whoever writes the prose.

They stand in the file alone: pages and feeds show the changes themselves, so readers would have them twice.
"""

import re
from collections.abc import Iterable, Iterator

from devportal.changelog.differences import values_of
from devportal.changelog.line_breaks import bare, break_of, lines_of, with_breaks_of
from devportal.contract import ABSENT
from devportal.differ import Change
from devportal.differ.change import in_order
from devportal.documents import to_json

_BEGIN, _END = "<!-- facts -->", "<!-- /facts -->"
_BLOCK = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
_AROUND = re.compile(rf"\s*{_BLOCK.pattern}\s*", re.DOTALL)
_LONGEST_VALUE = 200


def has_facts(text: str) -> bool:
    """Say whether a text has facts that are brought up to date."""
    return _BLOCK.search(text) is not None


def facts(changes: Iterable[Change]) -> str:
    """Return changes as a list of what was and what is, between the markers, which no value ends."""
    told = (line for change in sorted(changes, key=in_order) for line in _fact(change))
    lines = [line.replace("<!--", "<! --").replace("-->", "-- >") for line in told]
    fence = "`" * max(3, *(len(run) + 1 for line in lines for run in re.findall("`+", line)), 3)
    return "\n".join([_BEGIN, "", f"{fence}diff", *lines, fence, "", _END])


def with_facts(text: str, changes: Iterable[Change]) -> str:
    """Return a text with its facts as they are now, each line of them that stays with its line break."""
    found = _BLOCK.search(text)
    if found is None:
        return text
    usual = break_of(lines_of(text)[0]) or "\n"
    lines = with_breaks_of(lines_of(found[0]), facts(changes).split("\n"), usual=usual)
    lines[-1] = bare(lines[-1])
    return f"{text[: found.start()]}{''.join(lines)}{text[found.end() :]}"


def without_facts(text: str) -> str:
    """Return what of a text readers are told: that which people wrote."""
    return _AROUND.sub("\n\n", text).strip("\n") if has_facts(text) else text


def _fact(change: Change) -> Iterator[str]:
    yield f"@@ {change.subject}{f', {change.field}' if change.field else ''}: {change.message} @@"
    for sign, value in zip("-+", values_of(change), strict=True):
        if value is not ABSENT:
            text = to_json(value)
            yield f"{sign} {text[:_LONGEST_VALUE]}{'…' if len(text) > _LONGEST_VALUE else ''}"
