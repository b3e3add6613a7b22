"""Files for programs at the root of a site: `llms.txt`, a sitemap, robots."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

from devportal.language import OURS, is_english
from devportal.markup import PageHead, SearchKind
from devportal.reference.addresses import LLMS, LLMS_FULL, OPENAPI_JSON, OPENAPI_YAML, POSTMAN
from devportal.reference.markup import code_span, escape_markdown

OPTIONAL = "Optional"
"""The section that a reader with little room may skip: its name is part of the format."""

EVENTS = "Events"


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmsEntry:
    """A page as `llms.txt` lists it; `uri` is that of its Markdown twin. `note` stands before the words,
    and so does `name`, such as an operationId.
    """

    section: str
    uri: str
    title: str
    description: str = ""
    note: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """What `llms.txt` says of a site as a whole."""

    title: str
    description: str = ""
    url: str = ""
    language: str = OURS
    has_contract: bool = False
    pages: tuple[LlmsEntry, ...] = field(repr=False)

    def address(self, uri: str) -> str:
        """Return the address of a file, relative to the root where the site's own is not known."""
        return urljoin(f"{self.url.rstrip('/')}/", quote(uri)) if self.url else quote(uri)


def llms_entries(heads: Sequence[PageHead], *, overview: str) -> tuple[LlmsEntry, ...]:
    """Return generated pages by the folders they lie in; a folder is called as its first page is."""
    titles = {posixpath.dirname(head.uri): head.title for head in heads if head.uri.endswith("index.md")}
    titles[posixpath.dirname(overview) or "reference"] = "API reference"
    return tuple(
        LlmsEntry(
            section=_entry_section(head, titles, overview),
            uri=head.uri,
            title=head.title,
            description=head.description,
            note=note,
            name=name,
        )
        for head in heads
        for note, name in (_operation_names(head),)
    )


def _entry_section(head: PageHead, titles: Mapping[str, str], overview: str) -> str:
    if head.uri == overview:
        return titles[posixpath.dirname(overview) or "reference"]
    own = head.search[0] if head.search else None  # the others are of parts of the page, such as callbacks
    if own is not None and own.kind is SearchKind.EVENT and own.tags:
        return EVENTS
    if own is not None and own.kind is SearchKind.SCHEMA:
        return OPTIONAL
    return titles.get(posixpath.dirname(head.uri), OPTIONAL)


def _operation_names(head: PageHead) -> tuple[str, str]:
    """Return what a request is known by, such as `POST /v1/orders` and `createOrder`."""
    kinds = (SearchKind.OPERATION, SearchKind.EVENT)
    tags = next((entry.tags for entry in head.search if entry.kind in kinds and entry.tags), ())
    note, name, *_ = (*tags, "", "")
    return note, name


def write_llms(folder: Path, site: SiteSummary, twin: Callable[[str], str]) -> None:
    """Write both files into the folder of a built site; `twin` returns the Markdown twin at a uri."""
    size_bytes = _write_llms_full(folder, site, twin)
    (folder / LLMS).write_text(llms_text(site, size_bytes), encoding="utf-8")


def _write_llms_full(folder: Path, site: SiteSummary, twin: Callable[[str], str]) -> int:
    """Write all twins, one after the other, each under its address; return how many bytes that makes."""
    with (folder / LLMS_FULL).open("wb") as whole:
        for number, page in enumerate(site.pages):
            rule = "\n---\n\n" if number else ""
            whole.write(f"{rule}Source: {site.address(page.uri)}\n\n{twin(page.uri)}".encode())
        return whole.tell()


def llms_text(site: SiteSummary, size_bytes: int) -> str:
    """Return the table of contents; `size_bytes` is that of the whole in one file."""
    parts = [f"# {_single_line(site.title)}"]
    if site.description:
        parts.append(f"> {_single_line(site.description)}")
    if not is_english(site.language):
        parts.append(f"Language: {site.language}; the words around the texts of the API are English.")
    parts.append(
        "Every page of this site is also plain Markdown: the links below lead there. "
        f"All of them in one file: [{LLMS_FULL}]({site.address(LLMS_FULL)}) ({_format_size(size_bytes)})."
    )
    if site.has_contract:
        names = (OPENAPI_YAML, OPENAPI_JSON, POSTMAN)
        links = ", ".join(f"[{name}]({site.address(name)})" for name in names)
        parts.append(f"The whole API for programs: {links}.")
    sections: dict[str, list[str]] = {}
    for page in site.pages:
        sections.setdefault(page.section, []).append(_entry_line(page, site))
    optional = sections.pop(OPTIONAL, [])
    for title, entries in (*sections.items(), *([(OPTIONAL, optional)] if optional else [])):
        parts.append(f"## {_single_line(title)}\n\n" + "\n".join(entries))
    return "\n\n".join(parts) + "\n"


def _entry_line(page: LlmsEntry, site: SiteSummary) -> str:
    names = " ".join(code_span(one) for one in (page.note, page.name) if one)
    words = ": ".join(filter(None, (names, _single_line(page.description))))
    return f"- [{_single_line(page.title)}]({site.address(page.uri)}){': ' if words else ''}{words}"


def _single_line(text: str) -> str:
    return escape_markdown(" ".join(text.split()))


def _format_size(size_bytes: int) -> str:
    """Return a size as people say it, in decimal units."""
    for unit, size in (("MB", 1_000_000), ("KB", 1_000)):
        if size_bytes >= size:
            return f"{size_bytes / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{size_bytes} bytes"


def write_for_crawlers(folder: Path, site_url: str) -> None:
    """Take away the sitemap where the site's address is not known: it is empty then, which no reader accepts.

    Where the site is the root of its host, `robots.txt` names the sitemap; one that is there already stays.
    """
    if not site_url:
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (folder / name).unlink(missing_ok=True)
        return
    robots = folder / "robots.txt"
    if urlsplit(site_url).path in ("", "/") and not robots.exists():
        sitemap = urljoin(f"{site_url.rstrip('/')}/", "sitemap.xml")
        robots.write_text(f"User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n", encoding="utf-8")
