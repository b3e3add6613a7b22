"""The hand-written pages of a site: their Markdown twins, and their places in the table of contents."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage

from devportal.pages import SearchEntry, plain_text, url_of
from devportal.site.definitions import definitions_in
from devportal.site.llms import Listed
from devportal.site.twins import plain_markdown

NO_SECTION = "Pages"
"""The section of pages that stand in no section of the navigation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    listed: Listed
    twin: str
    definitions: tuple[SearchEntry, ...]


class HandWritten:
    """Gathers the pages of one build as MkDocs renders them."""

    def __init__(self) -> None:
        self._taken: dict[str, _Taken] = {}

    def take(self, page: SitePage, markdown: str, html: str) -> None:
        """Take a page that is rendered, so that its title is known, and what it says in Markdown and HTML."""
        uri = page.file.src_uri
        title = plain_text(str(page.title or ""))
        sections = [item.title for item in page.ancestors]  # from the nearest one on
        self._taken[uri] = _Taken(
            listed=Listed(
                section=sections[-1] or NO_SECTION if sections else NO_SECTION,
                uri=uri,
                title=title or uri,
                description=str(page.meta.get("description") or ""),
            ),
            twin=plain_markdown(markdown, title=title),
            definitions=tuple(definitions_in(html)) if _is_searched(page) else (),
        )

    def definitions(self) -> Iterator[tuple[str, SearchEntry]]:
        """Yield the definitions on the pages that search knows, each with the address of its page."""
        for uri, taken in self._taken.items():
            yield from ((url_of(uri), one) for one in taken.definitions)

    def write_twins(self, folder: Path) -> None:
        """Write the twins into the folder of the built site, each where its source is among the sources."""
        for uri, taken in self._taken.items():
            file = folder / uri
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(taken.twin, encoding="utf-8")

    def listed(self, nav: Navigation) -> tuple[Listed, ...]:
        """Return the pages in the order of the navigation, then those that are not in it."""
        in_order = (page.file.src_uri for page in nav.pages)
        uris = dict.fromkeys((*(uri for uri in in_order if uri in self._taken), *sorted(self._taken)))
        return tuple(self._taken[uri].listed for uri in uris)


def _is_searched(page: SitePage) -> bool:
    """Say whether a page is not left out of the search by its front matter, as the theme reads it."""
    said = page.meta.get("search")
    return not (isinstance(said, dict) and said.get("exclude"))
