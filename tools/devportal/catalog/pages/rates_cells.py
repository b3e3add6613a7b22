"""The cells of a rate's row, in HTML and in Markdown.

Strings joined by hand, for a page of everything has tens of thousands of rows: every text goes through
`escape`. Filters, estimator and leak scan read the `data-` attributes of a row.
"""

from functools import lru_cache
from html import escape

from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rendering import markdown_cell
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Network, Product, RateTerms

ANY_TYPE = "any"
"""What stands where a price holds for every kind of number."""
_SAMPLE = ' <span class="dp-badge dp-badge--beta">Sample</span>'


def anchor_of(terms: RateTerms) -> str:
    """Return the anchor of a rate on the pages that show it."""
    return f"rate-{terms.id}-{terms.version}"


def everywhere(product: Product) -> str:
    """Return what stands where a price names no network and no prefix: nothing for a rented number."""
    match product:
        case Product.NUMBER:
            return ""
        case Product.VOICE:
            return "All destinations"
        case _:
            return "All networks"


def network_code(network: Network) -> str:
    """Return what names a network in addresses: `242-010`."""
    return f"{network.mcc}-{network.mnc}"


def data_attributes(terms: RateTerms) -> str:
    """Return the attributes that say what a row holds, for programs."""
    network = f' data-network="{network_code(terms.network)}"' if terms.network else ""
    type_ = f' data-type="{terms.number_type}"' if terms.number_type else ""
    increment = f' data-increment="{terms.billing_increment}"' if terms.billing_increment else ""
    return (
        f' data-country="{terms.country}" data-direction="{terms.direction}"{network}{type_}'
        f' data-currency="{terms.currency}" data-price="{terms.price:f}" data-unit="{terms.unit}"{increment}'
    )


@lru_cache(maxsize=1024)
def country_cell(name: str, link: str) -> str:
    """Return the cell of a country, which leads to its page."""
    return f'<td role="cell" data-label="Country"><a href="{escape(link)}">{escape(name)}</a></td>'


def what_cells(terms: RateTerms) -> str:
    """Return the cells of what is priced, and of the price."""
    type_ = label(terms.number_type) if terms.number_type else f'<span class="dp-muted">{ANY_TYPE}</span>'
    return (
        f'<td role="cell" data-label="Network or prefix"><span>{_network(terms)}</span></td>'
        f'<td role="cell" data-label="Number type">{type_}</td>'
        f'<td role="cell" data-label="Direction">{label(terms.direction)}</td>'
        f'<td role="cell" data-label="Price" class="dp-catalog-number"><span>'
        f"<strong>{terms.price:f}</strong> {terms.currency} "
        f'<span class="dp-muted">{label(terms.unit)}</span></span></td>'
    )


def _network(terms: RateTerms) -> str:
    if terms.network:
        code = f"MCC {terms.network.mcc} MNC {terms.network.mnc}"
        return f'{escape(terms.network.name)} <span class="dp-muted dp-catalog-nowrap">{code}</span>'
    if terms.prefixes:
        return ", ".join(f'<span class="dp-catalog-nowrap">+{escape(one)}</span>' for one in terms.prefixes)
    return everywhere(terms.product)


def network_markdown(terms: RateTerms) -> str:
    """Return the network or the prefixes in Markdown."""
    if terms.network:
        return f"{markdown_cell(terms.network.name)} (MCC {terms.network.mcc}, MNC {terms.network.mnc})"
    return f"+{', +'.join(terms.prefixes)}" if terms.prefixes else everywhere(terms.product)


def increment_cell(terms: RateTerms) -> str:
    """Return the cell of how time is billed."""
    words = terms.billing_increment or '<span class="dp-muted">not timed</span>'
    return f'<td role="cell" data-label="Increment">{words}</td>'


def when_cells(rate: PublishedRate) -> str:
    """Return the cells of the days on which a version holds and was approved, and of its version."""
    terms = rate.terms
    until = (
        f' <span class="dp-catalog-nowrap">before <time>{terms.effective_to}</time></span>'
        if terms.effective_to
        else ""
    )
    return (
        f'<td role="cell" data-label="Effective"><span><span class="dp-catalog-nowrap">from '
        f"<time>{terms.effective_from}</time></span>{until}</span></td>"
        f'<td role="cell" data-label="Approved"><time>{rate.approved_on}</time></td>'
        f'<td role="cell" data-label="Version"><span class="dp-catalog-nowrap">{terms.version}'
        f"{_SAMPLE if terms.sample else ''}</span></td>"
    )
