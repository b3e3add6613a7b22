"""The files of a country's history: every version that was public, with the days on which it held.

Their names say `history`, and each row says whether it is in force, so that nobody takes a past price for one
of today.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from devportal.catalog.book.book import Book
from devportal.catalog.pages.addresses import history_uri
from devportal.catalog.pages.columns import Cell
from devportal.catalog.pages.downloads import csv_cell
from devportal.catalog.pages.stories import Step, Story, TermsT_co
from devportal.catalog.pages.terms import TermsField, TermsT, coverage_fields, rate_fields
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryHistory:
    """The records of a market that have a past."""

    code: str
    book: Book
    rates: tuple[Story[RateTerms], ...] = ()
    coverage: tuple[Story[CoverageTerms], ...] = ()

    @property
    def name(self) -> str:
        """Return the market's name."""
        return self.book.markets.names[self.code]

    @property
    def stories(self) -> tuple[Story[RateTerms] | Story[CoverageTerms], ...]:
        """Return the records of both kinds."""
        return (*self.rates, *self.coverage)


def rate_files(history: CountryHistory) -> Iterator[Artefact]:
    """Yield the history of a market's rates as CSV and as JSON, where there is any."""
    code = history.code
    if history.rates:
        rows = _rows(history.rates, rate_fields(history.book))
        yield from _files(f"history-rates-{code.lower()}", code, "rate_history", rows)


def coverage_files(history: CountryHistory) -> Iterator[Artefact]:
    """Yield the history of a market's coverage records as CSV and as JSON, where there is any."""
    code = history.code
    if history.coverage:
        rows = _rows(history.coverage, coverage_fields(history.book))
        yield from _files(f"history-coverage-{code.lower()}", code, "coverage_history", rows)


def _rows(stories: Sequence[Story[TermsT]], fields: Sequence[TermsField[TermsT]]) -> list[Mapping[str, Cell]]:
    return [
        {**_when(step), **{field.name: field.cell(step.terms) for field in fields}, **_proof(step)}
        for story in stories
        for step in story.steps
    ]


def _when(step: Step[TermsT_co]) -> Mapping[str, Cell]:
    return {
        "row_id": f"{step.terms.id}@{step.terms.version}",
        "status": "replaced" if step.held_until else "in force",
        "held_from": step.held_from.isoformat(),
        "held_until": step.held_until.isoformat() if step.held_until else None,
    }


def _proof(step: Step[TermsT_co]) -> Mapping[str, Cell]:
    return {"approved_on": step.row.approved_on.isoformat(), "content_sha256": step.row.content_sha256}


def _files(name: str, code: str, member: str, rows: Sequence[Mapping[str, Cell]]) -> Iterator[Artefact]:
    folder = history_uri(code).removesuffix("index.md")
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(rows[0])
    writer.writerows([csv_cell(cell) for cell in row.values()] for row in rows)
    yield Artefact(uri=f"{folder}{name}.csv", content=text.getvalue().encode())
    content = json.dumps({member: rows}, ensure_ascii=False, indent=1).encode() + b"\n"
    yield Artefact(uri=f"{folder}{name}.json", content=content)
