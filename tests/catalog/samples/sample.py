"""One sample version, and the days on which it was written, approved, put in force and ended."""

from dataclasses import dataclass
from datetime import date

from devportal.catalog import CoverageVersion, RateVersion
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import Source, Version
from devportal.documents import Scalars, parse_document

NOWHERE = Source(document=parse_document("[]", name="samples", scalars=Scalars.TEXT), pointer=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A version, its state, the day on which it was superseded or withdrawn, and why it came to that."""

    terms: RateTerms | CoverageTerms
    state: State
    ended: date | None = None
    note: str = ""
    reason: str = ""

    @property
    def version(self) -> RateVersion | CoverageVersion:
        """Return the version as its file holds it."""
        if isinstance(self.terms, RateTerms):
            return Version(terms=self.terms, status=self.state, note=self.note, source=NOWHERE)
        return Version(terms=self.terms, status=self.state, note=self.note, source=NOWHERE)
