"""What the markets can be filtered by, and how a row of the table tells it to the script that does."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devportal.catalog.book.book import NO_REGISTRATION, Book, Named
from devportal.catalog.pages.coverage_markets import Market, by_area
from devportal.catalog.pages.labels import label
from devportal.catalog.records.coverage import CoverageTerms, Support


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """A filter: its name in addresses, its title, the words for no choice, and values with their words."""

    name: str
    title: str
    every: str
    choices: tuple[tuple[str, str], ...]


def facets_of(markets: Sequence[Market], book: Book, *, has_channels: bool) -> tuple[Facet, ...]:
    """Return the filters that leave something out; that of the channels only where a page has several."""
    return tuple(
        facet for facet in _facets(markets, book, has_channels=has_channels) if len(facet.choices) > 1
    )


def _facets(markets: Sequence[Market], book: Book, *, has_channels: bool) -> Iterator[Facet]:
    terms = [record.terms for market in markets for record in market.records]
    yield Facet(
        name="region",
        title="Region",
        every="All regions",
        choices=tuple((area.key, area.label) for area, _ in by_area(markets)),
    )
    if has_channels:
        channels = _known(book.coverage.channels, (one.channel for one in terms))
        yield Facet(name="channel", title="Channel", every="All channels", choices=channels)
    supports = _known(Support, (one.support for one in terms))
    yield Facet(name="support", title="Support", every="Full or limited", choices=supports)
    every = (NO_REGISTRATION, *book.coverage.schemes)
    schemes = _known(every, (one.registration.scheme for one in terms if one.registration))
    yield Facet(name="registration", title="Registration", every="Any registration", choices=schemes)


def _known(
    members: Iterable[Named | Support], found: Iterable[Named | Support]
) -> tuple[tuple[str, str], ...]:
    """Return the members of a closed set that occur, with their words, in their order."""
    values = frozenset(found)
    return tuple((str(member), label(member)) for member in members if member in values)


def told(market: Market) -> str:
    """Return the records of a row for the script: `letter/full/none parcel/limited/customs`.

    One record has to fit all that is chosen: a market with full letters and limited parcels has no full
    parcels.
    """
    return " ".join(
        f"{record.terms.channel}/{record.terms.support}/{scheme_of(record.terms)}"
        for record in market.records
    )


def scheme_of(terms: CoverageTerms) -> Named:
    """Return what has to be registered first."""
    return terms.registration.scheme if terms.registration else NO_REGISTRATION
