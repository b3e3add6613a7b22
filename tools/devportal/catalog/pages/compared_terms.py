"""The terms of a version as named fields, and the differences between two versions field by field."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from devportal.catalog.book.book import Book, Field, Named
from devportal.catalog.pages.columns import Cell
from devportal.catalog.pages.names import label, price_words
from devportal.catalog.records.coverage import Availability, CoverageTerms, Support
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.window import Terms
from devportal.translation import cached_words, gettext, gettext_noop

Value: TypeAlias = Named | Support | Availability | str | int | bool | Decimal | tuple[str, ...] | None
"""The value of a field; None or an empty tuple if a record does not narrow it."""

TermsT = TypeVar("TermsT", RateTerms, CoverageTerms)


def _value_text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return gettext("Yes") if value else gettext("No")
        case Named() | Support() | Availability():
            return label(value)
        case Decimal():
            return f"{value:f}"
        case tuple():
            return "; ".join(map(_value_text, value))
    return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsField(Generic[TermsT]):
    """One field: its name in files, its title on pages, and its value.

    `to_text` formats a value for pages; `absent` is the text if there is no value.
    """

    name: str
    title: str
    value: Callable[[TermsT], Value]
    to_text: Callable[[Any], str] = _value_text
    absent: str = "not stated"

    def display_text(self, terms: TermsT) -> str:
        """Return the value as a page shows it."""
        return self.to_text(self.value(terms)) or gettext(self.absent)

    def cell(self, terms: TermsT) -> Cell:
        """Return the value as a public file holds it."""
        match self.value(terms):
            case Decimal() as amount:
                return f"{amount:f}"
            case Named() as named:
                return named.key
            case value:
                return value or None if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field that differs from the version before; `note` describes the change, if it is a number."""

    name: str
    title: str
    before: str
    after: str
    note: str = ""


def _join_words(words: tuple[str, ...]) -> str:
    return gettext(" or ").join(words)


def _declared_value(terms: RateTerms | CoverageTerms, *, field: Field) -> Value:
    value = terms.declared.get(field.name)
    if value is None:
        return None if field.is_text else ()
    return value if isinstance(value, str | tuple) else None


def _part_value(terms: RateTerms | CoverageTerms, *, field: Field, part: str) -> Value:
    group = terms.declared.get(field.name)
    return None if group is None or isinstance(group, str | tuple) else group[part]


def _terms_fields(field: Field) -> Iterator[TermsField[Any]]:
    """Yield a declared field as terms fields, one for each part of a group."""
    if group := field.group:
        for part in group.parts:
            is_name = part is group.name
            yield TermsField(
                name=field.name if is_name else part.name,
                title=field.title if is_name else part.title,
                value=partial(_part_value, field=field, part=part.name),
                absent=field.absent if is_name else part.absent,
            )
    else:
        yield TermsField(
            name=field.name,
            title=field.title,
            value=partial(_declared_value, field=field),
            to_text=partial(_field_text, field),
            absent=field.absent,
        )


def _field_text(field: Field, value: Any) -> str:
    if not value:
        return ""
    separator = "; " if field.choices else ", "
    return separator.join(field.display_items(value))


@cached_words(4)
def rate_fields(book: Book) -> tuple[TermsField[RateTerms], ...]:
    """Return the fields of a rate, except those that name the version and its days."""
    headline = (book.headline,) if book.headline else ()
    others = (field for field in book.before_price if field is not book.headline)
    return (
        TermsField(name="price", title=gettext("Price"), value=lambda terms: terms.price),
        TermsField(name="currency", title=gettext("Currency"), value=lambda terms: terms.currency),
        TermsField(name="unit", title=gettext("Unit"), value=lambda terms: terms.unit),
        *(terms_field for field in book.after_price for terms_field in _terms_fields(field)),
        *_billing_terms_field(book),
        TermsField(name="product", title=gettext("Product"), value=lambda terms: terms.product),
        *(terms_field for field in headline for terms_field in _terms_fields(field)),
        _market_field(book),
        *(terms_field for field in others for terms_field in _terms_fields(field)),
        TermsField(name="sample", title=gettext("Sample data"), value=lambda terms: terms.sample),
    )


def _market_field(book: Book) -> TermsField[Any]:
    """Return the field of the market, which rates and coverage records share."""
    names = book.markets.shown_names
    return TermsField(
        name=str(book.markets.kind),
        title=book.markets.title,
        value=lambda terms: terms.market,
        to_text=lambda key: names[key],
    )


