"""The rate book of this API: the fields that its contract gives to rates and coverage.

The sandbox reads what is drafted in it by this book, also where it has no folder of records. The project's
own `data/book.yaml` says the same, and a test holds the two together.
"""

from functools import lru_cache
from importlib.resources import files

from devportal.catalog.book.book import Book
from devportal.catalog.book.file import parse_book
from devportal.documents import Scalars, parse_document

_NAME = "rate_book.yaml"


@lru_cache(maxsize=1)
def rate_book() -> Book:
    """Return the book."""
    text = files(__package__).joinpath(_NAME).read_text("utf-8")
    book, findings = parse_book(parse_document(text, name=_NAME, scalars=Scalars.TEXT))
    if book is None:
        raise ValueError(f"the rate book of the package is broken: {findings[0]}")
    return book
