"""Writes the generated pages of a site: fills their frames, and leaves alone what stands there already."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from mkdocs.structure.pages import Page as SitePage
from mkdocs.utils import write_file

from devportal.forked_task import ForkedTask, start_forked_task
from devportal.markup import Page, PageHead
from devportal.site.cache.output import SiteOutput
from devportal.site.cache.store import StoredPage
from devportal.site.output.changed_text import write_changed_text
from devportal.site.output.twins import TwinPublisher
from devportal.site.portal import Portal
from devportal.site.rendering.frames import Frames

MIN_PAGES = 250
"""With fewer pages for each process, starting another costs more than it saves."""


class PageWriter:
    """The generated pages of one build on their way into the folder of the site."""

    def __init__(
        self,
        portal: Portal,
        site: Path,
        *,
        twins: TwinPublisher,
        before: SiteOutput | None,
    ) -> None:
        """Take the pages, the folder, and what the last build left there if this one follows it."""
        self._portal = portal
        self._site = site
        self._twins = twins
        self._before = before
        self._stored: Mapping[str, StoredPage] = {page.head.uri: page for page in portal.pages}
        self._framed: Mapping[str, SitePage] = {}
        self._frames: Frames | None = None
        self._are_same = False
        self._shares: dict[ForkedTask[None], Sequence[SitePage]] = {}
        """The pages that other processes write."""

    def frame(self, framed: Mapping[str, SitePage]) -> None:
        """Take the pages that get frames; whether their files are written again is decided here."""
        self._framed = framed
        for uri, page in framed.items():
            page.file.is_modified = self._decision(uri)  # type: ignore[method-assign]

    def use(self, frames: Frames, *, are_same: bool = False) -> None:
        """Take the frames, once MkDocs has made what they are rendered with.

        `are_same` says that the last build, which this one follows, had the same pages, and the same frames.
        """
        self._frames = frames
        self._are_same = are_same

    def _decision(self, uri: str) -> Callable[[], bool]:
        return lambda: self._frames is not None and not self._are_same and self._has_changed(uri)

    def _has_changed(self, uri: str) -> bool:
        digest = self._digest(self._stored[uri])
        return self._before is None or not digest or self._before.digests.get(uri) != digest

    def _digest(self, stored: StoredPage) -> str:
        """Return a digest of what is written for a page; empty if only writing would tell."""
        page = self._framed.get(stored.head.uri)
        if page is None or self._frames is None:
            return ""
        if self._are_same and self._before is not None:
            return self._before.digests.get(stored.head.uri, "")
        frame = self._frames.digest(page, stored)
        return f"{stored.digest} {frame}" if frame else ""

    def has(self, page: SitePage) -> bool:
        """Return whether a page gets a frame."""
        return page.file.src_uri in self._framed

    def makes(self, page: SitePage) -> bool:
        """Return whether a page is a generated one."""
        return page.file.src_uri in self._stored

    @property
    def frames(self) -> Frames:
        """The frames. Raises RuntimeError before MkDocs has made what they are rendered with."""
        if self._frames is None:
            raise RuntimeError("the frames come from MkDocs before any page is built")
        return self._frames

    def start(self, processes: int) -> None:
        """Begin to write the changed pages that get frames, with their Markdown twins: MkDocs is to leave them alone.

        The first pages of each kind, which prove its frame, are written at once, and many others by up to this many
        other processes, which `finish` waits for.
        """
        changed = [page for page in self._framed.values() if page.file.is_modified()]
        for page in self._framed.values():
            page.file.is_modified = lambda: False  # type: ignore[method-assign]
        proven = []
        for page in changed:
            if self.frames.is_proven(page, self._stored[page.file.src_uri]):
                proven.append(page)
            else:
                self._write(page, self._portal.store.page)
        for page in self._share(proven, processes):
            self._write(page, self._portal.store.page)

    def _share(self, pages: Sequence[SitePage], processes: int) -> Sequence[SitePage]:
        """Have other processes write their shares of pages, if these are many; return the pages that are left."""
        shares = min(processes, len(pages) // MIN_PAGES) if self._portal.store.has_file else 0
        if shares < 2:
            return pages
        left: list[SitePage] = []
        for number in range(shares):
            share = pages[number::shares]
            task = start_forked_task(partial(self._write_share, share))
            if task is None:
                left += share
            else:
                self._shares[task] = share
        return left

    def stop(self) -> None:
        """End all processes that still write."""
        for task in self._shares:
            task.stop()
        self._shares = {}

    def _write_share(self, share: Iterable[SitePage]) -> Iterator[None]:
        """Write pages in a process for that alone."""
        with self._portal.store.opened_again() as stored_page:
            for page in share:
                self._write(page, stored_page)
        return iter(())

    def _write(self, page: SitePage, stored_page: Callable[[PageHead], Page]) -> None:
        output = self._text(page, stored_page).encode(errors="xmlcharrefreplace")  # as MkDocs does
        write_file(output, page.file.abs_dest_path)

    def text(self, page: SitePage) -> str:
        """Return the whole text of a page that gets a frame, and write its Markdown twin."""
        return self._text(page, self._portal.store.page)

    def _text(self, page: SitePage, stored_page: Callable[[PageHead], Page]) -> str:
        uri = page.file.src_uri
        generated = stored_page(self._stored[uri].head)
        self._write_twin(uri, generated)
        return self.frames.page(page, generated)

    def _write_twin(self, uri: str, page: Page) -> None:
        write_changed_text(self._site / uri, self._twins.publish(uri, page.markdown))

    def finish(self) -> dict[str, str]:
        """Have all pages written, and their twins; return a digest of each page by its uri, empty if only writing would
        tell.
        """
        while self._shares:
            task, share = self._shares.popitem()
            if not task.has_succeeded():  # whatever it was, it is raised here
                for page in share:
                    self._write(page, self._portal.store.page)
        for uri, stored in self._stored.items():
            if uri not in self._framed:
                self._write_twin(uri, self._portal.store.page(stored.head))
        return {uri: self._digest(stored) for uri, stored in self._stored.items()}
