"""The public pages of rates and coverage, with their Markdown twins, search entries and files.

All of them take only what the publication gate returns.
"""

from collections.abc import Iterator

from devportal.catalog.pages.countries import country_pages
from devportal.catalog.pages.coverage import coverage_pages
from devportal.catalog.pages.feed import announce_feed
from devportal.catalog.pages.history import history_pages
from devportal.catalog.pages.rates import RatesByMarket, group_rates, rate_pages
from devportal.catalog.pages.rates_filters import Contact, Options
from devportal.catalog.publication import Published
from devportal.markup import Artefact, Page

__all__ = ["Contact", "Options", "catalog_pages"]


def catalog_pages(public: Published, options: Options) -> Iterator[Page | Artefact]:
    """Yield the pages for rates and coverage, and the files that they offer."""
    from devportal.catalog.preview import add_preview_images  # noqa: PLC0415 - images read addresses of pages

    rates_by_market = group_rates(public)
    with_previews = add_preview_images(_pages(public, rates_by_market, options), public, options)
    yield from announce_feed(with_previews, public, options, rates_by_market.sections)


def _pages(public: Published, rates_by_market: RatesByMarket, options: Options) -> Iterator[Page | Artefact]:
    yield from rate_pages(rates_by_market, options)
    yield from coverage_pages(public, options)
    yield from country_pages(rates_by_market, public, options)
    yield from history_pages(public, options)
