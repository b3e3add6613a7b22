"""What scripts and style sheets load, and the site maps that a robots.txt names."""

import re
from collections.abc import Iterator

from devportal.site.links.link import Link, Reading

_TEXT = r"""(?:"(?>(?:[^"\\\n]|\\.)*)"|'(?>(?:[^'\\\n]|\\.)*)')"""
_IMPORTED = re.compile(
    r"/\*.*?(?:\*/|\Z)|//[^\n]*+|`(?>(?:[^`\\]|\\.)*)(?:`|\Z)"
    r"|(?<=[=(,:;!&|?{}\[\n])[ \t]*+/(?![/*])(?>(?:[^/\\\[\n]|\\.|\[(?>(?:[^\]\\\n]|\\.){0,999})\]){1,999})/"
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

    A name without a path is found by an import map; a folder is only the beginning of other addresses.
    """
    for match in _IMPORTED.finditer(text):
        module = (match["module"] or match["later"] or "")[1:-1]
        beside = (match["beside"] or "")[1:-1]
        if module.startswith((".", "/")):
            yield Link(module, match.start())
        elif beside and not beside.endswith("/"):
            yield Link(beside, match.start())


_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LOADED = re.compile(
    r"""\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))\s*\)|@import\s+(?:"([^"\n]+)"|'([^'\n]+)')""",
    re.IGNORECASE,
)
_IMAGE_SET = re.compile(r"""\bimage-set\(((?:[^()"']|"[^"]*"|'[^']*'|\([^()]*\))*)\)""", re.IGNORECASE)
_IMAGE = re.compile(r"""(?:\A|,)\s*(?:"([^"]*)"|'([^']*)')""")


def read_styles(text: str) -> Reading:
    """Read a style sheet."""
    return Reading(links=tuple(links_in_styles(text)))


def links_in_styles(text: str) -> Iterator[Link]:
    """Yield what styles load, outside their comments."""
    plain = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for item in _LOADED.finditer(plain):
        yield Link(next(filter(None, item.groups()), ""), item.start())
    for images in _IMAGE_SET.finditer(plain):
        for item in _IMAGE.finditer(images[1]):
            yield Link(item[1] or item[2] or "", images.start(1) + item.start())


_SITE_MAP = re.compile(r"^Sitemap:\s*(\S+)", re.MULTILINE | re.IGNORECASE)


def read_robots(text: str) -> Reading:
    """Read a robots.txt (RFC 9309 and sitemaps.org)."""
    return Reading(links=tuple(Link(match[1], match.start()) for match in _SITE_MAP.finditer(text)))
