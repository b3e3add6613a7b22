"""The public rows of one country, and rows by country: in the order of the countries' names."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic
from unicodedata import combining, normalize

from devportal.catalog.codes import country_names
from devportal.catalog.pages.columns import PublishedT


@dataclass(frozen=True, slots=True, kw_only=True)
class Country(Generic[PublishedT]):
    """The public rows of one country."""

    code: str
    name: str
    rows: tuple[PublishedT, ...]

    @property
    def anchor(self) -> str:
        """Return the anchor of the country on the page of all countries, which stays the same."""
        return f"country-{self.code.lower()}"


def name_order(name: str) -> tuple[str, str]:
    """Return what names are sorted by: their letters without accents first, so that Åland is no last."""
    letters = "".join(one for one in normalize("NFKD", name) if not combining(one))
    return (letters.casefold(), name)


def by_country(rows: Sequence[PublishedT]) -> tuple[Country[PublishedT], ...]:
    """Return the rows by country, in the order of the countries' names; within one they keep their order."""
    names = country_names()
    order = {code: name_order(names[code]) for code in {row.terms.country for row in rows}}
    ordered = sorted(rows, key=lambda row: order[row.terms.country])
    return tuple(
        Country(code=code, name=names[code], rows=tuple(members))
        for code, members in groupby(ordered, key=lambda row: row.terms.country)
    )
