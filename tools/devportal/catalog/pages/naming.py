"""What a record is called where it stands alone: in examples, histories and feeds."""

from collections.abc import Iterator

from devportal.catalog.book.book import Book, ChoiceForm, Field, GroupForm, code_of
from devportal.catalog.pages.labels import attribute, label
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.values import FieldValue

_NAMED_ITEMS = 3


def record_name(terms: RateTerms | CoverageTerms, book: Book) -> str:
    """Return what tells a record from others of its market."""
    match terms:
        case RateTerms():
            return rate_name(terms, book)
        case CoverageTerms():
            return f"{label(terms.channel)} coverage"


def rate_name(terms: RateTerms, book: Book) -> str:
    """Return what tells a rate from others of its market: `Parcel express, up to 2 kg`."""
    headline = book.headline
    chosen = terms.declared.get(headline.name) if headline else None
    first = f" {value_name(headline, chosen)}" if headline and chosen is not None else ""
    return ", ".join((f"{attribute(terms.product)}{first}", *_parts(terms, book)))


def _parts(terms: RateTerms, book: Book) -> Iterator[str]:
    """Yield what names a rate beside its headline: groups and lists first, then what qualifies them."""
    fields = [one for one in book.before_price if one is not book.headline and one.in_name]
    for field in sorted(fields, key=lambda one: isinstance(one.form, ChoiceForm)):
        value = terms.declared.get(field.name)
        if value:
            yield value_name(field, value)


def value_name(field: Field, value: FieldValue) -> str:
    """Return a value as the name of a record has it: `Fjord (242-010)`, `+47 +48 +49 and 2 more`."""
    match field.form:
        case ChoiceForm() as form if isinstance(value, str):
            return field.in_name.format(form.choice(value).title.lower())
        case GroupForm() as form:
            return group_name(field, form, value)
    items = field.shown_items(value)
    named = " ".join(items[:_NAMED_ITEMS])
    more = len(items) - _NAMED_ITEMS
    return field.in_name.format(f"{named} and {more} more" if more > 0 else named)


def group_name(field: Field, form: GroupForm, value: FieldValue) -> str:
    """Return the name and the code of a group."""
    return f"{' '.join(field.shown(value).split())} ({'-'.join(code_of(form, value))})"


def rate_name_with_market(terms: RateTerms, book: Book) -> str:
    """Return what tells a rate from all others: `Norway, Parcel express, up to 2 kg`."""
    return f"{book.markets.names[terms.market]}, {rate_name(terms, book)}"


def price_words(terms: RateTerms) -> str:
    """Return a price with what it pays for: `0.10 EUR per piece`."""
    return f"{terms.price:f} {terms.currency} {terms.unit.title}"
