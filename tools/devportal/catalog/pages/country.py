"""The public rows of one market, and rows grouped by market, ordered by the markets' names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic
from unicodedata import combining, normalize

from devportal.catalog.book.book import MarketKind, Markets
from devportal.catalog.pages.columns import PublishedT


@dataclass(frozen=True, slots=True, kw_only=True)
class Country(Generic[PublishedT]):
    """The public rows of one market: a country, or a zone that the project declares."""

    code: str
    name: str
    rows: tuple[PublishedT, ...]
    kind: MarketKind = MarketKind.COUNTRY

    @property
    def anchor(self) -> str:
        """Return the anchor of the market on the page of all markets, which must not change."""
        return f"{self.kind}-{self.code.lower()}"


def name_sort_key(name: str) -> tuple[str, str]:
    """Return the sort key of a name: its letters without accents first, so that Åland is not last."""
    letters = "".join(text for text in normalize("NFKD", name) if not combining(text))
    return (letters.casefold(), name)


def market_sort_keys(markets: Markets, codes: Iterable[str]) -> dict[str, tuple[int, str, str]]:
    """Return the sort keys of markets: countries by name, zones as declared."""
    names = markets.shown_names
    rank = {zone.key: zone.rank for zone in markets.zones}
    return {code: (rank.get(code, 0), *name_sort_key(names[code])) for code in codes}


def by_country(rows: Sequence[PublishedT], markets: Markets) -> tuple[Country[PublishedT], ...]:
    """Return the rows by market, in the order of the markets. Rows of one market keep their order."""
    names = markets.shown_names
    order = market_sort_keys(markets, {row.terms.market for row in rows})
    ordered = sorted(rows, key=lambda row: order[row.terms.market])
    return tuple(
        Country(code=code, name=names[code], rows=tuple(members), kind=markets.kind)
        for code, members in groupby(ordered, key=lambda row: row.terms.market)
    )
