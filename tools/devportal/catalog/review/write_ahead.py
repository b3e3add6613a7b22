"""Changes record files and the audit log together or not at all, even if the process is killed."""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeVar

from devportal.catalog.records.loading import PENDING, recover_command
from devportal.documents import why_irregular
from devportal.errors import EnvironmentProblem, Place, UnreadableInput

LOG = "audit.jsonl"
_FORMAT = 1
_PATH = re.compile(r"(?:rates|coverage)/(?!(?:.*/)?\.\.?/)[^\0]*[^/\0]\.yaml", re.DOTALL)
"""The paths of record files, relative to the folder, and nothing outside it."""
_KINDS = {dict: "an object", list: "a list", str: "text", int: "a whole number"}
_ValueT = TypeVar("_ValueT", dict[str, object], list[object], str, int)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file, the hash of its bytes before (None: it did not exist), and its bytes after."""

    path: str
    before_sha256: str | None
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChange:
    """The current log, by its length in bytes and its hash, and the lines to append."""

    length: int
    before_sha256: str
    lines: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingWrite:
    """All changes of one write."""

    files: tuple[FileChange, ...]
    log: LogChange

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the changed files, relative to the folder."""
        return (*(file.path for file in self.files), LOG)


def pending_json(pending: PendingWrite) -> str:
    """Return the text that `read_pending` reads."""
    return json.dumps(
        {
            "format": _FORMAT,
            "files": [
                {"path": file.path, "before_sha256": file.before_sha256, "after": file.after.decode()}
                for file in pending.files
            ],
            "log": {
                "length": pending.log.length,
                "before_sha256": pending.log.before_sha256,
                "lines": pending.log.lines.decode(),
            },
        }
    )


def read_pending(text: bytes, *, name: str) -> PendingWrite:
    """Return the pending write. Raises UnreadableInput with the problem if the file is not one."""
    try:
        return _parse_pending(_parse_json(text))
    except _InvalidPendingError as error:
        raise UnreadableInput(
            f"this is not an interrupted write: {error}",
            place=Place(file=name),
            help="compare the folder with the history of its repository, then delete this file",
        ) from error


class _InvalidPendingError(Exception):
    """What is wrong with a file that is not a pending write, as a clause."""


