"""What every generator hands over: pages with ready HTML, and files beside them. Knows no site builder."""

from devportal.pages.commonmark import code_block, code_span, escaped, indented
from devportal.pages.inserts import Wrong
from devportal.pages.markdown import plain_text, render_markdown, text_of
from devportal.pages.page import Artefact, Heading, Page, PageHead, SearchEntry, SearchKind
from devportal.pages.safe_markdown import item_markdown, safe_markdown
from devportal.pages.standalone import Style, standalone_style
from devportal.pages.templates import environment
from devportal.pages.urls import href, twin_href, url_of

__all__ = [
    "Artefact",
    "Heading",
    "Page",
    "PageHead",
    "SearchEntry",
    "SearchKind",
    "Style",
    "Wrong",
    "code_block",
    "code_span",
    "environment",
    "escaped",
    "href",
    "indented",
    "item_markdown",
    "plain_text",
    "render_markdown",
    "safe_markdown",
    "standalone_style",
    "text_of",
    "twin_href",
    "url_of",
]
