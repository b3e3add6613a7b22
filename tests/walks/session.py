"""A shell that stays open: commands run in it one block after the other, as in a reader's terminal."""

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.waiting import PATIENCE_S, comes_true

_NOTE_FAILURES = """trap 'printf "%s %s %s\\0" "$?" "$LINENO" "$BASH_COMMAND" >> "$WALK_FAILURES"' ERR\n"""


class Stuck(AssertionError):
    """Commands that did not end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A command that ended with another status than 0; `line` as in the block's guide."""

    line: int
    status: int
    command: str


@dataclass(slots=True, kw_only=True)
class Session:
    """A running shell. What its commands print is in `printed`, what they complain about in `complained`."""

    folder: Path
    environment: Mapping[str, str]
    patience_s: float
    """How long a block may take."""
    process: subprocess.Popen[str] = field(init=False)
    _blocks: int = 0

    def __post_init__(self) -> None:
        """Start the shell, as the leader of a group that ends with it."""
        with self._path("out").open("w") as out, self._path("err").open("w") as err:
            self.process = subprocess.Popen(
                ["bash", "--noprofile", "--norc"],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                text=True,
                cwd=self.folder,
                env={**self.environment, "WALK_FAILURES": str(self._path("failures"))},
                start_new_session=True,
            )

    @property
    def printed(self) -> str:
        """Everything on standard output until now, with plain line ends."""
        return self._path("out").read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def complained(self) -> str:
        """Everything on standard error until now."""
        return self._path("err").read_text(encoding="utf-8", errors="replace")

    def run(self, commands: str, *, line: int = 1) -> tuple[Failure, ...]:
        """Run a block whose first line has the number `line`; return the commands that failed.

        Raises Stuck where the block does not end; programs in the background do not count.
        """
        self._blocks += 1
        block, done = self._path(f"block{self._blocks}"), self._path(f"done{self._blocks}")
        # Empty lines ahead let the shell count lines as the guide does.
        block.write_text("\n" * (line - 1) + commands, encoding="utf-8")
        self._path("failures").write_bytes(b"")
        self._send(f". {shlex.quote(str(block))} < /dev/null; : > {shlex.quote(str(done))}\n")
        if not comes_true(lambda: done.exists() or self._has_ended(), patience_s=self.patience_s):
            raise Stuck(f"the commands did not end within {self.patience_s:g} s")
        if not done.exists():
            raise Stuck("the shell has ended")
        return tuple(self._failures())

    def close(self) -> None:
        """End the shell and whatever it has started."""
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()

    def _has_ended(self) -> bool:
        return self.process.poll() is not None

    def _failures(self) -> Iterator[Failure]:
        for record in self._path("failures").read_text(encoding="utf-8").split("\0")[:-1]:
            status, line, command = record.split(" ", 2)
            yield Failure(line=int(line), status=int(status), command=command)

    def _send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def _path(self, name: str) -> Path:
        return self.folder / f".walk-{name}"


@contextmanager
def session(folder: Path, environment: Mapping[str, str], *, patience_s: float) -> Iterator[Session]:
    """Open a shell in a folder, and end it with all its programs."""
    opened = Session(folder=folder, environment=environment, patience_s=PATIENCE_S)
    try:
        opened.run(_NOTE_FAILURES)
        opened.patience_s = patience_s
        yield opened
    finally:
        opened.close()
