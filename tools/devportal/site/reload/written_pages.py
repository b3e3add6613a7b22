"""The hand-written pages that stand in the folder of a served site already, and what the search knows of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mkdocs.structure import StructureItem
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page as SitePage

from devportal.site.reload.digests import digest_of

Documents = list[dict[str, Any]]
"""What the theme's search index holds: a document for each section of a page, at its `location`."""


class WrittenPages:
    """Decides which pages are written in a build: those whose file would be another."""

    def __init__(self) -> None:
        """Start with nothing written."""
        self._written: dict[str, str] = {}
        self._documents: dict[str, Documents] = {}
        self._skipped: set[str] = set()
        self._front_matters: dict[str, str] = {}
        self._next: dict[str, str] = {}
        self._frame = ""

    def begin(self, *, follows: bool) -> None:
        """Begin a build; unless it `follows` the last one, nothing is in the folder of the site."""
        if not follows:
            self._written, self._documents = {}, {}
        self._skipped, self._front_matters, self._next = set(), {}, {}

    def read(self, page: SitePage) -> None:
        """Take the front matter of a page, to which nothing was added yet."""
        self._front_matters[page.file.src_uri] = repr(page.meta)

    def use(self, settings: str, nav: Navigation) -> bool:
        """Take what all pages show: a digest of settings, and the navigation, whose pages have been rendered.

        Returns whether that is the same as in the last build, which this one follows.
        """
        entries = list(_navigation_entries(nav.items))
        before = self._frame
        self._frame = digest_of((settings, entries, sorted(self._front_matters.items())))
        return self._frame == before and bool(self._written)

    def decision(self, page: SitePage) -> Callable[[], bool]:
        """Return what says whether the file of a page is to be written, to be asked once the page is complete."""
        return lambda: self._is_new(page)

    def _is_new(self, page: SitePage) -> bool:
        uri = page.file.src_uri
        self.note(page)
        is_new = self._written.get(uri) != self._next[uri]
        if not is_new:
            self._skipped.add(uri)
        return is_new

    def note(self, page: SitePage) -> None:
        """Note what a complete page says: it is about to be written, in a build that does not ask whether it must."""
        uri = page.file.src_uri
        if uri not in self._next:
            self._next[uri] = self._digest(page)

    def _digest(self, page: SitePage) -> str:
        shown = (
            self._frame,
            page.title,
            page.content,
            page.markdown,
            page.meta,
            page.edit_url,
            page.file.inclusion.name,
            [(item.title, item.url) for item in (page.previous_page, page.next_page) if item],
        )
        return digest_of(shown)

    def all_documents(self, documents: Documents, files: Sequence[File]) -> Documents:
        """Return the documents of the theme's search index with those of the pages that were not written again.

        They are in the order of the pages `files`.
        """
        by_address: dict[str, Documents] = {}
        for document in documents:
            by_address.setdefault(document["location"].partition("#")[0], []).append(document)
        for file in files:
            address = _address(file)
            if file.src_uri in self._skipped:
                by_address[address] = self._documents[file.src_uri]
            elif file.src_uri in self._next:
                self._documents[file.src_uri] = by_address.get(address, [])
        addresses = dict.fromkeys((*map(_address, files), *by_address))
        return [document for address in addresses for document in by_address.get(address, ())]

    def end(self) -> None:
        """End a build that has written all it was to write."""
        self._written = dict(self._next)


def _address(file: File) -> str:
    """Return the address of a page as the theme's search index has it: that of the home page is empty."""
    return file.url.removeprefix("./")


def _navigation_entries(items: Iterable[StructureItem]) -> Iterator[tuple[Any, ...]]:
    for item in items:
        yield type(item).__name__, item.title, getattr(item, "url", ""), item.parent is None
        if isinstance(item, Section):
            yield from _navigation_entries(item.children)
            yield ("end",)
