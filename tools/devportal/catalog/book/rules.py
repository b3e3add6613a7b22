"""Rules of a rate book beyond its shape: names must not collide in files or URLs, and references must exist."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from devportal.catalog.book.book import Book, ChoiceForm, Field, StepsForm
from devportal.catalog.records.codes import country_help, country_names, currency_codes
from devportal.documents import Pointer

_RESERVED_NAMES = frozenset(
    {
        *("id", "version", "status", "sample", "note", "kind", "product", "country", "country_name", "zone"),
        *("zone_name", "unit", "price", "currency", "billing_terms", "effective_from", "effective_to"),
        *("channel", "support", "features", "registration", "registration_days", "restrictions"),
        *("reviewed_on", "row_id", "approved_on", "content_sha256", "held_from", "held_until", "state"),
        *("order", "type", "until", "approved", "from"),
    }
)
"""Names that records, public files and pages use themselves."""
_RESERVED_FILTER_NAMES = _RESERVED_NAMES - {"type"}
"""A filter may be called `type`; a field may not."""


_HISTORY = "history"
"""The folder of the history page of a market."""


class BookProblem(NamedTuple):
    """A problem in the book: its pointer, the message, and what to do."""

    pointer: Pointer
    message: str
    help: str


def find_book_problems(book: Book, data: Mapping[str, Any]) -> Iterator[BookProblem]:
    """Yield the problems of a book; `data` is the content of its file."""
    yield from _check_names(("rate_fields",), book.fields)
    yield from _check_names(
        ("coverage", "fields"), book.coverage.fields, (feature.key for feature in book.coverage.features)
    )
    yield from _check_headlines(book)
    yield from _check_filters(book)
    yield from _check_field_uses(book)
    yield from _check_steps(book, data)
    yield from _check_zones(book)
    yield from _check_addresses(book)
    for field in book.fields:
        if field.is_of_market:
            pointer = ("rate_fields", field.name, "of_market")
            yield BookProblem(pointer, "a field of rates does not describe the market", "remove `of_market`")
    for field in book.coverage.fields:
        for key, value in (("filter", field.filter), ("headline", field.headline)):
            if value:
                field_pointer = ("coverage", "fields", field.name, key)
                yield BookProblem(field_pointer, f"a field of coverage has no {key}", f"remove `{key}`")


def _check_names(
    pointer: Pointer, fields: Iterable[Field], reserved: Iterable[str] = ()
) -> Iterator[BookProblem]:
    """Yield fields and parts whose name is already taken in the files."""
    taken = {*_RESERVED_NAMES, *reserved}
    for field in fields:
        group = field.group
        names: list[tuple[str, Pointer]] = [(field.name, (*pointer, field.name))]
        if group:
            parts = ((part.name, (*pointer, field.name, "parts", part.name)) for part in group.code)
            names += [*parts, (f"{field.name}_{group.name.name}", (*pointer, field.name))]
        for name, name_pointer in names:
            if name in taken:
                is_reserved = name in _RESERVED_NAMES
                user = "records and downloads use it" if is_reserved else "another field has it"
                message = f"the name {name!r} is taken already: {user}"
                yield BookProblem(name_pointer, message, f"use another name, such as 'rate_{name}'")
            taken.add(name)


def _check_headlines(book: Book) -> Iterator[BookProblem]:
    headlines = [field for field in book.fields if field.headline]
    for other in headlines[1:]:
        pointer = ("rate_fields", other.name, "headline")
        yield BookProblem(pointer, f"{headlines[0].name!r} has a headline as well", "let one field have one")


def _check_filters(book: Book) -> Iterator[BookProblem]:
    """Yield invalid filters, and filters whose names or pages collide."""
    names, pages = {*_RESERVED_FILTER_NAMES}, {code.lower() for code in currency_codes()}
    for field in book.fields:
        if field.filter is None:
            continue
        pointer = ("rate_fields", field.name, "filter")
        if not (field.group or isinstance(field.form, ChoiceForm) or field.is_one_value):
            yield BookProblem(pointer, "a list or steps cannot be a filter", "remove `filter`")
        if field.filter.name in names:
            message = f"the name {field.filter.name!r} of a filter is taken already"
            yield BookProblem(pointer, message, "give it another `name`")
        names.add(field.filter.name)
        for page in (field.slug,) if field.group else (choice.key for choice in field.choices):
            if page in pages:
                message = f"{page!r} would be the address of two pages of a product"
                yield BookProblem(pointer, message, "use another key, or another plural of the group")
            pages.add(page)


def _check_field_uses(book: Book) -> Iterator[BookProblem]:
    """Yield fields that products name, but the book does not declare."""
    declared = {field.name for field in book.fields}
    for product in book.products:
        names_by_option = {
            "takes": product.takes or frozenset(),
            "needs": product.needs,
            "everywhere": frozenset(product.everywhere),
            "unsaid": product.unsaid,
        }
        for option, names in names_by_option.items():
            for name in sorted(names - declared):
                message = f"the product {product.key!r} names {name!r}, which is not a field of rates"
                yield BookProblem(
                    ("products", product.key, option), message, "declare it below `rate_fields`"
                )
        if product.takes is not None:
            for name in sorted((product.needs & declared) - product.takes):
                message = f"the product {product.key!r} needs {name!r} and does not take it"
                yield BookProblem(("products", product.key, "needs"), message, "add it to `takes`")


def _check_steps(book: Book, data: Mapping[str, Any]) -> Iterator[BookProblem]:
    step_fields = {field.name for field in book.fields if isinstance(field.form, StepsForm)}
    for unit in book.units:
        if unit.steps and unit.steps.field not in step_fields:
            message = f"{unit.steps.field!r} is not a field of rates of kind steps"
            yield BookProblem(
                ("units", unit.key, "steps", "field"), message, "declare it below `rate_fields`"
            )
        for option in ("steps", "counter"):
            if option in data["units"][unit.key] and unit.amount is None:
                message = f"the unit {unit.key!r} has {option}, but no amount"
                yield BookProblem(("units", unit.key, option), message, f"add `amount`, or remove `{option}`")
        if unit.steps and unit.counter:
            message = f"the unit {unit.key!r} has steps and a counter"
            yield BookProblem(("units", unit.key, "counter"), message, "remove one of the two")


def _check_zones(book: Book) -> Iterator[BookProblem]:
    zone_by_country: dict[str, str] = {}
    titles: set[str] = set()
    for zone in book.markets.zones:
        pointer = ("market", "zones", zone.key)
        if zone.title in titles:
            yield BookProblem(
                (*pointer, "title"), f"two zones are called {zone.title!r}", "give each its own title"
            )
        titles.add(zone.title)
        for position, code in enumerate(zone.countries):
            country_pointer = (*pointer, "countries", str(position))
            if code not in country_names():
                yield BookProblem(country_pointer, f"{code!r} names no country", country_help(code))
            elif code in zone_by_country:
                yield BookProblem(
                    country_pointer,
                    f"{code!r} is in {zone_by_country[code]!r} already",
                    "a country is in one zone at most",
                )
            zone_by_country.setdefault(code, zone.key)


def _check_addresses(book: Book) -> Iterator[BookProblem]:
    """Yield channels whose page would be that of a market, and products whose page would be a history page."""
    if _HISTORY in book.product:
        message = f"a product cannot be called {_HISTORY!r}"
        yield BookProblem(
            ("products", _HISTORY), message, "use another key: each market has a page of that name"
        )
    markets = {key.lower() for key in book.markets.names}
    for channel in book.coverage.channels:
        if channel.key in markets:
            message = f"the channel {channel.key!r} is also the key of a {book.markets.kind}"
            yield BookProblem(
                ("coverage", "channels", channel.key), message, "use another key: both have a page"
            )
