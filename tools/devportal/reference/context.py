"""The context of rendering: the page, the heading level, and the headers already shown."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from devportal.contract import Grounds, Stability
from devportal.language import TEXT, mark_blocks
from devportal.markup import PageDraft, href, render_markdown, twin_href
from devportal.reference.history_marks import HistoryMark, history_marks_html, history_marks_markdown
from devportal.reference.links import DescriptionLinks
from devportal.reference.pages.stability import grounds_html, grounds_markdown
from devportal.reference.pages.views import RepeatedHeader, ResponseView
from devportal.reference.reference import Reference

_LEVELS = tuple(Stability)
"""From what promises most to what promises least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderContext:
    """The page and heading level that links and texts are rendered for.

    With a `draft`, the Markdown twin is made from the HTML. Without, HTML and Markdown are rendered separately.
    """

    source: str
    below: int
    links: DescriptionLinks = field(repr=False)
    draft: PageDraft | None = field(default=None, repr=False)
    usual: Stability = Stability.STABLE
    """The stability of what is around: a part shows its own if it promises less."""

    def is_less_stable(self, level: Stability | None) -> bool:
        """Say whether a part promises less than what is around it."""
        return level is not None and _LEVELS.index(level) > _LEVELS.index(self.usual)

    def within(self, level: Stability | None) -> "RenderContext":
        """Return the context inside a part that declares a stability, or none."""
        return replace(self, usual=level) if level is not None and self.is_less_stable(level) else self

    @property
    def reference(self) -> Reference:
        """Return the reference that the page is part of, or links to."""
        return self.links.reference

    def to(self, target: str) -> str:
        """Return the address of a page as seen from here."""
        return self.draft.href(target) if self.draft else href(self.source, target)

    def without_draft(self, *, deeper: int = 0) -> "RenderContext":
        """Return a context without draft, for parts rendered in both forms; `deeper` moves the twin's headings."""
        below = self.below + deeper
        return RenderContext(source=self.source, below=below, links=self.links, usual=self.usual)

    def pair(
        self, html: str, markdown: str | Callable[[], str], *, is_inline: bool = False, name: str = ""
    ) -> str:
        """Return a part of the page given as HTML and Markdown; without a draft, its HTML."""
        return self.draft.pair(html, markdown, is_inline=is_inline, name=name) if self.draft else html

    def text(self, commonmark: str, *, deeper: int = 0) -> str:
        """Return CommonMark of the contract as blocks; `deeper` moves the headings in the twin."""
        if not commonmark:
            return ""
        markdown = partial(self.links.markdown, commonmark, self.source, first_heading=self.below + deeper)
        return self.pair(self.html(commonmark), markdown)

    def item_text(self, html: str, commonmark: str) -> str:
        """Return HTML of CommonMark that ends a list item; the twin continues the item with it."""
        return self.pair(html, self.links.item(commonmark, source=self.source, indent=0), is_inline=True)

    def history(self, marks: tuple[HistoryMark, ...]) -> str:
        """Return history marks; empty without marks."""
        if not marks:
            return ""
        markdown = history_marks_markdown(marks, self.source) if self.draft else ""
        return self.pair(history_marks_html(marks, self.source), markdown, is_inline=True)

    def to_twin(self, target: str) -> str:
        """Return the address of the twin of a page as seen from the twin here."""
        return twin_href(self.source, target)

    def html(self, commonmark: str) -> str:
        """Return CommonMark as safe HTML, with links to parts of the contract resolved to pages.

        Its blocks are marked as text of the contract.
        """
        return mark_blocks(self.unmarked_html(commonmark)) if commonmark else ""

    def unmarked_html(self, commonmark: str) -> str:
        """Return CommonMark as safe HTML for an element that marks it as text of the contract."""
        return self.resolve_links(render_markdown(commonmark, first_heading=self.below))

    def line_html(self, commonmark: str) -> str:
        """Return CommonMark as safe HTML that continues a line if it is one paragraph, and as blocks otherwise."""
        blocks = self.unmarked_html(commonmark)
        return _inside_paragraph(blocks) or blocks

    def muted_text(self, commonmark: str) -> str:
        """Return CommonMark of the contract that is set back; it continues a line if it is one paragraph."""
        blocks = self.unmarked_html(commonmark)
        line = _inside_paragraph(blocks)
        if line:
            return f'<span class="dp-muted"{TEXT}{line}</span>'
        return f'<div class="dp-muted"{TEXT}{blocks}</div>'

    def resolve_links(self, fragment: str) -> str:
        """Return HTML with the author's links to anchors resolved to pages."""
        return self.links.resolve_links(fragment, self.source)

    def grounds(self, grounds: Grounds | None) -> str:
        """Return the grounds of a stability as HTML; empty if none are given."""
        rendered = grounds_html(grounds, self.links.grounds, self.source) if grounds else ""
        if not rendered or self.draft is None:
            return rendered
        return self.pair(rendered, self.grounds_markdown(grounds), is_inline=True)

    def grounds_markdown(self, grounds: Grounds | None) -> str:
        """Return the grounds of a stability for the twin; empty if none are given."""
        return grounds_markdown(grounds, self.links.grounds, self.source)

    def markdown(self, commonmark: str) -> str:
        """Return CommonMark made safe for the twin, with links to parts of the contract resolved to twins."""
        return self.links.markdown(commonmark, self.source, first_heading=self.below)

    def cell(self, commonmark: str) -> str:
        """Return CommonMark as a cell of a table of the twin."""
        return self.links.line(commonmark, self.source)

    def item(self, *texts: str) -> str:
        """Return texts as they follow the first words of an item that is not indented, as `item_markdown`."""
        return self.links.item(*texts, source=self.source, indent=2)


def name_repeated_headers(responses: Iterable[ResponseView]) -> tuple[ResponseView, ...]:
    """Return the responses of one page; a header that repeats an earlier one is only named."""
    return tuple(_name_repeated_headers(responses))


def _name_repeated_headers(responses: Iterable[ResponseView]) -> Iterator[ResponseView]:
    first: dict[tuple[str, int, bool], str] = {}
    for response in responses:
        new, repeated = [], []
        for header in response.headers:
            if header.fields or header.unions or header.more:
                new.append(header)
                continue
            key = (header.name, id(header.value), header.required)  # equal descriptions are one object
            above = first.setdefault(key, response.anchor)
            if above == response.anchor:
                new.append(header)
            else:
                repeated.append(RepeatedHeader(name=header.name, anchor=header.anchor, above=above))
        yield replace(response, headers=tuple(new), repeated=tuple(repeated)) if repeated else response


def _inside_paragraph(blocks: str) -> str:
    """Return what is in HTML of CommonMark if it is one paragraph and nothing else, empty otherwise."""
    inside = blocks.strip().removeprefix("<p>").removesuffix("</p>")
    return inside if blocks.startswith("<p>") and "p>" not in inside else ""
