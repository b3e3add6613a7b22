"""Versions as CSV and back: the same versions, whatever they hold and however a spreadsheet saves them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog import CoverageVersion, RateVersion
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet import coverage_versions_csv, rate_versions_csv, read_csv
from devportal.catalog.spreadsheet.columns import columns_of, join_items, split_items
from tests.catalog.build import coverage, rate
from tests.catalog.own_book import BOOK
from tests.catalog.strategies import coverage_versions, rate_versions, texts

RATES = """\
id,version,status,sample,note,product,direction,country,network_name,mcc,mnc,number_type,prefixes,unit,\
price,currency,billing_increment,billing_terms,effective_from,effective_to\r
no-sms,1,active,,,sms,outbound,NO,Fjord,242,010,,,segment,0.10,EUR,,,2026-02-01,\r
"""
COVERAGE = """\
id,version,status,sample,note,country,dialling_code,channel,support,number_types,two_way,\
alphanumeric_sender,delivery_receipts,concatenation,unicode,number_portability,registration,\
registration_days,restrictions,reviewed_on,effective_from,effective_to\r
no-sms,1,active,,,NO,47,sms,full,,,,,,,,none,,,2026-01-02,2026-02-01,\r
"""


def test_rates_are_written_like_this() -> None:
    """One row for each version, every field of the record, lines as RFC 4180 has them."""
    assert rate_versions_csv([rate()], BOOK) == RATES


def test_coverage_is_written_like_this() -> None:
    """Each feature has its column, and an unknown one is an empty cell."""
    assert coverage_versions_csv([coverage()], BOOK) == COVERAGE


@given(st.lists(rate_versions(), min_size=1, max_size=3))
def test_rates_are_read_as_they_were_written(versions: list[RateVersion]) -> None:
    """Quotes, line breaks, formulas, leading zeros, HTML and emoji included."""
    records, findings = read_csv(
        rate_versions_csv(versions, BOOK), name="rates.csv", kind=Kind.RATE, book=BOOK
    )

    assert findings == ()
    assert records.rates == tuple(versions)


@given(st.lists(coverage_versions(), min_size=1, max_size=3))
def test_coverage_is_read_as_it_was_written(versions: list[CoverageVersion]) -> None:
    """Restrictions are lists of texts that may hold what parts the items."""
    records, findings = read_csv(
        coverage_versions_csv(versions, BOOK), name="c.csv", kind=Kind.COVERAGE, book=BOOK
    )

    assert findings == ()
    assert records.coverage == tuple(versions)


def save_as_spreadsheet(text: str, *, delimiter: str, ends: str, head: str, all_quoted: bool) -> str:
    """Return a CSV file as a spreadsheet saves it; the writer quotes no line break but its own by itself."""
    out = io.StringIO(newline="")
    writer = csv.writer(
        out,
        delimiter=delimiter,
        lineterminator=ends,
        quoting=csv.QUOTE_ALL if all_quoted or ends != "\r\n" else csv.QUOTE_MINIMAL,
    )
    writer.writerows(csv.reader(io.StringIO(text, newline="")))
    return head + out.getvalue()


@given(
    versions=st.lists(rate_versions(), min_size=1, max_size=2),
    form=st.fixed_dictionaries(
        {
            "delimiter": st.sampled_from(",;\t"),
            "ends": st.sampled_from(["\r\n", "\n", "\r"]),
            "head": st.sampled_from(["", "\ufeff"]),
            "all_quoted": st.booleans(),
        }
    ),
    ending=st.sampled_from(["", "\r\n", ",,,,\r\n,,\r\n"]),
)
def test_files_of_every_spreadsheet_are_read(
    versions: list[RateVersion], form: dict[str, str], ending: str
) -> None:
    """Semicolons as Europe has them, tabs, a byte order mark, quotes everywhere, empty rows at the end."""
    text = save_as_spreadsheet(rate_versions_csv(versions, BOOK), **form)  # type: ignore[arg-type]  # the form of one case
    records, findings = read_csv(
        text + ending.replace(",", form["delimiter"]), name="rates.csv", kind=Kind.RATE, book=BOOK
    )

    assert findings == ()
    assert records.rates == tuple(versions)


def test_a_hint_of_the_delimiter_is_understood() -> None:
    """Some spreadsheets write `sep=;` above the header."""
    text = "sep=;\r\n" + RATES.replace(",", ";")

    assert read_csv(text, name="a.csv", kind=Kind.RATE, book=BOOK)[0].rates == (rate(),)


def test_columns_may_be_reordered_and_left_out() -> None:
    """By their names, not their places; a row that says no status is a draft."""
    text = "price,currency,unit,product,direction,country,id,version,effective_from, note \n"
    text += "0.10,EUR,segment,sms,outbound,NO,no-sms,1,2026-02-01,'=why\n"

    (version,) = read_csv(text, name="a.csv", kind=Kind.RATE, book=BOOK)[0].rates

    assert (version.status, version.note) == ("draft", "=why")
    assert "network" not in version.terms.declared


@given(st.lists(texts(40, shortest=1)))
def test_a_list_in_a_cell_is_split_as_it_was_joined(items: list[str]) -> None:
    """Whatever the items hold: semicolons, backslashes and outer blanks."""
    assert split_items(join_items(items)) == items


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("", []),
        ("  ", []),
        ("474", ["474"]),
        ("474;479 ; 480", ["474", "479", "480"]),
        (r"a\;b; c", ["a;b", "c"]),
        ("a;", ["a"]),
        ("a;;b", ["a", "", "b"]),
        ("a\\", ["a\\"]),
    ],
)
def test_lists_that_people_type_are_split(cell: str, items: list[str]) -> None:
    """Blanks around a semicolon do not matter, nor does one at the end."""
    assert split_items(cell) == items


@pytest.mark.parametrize("kind", Kind)
def test_no_column_is_there_twice(kind: Kind) -> None:
    """Names and paths are each one column's."""
    columns = columns_of(kind, BOOK)

    assert (
        len({column.name for column in columns}) == len({column.path for column in columns}) == len(columns)
    )
