"""Rendered pages, within one build and between builds: on disk, so that a large site need not fit in memory.

A store is a cache. It can be deleted at any time. One that cannot be read is made again, and so is one whose texts are
not those that were written: after a crash of the machine, a file may have any content. Methods raise
sqlite3.DatabaseError for that, and if there is no room on disk.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from devportal.errors import EnvironmentProblem
from devportal.gc_pause import without_garbage
from devportal.markup import Artefact, Heading, Page, PageHead, PriceSpan, SearchEntry, SearchKind

_SCHEMA_VERSION = 7
"""The number of the form of what is stored: count it up with every change of it."""
_FILES = "files"
"""What the name of the note with the digest of what the files of a part were made from ends with."""
_MAY_SHOW_SQL = "(?1 = '' OR units = '' OR instr(units, char(10) || ?2 || char(10)))"
_OPEN_SQL = """
PRAGMA page_size = 32768;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
BEGIN EXCLUSIVE;
"""
"""Rendered pages are long, so those of the database are, too: that spares most calls of the system."""
_TABLES_SQL = """
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT, digest TEXT);
CREATE TABLE files (part TEXT, uri TEXT, content BLOB, digest TEXT, PRIMARY KEY (part, uri));
CREATE TABLE pages (part TEXT, position INTEGER, uri TEXT PRIMARY KEY, head_digest TEXT, digest TEXT,
                    has_sidebar INTEGER, units TEXT, head TEXT, body TEXT, markdown TEXT, sidebar TEXT);
"""


class UnusableStore(EnvironmentProblem):
    """A store that is damaged, or has no room on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """What is known of a stored page without reading its body; `digest` changes with anything of it."""

    head: PageHead
    digest: str
    has_sidebar: bool


