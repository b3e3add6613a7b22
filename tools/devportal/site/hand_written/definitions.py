"""The definitions of a hand-written page, as places that search leads to: an option, a field, a rule.

The theme's index knows sections only. A section with fifty options would be found for none of them, so its
definitions are kept out of that index and have entries of their own.
"""

import re
from collections.abc import Iterator
from html import unescape

from devportal.markup import SearchEntry, SearchKind

_LIST = re.compile(r"<dl>(?=\s*<dt><a class=\"dp-term\")")
_HEADING_OR_TERM = re.compile(
    r"<h[2-6][^>]*>(?P<heading>.*?)</h[2-6]>"
    r"|<dt><a class=\"dp-term\"[^>]*\bid=\"(?P<id>[^\"]+)\"[^>]*>(?P<term>.*?)</a></dt>"
    r"\s*<dd>(?P<text>.*?)</dd>",
    re.DOTALL,
)
_PERMALINK = re.compile(r"<a class=\"headerlink\".*?</a>", re.DOTALL)


def definitions_in(html: str) -> Iterator[SearchEntry]:
    """Yield an entry for each definition whose name is a link to itself; its text begins with its section."""
    heading = ""
    for piece in _HEADING_OR_TERM.finditer(html):
        if piece["id"] is None:
            heading = _html_text(_PERMALINK.sub("", piece["heading"]))
        else:
            term = _html_text(piece["term"])
            yield SearchEntry(
                kind=SearchKind.TERM,
                title=term,
                tags=(re.split(r",? ", term)[0],),
                text=f"{heading}: {_html_text(piece['text'])}" if heading else _html_text(piece["text"]),
                anchor=unescape(piece["id"]),
            )


def without_definitions(html: str) -> str:
    """Return a page whose definitions the theme's index leaves out."""
    return _LIST.sub("<dl data-search-exclude>", html)


def _html_text(html: str) -> str:
    """Return the text of HTML on one line."""
    words = re.sub(r"<[^>]+>", "", re.sub(r"</(?:p|li|dd)>", " ", html))
    return " ".join(unescape(words).split())
