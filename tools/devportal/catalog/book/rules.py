"""What a rate book may not declare though its shape is right: names that would meet in files or addresses."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from devportal.catalog.book.book import Book, ChoiceForm, Field, StepsForm
from devportal.catalog.records.codes import country_names, currency_codes
from devportal.documents import Pointer

_FIXED = frozenset(
    {
        *("id", "version", "status", "sample", "note", "kind", "product", "country", "country_name", "zone"),
        *("zone_name", "unit", "price", "currency", "billing_terms", "effective_from", "effective_to"),
        *("channel", "support", "features", "registration", "registration_days", "restrictions"),
        *("reviewed_on", "row_id", "approved_on", "content_sha256", "held_from", "held_until", "state"),
        *("order", "type", "until", "approved", "from"),
    }
)
"""The names that records, public files and pages have of their own."""
_FILTERS = _FIXED - {"type"}
"""A filter may be called `type`; a field may not."""


_HISTORY = "history"
"""What the page of the history of a market is called."""


class Fault(NamedTuple):
    """What is wrong, where, and what to do."""

    pointer: Pointer
    message: str
    help: str


def faults_of(book: Book, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield everything that a book declares in vain or twice; `data` is what its file says."""
    yield from _names(("rate_fields",), book.fields)
    yield from _names(
        ("coverage", "fields"), book.coverage.fields, (one.key for one in book.coverage.features)
    )
    yield from _headlines(book)
    yield from _filters(book)
    yield from _uses_of_fields(book)
    yield from _steps(book, data)
    yield from _zones(book)
    yield from _addresses(book)
    for field in book.fields:
        if field.is_of_market:
            pointer = ("rate_fields", field.name, "of_market")
            yield Fault(pointer, "a field of rates does not describe the market", "remove `of_market`")
    for field in book.coverage.fields:
        for key, value in (("filter", field.filter), ("headline", field.headline)):
            if value:
                place = ("coverage", "fields", field.name, key)
                yield Fault(place, f"a field of coverage has no {key}", f"remove `{key}`")


def _names(pointer: Pointer, fields: Iterable[Field], others: Iterable[str] = ()) -> Iterator[Fault]:
    """Yield fields and parts whose name a column of files has already."""
    seen = {*_FIXED, *others}
    for field in fields:
        group = field.group
        names: list[tuple[str, Pointer]] = [(field.name, (*pointer, field.name))]
        if group:
            parts = ((one.name, (*pointer, field.name, "parts", one.name)) for one in group.code)
            names += [*parts, (f"{field.name}_{group.name.name}", (*pointer, field.name))]
        for name, place in names:
            if name in seen:
                yield Fault(place, f"the name {name!r} is taken already", "use another name")
            seen.add(name)


def _headlines(book: Book) -> Iterator[Fault]:
    found = [one for one in book.fields if one.headline]
    for other in found[1:]:
        pointer = ("rate_fields", other.name, "headline")
        yield Fault(pointer, f"{found[0].name!r} has a headline as well", "let one field have one")


def _filters(book: Book) -> Iterator[Fault]:
    """Yield filters that cannot be one, or whose names or pages would meet."""
    names, pages = {*_FILTERS}, {code.lower() for code in currency_codes()}
    for field in book.fields:
        if field.filter is None:
            continue
        pointer = ("rate_fields", field.name, "filter")
        if not (field.group or isinstance(field.form, ChoiceForm) or field.is_one_value):
            yield Fault(pointer, "a list or steps cannot be a filter", "remove `filter`")
        if field.filter.name in names:
            message = f"the name {field.filter.name!r} of a filter is taken already"
            yield Fault(pointer, message, "give it another `name`")
        names.add(field.filter.name)
        for page in (field.slug,) if field.group else (one.key for one in field.choices):
            if page in pages:
                message = f"{page!r} would be the address of two pages of a product"
                yield Fault(pointer, message, "use another key, or another plural of the group")
            pages.add(page)


def _uses_of_fields(book: Book) -> Iterator[Fault]:
    """Yield fields that products name and nobody declares."""
    known = {one.name for one in book.fields}
    for product in book.products:
        named = {
            "takes": product.takes or frozenset(),
            "needs": product.needs,
            "everywhere": frozenset(product.everywhere),
            "unsaid": product.unsaid,
        }
        for option, names in named.items():
            for name in sorted(names - known):
                message = f"the product {product.key!r} names {name!r}, which is no field of rates"
                yield Fault(("products", product.key, option), message, "declare it below `rate_fields`")
        if product.takes is not None:
            for name in sorted((product.needs & known) - product.takes):
                message = f"the product {product.key!r} needs {name!r} and does not take it"
                yield Fault(("products", product.key, "needs"), message, "add it to `takes`")


def _steps(book: Book, data: Mapping[str, Any]) -> Iterator[Fault]:
    known = {one.name for one in book.fields if isinstance(one.form, StepsForm)}
    for unit in book.units:
        if unit.steps and unit.steps.field not in known:
            message = f"{unit.steps.field!r} is no field of rates of kind steps"
            yield Fault(("units", unit.key, "steps", "field"), message, "declare it below `rate_fields`")
        for option in ("steps", "counter"):
            if option in data["units"][unit.key] and unit.amount is None:
                message = f"the unit {unit.key!r} has {option}, but no amount"
                yield Fault(("units", unit.key, option), message, f"add `amount`, or remove `{option}`")
        if unit.steps and unit.counter:
            message = f"the unit {unit.key!r} has steps and a counter"
            yield Fault(("units", unit.key, "counter"), message, "remove one of the two")


def _zones(book: Book) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    titles: set[str] = set()
    for zone in book.markets.zones:
        pointer = ("market", "zones", zone.key)
        if zone.title in titles:
            yield Fault(
                (*pointer, "title"), f"two zones are called {zone.title!r}", "give each its own title"
            )
        titles.add(zone.title)
        for place, code in enumerate(zone.countries):
            where = (*pointer, "countries", str(place))
            if code not in country_names():
                yield Fault(where, f"{code!r} names no country", "use the ISO 3166-1 code, such as NO")
            elif code in seen:
                yield Fault(
                    where, f"{code!r} is in {seen[code]!r} already", "a country is in one zone at most"
                )
            seen.setdefault(code, zone.key)


def _addresses(book: Book) -> Iterator[Fault]:
    """Yield channels whose page would be that of a market, and products whose page would be a history."""
    if _HISTORY in book.product:
        message = f"a product cannot be called {_HISTORY!r}"
        yield Fault(("products", _HISTORY), message, "use another key: each market has a page of that name")
    markets = {key.lower() for key in book.markets.names}
    for channel in book.coverage.channels:
        if channel.key in markets:
            message = f"the channel {channel.key!r} is also the key of a {book.markets.kind}"
            yield Fault(("coverage", "channels", channel.key), message, "use another key: both have a page")
