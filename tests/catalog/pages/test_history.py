"""The page of what a country's public records have replaced."""

import csv
import hashlib
import io
import json
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog import Published, Records, published
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.pages import Options
from devportal.catalog.pages.history import country_histories, history_pages, price_bar_lengths
from devportal.catalog.pages.record_histories import RecordHistory, rate_histories
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact, Page, render_markdown
from devportal.project.settings import Settings
from tests.catalog.build import RATE, START, TO_ACTIVE, TODAY, log_of, rate
from tests.catalog.own_book import BOOK, net, replace
from tests.catalog.past import (
    CALL,
    CALL_NOW,
    COMING,
    FIRST,
    FULL,
    GONE,
    LIMITED,
    SECOND,
    THIRD,
    records_with_past,
)
from tests.catalog.publishing import read

URI = "coverage/no/history/index.md"
ON = Options()


def page() -> Page:
    """Return the page of Norway."""
    (found,) = (made for made in history_pages(records_with_past(), ON) if isinstance(made, Page))
    return found


def files() -> dict[str, bytes]:
    """Return the files of Norway by name."""
    made = history_pages(records_with_past(), ON)
    return {item.uri.rpartition("/")[2]: item.content for item in made if isinstance(item, Artefact)}


def story_of(public: Published, id_: str) -> RecordHistory[RateTerms]:
    """Return the story of one rate."""
    return next(rate_history for rate_history in rate_histories(public) if rate_history.terms.id == id_)


def test_page_is_this(golden: Callable[[str, str], None]) -> None:
    """The whole page, its twin, and its files."""
    golden("catalog/history.html", page().body)
    golden("catalog/history.md", page().markdown)
    for name, content in files().items():
        golden(f"catalog/{name}", content.decode())


def test_only_countries_with_a_past_have_a_page() -> None:
    """Sweden has a rate that replaced nothing."""
    assert [*country_histories(records_with_past(), ON)] == ["NO"]
    assert page().uri == URI


def test_a_project_may_show_no_history() -> None:
    """Without it there is neither page nor file."""
    assert [*history_pages(records_with_past(), Options(settings=Settings(rate_history=False)))] == []
    assert country_histories(records_with_past(), Options(settings=Settings(rate_history=False))) == {}


def test_versions_stand_newest_first_with_the_days_they_held() -> None:
    """Each begins where the one before it ended; the one in force has no end."""
    steps = story_of(records_with_past(), "no-sms").steps

    assert [(step.terms, step.held_from, step.held_until, step.before) for step in steps] == [
        (THIRD, date(2026, 2, 15), None, SECOND),
        (SECOND, date(2026, 2, 1), date(2026, 2, 15), FIRST),
        (FIRST, date(2026, 1, 10), date(2026, 2, 1), None),
    ]


def test_a_version_in_force_began_when_it_was_activated() -> None:
    """A window may open before the version in it was approved and activated: until then nobody saw it."""
    old = replace(RATE, effective_from=date(2025, 12, 1), effective_to=date(2026, 2, 3))
    new = replace(RATE, version=2, effective_from=date(2026, 2, 3))
    records, log = Records(book=BOOK, rates=(rate(old), rate(new))), log_of(old, new)

    steps = story_of(published(records, log, TODAY), RATE.id).steps

    assert [step.held_from for step in steps] == [date(2026, 2, 3), START.date()]


def test_nothing_that_was_not_public_is_told() -> None:
    """No price, id or version of what is withdrawn or still to come is in page, twin or files."""
    everything = "".join([page().body, page().markdown, *(file.decode() for file in files().values())])

    for unseen in (f"{COMING.price:f}", f"{GONE.price:f}", GONE.id, "no-sms@4", "2026-09-01", "Version 4"):
        assert unseen not in everything
    for seen in (FIRST, SECOND, THIRD, CALL, CALL_NOW):
        assert f"{seen.price:f} {seen.currency}" in page().body
        assert f"{seen.price:f} {seen.currency}" in page().markdown


def test_a_version_that_is_withdrawn_takes_its_past_along() -> None:
    """When the version in force is withdrawn, there is nothing left to tell."""
    log = log_of(SECOND, log=log_of(FIRST))
    log = log_of(THIRD, steps=(*TO_ACTIVE, Action.WITHDRAW), log=log)
    records = Records(book=BOOK, rates=(rate(FIRST), rate(SECOND), rate(THIRD, State.WITHDRAWN)))

    assert [*history_pages(published(records, log, TODAY), ON)] == []


