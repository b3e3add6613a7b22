"""The facts in a draft: changes with their values, between two markers, for its author only."""

import re
from collections.abc import Iterable, Iterator

from devportal.changelog.entries.front_matter import (
    line_break_of,
    lines_of,
    with_line_breaks_of,
    without_line_break,
)
from devportal.changelog.proof.edits import DirectedChange, join_directions
from devportal.changelog.proof.severity import Severity, change_severity
from devportal.contract import ABSENT
from devportal.differ import Change
from devportal.differ.change import change_sort_key
from devportal.differ.output.wording import direction_words, shown_values
from devportal.differ.rule import is_exclusive_bound, quote_value
from devportal.documents import to_json

_BEGIN, _END = "<!-- facts -->", "<!-- /facts -->"
_BLOCK = re.compile(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", re.DOTALL)
_AROUND = re.compile(rf"\s*{_BLOCK.pattern}\s*", re.DOTALL)
_LONGEST_VALUE = 200


def has_facts(text: str) -> bool:
    """Return whether a text has a block of facts."""
    return _BLOCK.search(text) is not None


def facts_block(changes: Iterable[Change]) -> str:
    """Return changes as a diff between the markers; no value in it can contain a marker."""
    directed = join_directions(sorted(changes, key=change_sort_key))
    fact_lines = (line for change in directed for line in _fact_lines(change))
    lines = list(map(without_comment_marks, fact_lines))
    fence = "`" * max(3, *(len(run) + 1 for line in lines for run in re.findall("`+", line)), 3)
    return "\n".join([_BEGIN, "", f"{fence}diff", *lines, fence, "", _END])


def without_comment_marks(line: str) -> str:
    """Return a line that neither begins nor ends a comment, and so no block of facts."""
    return line.replace("<!--", "<! --").replace("-->", "-- >")


def with_facts(text: str, changes: Iterable[Change]) -> str:
    """Return a text with its facts as they are now, each line of them that stays with its line break."""
    block = _BLOCK.search(text)
    if block is None:
        return text
    usual = line_break_of(lines_of(text)[0]) or "\n"
    lines = with_line_breaks_of(lines_of(block[0]), facts_block(changes).split("\n"), usual=usual)
    lines[-1] = without_line_break(lines[-1])
    return f"{text[: block.start()]}{''.join(lines)}{text[block.end() :]}"


def without_facts(text: str) -> str:
    """Return the text for readers: without the generated facts."""
    return _AROUND.sub("\n\n", text).strip("\n") if has_facts(text) else text


def with_empty_facts(text: str) -> str:
    """Return a text with its generated facts as empty lines, so that all other lines keep their numbers."""
    return _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)


def _fact_lines(directed: DirectedChange) -> Iterator[str]:
    change = directed.change
    place = f"{change.subject}{f', {change.field}' if change.field else ''}"
    yield f"@@ {place}: {change.message}{_impact_note(directed)} @@"
    for sign, value in zip("-+", shown_values(change), strict=True):
        if value is not ABSENT:
            text = quote_value(value) if is_exclusive_bound(value) else to_json(value)
            yield f"{sign} {text[:_LONGEST_VALUE]}{'…' if len(text) > _LONGEST_VALUE else ''}"


def _impact_note(directed: DirectedChange) -> str:
    """Return the impact in each direction if the part is both sent and received, and of one in beta in any case."""
    severities = [change_severity(change) for change in directed.both]
    if len(set(severities)) > 1:
        notes = zip(severities, directed.both, strict=True)
        impacts = ", ".join(
            f"{severity.label.lower()} if {direction_words(change.direction)}" for severity, change in notes
        )
        return f" ({impacts})"
    return " (breaking: beta)" if severities[0] is Severity.BREAKING_BETA else ""
