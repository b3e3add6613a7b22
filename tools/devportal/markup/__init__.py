"""What every generator hands over: pages with ready HTML, and files beside them. Knows no site builder."""

from devportal.markup.commonmark import code_block, code_span, escape_markdown, indent_lines
from devportal.markup.draft import PageDraft
from devportal.markup.markdown import html_to_text, plain_text, render_markdown
from devportal.markup.page import (
    Artefact,
    Heading,
    InsertProblem,
    Page,
    PageHead,
    PriceSpan,
    SearchEntry,
    SearchKind,
)
from devportal.markup.safe_markdown import item_markdown, line_markdown, safe_markdown
from devportal.markup.templates import Style, environment, render_page, standalone_style
from devportal.markup.urls import href, twin_href, url_of

__all__ = [
    "Artefact",
    "Heading",
    "InsertProblem",
    "Page",
    "PageDraft",
    "PageHead",
    "PriceSpan",
    "SearchEntry",
    "SearchKind",
    "Style",
    "code_block",
    "code_span",
    "environment",
    "escape_markdown",
    "href",
    "html_to_text",
    "indent_lines",
    "item_markdown",
    "line_markdown",
    "plain_text",
    "render_markdown",
    "render_page",
    "safe_markdown",
    "standalone_style",
    "twin_href",
    "url_of",
]
