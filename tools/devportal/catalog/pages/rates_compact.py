"""The rates of a product for the script that filters them: a compact file, and the row that it fills.

The file holds texts, column by column, each different text once. They are the texts of the table, so that a
row that the script makes reads as one that stands on a page.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from devportal.catalog.codes import country_names
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rates_cells import ANY_TYPE, everywhere, network_code
from devportal.catalog.publication import PublishedRate
from devportal.pages import Artefact

_Text: TypeAlias = str | tuple[str, str]
"""A text, or a value and the text that people read."""


def rows_file(uri: str, rates: Sequence[PublishedRate]) -> Artefact:
    """Return the file: for each column its different texts, and for each rate the place of its text there.

    A text is a string; of what is filtered by, it is a list of the value and of what people read.
    """
    columns = {name: _column(map(text, rates)) for name, text in _TEXTS.items()}
    content = json.dumps({"rows": len(rates), "columns": columns}, ensure_ascii=False, separators=(",", ":"))
    return Artefact(uri=uri, content=content.encode() + b"\n")


def _column(texts: Iterable[_Text]) -> tuple[list[_Text], list[int]]:
    places: dict[_Text, int] = {}
    found = [places.setdefault(text, len(places)) for text in texts]
    return list(places), found


def _country(rate: PublishedRate) -> _Text:
    return (rate.terms.country, country_names()[rate.terms.country])


def _network(rate: PublishedRate) -> _Text:
    network = rate.terms.network
    if network:
        return (network_code(network), network.name)
    return ("", ", ".join(f"+{one}" for one in rate.terms.prefixes) or everywhere(rate.terms.product))


def _code(rate: PublishedRate) -> _Text:
    network = rate.terms.network
    return f"MCC {network.mcc} MNC {network.mnc}" if network else ""


def _type(rate: PublishedRate) -> _Text:
    type_ = rate.terms.number_type
    return (type_.value, label(type_)) if type_ else ("", ANY_TYPE)


def _until(rate: PublishedRate) -> _Text:
    return f"before {rate.terms.effective_to}" if rate.terms.effective_to else ""


_TEXTS: Mapping[str, Callable[[PublishedRate], _Text]] = {
    "id": lambda rate: rate.terms.id,
    "version": lambda rate: str(rate.terms.version),
    "country": _country,
    "network": _network,
    "code": _code,
    "type": _type,
    "direction": lambda rate: (rate.terms.direction.value, label(rate.terms.direction)),
    "price": lambda rate: f"{rate.terms.price:f}",
    "currency": lambda rate: (rate.terms.currency, rate.terms.currency),
    "unit": lambda rate: label(rate.terms.unit),
    "increment": lambda rate: str(rate.terms.billing_increment or "not timed"),
    "from": lambda rate: rate.terms.effective_from.isoformat(),
    "until": _until,
    "approved": lambda rate: rate.approved_on.isoformat(),
    "sample": lambda rate: "Sample" if rate.terms.sample else "",
}
"""The texts of a row by the names of the parts of its template."""


def row_template(*, is_timed: bool) -> str:
    """Return a row without texts: the script puts them into the elements that name a part."""
    increment = _cell("Increment", '<span data-part="increment"></span>') if is_timed else ""
    return f'<template><tr role="row">{_WHAT}{increment}{_WHEN}</tr></template>\n'


def _cell(title: str, inside: str, more: str = "") -> str:
    return f'<td role="cell" data-label="{title}"{more}>{inside}</td>'


_WHAT = (
    _cell("Country", '<a data-part="country"></a>')
    + _cell(
        "Network or prefix",
        '<span><span data-part="network"></span> '
        '<span class="dp-muted dp-catalog-nowrap" data-part="code"></span></span>',
    )
    + _cell("Number type", '<span data-part="type"></span>')
    + _cell("Direction", '<span data-part="direction"></span>')
    + _cell(
        "Price",
        '<span><strong data-part="price"></strong> <span data-part="currency"></span> '
        '<span class="dp-muted" data-part="unit"></span></span>',
        ' class="dp-catalog-number"',
    )
)
_WHEN = (
    _cell(
        "Effective",
        '<span><span class="dp-catalog-nowrap">from <time data-part="from"></time></span> '
        '<span class="dp-catalog-nowrap" data-part="until"></span></span>',
    )
    + _cell("Approved", '<time data-part="approved"></time>')
    + _cell(
        "Version",
        '<span class="dp-catalog-nowrap"><span data-part="version"></span> '
        '<span class="dp-badge dp-badge--beta" data-part="sample"></span></span>',
    )
)
