"""Rendered pages on disk."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.markup import Artefact, Heading, Page, SearchEntry
from devportal.site.cache.store import PageStore

PAGE = Page(
    uri="reference/a/b.md",
    title='Ünits & "quotes"',
    description="What it does.",
    headings=(Heading(level=2, anchor="fields", title="Fields"),),
    search=(SearchEntry(title="B", text="words", tags=("GET /b",)),),
    layout="wide",
    feeds=(("application/rss+xml", "News", "feed.rss"),),
    preview="reference/preview.png",
    scripts=("assets/b.js",),
    styles=("assets/b.css",),
    body="<h1>B</h1><p>Sends a parcel.</p>",
    markdown="# B\n\nSends a parcel.\n",
    sidebar="<nav></nav>",
    shows=("/paths/~1b/get", "/components/schemas/B"),
)
OTHER = Page(uri="c.md", title="C", description="", body="<h1>C</h1>", markdown="# C\n")


def filled_store(file: Path | None = None) -> PageStore:
    """Return a store with two pages."""
    store = PageStore(file)
    with store.writing():
        store.replace("1", [PAGE, OTHER])
    return store


def test_a_page_comes_back_as_it_went_in() -> None:
    """Every field, of a page with all of them and of one with few."""
    store = filled_store()

    assert [store.page(stored_page.head) for stored_page in store.stored_pages()] == [PAGE, OTHER]
    assert [stored_page.has_sidebar for stored_page in store.stored_pages()] == [True, False]


def test_pages_are_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    """Notes too."""
    store = filled_store(tmp_path / "pages.sqlite3")
    with store.writing():
        store.write_note("basis", "x")
    store.close()
    again = PageStore(tmp_path / "pages.sqlite3")

    assert [stored_page.head.uri for stored_page in again.stored_pages()] == [PAGE.uri, OTHER.uri]
    assert (again.note("basis"), again.note("never written")) == ("x", "")


def test_another_connection_reads_the_pages_of_a_store_that_is_open(tmp_path: Path) -> None:
    """From its file: a store without one has nothing to open."""
    store = filled_store(tmp_path / "pages & more?.sqlite3")

    with store.opened_again() as stored_page:
        assert [stored_page(stored.head) for stored in store.stored_pages()] == [PAGE, OTHER]

    assert store.has_file
    assert not filled_store().has_file
    with pytest.raises(RuntimeError, match="in a file"), filled_store().opened_again():
        pass


@pytest.mark.parametrize(
    "change",
    [{"title": "x"}, {"body": "<h1>x</h1>"}, {"markdown": "x"}, {"sidebar": "x"}, {"search": ()}],
    ids=lambda change: next(iter(change)),
)
def test_any_change_of_a_page_changes_its_digest(change: dict[str, object]) -> None:
    """Head and body alike, in place of the page that was there."""
    store = filled_store()
    before = store.stored_pages()
    known = {name: getattr(PAGE, name) for name in ("uri", "title", "description", "headings", "search")}
    texts = {name: getattr(PAGE, name) for name in ("layout", "feeds", "body", "markdown", "sidebar")}
    with store.writing():
        changed = Page(**{**known, **texts, **change})
        assert store.update("1", [PAGE.uri, OTHER.uri], [(PAGE.uri, changed)], rendered={PAGE.uri})

    after = store.stored_pages()
    assert after[0].digest != before[0].digest
    assert after[1] == before[1]


def test_parts_are_in_order_and_apart() -> None:
    """Replacing a part leaves the others, and their order, alone."""
    store = filled_store()
    with store.writing():
        store.replace("2", [Page(uri="d.md", title="D", description="", body="", markdown="")])
        store.replace("1", [OTHER, PAGE])

    assert [stored_page.head.uri for stored_page in store.stored_pages()] == [OTHER.uri, PAGE.uri, "d.md"]


def test_pages_are_in_the_order_of_their_sources() -> None:
    """Those of a source stay as they came; an update, or other pages that come later, change nothing of that."""
    pages = [(str(number), replace(OTHER, uri=f"{number}{name}.md")) for number in (2, 0, 1) for name in "ba"]
    store = filled_store()
    with store.writing():
        store.replace_sourced("2", "012", pages)
        store.replace_sourced("2", "012", pages)
        assert store.update("2", "012", pages[2:4], rendered={"0"})

    assert uris_of(store)[2:] == ["0b.md", "0a.md", "1b.md", "1a.md", "2b.md", "2a.md"]


def uris_of(store: PageStore) -> list[str]:
    """Return the uris of all pages in their order."""
    return [stored_page.head.uri for stored_page in store.stored_pages()]


def test_an_update_puts_in_takes_out_and_orders_sources() -> None:
    """The pages of sources that are not rendered stay where their sources are now."""
    store = filled_store()
    new = Page(uri="new.md", title="", description="", body="", markdown="")
    with store.writing():
        is_complete = store.update("1", [OTHER.uri, new.uri], [(new.uri, new)], rendered={new.uri})

    assert is_complete
    assert uris_of(store) == [OTHER.uri, new.uri]


def test_an_update_of_a_source_with_other_pages_says_so() -> None:
    """What was divided otherwise the last time has other pages: links may lead to them."""
    below = Page(uri="reference/a/b/c.md", title="C of B", description="", body="", markdown="")
    store = PageStore()
    sources = [PAGE.uri, OTHER.uri]
    with store.writing():
        store.replace_sourced("1", sources, [(PAGE.uri, PAGE), (PAGE.uri, below), (OTHER.uri, OTHER)])

    assert store.update("1", sources, [(PAGE.uri, PAGE), (PAGE.uri, below)], rendered={PAGE.uri})
    assert store.update("1", sources, [(OTHER.uri, OTHER)], rendered={OTHER.uri})
    assert not store.update("1", sources, [(PAGE.uri, PAGE)], rendered={PAGE.uri})
    assert uris_of(store) == [PAGE.uri, OTHER.uri]


def test_sidebars_change_without_their_pages() -> None:
    """The page is another then; one that never had any gets one, and the sidebar goes with its page."""
    store = filled_store()
    sidebars = {PAGE.uri: "<nav>new</nav>", OTHER.uri: "<nav>first</nav>"}
    with store.writing():
        store.update("1", [PAGE.uri, OTHER.uri], [], rendered=(), sidebars=sidebars)

    assert [store.page(stored_page.head) for stored_page in store.stored_pages()] == [
        replace(page, sidebar=sidebars[page.uri]) for page in (PAGE, OTHER)
    ]
    assert {*store.sidebars("1")} == {(uri, uri, html) for uri, html in sidebars.items()}
    store.update("1", [PAGE.uri, OTHER.uri], [(PAGE.uri, replace(PAGE, sidebar=""))], rendered={PAGE.uri})
    assert store.page(PAGE).sidebar == ""


def test_links_to_a_page_are_found() -> None:
    """Whole names of the last part of an address, with or without an anchor."""
    links = ["../b/", "b/#x", "../ab/", "../b/c/", "/b", "b/x"]
    pages = [
        replace(OTHER, uri=f"{number}.md", body=f'<a href="{link}">B</a>')
        for number, link in enumerate(links)
    ]
    store = PageStore()
    with store.writing():
        store.replace("1", pages)

    assert store.linking_to(["reference/a/b.md"]) == {"0.md", "1.md"}
    assert store.linking_to([]) == set()


def test_words_are_found_in_bodies_twins_and_heads() -> None:
    """Each somewhere on the page, exactly as it is written."""
    store = filled_store()

    assert store.showing(["Sends a parcel"], of="") == {PAGE.uri}
    assert store.showing(["What it does"], of="") == {PAGE.uri}
    assert store.showing(["h1"], of="") == {PAGE.uri, OTHER.uri}
    assert store.showing(["What it does", "parcel", "h1"], of="") == {PAGE.uri}
    assert store.showing(["What it does", "missing"], of="") == set()
    assert store.showing(["100%"], of="") == set()


def test_words_of_a_unit_are_found_where_it_may_be_shown() -> None:
    """On pages that name the unit, and on those that name none."""
    store = filled_store()

    assert store.showing(["h1"], of="/components/schemas/B") == {PAGE.uri, OTHER.uri}
    assert store.showing(["h1"], of="/components/schemas/Bee") == {OTHER.uri}


def test_files_are_kept_for_what_they_were_made_from() -> None:
    """In order; what was made from something else is gone."""
    store = filled_store()
    files = (Artefact(uri="b.json", content=b"{}"), Artefact(uri="a.yaml", content=b"\xff"))
    with store.writing():
        store.keep_files("part", "first", [Artefact(uri="b.json", content=b"[]")])
        store.keep_files("part", "second", files)

    assert store.files("part", "second") == files
    assert store.files("part", "first") == ()


def test_parts_that_are_gone_take_their_pages_files_and_notes_with_them() -> None:
    """Notes may be of them, so all go; while all parts are kept, so are the notes."""
    store = PageStore()
    with store.writing():
        store.replace("a", [PAGE])
        store.replace("b", [OTHER])
        store.keep_files("b", "digest", [Artefact(uri="b.json", content=b"{}")])
        store.write_note("basis", "text")
        store.keep_parts(["a", "b"])
    assert (len(store.stored_pages()), store.note("basis")) == (2, "text")

    with store.writing():
        store.keep_parts(["a", "c"])

    assert [stored_page.head.uri for stored_page in store.stored_pages()] == [PAGE.uri]
    assert store.files("b", "digest") == ()
    assert store.note("basis") == ""


def test_what_was_written_before_a_failure_is_forgotten(tmp_path: Path) -> None:
    """A build that stops half-way leaves the store as it was."""
    store = filled_store(tmp_path / "pages.sqlite3")
    with suppress(RuntimeError), store.writing():
        store.replace("1", [])
        raise RuntimeError

    assert len(store.stored_pages()) == 2


def test_a_file_that_is_no_store_is_made_one(tmp_path: Path) -> None:
    """A cache may be damaged or of another form."""
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"no database, but long enough to be taken for one" * 100)
    foreign = tmp_path / "foreign.sqlite3"
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE pages (a)")
    database.close()

    assert (
        filled_store(damaged).stored_pages()
        == filled_store(foreign).stored_pages()
        == filled_store().stored_pages()
    )


@pytest.mark.parametrize(
    ("damage", "read"),
    [
        ("UPDATE pages SET head = replace(head, 'What', 'Who')", PageStore.stored_pages),
        ("UPDATE pages SET body = ''", lambda store: store.page(PAGE)),
        ("UPDATE pages SET markdown = ''", lambda store: store.page(PAGE)),
        ("UPDATE files SET content = x'00'", lambda store: store.files("part", "digest")),
        ("UPDATE files SET content = x'00'", lambda store: store.file_of_last_build("part", "b.json")),
        ("UPDATE notes SET value = ''", lambda store: store.note("basis")),
        ("DROP TABLE pages", PageStore.stored_pages),
    ],
)
def test_nothing_is_read_that_was_not_written(
    damage: str, read: Callable[[PageStore], object], tmp_path: Path
) -> None:
    """After a crash of the machine, a file may have any content, and still be a database."""
    store = filled_store(tmp_path / "pages.sqlite3")
    with store.writing():
        store.keep_files("part", "digest", [Artefact(uri="b.json", content=b"{}")])
        store.write_note("basis", "text")
    store.close()
    with sqlite3.connect(tmp_path / "pages.sqlite3") as database:
        database.execute(damage)
    database.close()

    with pytest.raises(sqlite3.DatabaseError):
        read(PageStore(tmp_path / "pages.sqlite3"))


def test_a_store_that_another_build_holds_is_left_alone(tmp_path: Path) -> None:
    """The second build works with a store of its own, and loses nothing of the first's."""
    first = filled_store(tmp_path / "pages.sqlite3")
    second = PageStore(tmp_path / "pages.sqlite3")

    assert second.stored_pages() == ()
    with second.writing():
        second.replace("1", [OTHER])
    assert len(first.stored_pages()) == 2


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    """Where there can be no file there is a temporary store."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    assert len(filled_store(tmp_path / "file" / "pages.sqlite3").stored_pages()) == 2
