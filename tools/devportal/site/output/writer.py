"""Writes the generated pages of a site: fills their frames, and leaves alone what stands there already."""

from collections.abc import Callable, Mapping
from pathlib import Path

from mkdocs.structure.pages import Page as SitePage

from devportal.markup import Page
from devportal.site.cache.output import SiteOutput
from devportal.site.cache.store import StoredPage
from devportal.site.output.changed_text import write_changed_text
from devportal.site.output.twins import TwinPublisher
from devportal.site.portal import Portal
from devportal.site.rendering.frames import Frames


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

    def text(self, page: SitePage) -> str:
        """Return the whole text of a page that gets a frame, and write its Markdown twin."""
        uri = page.file.src_uri
        if self._frames is None:
            raise RuntimeError("the frames come from MkDocs before any page is built")
        generated = self._portal.store.page(self._stored[uri].head)
        self._write_twin(uri, generated)
        return self._frames.page(page, generated)

    def _write_twin(self, uri: str, page: Page) -> None:
        write_changed_text(self._site / uri, self._twins.publish(uri, page.markdown))

    def finish(self) -> dict[str, str]:
        """Write the other twins; return a digest of each page by its uri, empty if only writing would tell."""
        for uri, stored in self._stored.items():
            if uri not in self._framed:
                self._write_twin(uri, self._portal.store.page(stored.head))
        return {uri: self._digest(stored) for uri, stored in self._stored.items()}
