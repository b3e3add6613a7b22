"""What somebody is told to do about a value that a spreadsheet spoilt: true words, and no guess."""

from pathlib import Path

import pytest

from devportal.catalog.book.file import parse_book
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet import rate_versions_csv, read_csv
from devportal.catalog.spreadsheet.advice import advice
from devportal.documents import Scalars, read_document
from tests.catalog.build import rate
from tests.catalog.own_book import BOOK

CARRIER = Path(__file__).parents[1] / "carrier" / "book.yaml"


def words(column: str, value: str) -> str:
    """Return what is said of a value, or nothing."""
    found = advice(column, value, BOOK)
    return found.text if found else ""


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("22.11.2026", "with dots the day is first: write the day as YYYY-MM-DD, here 2026-11-22"),
        ("01.12.2026", "with dots the day is first: write the day as YYYY-MM-DD, here 2026-12-01"),
        ("1. 2. 26", "here 2026-02-01"),
        ("11/22/2026", "only the month can be first here: write the day as YYYY-MM-DD, here 2026-11-22"),
        ("22/11/2026", "only the day can be first here: write the day as YYYY-MM-DD, here 2026-11-22"),
        ("22-11-26", "here 2026-11-22"),
        ("22.11.2026 00:00", "with dots the day is first"),
        ("11/22/2026 0:00", "here 2026-11-22"),
        ("01/12/2026", "day and month are ambiguous"),
        ("2026/12/01", "write the day as YYYY-MM-DD, here 2026-12-01"),
        ("2026-12-1", "here 2026-12-01"),
        ("Dec-26", "a spreadsheet shows a part of the day only"),
        ("26. Dez", "a spreadsheet shows a part of the day only"),
        ("1. Dez. 2026", "write the month as a number, too"),
        ("1-Dec-26", "write the month as a number, too"),
        ("December 1, 2026", "write the month as a number, too"),
    ],
)
def test_a_day_is_told_where_only_one_can_be_meant(value: str, told: str) -> None:
    """Day and month are not told apart by guessing."""
    assert told in words("effective_from", value)


@pytest.mark.parametrize("value", ["32.12.2026", "31/31/2026", "2026/13/01", "soon", "#today"])
def test_nothing_is_advised_where_nothing_is_known(value: str) -> None:
    """The shape says then how a day is written."""
    assert advice("effective_from", value, BOOK) is None


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("-0.05", "a price is not below 0"),
        ("(0.05)", "a price is not below 0"),
        ("'0.05", "remove the ' before it: 0.05"),
        ("Apr 50", "a spreadsheet took the price for a date"),
        ("5. Mai", "a spreadsheet took the price for a date"),
        ("01.04.1950", "a spreadsheet took the price for a date"),
        ("0,15", "write the decimal comma as a point: 0.15"),
        ("0,150", "write the decimal comma as a point: 0.150"),
        ("1,234", "write 1.234 where the comma is a decimal one, 1234 where it is not"),
        ("1.234,56", "write no mark between thousands, and a decimal point: 1234.56"),
        ("1,234.56", "write no mark between thousands, and a decimal point: 1234.56"),
        ("1’234.5", "write no mark between thousands, and a decimal point: 1234.5"),
        ("#N/A", "a formula failed in the spreadsheet"),
        ("#WERT!", "a formula failed in the spreadsheet"),
        ("=A1*2", "this is a formula: write the value that it gives"),
        ("0.10 EUR", "write digits alone: the currency has a column"),
        ("kr 0.10", "write digits alone: the currency has a column"),
        ("US$0.10", "write digits alone: the currency has a column"),
    ],
)
def test_a_price_is_told_what_is_true_of_it(value: str, told: str) -> None:
    """A currency is spoken of where there is one."""
    assert told in words("price", value)
    assert ("currency" in words("price", value)) == ("currency" in told)


