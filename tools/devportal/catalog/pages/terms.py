"""The terms of a version as fields with names: what differs between two versions, told field by field."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from devportal.catalog.codes import country_names
from devportal.catalog.coverage import Availability, CoverageTerms
from devportal.catalog.pages.columns import Cell
from devportal.catalog.pages.labels import FEATURES, label
from devportal.catalog.pages.naming import price_words
from devportal.catalog.rate import RateTerms
from devportal.catalog.window import Terms

Value: TypeAlias = StrEnum | str | int | bool | Decimal | tuple[StrEnum, ...] | tuple[str, ...] | None
"""What a field holds; None or an empty tuple where a record does not narrow it."""

TermsT = TypeVar("TermsT", RateTerms, CoverageTerms)


def _words(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "Yes" if value else "No"
        case StrEnum():
            return label(value)
        case Decimal():
            return f"{value:f}"
        case tuple():
            return "; ".join(map(_words, value))
    return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsField(Generic[TermsT]):
    """One field: its name in files, its title on pages, and its value.

    `shown` makes words of a value for pages; `absent` stands where there is no value.
    """

    name: str
    title: str
    value: Callable[[TermsT], Value]
    shown: Callable[[Any], str] = _words
    absent: str = "not stated"

    def words(self, terms: TermsT) -> str:
        """Return the value as a page shows it."""
        return self.shown(self.value(terms)) or self.absent

    def cell(self, terms: TermsT) -> Cell:
        """Return the value as a public file holds it."""
        match self.value(terms):
            case Decimal() as amount:
                return f"{amount:f}"
            case value:
                return value or None if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field in which a version differs from the one before; `note` says how, where numbers can."""

    title: str
    before: str
    after: str
    note: str = ""


def _country(code: str) -> str:
    return country_names()[code]


def _dialled(digits: str | tuple[str, ...]) -> str:
    numbers = (digits,) if isinstance(digits, str) else digits
    return ", ".join(f"+{number}" for number in numbers)


def _listed(words: tuple[str, ...]) -> str:
    return " or ".join(words)


def _feature(terms: CoverageTerms, *, name: str) -> Availability:
    found: Availability = getattr(terms.features, name)
    return found


RATE_FIELDS: tuple[TermsField[RateTerms], ...] = (
    TermsField(name="price", title="Price", value=lambda terms: terms.price),
    TermsField(name="currency", title="Currency", value=lambda terms: terms.currency),
    TermsField(name="unit", title="Unit", value=lambda terms: terms.unit),
    TermsField(
        name="billing_increment",
        title="Billing increment",
        value=lambda terms: str(terms.billing_increment or ""),
        absent="not timed",
    ),
    TermsField(
        name="billing_terms",
        title="Billing terms",
        value=lambda terms: tuple(map(str, terms.offered_terms)),
        shown=_listed,
    ),
    TermsField(name="product", title="Product", value=lambda terms: terms.product),
    TermsField(name="direction", title="Direction", value=lambda terms: terms.direction),
    TermsField(name="country", title="Country", value=lambda terms: terms.country, shown=_country),
    TermsField(
        name="network",
        title="Network",
        value=lambda terms: terms.network.name if terms.network else None,
        absent="all networks",
    ),
    TermsField(
        name="mcc",
        title="Mobile country code",
        value=lambda terms: terms.network.mcc if terms.network else None,
        absent="any",
    ),
    TermsField(
        name="mnc",
        title="Mobile network code",
        value=lambda terms: terms.network.mnc if terms.network else None,
        absent="any",
    ),
    TermsField(name="number_type", title="Number type", value=lambda terms: terms.number_type, absent="any"),
    TermsField(
        name="prefixes",
        title="Prefixes",
        value=lambda terms: terms.prefixes,
        shown=_dialled,
        absent="none named",
    ),
    TermsField(name="sample", title="Sample data", value=lambda terms: terms.sample),
)
"""Of a rate, all but what names the version and when it holds."""

COVERAGE_FIELDS: tuple[TermsField[CoverageTerms], ...] = (
    TermsField(name="channel", title="Channel", value=lambda terms: terms.channel),
    TermsField(name="country", title="Country", value=lambda terms: terms.country, shown=_country),
    TermsField(
        name="dialling_code", title="Dialling code", value=lambda terms: terms.dialling_code, shown=_dialled
    ),
    TermsField(name="support", title="Support", value=lambda terms: terms.support),
    TermsField(name="number_types", title="Number types", value=lambda terms: terms.number_types),
    *(
        TermsField(name=name, title=title, value=partial(_feature, name=name))
        for name, title in FEATURES.items()
    ),
    TermsField(name="registration", title="Registration", value=lambda terms: terms.registration.scheme),
    TermsField(
        name="registration_days",
        title="Days to register",
        value=lambda terms: terms.registration.lead_time_days,
    ),
    TermsField(
        name="restrictions", title="Restrictions", value=lambda terms: terms.restrictions, absent="none"
    ),
    TermsField(name="reviewed_on", title="Last review", value=lambda terms: terms.reviewed_on.isoformat()),
    TermsField(name="sample", title="Sample data", value=lambda terms: terms.sample),
)
"""Of a coverage record, all but what names the version and when it holds."""


def differences(before: Terms, after: Terms) -> tuple[Difference, ...]:
    """Return in what a version differs from the one before, of the same kind; a price says by how much."""
    match before, after:
        case RateTerms(), RateTerms():
            return tuple(_with_change(one, before, after) for one in _differing(RATE_FIELDS, before, after))
        case CoverageTerms(), CoverageTerms():
            return tuple(_differing(COVERAGE_FIELDS, before, after))
    raise TypeError(f"{before.ref} and {after.ref} are records of two kinds")


def _with_change(found: Difference, before: RateTerms, after: RateTerms) -> Difference:
    """Return the difference with how a price moved; where it is in another currency or for another unit,
    with both of these instead.
    """
    if found.title != "Price":
        return found
    if (before.currency, before.unit) != (after.currency, after.unit):
        return replace(found, before=price_words(before), after=price_words(after))
    return replace(found, note=price_change(before.price, after.price))


def _differing(fields: Sequence[TermsField[TermsT]], before: TermsT, after: TermsT) -> Iterator[Difference]:
    for field in fields:
        if field.value(before) != field.value(after):
            yield Difference(title=field.title, before=field.words(before), after=field.words(after))


def price_change(before: Decimal, after: Decimal) -> str:
    """Return by how much a price went up or down, in words: `up by 20%`, `down by about 16.67%`.

    Exact where two places are enough, else rounded half up to two, or to as many as show any change.
    """
    if before == after:
        return ""
    word = "up" if after > before else "down"
    if before == 0:
        return f"{word} from nothing"
    exact = abs(Fraction(after) - Fraction(before)) * 100 / Fraction(before)
    places = 2
    while not int(exact * 10**places + Fraction(1, 2)):
        places += 1
    parts = int(exact * 10**places + Fraction(1, 2))
    about = "" if Fraction(parts, 10**places) == exact else "about "
    number = f"{Decimal((0, tuple(map(int, str(parts))), -places)):f}"
    return f"{word} by {about}{number.rstrip('0').rstrip('.')}%"
