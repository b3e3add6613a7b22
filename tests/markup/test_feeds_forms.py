"""Feeds as files: RSS, Atom and JSON Feed keep to their grammars and tell the same."""

import io
import json
import time
from dataclasses import replace
from datetime import date

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.markup.feed_formats import feed_files
from devportal.markup.feeds import NOT_XML, Feed, feed_documents, single_document

from .feed_grammars import check_together, faults_of, links_in
from .feed_samples import FIRST_DAY, SITE_URL, feed, item, numbered_feed

AMENDED = feed(item(9), item(2, amended_on=date(2025, 1, 20)))
TITLES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).map(
    lambda text: NOT_XML.sub("", text).strip() or "x"
)


def files(made: Feed) -> dict[str, bytes]:
    """Return the files of a feed without archives, by what they end in."""
    found = feed_files([single_document(made)], site_url=SITE_URL)
    return {file.uri.rpartition(".")[2]: file.content for file in found}


def archive_files(made: Feed) -> dict[str, bytes]:
    """Return the files of a feed with its archives, by uri."""
    return {file.uri: file.content for file in feed_files(feed_documents(made), site_url=SITE_URL)}


@pytest.mark.parametrize("made", [feed(), numbered_feed(3), AMENDED, feed(item(1, summary="", content=""))])
def test_every_form_keeps_to_its_grammar(made: Feed) -> None:
    """Without items, with some, with a corrected one, and with one that says nothing."""
    check_together(archive_files(made))


def test_every_form_names_the_language() -> None:
    """The language of the items, in the place that each form has for it."""
    made = files(replace(feed(), language="pt-BR"))

    assert b"<language>pt-BR</language>" in made["rss"]
    assert b'xml:lang="pt-BR"' in made["atom"]
    assert json.loads(made["json"])["language"] == "pt-BR"


def test_archives_keep_to_the_grammars() -> None:
    """So do the documents of a long feed, every one in every form."""
    found = archive_files(numbered_feed(160))

    assert len(found) == 3 * 4
    check_together(found)


@pytest.mark.parametrize(
    ("form", "right", "wrong"),
    [
        ("atom", b"<id>urn:", b"<id>urn:x</id><id>urn:"),
        ("atom", b"<author>", b"<author><name>Another</name>"),
        ("atom", b"<name>Portal</name>", b""),
        ("atom", b"<updated>2025-01-20T00:00:00+00:00</updated>", b"<updated>20 January</updated>"),
        ("atom", b"<updated>2025-01-20T00:00:00+00:00</updated>", b"<updated>2020-01-01T00:00:00Z</updated>"),
        ("atom", b' rel="self"', b' rel=""'),
        ("atom", b' rel="self"', b' rel="via"'),
        ("atom", b'type="html"', b'type="markup"'),
        ("atom", b"<subtitle>", b"<lead/><subtitle>"),
        ("atom", b'xml:lang="en"', b'xml:lang="in English"'),
        ("rss", b"<title>News</title>", b""),
        ("rss", b"<description>All of it.</description>", b""),
        ("rss", b'isPermaLink="false"', b'isPermaLink="no"'),
        ("rss", b"<ttl>720</ttl>", b"<ttl>never</ttl>"),
        ("rss", b"<ttl>720</ttl>", b"<ttl>720</ttl><ttl>720</ttl>"),
        ("rss", b" +0000</pubDate>", b"</pubDate>"),
        ("rss", b"<link>https:", b"<link>//"),
        ("rss", b"<generator>", b"<lead/><generator>"),
        ("json", b'"title": "News",', b""),
        ("json", b'"id": "tag:', b'"id_": "tag:'),
        ("json", b"T00:00:00Z", b""),
        ("json", b'"content_html"', b'"content"'),
    ],
)
def test_the_grammars_refuse_what_is_no_feed(form: str, right: bytes, wrong: bytes) -> None:
    """Each rule that the tests here rest on turns red for a fault of its own."""
    content = files(AMENDED)[form]
    assert right in content

    assert faults_of(f"feed.{form}", content) == []
    assert faults_of(f"feed.{form}", content.replace(right, wrong)) != []


def test_an_atom_feed_without_any_author_is_refused() -> None:
    """The grammar allows it; RFC 4287 §4.1.1 does not."""
    content = files(AMENDED)["atom"]
    start, end = content.index(b"<author>"), content.index(b"</author>") + len(b"</author>")

    assert faults_of("feed.atom", content[:start] + content[end:]) == ["an entry has no author"]


