"""A market to its sample coverage records: one for each channel."""

from collections.abc import Iterator
from datetime import timedelta

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import Named
from devportal.catalog.records.codes import country_names
from devportal.catalog.records.coverage import Availability, CoverageTerms, Features, Registration, Support
from tests.catalog.own_book import BOOK, Channel, NumberType, Scheme, channel_features, coverage_terms

from .market import Market
from .sample import Sample

SENTENCES = {
    "gambling": "Content about gambling or lotteries is refused.",
    "generic": "Generic sender names such as INFO are refused.",
    "letter": "A sender name needs a letter of authorisation from its owner.",
    "links": "Links have to lead to a domain of the sender; link shorteners are refused.",
    "optout": "Marketing messages have to say how to opt out.",
    "quiet": "Marketing messages arrive between 08:00 and 21:00 local time only.",
    "replies": "The carrier may replace the sender, so people cannot reply.",
}
"""What the codes in the column `restrictions` stand for."""

AVAILABLE = {"y": Availability.YES, "n": Availability.NO, "?": Availability.UNKNOWN}
VOICE = frozenset({"two_way", "number_portability"})
"""The features that a call can have."""


def market_coverage(market: Market) -> Iterator[Sample]:
    """Yield the coverage records of a market."""
    for name in market.channels:
        yield Sample(terms=_terms(market, Channel(name)), state=market.state)


def _terms(market: Market, channel: Named) -> CoverageTerms:
    is_text = channel in {Channel.SMS, Channel.MMS}
    restrictions = tuple(SENTENCES[code] for code in market.restrictions) if is_text else ()
    if market.state is not State.ACTIVE:
        restrictions = (f"Routes to {country_names()[market.country]} are not yet released.",)
    return coverage_terms(
        id=f"{market.country.lower()}-{channel}",
        version=1,
        country=market.country,
        dialling_code=market.dialling_code,
        channel=channel,
        support=Support.LIMITED if restrictions else Support.FULL,
        number_types=_number_types(market, channel),
        features=_features(market, channel),
        registration=_registration(market, channel),
        restrictions=restrictions,
        reviewed_on=market.launched - timedelta(days=30),
        effective_from=market.launched,
        sample=True,
    )


def _number_types(market: Market, channel: Named) -> tuple[NumberType, ...]:
    rented = [NumberType(kind) for kind, _ in market.numbers]
    if channel is Channel.RCS:
        return ()
    if channel is Channel.VOICE:
        rented = [kind for kind in rented if kind is not NumberType.SHORT_CODE]
    return tuple(rented) or (NumberType.MOBILE,)


def _features(market: Market, channel: Named) -> Features:
    known_features = dict(
        zip((feature.key for feature in BOOK.coverage.features), market.features, strict=True)
    )
    known = {
        name: AVAILABLE[letter]
        for name, letter in known_features.items()
        if channel is not Channel.VOICE or name in VOICE
    }
    if channel is Channel.RCS:
        known |= {"concatenation": Availability.YES, "unicode": Availability.YES}
    if channel is Channel.VOICE:
        known["two_way"] = Availability.YES if market.numbers else Availability.NO
    return channel_features(**known)


def _registration(market: Market, channel: Named) -> Registration:
    """Return what a sender registers; callers register nothing, and RCS agents always do."""
    if channel is Channel.VOICE:
        return Registration(scheme=Scheme.NONE)
    if channel is Channel.RCS:
        return Registration(scheme=Scheme.SENDER_ID, lead_time_days=28)
    return Registration(scheme=Scheme(market.registration), lead_time_days=market.registration_days)
