"""What the images of rates and coverage say: made from what the publication gate made, and nothing else."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from devportal.catalog.codes import country_names
from devportal.catalog.coverage import Channel, Support
from devportal.catalog.pages.labels import attribute, label
from devportal.catalog.pages.rates_range import offered
from devportal.catalog.preview.card import Card, Fact
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.catalog.rate import Direction, Product


def rates_card(public: Published, *, service: str, place: str) -> Card:
    """Return the card of all rates."""
    return Card(
        service=service,
        title="Rates",
        subtitle=_extent(public.rates),
        facts=_prices(public.rates),
        on=public.on,
        place=place,
        is_sample=_has_samples(public.rates),
    )


def product_card(
    product: Product, rates: Sequence[PublishedRate], *, on: date, service: str, place: str
) -> Card:
    """Return the card of a product: its lowest price in each currency, those with most rates first."""
    chosen = offered(rates)
    counted = Counter(rate.terms.currency for rate in chosen)
    currencies = sorted(counted, key=lambda code: (-counted[code], code))
    is_part = len(chosen) < len(rates)
    return Card(
        service=service,
        title=f"{attribute(product)} rates",
        subtitle=_extent(rates) + (", outbound" if is_part else ""),
        facts=tuple(
            _lowest(f"In {code}", [one for one in chosen if one.terms.currency == code])
            for code in currencies
        ),
        direction=Direction.OUTBOUND if is_part else None,
        on=on,
        place=place,
        is_sample=_has_samples(rates),
    )


def coverage_card(public: Published, *, service: str, place: str) -> Card:
    """Return the card of all coverage: how many countries each channel reaches."""
    return Card(
        service=service,
        title="Coverage",
        subtitle=_extent(public.coverage),
        facts=tuple(
            _reach(channel, rows)
            for channel in Channel
            if (rows := [row for row in public.coverage if row.terms.channel is channel])
        ),
        on=public.on,
        place=place,
        is_sample=_has_samples(public.coverage),
    )


def country_card(
    code: str,
    coverage: Sequence[PublishedCoverage],
    rates: Sequence[PublishedRate],
    *,
    on: date,
    service: str,
    place: str,
) -> Card:
    """Return the card of a country: what reaches it and from which price on."""
    parts = [name for name, rows in (("coverage", coverage), ("rates", rates)) if rows]
    return Card(
        service=service,
        title=country_names()[code],
        subtitle=" and ".join(parts).capitalize(),
        facts=_prices(rates),
        chips=tuple(
            f"{label(row.terms.channel)}: {label(row.terms.support).lower()}"
            for channel in Channel
            for row in coverage
            if row.terms.channel is channel
        ),
        on=on,
        place=place,
        is_sample=_has_samples(coverage) or _has_samples(rates),
    )


def _has_samples(rows: Sequence[PublishedRate] | Sequence[PublishedCoverage]) -> bool:
    return any(row.terms.sample for row in rows)


def _extent(rows: Sequence[PublishedRate] | Sequence[PublishedCoverage]) -> str:
    """Return for how many countries rows are."""
    return _countries(len({row.terms.country for row in rows})) if rows else "Nothing is published yet"


def _countries(number: int) -> str:
    return f"{number} {'country' if number == 1 else 'countries'}"


def _reach(channel: Channel, rows: Sequence[PublishedCoverage]) -> Fact:
    limited = len({row.terms.country for row in rows if row.terms.support is Support.LIMITED})
    return Fact(
        label=label(channel),
        value=_countries(len({row.terms.country for row in rows})),
        note=f"{limited} limited" if limited else "all in full",
    )


def _prices(rates: Sequence[PublishedRate]) -> tuple[Fact, ...]:
    """Return the lowest price of each product, in the currency that it has most rates in."""
    facts = []
    for product in Product:
        of_product = [rate for rate in rates if rate.terms.product is product]
        if of_product:
            chosen = offered(of_product)
            is_part = len(chosen) < len(of_product)
            name = f"{attribute(product)} out" if is_part else label(product)
            counted = Counter(rate.terms.currency for rate in chosen)
            code = min(counted, key=lambda code: (-counted[code], code))
            facts.append(_lowest(name, [one for one in chosen if one.terms.currency == code]))
    return tuple(facts)


def _lowest(name: str, rates: Sequence[PublishedRate]) -> Fact:
    """Return the lowest of prices in one currency, for one unit."""
    lowest = min(rates, key=lambda rate: rate.terms.price).terms
    differ = len({rate.terms.price for rate in rates}) > 1
    return Fact(
        label=f"{name} from" if differ else name,
        value=f"{lowest.price:f} {lowest.currency}",
        note=label(lowest.unit),
    )