def test_each_link_within_the_page_has_its_target() -> None:
    """Ids are unique, headings and permalinks lead somewhere, and nothing is inline that a policy refuses."""
    found = read(page().body)

    assert len(found.ids) == len(set(found.ids))
    assert {link[1:] for link in found.links if link.startswith("#")} <= set(found.ids)
    assert {heading.anchor for heading in page().headings} <= set(found.ids)
    assert {"rate-no-sms", "rate-no-voice", "coverage-no-sms"} <= set(found.ids)
    assert found.refused == []


def test_replaced_prices_are_told_from_the_one_in_force() -> None:
    """Once for each record in force, once for each past version, in words."""
    body = page().body

    assert body.count('dp-badge--stable">In force<') == 3
    assert body.count('dp-history__replaced">Replaced<') == 4 + 1  # and the note on top
    assert page().markdown.count(" · In force") == 3
    assert page().markdown.count(" · Replaced") == 4


def test_hostile_names_are_text() -> None:
    """HTML in a network's name or in a restriction does not reach the page as HTML."""
    evil = net(name="<img src=x onerror=alert(1)>", mcc="242", mnc="010")
    old, new = replace(FIRST, network=evil), replace(SECOND, effective_to=None)
    public = published(Records(book=BOOK, rates=(rate(old), rate(new))), log_of(old, new), TODAY)

    (found,) = (made for made in history_pages(public, ON) if isinstance(made, Page))

    assert "<img" not in found.body
    assert "&lt;img src=x" in found.body
    assert "<img" not in render_markdown(found.markdown)
    assert "<b>" not in page().body
    assert LIMITED.restrictions[0].count("<b>") == 1


def test_files_hold_every_version_and_say_which_is_in_force() -> None:
    """CSV and JSON have the same rows; their names and each row say that they are a history."""
    rows = list(csv.DictReader(io.StringIO(files()["history-rates-no.csv"].decode(), newline="")))
    items = json.loads(files()["history-rates-no.json"])["rate_history"]

    assert [(row["row_id"], row["status"], row["price"], row["held_until"]) for row in rows] == [
        ("no-sms@3", "in force", "0.08", ""),
        ("no-sms@2", "replaced", "0.12", "2026-02-15"),
        ("no-sms@1", "replaced", "0.10", "2026-02-01"),
        ("no-voice@2", "in force", "0.0210", ""),
        ("no-voice@1", "replaced", "0.0190", "2026-02-20"),
    ]
    assert [list(item) for item in items] == [list(row) for row in rows]
    assert [item["mnc"] for item in items] == ["010", "010", "010", None, None]
    assert all(name.startswith("history-") for name in files())
    coverage = json.loads(files()["history-coverage-no.json"])["coverage_history"]
    assert [(item["row_id"], item["support"]) for item in coverage] == [
        (f"{FULL.id}@2", "full"),
        (f"{LIMITED.id}@1", "limited"),
    ]


def test_page_shows_the_checksum_of_each_file() -> None:
    """Who downloads a file can compare it with the page."""
    for content in files().values():
        assert hashlib.sha256(content).hexdigest() in page().body
        assert hashlib.sha256(content).hexdigest() in page().markdown


def test_bars_compare_prices_of_one_currency_only() -> None:
    """The highest is the whole width; euros and dollars are not drawn beside each other."""
    assert price_bar_lengths(story_of(records_with_past(), "no-sms")) == ("66.67", "100", "83.33")
    assert price_bar_lengths(story_of(records_with_past(), "no-voice")) == ()


@given(st.permutations([FIRST, SECOND, THIRD, CALL, CALL_NOW]))
def test_the_order_of_records_does_not_show(order: list[RateTerms]) -> None:
    """The same records give the same bytes."""
    log = log_of(FIRST, SECOND, THIRD, CALL, CALL_NOW)
    ways = [
        tuple(history_pages(published(Records(book=BOOK, rates=tuple(map(rate, terms))), log, TODAY), ON))
        for terms in (order, [FIRST, SECOND, THIRD, CALL, CALL_NOW])
    ]

    assert ways[0] == ways[1]


@pytest.mark.parametrize("count", [2, 60])
def test_a_long_history_has_a_short_table_of_contents(count: int) -> None:
    """With many records the contents name the kinds alone."""
    pairs = [
        replace(version, id=f"no-sms-{number}", network=net(name="N", mcc="242", mnc=f"{number:03}"))
        for number in range(count)
        for version in (FIRST, replace(SECOND, effective_to=None))
    ]
    public = published(Records(book=BOOK, rates=tuple(map(rate, pairs))), log_of(*pairs), TODAY)

    (found,) = (made for made in history_pages(public, ON) if isinstance(made, Page))

    assert len(found.headings) == (2 + count if count == 2 else 2)
