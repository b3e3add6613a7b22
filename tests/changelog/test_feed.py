"""The feeds of the changelog: which there are, what their items say, and what never changes of them."""

import io
import re
import time
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import feedparser
import pytest

from devportal.changelog import Entry, changelog_pages, load_changelog
from devportal.changelog.entries.entry import Impact
from devportal.errors import InvalidSettings
from devportal.markup import Artefact, Page, url_of
from devportal.project.settings import Settings
from tests.markup.feed_grammars import addresses_in, check_together, days_in, feed_files, ids_in, links_in

from .samples import BODY, FOLDER, SITE_URL, TITLE, entry_on

OWN_ENTRIES = Path(__file__).parents[2] / "changelog"
DAY = date(2026, 1, 1)


def changelog_files(
    entries: list[Entry], site_url: str = SITE_URL, authority: str = ""
) -> list[Page | Artefact]:
    """Return the pages and files of some entries."""
    made = changelog_pages(
        entries, site_url=site_url, title=TITLE, settings=Settings(feed_authority=authority)
    )
    return list(made)


def files_of(entries: list[Entry], site_url: str = SITE_URL, authority: str = "") -> dict[str, bytes]:
    """Return the files of all feeds of some entries, by uri."""
    return feed_files(changelog_files(entries, site_url, authority))


def feed_of(entries: list[Entry], site_url: str = SITE_URL, authority: str = "") -> bytes:
    """Return the bytes of the RSS feed of some entries."""
    return files_of(entries, site_url, authority)["changelog/feed.rss"]


def parse_feed(content: bytes) -> feedparser.FeedParserDict:
    """Return a feed as feedparser reads it."""
    return feedparser.parse(io.BytesIO(content))


def sample_entries() -> list[Entry]:
    """Return the entries beside this file."""
    return list(load_changelog(FOLDER, name="entries")[0])


def own_entries() -> list[Entry]:
    """Return the entries of this project's own API."""
    return list(load_changelog(OWN_ENTRIES, name="changelog")[0])


def many_entries(count: int) -> list[Entry]:
    """Return so many entries of a day each, in turn of two APIs and two impacts."""
    impacts: tuple[dict[str, object], ...] = (
        {"impact": "additive"},
        {"impact": "breaking", "kind": "changed", "action_required": True},
    )
    apis = ("Messages", "Calls")
    return [
        entry_on(DAY + timedelta(days=number), "a-thing", apis=[apis[number % 2]], **impacts[number % 3 == 0])
        for number in range(count)
    ]


@pytest.mark.parametrize("form", ["rss", "atom", "json"])
def test_feed_is_as_agreed(form: str, golden: Callable[[str, str], None]) -> None:
    """The whole feed of the sample entries, in each form."""
    golden(f"changelog/feed.{form}", files_of(sample_entries())[f"changelog/feed.{form}"].decode())


@pytest.mark.parametrize("entries", [sample_entries, own_entries, partial(many_entries, 130)])
def test_every_feed_keeps_to_the_grammars_of_its_forms(entries: Callable[[], list[Entry]]) -> None:
    """RSS 2.0, RFC 4287 and JSON Feed 1.1; all forms have the same ids, each once, the newest first."""
    check_together(files_of(entries()))


def test_there_is_a_feed_of_every_list_and_of_every_impact() -> None:
    """Also of impacts without an entry: who waits for the first breaking change subscribes before it."""
    made = changelog_files([entry_on(DAY)])
    stems = {uri.rpartition(".")[0] for uri in feed_files(made)}

    assert stems >= {"changelog/feed", "changelog/api/messages/feed"}
    assert stems >= {f"changelog/impact/{impact}/feed" for impact in Impact}
    breaking = parse_feed(feed_files(made)["changelog/impact/breaking/feed.atom"])
    assert breaking.entries == []
    assert breaking.feed.link == f"{SITE_URL}changelog/"
    assert breaking.feed.updated_parsed[:3] == (2026, 1, 1)


