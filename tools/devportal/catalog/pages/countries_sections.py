"""The rates of a country by product, and their pages: a country with many rates has several."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from devportal.catalog.book.book import Book, Product
from devportal.catalog.pages.addresses import country_uri, sheet_uri
from devportal.catalog.pages.country import Country
from devportal.catalog.pages.downloads import RowKey
from devportal.catalog.pages.prices import price_places
from devportal.catalog.pages.rates_cells import anchor_of
from devportal.catalog.pages.rates_table import table_sort_key
from devportal.catalog.publication import PublishedRate

MAX_ROWS = 80
"""How many rates one page holds; more are divided among several pages, so that none has too many elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionPage:
    """The rates on the page `uri`."""

    uri: str
    rates: tuple[PublishedRate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """All rates of one product in one country, and the pages that show them."""

    country: Country[PublishedRate]
    product: Product
    rates: tuple[PublishedRate, ...]
    pages: tuple[SectionPage, ...]
    places: int
    """The number of decimal places of the prices."""

    @property
    def anchor(self) -> str:
        """Return the anchor of the product on the country's page."""
        return f"rates-{self.product}"

    @property
    def sheet_uri(self) -> str:
        """Return the URI of the rate sheet of the product."""
        return sheet_uri(self.country.code, self.product)

    @property
    def has_own_pages(self) -> bool:
        """Say whether the rates have separate pages, and are not on the country's page."""
        return self.pages[0].uri != country_uri(self.country.code)


def sections_of(country: Country[PublishedRate], book: Book) -> tuple[Section, ...]:
    """Return the rates of a country by product, in the order of the products."""
    is_divided = len(country.rows) > MAX_ROWS
    order = table_sort_key(book)
    by_product: defaultdict[str, list[PublishedRate]] = defaultdict(list)
    for rate in country.rows:
        by_product[rate.terms.product.key].append(rate)
    return tuple(
        _section(country, product, sorted(rates, key=order), is_divided=is_divided)
        for product in book.products
        if (rates := by_product.get(product.key))
    )


def _section(
    country: Country[PublishedRate], product: Product, rates: list[PublishedRate], *, is_divided: bool
) -> Section:
    ordered = tuple(rates)
    country_page = country_uri(country.code)
    parts = (
        tuple(
            SectionPage(
                uri=_section_page_uri(country_page, product, number), rates=ordered[start : start + MAX_ROWS]
            )
            for number, start in enumerate(range(0, len(ordered), MAX_ROWS), 1)
        )
        if is_divided
        else (SectionPage(uri=country_page, rates=ordered),)
    )
    return Section(country=country, product=product, rates=ordered, pages=parts, places=price_places(ordered))


def _section_page_uri(page: str, product: Product, number: int) -> str:
    folder = f"{page.removesuffix('index.md')}{product}/"
    return f"{folder}index.md" if number == 1 else f"{folder}{number}/index.md"


def row_links(sections: Iterable[Section]) -> Mapping[RowKey, str]:
    """Return where each rate is on the pages of the countries: a URI with an anchor."""
    return {
        (rate.terms.id, rate.terms.version): f"{part.uri}#{anchor_of(rate.terms)}"
        for section in sections
        for part in section.pages
        for rate in part.rates
    }
