"""The public files."""

import csv
import hashlib
import io
import json
from collections.abc import Callable

import pytest

from devportal.catalog.pages.columns import rate_columns
from devportal.catalog.pages.downloads import csv_cell, csv_file
from tests.catalog.build import RATE
from tests.catalog.own_book import BOOK, net, replace
from tests.catalog.publishing import files_of, pages_of, public, small_catalog

PAIRS = ("rates/rates", "rates/sms/rates-sms", "coverage/no/rates-no", "coverage/no/coverage-no")


@pytest.mark.parametrize("name", ["rates/rates", "coverage/se/coverage-se"])
def test_files_are_these(name: str, golden: Callable[[str, str], None]) -> None:
    """The whole downloads, to the byte."""
    files = files_of(small_catalog())

    golden(f"catalog/{name.rpartition('/')[2]}.csv", files[f"{name}.csv"].decode())
    golden(f"catalog/{name.rpartition('/')[2]}.json", files[f"{name}.json"].decode())


@pytest.mark.parametrize("name", PAIRS)
def test_a_page_shows_size_and_checksum_of_its_files(name: str) -> None:
    """A reader can compare a file with the page as `sha256sum --check` does, and with its twin."""
    pages, files = pages_of(small_catalog()), files_of(small_catalog())
    page = pages[f"{name.rpartition('/')[0]}/index.md"]

    for ending in ("csv", "json"):
        content = files[f"{name}.{ending}"]
        assert f"{hashlib.sha256(content).hexdigest()}  {name.rpartition('/')[2]}.{ending}\n" in page.body
        assert f"{len(content):,} bytes" in page.body
        assert hashlib.sha256(content).hexdigest() in page.markdown


@pytest.mark.parametrize("name", PAIRS)
def test_both_files_hold_the_same_rows(name: str) -> None:
    """CSV and JSON differ in form only."""
    files = files_of(small_catalog())
    rows = list(csv.DictReader(io.StringIO(files[f"{name}.csv"].decode(), newline="")))
    (items,) = json.loads(files[f"{name}.json"]).values()

    assert items
    for row, item in zip(rows, items, strict=True):
        assert row == {name: csv_cell(tuple(v) if isinstance(v, list) else v) for name, v in item.items()}


def test_a_row_is_the_same_in_every_file() -> None:
    """What a country's file holds stands in the file of everything, to the byte, and nothing is left out."""
    files = files_of(small_catalog())
    everything = files["rates/rates.csv"].splitlines(keepends=True)
    header, rows = everything[0], everything[1:]
    products = [files["rates/sms/rates-sms.csv"], files["rates/voice/rates-voice.csv"]]
    countries = [files["coverage/no/rates-no.csv"], files["coverage/se/rates-se.csv"]]

    for parts in (products, countries):
        assert all(part.startswith(header) for part in parts)
        assert sorted(row for part in parts for row in part.splitlines(keepends=True)[1:]) == sorted(rows)


@pytest.mark.parametrize("name", ["A, B", 'The "A"', "A\nB", "A\r\nB", "A;B"])
def test_a_cell_may_hold_what_ends_cells(name: str) -> None:
    """A reader of CSV gets back each name as it was, beside the cells around it."""
    terms = replace(RATE, network=net(name=name, mcc="242", mnc="010"))

    content = csv_file("rates.csv", rate_columns(BOOK), public((terms,)).rates).content.decode()
    (row,) = csv.DictReader(io.StringIO(content, newline=""))

    assert (row["network"], row["mcc"], row["mnc"]) == (name, "242", "010")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝"])
def test_a_formula_is_text_in_csv(start: str) -> None:
    """A name that a spreadsheet would run gets a quote before it."""
    terms = replace(RATE, network=net(name=f"{start}HYPERLINK(1)", mcc="242", mnc="010"))

    content = csv_file("rates.csv", rate_columns(BOOK), public((terms,)).rates).content.decode()
    (row,) = csv.DictReader(io.StringIO(content, newline=""))

    assert row["network"] == f"'{start}HYPERLINK(1)"
    assert row["mnc"] == "010"
    assert row["price"] == "0.10"