@pytest.mark.parametrize(
    ("folder", "number"),
    [("changelog", 31), ("changelog/impact/breaking", 11), ("changelog/api/calls", 15)],
)
def test_a_feed_has_the_entries_of_its_list(folder: str, number: int) -> None:
    """All, those of an impact, and those of an API, each with its terms."""
    entries = many_entries(31)
    term = {"breaking": "impact:breaking", "calls": "api:Calls"}.get(folder.rpartition("/")[2], "kind:")

    feed = parse_feed(files_of(entries)[f"{folder}/feed.atom"])

    assert len(feed.entries) == number
    assert all(any(tag.term.startswith(term) for tag in item.tags) for item in feed.entries)


def test_older_entries_are_in_archives_that_stay() -> None:
    """The main feed has the newest 50; an archive has the same bytes however many entries follow."""
    before, after = files_of(many_entries(130)), files_of(many_entries(250))

    for form in ("rss", "atom", "json"):
        assert len(ids_in(f"x.{form}", after[f"changelog/feed.{form}"])) == 50
        assert before[f"changelog/feed/1.{form}"] == after[f"changelog/feed/1.{form}"]
        uris = [f"changelog/feed/{number}.{form}" for number in (1, 2, 3, 4)]
        archived = [id_ for uri in uris for id_ in ids_in(uri, after[uri])]
        assert len(archived) == len({*archived}) == 200
    assert links_in("x.atom", after["changelog/feed.atom"])["prev-archive"].endswith("/changelog/feed/4.atom")


@pytest.mark.parametrize("entries", [own_entries, partial(many_entries, 130)])
def test_every_address_in_a_feed_is_of_something_built(entries: Callable[[], list[Entry]]) -> None:
    """Items and feeds lead to pages of the changelog, and to other feeds, that are there; all is absolute."""
    made = changelog_files(entries())
    known = {f"{SITE_URL}{url_of(page.uri)}" for page in made}
    addresses = {
        link for file in feed_files(made).items() if "json" in file[0] for link in addresses_in(file[1])
    }

    assert all(re.match(r"https?://|mailto:", link) for link in addresses)
    inside = {link.partition("#")[0] for link in addresses if link.startswith(f"{SITE_URL}changelog/")}
    assert inside <= known
    links = [
        link
        for uri, file in feed_files(made).items()
        if "json" not in uri
        for link in links_in(uri, file).values()
    ]
    assert {*links} <= known


def test_no_item_is_of_another_day_than_its_entry() -> None:
    """A feed has no clock: that no entry is of a day to come is what `devportal check` asks of entries."""
    content = files_of(own_entries())["changelog/feed.json"]

    assert days_in(content) == [str(entry.date) for entry in own_entries()][:50]


def test_each_page_announces_its_own_feed_and_the_main_one() -> None:
    """In each form; a list has a feed of its own, an entry has not."""
    heads = {
        changelog_file.uri: changelog_file.feeds
        for changelog_file in changelog_files(sample_entries())
        if isinstance(changelog_file, Page)
    }
    main = tuple(
        (f"application/{kind}", "Sample API changelog", f"changelog/feed.{form}")
        for kind, form in (("rss+xml", "rss"), ("atom+xml", "atom"), ("feed+json", "json"))
    )

    assert heads["changelog/index.md"] == main
    assert heads["changelog/2026-02-01-strict-input.md"] == main
    own = heads["changelog/impact/breaking.md"]
    assert own[3:] == main
    assert [uri for _, _, uri in own[:3]] == [
        f"changelog/impact/breaking/feed.{form}" for form in ("rss", "atom", "json")
    ]
    assert {title for _, title, _ in own[:3]} == {"Sample API changelog: Breaking"}


