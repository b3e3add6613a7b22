"""The rate book of this repository for tests: what it declares by short names, and terms of plain values."""

import dataclasses
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from devportal.catalog.book.book import NO_REGISTRATION, Book, Named
from devportal.catalog.book.book import Product as _Product
from devportal.catalog.book.book import Unit as _Unit
from devportal.catalog.book.file import parse_book
from devportal.catalog.records.coverage import Availability, CoverageTerms, Features
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.values import FieldValue, Values
from devportal.documents import Scalars, read_document

PATH = Path(__file__).parents[2] / "data" / "book.yaml"


@lru_cache(maxsize=1)
def _read() -> Book:
    book, findings = parse_book(read_document(PATH, name="data/book.yaml", scalars=Scalars.TEXT))
    assert book is not None, findings
    return book


BOOK = _read()

UNCOUNTED = dataclasses.replace(
    BOOK, units=tuple(dataclasses.replace(unit, counter=None) for unit in BOOK.units)
)
"""The same without a module that counts, for sites that do not have it."""

NamedT = TypeVar("NamedT", bound=Named)
TermsT = TypeVar("TermsT")


class Members(tuple[NamedT, ...], Generic[NamedT]):
    """What the book declares of a kind: `Product.SMS`, `Product("sms")`, or one after the other."""

    def __getattr__(self, name: str) -> NamedT:
        try:
            return self(name.lower())
        except StopIteration:
            raise AttributeError(name) from None

    def __call__(self, key: str) -> NamedT:
        """Return the one that a key names."""
        return next(item for item in self if item.key == str(key))


Product: Members[_Product] = Members(BOOK.products)
Unit: Members[_Unit] = Members(BOOK.units)
Channel: Members[Named] = Members(BOOK.coverage.channels)
Scheme: Members[Named] = Members((NO_REGISTRATION, *BOOK.coverage.schemes))
TEN_DLC = Scheme("10dlc")
UNITS: Mapping[_Product, _Unit] = {product: product.unit for product in BOOK.products}


def value(terms: RateTerms | CoverageTerms, name: str) -> Any:
    """Return the value of a declared field, None if terms do not have it."""
    return terms.declared.get(name)


def lay_book(folder: Path) -> None:
    """Put the book into a folder of records."""
    (folder / PATH.name).write_bytes(PATH.read_bytes())


class Direction(StrEnum):
    """The values of the field `direction`."""

    OUTBOUND = "outbound"
    INBOUND = "inbound"


class NumberType(StrEnum):
    """The values of the field `number_type`."""

    LOCAL = "local"
    MOBILE = "mobile"
    NATIONAL = "national"
    TOLL_FREE = "toll_free"
    SHORT_CODE = "short_code"


class BillingTerm(StrEnum):
    """The billing terms."""

    PREPAID = "prepaid"
    BILLED = "billed"


def net(*, name: str, mcc: str, mnc: str) -> Values[str]:
    """Return a value of the field `network`."""
    return Values({"name": name, "mcc": mcc, "mnc": mnc})


def steps(*, initial_s: int, subsequent_s: int) -> str:
    """Return a value of the field `billing_increment`."""
    return f"{initial_s}/{subsequent_s}"


def channel_features(**features: Availability) -> Features:
    """Return the features of a channel; all six are part of the content."""
    return Features(
        stated=Values(
            {
                feature.key: features.get(feature.key, Availability.UNKNOWN)
                for feature in BOOK.coverage.features
            }
        )
    )


def rate_terms(**fields: Any) -> RateTerms:
    """Return the terms of a rate, whose fields are named as in a record."""
    return RateTerms(**_split(fields, {}, [field.name for field in BOOK.fields]))


def coverage_terms(**fields: Any) -> CoverageTerms:
    """Return the terms of a coverage record, whose fields are named as in a record."""
    return CoverageTerms(**_split(fields, {}, [field.name for field in BOOK.coverage.fields]))


def replace(original: TermsT, **changes: Any) -> TermsT:
    """Return a copy with changes; the fields of terms are named as in a record."""
    given: Any = original
    if isinstance(given, RateTerms | CoverageTerms):
        fields = BOOK.fields if isinstance(given, RateTerms) else BOOK.coverage.fields
        changes = _split(changes, given.declared, [field.name for field in fields])
    changed: TermsT = dataclasses.replace(given, **changes)
    return changed


def _split(fields: dict[str, Any], known: Mapping[str, FieldValue], declared: list[str]) -> dict[str, Any]:
    """Return fields with those that the book declares in one mapping; None and () are left out."""
    fixed = {("market" if name == "country" else name): value for name, value in fields.items()}
    values = {name: fixed.pop(name) if name in fixed else known.get(name) for name in declared}
    found = {name: _plain(value) for name, value in values.items() if value not in (None, ())}
    return {**{name: _plain(value) for name, value in fixed.items()}, "declared": Values(found)}


def _plain(value: Any) -> Any:
    """Return a value as records have it: the text of a closed set, alone or in a list."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return str(value) if isinstance(value, Direction | NumberType | BillingTerm) else value
