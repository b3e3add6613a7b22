"""The estimator on pages of rates: worked examples, and a form if JavaScript is available.

`assets/devportal/estimate.js` reads the rates from the rows of the page and the units from the section, so
the size of the form does not depend on the number of rates. Page and script calculate by the same rules
(decision 0033).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from devportal.catalog.book.book import Book, Unit
from devportal.catalog.pages.names import inline, rate_name_with_market
from devportal.catalog.pages.rates_cells import steps_text, table_columns
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import PublishedRate
from devportal.catalog.records.billing import SINGLY, billed_amount, cost, currency_places, exact_cost
from devportal.catalog.records.rate import RateTerms
from devportal.markup import Heading, href
from devportal.translation import format_number, gettext, gettext_noop

SCRIPTS = ("assets/devportal/estimate.js",)
"""The scripts of a page with an estimator."""
STYLES = ("assets/devportal/estimate.css",)
"""The style sheets of a page with an estimator."""


def estimate_heading() -> Heading:
    """Return the entry of the estimator in the table of contents."""
    return Heading(level=2, anchor="estimate", title=gettext("Estimate a cost"))


_USUAL_PLACES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One use of one rate, worked out."""

    rate: str
    use: str
    sum: str


def estimator_html(
    rates: Sequence[PublishedRate],
    page_uri: str,
    book: Book,
    *,
    group: str,
    rows: str = "",
    is_folded: bool = False,
) -> Markup:
    """Return the estimator for the rates on a page, or nothing if there are none.

    A reader first chooses the `group` of a rate: a market or a product. When folded it is one line until a
    reader opens it, and fits above a long table. The page must include `SCRIPTS`, `STYLES` and `estimate_heading`. The
    script reads the rates from the file `rows`, or from the rows of the page.
    """
    if not rates:
        return Markup("")
    units = units_of(rates, book)
    text = (
        templates()
        .get_template("_estimate.html.jinja")
        .render(
            examples=tuple(worked_examples(rates, book)),
            units=units,
            group=group,
            formulas=[_formula(unit) for unit in units],
            described=json.dumps(
                {**_estimator_data(units, book, page_uri), "rows": rows},
                ensure_ascii=False,
                separators=(",", ":"),
            ),
            note=_rounding_note(units),
            places=_unusual_places(rates),
            is_folded=is_folded,
        )
    )
    return Markup(text)  # noqa: S704 - the template escapes


def units_of(rates: Sequence[PublishedRate], book: Book) -> tuple[Unit, ...]:
    """Return the units of the rates, in the order of the book."""
    keys = {rate.terms.unit.key for rate in rates}
    return tuple(unit for unit in book.units if unit.key in keys)


def _estimator_data(units: Sequence[Unit], book: Book, page_uri: str) -> dict[str, Any]:
    """Return the data of the script: the units, the market, and the columns that distinguish rates."""
    return {
        "units": {unit.key: unit_data(unit, page_uri) for unit in units},
        "columns": [
            {
                "title": table_column.title,
                "name": table_column.data_name,
                "absent": _absent_text(table_column),
                "coded": table_column.fields[0].group is not None,
            }
            for table_column in table_columns(book)
        ],
        "market": {"field": str(book.markets.kind), "title": book.markets.title},
    }


def _absent_text(column: Any) -> str:
    return "" if column.is_wide else gettext(column.fields[0].absent)


def unit_data(unit: Unit, page_uri: str = "") -> dict[str, Any]:
    """Return the data of a unit for the script."""
    amount, steps, counter = unit.amount, unit.steps, unit.counter
    data: dict[str, Any] = {
        "title": unit.title,
        "noun": unit.noun,
        "plural": unit.plural,
        "uses": gettext("%(uses)s per month", uses=unit.uses_title) if unit.is_monthly else unit.uses_title,
        "total": gettext("Monthly total") if unit.is_monthly else gettext("Total"),
    }
    if amount:
        data["amount"] = {"noun": amount.noun, "plural": amount.plural, "symbol": amount.symbol}
    if steps:
        data["per"] = steps.per
    if counter:
        data["counter"] = href(page_uri, counter.module)
    return data


