"""Public records that have replaced others, beside what no history may ever tell of."""

from datetime import date
from decimal import Decimal

from devportal.catalog import Published, Records, published
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.records.coverage import Availability, CoverageTerms, Registration, Support
from devportal.catalog.records.rate import RateTerms
from tests.catalog.own_book import (
    BOOK,
    BillingTerm,
    Direction,
    NumberType,
    Product,
    Scheme,
    Unit,
    channel_features,
    net,
    replace,
    steps,
)

from .build import COVERAGE, RATE, TO_ACTIVE, TODAY, coverage, log_of, rate

WITHDRAWN = (*TO_ACTIVE, Action.WITHDRAW)

FIRST = replace(RATE, effective_from=date(2026, 1, 10), effective_to=date(2026, 2, 1))
SECOND = replace(
    RATE,
    version=2,
    price=Decimal("0.12"),
    network=net(name="Fjord & Co", mcc="242", mnc="010"),
    effective_from=date(2026, 2, 1),
    effective_to=date(2026, 2, 15),
)
THIRD = replace(
    RATE,
    version=3,
    price=Decimal("0.08"),
    billing_terms=(BillingTerm.BILLED,),
    effective_from=date(2026, 2, 15),
    sample=True,
)
COMING = replace(RATE, version=4, price=Decimal("0.777"), effective_from=date(2026, 9, 1))
"""Approved, and not active."""
CALL = replace(
    RATE,
    id="no-voice",
    product=Product.VOICE,
    network=None,
    number_type=NumberType.MOBILE,
    unit=Unit.MINUTE,
    price=Decimal("0.0190"),
    billing_increment=steps(initial_s=60, subsequent_s=60),
    effective_from=date(2026, 1, 10),
    effective_to=date(2026, 2, 20),
)
CALL_NOW = replace(
    CALL,
    version=2,
    currency="USD",
    price=Decimal("0.0210"),
    billing_increment=steps(initial_s=1, subsequent_s=1),
    effective_from=date(2026, 2, 20),
    effective_to=date(2027, 1, 1),
)
GONE = replace(RATE, id="no-mms", product=Product.MMS, unit=Unit.MESSAGE, price=Decimal("0.555"))
"""Withdrawn: no version of it is public."""
INBOUND = replace(RATE, id="no-sms-in", direction=Direction.INBOUND, network=None)
NUMBER = replace(
    RATE,
    id="no-number",
    product=Product.NUMBER,
    direction=Direction.INBOUND,
    network=None,
    number_type=NumberType.LOCAL,
    unit=Unit.MONTH,
    price=Decimal("1.50"),
)
ELSEWHERE = replace(RATE, id="se-sms", country="SE", network=None)
"""A rate without a past."""
LIMITED = replace(
    COVERAGE,
    support=Support.LIMITED,
    registration=Registration(scheme=Scheme.SENDER_ID, lead_time_days=5),
    restrictions=("No links <b>at all</b>.",),
    effective_from=date(2026, 1, 10),
    effective_to=date(2026, 2, 10),
)
FULL = replace(
    COVERAGE,
    version=2,
    features=channel_features(two_way=Availability.YES),
    reviewed_on=date(2026, 2, 1),
    effective_from=date(2026, 2, 10),
)

_STEPS: tuple[tuple[RateTerms | CoverageTerms, tuple[Action, ...], State], ...] = (
    (FIRST, TO_ACTIVE, State.ACTIVE),
    (SECOND, TO_ACTIVE, State.ACTIVE),
    (THIRD, TO_ACTIVE, State.ACTIVE),
    (COMING, TO_ACTIVE[:-1], State.APPROVED),
    (CALL, TO_ACTIVE, State.ACTIVE),
    (CALL_NOW, TO_ACTIVE, State.ACTIVE),
    (GONE, WITHDRAWN, State.WITHDRAWN),
    (INBOUND, TO_ACTIVE, State.ACTIVE),
    (ELSEWHERE, TO_ACTIVE, State.ACTIVE),
    (LIMITED, TO_ACTIVE, State.ACTIVE),
    (FULL, TO_ACTIVE, State.ACTIVE),
)


def records_with_past() -> Published:
    """Return what is public of these: two rates and a market with a past, and two rates without."""
    log = None
    for terms, actions, _state in _STEPS:
        log = log_of(terms, steps=actions, log=log)
    assert log is not None
    rates = tuple(rate(terms, state) for terms, _actions, state in _STEPS if isinstance(terms, RateTerms))
    markets = tuple(
        coverage(terms, state) for terms, _actions, state in _STEPS if isinstance(terms, CoverageTerms)
    )
    return published(Records(book=BOOK, rates=rates, coverage=markets), log, TODAY)
