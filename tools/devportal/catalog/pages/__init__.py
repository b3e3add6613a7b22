"""The public pages of rates and coverage, with their Markdown twins, search entries and files.

All of them take only what the publication gate returns.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from devportal.catalog.pages.addresses import COVERAGE
from devportal.catalog.pages.countries import country_sources
from devportal.catalog.pages.coverage import coverage_pages
from devportal.catalog.pages.feed import announce_feed
from devportal.catalog.pages.history import history_pages
from devportal.catalog.pages.rates import RatesByMarket, group_rates, rate_files, rate_sources
from devportal.catalog.pages.rates_filters import Contact, Options
from devportal.catalog.pages.rendering import (
    PageSource,
    RunSources,
    load_templates,
    pages_of_sources,
    run_in_order,
)
from devportal.catalog.publication import Published
from devportal.last_results import LastResults
from devportal.markup import Artefact, Page

__all__ = ["Contact", "Options", "catalog_pages"]


def catalog_pages(
    public: Published,
    options: Options,
    *,
    run_sources: RunSources = run_in_order,
    last: LastResults | None = None,
) -> Iterator[Page | Artefact]:
    """Yield the pages for rates and coverage, and the files that they offer.

    What `last` has from the last build of a served portal, from the same records, is not made again.
    """
    from devportal.catalog.preview import PreviewImages  # noqa: PLC0415 - images read addresses of pages

    rates_by_market, previews = group_rates(public), PreviewImages.of(public, options)
    load_templates()
    run = partial(pages_of_sources, run_sources=run_sources, last=last)
    made = _pages_and_files(public, options, rates_by_market, tuple(previews.sources()), run)
    yield from announce_feed(previews.add_to(made), public, options, rates_by_market.sections)


def _pages_and_files(
    public: Published,
    options: Options,
    rates_by_market: RatesByMarket,
    images: Sequence[PageSource],
    run: Callable[[Sequence[PageSource]], Iterator[Page | Artefact]],
) -> Iterator[Page | Artefact]:
    """Yield the files of all rates first: they are made faster than one process hands them to another."""
    downloads = yield from rate_files(rates_by_market)
    sources = (
        *images,
        *rate_sources(rates_by_market, downloads, options),
        PageSource(
            name=COVERAGE,
            causes=(public, public.book, options),
            make=partial(coverage_pages, public, options),
        ),
        *country_sources(rates_by_market, public, options),
        PageSource(
            name="histories",
            causes=(public, public.book, options),
            make=partial(history_pages, public, options),
        ),
    )
    yield from run(sources)
