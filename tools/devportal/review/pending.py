"""A write that counts and is not applied yet, as `.pending.json` holds it."""

import json
import re
from dataclasses import dataclass

from devportal.errors import Place, UnreadableInput

LOG = "audit.jsonl"
_FORMAT = 1
_PATH = re.compile(r"(?:rates|coverage)/(?!(?:.*/)?\.\.?/)[^\0]*[^/\0]\.yaml", re.DOTALL)
"""Files of records, named from their folder, and nothing outside it."""


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
    """Return the write; raises UnreadableInput where this is none of ours."""
    try:
        data = json.loads(text)
        if data["format"] != _FORMAT:
            raise ValueError(f"format {data['format']!r}")
        log = data["log"]
        return Pending(
            files=tuple(_file(file) for file in data["files"]),
            log=LogChange(
                length=int(log["length"]),
                before_sha256=str(log["before_sha256"]),
                lines=str(log["lines"]).encode(),
            ),
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise UnreadableInput(
            f"this is no interrupted write: {error}",
            place=Place(file=name),
            help="compare the folder with the history of its repository, then delete this file",
        ) from error


def _file(data: dict[str, str]) -> FileChange:
    path = str(data["path"])
    path.encode()  # JSON may hold half of a surrogate pair, which is in no name of a file
    if not _PATH.fullmatch(path):
        raise ValueError(f"path {path!r}")
    before = data["before_sha256"]
    return FileChange(
        path=path, before_sha256=None if before is None else str(before), after=str(data["after"]).encode()
    )
