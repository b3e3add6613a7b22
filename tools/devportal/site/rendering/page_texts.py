"""What the theme gets of a generated page: its texts, escaped, and its table of contents.

MkDocs escapes nothing in templates, so texts come escaped, and marked so that nobody does it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urljoin

from markupsafe import Markup, escape
from mkdocs.structure.pages import Page as SitePage
from mkdocs.structure.toc import AnchorLink, TableOfContents

from devportal.language import without_directions
from devportal.markup import Heading, Page, PageHead, href
from devportal.site.rendering.page_links import PageLinks
from devportal.site.rendering.structured_data import StructuredData

SLOTS = (
    "title",
    "description",
    "canonical",
    "address",
    "robots",
    "twin",
    "preview",
    "preview_alt",
    "structured_data",
    "edit",
    "feedback",
    "body",
    "sidebar",
)
"""The names of the texts that differ from page to page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTexts:
    """What the whole site contributes to the texts of a page."""

    structured_data: StructuredData
    links: PageLinks


def slot_texts(page: SitePage, generated: Page, site: SiteTexts) -> dict[str, str]:
    """Return the texts of a page by the names of `SLOTS`, ready to stand in HTML."""
    return {
        **head_slot_texts(page, generated, site),
        "body": generated.body,
        "sidebar": generated.sidebar,
    }


def head_slot_texts(page: SitePage, head: PageHead, site: SiteTexts) -> dict[str, str]:
    """Return the texts that are known of a page without its body."""
    links = site.links.of_generated_page(head.uri, head.title) if head.is_listed else {}
    return {
        "title": _head_text(head.title),
        "description": _head_text(head.description),
        "canonical": _absolute_url(page, head.canonical) if head.canonical else page.canonical_url or "",
        "address": page.canonical_url or "",
        "robots": "" if head.is_listed or (head.canonical and page.canonical_url) else "noindex",
        "twin": _link_to_twin(head.uri),
        "preview": _preview(page, head),
        "preview_alt": _head_text(head.preview_alt or head.title),
        "structured_data": site.structured_data.of_generated_page(head),
        "edit": str(escape(links.get("edit", ""))),
        "feedback": str(escape(links.get("feedback", ""))),
    }


def set_page_texts(page: SitePage, head: PageHead, texts: Mapping[str, str]) -> None:
    """Have a page of MkDocs say these texts, as if they came from a file with front matter."""
    page.title = _mark_safe(texts["title"])
    page.meta = {
        "title": _mark_safe(texts["title"]),
        "description": _mark_safe(texts["description"]),
        "search": {"exclude": True},
        "unlisted": not head.is_listed,
        "devportal": {
            "layout": head.layout,
            "sidebar": texts["sidebar"],
            "area": area_of(head.uri),
            "address": texts["address"],
            "robots": texts["robots"],
            "is_listed": head.is_listed,
            "twin": texts["twin"],
            "preview": texts["preview"],
            "preview_alt": texts["preview_alt"],
            "structured_data": texts["structured_data"],
            "edit": texts["edit"],
            "feedback": texts["feedback"],
            "feeds": [
                {"type": kind, "title": escape(title), "href": href(head.uri, uri)}
                for kind, title, uri in head.feeds
            ],
            "scripts": [quote(uri) for uri in head.scripts],
            "styles": [quote(uri) for uri in head.styles],
        },
    }
    page.content = texts["body"]
    page.toc = _table_of_contents(head.headings)
    page.canonical_url = texts["canonical"] or None


def area_of(uri: str) -> str:
    """Return the name of the area of the site that a page belongs to: `reference`."""
    return uri.split("/", 1)[0].removesuffix(".md")


def area_index(uri: str) -> str:
    """Return the uri of the first page of the area that a page belongs to."""
    return f"{area_of(uri)}/index.md" if "/" in uri else uri


def _head_text(text: str) -> str:
    return str(escape(without_directions(text)))


def _mark_safe(text: str) -> Any:
    return Markup(text)  # noqa: S704 - escaped by `head_slot_texts`


def _link_to_twin(uri: str) -> str:
    """Return the link from a page to its Markdown twin, which lies where the page's source would."""
    name = uri.rpartition("/")[2]
    return href(uri, uri) + (name if name == "index.md" else f"../{name}")


def _preview(page: SitePage, head: PageHead) -> str:
    """Return the whole address of the preview image of a page; who fetches it knows no page to start from."""
    return str(escape(_absolute_url(page, head.preview))) if head.preview else ""


def _absolute_url(page: SitePage, uri: str) -> str:
    """Return the whole address of another page or file; nothing if that of the site is not known."""
    return urljoin(page.canonical_url, href(page.file.src_uri, uri)) if page.canonical_url else ""


def _table_of_contents(headings: tuple[Heading, ...]) -> TableOfContents:
    top: list[AnchorLink] = []
    for heading in headings:
        link = AnchorLink(escape(heading.title), quote(heading.anchor), heading.level)
        if heading.level > 2 and top:
            top[-1].children.append(link)
        else:
            top.append(link)
    return TableOfContents(top)