def _billing_terms_field(book: Book) -> Iterator[TermsField[RateTerms]]:
    if book.billing_terms:
        yield TermsField(
            name="billing_terms",
            title=gettext("Billing terms"),
            value=lambda terms: terms.offered_billing_terms(book),
            to_text=_join_words,
        )


@cached_words(4)
def coverage_fields(book: Book) -> tuple[TermsField[CoverageTerms], ...]:
    """Return the fields of a coverage record, except those that name the version and its days."""
    coverage = book.coverage
    return (
        TermsField(name="channel", title=gettext("Channel"), value=lambda terms: terms.channel),
        _market_field(book),
        *(terms_field for field in coverage.market_fields for terms_field in _terms_fields(field)),
        TermsField(name="support", title=gettext("Support"), value=lambda terms: terms.support),
        *(terms_field for field in coverage.other_fields for terms_field in _terms_fields(field)),
        *(
            TermsField(name=feature.key, title=feature.title, value=partial(_feature_value, name=feature.key))
            for feature in coverage.features
        ),
        *_registration_fields(book),
        TermsField(
            name="restrictions",
            title=gettext("Restrictions"),
            value=lambda terms: terms.restrictions,
            absent=gettext_noop("none"),
        ),
        TermsField(
            name="reviewed_on",
            title=gettext("Last review"),
            value=lambda terms: terms.reviewed_on.isoformat(),
        ),
        TermsField(name="sample", title=gettext("Sample data"), value=lambda terms: terms.sample),
    )


def _feature_value(terms: CoverageTerms, *, name: str) -> Value:
    return terms.features[name] if terms.features else None


def _registration_fields(book: Book) -> Iterator[TermsField[CoverageTerms]]:
    if book.coverage.schemes:
        yield TermsField(
            name="registration",
            title=gettext("Registration"),
            value=lambda terms: terms.registration.scheme if terms.registration else None,
        )
        yield TermsField(
            name="registration_days",
            title=gettext("Days to register"),
            value=lambda terms: terms.registration.lead_time_days if terms.registration else None,
        )


def differences(before: Terms, after: Terms, book: Book) -> tuple[Difference, ...]:
    """Return the differences from the version before, of the same kind. A price has the size of its change."""
    match before, after:
        case RateTerms(), RateTerms():
            return tuple(
                _with_price_change(field_difference, before, after)
                for field_difference in _field_differences(rate_fields(book), before, after)
            )
        case CoverageTerms(), CoverageTerms():
            return tuple(_field_differences(coverage_fields(book), before, after))
    raise TypeError(f"{before.ref} and {after.ref} are records of two kinds")


def _with_price_change(difference: Difference, before: RateTerms, after: RateTerms) -> Difference:
    """Return the difference with the change of a price. In another currency or for another unit, both prices
    are given in full instead.
    """
    if difference.name != "price":
        return difference
    if (before.currency, before.unit.key) != (after.currency, after.unit.key):
        return replace(difference, before=price_words(before), after=price_words(after))
    return replace(difference, note=price_change(before.price, after.price))


def _field_differences(
    fields: Sequence[TermsField[TermsT]], before: TermsT, after: TermsT
) -> Iterator[Difference]:
    for field in fields:
        if field.value(before) != field.value(after):
            yield Difference(
                name=field.name,
                title=field.title,
                before=field.display_text(before),
                after=field.display_text(after),
            )


def price_change(before: Decimal, after: Decimal) -> str:
    """Return the change of a price in words: `up by 20%`, `down by about 16.67%`.

    It is exact if two places are enough, else rounded half up to two, or to as many as show a change.
    """
    if before == after:
        return ""
    is_up = after > before
    if before == 0:
        return gettext("up from nothing") if is_up else gettext("down from nothing")
    exact = abs(Fraction(after) - Fraction(before)) * 100 / Fraction(before)
    places = 2
    while not int(exact * 10**places + Fraction(1, 2)):
        places += 1
    scaled = int(exact * 10**places + Fraction(1, 2))
    number = f"{Decimal((0, tuple(map(int, str(scaled))), -places)):f}".rstrip("0").rstrip(".")
    if Fraction(scaled, 10**places) == exact:
        return (
            gettext("up by %(number)s%%", number=number)
            if is_up
            else gettext("down by %(number)s%%", number=number)
        )
    if is_up:
        return gettext("up by about %(number)s%%", number=number)
    return gettext("down by about %(number)s%%", number=number)
