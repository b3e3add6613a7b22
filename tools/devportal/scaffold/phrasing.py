"""Texts of a contract in pages that people go on to edit: nothing in them is markup, or ends a comment.

Hand-written pages go through Python-Markdown with attribute lists, which knows other escapes than
CommonMark does. References to characters are text to both.
"""

import re
import shlex

from devportal.documents import to_yaml
from devportal.site.insert_marks import marks_in

_MARKUP = re.compile(r"[\\`*{}\[\]<>&#|~^=]|(?<![^\W_])_|_(?![^\W_])|^[^\w\s]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
_NO_ATTRIBUTE = re.compile(r"[\"<>&]")


def in_page(text: str) -> str:
    """Return plain text on one line, as it can stand anywhere in a hand-written page."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", " ".join(text.split()))


def in_front_matter(text: str) -> str:
    """Return plain text as YAML of one line that the theme can put into an attribute: it escapes nothing."""
    return to_yaml(" ".join(_NO_ATTRIBUTE.sub(" ", text).split())).strip()


def insert(*words: str) -> str:
    """Return the line that asks for an insert; nothing where these words cannot stand in one."""
    line = f"<!-- devportal: {shlex.join(words)} -->"
    marks = tuple(marks_in(line))
    return line if len(marks) == 1 and not marks[0].fault and marks[0].words == words else ""
