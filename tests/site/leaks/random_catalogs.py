"""Random catalogs as they are kept: several versions of a rate, in several countries, public and not."""

import random
from decimal import Decimal

from hypothesis import strategies as st

from devportal.catalog import AuditLog, Published, Records, published
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.records.codes import country_names
from devportal.catalog.records.rate import RateTerms
from tests.catalog.build import RATE, TO_ACTIVE, TODAY, log_of, rate
from tests.catalog.own_book import BOOK, UNITS, Product, net, replace, value

_COUNTRIES = ("NO", "SE", "DK", "DE", "IN", "US", "GB", "CI", "BA", "NE", "NG")
_NAMES = ("Nordic Mobile", "Three", "Orange", "Société Générale des Télécoms", "Vind", "O'Brien & Sons")
_WORDS = (
    "Nord",
    "Sud",
    "Tele",
    "Mobil",
    "Fjord",
    "Blue",
    "Red",
    "Orange",
    "One",
    "Cell",
    "Net",
    "Global",
    "Vox",
)
_NOTES = ("", "Waits for the signature of the carrier", "Agreed by telephone, papers follow next week")
_DIGITS = {"EUR": 5, "USD": 5}


@st.composite
def _rates(draw: st.DrawFn) -> list[tuple[RateTerms, bool, str]]:
    """Draw rates, whether each is public, and its note."""
    found = []
    for number in range(draw(st.integers(2, 25))):
        country, product = draw(st.sampled_from(_COUNTRIES)), draw(st.sampled_from(Product))
        code = number + 10
        terms = replace(
            RATE,
            id=f"{country.lower()}-{product}-{number}",
            country=country,
            product=product,
            unit=UNITS[product],
            network=net(name=f"{draw(st.sampled_from(_NAMES))} {number}", mcc="242", mnc=f"{code}"),
            price=Decimal(draw(st.integers(1, 30_000))).scaleb(-draw(st.integers(0, 5))),
            currency=draw(st.sampled_from(tuple(_DIGITS))),
        )
        found.append((terms, draw(st.booleans()), draw(st.sampled_from(_NOTES))))
    return found


def busy_rates(seed: int, size: int) -> list[tuple[RateTerms, bool, str]]:
    """Return rates whose prices have two digits and whose networks few words, a fifth of them private: as
    many chance hits as a catalog may have.
    """
    chance = random.Random(seed)  # noqa: S311 - no secret
    countries = sorted(country_names())
    taken: set[object] = set()
    found = []
    for number in range(size):
        country, product = chance.choice(countries), chance.choice((Product.SMS, Product.SMS, Product.NUMBER))
        name = f"{chance.choice(_WORDS)} {chance.choice(_WORDS)}"
        code = f"{chance.randint(0, 99):02}"
        terms = replace(
            RATE,
            id=f"{country.lower()}-{product}-{number}",
            country=country,
            product=product,
            unit=UNITS[product],
            network=net(name=name, mcc=f"{chance.randint(200, 750)}", mnc=code)
            if product is Product.SMS
            else None,
            price=Decimal(chance.randint(1, 99)).scaleb(-2) + (number % 3) * Decimal("0.0600"),
            currency=chance.choice(("EUR", "USD")),
        )
        if (country, product, value(terms, "network")) in taken:
            continue  # two public rates for one key are none
        taken.add((country, product, value(terms, "network")))
        found.append((terms, chance.random() > 0.2, chance.choice(_NOTES)))
    return found


@st.composite
def catalogs(draw: st.DrawFn) -> tuple[Records, AuditLog, Published]:
    """Draw records, their log and what is public of them."""
    return catalog_of(draw(_rates()))


def catalog_of(drawn: list[tuple[RateTerms, bool, str]]) -> tuple[Records, AuditLog, Published]:
    """Return rates as records, with their log and what is public of them."""
    shown = [terms for terms, is_public, _ in drawn if is_public]
    hidden = [terms for terms, is_public, _ in drawn if not is_public]
    log = log_of(*hidden, steps=(Action.CREATE,), log=log_of(*shown, steps=TO_ACTIVE))
    records = Records(
        book=BOOK,
        rates=tuple(
            rate(terms, State.ACTIVE if is_public else State.DRAFT, note) for terms, is_public, note in drawn
        ),
    )
    public = published(records, log, TODAY)
    assert {row.terms.ref for row in public.rates} == {terms.ref for terms in shown}
    return records, log, public
