"""What mkdocstrings writes about Python modules, classes and functions, as CommonMark for the twin of their page."""

import re
from collections.abc import Iterator

from devportal.markup.block_writer import BlockStyle, join_blocks, markdown_blocks
from devportal.markup.fragment import parse_fragment

_DIV = re.compile(r"<(/?)div\b([^>]*)>")
_OBJECT = re.compile(r'\bclass="doc doc-object\b')
_HEADING_LINK = re.compile(r'<a\b[^>]*\bclass="headerlink"[^>]*>.*?</a>', re.DOTALL)


def described_objects(html: str) -> tuple[str, ...]:
    """Return CommonMark of each object that a page describes, with what is in it: one for each directive `:::`."""
    return tuple(
        join_blocks(markdown_blocks(parse_fragment(_HEADING_LINK.sub("", part)).children, BlockStyle()))
        for part in _object_parts(html)
    )


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
