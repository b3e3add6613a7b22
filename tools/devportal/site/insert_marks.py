"""The lines of a hand-written page that something is put in place of: `<!-- devportal: NAME ARGUMENT… -->`.

A comment, so that the page reads well wherever Markdown is shown without us. In code it stays what it is.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_MARK = re.compile(r"(?P<indent>[ \t]*)<!--\s*devportal:(?P<words>.*?)-->\s*")
_BEGINS = re.compile(r"<!--\s*devportal:")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A line that asks for an insert: its number, from 0, how far it is indented, and its words. `fault` is
    what is wrong with the line itself.
    """

    number: int
    indent: str = ""
    words: tuple[str, ...] = ()
    fault: str = ""


def marks_in(text: str) -> Iterator[Mark]:
    """Yield the marks of a page."""
    fence = ""
    for number, line in enumerate(text.split("\n")):
        opening = _FENCE.fullmatch(line.rstrip("\r"))
        if opening and not fence:
            fence = opening.group(1)
        elif opening and opening.group(1).startswith(fence) and not opening.group(2).strip():
            fence = ""
        elif not fence and _BEGINS.search(_CODE.sub("", line)):
            yield _mark(number, line)


def _mark(number: int, line: str) -> Mark:
    whole = _MARK.fullmatch(line)
    if whole is None:
        return Mark(number=number, fault="an insert is a comment that stands alone in its line")
    try:
        words = tuple(shlex.split(whole["words"]))
    except ValueError:
        return Mark(number=number, fault="a quotation mark of this insert has no other end")
    if not words:
        return Mark(number=number, fault="this insert has no name")
    return Mark(number=number, indent=whole["indent"], words=words)