@pytest.mark.parametrize("value", ["5%", "ca. 5", "0.1.2.3"])
def test_no_currency_is_seen_where_none_is(value: str) -> None:
    """What else may stand beside digits is left to the words of the shape."""
    assert advice("price", value, BOOK) is None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("us-number-toll_free", "us-number-toll-free"),
        ("NO SMS", "no-sms"),
        ("no--sms-", "no-sms"),
    ],
)
def test_an_id_is_told_as_it_may_be_written(value: str, written: str) -> None:
    """Underscores, capitals and blanks are what other systems have in theirs."""
    assert words("id", value).endswith(f": write {written}")


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("direction", "Outbound", "write it in small letters: outbound"),
        ("support", "FULL", "write it in small letters: full"),
        ("number_type", "toll-free", "write it in small letters, with underscores: toll_free"),
        ("number_type", "Short Code", "write it in small letters, with underscores: short_code"),
        ("country", "no", "write it in capitals: NO"),
        ("currency", "Eur", "write it in capitals: EUR"),
        ("currency", "€", ""),
        ("country", "Norway", "write NO, the ISO 3166-1 code of Norway"),
        ("country", "Atlantis", "use the ISO 3166-1 code of a country, such as NO for Norway"),
        ("registration", "10DLC", "write it in small letters: 10dlc"),
        ("two_way", "ja", "write yes"),
        ("sample", "Nein", "write no"),
    ],
)
def test_words_are_told_as_they_may_be_written(column: str, value: str, told: str) -> None:
    """Capitals and words of other languages are a habit, too."""
    assert words(column, value) == told


@pytest.mark.parametrize("value", ["outward", "Both", "outbound"])
def test_a_word_that_is_none_of_the_column_is_not_advised(value: str) -> None:
    """In small letters it would be as wrong."""
    assert advice("direction", value, BOOK) is None


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("id", "No_" * 40),
        ("price", " " + "1" * 90),
        ("price", "0.10\x1b[31m "),
        ("unit", "segment\nmore "),
    ],
)
def test_what_nobody_can_read_is_not_repeated(column: str, value: str) -> None:
    """Long texts and control characters stay out of what a terminal shows."""
    assert advice(column, value, BOOK) is None


def test_a_place_is_a_column_and_not_an_index() -> None:
    """Nobody who looks at a sheet knows what `rates.0.price` is."""
    text = rate_versions_csv([rate()], BOOK).replace(",0.10,", ",free,").replace(",NO,", ",no,")

    _records, findings = read_csv(text, name="rates.csv", kind=Kind.RATE, book=BOOK)

    assert len(findings) == 2
    assert not [finding for finding in findings if "rates.0" in str(finding)]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("2,5", "write the decimal comma as a point: 2.5"),
        ("2,50", "write the decimal comma as a point: 2.5"),
        ("1,250", "write 1.25 where the comma is a decimal one, 1250 where it is not"),
        ("2.0", "write it without needless zeros and signs: 2"),
        ("2.50", "write it without needless zeros and signs: 2.5"),
        ("02", "write it without needless zeros and signs: 2"),
        ("+2", "write it without needless zeros and signs: 2"),
        ("2.", "write it without needless zeros and signs: 2"),
        (".5", "write a digit before the point: 0.5"),
        ("2 kg", "write the number alone: 2"),
        ("2,50kg", "write the number alone: 2.5"),
        ("2.5E+00", "a spreadsheet shortened the number"),
        ("2. Mai", "a spreadsheet took the number for a date"),
        ("2 Mai", "a spreadsheet took the number for a date"),
        ("2.55", ""),
        ("-2", ""),
        ("any", ""),
    ],
)
def test_a_number_of_the_rate_book_is_advised_as_a_price_is(value: str, told: str) -> None:
    """A book declares the field, and a spreadsheet spoils it like any other number."""
    book, _ = parse_book(read_document(CARRIER, name="book.yaml", scalars=Scalars.TEXT))
    assert book is not None

    found = advice("weight", value, book)

    assert (found.text if found else "").startswith(told)
    assert bool(found) == bool(told)