@given(title=TITLES, content=TITLES, summary=TITLES)
def test_any_text_is_text_in_every_form(title: str, content: str, summary: str) -> None:
    """Markup, quotes, ends of sections, emoji, letters from right to left: a reader gets what was written."""
    found = files(feed(item(1, title=title, content=content, summary=summary)))

    check_together({f"feed.{form}": made for form, made in found.items()})
    (told,) = json.loads(found["json"])["items"]
    assert (told["title"], told["content_html"], told["summary"]) == (title, content, summary)


@pytest.mark.parametrize("title", ["<b>&amp;</b> ]]> \"'", "😀 é \u200f", "\u202eמה השתנה\u202c"])
def test_titles_arrive_as_they_were_written(title: str) -> None:
    """A feed reader shows the title of both XML forms letter by letter."""
    found = files(feed(item(1, title=title)))

    for form in ("rss", "atom"):
        (entry,) = feedparser.parse(io.BytesIO(found[form])).entries
        assert entry.title == title


def test_all_forms_hold_the_same_items() -> None:
    """Readers of each form see the same ids, links, titles, days, terms and texts."""
    found = files(AMENDED)
    told = json.loads(found["json"])["items"]

    for form in ("rss", "atom"):
        read = feedparser.parse(io.BytesIO(found[form])).entries
        assert [
            (value.id, value.link, value.title, value.published_parsed[:3], [tag.term for tag in value.tags])
            for value in read
        ] == [
            (
                value["id"],
                value["url"],
                value["title"],
                tuple(map(int, value["date_published"][:10].split("-"))),
                value["tags"],
            )
            for value in told
        ]
        assert [value.content[0].value for value in read] == [value["content_html"] for value in told]


def test_only_a_corrected_item_says_that_it_changed() -> None:
    """`updated` is the day of publication until an item is corrected; the feed has the newest of all."""
    found = files(AMENDED)
    atom = feedparser.parse(io.BytesIO(found["atom"]))
    untouched, corrected = json.loads(found["json"])["items"]

    assert [entry.updated[:10] for entry in atom.entries] == ["2025-01-10", "2025-01-20"]
    assert [entry.published[:10] for entry in atom.entries] == ["2025-01-10", "2025-01-03"]
    assert atom.feed.updated[:10] == "2025-01-20"
    rss = feedparser.parse(io.BytesIO(found["rss"])).feed
    assert (rss.updated_parsed[:3], rss.published_parsed[:3]) == ((2025, 1, 20), (2025, 1, 10))
    assert "date_modified" not in untouched
    assert corrected["date_modified"] == "2025-01-20T00:00:00Z"


def test_json_feed_says_what_the_form_asks_for() -> None:
    """JSON Feed 1.1: version and title on top, id and content in each item, times with their zone."""
    made = json.loads(files(numbered_feed(1))["json"])

    assert made["version"] == "https://jsonfeed.org/version/1.1"
    assert made["home_page_url"] == "https://portal.example/docs/news/"
    assert made["feed_url"] == "https://portal.example/docs/news/feed.json"
    assert made["authors"] == [{"name": "Portal"}]
    assert made["items"][0]["date_published"] == "2025-01-01T00:00:00Z"
    assert "next_url" not in made


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_the_channel_links_to_its_page_and_to_itself(form: str) -> None:
    """feedgen would make the last link given the channel's."""
    read = feedparser.parse(io.BytesIO(files(numbered_feed(1))[form])).feed

    assert read.link == f"{SITE_URL}news/"
    assert links_in(f"feed.{form}", files(numbered_feed(1))[form])["self"] == f"{SITE_URL}news/feed.{form}"


def test_a_feed_of_nothing_yet_is_one() -> None:
    """Who subscribes before the first item gets a right feed."""
    found = files(feed())

    assert feedparser.parse(io.BytesIO(found["atom"])).feed.updated[:10] == str(FIRST_DAY)
    assert json.loads(found["json"])["items"] == []


def test_same_feed_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build at another hour, in another place, writes the same files."""
    here = archive_files(numbered_feed(120))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()

    there = archive_files(numbered_feed(120))

    monkeypatch.undo()
    time.tzset()
    assert here == there
