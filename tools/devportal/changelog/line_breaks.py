"""The line breaks of a text that is changed: a line that stays keeps its own, in a mixed file too."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_BREAK = re.compile(r"\r?\n\Z")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their breaks; the last one is empty behind a final break."""
    return re.split(r"(?<=\n)", text)


def bare(line: str) -> str:
    """Return a line without its break."""
    return _BREAK.sub("", line)


def break_of(line: str) -> str:
    """Return the break that a line ends in, empty where it has none."""
    return line[len(bare(line)) :]


def with_breaks_of(old: Sequence[str], new: Sequence[str], *, usual: str) -> list[str]:
    """Return lines without breaks as lines with them: where a line was there before, with its break.

    Any other has the break that the first of the old lines has, or the usual one where that has none.
    """
    first = (break_of(old[0]) if old else "") or usual
    breaks = [first] * len(new)
    matcher = SequenceMatcher(None, [bare(line) for line in old], list(new), autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            breaks[block.b + offset] = break_of(old[block.a + offset])
    return [f"{line}{end}" for line, end in zip(new, breaks, strict=True)]
