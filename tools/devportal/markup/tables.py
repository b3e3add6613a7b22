"""Tables of Markdown in a region of their own: what is wider than the page scrolls there, by keyboard too.

The classes are the theme's. Its scripts would do the same once the page is there, and move what lies below.
"""

import html
import re

_TABLE = re.compile(r"<table>((?:(?!<table\b).)*?)</table>", re.DOTALL)
"""A table without attributes, as Markdown makes it, and with none inside."""
_TITLE = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def with_scrolling_tables(fragment: str) -> str:
    """Return HTML with each table in a region named by the titles of its columns."""
    return _TABLE.sub(_wrap_in_region, fragment) if "<table>" in fragment else fragment


def _wrap_in_region(match: re.Match[str]) -> str:
    titles = (" ".join(html.unescape(_TAG.sub("", one)).split()) for one in _TITLE.findall(match[1]))
    name = html.escape(", ".join(filter(None, titles)))
    return (
        f'<div class="md-typeset__scrollwrap" tabindex="0" role="region" aria-label="Table: {name}">'
        f'<div class="md-typeset__table">{match[0]}</div></div>'
    )
