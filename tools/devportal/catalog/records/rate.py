"""The terms of one rate version: its price, its market, and its effective days."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import ClassVar

from devportal.catalog.book.book import Book, MarketKind, Product, Unit
from devportal.catalog.records.values import NOTHING, Declared
from devportal.catalog.records.version_ref import Kind, Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTerms(Terms):
    """The part of a rate version that an approval covers and that may be published.

    `price` keeps the digits written. `effective_to` is the first day on which it no longer applies.
    `billing_terms` is empty if a record does not narrow them. `declared` holds the fields that the project
    declares.
    """

    kind: ClassVar[Kind] = Kind.RATE

    id: str
    version: int
    product: Product
    market: str
    market_kind: MarketKind = MarketKind.COUNTRY
    declared: Declared = NOTHING
    unit: Unit
    price: Decimal
    currency: str
    billing_terms: tuple[str, ...] = ()
    effective_from: date
    effective_to: date | None = None
    sample: bool = False

    def offered_billing_terms(self, book: Book) -> tuple[str, ...]:
        """Return the billing terms of the price: all those of the book, unless the record narrows them."""
        return self.billing_terms or book.billing_terms
