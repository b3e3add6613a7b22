"""What a page says to those whose browser runs no scripts, by its HTML alone.

Left out is what is hidden until a script shows it. What a click shows without scripts, closed details and
tabs, can be read. That style sheets hide nothing more is for a browser to tell (`test_readable.py`).
"""

import re
from pathlib import Path

from devportal.markup import url_of

_HIDDEN = re.compile(
    r"<(?:(?P<whole>script|template|dialog|style)\b|"
    r"(?P<tag>[a-z][a-z0-9]*)\b(?=[^>]*\s(?:hidden[\s>=]|class=\"(?:[^\"]* )?dp-hidden[ \"])))[^>]*>"
)
_CONTENT = re.compile(r"<article\b.*</article>", re.DOTALL)


def readable(html: str) -> str:
    """Return HTML without what only a script would show."""
    kept, at = [], 0
    for opening in _HIDDEN.finditer(html):
        if opening.start() >= at:
            kept.append(html[at : opening.start()])
            at = _end(html, opening["whole"] or opening["tag"], opening.start())
    return "".join((*kept, html[at:]))


def _end(html: str, tag: str, start: int) -> int:
    """Return where an element ends that begins at a place."""
    depth = 0
    for match in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(html, start):
        depth += -1 if match[1] else 1
        if depth <= 0:
            return match.end()
    return len(html)


def content_of(site: Path, uri: str) -> str:
    """Return what the article of a page says without scripts, as HTML."""
    html = (site / url_of(uri) / "index.html").read_text(encoding="utf-8")
    found = _CONTENT.search(html)
    assert found, f"{uri}: there is no article"
    return readable(found[0])
