"""Feeds: what RSS and JSON Feed have in common, and what no feed is made of."""

import io
import json
from datetime import date

import feedparser
import pytest

from devportal.errors import InvalidSettings
from devportal.pages.feeds import Feed, Item, address, check_feed, json_file, rss_file, tag_uri

SITE_URL = "https://portal.example/docs/"
NEWER = Item(
    id=tag_uri("portal.example", date(2026, 3, 2), "news/2"),
    url=address("news/index.md#two", site_url=SITE_URL),
    title="Two <b>&amp; ]]> é 😀",
    date=date(2026, 3, 2),
    terms=("kind:new", "sample"),
    summary="Plain & short",
    content="<p>Whole</p>",
)
OLDER = Item(
    id=tag_uri("portal.example", "2026-02-01", "news/1"),
    url=address("news/index.md#one", site_url=SITE_URL),
    title="One",
    date=date(2026, 2, 1),
    terms=(),
    summary="",
    content="",
)
FEED = Feed(
    title="News",
    description="All of it.",
    home=address("news/index.md", site_url=SITE_URL),
    changed_on=date(2026, 3, 5),
    items=(NEWER, OLDER),
)


def test_both_forms_hold_the_same_items() -> None:
    """A reader of RSS and a reader of JSON Feed see the same ids, links, titles, days and terms."""
    rss = feedparser.parse(io.BytesIO(rss_file(FEED, uri="feed.rss", site_url=SITE_URL).content))
    made = json.loads(json_file(FEED, uri="feed.json", site_url=SITE_URL).content)

    assert not rss.bozo
    assert [
        (one.id, one.link, one.title, one.published_parsed[:3], [tag.term for tag in one.get("tags", [])])
        for one in rss.entries
    ] == [
        (
            one["id"],
            one["url"],
            one["title"],
            tuple(map(int, one["date_published"][:10].split("-"))),
            one["tags"],
        )
        for one in made["items"]
    ]
    assert [one["id"] for one in made["items"]] == [NEWER.id, OLDER.id]


def test_json_feed_says_what_the_form_asks_for() -> None:
    """JSON Feed 1.1: version and title on top, id and content in each item, times with their zone."""
    made = json.loads(json_file(FEED, uri="news/feed.json", site_url=SITE_URL).content)

    assert made["version"] == "https://jsonfeed.org/version/1.1"
    assert made["title"] == "News"
    assert made["home_page_url"] == "https://portal.example/docs/news/"
    assert made["feed_url"] == "https://portal.example/docs/news/feed.json"
    assert made["items"][0]["content_html"] == "<p>Whole</p>"
    assert made["items"][0]["date_published"] == "2026-03-02T00:00:00Z"


def test_an_address_keeps_its_anchor() -> None:
    """Pages are at the addresses of folders, and what a url cannot hold is escaped."""
    assert address("a/b c.md#d é", site_url=SITE_URL) == f"{SITE_URL}a/b%20c/#d%20%C3%A9"


@pytest.mark.parametrize(
    ("site_url", "authority"), [("", "a.example"), ("/docs/", "a.example"), (SITE_URL, "my company")]
)
def test_a_feed_that_cannot_work_is_refused(site_url: str, authority: str) -> None:
    """No absolute address, or no name to mint ids under: the message says whose feed it is."""
    with pytest.raises(InvalidSettings, match="feed") as caught:
        check_feed("list of news", site_url=site_url, authority=authority)

    assert caught.value.help
