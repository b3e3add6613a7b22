"""What a mock remembers: records of resources and results of idempotency keys, in memory or in a SQLite file."""

import base64
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from devportal.contract.path_templates import without_names
from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.mock.http.exchange import MockResponse
from devportal.serving.clock import ClockMode, ClockState

Scope = tuple[str, ...]
"""The values of the path parameters before the identifier of a resource."""
CONTENT = "$content"
"""The member that holds the content of a file, in Base64. No schema describes it, so no representation shows it."""
_FORMAT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A stored resource: the path of its type, where it is, its members, and how often it was written."""

    type: str
    scope: Scope
    id: str
    members: Mapping[str, Any]
    serial: int
    version: int = 1
    origin: Scope = ()
    """The values in the path of the request that created it, if that is below another resource than its own path."""


def described_members(record: Record) -> dict[str, Any]:
    """Return the members of a resource without the content of a file."""
    return {name: member for name, member in record.members.items() if not name.startswith(CONTENT)}


def content_of_part(name: str) -> str:
    """Return the member that holds the file of one part of a form."""
    return f"{CONTENT}.{name}"


def stored_content(record: Record, part: str = "") -> bytes:
    """Return the bytes that a client gave to a resource that is a file, or in the part of a form with this name. Empty
    if it gave none.
    """
    contents = {name: member for name, member in record.members.items() if name.startswith(CONTENT)}
    only = next(iter(contents.values())) if len(contents) == 1 else None
    text = contents.get(content_of_part(part), only)
    return base64.b64decode(text) if isinstance(text, str) else b""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult:
    """The result of a request with an idempotency key: a digest of the request, and the response."""

    key: str
    digest: str
    response: MockResponse


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A resource that is removed, with all below it."""

    type: str
    scope: Scope
    id: str


Change = Record | Removal | KeptResult
"""A change of the state: a record that is written, one that is removed, or a result that is kept."""


class State:
    """The records of a mock, in memory, in the order of their creation."""

    def __init__(self) -> None:
        """Start without any."""
        self._records: dict[tuple[str, Scope], dict[str, Record]] = {}
        self._results: dict[str, KeptResult] = {}
        self.last_serial = 0
        """The highest serial that a record has had, deleted ones too; 0 if there has never been one."""
        self.clock: ClockState | None = None
        """How the clock runs, None before the first start."""

    def find(self, type_path: str, scope: Scope, record_id: str) -> Record | None:
        """Return a record, None if there is none."""
        return self._records.get((type_path, scope), {}).get(record_id)

    def records(self, type_path: str, scope: Scope) -> tuple[Record, ...]:
        """Return the records of a collection, the oldest first."""
        return tuple(self._records.get((type_path, scope), {}).values())

    def result(self, key: str) -> KeptResult | None:
        """Return the result that is kept for an idempotency key, None if there is none."""
        return self._results.get(key)

    def counts(self) -> dict[str, int]:
        """Return how many records there are, by the path of their type."""
        counts: dict[str, int] = {}
        for (path, _), records in self._records.items():
            counts[path] = counts.get(path, 0) + len(records)
        return counts

    def all_records(self) -> Iterator[Record]:
        """Yield the records of all types and scopes."""
        for records in self._records.values():
            yield from records.values()

    def apply(self, changes: Iterable[Change]) -> None:
        """Carry out changes."""
        for change in changes:
            match change:
                case Record():
                    self._records.setdefault((change.type, change.scope), {})[change.id] = change
                    self.last_serial = max(self.last_serial, change.serial)
                case Removal():
                    self._remove(change)
                case KeptResult():
                    self._results[change.key] = change

    def _remove(self, removal: Removal) -> None:
        for address in self._collections_below(removal):
            del self._records[address]
        self._records.get((removal.type, removal.scope), {}).pop(removal.id, None)

    def _collections_below(self, removal: Removal) -> list[tuple[str, Scope]]:
        """Return the collections below a resource. Their paths may name its identifier otherwise."""
        inner, start = (*removal.scope, removal.id), f"{without_names(removal.type)}/"
        return [
            (path, scope)
            for path, scope in self._records
            if scope[: len(inner)] == inner and without_names(path).startswith(start)
        ]

    def set_clock(self, clock: ClockState) -> None:
        """Remember how the clock runs."""
        self.clock = clock

    def clear(self) -> None:
        """Forget everything but the clock."""
        self._records.clear()
        self._results.clear()

    def close(self) -> None:
        """Release what the state holds."""


