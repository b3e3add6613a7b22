"""Where the pages of rates and coverage are: addresses that are shared, and so stay the same."""

from devportal.catalog.rate import Product

RATES = "rates/index.md"
"""All products."""
COVERAGE = "coverage/index.md"
"""All countries."""
_LENGTH_OF_CODE = 2
"""How long the codes of countries are, and nothing else that coverage has pages of."""


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
    """Return the preview image of a page: that of its product or country, else that of its area."""
    area, *below = page_uri.split("/")[:-1]
    name = below[0] if below else ""
    has_own = name in set(Product) if area == "rates" else len(name) == _LENGTH_OF_CODE
    return f"{area}/{name}/preview.png" if has_own else f"{area}/preview.png"