def test_every_announced_feed_is_there() -> None:
    """No page announces a file that is not built, and no feed but those of later use goes unannounced."""
    made = changelog_files(many_entries(130))
    announced = {uri for page in made if isinstance(page, Page) for _, _, uri in page.feeds}
    files = {*feed_files(made)}

    assert announced <= files
    empty = {
        f"changelog/{part}/{impact}"
        for part in ("impact", "api/calls", "api/messages")
        for impact in {*Impact} - {Impact.BREAKING, Impact.ADDITIVE}
    }
    left = {uri for uri in files - announced if not re.search(r"/feed/\d+\.", uri)}
    assert {uri.rpartition("/")[0] for uri in left} == empty


def test_feed_reader_reads_it() -> None:
    """The feed is well-formed, links to the list, and has its items with their dates, newest first."""
    feed = parse_feed(feed_of(sample_entries()))

    assert not feed.bozo
    assert feed.version == "rss20"
    assert feed.feed.link == f"{SITE_URL}changelog/"
    assert {
        "rel": "self",
        "type": "application/rss+xml",
        "href": f"{SITE_URL}changelog/feed.rss",
    } in feed.feed.links
    assert [(item.title, item.published_parsed[:3]) for item in feed.entries] == [
        ("Unknown members are refused <b>now</b>", (2026, 2, 1)),
        ("The field `from` gives way to `sender`", (2026, 2, 1)),
        ("Everything begins", (2026, 1, 10)),
    ]
    assert [tag.term for tag in feed.entries[0].tags] == [
        "api:Messages",
        "impact:breaking",
        "kind:changed",
        "action-required",
    ]


def test_item_has_its_whole_text_with_absolute_links() -> None:
    """A reader that never opens the site has everything, and every link works."""
    feed = parse_feed(feed_of(sample_entries()))
    content = feed.entries[0].content[0].value

    assert 'href="https://portal.example/docs/errors/unknown-member/"' in content
    assert "Remove the members." in content
    assert 'href="../' not in content
    assert "script" not in content
    assert feed.entries[0].link == f"{SITE_URL}changelog/2026-02-01-strict-input/"


def test_ids_outlive_the_path() -> None:
    """A site that moves on its host does not announce its old entries anew."""
    here = parse_feed(feed_of(sample_entries()))
    there = parse_feed(feed_of(sample_entries(), site_url="https://portal.example"))

    assert [item.id for item in here.entries] == [item.id for item in there.entries]
    assert here.entries[2].id == "tag:portal.example,2026-01-10:changelog/2026-01-10-first"
    assert not here.entries[2].guidislink


@pytest.mark.parametrize("form", ["rss", "atom", "json"])
def test_ids_of_a_named_authority_outlive_the_host(form: str) -> None:
    """A site that names its authority may move anywhere; also the feeds keep their ids."""
    uri = f"changelog/feed.{form}"
    here = files_of(sample_entries(), authority="name.example")[uri]
    there = files_of(sample_entries(), site_url="http://127.0.0.1:8000", authority="name.example")[uri]

    assert ids_in(uri, here) == ids_in(uri, there)
    assert ids_in(uri, here)[2] == "tag:name.example,2026-01-10:changelog/2026-01-10-first"
    if form == "atom":
        assert parse_feed(here).feed.id == parse_feed(there).feed.id


def test_an_id_outlives_every_edit() -> None:
    """Title, text, impact and corrections of an entry leave it the item that it was."""
    before = entry_on(DAY)
    after = entry_on(
        DAY, title="Another", apis=["Calls"], amended=[{"date": "2026-02-03", "note": "Reworded."}]
    )
    reworded = entry_on(DAY, impact="breaking", kind="changed", action_required=True)

    ids = {ids_in("x.rss", feed_of([entry]))[0] for entry in (before, after, reworded)}

    assert len(ids) == 1


