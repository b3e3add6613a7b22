"""What is wrong with a CSV file: each fault with the place of its cell, the value, and what to do."""

import pytest

from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet import coverage_versions_csv, rate_versions_csv, read_csv
from devportal.errors import Place
from devportal.findings import Finding
from tests.catalog.build import coverage, rate
from tests.catalog.own_book import BOOK

from .test_round_trip import RATES

GOOD = rate_versions_csv([rate(note="two\nlines"), rate()], BOOK)


def only_finding(text: str, kind: Kind = Kind.RATE) -> Finding:
    """Return the one finding of a file."""
    _records, (finding,) = read_csv(text, name="rates.csv", kind=kind, book=BOOK)
    return finding


def with_cell(column: str, value: str) -> str:
    """Return the good file with another value in one cell of its last row, which is line 4."""
    header, rest, last = GOOD.split("\r\n")[0], GOOD.split("\r\n")[1], GOOD.split("\r\n")[2]
    cells = last.split(",")
    cells[header.split(",").index(column)] = value
    return "\r\n".join([header, rest, ",".join(cells), ""])


@pytest.mark.parametrize(
    ("column", "value", "message", "help_"),
    [
        ("price", '"1,5"', "`price` is '1,5', which does not fit", "write the decimal comma as a point: 1.5"),
        ("price", "1E-05", "`price` is '1E-05'", "a spreadsheet shortened the number"),
        ("price", "€0.10", "`price` is '€0.10'", "write digits alone: the currency has a column"),
        ("price", "0.10 EUR", "`price` is '0.10 EUR'", "write digits alone"),
        ("price", "0.10 ", "`price` is '0.10 '", "remove the blanks around it: 0.10"),
        ("price", ".10", "`price` is '.10'", "write a digit before the point: 0.10"),
        ("country", "Norway", "`country` is 'Norway'", "write NO, the ISO 3166-1 code of Norway"),
        ("country", "Atlantis", "`country` is 'Atlantis'", "use the ISO 3166-1 code of a country"),
        ("country", "NOR", "`country` is 'NOR'", "write NO, the ISO 3166-1 code of Norway"),
        ("country", "UK", "country is 'UK', which names no country", "write GB, the ISO 3166-1 code"),
        ("country", "uk", "`country` is 'uk'", "write GB, the ISO 3166-1 code of United Kingdom"),
        ("price", "free", "`price` is 'free'", "write a price as plain digits"),
        ("price", "", "`price` is empty", "write a price as plain digits"),
        ("effective_from", "01/02/2026", "`effective_from` is '01/02/2026'", "day and month are ambiguous"),
        ("effective_from", "1.2.26", "`effective_from` is '1.2.26'", "write the day as YYYY-MM-DD"),
        ("effective_from", "46054", "`effective_from` is '46054'", "that number stands for 2026-02-01"),
        ("effective_from", "2026-02-01 00:00:00", "which does not fit", "write the day alone: 2026-02-01"),
        ("effective_from", "2026-02-30", "effective_from is '2026-02-30', which is not a day", "existing day"),
        ("mcc", "24", "`mcc` is '24'", "a spreadsheet took a zero away: write 024"),
        ("mnc", "1", "`mnc` is '1'", "a spreadsheet took zeros away: write 01 or 001"),
        ("mcc", "242.0", "`mcc` is '242.0'", "write the digits alone: 242"),
        ("mcc", "", "the field 'mcc' is missing", "a mobile country code has 3 digits"),
        ("prefixes", "4.7E+10", "`prefixes` is '4.7E+10'", "a spreadsheet shortened the number"),
        ("prefixes", "'+47", "`prefixes` is '+47'", "write the digits alone: 47"),
        ("prefixes", "47; 47", "`prefixes` says something twice", "prefixes are a list"),
        ("billing_increment", "01-Jan", "`billing_increment` is '01-Jan'", "took it for a date"),
        ("sample", "TRUE", "`sample` is 'TRUE'", "write yes"),
        ("sample", "falsch", "`sample` is 'falsch'", "write no"),
        ("country", "no", "`country` is 'no'", "write it in capitals: NO"),
        ("country", "ZZ", "country is 'ZZ', which names no country", "use the ISO 3166-1 code"),
        ("currency", "DEM", "currency is 'DEM', which names no current currency", "ISO 4217"),
        ("unit", "minute", "unit is 'minute', but the product 'sms' has 'segment'", "write unit: segment"),
        ("version", "0", "`version` is '0'", "a version is a whole number from 1"),
        ("id", "", "`id` is empty", "an id is small letters"),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_found(column: str, value: str, message: str, help_: str) -> None:
    """By the rules of record files, and with what to do where a spreadsheet spoilt the value."""
    records, findings = read_csv(with_cell(column, value), name="rates.csv", kind=Kind.RATE, book=BOOK)

    (finding,) = [finding for finding in findings if message in finding.message]
    assert help_ in finding.help
    assert finding.place.line == 4, "the cell before it holds a line break"
    assert records.rates == (rate(note="two\nlines"),), "the row without a fault is read"


def test_the_place_is_that_of_the_cell() -> None:
    """Line and column at which the cell starts, the header being line 1."""
    assert only_finding(with_cell("price", "x")).place == Place(file="rates.csv", line=4, column=59)


def test_a_wrong_feature_is_found_in_its_column() -> None:
    """A part of a field has its own cell, and so its own place."""
    text = coverage_versions_csv([coverage()], BOOK).replace("full,,", "full,,TRUE")

    finding = only_finding(text, Kind.COVERAGE)

    assert (finding.message, finding.help) == (
        "`two_way` is 'TRUE', which is none of its values",
        "write yes",
    )
    assert finding.place == Place(file="rates.csv", line=2, column=35)


@pytest.mark.parametrize(
    ("old", "new", "message", "help_"),
    [
        ("price,", "prize,", "the column 'prize' is not known", "did you mean 'price'?"),
        (",mcc,", ",Mcc,", "the column 'Mcc' is not known", "did you mean 'mcc'?"),
        (",note,", ",xyzzy,", "the column 'xyzzy' is not known", "remove it; a file has: id, version"),
        (",note,", ",status,", "the column 'status' is there twice", "remove one of the two"),
        ("currency,", "note,", "the column 'currency' is missing", "add it; a file has: id, version"),
        (
            "id,version,",
            "x,y,",
            "the columns 'id', 'version' are missing",
            "add them; a file has: id, version",
        ),
        (",country,", ",,", "this column has no name", "name it"),
        ("2026-02-01,\r", "2026-02-01,,extra\r", "'extra' stands right of the last column", "between quotes"),
        ("Fjord", '"Fjord', "this quote is never closed: '\"Fjord,242,010,,,seg'", "put the whole cell"),
        ("Fjord", '"Fjord"x', "text goes on after a closing quote: 'x,242,010,,,segment,'", "put the whole"),
    ],
)
def test_a_file_that_is_no_table_of_versions_is_found(old: str, new: str, message: str, help_: str) -> None:
    """Nothing is read where columns or quotes do not fit: values would stand in wrong fields."""
    records, findings = read_csv(RATES.replace(old, new, 1), name="rates.csv", kind=Kind.RATE, book=BOOK)

    (finding,) = [finding for finding in findings if finding.message == message]
    assert finding.rule == "catalog-csv"
    assert help_ in finding.help
    assert finding.place.line == (1 if "column" in message and "last" not in message else 2)
    assert records.all() == ()


@pytest.mark.parametrize("above", ["Our prices,,,\r\n", "\ufeffOur prices\r\n\r\nvalid from,2027\r\n"])
def test_a_header_below_a_title_is_found(above: str) -> None:
    """In place of a problem for each column that has no name."""
    _, findings = read_csv(above + RATES, name="rates.csv", kind=Kind.RATE, book=BOOK)

    (finding,) = findings
    assert finding.message == "the header is here, and not in the first row"
    assert finding.place.line == above.count("\r\n") + 1


@pytest.mark.parametrize("text", [RATES.split("\r\n")[0], RATES.split("\r\n")[0] + "\r\n,,,\r\n\r\n"])
def test_a_file_without_rows_is_found(text: str) -> None:
    """An empty price list is a mistake, as in record files."""
    assert only_finding(text).message == "there is no row below the header"


@pytest.mark.parametrize("text", ["", "\ufeff", "\r\n\r\n", ",,\r\n"])
def test_an_empty_file_is_one_problem(text: str) -> None:
    """It is not reported for its columns and again for its rows."""
    finding = only_finding(text)

    assert finding.message == "the file is empty"
    assert "id, version" in finding.help


def test_missing_columns_come_without_missing_rows() -> None:
    """Whoever adds the columns has rows to add them to, or gets that problem next."""
    assert only_finding("id,version\r\n").message.endswith("are missing")


@pytest.mark.parametrize("text", ["", "\ufeff", "\r\n", '"', "sep=;", "PK\x03\x04\x00\x00", "\x00,\x00\n"])
def test_what_is_no_csv_file_is_found(text: str) -> None:
    """An empty file and a renamed workbook end in findings, not in a fault of ours."""
    records, findings = read_csv(text, name="rates.csv", kind=Kind.RATE, book=BOOK)

    assert findings
    assert records.all() == ()


def test_an_unnamed_column_without_values_is_left_out() -> None:
    """Spreadsheets write empty columns at the right."""
    text = RATES.replace("\r\n", ",,\r\n")

    assert read_csv(text, name="a.csv", kind=Kind.RATE, book=BOOK) == read_csv(
        RATES, name="a.csv", kind=Kind.RATE, book=BOOK
    )
