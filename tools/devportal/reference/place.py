"""Where something is shown: on which page, and how high the headings of the texts there may be."""

import re
from dataclasses import dataclass, field

from devportal.contract import Grounds
from devportal.language import mark_blocks
from devportal.pages import href, render_markdown, twin_href
from devportal.reference.grounds import grounds_html, grounds_markdown
from devportal.reference.links import Links
from devportal.reference.text import one_line

_PARAGRAPH = re.compile(r"<p>(?:[^<]|<(?!/?p>|br))*</p>\s*")
"""HTML of one paragraph that breaks no line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A spot on a page of the reference or on its Markdown twin: what links and texts depend on there."""

    source: str
    below: int
    links: Links = field(repr=False)

    def to(self, target: str) -> str:
        """Return the address of a page as seen from here."""
        return href(self.source, target)

    def to_twin(self, target: str) -> str:
        """Return the address of the twin of a page as seen from the twin here."""
        return twin_href(self.source, target)

    def html(self, commonmark: str) -> str:
        """Return CommonMark as safe HTML, its links to parts of the contract leading to their pages.

        Its blocks are marked as text of the contract, whatever they stand in.
        """
        return mark_blocks(self._html(commonmark)) if commonmark else ""

    def _html(self, commonmark: str) -> str:
        return self.resolved(render_markdown(commonmark, first_heading=self.below))

    def resolved(self, fragment: str) -> str:
        """Return HTML with the links of its author to anchors leading to pages."""
        return self.links.resolved(fragment, self.source)

    def grounds(self, grounds: Grounds | None) -> str:
        """Return what a stability rests on as HTML, with a space before it; nothing where it is not said."""
        told = grounds_html(grounds, self.links.grounds, self.source) if grounds else ""
        return f" {told}" if told else ""

    def grounds_markdown(self, grounds: Grounds | None) -> str:
        """Return what a stability rests on for the twin; nothing where it is not said."""
        return grounds_markdown(grounds, self.links.grounds, self.source)

    def markdown(self, commonmark: str) -> str:
        """Return CommonMark made safe for the twin, its links to parts of the contract leading to twins."""
        return self.links.markdown(commonmark, self.source, first_heading=self.below)

    def cell(self, commonmark: str) -> str:
        """Return CommonMark as a cell of a table of the twin: a lone paragraph as it is, else its words."""
        is_paragraph = _PARAGRAPH.fullmatch(self._html(commonmark)) is not None
        return " ".join(self.markdown(commonmark).split()) if is_paragraph else one_line(commonmark)

    def item(self, *texts: str) -> str:
        """Return texts as they follow the first words of an item that is not indented, as `item_markdown`."""
        return self.links.item(*texts, source=self.source, indent=2)
