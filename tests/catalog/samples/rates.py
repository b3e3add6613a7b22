"""A market to its sample rates: one for each network, product, direction and kind of number that it sells."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.rate import RateTerms
from tests.catalog.own_book import (
    UNITS,
    BillingTerm,
    Direction,
    NumberType,
    Product,
    rate_terms,
    replace,
    steps,
    value,
)

from .market import Market, slug
from .sample import Sample

PLACES = Decimal("0.0001")
FACTORS = (Decimal(1), Decimal("1.07"), Decimal("0.94"))
"""How the price of a network differs from that of the first one."""
EXCHANGE = {"USD": Decimal("1.1"), "GBP": Decimal("0.86")}
"""What a second currency makes of a price. Like the prices, it is made up."""
PER_SECOND = steps(initial_s=1, subsequent_s=1)


def market_rates(market: Market) -> Iterator[Sample]:
    """Yield the versions of the rates of a market, those that later ones replaced first."""
    for position, terms in enumerate(_terms(market)):
        if market.state is State.ACTIVE:
            yield from _with_changes(terms, market)
        else:
            yield Sample(terms=replace(terms, price=_private(terms.price, position)), state=market.state)


def _terms(market: Market) -> Iterator[RateTerms]:
    yield from _messages(market)
    yield from _calls(market)
    for kind, price in market.numbers:
        terms = (BillingTerm.BILLED,) if kind == NumberType.SHORT_CODE else ()
        yield _rate(market, f"number-{kind}", price, number_type=NumberType(kind), billing_terms=terms)


def _messages(market: Market) -> Iterator[RateTerms]:
    first, *others = market.currencies
    if price := market.price("sms"):
        for network, factor in zip(market.networks, FACTORS, strict=False):
            amount = (price * factor).quantize(PLACES)
            yield _rate(
                market, f"sms-{slug(network)}", amount, network=network, number_type=NumberType.MOBILE
            )
        for currency in others:
            amount = (price * EXCHANGE[currency] / EXCHANGE.get(first, Decimal(1))).quantize(PLACES)
            yield _rate(
                market, f"sms-{currency.lower()}", amount, currency=currency, number_type=NumberType.MOBILE
            )
    if price := market.price("sms_inbound"):
        yield _rate(market, "sms-inbound", price, direction=Direction.INBOUND, number_type=NumberType.MOBILE)
    for name in ("mms", "rcs"):
        if price := market.price(name):
            yield _rate(market, f"{name}-outbound", price)


def _calls(market: Market) -> Iterator[RateTerms]:
    if price := market.price("voice_mobile"):
        yield _rate(
            market,
            "voice-mobile",
            price,
            number_type=NumberType.MOBILE,
            prefixes=market.mobile_prefixes,
            billing_increment=PER_SECOND,
        )
    if price := market.price("voice_fixed"):
        yield _rate(
            market,
            "voice-fixed",
            price,
            number_type=NumberType.LOCAL,
            prefixes=market.fixed_prefixes,
            billing_increment=PER_SECOND,
        )


def _rate(market: Market, name: str, price: Decimal, **terms: Any) -> RateTerms:
    product = Product(name.partition("-")[0])
    given = {"direction": Direction.OUTBOUND, "currency": market.currencies[0], **terms}
    if product is Product.NUMBER:
        given["direction"] = Direction.INBOUND
    return rate_terms(
        id=f"{market.country.lower()}-{name.replace('_', '-')}",
        version=1,
        product=product,
        country=market.country,
        unit=UNITS[product],
        price=price,
        effective_from=market.launched,
        sample=True,
        **given,
    )


def _with_changes(terms: RateTerms, market: Market) -> Iterator[Sample]:
    """Yield a rate and what replaced it; prices change for messages, and for calls where none are sold."""
    changing = "sms" if market.price("sms") else "voice_mobile"
    base = market.price(changing)
    is_changing = terms.id.replace("-", "_").startswith(f"{market.country.lower()}_{changing}")
    versions = [terms]
    if base and is_changing and value(terms, "direction") == Direction.OUTBOUND:
        for number, (day, price) in enumerate(market.changes, 2):
            amount = (terms.price * price / base).quantize(PLACES)
            versions.append(replace(terms, version=number, price=amount, effective_from=day))
    for old, new in pairwise(versions):
        yield Sample(terms=old, state=State.SUPERSEDED, ended=new.effective_from)
    yield Sample(terms=versions[-1], state=State.ACTIVE)


def _private(price: Decimal, position: int) -> Decimal:
    """Return a price with a digit more than public ones have, so that a leak shows."""
    return price.quantize(PLACES) + Decimal(position % 9 + 1) / 100_000
