"""The rates of a product for the script that filters them: a compact file, and the row that it fills.

The file holds texts, column by column, each different text once. They are the texts of the table, so that a
row that the script makes reads as one that stands on a page.
"""

import json
from collections.abc import Iterable, Sequence

from devportal.catalog.codes import country_names
from devportal.catalog.pages.labels import label
from devportal.catalog.pages.rates_cells import ANY_TYPE, EVERY_NETWORK, network_code
from devportal.catalog.publication import PublishedRate
from devportal.pages import Artefact


def rows_file(uri: str, rates: Sequence[PublishedRate]) -> Artefact:
    """Return the file: for each column its different texts, and for each rate the place of its text there.

    A text is a string; of what is filtered by, it is a list of the value and of what people read.
    """
    columns: dict[str, tuple[dict[tuple[str, ...], int], list[int]]] = {}
    for rate in rates:
        for name, text in _texts(rate):
            texts, places = columns.setdefault(name, ({}, []))
            places.append(texts.setdefault(text, len(texts)))
    shown = {
        name: [[text if len(text) > 1 else text[0] for text in texts], places]
        for name, (texts, places) in columns.items()
    }
    content = json.dumps({"rows": len(rates), "columns": shown}, ensure_ascii=False, separators=(",", ":"))
    return Artefact(uri=uri, content=content.encode() + b"\n")


def _texts(rate: PublishedRate) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Return the texts of a row by the names of the parts of the row's template."""
    terms, network = rate.terms, rate.terms.network
    type_, increment = terms.number_type, terms.billing_increment
    code = f"MCC {network.mcc} MNC {network.mnc}" if network else ""
    where = network.name if network else ", ".join(f"+{one}" for one in terms.prefixes) or EVERY_NETWORK
    until = f"before {terms.effective_to}" if terms.effective_to else ""
    return (
        ("id", (terms.id,)),
        ("version", (str(terms.version),)),
        ("country", (terms.country, country_names()[terms.country])),
        ("network", (network_code(network) if network else "", where)),
        ("code", (code,)),
        ("type", (str(type_ or ""), label(type_) if type_ else ANY_TYPE)),
        ("direction", (str(terms.direction), label(terms.direction))),
        ("price", (f"{terms.price:f}",)),
        ("currency", (terms.currency, terms.currency)),
        ("unit", (label(terms.unit),)),
        ("increment", (str(increment) if increment else "not timed",)),
        ("from", (terms.effective_from.isoformat(),)),
        ("until", (until,)),
        ("approved", (rate.approved_on.isoformat(),)),
        ("sample", ("Sample" if terms.sample else "",)),
    )


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
        '<span><span data-part="version"></span> '
        '<span class="dp-badge dp-badge--beta" data-part="sample"></span></span>',
    )
)
