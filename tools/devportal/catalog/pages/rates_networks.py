"""The page of the networks that a product has prices for: each leads to its row on its country's page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from devportal.catalog.pages.addresses import product_uri
from devportal.catalog.pages.countries_sections import MOST_ROWS, Section
from devportal.catalog.pages.downloads import RowKey
from devportal.catalog.pages.labels import attribute
from devportal.catalog.pages.rates_filters import networks_uri
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Network, Product
from devportal.pages import Heading, Page, SearchEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLink:
    """A network and where the first of its rates stands."""

    network: Network
    uri: str
    is_sample: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryNetworks:
    """The networks of a country that have prices of their own, and where all the country's rates are."""

    section: Section
    networks: tuple[NetworkLink, ...]


def networks_page(
    product: Product, sections: Sequence[Section], row_links: Mapping[RowKey, str], on: date
) -> Page | None:
    """Return the page, or None where every price holds for every network.

    Where there are more networks than a page can hold, it leads to those of each country.
    """
    countries = tuple(found for section in sections if (found := _of_country(section, row_links)).networks)
    if not countries:
        return None
    count = sum(len(each.networks) for each in countries)
    title = f"{attribute(product)} rates by network"
    where = "country" if len(countries) == 1 else "countries"
    description = (
        f"{attribute(product)} prices for {count:,} {'network' if count == 1 else 'networks'} "
        f"in {len(countries):,} {where}, in force on {on}."
    )
    shown = {
        "page": networks_uri(product),
        "product": product,
        "product_uri": product_uri(product),
        "title": title,
        "description": description,
        "countries": countries,
        "is_short": count <= MOST_ROWS,
        "is_sample": any(link.is_sample for each in countries for link in each.networks),
    }
    names = " ".join(sorted({link.network.name for each in countries for link in each.networks})[:MOST_ROWS])
    return Page(
        uri=networks_uri(product),
        title=title,
        description=description,
        body=templates().get_template("rates_networks.html.jinja").render(shown),
        markdown=templates().get_template("rates_networks.md.jinja").render(shown),
        headings=(Heading(level=2, anchor="by-country", title="Networks by country"),),
        search=(SearchEntry(title=title, text=names),),
        layout="wide",
    )


def _of_country(section: Section, row_links: Mapping[RowKey, str]) -> CountryNetworks:
    return CountryNetworks(
        section=section, networks=tuple(sorted(_links(section.rates, row_links), key=_by_name))
    )


def _links(rates: Sequence[PublishedRate], row_links: Mapping[RowKey, str]) -> Iterator[NetworkLink]:
    seen: set[tuple[str, str]] = set()
    for rate in rates:
        network = rate.terms.network
        if network and (network.mcc, network.mnc) not in seen:
            seen.add((network.mcc, network.mnc))
            yield NetworkLink(
                network=network, uri=row_links[rate.terms.id, rate.terms.version], is_sample=rate.terms.sample
            )


def _by_name(link: NetworkLink) -> tuple[str, str, str]:
    return (link.network.name, link.network.mcc, link.network.mnc)
