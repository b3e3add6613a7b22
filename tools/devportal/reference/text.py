"""Contract text inside Markdown twins: on one line, as links, in tables, as code whatever ticks it holds."""

import re
from collections.abc import Iterable

from devportal.pages import code_block, code_span, escaped, plain_text

__all__ = ["autolink", "code_block", "code_span", "escaped", "literal", "markdown_table", "one_line"]

_BAR = r"\|"


def one_line(text: str, limit: int | None = None) -> str:
    """Return CommonMark as text on one line, in which nothing is markup any more."""
    return escaped(plain_text(text, limit=limit))


def literal(text: str) -> str:
    """Return plain text, such as a title, on one line, in which nothing is markup: none of it is lost."""
    return escaped(" ".join(text.split()))


def autolink(url: str) -> str:
    """Return an address as a link to itself; as code where it leads to no page of the web."""
    is_web = re.fullmatch(r"https?://[^\s<>]+", url, re.IGNORECASE)
    return f"<{url}>" if is_web else code_span(url)


def markdown_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return Markdown as cells of a table. A `|` is escaped, in code too (GitHub's Markdown, §4.10)."""
    named = tuple(heads)
    return "\n".join(_row(cells) for cells in (named, ["---"] * len(named), *rows))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(one.replace('|', _BAR) for one in cells)} |"
