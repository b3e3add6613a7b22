"""A site that is served: what is known of its last build, and what the next one may leave as it is."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from devportal.site.cache.file_sizes import Sizes, sizes_below
from devportal.site.leaks.searched_files import SearchedFiles
from devportal.site.reload.causes import has_only_familiar_parts, settings_of_pages
from devportal.site.reload.digests import digest_of, digest_of_bytes
from devportal.site.reload.kept_pages import KeptPages
from devportal.site.reload.last_inputs import LastInputs
from devportal.site.reload.written_pages import WrittenPages
from devportal.site.rendering.frames import KnownFrames


class ServedSite:
    """The folder of a served site from build to build.

    A build follows the last one, and writes only what has changed, if that one has succeeded with the same settings.
    Otherwise it begins with an empty folder. If it is not known what pages depend on, none follows.
    """

    def __init__(self) -> None:
        """Start without a build."""
        self.kept = KeptPages()
        self.written = WrittenPages()
        self.last_inputs = LastInputs()
        self.searched: SearchedFiles[Any] = SearchedFiles()
        self.frames = KnownFrames()
        self.keeps_pages = False
        """Whether it is known what pages depend on."""
        self._settings = ""
        self._settings_of_last_build: str | None = None
        self._sources: dict[str, list[str]] = {}
        """What each file of the folder is made from, by its name."""
        self._replaced: Mapping[str, str] = {}
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
            self._sources, self._sizes = {}, {}
        self.written.begin(follows=follows)
        return follows

    def settings(self, context: Iterable[object]) -> str:
        """Return a digest of what all pages depend on: the settings, and what a build makes of its inputs."""
        return digest_of((self._settings, *context))

    def take_files(self, files: Files, config: MkDocsConfig, replaced: Mapping[str, str]) -> None:
        """Have MkDocs leave the files alone that stand in the folder already.

        `files` are complete, and pages have decided by themselves. A file that two of them are written to is written
        each time, and so are all if other addresses are `replaced` in them than in the last build.
        """
        served = [
            file
            for file in files
            if file.inclusion.is_in_serve()  # type: ignore[no-untyped-call]  # MkDocs leaves it so
        ]
        before = self._sources if self._replaced == replaced else {}
        self._replaced, self._sources = dict(replaced), {}
        for file in served:
            self._sources.setdefault(file.dest_uri, []).append(_source_mark(file))
        for file in served:
            sources = self._sources[file.dest_uri]
            if (
                sources != before.get(file.dest_uri)
                or len(sources) > 1
                or file.src_uri in config.extra_templates
            ):
                file.is_modified = _always  # type: ignore[method-assign]
            elif not file.is_documentation_page():
                file.is_modified = _never  # type: ignore[method-assign]

    def changed_files(self, site: Path) -> list[Path]:
        """Return the files of the folder that this build has written so far."""
        return [site / name for name, size in sizes_below(site).items() if self._sizes.get(name) != size]

    def end(self, site: Path) -> None:
        """End a build that has written all that it was to write."""
        self._sizes = sizes_below(site)
        self._settings_of_last_build = self._settings
        self.written.end()


def _always() -> bool:
    return True


def _never() -> bool:
    return False


def _source_mark(file: File) -> str:
    """Return what identifies the source of a file: for a page, which one it is; else what it holds, by a digest
    or by size and times of the file it is copied from. `cp -p` sets the time of change, but not that of the inode.
    """
    if file.is_documentation_page():
        return file.src_uri
    if file.abs_src_path is None:
        return digest_of_bytes(file.content_bytes)
    status = Path(file.abs_src_path).stat()
    return f"{file.abs_src_path} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
