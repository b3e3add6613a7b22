"""The pages of coverage: the map, the table of all markets, and a page for each channel."""

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import date

import pytest

from devportal.catalog import Published
from devportal.catalog.pages import Options
from devportal.catalog.pages.coverage import coverage_pages, facets_of, row_data
from devportal.catalog.pages.coverage_markets import by_area, markets_of, registration_words
from devportal.catalog.records.coverage import Registration, Support
from devportal.catalog.world import Region
from devportal.markup import Artefact, Page
from tests.catalog.build import COVERAGE, RATE, TODAY
from tests.catalog.own_book import BOOK, Channel, Scheme, replace
from tests.catalog.publishing import LIMITED, VOICE, public, read, small_catalog

NO_VOICE = replace(COVERAGE, id="no-voice", channel=Channel.VOICE, support=Support.LIMITED)
MALTA = replace(COVERAGE, id="mt-sms", country="MT", dialling_code="356", support=Support.LIMITED)
JAPAN = replace(
    COVERAGE,
    id="jp-voice",
    country="JP",
    dialling_code="81",
    channel=Channel.VOICE,
    registration=Registration(scheme=Scheme.SENDER_ID, lead_time_days=1),
)


def several_markets() -> Published:
    """Return markets on two channels and in two regions."""
    return public((RATE,), (COVERAGE, NO_VOICE, LIMITED, MALTA, JAPAN))


def pages_of(shown: Published) -> dict[str, Page]:
    """Return the pages by uri."""
    return {made.uri: made for made in coverage_pages(shown, Options()) if isinstance(made, Page)}


def files_of(shown: Published) -> dict[str, str]:
    """Return the files by uri."""
    return {
        made.uri: made.content.decode()
        for made in coverage_pages(shown, Options())
        if isinstance(made, Artefact)
    }


def row_of(body: str, code: str) -> str:
    """Return the row of a country in a table."""
    found = re.search(rf'<tr role="row" id="country-{code}".*?</tr>', body, re.DOTALL)
    assert found is not None
    return found[0]


def without_outlines(body: str) -> str:
    """Return a page with its outlines cut short, for whoever reads its golden file."""
    return re.sub(r' d="(M[^l"]*l)[^"]*"', r' d="\1…"', body)


@pytest.mark.parametrize(("name", "uri"), [("coverage", ""), ("coverage-voice", "voice/")])
def test_pages_are_these(name: str, uri: str, golden: Callable[[str, str], None]) -> None:
    """The whole page but for the outlines of the map, its Markdown twin and what search finds."""
    page = pages_of(several_markets())[f"coverage/{uri}index.md"]

    golden(f"catalog/{name}.html", without_outlines(page.body))
    golden(f"catalog/{name}.md", page.markdown)
    found = "".join(f"{entry.anchor}|{entry.title}|{entry.text}\n" for entry in page.search)
    golden(f"catalog/{name}.search.txt", f"{page.title}\n{page.description}\n\n{found}")


def test_each_channel_that_reaches_a_market_has_a_page() -> None:
    """The page of a channel shows its markets and no other; a channel without any has no page."""
    pages = pages_of(several_markets())

    assert set(pages) == {"coverage/index.md", "coverage/sms/index.md", "coverage/voice/index.md"}
    assert 'id="country-mt"' not in pages["coverage/voice/index.md"].body
    assert 'id="country-jp"' in pages["coverage/voice/index.md"].body
    assert {uri: page.title for uri, page in pages.items()}["coverage/sms/index.md"] == "SMS coverage"


def test_a_market_is_on_the_map_by_its_best_channel() -> None:
    """Norway has full SMS and limited voice: it is full on the map of all, and limited on that of voice."""
    pages = pages_of(several_markets())

    assert '<a class="dp-world__full" data-country="NO" href="no/" ' in pages["coverage/index.md"].body
    limited = '<a class="dp-world__limited" data-country="NO" href="../no/"'
    assert limited in pages["coverage/voice/index.md"].body


def test_the_map_says_what_works_in_words() -> None:
    """The name of a link is the country, with each channel and its support."""
    body = pages_of(several_markets())["coverage/index.md"].body

    assert 'aria-label="Norway: SMS full, voice limited"' in body
    assert 'aria-label="Malta: SMS limited"' in body


def test_the_table_says_what_the_map_says() -> None:
    """Each country on the map is a row that leads to the same page, in each of the pages."""
    for page in pages_of(several_markets()).values():
        marks = re.findall(r'data-country="(\w\w)" href="([^"]+)"', page.body)
        rows = re.findall(r'<tr role="row" id="[^"]+" data-country="(\w\w)"', page.body)

        assert sorted(code for code, _href in marks) == sorted(rows), page.uri
        for code, href in marks:
            assert f'<a href="{href}">' in row_of(page.body, code.lower()), page.uri


def test_a_row_tells_what_is_registered_and_how_many_rates_there_are() -> None:
    """Below the support stands the registration, where any is needed; a channel without a record has none."""
    body = pages_of(several_markets())["coverage/index.md"].body

    assert "Sender ID, usually 1 day" in row_of(body, "se")
    assert "None needed" not in row_of(body, "no")
    assert 'data-label="Rates">1</td>' in row_of(body, "no")
    assert 'data-label="Rates">none</td>' in row_of(body, "jp")
    assert "dp-coverage-absent" in row_of(body, "jp")
    assert "dp-coverage-absent" not in row_of(body, "no")


