"""One habit of a spreadsheet is told once, however many rows it spoilt, and nothing else is left out."""

import re

from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet import rate_versions_csv, read_csv
from devportal.findings import Finding, Level
from tests.catalog.build import rate
from tests.catalog.own_book import BOOK

HEADER, ROW = rate_versions_csv([rate()], BOOK).split("\r\n")[:2]


def sheet(*rows: dict[str, str]) -> str:
    """Return a file whose rows have other values in some columns."""
    lines = [HEADER]
    for row in rows:
        cells = dict(zip(HEADER.split(","), ROW.split(","), strict=True)) | row
        lines.append(",".join(f'"{cell}"' for cell in cells.values()))
    return "\r\n".join(lines)


def findings(*rows: dict[str, str]) -> tuple[Finding, ...]:
    """Return what is wrong with rows that have these values."""
    return read_csv(sheet(*rows), name="rates.csv", kind=Kind.RATE, book=BOOK)[1]


def test_a_habit_is_told_once_for_the_first_cell() -> None:
    """The message keeps the value and the help of its own cell, and names the rows that are like it."""
    spoilt = [{"price": f"0,{cents:02}", "effective_from": "22.11.2026"} for cents in range(1, 301)]

    price, day, count = findings(*spoilt)

    assert price.message == (
        "`price` is '0,01', which does not fit; the same in 299 more rows of this column: "
        "lines 3, 4, 5, 6, 7, …"
    )
    assert price.help == "write the decimal comma as a point: 0.01"
    assert (price.place.line, day.place.line) == (2, 2)
    assert (count.level, count.message) == (Level.NOTE, "600 problems in 300 rows, 2 different ones")


def test_two_rows_are_told_once_too() -> None:
    """The second is named by its line."""
    first, count = findings({"price": "0,1"}, {}, {"price": "0,2"})

    assert first.message.endswith("; the same in 1 more row of this column: line 4")
    assert count.message == "2 problems in 2 rows, all the same"


def test_other_values_that_nobody_can_advise_on_are_told_each() -> None:
    """They are no habit: what to write differs from row to row."""
    told = findings({"price": "free"}, {"price": "gratis"}, {"country": "no"}, {"country": "no"})

    assert [re.sub(r", which .*?(?=;|$)", "", finding.message) for finding in told] == [
        "`price` is 'free'",
        "`price` is 'gratis'",
        "`country` is 'no'; the same in 1 more row of this column: line 5",
        "4 problems in 4 rows, 3 different ones",
    ]


def test_what_makes_no_sense_in_many_rows_is_told_once() -> None:
    """A unit that is not the product's, a currency that is none."""
    unit, currency, count = findings(*[{"unit": "minute", "billing_increment": "1/1", "currency": "DEM"}] * 9)

    assert unit.message.endswith("; the same in 8 more rows of this column: lines 3, 4, 5, 6, 7, …")
    assert currency.message.startswith("currency is 'DEM'")
    assert count.message == "18 problems in 9 rows, 2 different ones"


def test_decimal_commas_without_quotes_are_told_once() -> None:
    """In a file whose cells are parted by commas each makes a cell too many."""
    rows = [f"{ROW.replace('0.10', f'0,{cents}')}2026-12-{cents}" for cents in range(10, 30)]

    first, count = read_csv("\r\n".join([HEADER, *rows]), name="rates.csv", kind=Kind.RATE, book=BOOK)[1]

    assert first.message.startswith("'2026-12-10' stands right of the last column; the same in 19 more rows")
    assert count.message == "20 problems in 20 rows, all the same"


def test_all_faults_of_the_first_row_are_told() -> None:
    """Two items of one list can be wrong in the same way."""
    told = findings({"prefixes": "'+47; +48"})

    assert [finding.help for finding in told] == ["write the digits alone: 47", "write the digits alone: 48"]


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "price": st.sampled_from(["0.10", "0,10", "free", "1E-05"]),
                "country": st.sampled_from(["NO", "no", "ZZ"]),
                "mnc": st.sampled_from(["010", "1"]),
            }
        ),
        min_size=1,
        max_size=12,
    )
)
def test_every_fault_is_counted(rows: list[dict[str, str]]) -> None:
    """What is told and what stands for more make what each row alone would say."""
    alone = sum(len(findings(row)) for row in rows)

    told = [finding for finding in findings(*rows) if finding.level is Level.ERROR]

    more = sum(
        int(found[1]) for finding in told if (found := re.search(r"same in (\d+) more", finding.message))
    )
    assert len(told) + more == alone


def test_days_in_two_orders_are_told_apart() -> None:
    """A column in which people of two countries typed has two habits, not one."""
    told = findings(
        {"effective_from": "22/11/2026"}, {"effective_from": "11/22/2026"}, {"effective_from": "01/12/2026"}
    )

    assert [finding.help.split(":")[0] for finding in told] == [
        "only the day can be first here",
        "only the month can be first here",
        "day and month are ambiguous",
    ]
