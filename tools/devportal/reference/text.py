"""Contract text inside Markdown twins: on one line, as links, and as code whatever ticks it holds."""

import re

from devportal.pages import plain_text

_TICKS = re.compile(r"`+")
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
    """Return plain text on one line as CommonMark in which nothing is markup."""
    return _MARKUP.sub(r"\\\g<0>", text)


def autolink(url: str) -> str:
    """Return an address as a link to itself; as code where it leads to no page of the web."""
    is_web = re.fullmatch(r"https?://[^\s<>]+", url, re.IGNORECASE)
    return f"<{url}>" if is_web else code_span(url)


def code_span(text: str) -> str:
    """Return text as inline code (CommonMark §6.1)."""
    text = " ".join(text.split())
    if "`" not in text:
        return f"`{text}`"
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def code_block(text: str, language: str = "") -> str:
    """Return text as a fenced code block (CommonMark §4.5)."""
    fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    word = re.sub(r"[^\w+#-]", "", language)
    return f"{fence}{word}\n{text}\n{fence}"
