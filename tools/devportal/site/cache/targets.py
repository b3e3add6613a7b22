"""The files of a site that MkDocs writes: a build that follows another removes those that are not written any more."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from mkdocs.structure.files import File


def target_names(files: Iterable[File]) -> Iterator[str]:
    """Yield the names of what a build writes for files: the file or page, and the Markdown twin of a page."""
    for file in files:
        yield file.dest_uri
        if file.is_documentation_page():
            yield file.src_uri


def remove_targets(site: Path, names: Iterable[str]) -> None:
    """Remove files from the folder of a site, and the folders that they leave empty: a file may get the name of one."""
    for name in sorted(names):
        file = site / name
        file.unlink(missing_ok=True)
        with suppress(OSError):  # the first that is not empty, or that is gone already
            for folder in list(file.parents)[: len(Path(name).parents) - 1]:
                folder.rmdir()
