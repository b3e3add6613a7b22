"""Sizes and times of the files of a folder: by these a build knows the site that it left."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

Sizes = Mapping[str, list[int]]
"""Size in bytes and time of change in nanoseconds of each file, by its name below the folder."""


def sizes_below(folder: Path) -> dict[str, list[int]]:
    """Return size and time of each file below a folder, in order."""
    return dict(sorted(_file_sizes(str(folder), "")))


def _file_sizes(folder: str, prefix: str) -> Iterator[tuple[str, list[int]]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _file_sizes(entry.path, f"{prefix}{entry.name}/")
            else:
                with suppress(FileNotFoundError):  # a link to nothing, or a file that has just gone
                    status = entry.stat()
                    yield f"{prefix}{entry.name}", [status.st_size, status.st_mtime_ns]
