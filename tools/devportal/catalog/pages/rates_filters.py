"""Filters of rate tables, and their choices."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from devportal.catalog.book.book import Book, Field, NumberForm, Product
from devportal.catalog.pages.addresses import country_uri
from devportal.catalog.pages.country import name_sort_key
from devportal.catalog.pages.names import group_name
from devportal.catalog.pages.rates_cells import short_code
from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.rate import RateTerms
from devportal.project.settings import Settings
from devportal.translation import cached_words, gettext

CURRENCY = "currency"
"""The name of the filter of currencies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """One filter: its name in URLs, its title, the text for no choice, and the value and text of a rate.

    `field` is its declared field; markets and currencies have none.
    """

    name: str
    title: str
    every: str
    value: Callable[[RateTerms], tuple[str, str] | None]
    field: Field | None = None

    @property
    def is_of_market(self) -> bool:
        """Say whether it is the filter of the markets."""
        return self.field is None and self.name != CURRENCY

    @property
    def shares_pages(self) -> bool:
        """Say whether its choices lead to pages that they share."""
        return self.is_of_market or self.is_within

    @property
    def is_within(self) -> bool:
        """Say whether each of its values belongs to one market, as groups do. They share one page."""
        return self.field is not None and self.field.group is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value of a filter: its form in URLs and in text, and how many rates have it."""

    facet: str
    value: str
    words: str
    count: int


@cached_words(8)
def facets_of(book: Book) -> tuple[Facet, ...]:
    """Return the filters: markets first, then declared fields, then currencies."""
    markets, names = book.markets, book.markets.shown_names
    return (
        Facet(
            name=str(markets.kind),
            title=markets.title,
            every=gettext("All %(markets)s", markets=markets.plural_noun),
            value=lambda terms: (terms.market, names[terms.market]),
        ),
        *(
            Facet(
                name=field.filter.name,
                title=field.title,
                every=field.filter.every,
                value=partial(_field_value, field),
                field=field,
            )
            for field in book.filter_fields
            if field.filter
        ),
        Facet(
            name=CURRENCY,
            title=gettext("Currency"),
            every=gettext("All currencies"),
            value=lambda terms: (terms.currency, terms.currency),
        ),
    )


def _field_value(field: Field, terms: RateTerms) -> tuple[str, str] | None:
    value = terms.declared.get(field.name)
    if value is None:
        return None
    if group := field.group:
        return short_code(field, value), group_name(field, group, value)
    return (value, field.display_value(value)) if isinstance(value, str) else None


def rates_by_choice(
    facet: Facet, rates: Iterable[PublishedRate]
) -> Mapping[Choice, tuple[PublishedRate, ...]]:
    """Return the rates by choice of a filter, ordered by the text of the choice.

    A group that several records name differently has the first of its names. Numbers are ordered by value.
    """
    words_by_value: dict[str, str] = {}
    rates_by_value: defaultdict[str, list[PublishedRate]] = defaultdict(list)
    for rate in rates:
        value = facet.value(rate.terms)
        if value is not None:
            words_by_value[value[0]] = min(value[1], words_by_value.get(value[0], value[1]))
            rates_by_value[value[0]].append(rate)
    is_number = facet.field is not None and isinstance(facet.field.form, NumberForm)
    order = float if is_number else lambda value: (name_sort_key(words_by_value[value]), value)
    return {
        Choice(
            facet=facet.name, value=value, words=words_by_value[value], count=len(rates_by_value[value])
        ): tuple(rates_by_value[value])
        for value in sorted(words_by_value, key=order)
    }


def choice_uri(product: Product, facet: Facet, choice: Choice) -> str:
    """Return the page with the rates of a choice."""
    if facet.is_of_market:
        return f"{country_uri(choice.value)}#rates-{product}"
    if facet.field and facet.is_within:
        return group_uri(product, facet.field)
    value = choice.value.lower().replace("_", "-").replace(".", "-")
    is_named = facet.field is None or bool(facet.field.choices)
    return f"rates/{product}/{value if is_named else f'{facet.name}-{value}'}/index.md"


def group_uri(product: Product, field: Field) -> str:
    """Return the page of the groups of a product."""
    return f"rates/{product}/{field.slug}/index.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A name for readers and the address of its link, such as `mailto:sales@example.com`."""

    name: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of the pages; `site_url` is absolute and ends in `/`, or is empty if it is unknown."""

    site_url: str = ""
    title: str = ""
    """The name of the service in the feed of rate changes and on preview images."""
    settings: Settings = Settings()
    """The settings of the project."""
    sheets: bool = False
    """Whether markets have rate sheets; that needs the extra `pdf`."""
    contact: Contact | None = None
    """Whom readers can ask about a market that has no record."""
