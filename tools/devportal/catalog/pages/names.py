"""The names of products, markets and states of records on pages."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from devportal.catalog.book.book import (
    NO_REGISTRATION,
    Book,
    ChoiceForm,
    Field,
    GroupForm,
    Named,
    Product,
    group_code,
)
from devportal.catalog.records.coverage import Availability, CoverageTerms, Support
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.values import FieldValue
from devportal.translation import gettext, gettext_noop, in_sentence, ngettext

_LABELS = {
    Support.FULL: gettext_noop("Full"),
    Support.LIMITED: gettext_noop("Limited"),
    Support.UNAVAILABLE: gettext_noop("Unavailable"),
    Availability.YES: gettext_noop("Yes"),
    Availability.NO: gettext_noop("No"),
    Availability.UNKNOWN: gettext_noop("Not stated"),
}


def label(value: Named | Support | Availability) -> str:
    """Return the word for a value."""
    if value is NO_REGISTRATION:
        return gettext(NO_REGISTRATION.title)
    return value.title if isinstance(value, Named) else gettext(_LABELS[value])


def inline_label(value: Named | Support | Availability) -> str:
    """Return the word for a value inside a sentence: `parcels`, but `EMS`."""
    return inline(label(value))


def attribute(value: Named) -> str:
    """Return the word for a product before a noun: `Parcel` rates."""
    return value.attribute if isinstance(value, Product) else value.title


def inline_attribute(value: Named) -> str:
    """Return the same inside a sentence: all `parcel` rates."""
    return inline(attribute(value))


def inline(word: str) -> str:
    """Return a word in its form inside a sentence."""
    return in_sentence(word)


_NAMED_ITEMS = 3


def record_name(terms: RateTerms | CoverageTerms, book: Book) -> str:
    """Return the name of a record within its market."""
    match terms:
        case RateTerms():
            return rate_name(terms, book)
        case CoverageTerms():
            return coverage_name(terms.channel)


def coverage_name(channel: Named) -> str:
    """Return the name of what works on a channel: `Parcels coverage`."""
    return gettext("%(channel)s coverage", channel=label(channel))


def rates_name(product: Named) -> str:
    """Return the name of all rates of a product: `Parcel rates`."""
    return gettext("%(product)s rates", product=attribute(product))


def inline_rates_name(product: Named) -> str:
    """Return the same inside a sentence: `parcel rates`."""
    return gettext("%(product)s rates", product=inline_attribute(product))


def rate_name(terms: RateTerms, book: Book) -> str:
    """Return the name of a rate within its market: `Parcel express, up to 2 kg`."""
    headline = book.headline
    headline_value = terms.declared.get(headline.name) if headline else None
    headline_words = (
        f" {value_name(headline, headline_value)}" if headline and headline_value is not None else ""
    )
    return ", ".join((f"{attribute(terms.product)}{headline_words}", *_name_parts(terms, book)))


def _name_parts(terms: RateTerms, book: Book) -> Iterator[str]:
    """Yield the parts of a rate's name after its headline: groups and lists first, then choices."""
    fields = [field for field in book.before_price if field is not book.headline and field.in_name]
    for field in sorted(fields, key=lambda field: isinstance(field.form, ChoiceForm)):
        value = terms.declared.get(field.name)
        if value:
            yield value_name(field, value)


def value_name(field: Field, value: FieldValue) -> str:
    """Return a value as part of a record's name: `Fjord (242-010)`, `+47 +48 +49 and 2 more`."""
    match field.form:
        case ChoiceForm() as form if isinstance(value, str):
            return field.in_name.format(in_sentence(form.choice(value).title))
        case GroupForm() as form:
            return group_name(field, form, value)
    items = field.display_items(value)
    first_items = " ".join(items[:_NAMED_ITEMS])
    hidden_count = len(items) - _NAMED_ITEMS
    if hidden_count > 0:
        first_items = ngettext(
            "%(names)s and %(number)s more", "%(names)s and %(number)s more", hidden_count, names=first_items
        )
    return field.in_name.format(first_items)


def group_name(field: Field, form: GroupForm, value: FieldValue) -> str:
    """Return the name and the code of a group."""
    return f"{' '.join(field.display_value(value).split())} ({'-'.join(group_code(form, value))})"


def rate_name_with_market(terms: RateTerms, book: Book) -> str:
    """Return the full name of a rate: `Norway, Parcel express, up to 2 kg`."""
    return f"{book.markets.shown_names[terms.market]}, {rate_name(terms, book)}"


def price_words(terms: RateTerms) -> str:
    """Return a price with its unit: `0.10 EUR per piece`."""
    return f"{terms.price:f} {terms.currency} {terms.unit.title}"


class SampleShare(StrEnum):
    """How many of the records on a page are sample data."""

    NONE = "none"
    SOME = "some"
    ALL = "all"


def sample_share(terms: Iterable[RateTerms | CoverageTerms]) -> SampleShare:
    """Return how many of the records are sample data. Pages mark each only if there are others."""
    is_sample = {term.sample for term in terms}
    if True not in is_sample:
        return SampleShare.NONE
    return SampleShare.SOME if False in is_sample else SampleShare.ALL
