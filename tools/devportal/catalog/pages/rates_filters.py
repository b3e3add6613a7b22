"""What the rates of a product can be filtered by, and the pages that stand for each choice.

A choice is a link to a page that is there already, for whoever has no JavaScript; the script makes the same
choices at once, and knows them by the same names.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from devportal.catalog.codes import country_names
from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.country import name_order
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rates_cells import network_code
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Product, RateTerms


class FacetName(StrEnum):
    """The filters, by their names in addresses: `?country=NO&direction=outbound`."""

    COUNTRY = "country"
    DIRECTION = "direction"
    NETWORK = "network"
    TYPE = "type"
    CURRENCY = "currency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One filter: its name, its title, the words for no choice, and the value and words of a rate, if any."""

    name: FacetName
    title: str
    every: str
    value: Callable[[RateTerms], tuple[str, str] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value of a filter: what it is in addresses and in words, and how many rates have it."""

    facet: FacetName
    value: str
    words: str
    count: int


FACETS = (
    Facet(
        name=FacetName.COUNTRY,
        title="Country",
        every="All countries",
        value=lambda terms: (terms.country, country_names()[terms.country]),
    ),
    Facet(
        name=FacetName.DIRECTION,
        title="Direction",
        every="Both directions",
        value=lambda terms: (terms.direction, label(terms.direction)),
    ),
    Facet(
        name=FacetName.NETWORK,
        title="Network",
        every="All networks",
        value=lambda terms: (
            (network_code(terms.network), f"{terms.network.name} ({network_code(terms.network)})")
            if terms.network
            else None
        ),
    ),
    Facet(
        name=FacetName.TYPE,
        title="Number type",
        every="All number types",
        value=lambda terms: (terms.number_type, label(terms.number_type)) if terms.number_type else None,
    ),
    Facet(
        name=FacetName.CURRENCY,
        title="Currency",
        every="All currencies",
        value=lambda terms: (terms.currency, terms.currency),
    ),
)


def by_choice(facet: Facet, rates: Iterable[PublishedRate]) -> Mapping[Choice, tuple[PublishedRate, ...]]:
    """Return the values that rates have for a filter, in the order of their words, each with its rates.

    A network that several records name differently has the first of its names.
    """
    words: dict[str, str] = {}
    found: defaultdict[str, list[PublishedRate]] = defaultdict(list)
    for rate in rates:
        value = facet.value(rate.terms)
        if value is not None:
            words[value[0]] = min(value[1], words.get(value[0], value[1]))
            found[value[0]].append(rate)
    return {
        Choice(facet=facet.name, value=str(value), words=words[value], count=len(found[value])): tuple(
            found[value]
        )
        for value in sorted(words, key=lambda value: (name_order(words[value]), value))
    }


def choice_uri(product: Product, choice: Choice) -> str:
    """Return the page that shows the rates of a choice."""
    match choice.facet:
        case FacetName.COUNTRY:
            return f"{country_uri(choice.value)}#rates-{product}"
        case FacetName.NETWORK:
            return networks_uri(product)
        case FacetName.DIRECTION | FacetName.TYPE | FacetName.CURRENCY:
            return f"rates/{product}/{choice.value.lower().replace('_', '-')}/index.md"


def networks_uri(product: Product) -> str:
    """Return the page of the networks that a product has prices for."""
    return f"rates/{product}/networks/index.md"
