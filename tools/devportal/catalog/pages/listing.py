"""The public pages: rates and coverage by country, each with its Markdown twin, search entries and files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic

from devportal.catalog.pages.columns import COVERAGE_COLUMNS, RATE_COLUMNS, Column, PublishedT
from devportal.catalog.pages.country import Country, by_country
from devportal.catalog.pages.downloads import csv_file, json_file, sha256
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import Published, PublishedCoverage, PublishedRate
from devportal.pages import Artefact, Heading, Page, SearchEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Generic[PublishedT]):
    """One kind of public records as a page: its name in addresses, its words, columns and search text."""

    name: str
    title: str
    summary: str
    columns: tuple[Column[PublishedT], ...]
    search_text: Callable[[PublishedT], str]

    @property
    def uri(self) -> str:
        """Return the page's place in the source tree."""
        return f"{self.name}/index.md"


def _rate_text(rate: PublishedRate) -> str:
    """Return a rate as search finds it."""
    terms = rate.terms
    network = f"{terms.network.name} {terms.network.mcc} {terms.network.mnc}" if terms.network else ""
    number = label(terms.number_type) if terms.number_type else ""
    what = [label(terms.product), label(terms.direction).lower(), network, number, " ".join(terms.prefixes)]
    price = f"{terms.price:f} {terms.currency} {label(terms.unit)}"
    return f"{' '.join(part for part in what if part)}: {price}"


def _coverage_text(record: PublishedCoverage) -> str:
    """Return a coverage record as search finds it."""
    terms = record.terms
    support = f"{label(terms.channel)} {label(terms.support).lower()}"
    return ", ".join([support, f"registration {label(terms.registration.scheme)}", *terms.restrictions])


RATES = Listing(
    name="rates",
    title="Rates",
    summary="Published prices by country",
    columns=RATE_COLUMNS,
    search_text=_rate_text,
)
COVERAGE = Listing(
    name="coverage",
    title="Coverage",
    summary="Markets served, with features and registration",
    columns=COVERAGE_COLUMNS,
    search_text=_coverage_text,
)


def listings(public: Published) -> Iterator[Page | Artefact]:
    """Yield the pages for rates and coverage, and the files that they offer."""
    yield from _listed(RATES, public.rates, public.on)
    yield from _listed(COVERAGE, public.coverage, public.on)


def _listed(
    listing: Listing[PublishedT], rows: tuple[PublishedT, ...], on: date
) -> Iterator[Page | Artefact]:
    files = (
        csv_file(f"{listing.name}/{listing.name}.csv", listing.columns, rows),
        json_file(f"{listing.name}/{listing.name}.json", listing.name, listing.columns, rows),
    )
    yield from files
    yield _page(listing, by_country(rows), files, on)


def _page(
    listing: Listing[PublishedT],
    countries: tuple[Country[PublishedT], ...],
    files: Sequence[Artefact],
    on: date,
) -> Page:
    names = ", ".join(country.name for country in countries)
    description = f"{listing.summary}, in force on {on}: {names or 'none yet'}."
    shown = {
        "on": on,
        "countries": countries,
        "columns": listing.columns,
        "downloads": [{"uri": file.uri, "size": len(file.content), "sha256": sha256(file)} for file in files],
        "count": sum(len(country.rows) for country in countries),
        "is_sample": any(row.terms.sample for country in countries for row in country.rows),
    }
    return Page(
        uri=listing.uri,
        title=listing.title,
        description=description,
        body=templates().get_template(f"{listing.name}.html.jinja").render(shown),
        markdown=templates().get_template(f"{listing.name}.md.jinja").render(shown),
        headings=_headings(listing.title, ((country.anchor, country.name) for country in countries)),
        search=(
            SearchEntry(title=listing.title, text=description),
            *(_search_entry(listing, country) for country in countries),
        ),
        layout="wide",
    )


def _headings(title: str, countries: Iterable[tuple[str, str]]) -> tuple[Heading, ...]:
    """Return what the table of contents lists; countries are anchors and names."""
    by_name = [Heading(level=3, anchor=anchor, title=name) for anchor, name in countries]
    table = Heading(level=2, anchor="by-country", title=f"{title} by country")
    return (
        *((table, *by_name) if by_name else ()),
        Heading(level=2, anchor="downloads", title="Downloads"),
        Heading(level=2, anchor="columns", title="What the columns mean"),
    )


def _search_entry(listing: Listing[PublishedT], country: Country[PublishedT]) -> SearchEntry:
    return SearchEntry(
        title=f"{listing.title}: {country.name}",
        text="; ".join(listing.search_text(row) for row in country.rows),
        anchor=country.anchor,
    )