class PageStore:
    """Pages by their uri, in parts that are replaced or updated as a whole."""

    def __init__(self, file: Path | None = None, *, is_for_one_build: bool = False) -> None:
        """Open the store in a file, or a temporary one; one that somebody else is writing is left alone.

        One `is_for_one_build` need not hold what only the next build asks for.
        """
        self.is_for_one_build = is_for_one_build
        self._file = file
        try:
            self._database = _open_database(file)
        except (sqlite3.Error, OSError):
            self._file = None
            self._database = _open_database(None)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Have everything that is written in a `with` block kept, or nothing if it raises."""
        try:
            yield
        except BaseException:
            self._database.rollback()
            raise
        self._database.commit()

    def note(self, name: str) -> str:
        """Return what was noted under a name, or nothing."""
        row = self._database.execute("SELECT value, digest FROM notes WHERE name = ?", (name,)).fetchone()
        return str(_undamaged(*row)) if row else ""

    def write_note(self, name: str, value: str) -> None:
        """Note something beside the pages."""
        self._database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (name, value, _digest(value)))

    def replace(self, part: str, pages: Iterable[Page]) -> None:
        """Put pages in place of all those of a part."""
        self.replace_numbered(part, enumerate(pages))

    def replace_numbered(self, part: str, pages: Iterable[tuple[int, Page]]) -> None:
        """Put pages in place of all those of a part; their order is that of their numbers, then that they come in."""
        self._database.execute("DELETE FROM pages WHERE part = ?", (part,))
        self._database.executemany(
            "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((part, number, page.uri, *_page_columns(page)) for number, page in without_garbage(pages)),
        )

    def update(self, part: str, pages: Iterable[Page]) -> bool:
        """Put pages in place of those with the same uris, with all pages that are below them.

        Returns whether the store had exactly those.
        """
        is_complete = True
        updated = set()
        for page in pages:
            updated.add(page.uri)
            changed = self._database.execute(
                "UPDATE pages SET head_digest = ?, digest = ?, has_sidebar = ?, units = ?, head = ?, body = ?,"
                " markdown = ?, sidebar = ? WHERE uri = ?",
                (*_page_columns(page), page.uri),
            )
            is_complete = is_complete and changed.rowcount == 1
        uris = self._database.execute("SELECT uri FROM pages WHERE part = ?", (part,))
        left = {uri for (uri,) in uris} - updated
        return is_complete and not any(above in updated for uri in left for above in parent_pages(uri))

    def showing(self, words: Sequence[str], *, of: str) -> set[str]:
        """Return the uris of the pages that hold all these words somewhere and may show the unit `of`.

        A page that names no units may show any.
        """
        holds = "(instr(markdown, ?) OR instr(body, ?) OR instr(head, ?))"
        conditions = " AND ".join([_MAY_SHOW_SQL, *[holds] * len(words)])
        rows = self._database.execute(
            f"SELECT uri FROM pages WHERE {conditions}",  # noqa: S608 - the conditions are constants
            (of, of, *(text for word in words for text in (word, word, word))),
        )
        return {uri for (uri,) in rows}

    def files(self, part: str, inputs_digest: str) -> tuple[Artefact, ...]:
        """Return the stored files of a part if they were made from inputs with this digest; none otherwise."""
        if self.note(f"{part} {_FILES}") != inputs_digest:
            return ()
        rows = self._database.execute(
            "SELECT uri, content, digest FROM files WHERE part = ? ORDER BY rowid", (part,)
        )
        return tuple(Artefact(uri=uri, content=_undamaged(content, digest)) for uri, content, digest in rows)

    def file_of_last_build(self, part: str, uri: str) -> bytes | None:
        """Return the file of a part that the last build stored, whatever it was made from; None without one."""
        row = self._database.execute(
            "SELECT content, digest FROM files WHERE part = ? AND uri = ?", (part, uri)
        ).fetchone()
        return _undamaged(*row) if row else None

    def keep_files(self, part: str, inputs_digest: str, files: Iterable[Artefact]) -> None:
        """Store files in place of those of the last build of a part."""
        self._database.execute("DELETE FROM files WHERE part = ?", (part,))
        self._database.executemany(
            "INSERT INTO files VALUES (?, ?, ?, ?)",
            ((part, file.uri, file.content, _digest(file.content)) for file in files),
        )
        self.write_note(f"{part} {_FILES}", inputs_digest)

    def keep_parts(self, parts: Sequence[str]) -> None:
        """Delete the pages and files of all other parts; if there are any, also all notes, which may be of them."""
        rows = self._database.execute("SELECT part FROM pages UNION SELECT part FROM files")
        others = [(part,) for (part,) in rows if part not in parts]
        for table in ("pages", "files"):
            self._database.executemany(f"DELETE FROM {table} WHERE part = ?", others)  # noqa: S608 - constants
        if others:
            self._database.execute("DELETE FROM notes")

    def stored_pages(self) -> tuple[StoredPage, ...]:
        """Return what is known of every page, in order: by part, then as the part has them."""
        rows = self._database.execute(
            "SELECT head, head_digest, digest, has_sidebar FROM pages ORDER BY part, position, rowid"
        )
        return tuple(
            StoredPage(
                head=_parse_head(_undamaged(head, head_digest)),
                digest=digest,
                has_sidebar=bool(has_sidebar),
            )
            for head, head_digest, digest, has_sidebar in rows
        )

    def page(self, head: PageHead) -> Page:
        """Return a page with its body."""
        return _read_page(self._database, head)

    @property
    def has_file(self) -> bool:
        """Whether the store is in a file that `opened_again` can open."""
        return self._file is not None

    @contextmanager
    def opened_again(self) -> Iterator[Callable[[PageHead], Page]]:
        """Open the file once more, for a block during which nobody writes to it; yields what returns a page with its
        body. A forked process reads this way: the connection that it was forked with is not its own (SQLite, How To
        Corrupt An SQLite Database File, 2.6).
        """
        if self._file is None:
            raise RuntimeError("only a store in a file can be opened again")
        database = sqlite3.connect(f"{self._file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            yield partial(_read_page, database)
        finally:
            database.close()


def parent_pages(uri: str) -> Iterator[str]:
    """Yield the uris of the pages that a page may be a part of: `a/b.md` for `a/b/c.md`."""
    folder = uri.rpartition("/")[0]
    while folder:
        yield f"{folder}.md"
        folder = folder.rpartition("/")[0]


def _open_database(file: Path | None) -> sqlite3.Connection:
    """Open a database of our form; what else is there is deleted."""
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(2):
        database = sqlite3.connect(file or "", timeout=0, check_same_thread=False)
        try:
            database.executescript(_OPEN_SQL)
            (form,) = database.execute("PRAGMA user_version").fetchone()
            if form == _SCHEMA_VERSION:
                return database
            is_new = not database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            if is_new:
                database.executescript(f"{_TABLES_SQL} PRAGMA user_version = {_SCHEMA_VERSION};")
                return database
        except sqlite3.OperationalError:
            database.close()
            raise
        except sqlite3.DatabaseError:
            pass
        database.close()
        if file is not None:
            file.unlink()
    raise sqlite3.DatabaseError("a store cannot be made")


def _read_page(database: sqlite3.Connection, head: PageHead) -> Page:
    head_text, body, markdown, sidebar, units, digest = database.execute(
        "SELECT head, body, markdown, sidebar, units, digest FROM pages WHERE uri = ?", (head.uri,)
    ).fetchone()
    if digest != _digest(head_text, body, markdown, sidebar):
        raise _damage()
    shows = tuple(filter(None, units.split("\n")))
    return Page(**_member_values(head, PageHead), body=body, markdown=markdown, sidebar=sidebar, shows=shows)


def _page_columns(page: Page) -> tuple[str, str, bool, str, str, str, str, str]:
    units = "".join(f"\n{unit}\n" for unit in page.shows)
    head = json.dumps(_member_values(page, PageHead), ensure_ascii=False, default=dataclass_members)
    texts = (head, page.body, page.markdown, page.sidebar)
    return _digest(head), _digest(*texts), bool(page.sidebar), units, *texts


_Content = TypeVar("_Content", str, bytes)


def _digest(*contents: str | bytes) -> str:
    digest = blake2b(digest_size=16)
    for content in contents:
        data = content if isinstance(content, bytes) else content.encode()
        digest.update(b"%d\0" % len(data))
        digest.update(data)
    return digest.hexdigest()


def _undamaged(content: _Content, digest: str) -> _Content:
    """Return what was stored with a digest. Raises sqlite3.DatabaseError for anything else."""
    if digest != _digest(content):
        raise _damage()
    return content


def _damage() -> sqlite3.DatabaseError:
    return sqlite3.DatabaseError("the file of the store is damaged")


def dataclass_members(value: Any) -> dict[str, Any]:
    """Return the members of a dataclass by name, for `json.dumps`: unlike `asdict`, it copies nothing."""
    return _member_values(value, type(value))


def _member_values(value: Any, kind: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in _member_names(kind)}


@lru_cache
def _member_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _parse_head(text: str) -> PageHead:
    values = json.loads(text, object_hook=_restore_tuples)
    values["headings"] = tuple(Heading(**heading) for heading in values["headings"])
    values["search"] = tuple(
        SearchEntry(**{**item, "kind": SearchKind(item["kind"])}) for item in values["search"]
    )
    values["prices"] = tuple(PriceSpan(**price) for price in values["prices"])
    return PageHead(**values)


def _restore_tuples(values: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping as it was before JSON made lists of its tuples."""
    return {name: _to_tuple(value) for name, value in values.items()}


def _to_tuple(value: Any) -> Any:
    return tuple(map(_to_tuple, value)) if isinstance(value, list) else value
