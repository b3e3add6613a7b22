"""A Python-Markdown extension that puts ready HTML in place of the mark in a page.

It lies beside the settings of a generated tree. Whichever engine renders the pages with Python-Markdown has
them as they were made, with their tables of contents: a page says only which body is its own. The digest in
the mark changes with the body, so that an engine that keeps pages renders it again.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

BODIES = Path(__file__).resolve().parent / "bodies"
"""The folder of the bodies: for `a/b.md` there are `a/b.html`, and `a/b.json` with the headings."""
_IS_ZENSICAL = "zensical" in sys.modules
_TAG = re.compile(r"""<[a-zA-Z](?:[^>"']|"[^"]*"|'[^']*')*>""")
_LINK = re.compile(r"""(\s(?:href|src)=(?=["'])["'])(?![a-zA-Z][a-zA-Z0-9+.-]*:|[/#?"'])([^"']*)(["'])""")
"""A relative reference that leads to another page or file (RFC 3986 §4.2)."""
_MARK = re.compile(r"<!-- devportal-body (\S+) [0-9a-f]+ -->")


class _Body(Preprocessor):  # type: ignore[misc]  # Python-Markdown has no types
    """Takes the body that a mark names, before Python-Markdown looks for HTML."""

    def run(self, lines: list[str]) -> list[str]:
        mark = _MARK.fullmatch("\n".join(lines).strip())
        self.md.devportal_headings = None
        if mark is None:
            return lines
        body = body_of(unquote(mark[1]))
        html = (BODIES / f"{body}.html").read_text(encoding="utf-8")
        headings = (BODIES / f"{body}.json").read_text(encoding="utf-8")
        self.md.devportal_headings = json.loads(headings)
        return [self.md.htmlStash.store(from_source(html, mark[1]) if _IS_ZENSICAL else html)]


def body_of(uri: str) -> str:
    """Return the name of the body of a page below the folder of bodies, without its ending: that of the page
    may be any that engines know, `.md` or `.markdown` among them.
    """
    return uri.rpartition(".")[0]


def from_source(html: str, uri: str) -> str:
    """Return HTML whose links start where the source of a page lies, in place of where the page is served.

    Zensical takes every relative link of a page for one from its source, HTML or not, and adds the way from
    `a/b.md` to `a/b/`. Where both are in the same folder there is nothing to do.
    """
    name = body_of(uri).rpartition("/")[2]
    if name == "index":
        return html

    def move_link(link: re.Match[str]) -> str:
        before, target, quote = link.groups()
        inside = f"{name}/{target.removeprefix('./')}"
        return f"{before}{(target[3:] or './') if target.startswith('../') else inside}{quote}"

    return _TAG.sub(lambda tag: _LINK.sub(move_link, tag[0]), html)


class _Headings(Treeprocessor):  # type: ignore[misc]  # Python-Markdown has no types
    """Hands over the headings of the body as the extension `toc` hands over those of a text."""

    def run(self, root: Any) -> None:  # noqa: ARG002 - as Python-Markdown calls it
        headings = self.md.devportal_headings
        if headings is not None:
            self.md.toc_tokens = headings


class PagesExtension(Extension):  # type: ignore[misc]  # Python-Markdown has no types
    """Registers both: the first behind the clean-up of white space, the second behind everything."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - as Python-Markdown calls it
        """Add the parts to a parser."""
        md.preprocessors.register(_Body(md), "devportal-body", 29)
        md.treeprocessors.register(_Headings(md), "devportal-headings", -100)


def makeExtension(**settings: Any) -> PagesExtension:  # noqa: N802 - the name that Python-Markdown looks for
    """Return the extension, as Python-Markdown asks for it."""
    return PagesExtension(**settings)
