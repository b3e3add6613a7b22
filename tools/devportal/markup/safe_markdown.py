"""Makes untrusted CommonMark safe for Markdown twins.

Text that needs no change stays as its author wrote it. Other text is rendered and sanitised as for HTML, and
written again from the result: a twin contains nothing that the page would not, and both say the same.

Libraries that write Markdown were tried: mdformat accepts only the output of a Markdown parser, and
html-to-markdown loses characters that look like markup.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from devportal.markup.bare_addresses import has_bare_address
from devportal.markup.block_writer import BlockStyle, join_blocks, markdown_blocks
from devportal.markup.commonmark import code_span, indent_lines, link_destination
from devportal.markup.fragment import parse_fragment
from devportal.markup.inline_writer import ANCHOR_MARK, InlinePlace, inline_line
from devportal.markup.markdown import render_markdown

_NEEDS_REWRITE = re.compile(
    r"[<\r\t\0]|```|~~~|!\[|[=-][ \t]*$|^[ \t>*+\-\d.)]*+#{1,6}(?:\s|$)"
    r"|\[(?![^\[\]\n]*\]\(https?://[^\s()<>\\]*\))",
    re.MULTILINE,
)
"""Markup that may need a change: HTML, headings, links into the contract or by reference, images.

Code between fences may lack its end; a link to the web is left alone.
"""
_BEGINS_BLOCK = re.compile(r"[-+>|]|[*_](?:\s|[*_\s]*$)|\d+[.)](?:\s|$)")
_CLOSED = re.compile(
    r"(?>(?:[^`*~_\\\n]++|`[^`\n]+`(?!`)|(?<=[^\W_])_(?=[^\W_])|\\(?=[\w ])|(?<= )\*(?= )"
    r"|(?<!\*)\*\*[^\W_](?:[\w ,.'/-]*[^\W_])?\*\*(?!\*))+)"
)
"""A line without an unpaired mark, such as a stray backtick, that a later one could close."""

_MARKED_LINK = re.compile(r"\[@([^@]*)\]\(@([^@]*)@([^@]*)@".replace("@", ANCHOR_MARK))
"""The parts of a link with its marks: label, address, and the end with a title."""

LinkResolver = Callable[[str], str | None]
"""Resolves a link to an anchor, or a relative one: `#operation/send` → `../messages/send.md`. None if it leads
nowhere: its text and its address are left.
"""


def safe_markdown(text: str, *, first_heading: int = 3, leads: LinkResolver | None = None) -> str:
    """Return CommonMark without HTML that could act, with its headings from `first_heading` (2 to 6) on.

    `leads` resolves links to anchors, and relative ones. Elements without CommonMark syntax are removed, their
    text stays.
    """
    text = text.strip()
    if not _needs_rewrite(text):
        return text
    return resolve_marked_links(_rewrite(text, first_heading), leads)


def item_markdown(*texts: str, indent: int, leads: LinkResolver | None = None) -> str:
    """Return texts as they follow the first words of a list item, whose own text is indented by `indent`.

    Paragraphs stand on the line of the item as long as each has one line; what comes after them stands below.
    The result begins with its separator, a space or an empty line, and ends with a line break where a line
    below would run into it. Headings are strong words.
    """
    inline: list[str] = []
    below: list[str] = []
    for text in texts:
        first, others = _split_item(text.strip())
        if first:
            (below or inline).append(first)
        below += others
    made = "".join(
        (*(f" {text}" for text in inline), *(f"\n\n{item}" for item in below), "\n" if below else "")
    )
    return resolve_marked_links(indent_lines(made, " " * indent), leads)


def line_markdown(text: str, *, leads: LinkResolver | None = None) -> str:
    """Return a text on one line, such as a cell of a table: of blocks, the words and their marks are left."""
    nodes = parse_fragment(render_markdown(text)).children
    return resolve_marked_links(inline_line(nodes, InlinePlace.HEADING), leads)


def _needs_rewrite(text: str) -> bool:
    """Say whether a text may contain what must change; a bare address becomes a link that any reader follows."""
    return bool(_NEEDS_REWRITE.search(text)) or has_bare_address(text)


def resolve_marked_links(text: str, resolve_link: LinkResolver | None = None) -> str:
    """Return CommonMark with its marked links resolved, without a resolver as they are."""
    if ANCHOR_MARK not in text:
        return text
    return _MARKED_LINK.sub(lambda link: _resolved_link(link[1], link[2], link[3], resolve_link), text)


def _resolved_link(label: str, url: str, end: str, resolve_link: LinkResolver | None) -> str:
    resolved = resolve_link(url) if resolve_link else url
    if resolved is not None:
        return f"[{label}]({link_destination(resolved)}{end}"
    return f"{label} ({code_span(url)})" if url else label


@lru_cache(maxsize=8192)
def _rewrite(text: str, first_heading: int) -> str:
    return join_blocks(
        markdown_blocks(
            parse_fragment(render_markdown(text, first_heading=first_heading)).children, BlockStyle()
        )
    )


@lru_cache(maxsize=8192)
def _split_item(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the paragraph that a text begins with, and its further blocks."""
    if not text:
        return "", ()
    if _CLOSED.fullmatch(text) and not _BEGINS_BLOCK.match(text) and not _needs_rewrite(text):
        return text, ()
    blocks = markdown_blocks(parse_fragment(render_markdown(text)).children, BlockStyle(in_item=True))
    if blocks and blocks[0].tag == "p":
        return blocks[0].text, tuple(block.text for block in blocks[1:])
    return "", tuple(block.text for block in blocks)
