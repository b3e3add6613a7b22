"""What the markets can be filtered by, and how a row of the table tells it to the script that does."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from devportal.catalog.coverage import Channel, Scheme, Support
from devportal.catalog.pages.coverage_markets import Market
from devportal.catalog.pages.labels import label
from devportal.catalog.world import Region, region_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """A filter: its name in addresses, its title, the words for no choice, and values with their words."""

    name: str
    title: str
    every: str
    choices: tuple[tuple[str, str], ...]


def facets_of(markets: Sequence[Market], *, has_channels: bool) -> tuple[Facet, ...]:
    """Return the filters that leave something out; that of the channels only where a page has several."""
    return tuple(facet for facet in _facets(markets, has_channels=has_channels) if len(facet.choices) > 1)


def _facets(markets: Sequence[Market], *, has_channels: bool) -> Iterator[Facet]:
    terms = [record.terms for market in markets for record in market.records]
    regions = {region_of(market.code) for market in markets}
    yield Facet(
        name="region",
        title="Region",
        every="All regions",
        choices=tuple((region.value, region.label) for region in Region if region in regions),
    )
    if has_channels:
        channels = _known(Channel, (one.channel for one in terms))
        yield Facet(name="channel", title="Channel", every="All channels", choices=channels)
    supports = _known(Support, (one.support for one in terms))
    yield Facet(name="support", title="Support", every="Full or limited", choices=supports)
    schemes = _known(Scheme, (one.registration.scheme for one in terms))
    yield Facet(name="registration", title="Registration", every="Any registration", choices=schemes)


def _known(
    members: Iterable[Channel | Support | Scheme], found: Iterable[Channel | Support | Scheme]
) -> tuple[tuple[str, str], ...]:
    """Return the members of a closed set that occur, with their words, in their order."""
    values = frozenset(found)
    return tuple((member.value, label(member)) for member in members if member in values)


def told(market: Market) -> str:
    """Return the records of a row for the script: `sms/full/none voice/limited/sender_id`.

    One record has to fit all that is chosen: a country with full voice and limited SMS has no full SMS.
    """
    return " ".join(
        f"{record.terms.channel}/{record.terms.support}/{record.terms.registration.scheme}"
        for record in market.records
    )
