"""The history of rates and coverage records: the page of a country, and its files."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from devportal.catalog.book.book import Book
from devportal.catalog.pages.addresses import country_uri, history_uri, preview_uri
from devportal.catalog.pages.columns import Cell
from devportal.catalog.pages.compared_terms import TermsField, TermsT, coverage_fields, rate_fields
from devportal.catalog.pages.downloads import csv_cell, downloads_of
from devportal.catalog.pages.names import price_words, sample_share
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.record_histories import (
    RecordHistory,
    Step,
    TermsT_co,
    coverage_histories,
    rate_histories,
)
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import Published
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Artefact, Heading, Page, SearchEntry, render_page
from devportal.translation import gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryHistory:
    """The records of a market that have a past."""

    code: str
    book: Book
    rates: tuple[RecordHistory[RateTerms], ...] = ()
    coverage: tuple[RecordHistory[CoverageTerms], ...] = ()

    @property
    def name(self) -> str:
        """Return the market's name."""
        return self.book.markets.shown_names[self.code]

    @property
    def record_histories(self) -> tuple[RecordHistory[RateTerms] | RecordHistory[CoverageTerms], ...]:
        """Return the records of both kinds."""
        return (*self.rates, *self.coverage)


def rate_files(history: CountryHistory) -> Iterator[Artefact]:
    """Yield the history of a market's rates as CSV and as JSON, if there is any."""
    code = history.code
    if history.rates:
        rows = _rows(history.rates, rate_fields(history.book))
        yield from _files(f"history-rates-{code.lower()}", code, "rate_history", rows)


def coverage_files(history: CountryHistory) -> Iterator[Artefact]:
    """Yield the history of a market's coverage records as CSV and as JSON, if there is any."""
    code = history.code
    if history.coverage:
        rows = _rows(history.coverage, coverage_fields(history.book))
        yield from _files(f"history-coverage-{code.lower()}", code, "coverage_history", rows)


def _rows(
    record_histories: Sequence[RecordHistory[TermsT]], fields: Sequence[TermsField[TermsT]]
) -> list[Mapping[str, Cell]]:
    return [
        {
            **_validity_cells(step),
            **{field.name: field.cell(step.terms) for field in fields},
            **_approval_cells(step),
        }
        for record_history in record_histories
        for step in record_history.steps
    ]


def _validity_cells(step: Step[TermsT_co]) -> Mapping[str, Cell]:
    return {
        "row_id": f"{step.terms.id}@{step.terms.version}",
        "status": "replaced" if step.held_until else "in force",
        "held_from": step.held_from.isoformat(),
        "held_until": step.held_until.isoformat() if step.held_until else None,
    }


def _approval_cells(step: Step[TermsT_co]) -> Mapping[str, Cell]:
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


STYLES = ("assets/devportal/history.css",)
_MAX_HEADINGS = 40
"""With more records the table of contents lists only the kinds."""


def country_histories(public: Published, options: Options) -> Mapping[str, CountryHistory]:
    """Return the history of each country that has one, by code; empty if the project shows no histories."""
    if not options.settings.rate_history:
        return {}
    with_history = _with_history(public)
    rates, coverage = _by_market(rate_histories(with_history)), _by_market(coverage_histories(with_history))
    return {
        code: CountryHistory(
            code=code, book=public.book, rates=tuple(rates[code]), coverage=tuple(coverage[code])
        )
        for code in sorted({*rates, *coverage})
    }


def _with_history(public: Published) -> Published:
    """Return only the public records that have replaced any: in a large list most have not."""
    rates = {row.terms.id for row in public.replaced_rates}
    coverage = {row.terms.id for row in public.replaced_coverage}
    return replace(
        public,
        rates=tuple(row for row in public.rates if row.terms.id in rates),
        coverage=tuple(row for row in public.coverage if row.terms.id in coverage),
    )


def _by_market(
    record_histories: Iterable[RecordHistory[TermsT]],
) -> defaultdict[str, list[RecordHistory[TermsT]]]:
    by_market: defaultdict[str, list[RecordHistory[TermsT]]] = defaultdict(list)
    for record_history in record_histories:
        if len(record_history.steps) > 1:
            by_market[record_history.terms.market].append(record_history)
    return by_market


def history_pages(public: Published, options: Options) -> Iterator[Page | Artefact]:
    """Yield the page of each country that has a history, and the files that it offers."""
    for history in country_histories(public, options).values():
        files = (*rate_files(history), *coverage_files(history))
        yield from files
        yield _page(history, files, public)


def _page(history: CountryHistory, files: Sequence[Artefact], public: Published) -> Page:
    title = gettext("%(market)s: history of rates and coverage", market=history.name)
    newest = max(record_history.steps[0].held_from for record_history in history.record_histories)
    description = gettext(
        "How the published rates and coverage of %(market)s have changed: earlier versions with the days on which "
        "they held, and what is different. Last change on %(day)s.",
        market=history.name,
        day=newest,
    )
    context = {
        "page": history_uri(history.code),
        "country_page": country_uri(history.code),
        "history": history,
        "title": title,
        "on": public.on,
        "newest": newest,
        "downloads": downloads_of(files),
        "samples": sample_share(
            step.terms for record_history in history.record_histories for step in record_history.steps
        ),
        "price_words": price_words,
        "bars": price_bar_lengths,
    }
    body, markdown = render_page(templates(), "history", history_uri(history.code), context)
    return Page(
        uri=history_uri(history.code),
        title=title,
        description=description,
        body=body,
        markdown=markdown,
        headings=tuple(_headings(history)),
        search=(
            SearchEntry(
                title=title,
                text="; ".join(record_history.name for record_history in history.record_histories),
            ),
        ),
        styles=STYLES,
        preview=preview_uri(country_uri(history.code), public.book),
    )


def _headings(history: CountryHistory) -> Iterator[Heading]:
    for anchor, title, record_histories in (
        ("rates", gettext("Rates"), history.rates),
        ("coverage", gettext("Coverage"), history.coverage),
    ):
        if record_histories:
            yield Heading(level=2, anchor=anchor, title=title)
        if len(history.record_histories) <= _MAX_HEADINGS:
            yield from (
                Heading(level=3, anchor=record_history.anchor, title=record_history.name)
                for record_history in record_histories
            )
    yield Heading(level=2, anchor="downloads", title=gettext("Downloads"))


def price_bar_lengths(record_history: RecordHistory[RateTerms]) -> tuple[str, ...]:
    """Return the length of each version's price bar, in per cent of the highest; empty for prices that cannot
    be compared because currencies or units differ.
    """
    terms = [step.terms for step in record_history.steps]
    highest = max(term.price for term in terms)
    if not highest or len({(term.currency, term.unit.key) for term in terms}) > 1:
        return ()
    return tuple(_per_cent(term.price, highest) for term in terms)


def _per_cent(price: Decimal, highest: Decimal) -> str:
    return f"{round(Fraction(price) * 10000 / Fraction(highest)) / 100:g}"
