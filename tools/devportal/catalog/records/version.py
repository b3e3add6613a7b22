"""One version of a record as its file holds it, in any review state: never what a page may show."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import Book
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.ref import RecordRef
from devportal.documents import Document, Pointer
from devportal.errors import Place

TermsT_co = TypeVar("TermsT_co", bound=RateTerms | CoverageTerms, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a version is written down; places are looked up only when a finding needs one."""

    document: Document
    pointer: Pointer

    def place(self, *below: str) -> Place:
        """Return the place of the version, or of the field of it that is named."""
        return self.document.place((*self.pointer, *below))


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(Generic[TermsT_co]):
    """A version: its terms, the state that its file claims, and a note that is never published."""

    terms: TermsT_co
    status: State
    note: str = ""
    source: Source = field(compare=False, repr=False)

    @property
    def ref(self) -> RecordRef:
        """Return what names this version."""
        return self.terms.ref


RateVersion = Version[RateTerms]
"""A version of a rate, in whatever state."""
CoverageVersion = Version[CoverageTerms]
"""A version of a coverage record, in whatever state."""
AnyVersion = RateVersion | CoverageVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """All versions of all records, in every review state, and the book that says what they may hold."""

    book: Book = field(default_factory=Book, repr=False)
    rates: tuple[RateVersion, ...] = ()
    coverage: tuple[CoverageVersion, ...] = ()

    def all(self) -> Sequence[AnyVersion]:
        """Return the versions of both kinds."""
        return (*self.rates, *self.coverage)
