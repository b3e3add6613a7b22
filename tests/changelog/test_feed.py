"""The RSS feed."""

import io
import time
from collections.abc import Callable
from datetime import date

import feedparser
import pytest

from devportal.changelog import Entry, changelog_pages, load_changelog
from devportal.errors import InvalidSettings
from devportal.pages import Artefact

from .samples import BODY, FOLDER, SITE_URL, TITLE, on


def feed_of(entries: list[Entry], site_url: str = SITE_URL) -> bytes:
    """Return the bytes of the feed of some entries."""
    pages = changelog_pages(entries, site_url=site_url, title=TITLE, feed=True)
    (feed,) = (one for one in pages if isinstance(one, Artefact))
    assert feed.uri == "changelog/feed.rss"
    return feed.content


def parsed(content: bytes) -> feedparser.FeedParserDict:
    """Return what a feed reader makes of a feed."""
    return feedparser.parse(io.BytesIO(content))


def sample_entries() -> list[Entry]:
    """Return the entries beside this file."""
    return list(load_changelog(FOLDER, name="entries")[0])


def test_feed_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    """The whole feed of the sample entries."""
    golden("changelog/feed.rss", feed_of(sample_entries()).decode())


def test_feed_reader_reads_it() -> None:
    """The feed is well-formed, links to the list, and has its items with their dates, newest first."""
    feed = parsed(feed_of(sample_entries()))

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
    feed = parsed(feed_of(sample_entries()))
    content = feed.entries[0].content[0].value

    assert 'href="https://portal.example/docs/errors/unknown-member/"' in content
    assert "Remove the members." in content
    assert 'href="../' not in content
    assert "script" not in content
    assert feed.entries[0].link == f"{SITE_URL}changelog/2026-02-01-strict-input/"


def test_guid_outlives_host_and_path() -> None:
    """A moved site does not announce its old entries anew."""
    here = parsed(feed_of(sample_entries()))
    there = parsed(feed_of(sample_entries(), site_url="http://127.0.0.1:8000"))

    assert [item.id for item in here.entries] == [item.id for item in there.entries]
    assert here.entries[2].id == "tag:devportal.example,2026-01-10:changelog/2026-01-10-first"
    assert not here.entries[2].guidislink


def test_feed_is_dated_by_its_newest_correction() -> None:
    """No clock: the newest of all dates and corrections is the feed's, so that the bytes are stable."""
    content = feed_of(sample_entries())

    feed = parsed(content)

    assert feed.feed.updated_parsed[:3] == (2026, 2, 3)
    assert feed.feed.published_parsed[:3] == (2026, 2, 1)


def test_same_entries_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second build at another hour writes the same feed."""
    first = feed_of(sample_entries())
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()

    second = feed_of(sample_entries())

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
    with pytest.raises(InvalidSettings, match="site_url is") as caught:
        changelog_pages([], site_url=site_url, title=TITLE, feed=True)

    assert "turn the feed off" in caught.value.help


def test_authority_is_a_name_that_somebody_owns() -> None:
    """An authority that makes no tag URI is refused."""
    with pytest.raises(InvalidSettings, match="'my company'"):
        changelog_pages([], site_url=SITE_URL, title=TITLE, feed=True, feed_authority="my company")


def test_control_character_in_the_title_of_the_contract_does_no_harm() -> None:
    """The API's name comes from a file of others: what no feed can carry is left out."""
    pages = list(changelog_pages(sample_entries(), site_url=SITE_URL, title="A\aB", feed=True))

    (feed,) = (one for one in pages if isinstance(one, Artefact))
    assert parsed(feed.content).feed.title == "AB changelog"


def test_markup_in_text_reaches_the_reader_as_text() -> None:
    """Characters that XML gives a meaning to survive, and so does the end of a CDATA section."""
    title = "<b>&amp; ]]> é 😀"
    made = on(date(2026, 3, 5), title=title)

    feed = parsed(feed_of([made]))

    assert not feed.bozo
    assert feed.entries[0].title == title
    assert BODY.split("\n\n")[1] in feed.entries[0].summary