class StateFile(State):
    """A state that is also in a SQLite file: a mock that starts with the file goes on where the last one ended."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it. Raises InvalidSettings if it is another file, EnvironmentProblem if the
        machine refuses.
        """
        super().__init__()
        self._connection = _connect(path)
        self._load()

    def _load(self) -> None:
        rows = self._connection.execute("SELECT data FROM records ORDER BY serial")
        super().apply(_record_from_json(json.loads(data)) for (data,) in rows)
        results = self._connection.execute("SELECT data FROM results")
        super().apply(_result_from_json(json.loads(data)) for (data,) in results)
        facts = dict(self._connection.execute("SELECT name, value FROM facts").fetchall())
        if "clock_at" in facts:
            at, real_at = (
                datetime.fromtimestamp(float(facts[name]), UTC) for name in ("clock_at", "clock_real_at")
            )
            speed = float(facts["clock_speed"])
            mode = ClockMode.RUNNING if speed else ClockMode.MANUAL
            self.clock = ClockState(mode=mode, speed=speed, at=at, real_at=real_at)
        self.last_serial = max(self.last_serial, int(facts.get("last_serial", 0)))

    def apply(self, changes: Iterable[Change]) -> None:
        """Carry out changes, in memory and in the file, all or none."""
        listed = tuple(changes)
        below: list[tuple[str, Scope]] = []
        for change in listed:
            below += self._collections_below(change) if isinstance(change, Removal) else ()
            super().apply((change,))
        if not listed:
            return
        with self._connection:
            for change in listed:
                self._write(change)
            self._connection.execute(
                "INSERT OR REPLACE INTO facts (name, value) VALUES ('last_serial', ?)", (self.last_serial,)
            )
            self._connection.executemany(
                "DELETE FROM records WHERE type = ? AND scope = ?",
                [(path, json.dumps([*scope])) for path, scope in below],
            )

    def _write(self, change: Change) -> None:
        match change:
            case Record():
                self._connection.execute(
                    "INSERT OR REPLACE INTO records (type, scope, id, serial, data) VALUES (?, ?, ?, ?, ?)",
                    (*_address(change), change.serial, json.dumps(_record_to_json(change))),
                )
            case Removal():
                kind, scope, record_id = _address(change)
                self._connection.execute(
                    "DELETE FROM records WHERE type = ? AND scope = ? AND id = ?", (kind, scope, record_id)
                )
            case KeptResult():
                self._connection.execute(
                    "INSERT OR REPLACE INTO results (key, data) VALUES (?, ?)",
                    (_ascii(change.key), json.dumps(_result_to_json(change))),
                )

    def set_clock(self, clock: ClockState) -> None:
        """Remember how the clock runs, in the file too."""
        super().set_clock(clock)
        facts = {
            "clock_at": clock.at.timestamp(),
            "clock_real_at": clock.real_at.timestamp(),
            "clock_speed": clock.speed,
        }
        with self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", facts.items()
            )

    def clear(self) -> None:
        """Forget everything but the clock, in the file too."""
        super().clear()
        with self._connection:
            self._connection.execute("DELETE FROM records")
            self._connection.execute("DELETE FROM results")

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        application, version = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        has_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        if has_tables and (application, version) != (_APPLICATION, _FORMAT):
            connection.close()
            raise InvalidSettings(
                f"{path} is a database, but not one of this version of devportal mock",
                help="give --database a file that does not exist yet",
            )
        connection.executescript(_TABLES)
    except sqlite3.DatabaseError as error:
        raise (
            EnvironmentProblem(f"{path} cannot be opened: {error}", help="give --database another path")
            if isinstance(error, sqlite3.OperationalError)
            else InvalidSettings(f"{path} is not a database: {error}", help="give --database another path")
        ) from error
    return connection


_APPLICATION = 0x646D6F6B
"""`dmok`, which marks our files (SQLite, PRAGMA application_id)."""
_TABLES = f"""
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_FORMAT};
CREATE TABLE IF NOT EXISTS records (
    type TEXT NOT NULL, scope TEXT NOT NULL, id TEXT NOT NULL, serial INTEGER NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (type, scope, id)
);
CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value REAL NOT NULL);
"""


def _address(change: Record | Removal) -> tuple[str, str, str]:
    return change.type, json.dumps([*change.scope]), _ascii(change.id)


def _ascii(text: str) -> str:
    """Return a text as SQLite can store it: half of a surrogate pair is not UTF-8."""
    return text if text.isascii() else json.dumps(text)


def _record_to_json(record: Record) -> dict[str, Any]:
    return {
        "type": record.type,
        "scope": [*record.scope],
        "id": record.id,
        "members": record.members,
        "serial": record.serial,
        "version": record.version,
        "origin": [*record.origin],
    }


def _record_from_json(data: Mapping[str, Any]) -> Record:
    return Record(
        type=data["type"],
        scope=tuple(data["scope"]),
        id=data["id"],
        members=data["members"],
        serial=data["serial"],
        version=data["version"],
        origin=tuple(data["origin"]),
    )


def _result_to_json(result: KeptResult) -> dict[str, Any]:
    return {
        "key": result.key,
        "digest": result.digest,
        "status": result.response.status,
        "headers": [*map(list, result.response.headers)],
        "body": base64.b64encode(result.response.body).decode("ascii"),
    }


def _result_from_json(data: Mapping[str, Any]) -> KeptResult:
    response = MockResponse(
        status=data["status"],
        headers=tuple((name, value) for name, value in data["headers"]),
        body=base64.b64decode(data["body"]),
    )
    return KeptResult(key=data["key"], digest=data["digest"], response=response)
