"""What feeds have in common: ids, addresses, and the settings that make one impossible."""

from datetime import date
from uuid import UUID

import pytest

from devportal.errors import InvalidSettings
from devportal.markup.feeds import (
    FeedFormat,
    absolute_url,
    authority_of,
    check_feed,
    feed_id,
    feed_links,
    single_document,
    tag_uri,
)

from .feed_samples import FIRST_DAY, SITE_URL, feed, item


def test_an_id_has_authority_day_and_name() -> None:
    """A tag URI, as RFC 4151 writes it."""
    assert tag_uri("portal.example", date(2026, 3, 2), "news/2") == "tag:portal.example,2026-03-02:news/2"


def test_the_id_of_a_feed_is_made_of_authority_and_name_alone() -> None:
    """It is a name-based UUID, another one for another feed, and for the feed of another authority."""
    made = feed_id("portal.example", "changelog")

    assert UUID(made).version == 5
    assert made == feed_id("portal.example", "changelog")
    assert len({made, feed_id("portal.example", "rates"), feed_id("b.example", "changelog")}) == 3


def test_an_address_keeps_its_anchor() -> None:
    """Pages are at the addresses of folders, and what a url cannot hold is escaped."""
    assert absolute_url("a/b c.md#d é", site_url=SITE_URL) == f"{SITE_URL}a/b%20c/#d%20%C3%A9"


@pytest.mark.parametrize(
    ("setting", "site_url", "authority"),
    [
        ("", "https://portal.example/docs/", "portal.example"),
        ("", "https://portal.example/", "portal.example"),
        ("", "https://user@Portal.example:8443/elsewhere/", "portal.example"),
        ("", "https://bücher.example/", "xn--bcher-kva.example"),
        ("news.example", "https://portal.example/docs/", "news.example"),
        ("me@news.example", "https://portal.example/docs/", "me@news.example"),
        ("", "/docs/", ""),
        ("", "http://[x/", ""),
    ],
)
def test_ids_are_minted_under_the_setting_or_the_host(setting: str, site_url: str, authority: str) -> None:
    """The path, the port and the letters' case of an address never reach an id."""
    assert authority_of(setting, site_url=site_url) == authority


@pytest.mark.parametrize(
    ("site_url", "authority"),
    [("", "a.example"), ("/docs/", "a.example"), (SITE_URL, "my company"), ("http://[::1]/", "")],
)
def test_a_feed_that_cannot_work_is_refused(site_url: str, authority: str) -> None:
    """No absolute address, or no name to mint ids under: the message says whose feed it is, or whose ids."""
    with pytest.raises(InvalidSettings, match="feed") as caught:
        check_feed("list of news", site_url=site_url, authority=authority)

    assert caught.value.help


@pytest.mark.parametrize("authority", ["", "a.example"])
def test_a_feed_that_works_is_not_refused(authority: str) -> None:
    """With an absolute address the authority may be left to it."""
    check_feed("list of news", site_url=SITE_URL, authority=authority)


def test_each_form_is_announced() -> None:
    """By its media type, under one title."""
    assert feed_links("News", "news/feed") == (
        ("application/rss+xml", "News", "news/feed.rss"),
        ("application/atom+xml", "News", "news/feed.atom"),
        ("application/feed+json", "News", "news/feed.json"),
    )


def test_what_changed_when_is_told_by_corrections() -> None:
    """An item changed on the day of its correction, and a feed on the newest of all these days."""
    corrected = item(0, amended_on=date(2025, 3, 1))
    document = single_document(feed(item(3), corrected))

    assert item(3).changed_on == item(3).date
    assert corrected.changed_on == date(2025, 3, 1)
    assert document.changed_on == date(2025, 3, 1)
    assert document.published_on == item(3).date


def test_a_feed_without_items_is_dated_by_its_beginning() -> None:
    """No clock is asked."""
    document = single_document(feed())

    assert (document.changed_on, document.published_on) == (FIRST_DAY, FIRST_DAY)
    assert document.address(FeedFormat.ATOM, site_url=SITE_URL) == f"{SITE_URL}news/feed.atom"
