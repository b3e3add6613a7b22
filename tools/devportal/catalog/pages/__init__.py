"""The public pages of rates and coverage, with their Markdown twins, search entries and files.

Everything here takes what the publication gate made, and nothing else.
"""

from collections.abc import Iterator

from devportal.catalog.pages.listing import listings
from devportal.catalog.pages.options import Options
from devportal.catalog.publication import Published
from devportal.pages import Artefact, Page

__all__ = ["Options", "catalog_pages"]


def catalog_pages(public: Published, options: Options) -> Iterator[Page | Artefact]:  # noqa: ARG001
    """Yield the pages for rates and coverage, and the files that they offer."""
    yield from listings(public)
