"""The feed of what changed in rates and coverage."""

import io
import json
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import feedparser
import pytest

from devportal.catalog import AuditLog, Published, Records, published
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.pages import Options
from devportal.catalog.pages.countries_sections import MAX_ROWS
from devportal.catalog.pages.feed import (
    MAX_ITEMS_OF_DAY,
    MIN_CHANGES,
    announce_feed,
    feed_files,
)
from devportal.catalog.pages.rates import group_rates
from devportal.catalog.records.rate import RateTerms
from devportal.errors import InvalidSettings
from devportal.markup import Artefact, Page
from devportal.project.settings import Settings
from tests.catalog.build import RATE, TO_ACTIVE, TODAY, log_of, rate
from tests.catalog.own_book import BOOK, Product, Unit, net, replace
from tests.catalog.past import COMING, FIRST, GONE, SECOND, THIRD, records_with_past
from tests.markup.feed_grammars import check_together

SITE_URL = "https://portal.example/docs/"
RSS_URI, ATOM_URI, JSON_URI = (f"rates/feed.{item}" for item in ("rss", "atom", "json"))
ON = Options(site_url=SITE_URL, title="Messaging", settings=Settings(feed_authority="portal.example"))
SWEDISH_CALL = replace(
    RATE,
    id="se-voice",
    country="SE",
    product=Product.VOICE,
    unit=Unit.MINUTE,
    network=None,
    effective_from=date(2026, 2, 5),
)
PAGE = Page(uri="rates/index.md", title="Rates", description="", body="", markdown="")


def files(public: Published, options: Options = ON) -> dict[str, bytes]:
    """Return the feed in its forms, by uri."""
    return {file.uri: file.content for file in feed_files(public, options, group_rates(public).sections)}


def parsed_atom() -> feedparser.FeedParserDict:
    """Return what a reader makes of the Atom feed."""
    return feedparser.parse(io.BytesIO(files(records_with_past())[ATOM_URI]))


def parse_rss(public: Published, options: Options = ON) -> feedparser.FeedParserDict:
    """Return the RSS feed as feedparser reads it."""
    return feedparser.parse(io.BytesIO(files(public, options)[RSS_URI]))


def test_feed_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    """Each form of the feed, whole."""
    golden("catalog/feed.rss", files(records_with_past())[RSS_URI].decode())
    golden("catalog/feed.atom", files(records_with_past())[ATOM_URI].decode())
    golden("catalog/feed.json", files(records_with_past())[JSON_URI].decode())


def test_feed_keeps_to_the_grammars_of_its_forms() -> None:
    """RSS 2.0, RFC 4287 and JSON Feed 1.1; all forms have the same ids, each once, the newest first."""
    check_together(files(records_with_past()))


def test_without_an_authority_ids_are_of_the_host() -> None:
    """They outlive a new path, and the feed's own id does too."""
    here, there = (
        files(records_with_past(), replace(ON, settings=Settings(), site_url=url))[ATOM_URI]
        for url in (SITE_URL, "https://portal.example/")
    )
    ids = [
        [feed.feed.id, *(item.id for item in feed.entries)]
        for feed in map(feedparser.parse, map(io.BytesIO, (here, there)))
    ]

    assert ids[0] == ids[1]
    assert ids[0] == [parsed_atom().feed.id, *(item.id for item in parsed_atom().entries)]


def test_feed_reader_reads_it() -> None:
    """The feed is well-formed, links to the rates, and tells each change with its day, newest first."""
    feed = parse_rss(records_with_past())

    assert not feed.bozo
    assert feed.version == "rss20"
    assert feed.feed.link == f"{SITE_URL}rates/"
    assert {"rel": "self", "type": "application/rss+xml", "href": f"{SITE_URL}rates/feed.rss"} in (
        feed.feed.links
    )
    assert feed.feed.description == "Every new version of published rates and coverage since 2026-01-10."
    assert [item.published_parsed[1:3] for item in feed.entries] == [
        *[(2, 20), (2, 15), (2, 10)],
        *[(2, 1)] * 3,
        *[(1, 10)] * 3,
    ]


def test_titles_tell_what_happened() -> None:
    """New, dearer, cheaper, in another currency, or changed in other terms."""
    voice, cheaper, market, dearer, inbound, *_older = [
        item.title for item in parse_rss(records_with_past()).entries
    ]

    news = "price changed, from 0.0190 EUR per minute to 0.0210 USD per minute"
    assert voice == f"Norway, Voice outbound, mobile numbers: {news}"
    news = "price down by about 33.33%, from 0.12 to 0.08 EUR per segment (sample)"
    assert cheaper == f"Norway, SMS outbound, Fjord (242-010): {news}"
    assert market == "Norway, SMS coverage: support, two-way, registration and 3 more changed"
    news = "price up by 20%, from 0.10 to 0.12 EUR per segment"
    assert dearer == f"Norway, SMS outbound, Fjord & Co (242-010): {news}"
    assert inbound == "Norway, SMS inbound: new, 0.10 EUR per segment"


