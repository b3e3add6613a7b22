"""Contract text inside Markdown twins: on one line, as links, and as code whatever ticks it holds."""

import re

from devportal.pages import code_block, code_span, plain_text

__all__ = ["autolink", "code_block", "code_span", "escaped", "one_line"]

_MARKUP = re.compile(
    r"[`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|<(?![\s\d=])|&(?=#?\w+;)|\\(?![\w\s])"
    r"|^(?:>|[#+=-]+(?=\s|$))|(?<=\s)#(?=#*$)",
    re.MULTILINE,
)
"""What CommonMark could take for markup in a line of text; marks of blocks only where they would be read."""


def one_line(text: str, limit: int | None = None) -> str:
    """Return CommonMark as text on one line, in which nothing is markup any more."""
    return escaped(plain_text(text, limit=limit))


def escaped(text: str) -> str:
    """Return plain text on one line as CommonMark in which nothing is markup.

    `<` becomes an entity: a backslash before it would not stop every reader of Markdown.
    """
    return _MARKUP.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return "&lt;" if match.group() == "<" else f"\\{match.group()}"


def autolink(url: str) -> str:
    """Return an address as a link to itself; as code where it leads to no page of the web."""
    is_web = re.fullmatch(r"https?://[^\s<>]+", url, re.IGNORECASE)
    return f"<{url}>" if is_web else code_span(url)
