"""The page of the groups that a product has prices for, such as networks: each leads to its row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from devportal.catalog.book.book import Book, Field, GroupForm, Product
from devportal.catalog.pages.addresses import product_uri
from devportal.catalog.pages.countries_sections import MOST_ROWS, Section
from devportal.catalog.pages.downloads import RowKey
from devportal.catalog.pages.labels import attribute
from devportal.catalog.pages.rates_cells import short_code
from devportal.catalog.pages.rates_filters import group_uri
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import PublishedRate
from devportal.markup import Heading, Page, SearchEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLink:
    """A group, and where the first of its rates stands."""

    name: str
    code: str
    uri: str
    is_sample: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketGroups:
    """The groups of a market that have prices of their own, and where all the market's rates are."""

    section: Section
    groups: tuple[GroupLink, ...]


def group_page(
    field: Field,
    product: Product,
    sections: Sequence[Section],
    row_links: Mapping[RowKey, str],
    *,
    book: Book,
    on: date,
) -> Page | None:
    """Return the page, or None where no price is for a group.

    Where there are more groups than a page can hold, it leads to those of each market.
    """
    markets = tuple(found for section in sections if (found := _of_market(field, section, row_links)).groups)
    if not markets:
        return None
    count = sum(len(each.groups) for each in markets)
    one, many = field.title.lower(), field.plural.lower()
    title = f"{attribute(product)} rates by {one}"
    description = (
        f"{attribute(product)} prices for {count:,} {one if count == 1 else many} "
        f"in {book.markets.count(len(markets))}, in force on {on}."
    )
    uri, heading = group_uri(product, field), f"{field.plural} by {book.markets.noun}"
    shown = {
        "page": uri,
        "product": product,
        "product_uri": product_uri(product),
        "title": title,
        "description": description,
        "heading": heading,
        "anchor": f"by-{book.markets.kind}",
        "markets": markets,
        "one": one,
        "many": many,
        "field": field,
        "is_short": count <= MOST_ROWS,
        "is_sample": any(link.is_sample for each in markets for link in each.groups),
    }
    names = " ".join(sorted({link.name for each in markets for link in each.groups})[:MOST_ROWS])
    return Page(
        uri=uri,
        title=title,
        description=description,
        body=templates().get_template("rates_groups.html.jinja").render(shown),
        markdown=templates().get_template("rates_groups.md.jinja").render(shown),
        headings=(Heading(level=2, anchor=f"by-{book.markets.kind}", title=heading),),
        search=(SearchEntry(title=title, text=names),),
        layout="wide",
    )


def _of_market(field: Field, section: Section, row_links: Mapping[RowKey, str]) -> MarketGroups:
    return MarketGroups(
        section=section, groups=tuple(sorted(_links(field, section.rates, row_links), key=_by_name))
    )


def _links(
    field: Field, rates: Sequence[PublishedRate], row_links: Mapping[RowKey, str]
) -> Iterator[GroupLink]:
    seen: set[str] = set()
    for rate in rates:
        value = rate.terms.declared.get(field.name)
        if value is None or not isinstance(field.form, GroupForm):
            continue
        code = short_code(field, value)
        if code not in seen:
            seen.add(code)
            yield GroupLink(
                name=field.shown(value),
                code=code,
                uri=row_links[rate.terms.id, rate.terms.version],
                is_sample=rate.terms.sample,
            )


def _by_name(link: GroupLink) -> tuple[str, str]:
    return (link.name, link.code)