def test_a_channel_s_page_tells_the_features() -> None:
    """What is not stated is told as that."""
    row = row_of(pages_of(several_markets())["coverage/sms/index.md"].body, "se")

    assert 'class="dp-coverage-yes" data-label="Two-way">Yes</td>' in row
    assert 'class="dp-coverage-no" data-label="Unicode">No</td>' in row
    assert 'class="dp-coverage-unknown" data-label="Concatenation">Not stated</td>' in row


def test_files_of_a_channel_hold_its_rows_only() -> None:
    """The downloads of a page are the rows of that page, in both forms."""
    files = files_of(several_markets())

    for uri, ids in {
        "coverage/coverage": ["jp-voice@1", "mt-sms@1", "no-sms@1", "no-voice@1", "se-sms@1"],
        "coverage/sms/sms": ["mt-sms@1", "no-sms@1", "se-sms@1"],
        "coverage/voice/voice": ["jp-voice@1", "no-voice@1"],
    }.items():
        rows = csv.DictReader(io.StringIO(files[f"{uri}.csv"], newline=""))
        assert [row["row_id"] for row in rows] == ids
        assert [row["row_id"] for row in json.loads(files[f"{uri}.json"])["coverage"]] == ids


def test_a_country_with_rates_only_is_named_below() -> None:
    """It has a page, and is neither on the map nor in the table."""
    body = pages_of(public((VOICE,), (COVERAGE,)))["coverage/index.md"].body

    assert 'record: <a href="se/">Sweden</a>.' in body
    assert 'id="country-se"' not in body
    assert 'data-country="SE"' not in body


def test_without_records_there_is_no_map() -> None:
    """The page says so, and its files hold only their header."""
    nothing = Published(on=TODAY)
    (page,) = pages_of(nothing).values()

    assert "No coverage record is published yet." in page.body
    assert "No coverage record is published yet." in page.markdown
    assert page.description == "Markets served: none yet, in force on 2026-03-01."
    assert "<svg" not in page.body
    assert "<table" not in page.body
    assert "markets.js" not in str(page.scripts)
    assert files_of(nothing)["coverage/coverage.csv"].count("\n") == 1


def test_samples_are_marked() -> None:
    """Beside other records, a country with sample records has a mark; without others, the note is enough."""
    page = pages_of(public((), (COVERAGE, replace(MALTA, sample=True))))["coverage/index.md"]
    alone = pages_of(public((), (replace(MALTA, sample=True),)))["coverage/index.md"]

    assert "Sample</span>" in row_of(page.body, "mt")
    assert "Sample" not in row_of(page.body, "no")
    assert "[Malta](mt/index.md) MT Sample" in page.markdown
    assert "Records marked Sample are invented." in page.body
    assert "Records on this page are invented." in alone.body
    assert "Sample" not in row_of(alone.body, "mt")


def test_markets_are_listed_by_region_and_name() -> None:
    """Europe first; within a region by name, whatever the order of the records."""
    shown = several_markets()
    regions = list(by_area(markets_of(shown.coverage[::-1], shown.rates, BOOK)))

    assert [(region, [market.code for market in markets]) for (region, _), markets in regions] == [
        (Region.EUROPE, ["MT", "NO", "SE"]),
        (Region.ASIA, ["JP"]),
    ]
    assert [record.terms.channel for record in regions[0][1][1].records] == [Channel.SMS, Channel.VOICE]


def test_a_row_tells_the_script_its_records() -> None:
    """One triple for each record, so that no filter mixes two of them."""
    norway = markets_of(several_markets().coverage, (), BOOK)[2]

    assert norway.code == "NO"
    assert row_data(norway) == "sms/full/none voice/limited/none"
    assert (
        'data-records="sms/full/none voice/limited/none"'
        in pages_of(several_markets())["coverage/index.md"].body
    )


def test_filters_offer_what_occurs() -> None:
    """A filter with one value excludes nothing, and is left out; channels have pages of their own."""
    markets = markets_of(several_markets().coverage, (), BOOK)

    assert {facet.name: [value for value, _words in facet.choices] for facet in facets_of(markets, BOOK)} == {
        "region": ["europe", "asia"],
        "support": ["full", "limited"],
        "registration": ["none", "sender_id"],
    }
    assert [facet.name for facet in facets_of(markets[2:3], BOOK)] == ["support"]


@pytest.mark.parametrize(
    ("days", "words"),
    [(None, "Sender ID"), (1, "Sender ID, usually 1 day"), (5, "Sender ID, usually 5 days")],
)
def test_registration_in_words(days: int | None, words: str) -> None:
    """The usual time is told where it is stated."""
    assert registration_words(Registration(scheme=Scheme.SENDER_ID, lead_time_days=days)) == words


def test_records_that_differ_in_the_dialling_code_show_both() -> None:
    """A fault of the records is shown, not hidden."""
    other = replace(NO_VOICE, dialling_code="4779", effective_to=date(2027, 1, 1))
    body = pages_of(public((), (COVERAGE, other)))["coverage/index.md"].body

    assert "+47, +4779" in row_of(body, "no")


def test_the_same_records_give_the_same_pages() -> None:
    """The order of the records does not show."""
    forward = public((RATE,), (COVERAGE, NO_VOICE, MALTA))
    backward = public((RATE,), (MALTA, NO_VOICE, COVERAGE))

    assert pages_of(forward) == pages_of(backward)


def test_the_old_anchors_stay() -> None:
    """Links to a country on the page of all, shared before it had a page, still lead there."""
    assert 'id="country-se"' in pages_of(small_catalog())["coverage/index.md"].body


def test_the_page_of_a_channel_leads_back() -> None:
    """A breadcrumb names the page above it."""
    found = read(pages_of(small_catalog())["coverage/sms/index.md"].body)

    assert found.links[0] == "../"
