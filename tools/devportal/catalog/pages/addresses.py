"""Where the pages of rates and coverage are: addresses that are shared, and so stay the same."""

from devportal.catalog.rate import Product

RATES = "rates/index.md"
"""All products."""
COVERAGE = "coverage/index.md"
"""All countries."""


def product_uri(product: Product) -> str:
    """Return the page of a product's rates."""
    return f"rates/{product}/index.md"


def country_uri(code: str) -> str:
    """Return the page of all that is public of a country (ISO 3166-1 alpha-2): coverage and rates."""
    return f"coverage/{code.lower()}/index.md"


def history_uri(code: str) -> str:
    """Return the page of what the public versions of a country have replaced."""
    return f"coverage/{code.lower()}/history/index.md"


def preview_uri(page_uri: str) -> str:
    """Return the preview image of a page: a PNG beside it."""
    return f"{page_uri.removesuffix('index.md')}preview.png"
