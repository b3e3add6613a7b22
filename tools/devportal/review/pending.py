"""A write that counts and is not applied yet, as `.pending.json` holds it."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from devportal.errors import Place, UnreadableInput

LOG = "audit.jsonl"
_FORMAT = 1
_PATH = re.compile(r"(?:rates|coverage)/(?!(?:.*/)?\.\.?/)[^\0]*[^/\0]\.yaml", re.DOTALL)
"""Files of records, named from their folder, and nothing outside it."""
_KINDS = {dict: "an object", list: "a list", str: "text", int: "a whole number"}
_ValueT = TypeVar("_ValueT", dict[str, object], list[object], str, int)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file, the hash of its bytes before (None: there was none), and its bytes after."""

    path: str
    before_sha256: str | None
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChange:
    """The log until now, by its length in bytes and its hash, and the lines to append."""

    length: int
    before_sha256: str
    lines: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """All that one write changes."""

    files: tuple[FileChange, ...]
    log: LogChange

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the files that it changes, named from their folder."""
        return (*(file.path for file in self.files), LOG)


def pending_json(pending: Pending) -> str:
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


def read_pending(text: bytes, *, name: str) -> Pending:
    """Return the write; raises UnreadableInput, which says what is wrong, if this is none of ours."""
    try:
        return _pending(_json(text))
    except _NoPendingError as error:
        raise UnreadableInput(
            f"this is no interrupted write: {error}",
            place=Place(file=name),
            help="compare the folder with the history of its repository, then delete this file",
        ) from error


class _NoPendingError(Exception):
    """What is wrong with a file that is no write of ours, as a clause."""


def _json(text: bytes) -> object:
    try:
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise _NoPendingError("it is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise _NoPendingError(f"it is not JSON at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise _NoPendingError("its JSON is nested too deeply") from error
    except ValueError as error:
        raise _NoPendingError("a number in it has too many digits") from error


def _pending(read: object) -> Pending:
    data = _typed(read, "the file", dict)
    number = _member(data, "format", int)
    if number != _FORMAT:
        raise _NoPendingError(f"`format` is {number}, and only {_FORMAT} is known")
    files = [_file(file, f"files.{at}") for at, file in enumerate(_member(data, "files", list))]
    _require_apart(file.path for file in files)
    log = _member(data, "log", dict)
    return Pending(
        files=tuple(files),
        log=LogChange(
            length=_member(log, "length", int, within="log"),
            before_sha256=_text(log, "before_sha256", within="log"),
            lines=_text(log, "lines", within="log").encode(),
        ),
    )


def _file(read: object, where: str) -> FileChange:
    data = _typed(read, f"`{where}`", dict)
    path = _text(data, "path", within=where)
    if not _PATH.fullmatch(path):
        raise _NoPendingError(f"`{where}.path` is {path!r}, which names no file of records")
    is_new = "before_sha256" in data and data["before_sha256"] is None
    return FileChange(
        path=path,
        before_sha256=None if is_new else _text(data, "before_sha256", within=where),
        after=_text(data, "after", within=where).encode(),
    )


def _require_apart(paths: Iterable[str]) -> None:
    """Raise for a file that is named twice or is to be a folder too: such a write could not be finished."""
    names = [PurePosixPath(path) for path in paths]
    seen = set[PurePosixPath]()
    for name in names:
        if name in seen:
            raise _NoPendingError(f"'{name}' is among its files twice")
        seen.add(name)
    for name in names:
        if above := next((parent for parent in name.parents if parent in seen), None):
            raise _NoPendingError(f"'{above}' is among its files, and so is '{name}', which is below it")


def _text(data: dict[str, object], key: str, *, within: str) -> str:
    """Return a text that can be written; JSON may hold half of a surrogate pair, which cannot."""
    text = _member(data, key, str, within=within)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _NoPendingError(f"`{within}.{key}` holds half of a surrogate pair") from error
    return text


def _member(data: dict[str, object], key: str, kind: type[_ValueT], *, within: str = "") -> _ValueT:
    where = f"`{within}.{key}`" if within else f"`{key}`"
    if key not in data:
        raise _NoPendingError(f"{where} is missing")
    return _typed(data[key], where, kind)


def _typed(value: object, where: str, kind: type[_ValueT]) -> _ValueT:
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _NoPendingError(f"{where} is not {_KINDS[kind]}")
    return value
