"""Rendered pages, within one build and between builds: on disk, so that a large site need not fit in memory.

A store is a cache. It can be deleted at any time. One that cannot be read is made again, and so is one whose texts are
not those that were written: after a crash of the machine, a file may have any content. Methods raise
sqlite3.DatabaseError for that, and if there is no room on disk.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TypeVar

from devportal.errors import EnvironmentProblem
from devportal.gc_pause import without_garbage
from devportal.markup import Artefact, Heading, Page, PageHead, PriceSpan, SearchEntry, SearchKind, url_of

_SCHEMA_VERSION = 8
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
CREATE TABLE sources (part TEXT, source TEXT, position INTEGER, PRIMARY KEY (part, source));
CREATE TABLE pages (part TEXT, source TEXT, uri TEXT PRIMARY KEY, head_digest TEXT, digest TEXT, units TEXT,
                    head TEXT, body TEXT, markdown TEXT);
CREATE INDEX pages_of_sources ON pages (part, source);
CREATE TABLE sidebars (uri TEXT PRIMARY KEY, digest TEXT, html TEXT);
CREATE TRIGGER pages_deleted AFTER DELETE ON pages BEGIN DELETE FROM sidebars WHERE uri = old.uri; END;
"""
"""A page belongs to a source, which decides where it stands among others. Its sidebar may change without it; an empty
one is not stored.
"""