def _parse_json(text: bytes) -> object:
    try:
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise _InvalidPendingError("it is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise _InvalidPendingError(f"it is not JSON at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise _InvalidPendingError("its JSON is nested too deeply") from error
    except ValueError as error:
        raise _InvalidPendingError("a number in it has too many digits") from error


def _parse_pending(parsed: object) -> PendingWrite:
    data = _require_type(parsed, "the file", dict)
    number = _get_member(data, "format", int)
    if number != _FORMAT:
        raise _InvalidPendingError(f"`format` is {number}, and only {_FORMAT} is known")
    files = [
        _parse_file_change(file, f"files.{at}") for at, file in enumerate(_get_member(data, "files", list))
    ]
    _require_distinct_paths(file.path for file in files)
    log = _get_member(data, "log", dict)
    return PendingWrite(
        files=tuple(files),
        log=LogChange(
            length=_get_member(log, "length", int, within="log"),
            before_sha256=_get_text(log, "before_sha256", within="log"),
            lines=_get_text(log, "lines", within="log").encode(),
        ),
    )


def _parse_file_change(parsed: object, where: str) -> FileChange:
    data = _require_type(parsed, f"`{where}`", dict)
    path = _get_text(data, "path", within=where)
    if not _PATH.fullmatch(path):
        raise _InvalidPendingError(f"`{where}.path` is {path!r}, which names no file of records")
    is_new = "before_sha256" in data and data["before_sha256"] is None
    return FileChange(
        path=path,
        before_sha256=None if is_new else _get_text(data, "before_sha256", within=where),
        after=_get_text(data, "after", within=where).encode(),
    )


def _require_distinct_paths(paths: Iterable[str]) -> None:
    """Raise for a file that is named twice or is also a folder: such a write could not be finished."""
    names = [PurePosixPath(path) for path in paths]
    seen = set[PurePosixPath]()
    for name in names:
        if name in seen:
            raise _InvalidPendingError(f"'{name}' is among its files twice")
        seen.add(name)
    for name in names:
        if ancestor := next((parent for parent in name.parents if parent in seen), None):
            raise _InvalidPendingError(
                f"'{ancestor}' is among its files, and so is '{name}', which is below it"
            )


def _get_text(data: dict[str, object], key: str, *, within: str) -> str:
    """Return a text that can be written: JSON may hold half of a surrogate pair, which cannot."""
    text = _get_member(data, key, str, within=within)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _InvalidPendingError(f"`{within}.{key}` holds half of a surrogate pair") from error
    return text


def _get_member(data: dict[str, object], key: str, kind: type[_ValueT], *, within: str = "") -> _ValueT:
    where = f"`{within}.{key}`" if within else f"`{key}`"
    if key not in data:
        raise _InvalidPendingError(f"{where} is missing")
    return _require_type(data[key], where, kind)


def _require_type(value: object, where: str, kind: type[_ValueT]) -> _ValueT:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _InvalidPendingError(f"{where} is not {_KINDS[kind]}")
    return value


_NEW = ".pending.new"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange:
    """A record file, relative to the folder, and its bytes before (None: it did not exist) and after."""

    path: str
    before: bytes | None
    after: bytes


def commit_changes(folder: Path, changes: Sequence[RecordChange], *, log: bytes, lines: bytes) -> None:
    """Change files and append lines to the log, whose current bytes are `log`.

    Raises EnvironmentProblem if the system refuses. Then nothing has changed, or the message reports that the
    write counts and will be finished.
    """
    pending = PendingWrite(
        files=tuple(
            FileChange(path=change.path, before_sha256=_sha256(change.before), after=change.after)
            for change in changes
        ),
        log=LogChange(length=len(log), before_sha256=hashlib.sha256(log).hexdigest(), lines=lines),
    )
    try:
        _write_new_file(folder / _NEW, pending_json(pending).encode())
        _PendingApplication(folder, pending).check()
        os.replace(folder / _NEW, folder / PENDING)  # noqa: PTH105 - every step of a write reads alike
    except OSError as error:
        raise _refused_error(folder, error) from error
    finally:
        with suppress(OSError):
            _remove(folder / _NEW)
    _apply_or_undo(folder, pending)


def _apply_or_undo(folder: Path, pending: PendingWrite) -> None:
    applied = _PendingApplication(folder, pending)
    try:
        _sync_folder(folder)
        applied.run()
    except OSError as error:
        undone = False if applied.has_replaced else applied.undo()
        if undone:
            raise _refused_error(folder, error) from error
        raise EnvironmentProblem(
            f"{folder}: the write counts, but could not be finished: {error.strerror or error}",
            help=f"fix that, then run {recover_command(str(folder))}",
        ) from error


def finish_interrupted_write(folder: Path) -> tuple[str, ...]:
    """Apply an interrupted write, and return its files, relative to the folder.

    Raises EnvironmentProblem if that is not possible, UnreadableInput if it does not fit the folder.
    """
    path = folder / PENDING
    _refuse_irregular(folder, PENDING)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unfinished_error(folder, error) from error
    pending = read_pending(text, name=str(path))
    try:
        applied = _PendingApplication(folder, pending)
        applied.check()
        applied.run()
    except OSError as error:
        raise _unfinished_error(folder, error) from error
    return pending.paths


class _PendingApplication:
    """Applies a pending write to the files, or undoes it."""

    def __init__(self, folder: Path, pending: PendingWrite) -> None:
        self._folder = folder
        self._pending = pending
        self._log = folder / LOG
        self.has_replaced = False

    def check(self) -> None:
        """Raise UnreadableInput if a file to replace was changed in the meantime, or is a link, a device or
        the like.
        """
        for path in (LOG, *(file.path for file in self._pending.files)):
            _refuse_irregular(self._folder, path)
        for file in self._pending.files:
            actual_sha256 = _sha256(_read_bytes(self._folder / file.path))
            if actual_sha256 not in {file.before_sha256, _sha256(file.after)}:
                raise _changed_file_error(self._folder / file.path)
        log = self._pending.log
        actual_log = _read_bytes(self._log) or b""
        is_long_enough = 0 <= log.length <= len(actual_log)
        is_ours = is_long_enough and hashlib.sha256(actual_log[: log.length]).hexdigest() == log.before_sha256
        if not (is_ours and log.lines.startswith(actual_log[log.length :])):
            raise _changed_file_error(self._log)

    def run(self) -> None:
        """Append to the log, replace the files, and remove the pending write. It can be repeated.

        After `check`, the log ends with at most a part of these lines, so writing them again loses nothing.
        """
        self._append()
        staged = list(self._stage())
        for temporary, target in staged:
            os.replace(temporary, target)  # noqa: PTH105
            self.has_replaced = True
        for parent in sorted({self._folder, *(target.parent for _, target in staged)}):
            _sync_folder(parent)
        _remove(self._folder / PENDING)
        _sync_folder(self._folder)
        self._clean()

    def undo(self) -> bool:
        """Remove the appended lines, then the pending write; return whether that was possible."""
        try:
            if self._log.exists():
                self._truncate_log()
            _remove(self._folder / PENDING)
        except OSError:
            return False
        self._clean()
        return True

    def _truncate_log(self) -> None:
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
        """Write the changed files next to the log, and yield each with its target."""
        for position, file in enumerate(self._pending.files):
            target = self._folder / file.path
            if _read_bytes(target) != file.after:
                target.parent.mkdir(parents=True, exist_ok=True)
                temporary = self._folder / f".pending.{position}"
                _write_new_file(temporary, file.after, like=target)
                yield temporary, target

    def _clean(self) -> None:
        for leftover in self._folder.glob(".pending.*"):
            if leftover.name != PENDING:
                with suppress(OSError):
                    _remove(leftover)


def _write_new_file(path: Path, content: bytes, *, like: Path | None = None) -> None:
    """Write a new file and flush it to disk, with the permissions of the file that it will replace.

    An existing file of that name, left by a killed process or created as a link, is removed.
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


def _sync_folder(folder: Path) -> None:
    """Flush a folder, so that renamed and removed names in it survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read_bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _sha256(content: bytes | None) -> str | None:
    return None if content is None else hashlib.sha256(content).hexdigest()


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def _refused_error(folder: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{folder}: nothing was written: {error.strerror or error}",
        help="make room, or allow writing there, then repeat the command",
    )


def _unfinished_error(folder: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{folder}: a write was interrupted here, and cannot be finished: {error.strerror or error}",
        help=f"run {recover_command(str(folder))} as somebody who may write there",
    )


def _refuse_irregular(folder: Path, path: str) -> None:
    """Raise UnreadableInput if a file of the folder is not a regular file, or is below a link."""
    if reason := why_irregular(folder, path):
        raise UnreadableInput(
            f"{folder / path}: {reason}, and records are neither read nor written through such",
            help="put the file itself there, or take it out of the folder of records",
        )


def _changed_file_error(path: Path) -> UnreadableInput:
    return UnreadableInput(
        f"{path}: somebody else changed this file while it was being written",
        help=f"restore it from the history of the repository; if the interrupted write is not wanted, "
        f"delete {PENDING}",
    )