def test_items_link_to_the_history_or_to_the_row() -> None:
    """A record without a past has no history to link to."""
    links = {item.title.partition(":")[0]: item.link for item in parse_rss(records_with_past()).entries}

    assert links["Norway, SMS coverage"] == f"{SITE_URL}coverage/no/history/#coverage-no-sms"
    assert links["Sweden, SMS outbound"] == f"{SITE_URL}coverage/se/#rate-se-sms-1"


def test_nothing_that_was_not_public_is_told() -> None:
    """What is withdrawn, approved only or still to come is in no byte of the feed."""
    for content in files(records_with_past()).values():
        for unseen in (f"{COMING.price:f}", f"{GONE.price:f}", GONE.id, "no-sms@4", "2026-09-01"):
            assert unseen not in content.decode()
        assert b"0.08" in content


def test_a_version_that_is_withdrawn_is_not_told() -> None:
    """With the version in force its past goes too, and the feed with the last of them."""
    log = log_of(THIRD, steps=(*TO_ACTIVE, Action.WITHDRAW), log=log_of(FIRST, SECOND))
    records = Records(book=BOOK, rates=(rate(FIRST), rate(SECOND), rate(THIRD, State.WITHDRAWN)))

    assert files(published(records, log, TODAY)) == {}


def test_without_history_no_past_price_is_told() -> None:
    """A project that shows no history has a feed of the versions in force, and of no other."""
    content = files(records_with_past(), replace(ON, settings=replace(ON.settings, rate_history=False)))[
        RSS_URI
    ].decode()
    feed = parse_rss(records_with_past(), replace(ON, settings=replace(ON.settings, rate_history=False)))

    assert "0.12" not in content
    assert "history" not in content
    assert [item.title for item in feed.entries][:2] == [
        "Norway, Voice outbound, mobile numbers: version 2, 0.0210 USD per minute",
        "Norway, SMS outbound, Fjord (242-010): version 3, 0.08 EUR per segment (sample)",
    ]


def test_a_sample_is_marked_wherever_it_is_shown() -> None:
    """In title, summary, content and tags: readers show one of them or another."""
    items = json.loads(files(records_with_past())[JSON_URI])["items"]
    samples = [item for item in items if "sample" in item["tags"]]

    assert [item["id"] for item in samples] == ["tag:portal.example,2026-02-15:rates/no-sms@3"]
    assert samples[0]["title"].endswith("(sample)")
    assert "Sample data, no offer." in samples[0]["summary"]
    assert "sample data, not an offer" in samples[0]["content_html"]


def test_ids_outlive_host_and_replacement() -> None:
    """Neither a moved site nor a newer version makes a reader announce an old item anew."""
    first = published(Records(book=BOOK, rates=(rate(FIRST),)), log_of(FIRST), date(2026, 1, 20))
    (before,) = parse_rss(first).entries

    moved = parse_rss(records_with_past(), replace(ON, site_url="http://127.0.0.1:8000/"))
    ids = [item.id for item in moved.entries]

    assert before.id == "tag:portal.example,2026-01-10:rates/no-sms@1"
    assert before.id in ids
    assert len(ids) == len(set(ids))
    assert ids == [item.id for item in parse_rss(records_with_past()).entries]


def many_rates(number: int, *, days: int = 1, country: str = "NO") -> list[RateTerms]:
    """Return so many new rates, in turn on each of some days from 5 February on."""
    return [
        replace(
            RATE,
            id=f"{country.lower()}-{position}",
            country=country,
            network=net(name="N", mcc="242", mnc=f"{position:03}"),
            effective_from=date(2026, 2, 5 + position % days),
        )
        for position in range(number)
    ]


def items_of(rates: list[RateTerms], log: AuditLog | None = None) -> list[dict[str, Any]]:
    """Return the items of the feed of these active rates, in the order of the feed."""
    public = published(Records(book=BOOK, rates=tuple(map(rate, rates))), log or log_of(*rates), TODAY)
    found: list[dict[str, Any]] = json.loads(files(public)[JSON_URI])["items"]
    return found


def test_feed_has_whole_days_and_ends_after_the_newest() -> None:
    """As many days as it takes to tell of some changes, none of them in part; it says since when."""
    rates = many_rates(10 * MIN_CHANGES, days=20)

    days = [item["date_published"][:10] for item in items_of(rates)]

    assert days == ["2026-02-24"] * 25 + ["2026-02-23"] * 25
    public = published(Records(book=BOOK, rates=tuple(map(rate, rates))), log_of(*rates), TODAY)
    assert parse_rss(public).feed.description.endswith("since 2026-02-23.")


def test_no_change_of_one_day_is_left_out() -> None:
    """A list of prices that is activated on one day is told whole, one by one."""
    rates = many_rates(296)

    assert {item["url"].rpartition("#")[2] for item in items_of(rates)} == {
        f"rate-{rate_terms.id}-1" for rate_terms in rates
    }


