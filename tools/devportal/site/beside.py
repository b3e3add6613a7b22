"""Other commands of ours that run beside the portal, such as those of plug-ins, and end with it."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from devportal.errors import InvalidSettings

_PATIENCE_S = 10
_PAUSE_S = 0.1
_TOLD_TO_END = frozenset({0, 130, -signal.SIGINT, -signal.SIGTERM})
"""How commands end that were told to: Ctrl-C reaches them too, and sometimes before us."""


class Beside:
    """Runs commands beside a portal. What they say is held back until the portal answers: a token that is
    shown before the portal is built would be pushed out of sight.

    `ended` names those that have ended although nobody told them to.
    """

    def __init__(self, host: str, port: int) -> None:
        """Take the address of the portal."""
        self._address = (host, port)
        self._is_over = threading.Event()
        self.ended: list[str] = []

    @contextmanager
    def running(self, command: str) -> Iterator[None]:
        """Run a command in a process that ends with us; where it ends first, so do we."""
        program = [sys.executable, "-m", "devportal", *_words(command)]
        process = subprocess.Popen(program, stderr=subprocess.PIPE)  # noqa: S603 - our own
        voice = _Voice(process.stderr)

        def watch() -> None:
            code = process.wait()
            voice.finish()
            if not self._is_over.is_set():
                if code not in _TOLD_TO_END:
                    self.ended.append(command)
                os.kill(os.getpid(), signal.SIGTERM)

        def introduce() -> None:
            self._wait_for_portal()
            voice.release()

        for task in (watch, introduce):
            threading.Thread(target=task, daemon=True).start()
        try:
            yield
        finally:
            self._is_over.set()
            _end(process)
            voice.finish()

    def _wait_for_portal(self) -> None:
        """Wait until something answers at the portal's address, or all is over."""
        while not self._is_over.wait(_PAUSE_S):
            try:
                socket.create_connection(self._address, timeout=1).close()
            except OSError:
                continue
            return


class _Voice:
    """What a process says on standard error, kept until it is released, and passed on from then on."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._kept: list[bytes] | None = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def release(self) -> None:
        """Pass on what was kept, and all that follows."""
        with self._lock:
            kept, self._kept = self._kept, None
            _write(*(kept or ()))

    def finish(self) -> None:
        """Pass on the last words of a process that has ended."""
        self._reader.join(_PATIENCE_S)
        self.release()

    def _read(self) -> None:
        for line in self._stream or ():
            with self._lock:
                if self._kept is None:
                    _write(line)
                else:
                    self._kept.append(line)


def _write(*lines: bytes) -> None:
    sys.stderr.buffer.writelines(lines)
    sys.stderr.buffer.flush()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidSettings(
            f"--with: {command!r} is no command: {error}",
            help="end each quotation with the mark that begins it",
        ) from error
