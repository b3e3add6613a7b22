"""Rate sheets as PDF. They are tested where the extra `pdf` is installed."""

import re
import zlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from devportal.catalog import Catalog, Published
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.pages.countries_sections import MAX_ROWS
from devportal.extras import Extra, missing_packages
from devportal.markup import Artefact, Page
from devportal.site.leaks.search import find_leaks

from .build import RATE, coverage, rate, records
from .own_book import net, replace
from .publishing import LIMITED, VOICE, public

needs_pdf = pytest.mark.skipif(bool(missing_packages(Extra.PDF)), reason="the extra pdf is not installed")
SHEETS = Options(site_url="https://rates.example.com/", title="Nordic Messaging", sheets=True)


def sheets_of(shown: Published, options: Options = SHEETS) -> dict[str, bytes]:
    """Return the sheets by uri."""
    made = catalog_pages(shown, options)
    return {
        page.uri: page.content for page in made if isinstance(page, Artefact) and page.uri.endswith(".pdf")
    }


def page_of(shown: Published, options: Options = SHEETS) -> str:
    """Return the page of Norway."""
    made = catalog_pages(shown, options)
    (page,) = (page for page in made if isinstance(page, Page) and page.uri == "coverage/no/index.md")
    return page.body


def texts_of(pdf: bytes) -> Sequence[str]:
    """Return the texts of a sheet in their order."""
    streams = [
        zlib.decompressobj().decompress(pdf[match.end() :])
        for match in re.finditer(rb"(?<!end)stream\n", pdf)
    ]
    shown = re.findall(rb"\((.*?)(?<!\\)\) Tj", b"\n".join(streams))
    return [re.sub(rb"\\([()\\])", rb"\1", item).decode("cp1252") for item in shown]


@needs_pdf
def test_each_product_of_a_country_has_a_sheet() -> None:
    """With its prices, the day on which they are in force and the address, and a link on the country's page."""
    shown = public((RATE, VOICE), (LIMITED,))

    sheets = sheets_of(shown)

    assert set(sheets) == {"coverage/no/rates-no-sms.pdf", "coverage/se/rates-se-voice.pdf"}
    texts = texts_of(sheets["coverage/no/rates-no-sms.pdf"])
    assert texts[:2] == ["Nordic Messaging", "SMS rates for Norway"]
    assert {"Fjord (MCC 242, MNC 010)", "0.10 EUR", "per segment", "from 2026-02-01"} <= set(texts)
    assert f"In force on {shown.on} (UTC). Prices without tax." in texts
    assert "https://rates.example.com/coverage/no/" in texts
    assert 'href="rates-no-sms.pdf" download>SMS rates for Norway as PDF</a>' in page_of(shown)


@needs_pdf
def test_a_sheet_of_sample_data_says_so() -> None:
    """A hand-out leaves the page with the note behind."""
    assert "Sample data. Prices are invented. They are not an offer." in texts_of(
        sheets_of(public((VOICE,)))["coverage/se/rates-se-voice.pdf"]
    )


@needs_pdf
def test_the_same_rates_give_the_same_bytes() -> None:
    """Nothing depends on the clock: the only date is the day on which the rates are in force."""
    first, second = (sheets_of(public((RATE,)))["coverage/no/rates-no-sms.pdf"] for _ in range(2))

    assert first == second
    assert re.findall(rb"D:[0-9]+", first) == [b"D:20260301000000"]


@needs_pdf
def test_many_rates_take_several_pages() -> None:
    """Each page has the titles of the columns and its number."""
    rates = tuple(
        replace(
            RATE, id=f"no-{n}", price=Decimal(n + 1), network=net(name=f"N {n}", mcc="242", mnc=f"{n:03}")
        )
        for n in range(MAX_ROWS + 1)
    )

    texts = texts_of(sheets_of(public(rates))["coverage/no/rates-no-sms.pdf"])

    pages = texts.count("Network or prefix")
    assert pages > 1
    assert f"{pages} / " in texts


@needs_pdf
def test_texts_stay_in_their_columns() -> None:
    """A long name takes several lines, also one without spaces; no title is broken for it."""
    spoken = " ".join(f"Northern{number}" for number in range(12))
    written = "N" * 150
    networks = (net(name=spoken, mcc="242", mnc="010"), net(name=written, mcc="242", mnc="011"))
    rates = tuple(
        replace(RATE, id=f"no-{number}", network=network) for number, network in enumerate(networks)
    )

    texts = texts_of(sheets_of(public(rates))["coverage/no/rates-no-sms.pdf"])

    lines = [text for text in texts if text.startswith("Northern")]
    assert len(lines) > 1
    assert " ".join(lines).startswith(spoken)
    assert sum(len(line) - len(line.lstrip("N")) for line in texts if line.startswith("NN")) == len(written)
    assert {"Network or prefix", "Number type", "Price", "Effective", "Version"} <= {*texts}


@needs_pdf
def test_a_name_that_cannot_be_set_has_no_sheet() -> None:
    """The standard typefaces have no Cyrillic: no sheet is better than one with wrong names."""
    shown = public((replace(RATE, network=net(name="Фьорд", mcc="242", mnc="010")),))

    assert sheets_of(shown) == {}
    assert ".pdf" not in page_of(shown)


@needs_pdf
def test_the_search_for_leaks_reads_every_word_of_a_sheet(tmp_path: Path) -> None:
    """A sheet needs no warning that its text is in codes of its own fonts."""
    (tmp_path / "sheet.pdf").write_bytes(sheets_of(public((RATE,)))["coverage/no/rates-no-sms.pdf"])

    assert [*find_leaks(tmp_path, Catalog(), public((RATE,)))] == []


def test_the_name_of_a_sheet_is_no_leak_of_a_record_that_is_called_alike(tmp_path: Path) -> None:
    """A draft may be named after its market and product, as the sheet of the public rates there is."""
    shown = public((replace(RATE, id="no-sms-fjord"),))
    catalog = Catalog(records=records(rate(replace(RATE, id="no-sms-fjord")), coverage(status=State.DRAFT)))
    page = tmp_path / "index.html"

    page.write_text('<a href="rates-no-sms.pdf">', encoding="utf-8")
    assert [*find_leaks(tmp_path, catalog, shown)] == []

    page.write_text('<a href="rates-no-sms.pdf">no-sms', encoding="utf-8")
    (finding,) = find_leaks(tmp_path, catalog, shown)
    assert "'no-sms'" in finding.message


@needs_pdf
def test_a_list_that_nobody_reads_on_paper_has_no_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has its files."""
    monkeypatch.setattr("devportal.catalog.sheets.MAX_RATES", 0)

    assert sheets_of(public((RATE,))) == {}


def test_without_the_option_there_is_no_sheet() -> None:
    """Neither a file nor a link."""
    without = replace(SHEETS, sheets=False)

    assert sheets_of(public((RATE,)), without) == {}
    assert ".pdf" not in page_of(public((RATE,)), without)
