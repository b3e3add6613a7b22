"""The history of each public record: the versions that were public, up to the one in force.

Only what the publication gate returns is included: no version that is withdrawn, rejected or still to come.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, Protocol, TypeVar

from devportal.catalog.book.book import Book
from devportal.catalog.pages.compared_terms import Difference, differences
from devportal.catalog.pages.names import record_name
from devportal.catalog.publication import Published
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms

TermsT_co = TypeVar("TermsT_co", bound=RateTerms | CoverageTerms, covariant=True)


class _CurrentRow(Protocol[TermsT_co]):
    """A version in force, from the publication gate."""

    @property
    def terms(self) -> TermsT_co: ...
    @property
    def approved_on(self) -> date: ...
    @property
    def content_sha256(self) -> str: ...
    @property
    def held_from(self) -> date: ...


class _ReplacedRow(_CurrentRow[TermsT_co], Protocol[TermsT_co]):
    """A replaced version, from the publication gate."""

    @property
    def held_until(self) -> date: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[TermsT_co]):
    """One version of a record. It applied from the day `held_from`, and no longer on the day `held_until`.

    The version in force has no `held_until`, and the first version has no `before`.
    """

    row: _CurrentRow[TermsT_co]
    book: Book
    held_from: date
    held_until: date | None = None
    before: TermsT_co | None = None

    @property
    def terms(self) -> TermsT_co:
        """Return the terms of the version."""
        return self.row.terms

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Return the differences from the version before."""
        return () if self.before is None else differences(self.before, self.terms, self.book)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHistory(Generic[TermsT_co]):
    """One record: the versions that were public, newest first. The first is in force."""

    steps: tuple[Step[TermsT_co], ...]
    book: Book

    @property
    def terms(self) -> TermsT_co:
        """Return the terms in force."""
        return self.steps[0].terms

    @property
    def anchor(self) -> str:
        """Return the anchor of the record on the history page of its country, which must not change."""
        return f"{'rate' if isinstance(self.terms, RateTerms) else 'coverage'}-{self.terms.id}"

    @property
    def name(self) -> str:
        """Return the name of the record within its country."""
        return record_name(self.terms, self.book)


def rate_histories(public: Published) -> Iterator[RecordHistory[RateTerms]]:
    """Yield the history of each public rate."""
    return _histories(public.rates, public.replaced_rates, public.book)


def coverage_histories(public: Published) -> Iterator[RecordHistory[CoverageTerms]]:
    """Yield the history of each public coverage record."""
    return _histories(public.coverage, public.replaced_coverage, public.book)


def _histories(
    rows: Sequence[_CurrentRow[TermsT_co]], replaced: Sequence[_ReplacedRow[TermsT_co]], book: Book
) -> Iterator[RecordHistory[TermsT_co]]:
    """Yield the histories. If a record has two public versions, the later one has the past of both."""
    past: defaultdict[str, list[_ReplacedRow[TermsT_co]]] = defaultdict(list)
    for past_row in replaced:
        past[past_row.terms.id].append(past_row)
    latest = {row.terms.id: row.terms.version for row in rows}
    for row in rows:
        steps: list[Step[TermsT_co]] = []
        for past_row in past[row.terms.id] if row.terms.version == latest[row.terms.id] else ():
            steps.append(
                _step(past_row, steps, book, held_from=past_row.held_from, held_until=past_row.held_until)
            )
        steps.append(_step(row, steps, book, held_from=row.held_from))
        yield RecordHistory(steps=tuple(reversed(steps)), book=book)


def _step(
    row: _CurrentRow[TermsT_co],
    steps: Sequence[Step[TermsT_co]],
    book: Book,
    *,
    held_from: date,
    held_until: date | None = None,
) -> Step[TermsT_co]:
    before = steps[-1].terms if steps else None
    return Step(row=row, book=book, held_from=held_from, held_until=held_until, before=before)
