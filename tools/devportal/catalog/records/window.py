"""Effective windows: the days on which a version applies, without the end (decision 0015)."""

from collections.abc import Iterator
from datetime import date

from devportal.catalog.book.book import Book, GroupForm, group_code
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms

Terms = RateTerms | CoverageTerms


def holds(terms: Terms, day: date) -> bool:
    """Say whether terms apply on a day."""
    return terms.effective_from <= day and (terms.effective_to is None or day < terms.effective_to)


def windows_overlap(first: Terms, other: Terms) -> bool:
    """Say whether both apply on any day."""
    one_ends, other_ends = first.effective_to or date.max, other.effective_to or date.max
    return first.effective_from < other_ends and other.effective_from < one_ends


def terms_key(book: Book, terms: Terms) -> tuple[object, ...]:
    """Return what terms apply to: two versions with the same key must not overlap in time."""
    return (*_price_key(book, terms),) if isinstance(terms, RateTerms) else terms.key


def _price_key(book: Book, terms: RateTerms) -> Iterator[object]:
    """Yield the parts of what one price applies to."""
    yield from (terms.product.key, terms.market, terms.unit.key, terms.currency)
    for key_field in book.key_fields:
        value = terms.declared.get(key_field.name)
        yield (
            group_code(key_field.form, value)
            if value is not None and isinstance(key_field.form, GroupForm)
            else value
        )
