"""Changes record files and the audit log together or not at all, whatever is killed whenever.

First all that is to change is written to `.pending.json`, beside the log, and flushed to the disk: from its
renaming on the write counts as done. Then it is applied, and the file removed. What was killed in between is
finished by the next command that writes, before it looks at anything, or by `recover`; whoever only reads
reports it. Whoever calls this holds the folder alone (`devportal.review.lock`).

Only regular files inside the folder are read and written: a link in it leads nobody out.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from devportal.catalog.loading import PENDING, recover_command
from devportal.documents import why_irregular
from devportal.errors import EnvironmentProblem, UnreadableInput
from devportal.review.pending import LOG, FileChange, LogChange, Pending, pending_json, read_pending

_NEW = ".pending.new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file of records, named from the folder, and its bytes before (None: there was none) and after."""

    path: str
    before: bytes | None
    after: bytes


def commit(folder: Path, changes: Sequence[Change], *, log: bytes, lines: bytes) -> None:
    """Change files and append lines to the log, whose bytes until now are `log`.

    Raises EnvironmentProblem where the machine refuses. Nothing has changed then, or the message says that
    the write counts and will be finished.
    """
    pending = Pending(
        files=tuple(
            FileChange(path=one.path, before_sha256=_sha256(one.before), after=one.after) for one in changes
        ),
        log=LogChange(length=len(log), before_sha256=hashlib.sha256(log).hexdigest(), lines=lines),
    )
    try:
        _write(folder / _NEW, pending_json(pending).encode())
        _Applied(folder, pending).check()
        os.replace(folder / _NEW, folder / PENDING)  # noqa: PTH105 - every step of a write reads alike
    except OSError as error:
        raise _refused(folder, error) from error
    finally:
        with suppress(OSError):
            _remove(folder / _NEW)
    _apply_or_undo(folder, pending)


def _apply_or_undo(folder: Path, pending: Pending) -> None:
    applied = _Applied(folder, pending)
    try:
        _sync(folder)
        applied.run()
    except OSError as error:
        undone = False if applied.has_replaced else applied.undo()
        if undone:
            raise _refused(folder, error) from error
        raise EnvironmentProblem(
            f"{folder}: the write counts, but could not be finished: {error.strerror or error}",
            help=f"fix that, then run {recover_command(str(folder))}",
        ) from error


def finish(folder: Path) -> tuple[str, ...]:
    """Apply what a killed writer left, and return the files that it was about, named from the folder.

    Raises EnvironmentProblem where that is not possible, UnreadableInput where it does not fit the folder.
    """
    path = folder / PENDING
    _refuse_irregular(folder, PENDING)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unfinished(folder, error) from error
    pending = read_pending(text, name=str(path))
    try:
        applied = _Applied(folder, pending)
        applied.check()
        applied.run()
    except OSError as error:
        raise _unfinished(folder, error) from error
    return pending.paths


class _Applied:
    """The steps from a write that counts to one that is in its place."""

    def __init__(self, folder: Path, pending: Pending) -> None:
        self._folder = folder
        self._pending = pending
        self._log = folder / LOG
        self.has_replaced = False

    def check(self) -> None:
        """Raise UnreadableInput where somebody else has changed what is to be replaced, or has put a link, a
        device or the like into its place.
        """
        for path in (LOG, *(file.path for file in self._pending.files)):
            _refuse_irregular(self._folder, path)
        for file in self._pending.files:
            found = _sha256(_bytes(self._folder / file.path))
            if found not in {file.before_sha256, _sha256(file.after)}:
                raise _changed(self._folder / file.path)
        log = self._pending.log
        kept = _bytes(self._log) or b""
        is_long_enough = 0 <= log.length <= len(kept)
        is_ours = is_long_enough and hashlib.sha256(kept[: log.length]).hexdigest() == log.before_sha256
        if not (is_ours and log.lines.startswith(kept[log.length :])):
            raise _changed(self._log)

    def run(self) -> None:
        """Append to the log, put the files into place, and forget the write. May be done again.

        What `check` has let pass is at most a part of our own lines, so that writing them anew loses nothing.
        """
        self._append()
        staged = list(self._stage())
        for temporary, target in staged:
            os.replace(temporary, target)  # noqa: PTH105
            self.has_replaced = True
        for parent in sorted({self._folder, *(target.parent for _, target in staged)}):
            _sync(parent)
        _remove(self._folder / PENDING)
        _sync(self._folder)
        self._clean()

    def undo(self) -> bool:
        """Take back what was appended, then forget the write; say whether that was possible."""
        try:
            if self._log.exists():
                self._cut()
            _remove(self._folder / PENDING)
        except OSError:
            return False
        self._clean()
        return True

    def _cut(self) -> None:
        descriptor = os.open(self._log, os.O_WRONLY | os.O_NOFOLLOW)
        try:
            os.ftruncate(descriptor, self._pending.log.length)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _append(self) -> None:
        log = self._pending.log
        descriptor = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            os.lseek(descriptor, log.length, os.SEEK_SET)
            _write_all(descriptor, log.lines)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _stage(self) -> Iterator[tuple[Path, Path]]:
        """Write the files that are not as they shall be beside the log, and yield where each belongs."""
        for position, file in enumerate(self._pending.files):
            target = self._folder / file.path
            if _bytes(target) != file.after:
                target.parent.mkdir(parents=True, exist_ok=True)
                temporary = self._folder / f".pending.{position}"
                _write(temporary, file.after, like=target)
                yield temporary, target

    def _clean(self) -> None:
        for left in self._folder.glob(".pending.*"):
            if left.name != PENDING:
                with suppress(OSError):
                    _remove(left)


def _write(path: Path, content: bytes, *, like: Path | None = None) -> None:
    """Write a new file and flush it to the disk, with the permissions of another that it will replace.

    What is there by its name, left by a kill or put there as a link, is removed.
    """
    _remove(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        if like is not None and like.exists():
            os.fchmod(descriptor, stat.S_IMODE(like.stat().st_mode))
        _write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync(folder: Path) -> None:
    """Flush a folder: names that were given and taken in it survive a power cut from here on."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _sha256(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _refused(folder: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{folder}: nothing was written: {error.strerror or error}",
        help="make room, or allow writing there, then repeat the command",
    )


def _unfinished(folder: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{folder}: a write was interrupted here, and cannot be finished: {error.strerror or error}",
        help=f"run {recover_command(str(folder))} as somebody who may write there",
    )


def _refuse_irregular(folder: Path, path: str) -> None:
    """Raise UnreadableInput where a file of the folder is no regular file, or below a link."""
    if wrong := why_irregular(folder, path):
        raise UnreadableInput(
            f"{folder / path}: {wrong}, and records are neither read nor written through such",
            help="put the file itself there, or take it out of the folder of records",
        )


def _changed(path: Path) -> UnreadableInput:
    return UnreadableInput(
        f"{path}: somebody else changed this file while it was being written",
        help=f"restore it from the history of the repository; if the interrupted write is not wanted, "
        f"delete {PENDING}",
    )
