"""A site that is served: what is known of its last build, and what the next one may leave as it is."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from devportal.site.cache.file_sizes import Sizes, sizes_below
from devportal.site.leaks.searched_files import SearchedFiles
from devportal.site.reload.causes import has_only_familiar_parts, settings_of_pages
from devportal.site.reload.kept_pages import KeptPages
from devportal.site.reload.last_inputs import LastInputs
from devportal.site.reload.written_pages import WrittenPages


class ServedSite:
    """The folder of a served site from build to build.

    A build follows the last one, and writes only what has changed, if that one has succeeded with the same settings.
    Otherwise it begins with an empty folder. Where it is not known what pages depend on, none follows.
    """

    def __init__(self) -> None:
        """Start without a build."""
        self.kept = KeptPages()
        self.written = WrittenPages()
        self.last_inputs = LastInputs()
        self.searched: SearchedFiles[Any] = SearchedFiles()
        self.keeps_pages = False
        """Whether it is known what pages depend on."""
        self._settings = ""
        self._settings_of_last_build: str | None = None
        self._contents: Mapping[str, str] = {}
        self._targets: set[str] = set()
        self._sizes: Sizes = {}

    def begin(self, config: MkDocsConfig) -> bool:
        """Begin a build; return whether it follows the last one."""
        last, self._settings_of_last_build = self._settings_of_last_build, None
        self.keeps_pages = has_only_familiar_parts(config)
        if not self.keeps_pages:
            return False
        self._settings = settings_of_pages(config)
        follows = self._settings == last
        if not follows:
            self._contents, self._targets, self._sizes = {}, set(), {}
        self.written.begin(follows=follows)
        return follows

    def settings(self, context: Iterable[object]) -> str:
        """Return a digest of what all pages depend on: the settings, and what a build makes of its inputs."""
        return _digest(repr((self._settings, *context)).encode("utf-8", "surrogatepass"))

    def take_files(self, files: Files, site: Path) -> None:
        """Have MkDocs leave the files alone that stand in the folder already, and remove those of no page or file.

        `files` are complete, and pages have decided by themselves.
        """
        before = self._contents
        self._contents = {
            file.dest_uri: _content_mark(file) for file in files if not file.is_documentation_page()
        }
        for file in files:
            if before.get(file.dest_uri, "") == self._contents.get(file.dest_uri):
                file.is_modified = _never  # type: ignore[method-assign]
        targets = {
            target
            for file in files
            if file.inclusion.is_in_serve()  # type: ignore[no-untyped-call]  # MkDocs leaves it so
            for target in _targets(file)
        }
        for target in self._targets - targets:
            (site / target).unlink(missing_ok=True)
        self._targets = targets

    def changed_files(self, site: Path) -> list[Path]:
        """Return the files of the folder that this build has written so far."""
        return [site / name for name, size in sizes_below(site).items() if self._sizes.get(name) != size]

    def end(self, site: Path) -> None:
        """End a build that has written all that it was to write."""
        self._sizes = sizes_below(site)
        self._settings_of_last_build = self._settings
        self.written.end()


def _never() -> bool:
    return False


def _targets(file: File) -> tuple[str, ...]:
    """Return the names of what a build writes for a file: the page or file, and the Markdown twin of a page."""
    return (file.dest_uri, file.src_uri) if file.is_documentation_page() else (file.dest_uri,)


def _content_mark(file: File) -> str:
    """Return what tells the content of a file from others: a digest, or size and time of the file it is copied from."""
    if file.abs_src_path is None:
        return _digest(file.content_bytes)
    status = Path(file.abs_src_path).stat()
    return f"{file.abs_src_path} {status.st_size} {status.st_mtime_ns}"


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()
