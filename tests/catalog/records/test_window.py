"""Effective windows: half-open, and without a day that belongs to two versions."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.window import holds, windows_overlap
from tests.catalog.build import RATE
from tests.catalog.own_book import replace

DAYS = st.dates(date(2026, 1, 1), date(2026, 3, 1))


@st.composite
def windows(draw: st.DrawFn) -> RateTerms:
    """Draw terms that hold for some days, or without an end."""
    start = draw(DAYS)
    length = draw(st.none() | st.integers(1, 40))
    end = start + timedelta(days=length) if length is not None else None
    return replace(RATE, effective_from=start, effective_to=end)


def test_window_begins_on_its_first_day_and_ends_before_its_last() -> None:
    """The day that ends one version begins the next."""
    terms = replace(RATE, effective_from=date(2026, 2, 1), effective_to=date(2026, 3, 1))

    days = (date(2026, 1, 31), date(2026, 2, 1), date(2026, 2, 28), date(2026, 3, 1))
    assert [holds(terms, day) for day in days] == [False, True, True, False]


@given(first=windows(), other=windows())
def test_windows_overlap_where_a_day_belongs_to_both(first: RateTerms, other: RateTerms) -> None:
    """Whichever is asked first."""
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(120)]

    assert windows_overlap(first, other) == windows_overlap(other, first)
    assert windows_overlap(first, other) == any(holds(first, day) and holds(other, day) for day in days)
