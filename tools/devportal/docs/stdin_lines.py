"""Lines of standard input for an event loop."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Iterator

MAX_LINE_BYTES = 4 * 1024 * 1024
"""The longest line. Of a longer one nothing is kept: it is an empty object, which is not a message."""
_CHUNK_BYTES = 64 * 1024
_MAX_WAITING = 4
"""How many chunks wait until the program takes them."""


class StdinLines:
    """Lines as text. They are read in a thread that nobody waits for: Ctrl-C ends a program to which no line comes.

    The threads of anyio are waited for, and a thread that holds the lock of `sys.stdin` stops the interpreter.
    """

    def __init__(self, descriptor: int = 0) -> None:
        """Take the file descriptor to read."""
        self._descriptor = descriptor

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines until the input ends. Bytes that are not UTF-8 are replaced."""
        chunks: asyncio.Queue[bytes] = asyncio.Queue(_MAX_WAITING)
        reader = threading.Thread(
            target=_read, args=(self._descriptor, chunks, asyncio.get_running_loop()), daemon=True
        )
        reader.start()
        lines = LineBuffer()
        while chunk := await chunks.get():
            for line in lines.add(chunk):
                yield line
        for line in lines.add(b"\n"):
            if line:
                yield line


class LineBuffer:
    """Makes lines of chunks; what follows the last line break waits."""

    def __init__(self) -> None:
        """Start without a line."""
        self._parts: list[bytes] = []
        self._size_bytes = 0

    def add(self, chunk: bytes) -> Iterator[str]:
        """Yield the lines that a chunk ends."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            self._keep(end)
            is_too_long = self._size_bytes > MAX_LINE_BYTES
            yield "{}" if is_too_long else b"".join(self._parts).decode("utf-8", "replace")
            self._parts, self._size_bytes = [], 0
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        self._size_bytes += len(part)
        if self._size_bytes <= MAX_LINE_BYTES:
            self._parts.append(part)
        else:
            self._parts = []


def _read(descriptor: int, chunks: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    """Hand over what is read; an empty chunk is the end, also if the input cannot be read."""
    chunk = b"first"
    while chunk:
        try:
            chunk = os.read(descriptor, _CHUNK_BYTES)
        except OSError:
            chunk = b""
        try:
            asyncio.run_coroutine_threadsafe(chunks.put(chunk), loop).result()
        except RuntimeError:  # the loop has ended
            return
