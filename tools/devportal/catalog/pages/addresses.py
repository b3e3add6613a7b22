"""The URIs of the pages of rates and coverage. They are shared, so they must not change."""

from devportal.catalog.book.book import Book, Product

RATES = "rates/index.md"
"""All products."""
COVERAGE = "coverage/index.md"
"""All markets."""


def product_uri(product: Product) -> str:
    """Return the page of a product's rates."""
    return f"rates/{product}/index.md"


def country_uri(code: str) -> str:
    """Return the page of a market, with its coverage and rates."""
    return f"coverage/{code.lower()}/index.md"


def sheet_uri(code: str, product: Product) -> str:
    """Return the rate sheet of a product in a market."""
    return f"coverage/{code.lower()}/{sheet_name(code, product)}.pdf"


def sheet_name(code: str, product: Product) -> str:
    """Return the name of a rate sheet, without its ending: unlike others in the folder of downloads."""
    return f"rates-{code.lower()}-{product}"


def history_uri(code: str) -> str:
    """Return the page with the replaced versions of a market."""
    return f"coverage/{code.lower()}/history/index.md"


def preview_uri(page_uri: str, book: Book) -> str:
    """Return the preview image of a page: the image of its product or market, else that of its area."""
    area, *below = page_uri.split("/")[:-1]
    name = below[0] if below else ""
    has_own = name in (book.product if area == "rates" else book.market_folders)
    return f"{area}/{name}/preview.png" if has_own else f"{area}/preview.png"
