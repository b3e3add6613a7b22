"""What scripts load: the modules that they import, and files that lie beside them."""

import re
from collections.abc import Iterator

from devportal.site.links.link import Link, Reading

_TEXT = r"""(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')"""
_LOADED = re.compile(
    r"/\*.*?(?:\*/|\Z)|//[^\n]*+|`(?:[^`\\]|\\.)*+(?:`|\Z)"
    r"|(?<=[=(,:;!&|?{}\[\n])[ \t]*+/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,999}+\]){1,999}+/"
    rf"|(?<![\w$.])(?:import|export)\b(?:[\w$*{{}},\s]{{0,4000}}?\bfrom\b)?\s*+(?P<module>{_TEXT})"
    rf"|(?<![\w$.])import\(\s*+(?P<later>{_TEXT})\s*+[,)]"
    rf"|\bnew\s++URL\(\s*+(?P<beside>{_TEXT})\s*+,\s*+import\.meta\.url\b"
    rf"|{_TEXT}",
    re.DOTALL,
)
"""Comments, texts and regular expressions are passed over: what stands in them loads nothing.

How long one can be is bounded: a script of one line with one that is not closed is then read in a moment.
"""


def read_module(text: str) -> Reading:
    """Read a script."""
    return Reading(links=tuple(links_in_module(text)))


def links_in_module(text: str) -> Iterator[Link]:
    """Yield what a script loads by an address relative to itself.

    A name without a path is found by an import map; a folder is no file but what other addresses begin with.
    """
    for one in _LOADED.finditer(text):
        module = (one["module"] or one["later"] or "")[1:-1]
        beside = (one["beside"] or "")[1:-1]
        if module.startswith((".", "/")):
            yield Link(module, one.start())
        elif beside and not beside.endswith("/"):
            yield Link(beside, one.start())
