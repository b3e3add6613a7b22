"""Random versions that a record file may hold, hostile texts among them."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import TypeVar

from hypothesis import strategies as st

from devportal.catalog import CoverageVersion, RateVersion
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.codes import country_names, currency_codes
from devportal.catalog.records.coverage import Availability, Registration, Support
from devportal.catalog.records.text import Version
from tests.catalog.own_book import (
    UNITS,
    BillingTerm,
    Channel,
    Direction,
    NumberType,
    Product,
    Scheme,
    Unit,
    channel_features,
    coverage_terms,
    net,
    rate_terms,
    steps,
)

from .build import SOURCE

HOSTILE = (
    *("NO", "010", "0.10", "1e3", "null", "~", "yes", "2026-02-01", "12:30:45", "+44", "1,5", "1/1", "'"),
    *("=1+1", "'=1+1", "''=1", " =1", "-1", "@SUM(A1)", "\t=1", "＝1", "' =1", '"', '""', '",', "a,b", "a;b"),
    *("a; b", ";", "\\", "\\;", "a\\", " a ", "a\nb", "a\r\nb", "\r", "\n\n", "\tb", "<b>x</b>", "&amp;"),
    *("🙂", "Æøå", "\ufeffa", "a\u2028b", "a\u0085b", "a\x00b", "# a", "a: b", "- a", "{a}", "*a", "unknown"),
)
"""What spreadsheets and readers of YAML or CSV trip over."""

_days = st.dates(min_value=date(1990, 1, 1), max_value=date(2099, 12, 31))
_digits = st.text("0123456789", min_size=0, max_size=8)
_ids = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,4}){0,2}", fullmatch=True)
_windows = st.tuples(_days, st.none() | _days).map(lambda days: _window(*days))
_states, _countries = st.sampled_from(State), st.sampled_from(sorted(country_names()))

_T = TypeVar("_T")


def _window(start: date, end: date | None) -> tuple[date, date | None]:
    return (start, end) if end is not None and end > start else (start, None)


def texts(longest: int, *, shortest: int = 0) -> st.SearchStrategy[str]:
    """Return texts that people, and spreadsheets, may have written."""
    hostile = st.sampled_from(HOSTILE)
    odd = st.text("=+-@'\";,\\ \t\r\na0", min_size=shortest, max_size=min(longest, 12))
    return hostile | odd | st.text(min_size=shortest, max_size=min(longest, 20))


_REFUSED = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What the shape of a text that is published refuses."""


def lines(longest: int) -> st.SearchStrategy[str]:
    """Return texts of one line without control characters, as networks and restrictions are."""
    return texts(longest, shortest=1).map(lambda text: _REFUSED.sub("", text)).filter(bool)


def _subset(members: Callable[[], list[_T]]) -> st.SearchStrategy[tuple[_T, ...]]:
    return st.lists(st.sampled_from(members()), unique=True).map(tuple)


@st.composite
def rate_versions(draw: st.DrawFn) -> RateVersion:
    """Return a strategy for rate versions that the reader of record files takes."""
    product = draw(st.sampled_from(Product))
    seconds = st.integers(1, 9999)
    start, end = draw(_windows)
    increment = st.builds(steps, initial_s=seconds, subsequent_s=seconds)
    network = st.builds(
        net,
        name=lines(80),
        mcc=st.from_regex("[0-9]{3}", fullmatch=True),
        mnc=st.from_regex("[0-9]{2,3}", fullmatch=True),
    )
    price = f"{draw(st.integers(0, 999_999_999))}.{draw(_digits)}".removesuffix(".")
    prefixes = st.sets(st.from_regex("[1-9][0-9]{0,14}", fullmatch=True), max_size=3)
    return Version(
        terms=rate_terms(
            id=draw(_ids),
            version=draw(st.integers(1, 999_999)),
            product=product,
            direction=draw(st.sampled_from(Direction)),
            country=draw(_countries),
            network=draw(st.none() | network),
            number_type=draw(st.none() | st.sampled_from(NumberType)),
            prefixes=tuple(sorted(draw(prefixes))),
            unit=UNITS[product],
            price=Decimal(price),
            currency=draw(st.sampled_from(sorted(currency_codes()))),
            billing_increment=draw(increment) if UNITS[product] is Unit.MINUTE else None,
            billing_terms=draw(st.sampled_from([(), *((term,) for term in BillingTerm)])),
            effective_from=start,
            effective_to=end,
            sample=draw(st.booleans()),
        ),
        status=draw(_states),
        note=draw(texts(2000)),
        source=SOURCE,
    )


@st.composite
def coverage_versions(draw: st.DrawFn) -> CoverageVersion:
    """Return a strategy for coverage records that the reader of record files takes."""
    start, end = draw(_windows)
    available = st.sampled_from(Availability)
    days = st.none() | st.integers(0, 999)
    return Version(
        terms=coverage_terms(
            id=draw(_ids),
            version=draw(st.integers(1, 999_999)),
            country=draw(_countries),
            dialling_code=draw(st.from_regex("[1-9][0-9]{0,3}", fullmatch=True)),
            channel=draw(st.sampled_from(Channel)),
            support=draw(st.sampled_from(Support)),
            number_types=draw(_subset(lambda: list(NumberType))),
            features=draw(
                st.builds(channel_features, two_way=available, unicode=available, concatenation=available)
            ),
            registration=draw(st.builds(Registration, scheme=st.sampled_from(Scheme), lead_time_days=days)),
            restrictions=tuple(draw(st.lists(lines(300), max_size=3))),
            reviewed_on=draw(_days),
            effective_from=start,
            effective_to=end,
            sample=draw(st.booleans()),
        ),
        status=draw(_states),
        note=draw(texts(2000)),
        source=SOURCE,
    )
