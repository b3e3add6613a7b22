"""What mkdocstrings writes about Python modules, classes and functions, as CommonMark for the twin of their page."""

import re
from collections.abc import Iterator

from devportal.markup.block_writer import BlockStyle, join_blocks, markdown_blocks
from devportal.markup.fragment import parse_fragment

_DIV = re.compile(r"<(/?)div\b([^>]*)>")
_OBJECT = re.compile(r'\bclass="doc doc-object\b')
_HEADING_LINK = re.compile(r'<a\b[^>]*\bclass="headerlink"[^>]*>.*?</a>', re.DOTALL)
_RELATIVE_LINK = re.compile(r'<a\b(?![^>]*\bhref="https?://)[^>]*>(.*?)</a>', re.DOTALL)
"""A link that starts from the address of the page, which is not that of its twin."""


def described_objects(html: str) -> tuple[str, ...]:
    """Return CommonMark of each object that a page describes, with what is in it: one for each directive `:::`.

    Relative links are plain text.
    """
    parts = (_RELATIVE_LINK.sub(r"\1", _HEADING_LINK.sub("", part)) for part in _object_parts(html))
    return tuple(join_blocks(markdown_blocks(parse_fragment(part).children, BlockStyle())) for part in parts)


def _object_parts(html: str) -> Iterator[str]:
    """Yield the HTML of each object that is in no other."""
    start, depth = 0, 0
    for tag in _DIV.finditer(html):
        if not depth and (tag[1] or not _OBJECT.search(tag[2])):
            continue
        start = start if depth else tag.start()
        depth += -1 if tag[1] else 1
        if not depth:
            yield html[start : tag.end()]