def test_more_changes_of_a_day_are_told_by_market() -> None:
    """What is beyond the limit is counted for its country and product, with an id that stays."""
    rates = [
        *many_rates(MAX_ITEMS_OF_DAY - 1),
        *many_rates(12, country="SE"),
        replace(SWEDISH_CALL, sample=True),
    ]

    items = items_of(rates)
    told = items[MAX_ITEMS_OF_DAY:]

    assert [item["title"] for item in told] == [
        "Sweden, SMS: 11 new rates",
        "Sweden, Voice outbound: new, 0.10 EUR per minute (sample)",
    ]
    assert told[0]["id"] == "tag:portal.example,2026-02-05:rates/se/sms"
    assert told[0]["url"] == f"{SITE_URL}coverage/se/#rates-sms"
    assert told[0]["summary"] == "All of them came into force on 2026-02-05."
    assert told[0]["tags"] == ["kind:rates", "product:sms", "country:SE"]
    assert len({item["id"] for item in items}) == len(items)


def test_samples_told_together_are_marked() -> None:
    """One sample among them is enough."""
    rates = [
        *many_rates(MAX_ITEMS_OF_DAY),
        *(replace(many_rate, sample=True) for many_rate in many_rates(2, country="SE")),
    ]

    told = items_of(rates)[-1]

    assert told["title"] == "Sweden, SMS: 2 new rates (sample)"
    assert "Sample data is among them" in told["summary"]
    assert "Sample data is among them" in told["content_html"]
    assert "sample" in told["tags"]


def test_changes_of_price_come_before_new_markets() -> None:
    """However many of them a day has: a reader who stops early has seen the prices."""
    day = date(2026, 2, 5)
    before = replace(RATE, id="z", network=None, effective_from=date(2026, 1, 1), effective_to=day)
    after = replace(before, version=2, price=Decimal("0.2"), effective_from=day, effective_to=None)
    rates = many_rates(MAX_ITEMS_OF_DAY + 2)
    records = Records(book=BOOK, rates=(*map(rate, rates), rate(before), rate(after)))

    items = json.loads(files(published(records, log_of(before, after, *rates), TODAY))[JSON_URI])["items"]

    assert items[0]["title"] == "Norway, SMS outbound: price up by 100%, from 0.10 to 0.2 EUR per segment"
    assert items[-1]["title"] == "Norway, SMS: 3 new rates"


def test_an_item_leads_to_the_page_where_its_row_stands() -> None:
    """Rates of a country that has many are divided among pages."""
    items = items_of(many_rates(MAX_ROWS + 20, days=3))

    places = {item["url"].partition("#")[0] for item in items}
    assert places == {f"{SITE_URL}coverage/no/sms/", f"{SITE_URL}coverage/no/sms/2/"}


@pytest.mark.parametrize(
    ("options", "public"),
    [
        (replace(ON, settings=replace(ON.settings, feed=False)), records_with_past()),
        (replace(ON, site_url=""), records_with_past()),
        (ON, Published(on=TODAY)),
    ],
)
def test_without_a_feed_there_is_no_trace_of_one(options: Options, public: Published) -> None:
    """Turned off, without an address, or with nothing to tell: pages are as they were."""
    assert [*announce_feed([PAGE], public, options, {})] == [PAGE]


def test_each_page_announces_the_feed() -> None:
    """In each form, under the name of the service; files pass by untouched."""
    file = Artefact(uri="rates/rates.csv", content=b"")
    made = [*announce_feed([PAGE, file], records_with_past(), ON, {})]

    assert [page.uri for page in made] == [RSS_URI, ATOM_URI, JSON_URI, PAGE.uri, file.uri]
    assert isinstance(made[3], Page)
    assert made[3].feeds == (
        ("application/rss+xml", "Messaging: rates and coverage", RSS_URI),
        ("application/atom+xml", "Messaging: rates and coverage", ATOM_URI),
        ("application/feed+json", "Messaging: rates and coverage", JSON_URI),
    )
    assert made[4] is file


def test_same_records_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A build at another hour, in another place, writes the same feed."""
    here = files(records_with_past())
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()

    there = files(records_with_past())

    monkeypatch.undo()
    time.tzset()
    assert here == there


@pytest.mark.parametrize(
    "options", [replace(ON, site_url="/docs/"), replace(ON, settings=Settings(feed_authority="my company"))]
)
def test_a_feed_that_cannot_work_is_refused(options: Options) -> None:
    """An address that is not absolute, and an authority that makes no tag URI."""
    with pytest.raises(InvalidSettings, match="feed"):
        files(records_with_past(), options)


def test_control_characters_and_markup_are_text() -> None:
    """A name that no feed can carry loses what it cannot; markup in it stays text for every reader."""
    evil = replace(RATE, network=net(name="<b>&\x07 ]]> é 😀", mcc="242", mnc="010"))
    public = published(Records(book=BOOK, rates=(rate(evil),)), log_of(evil), TODAY)
    feed = parse_rss(public)
    (item,) = json.loads(files(public)[JSON_URI])["items"]

    assert not feed.bozo
    assert feed.entries[0].title == "Norway, SMS outbound, <b>& ]]> é 😀 (242-010): new, 0.10 EUR per segment"
    assert "<b>" not in item["content_html"]
    assert "\x07" not in item["content_html"]
