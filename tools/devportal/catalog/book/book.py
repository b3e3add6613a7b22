"""The rate book of a project: what it sells, in which markets, and which fields its records have.

The project declares it in `book.yaml` (see `devportal.catalog.book.file`); the code knows no product or field
by name. An item has a `key` in files and a `title` on pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from devportal.catalog.records.codes import country_names
from devportal.catalog.records.values import FieldValue
from devportal.translation import (
    cached_words,
    format_number,
    gettext,
    gettext_noop,
    in_sentence,
    ngettext,
    territory_names,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A declared item; `rank` is its position in the declaration."""

    key: str
    title: str
    rank: int = 0

    def __str__(self) -> str:
        """Return its key."""
        return self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Named):
    """One value of a closed set; `short` is its title where space is limited."""

    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """What each use of a price has, such as the minutes of a call. The estimator asks for it."""

    title: str
    noun: str
    plural: str
    symbol: str
    start: int
    """The initial value in the form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """How an amount is billed in steps: the rate's `field` holds the steps; a price pays for `per` of them."""

    field: str
    per: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """A script of the project that calculates the amount from a text: its URI, and what the form shows."""

    module: str
    title: str
    start: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A worked example: its text, the amount of each use, and the number of uses."""

    title: str
    amount: int
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit(Named):
    """What one price pays for; `title` follows the price: `per piece`."""

    noun: str
    plural: str
    uses_title: str
    """The label of the number of uses in the form."""
    is_monthly: bool = True
    """Whether the estimator asks for the uses of a month, and shows a monthly total."""
    amount: Amount | None = None
    steps: Steps | None = None
    counter: Counter | None = None
    examples: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Product(Named):
    """What is sold by itself: it has its rates, its pages, and the unit that its prices are for."""

    attribute: str
    """Its title before a noun: `Parcel` in `Parcel rates`."""
    unit: Unit
    channel: str | None
    """The channel whose coverage shows where the product is available; None if it needs no coverage."""
    everywhere: Mapping[str, str] = field(default_factory=dict, hash=False)
    """By field: the text that pages show if a price of the product does not have the field."""
    unsaid: frozenset[str] = frozenset()
    """The fields that pages do not mention for it."""
    takes: frozenset[str] | None = None
    """The fields that its rates may have; None for all."""
    needs: frozenset[str] = frozenset()

    def fallback(self, names: tuple[str, ...]) -> str:
        """Return the text for a price that has none of some fields."""
        return next((self.everywhere[name] for name in names if name in self.everywhere), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceForm:
    """One value of a closed set."""

    choices: tuple[Choice, ...]

    def choice(self, key: str) -> Choice:
        """Return the value that a key names."""
        for item in self.choices:
            if item.key == key:
                return item
        raise KeyError(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForm:
    """A line of text."""

    pattern: str
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitsForm:
    """A string of digits, not a number: leading zeros may count."""

    least: int
    most: int
    leading_zeros: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberForm:
    """A decimal number within bounds, without trailing zeros."""

    least: Decimal
    most: Decimal
    places: int


Scalar: TypeAlias = ChoiceForm | TextForm | DigitsForm | NumberForm


@dataclass(frozen=True, slots=True, kw_only=True)
class ListForm:
    """A list of values of one form."""

    item: Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One text of a group."""

    name: str
    title: str
    short: str
    """The text before its value in a group."""
    help: str
    write: str
    meaning: str
    absent: str
    form: Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupForm:
    """A group of texts: a name, which comes first, and the parts of its code."""

    name: Part
    code: tuple[Part, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """Return all parts."""
        return (self.name, *self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepsForm:
    """How an amount is billed: a first step and those that follow, as `60/30`."""


Form: TypeAlias = Scalar | ListForm | GroupForm | StepsForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A filter on pages: its name in URLs, and the text for no choice."""

    name: str
    every: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field that the project declares for its records."""

    name: str
    form: Form
    title: str
    plural: str
    short: str
    """Its title where space is limited."""
    column: str
    """The title of its column in tables. Fields with the same title share a column."""
    help: str
    write: str
    """How to write its values. Messages use it."""
    meaning: str
    """Its meaning in the public files."""
    words: str = "{}"
    """The format of a value on pages."""
    in_name: str = "{}"
    """The format of a value, in lower case, in the name of a record; empty: names do not have it."""
    absent: str = gettext_noop("not stated")
    is_required: bool = False
    is_key: bool = False
    """Whether prices that differ in it are prices for different items."""
    headline: str = ""
    """For a choice: the value whose prices represent a product, if there are any."""
    filter: Filter | None = None
    is_of_market: bool = False
    """Whether it describes the market itself: pages show it next to the market's name."""
    known_as: tuple[str, ...] = ()
    """Other words for it in texts."""

    def display_value(self, value: FieldValue) -> str:
        """Return the text of a value on pages; for a group, its name."""
        match self.form:
            case ChoiceForm() as form if isinstance(value, str):
                return form.choice(value).title
            case ListForm(item=item) if isinstance(value, tuple):
                return "; ".join(self._scalar(item, text) for text in value)
            case GroupForm() as form if not isinstance(value, str | tuple):
                return value[form.name.name]
        return self.words.format(value)

    def display_items(self, value: FieldValue) -> tuple[str, ...]:
        """Return the items of a list as pages show them; for anything else, the value alone."""
        if isinstance(self.form, ListForm) and isinstance(value, tuple):
            return tuple(self._scalar(self.form.item, text) for text in value)
        return (self.display_value(value),)

    def _scalar(self, form: Scalar, value: str) -> str:
        return form.choice(value).title if isinstance(form, ChoiceForm) else self.words.format(value)

    @property
    def group(self) -> GroupForm | None:
        """Return the group form, if the field is a group."""
        return self.form if isinstance(self.form, GroupForm) else None

    @property
    def is_one_value(self) -> bool:
        """Say whether it holds one text."""
        return not isinstance(self.form, ListForm | GroupForm | StepsForm)

    @property
    def is_text(self) -> bool:
        """Say whether its value is a text, not a list or a group."""
        return not isinstance(self.form, ListForm | GroupForm)

    @property
    def slug(self) -> str:
        """Return its name in URLs: `networks`."""
        return "-".join(self.plural.lower().split())

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return the values of a choice, or of the items of a list of them."""
        form = self.form.item if isinstance(self.form, ListForm) else self.form
        return form.choices if isinstance(form, ChoiceForm) else ()


def group_code(form: GroupForm, value: FieldValue) -> tuple[str, ...]:
    """Return the texts of the parts that identify a group, in order. Raises TypeError for another value."""
    if isinstance(value, str | tuple):
        raise TypeError(f"{value!r} is not a group")
    return tuple([value[part.name] for part in form.code])


@cached_words(1)
def shown_country_names() -> Mapping[str, str]:
    """Return the name of each country by its alpha-2 code, in the language of the site."""
    return territory_names(country_names())


class MarketKind(StrEnum):
    """How prices are divided into markets. The value is the field of the records."""

    COUNTRY = "country"
    ZONE = "zone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone(Named):
    """A market that the project declares, and its countries (ISO 3166-1 alpha-2)."""

    countries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Markets:
    """The markets that records may name: all countries, or the zones that the project declares."""

    zones: tuple[Zone, ...] = ()
    zone_title: str = ""
    zone_plural: str = ""

    @property
    def title(self) -> str:
        """Return the word for one market."""
        return self.zone_title if self.zones else gettext("Country")

    @property
    def plural(self) -> str:
        """Return the word for several markets."""
        return self.zone_plural if self.zones else gettext("Countries")

    @property
    def kind(self) -> MarketKind:
        """Return whether the markets are countries or zones."""
        return MarketKind.ZONE if self.zones else MarketKind.COUNTRY

    @property
    def noun(self) -> str:
        """Return the word for one market inside a sentence."""
        return in_sentence(self.title)

    @property
    def plural_noun(self) -> str:
        """Return the word for several markets inside a sentence."""
        return in_sentence(self.plural)

    def count(self, number: int) -> str:
        """Return a number of markets in words: `1 country`, `1,200 zones`."""
        if not self.zones:
            return ngettext("%(number)s country", "%(number)s countries", number)
        return f"{format_number(number)} {self.noun if number == 1 else self.plural_noun}"

    @property
    def names(self) -> Mapping[str, str]:
        """Return the English name of each market by its key."""
        return {zone.key: zone.title for zone in self.zones} if self.zones else country_names()

    @property
    def shown_names(self) -> Mapping[str, str]:
        """Return the name of each market by its key, in the language of the site."""
        return self.names if self.zones else shown_country_names()

    def countries_of(self, key: str) -> tuple[str, ...]:
        """Return the countries of a market."""
        if not self.zones:
            return (key,)
        return next((zone.countries for zone in self.zones if zone.key == key), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature(Named):
    """A feature that may work in a market or not."""

    help: str
    is_always_content: bool = False
    """Whether an approval covers it even if a record does not state it (then it is `unknown`)."""


NO_REGISTRATION = Named(key="none", title=gettext_noop("None needed"), rank=-1)
"""The registration of a market that needs none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageBook:
    """The part of the rate book that declares coverage records."""

    lead: str = ""
    registrant: str = gettext_noop("a customer")
    """Who registers first."""
    channels: tuple[Named, ...] = ()
    features: tuple[Feature, ...] = ()
    schemes: tuple[Named, ...] = ()
    """The registrations other than none."""
    fields: tuple[Field, ...] = ()

    @property
    def market_fields(self) -> tuple[Field, ...]:
        """Return the fields that describe the market itself."""
        return tuple(item for item in self.fields if item.is_of_market)

    @property
    def other_fields(self) -> tuple[Field, ...]:
        """Return the fields that describe what works in the market."""
        return tuple(item for item in self.fields if not item.is_of_market)


@dataclass(frozen=True, kw_only=True)
class Book:
    """Everything that a project declares. An empty book allows no record."""

    markets: Markets = field(default_factory=Markets)
    products: tuple[Product, ...] = ()
    units: tuple[Unit, ...] = ()
    billing_terms: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    """The fields of rates."""
    coverage: CoverageBook = field(default_factory=CoverageBook)

    @cached_property
    def _hash(self) -> int:
        return hash((self.markets, self.products, self.units, self.billing_terms, self.fields, self.coverage))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def product(self) -> Mapping[str, Product]:
        """Return the products by key."""
        return {product.key: product for product in self.products}

    @cached_property
    def unit(self) -> Mapping[str, Unit]:
        """Return the units by key."""
        return {unit.key: unit for unit in self.units}

    @cached_property
    def channel(self) -> Mapping[str, Named]:
        """Return the channels by key."""
        return {channel.key: channel for channel in self.coverage.channels}

    @cached_property
    def scheme(self) -> Mapping[str, Named]:
        """Return the registrations by key."""
        return {named.key: named for named in (NO_REGISTRATION, *self.coverage.schemes)}

    @cached_property
    def market_folders(self) -> frozenset[str]:
        """Return the keys of the markets as they are in URLs."""
        return frozenset(key.lower() for key in self.markets.names)

    @cached_property
    def headline(self) -> Field | None:
        """Return the field whose headline value represents a product on overviews."""
        return next((item for item in self.fields if item.headline), None)

    @cached_property
    def before_price(self) -> tuple[Field, ...]:
        """Return the fields that describe what is priced, the headline first."""
        others = (item for item in self.fields if item is not self.headline)
        first = (self.headline,) if self.headline else ()
        return (*first, *(item for item in others if not isinstance(item.form, StepsForm)))

    @cached_property
    def after_price(self) -> tuple[Field, ...]:
        """Return the fields that describe how a price is billed."""
        return tuple(item for item in self.fields if isinstance(item.form, StepsForm))

    @cached_property
    def filter_fields(self) -> tuple[Field, ...]:
        """Return the fields that rates can be filtered by."""
        return tuple(item for item in self.before_price if item.filter)

    @cached_property
    def groups(self) -> tuple[Field, ...]:
        """Return the fields of rates that are groups."""
        return tuple(item for item in self.fields if item.group)

    @cached_property
    def key_fields(self) -> tuple[Field, ...]:
        """Return the fields in which prices for different items differ."""
        return tuple(item for item in self.fields if item.is_key)
