"""The files of a country's history: every version that was public, with the days on which it held.

Their names say `history`, and each row says whether it is in force, so that nobody takes a past price for one
of today.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence

from devportal.catalog.coverage import CoverageTerms
from devportal.catalog.pages.addresses import history_uri
from devportal.catalog.pages.columns import Cell
from devportal.catalog.pages.downloads import csv_cell
from devportal.catalog.pages.stories import Step, Story, TermsT_co
from devportal.catalog.pages.terms import COVERAGE_FIELDS, RATE_FIELDS, TermsField, TermsT
from devportal.catalog.rate import RateTerms
from devportal.pages import Artefact


def rate_files(code: str, stories: Sequence[Story[RateTerms]]) -> Iterator[Artefact]:
    """Yield the history of a country's rates as CSV and as JSON, where there is any."""
    if stories:
        yield from _files(f"history-rates-{code.lower()}", code, "rate_history", _rows(stories, RATE_FIELDS))


def coverage_files(code: str, stories: Sequence[Story[CoverageTerms]]) -> Iterator[Artefact]:
    """Yield the history of a country's coverage records as CSV and as JSON, where there is any."""
    if stories:
        rows = _rows(stories, COVERAGE_FIELDS)
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
