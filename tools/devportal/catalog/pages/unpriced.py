"""Markets without a published rate of a product, and what else is published for them."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devportal.catalog.book.book import Markets, Product
from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.countries_sections import Section
from devportal.catalog.pages.country import market_sort_keys
from devportal.catalog.pages.names import attribute
from devportal.markup import href
from devportal.translation import gettext


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpricedMarket:
    """A market that has its own page and no published rate of a product."""

    code: str
    name: str
    products: tuple[Product, ...]
    is_covered: bool

    def links(self, page_uri: str) -> Iterator[tuple[str, str]]:
        """Yield links to what is published, each with its text."""
        uri = country_uri(self.code)
        if self.is_covered:
            yield gettext("What works in %(market)s", market=self.name), href(page_uri, f"{uri}#coverage")
        for product in self.products:
            title = gettext("%(product)s rates for %(market)s", product=attribute(product), market=self.name)
            yield title, href(page_uri, f"{uri}#rates-{product}")


def unpriced_markets(
    sections: Mapping[str, Sequence[Section]], covered: Collection[str], product: Product, markets: Markets
) -> Iterator[UnpricedMarket]:
    """Yield the markets that have a page and no rate of a product, in order.

    `sections` are the rates by the market's key; `covered` holds the keys of the markets with coverage.
    """
    order = market_sort_keys(markets, {*covered, *sections})
    for code in sorted(order, key=lambda code: (order[code], code)):
        others = tuple(section.product for section in sections.get(code, ()))
        if product not in others:
            yield UnpricedMarket(
                code=code, name=markets.shown_names[code], products=others, is_covered=code in covered
            )


def unpriced_data(
    unpriced: Iterable[UnpricedMarket], priced: Collection[str], markets: Markets, page_uri: str
) -> str:
    """Return the markets without a rate for the script: names and links by code.

    A browser knows the names of all countries, but not those of zones.
    """
    data = {
        unpriced_market.code: {"name": unpriced_market.name, "links": [*unpriced_market.links(page_uri)]}
        for unpriced_market in unpriced
    }
    for zone in markets.zones:
        if zone.key not in priced:
            data.setdefault(zone.key, {"name": zone.title, "links": []})
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
