"""Contract text inside Markdown twins: on one line, and as code whatever ticks it holds."""

import re

from devportal.pages import plain_text

_TICKS = re.compile(r"`+")


def one_line(text: str, limit: int | None = None) -> str:
    """Return CommonMark as text on one line that no list or link around it is broken by."""
    return plain_text(text, limit=limit).replace("[", "\\[").replace("]", "\\]")


def escaped(text: str) -> str:
    """Return plain text as CommonMark in which nothing is markup."""
    return re.sub(r"([\\`*_\[\]<>&#|~])", r"\\\1", text)


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