class UnusableStore(EnvironmentProblem):
    """A store that is damaged, or has no room on disk."""

    @classmethod
    def of(cls, error: sqlite3.DatabaseError) -> Self:
        """Return what SQLite reports, with what to do."""
        return cls(
            f"the rendered pages cannot be stored: {error}",
            help="make room on the disk of the cache and of temporary files",
        )


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
        return str(_require_digest(*row)) if row else ""

    def write_note(self, name: str, value: str) -> None:
        """Note something beside the pages."""
        self._database.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?)", (name, value, _digest(value)))

    def replace(self, part: str, pages: Iterable[Page]) -> None:
        """Put pages in place of all those of a part."""
        uris: list[str] = []

        def with_sources() -> Iterator[tuple[str, Page]]:
            for page in pages:
                uris.append(page.uri)
                yield page.uri, page

        self._delete_pages(part)
        self._insert_pages(part, with_sources())
        self._order_sources(part, uris)

    def replace_sourced(self, part: str, sources: Sequence[str], pages: Iterable[tuple[str, Page]]) -> None:
        """Put pages, each with its source, in place of all those of a part; their order is that of their sources, then
        that they come in.
        """
        self._delete_pages(part)
        self._insert_pages(part, pages)
        self._order_sources(part, sources)

    def update(
        self,
        part: str,
        sources: Sequence[str],
        pages: Iterable[tuple[str, Page]],
        *,
        rendered: Collection[str],
        sidebars: Mapping[str, str] = MappingProxyType({}),
    ) -> bool:
        """Put pages in place of those of the `rendered` sources of a part, and `sidebars` in place of those of other
        pages; those of sources that are gone are deleted.

        Returns whether the sources that were there before have the same pages as then.
        """
        before = self._uris_by_source(part)
        gone = before.keys() - set(sources)
        self._database.executemany(
            "DELETE FROM pages WHERE part = ? AND source = ?",
            ((part, source) for source in {*gone, *rendered} if source in before),
        )
        self._insert_pages(part, pages)
        self._order_sources(part, sources)
        self._insert_sidebars(sidebars.items())
        now = self._uris_by_source(part)
        return all(now.get(source) == before[source] for source in rendered if source in before)

    def sidebars(self, part: str) -> Iterator[tuple[str, str, str]]:
        """Yield the uri, the source and the sidebar of each page of a part."""
        rows = self._database.execute(
            "SELECT uri, source, sidebars.digest, html FROM pages LEFT JOIN sidebars USING (uri) WHERE part = ?",
            (part,),
        )
        for uri, source, digest, html in rows:
            yield uri, source, _require_digest(html, digest) if html else ""

    def _delete_pages(self, part: str) -> None:
        self._database.execute("DELETE FROM pages WHERE part = ?", (part,))

    def _insert_pages(self, part: str, pages: Iterable[tuple[str, Page]]) -> None:
        for source, page in without_garbage(pages):
            self._database.execute(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (part, source, page.uri, *_page_columns(page)),
            )
            if page.sidebar:
                self._insert_sidebars([(page.uri, page.sidebar)])

    def _insert_sidebars(self, sidebars: Iterable[tuple[str, str]]) -> None:
        self._database.executemany(
            "INSERT OR REPLACE INTO sidebars VALUES (?, ?, ?)",
            ((uri, _digest(html), html) for uri, html in sidebars),
        )

    def _order_sources(self, part: str, sources: Sequence[str]) -> None:
        self._database.execute("DELETE FROM sources WHERE part = ?", (part,))
        self._database.executemany(
            "INSERT INTO sources VALUES (?, ?, ?)",
            ((part, source, position) for position, source in enumerate(sources)),
        )

    def _uris_by_source(self, part: str) -> dict[str, set[str]]:
        uris: dict[str, set[str]] = {}
        for source, uri in self._database.execute("SELECT source, uri FROM pages WHERE part = ?", (part,)):
            uris.setdefault(source, set()).add(uri)
        return uris

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

    def linking_to(self, targets: Collection[str]) -> set[str]:
        """Return the uris of the pages that link to one of these pages, but of those below it."""
        if not targets:
            return set()
        names = {url_of(target).rstrip("/").rpartition("/")[2] for target in targets}
        needles = [f"{start}{name}/{end}" for name in names for start in '"/' for end in '"#']
        rows = self._database.execute("SELECT uri, body FROM pages")
        return {uri for uri, body in rows if any(needle in body for needle in needles)}

    def files(self, part: str, inputs_digest: str) -> tuple[Artefact, ...]:
        """Return the stored files of a part if they were made from inputs with this digest; none otherwise."""
        if self.note(f"{part} {_FILES}") != inputs_digest:
            return ()
        rows = self._database.execute(
            "SELECT uri, content, digest FROM files WHERE part = ? ORDER BY rowid", (part,)
        )
        return tuple(
            Artefact(uri=uri, content=_require_digest(content, digest)) for uri, content, digest in rows
        )

    def file_of_last_build(self, part: str, uri: str) -> bytes | None:
        """Return the file of a part that the last build stored, whatever it was made from; None without one."""
        row = self._database.execute(
            "SELECT content, digest FROM files WHERE part = ? AND uri = ?", (part, uri)
        ).fetchone()
        return _require_digest(*row) if row else None

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
        for table in ("pages", "files", "sources"):
            self._database.executemany(f"DELETE FROM {table} WHERE part = ?", others)  # noqa: S608 - constants
        if others:
            self._database.execute("DELETE FROM notes")

    def stored_pages(self) -> tuple[StoredPage, ...]:
        """Return what is known of every page, in order: by part, then as the part has them."""
        rows = self._database.execute(
            "SELECT head, head_digest, pages.digest, coalesce(sidebars.digest, '')"
            " FROM pages JOIN sources USING (part, source) LEFT JOIN sidebars USING (uri)"
            " ORDER BY part, position, pages.rowid"
        )
        return tuple(
            StoredPage(
                head=_parse_head(_require_digest(head, head_digest)),
                digest=f"{digest}{sidebar_digest}",
                has_sidebar=bool(sidebar_digest),
            )
            for head, head_digest, digest, sidebar_digest in rows
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
    head_text, body, markdown, units, digest, html, html_digest = database.execute(
        "SELECT head, body, markdown, units, pages.digest, html, sidebars.digest"
        " FROM pages LEFT JOIN sidebars USING (uri) WHERE uri = ?",
        (head.uri,),
    ).fetchone()
    if digest != _digest(head_text, body, markdown):
        raise _damage()
    sidebar = _require_digest(html, html_digest) if html else ""
    shows = tuple(filter(None, units.split("\n")))
    return Page(**_member_values(head, PageHead), body=body, markdown=markdown, sidebar=sidebar, shows=shows)


def _page_columns(page: Page) -> tuple[str, str, str, str, str, str]:
    units = "".join(f"\n{unit}\n" for unit in page.shows)
    head = json.dumps(_member_values(page, PageHead), ensure_ascii=False, default=dataclass_members)
    texts = (head, page.body, page.markdown)
    return _digest(head), _digest(*texts), units, *texts


_Content = TypeVar("_Content", str, bytes)


def _digest(*contents: str | bytes) -> str:
    digest = blake2b(digest_size=16)
    for content in contents:
        data = content if isinstance(content, bytes) else content.encode()
        digest.update(b"%d\0" % len(data))
        digest.update(data)
    return digest.hexdigest()


def _require_digest(content: _Content, digest: str) -> _Content:
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
