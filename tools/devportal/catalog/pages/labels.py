"""The words that pages use for what the book declares, and for the closed sets that every book has."""

from devportal.catalog.book.book import Named, Product
from devportal.catalog.records.coverage import Availability, Support

_LABELS = {
    Support.FULL: "Full",
    Support.LIMITED: "Limited",
    Support.UNAVAILABLE: "Unavailable",
    Availability.YES: "Yes",
    Availability.NO: "No",
    Availability.UNKNOWN: "Not stated",
}


def label(value: Named | Support | Availability) -> str:
    """Return the word for a value."""
    return value.title if isinstance(value, Named) else _LABELS[value]


def inline_label(value: Named | Support | Availability) -> str:
    """Return the word for a value inside a sentence: `parcels`, but `EMS`."""
    return inline(label(value))


def attribute(value: Named) -> str:
    """Return the word for a product before what it is of: `Parcel` rates."""
    return value.attribute if isinstance(value, Product) else value.title


def inline_attribute(value: Named) -> str:
    """Return the same inside a sentence: all `parcel` rates."""
    return inline(attribute(value))


def inline(word: str) -> str:
    """Return a word as it stands inside a sentence."""
    return word if word.isupper() else word.lower()