def test_updated_changes_with_a_correction_and_with_nothing_else() -> None:
    """Atom asks for the day of a change that matters (RFC 4287 §4.2.15): the author says which does."""
    plain, reworded = entry_on(DAY), entry_on(DAY, title="Reworded")
    corrected = entry_on(DAY, amended=[{"date": "2026-02-03", "note": "The limit is 20."}])

    days = [
        parse_feed(files_of([entry])["changelog/feed.atom"]).entries[0].updated[:10]
        for entry in (plain, reworded, corrected)
    ]

    assert days == ["2026-01-01", "2026-01-01", "2026-02-03"]


def test_an_empty_feed_is_as_old_as_the_changelog() -> None:
    """It has no entry of its own to take a day from, and the first of all never changes."""
    first, last = entry_on(date(2026, 1, 1), "first"), entry_on(date(2026, 3, 1), "last")

    feed = parse_feed(files_of([first, last])["changelog/impact/breaking/feed.atom"]).feed

    assert feed.updated[:10] == "2026-01-01"


def test_the_last_of_several_corrections_counts() -> None:
    """Whatever order they are written in."""
    notes = [{"date": f"2026-02-0{day}", "note": "Reworded."} for day in (3, 7, 5)]

    item = parse_feed(files_of([entry_on(DAY, amended=notes)])["changelog/feed.atom"]).entries[0]

    assert item.updated[:10] == "2026-02-07"


def test_feed_is_dated_by_its_newest_correction() -> None:
    """No clock: the newest of all dates and corrections is the feed's, so that the bytes are stable."""
    content = feed_of(sample_entries())

    feed = parse_feed(content)

    assert feed.feed.updated_parsed[:3] == (2026, 2, 3)
    assert feed.feed.published_parsed[:3] == (2026, 2, 1)


def test_same_entries_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second build at another hour, with its files in another order, writes the same feeds."""
    first = files_of(many_entries(130))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()

    second = files_of(many_entries(130)[::-1])

    monkeypatch.undo()
    time.tzset()
    assert first == second


@pytest.mark.parametrize(
    "site_url",
    [
        "",
        "/docs/",
        "portal.example",
        "ftp://portal.example/",
        "https://portal.example/\a",
        "https://a b/",
        "http://[x/",
    ],
)
def test_feed_needs_an_absolute_site_url(site_url: str) -> None:
    """A feed without absolute links is refused before anything is made."""
    with pytest.raises(InvalidSettings, match="'site_url' is") as caught:
        changelog_pages([], site_url=site_url, title=TITLE)

    assert "turn the feeds off" in caught.value.help


def test_authority_is_a_name_that_somebody_owns() -> None:
    """An authority that makes no tag URI is refused."""
    with pytest.raises(InvalidSettings, match="'my company'"):
        changelog_pages([], site_url=SITE_URL, title=TITLE, settings=Settings(feed_authority="my company"))


def test_control_character_in_the_title_of_the_contract_does_no_harm() -> None:
    """The API's name comes from a file of others: what no feed can carry is left out."""
    files = feed_files(changelog_pages(sample_entries(), site_url=SITE_URL, title="A\aB"))

    check_together(files)
    assert parse_feed(files["changelog/feed.rss"]).feed.title == "AB changelog"


@pytest.mark.parametrize(
    "title",
    [
        "<b>&amp; ]]> é 😀",
        "\"Quoted\" and 'quoted'",
        "\u202eמה השתנה\u202c",
        "A 👩‍👩‍👧 family",
        "a -- b --> c",
    ],
)
def test_markup_in_text_reaches_the_reader_as_text(title: str) -> None:
    """Characters that XML gives a meaning to survive, and so does the end of a CDATA section."""
    files = files_of([entry_on(date(2026, 3, 5), title=title)])

    check_together(files)
    for form in ("rss", "atom"):
        (item,) = parse_feed(files[f"changelog/feed.{form}"]).entries
        assert item.title == title
        assert BODY.split("\n\n")[1] in item.summary
