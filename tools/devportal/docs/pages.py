"""Pages of a site as Markdown, named by uri, address or operation."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from devportal.docs.operations import find_name, require_name
from devportal.docs.records import SiteRecords
from devportal.docs.search_index import SEARCH_INDEX, read_index
from devportal.docs.site_source import SiteSource, safe_uri
from devportal.errors import InvalidSettings
from devportal.suggestions import suggest_names


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The Markdown twin of a page."""

    uri: str
    markdown: str


def read_page(source: SiteSource, records: SiteRecords, asked: str) -> PageText:
    """Return a page. Raises InvalidSettings if the site has none of that name, UnreadableInput."""
    for uri in _candidates(source, records, asked):
        text = source.read(safe_uri(uri))
        if text is not None:
            return PageText(uri=uri, markdown=text)
    names = [
        text for operation in records.operations for text in (operation.operation_id, operation.name) if text
    ]
    known = [*names, *_addresses(source)]
    raise InvalidSettings(
        f"the site has no page {asked!r}", help=suggest_names(asked, known, "a search finds pages")
    )


def _candidates(source: SiteSource, records: SiteRecords, asked: str) -> Iterator[str]:
    """Yield the uris of the twin that a name may mean."""
    operation = find_name(records.operations, asked)
    if operation is not None:
        yield require_name(records.operations, asked).page
    path = asked.strip()
    if "://" in path:
        path = _below_site(source, records, path)
    path = unquote(path.partition("#")[0].partition("?")[0]).removeprefix("./").lstrip("/")
    if path.endswith((".md", ".txt")):
        yield path
        return
    stem = path.removesuffix("index.html").removesuffix(".html").rstrip("/")
    if stem:
        yield f"{stem}.md"
        yield f"{stem}/index.md"
    else:
        yield "index.md"


def _addresses(source: SiteSource) -> Iterator[str]:
    """Yield the addresses of pages in the search index."""
    text = source.read(SEARCH_INDEX)
    if text is not None:
        yield from dict.fromkeys(entry.address.partition("#")[0] for entry in read_index(text).entries)


def _below_site(source: SiteSource, records: SiteRecords, address: str) -> str:
    for base in filter(None, (source.base_url, records.site_url)):
        if address.startswith(base) or f"{address}/" == base:
            return address[len(base) :]
    raise InvalidSettings(
        f"{address!r} is not an address of the site",
        help=f"addresses of its pages begin with {records.site_url or source.base_url or 'its root'}",
    )
