"""Style sheets joined into one: without what only people read, their links led on from another folder."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from posixpath import dirname, join, normpath

_COMMENT = r"/\*%s(?:[^*]|\*(?!/))*\*/"
_BLANK = rf"(?:\s|{_COMMENT % '(?!!)'})+"
_PART = re.compile(
    rf"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|url\([^"')]*\)|{_COMMENT % "!"})"""
    rf"|(?:{_BLANK})?([{{}};,])(?:{_BLANK})?|({_BLANK})"
)
_URL = re.compile(r"""\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))\s*\)""", re.IGNORECASE)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|/|#|$", re.IGNORECASE)
_CHARSET = re.compile(r'@charset "[^"]*";', re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A style sheet to be joined: where it is from, below the root of the site, and what it says."""

    uri: str
    text: str = field(repr=False)
    notice: str = ""
    """Whose it is and under which licence, if that has to be said."""
    media: str = ""
    """The media query that the sheet is for; empty for all."""


@lru_cache(maxsize=128)
def packed_styles(css: str) -> str:
    """Return a style sheet without comments and blanks that nothing needs. Comments that start with `!` stay.

    It is made once for all builds of a process.
    """

    def part(match: re.Match[str]) -> str:
        return match[1] or match[2] or " "

    return _PART.sub(part, css).strip()


def join_styles(sheets: Iterable[Sheet], link: Callable[[str], str]) -> str:
    """Return the text of one style sheet that says what `sheets` say, in their order.

    `link` returns the address to write for a file, by its uri below the root of the site or its `data:` address.
    """
    return "".join(['@charset "UTF-8";\n', *(_join_sheet(sheet, link) for sheet in sheets)])


def _join_sheet(sheet: Sheet, link: Callable[[str], str]) -> str:
    def move_link(match: re.Match[str]) -> str:
        address = next((group for group in match.groups() if group), "")
        if address.startswith("data:"):
            return f"url({_url_address(link(address))})"
        if _ELSEWHERE.match(address):
            return match[0]
        return f"url({_url_address(link(normpath(join(dirname(sheet.uri), address))))})"

    text = _URL.sub(move_link, _CHARSET.sub("", sheet.text)).strip()
    notice = f"/*! {sheet.notice} */\n" if sheet.notice else ""
    return f"{notice}{f'@media {sheet.media}{{{text}}}' if sheet.media else text}\n"


def _url_address(address: str) -> str:
    """Return an address as it stands in `url()`: plain where it can."""
    return address if re.fullmatch(r"[\w./%~+-]+", address) else '"' + address.replace('"', "%22") + '"'
