"""Generated files between rendering and writing: large ones wait on disk, so that large sites need less memory."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from weakref import finalize

from devportal.markup import Artefact

LARGE_BYTES = 4096
"""Smaller files stay in memory: all of them together are small."""
_PART_BYTES = 1 << 20


class _SpoolFile:
    """A temporary file with the contents of files, one behind another; it is deleted with the last of them."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed below
        self._size = 0
        finalize(self, self._file.close)

    def append(self, content: bytes) -> int:
        """Write a content behind the others; return where it starts."""
        start = self._size
        self._file.seek(start)
        self._file.write(content)
        self._size += len(content)
        return start

    def read(self, start: int, size: int) -> bytes:
        """Return a content, or a part of one."""
        self._file.seek(start)
        return self._file.read(size)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpooledFile:
    """A generated file, such as an `Artefact`, whose content is on disk: each look at it reads it.

    Processes share the file on disk and where they are in it, so only the one that wrote it may read it.
    """

    uri: str
    size_bytes: int
    spool: _SpoolFile = field(repr=False)
    start: int = field(repr=False)

    @property
    def content(self) -> bytes:
        """Return the whole content, read from the spool."""
        return self.spool.read(self.start, self.size_bytes)

    def write_to(self, path: Path) -> None:
        """Write the content into a file, in parts. Raises OSError."""
        end = self.start + self.size_bytes
        with path.open("wb") as file:
            for start in range(self.start, end, _PART_BYTES):
                file.write(self.spool.read(start, min(_PART_BYTES, end - start)))


GeneratedFile = Artefact | SpooledFile
"""A generated file, in memory or on disk."""


class FileSpool:
    """Takes generated files, and keeps the content of large ones on disk."""

    def __init__(self) -> None:
        """Start without files; the first large one makes the temporary file."""
        self._spool: _SpoolFile | None = None

    def add(self, artefact: Artefact) -> GeneratedFile:
        """Return a file with the same uri and content. Raises OSError if there is no room on disk."""
        if len(artefact.content) < LARGE_BYTES:
            return artefact
        self._spool = self._spool or _SpoolFile()
        start = self._spool.append(artefact.content)
        return SpooledFile(uri=artefact.uri, size_bytes=len(artefact.content), spool=self._spool, start=start)
