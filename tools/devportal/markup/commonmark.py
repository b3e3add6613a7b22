"""The small parts of CommonMark as they are written: words, code, addresses, the beginnings of lines."""

import re
from functools import lru_cache

from markdown_it.common.normalize_url import normalizeLink

_TICKS = re.compile(r"`+")
_MARKUP = r"[`*]|\\(?!\w)|~(?=~)|(?<=.)~|(?<![^\W_])_+|_+(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(:])"
_IN_TEXT, _IN_LINK = re.compile(_MARKUP), re.compile(rf"{_MARKUP}|[\[\]]")
"""What CommonMark or GitHub's dialect could take for markup in a word; single `[` and `_` within it are none.

No twin defines references, so brackets mean nothing unless an address follows.
"""
_ON_LINE = re.compile(
    r"[`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|<(?![\s\d=])|&(?=#?\w+;)|\\(?![^\W_]|\s)"
    r"|^(?:>|[#+=-]+(?=\s|$)|\d{1,9}[.)](?=\s|$))|(?<=\s)#(?=#*$)",
    re.MULTILINE,
)
"""What could be taken for markup in a line of text; marks of blocks only where they would be read."""
_LINE_START = re.compile(r"#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|=+\s*$|[|:-][|:\-\s]*$|~~~")
"""Where a line would begin a block, underline a heading or head a table."""
_PLAIN_ADDRESS = re.compile(r"(?!//)[A-Za-z0-9._/#-]+")
"""An address within the site that stays as it is, as most do."""
_INSIDE_LINE = re.compile(r"(?<=\n)(?=[^\n])")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")


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
    longest = max(map(len, _TICKS.findall(text))) if "```" in text else 0  # most code has none
    fence = "`" * max(3, 1 + longest)
    word = re.sub(r"[^\w+#-]", "", language)
    return f"{fence}{word}\n{text}\n{fence}"


@lru_cache(maxsize=8192)
def escape_markdown(text: str) -> str:
    """Return plain text on one line as CommonMark in which nothing is markup."""
    return _ON_LINE.sub(_escape, text)


@lru_cache(maxsize=8192)
def escape_words(text: str, *, in_link: bool = False) -> str:
    """Return text without spaces as words in which nothing is markup, as little escaped as may be."""
    return (_IN_LINK if in_link else _IN_TEXT).sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Return markup as text: HTML as entities, for readers that heed no backslash before it."""
    found = match.group()
    if found in "<&":
        return "&lt;" if found == "<" else "&amp;"
    if found[0].isdigit():
        return f"{found[:-1]}\\{found[-1]}"
    return "".join(f"\\{text}" for text in found)


def escape_line_start(text: str) -> str:
    """Return one line of a paragraph so that nothing else than a paragraph begins with it."""
    if _LINE_START.match(text):
        return f"\\{text}"
    return _NUMBERED.sub(r"\1\\\2", text, count=1) if _NUMBERED.match(text) else text


def indent_lines(text: str, margin: str) -> str:
    """Return text with a margin before each line after the first that is not empty, as in a list item."""
    return _INSIDE_LINE.sub(margin, text) if margin and "\n" in text else text


def link_destination(url: str) -> str:
    """Return an address for the parentheses of a link (CommonMark §6.3)."""
    if _PLAIN_ADDRESS.fullmatch(url):
        return url
    destination = re.sub(r"&(?=#?\w+;)", "&amp;", normalizeLink(url.strip()))
    return destination if _is_balanced(destination) else re.sub(r"[()]", r"\\\g<0>", destination)


def link_title(text: str) -> str:
    """Return the title of a link with the space before it; empty without a title."""
    escaped = re.sub(r'[\\"<&]', lambda found: f"&#{ord(found.group())};", " ".join(text.split()))
    return escaped and f' "{escaped}"'


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0