def _formula(unit: Unit) -> str:
    """Return how to calculate a cost by hand: `Pieces × price`."""
    amount, steps = unit.amount, unit.steps
    if amount is None:
        return gettext("%(factors)s × price.", factors=unit.uses_title)
    words = f"{unit.uses_title} × {inline(amount.title)}"
    if steps is None:
        return gettext("%(factors)s × price.", factors=words)
    return gettext(
        "%(factors)s, rounded up to the steps of the rate, × price ÷ %(number)s.",
        factors=words,
        number=format_number(steps.per),
    )


def _rounding_note(units: Sequence[Unit]) -> str:
    """Return a sentence about rounding, after a space; empty if all sums are exact."""
    nouns = gettext(" or ").join(dict.fromkeys(unit.noun for unit in units if unit.steps))
    if not nouns:
        return ""
    message = (
        gettext_noop("An %(unit)s is rounded once, to six decimal places or more.")
        if nouns[:1] in set("aeiou")
        else gettext_noop("A %(unit)s is rounded once, to six decimal places or more.")
    )
    return f" {gettext(message, unit=nouns)}"


def _unusual_places(rates: Sequence[PublishedRate]) -> str:
    """Return the currencies without two decimal places, as the script reads them: `JPY=0 KWD=3`."""
    places = {code: currency_places(code) for code in sorted({rate.terms.currency for rate in rates})}
    return " ".join(f"{code}={number}" for code, number in places.items() if number != _USUAL_PLACES)


def worked_examples(rates: Sequence[PublishedRate], book: Book) -> Iterator[Example]:
    """Yield the examples for the first rate of each product, or the first with the headline."""
    terms_by_product: dict[str, RateTerms] = {}
    for rate in rates:
        current = terms_by_product.get(rate.terms.product.key)
        if current is None or (not _has_headline(current, book) and _has_headline(rate.terms, book)):
            terms_by_product[rate.terms.product.key] = rate.terms
    for terms in terms_by_product.values():
        for use in terms.unit.examples:
            yield Example(
                rate=rate_name_with_market(terms, book),
                use=_use_text(use.title, use.amount, terms),
                sum=calculation_text(terms, use.amount, use.times),
            )


def _has_headline(terms: RateTerms, book: Book) -> bool:
    headline = book.headline
    return headline is None or terms.declared.get(headline.name) == headline.headline


def _billing_steps(terms: RateTerms) -> str:
    return steps_text(terms) or SINGLY


def _use_text(use: str, amount: int, terms: RateTerms) -> str:
    if not terms.unit.steps or not terms.unit.amount:
        return use
    steps = _billing_steps(terms)
    return gettext(
        "%(use)s, billed as %(amount)s %(unit)s (%(steps)s)",
        use=use,
        amount=billed_amount(amount, steps),
        unit=terms.unit.amount.symbol,
        steps=steps,
    )


def calculation_text(terms: RateTerms, amount: int, times: int = 1) -> str:
    """Return the calculation as text: `2 parcels × 3 kilograms × 0.10 EUR = 0.60 EUR`."""
    min_places, steps = currency_places(terms.currency), _billing_steps(terms)
    total = cost(terms.price, terms.unit, amount, steps=steps, times=times, least_places=min_places)
    exact = exact_cost(terms.price, terms.unit, amount, steps=steps, times=times)
    sign = "=" if Fraction(total) == exact else "≈"
    return f"{' × '.join(_factors(terms, amount, times))} {sign} {total:,f} {terms.currency}"


def _factors(terms: RateTerms, amount: int, times: int) -> Iterator[str]:
    unit = terms.unit
    if unit.amount is None:
        yield _count_text(amount * times, unit.noun, unit.plural)
    elif times != 1:
        yield _count_text(times, unit.noun, unit.plural)
    if unit.amount and unit.steps:
        yield f"{billed_amount(amount, _billing_steps(terms)):,} {unit.amount.symbol}"
    elif unit.amount:
        yield _count_text(amount, unit.amount.noun, unit.amount.plural)
    yield f"{terms.price:f} {terms.currency}{f' ÷ {unit.steps.per:,}' if unit.steps else ''}"


def _count_text(amount: int, noun: str, plural: str) -> str:
    return f"{format_number(amount)} {noun if amount == 1 else plural}"
