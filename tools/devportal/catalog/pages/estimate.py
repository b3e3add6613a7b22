"""The estimator on pages of rates: worked examples for everybody, and a form where there is JavaScript.

`assets/devportal/estimate.js` reads the rates from the rows of the page, so the form weighs the same however
many rates there are. Page and script compute by the same rules (decision 0033).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from devportal.catalog.billing import PER_SECOND, billed_seconds, cost, currency_places, exact_cost
from devportal.catalog.pages.naming import rate_name_with_country
from devportal.catalog.pages.options import Options
from devportal.catalog.pages.rendering import templates
from devportal.catalog.publication import PublishedRate
from devportal.catalog.rate import Direction, RateTerms, Unit
from devportal.pages import Heading

SCRIPTS = ("assets/devportal/estimate.js",)
"""What a page with an estimator names as its scripts."""
STYLES = ("assets/devportal/estimate.css",)
"""What a page with an estimator names as its style sheets."""
HEADING = Heading(level=2, anchor="estimate", title="Estimate a cost")
"""What a page with an estimator lists in its table of contents."""

_USES = {
    Unit.SEGMENT: ("message", "segment"),
    Unit.MESSAGE: ("message", ""),
    Unit.MINUTE: ("call", ""),
    Unit.MONTH: ("number", "month"),
}
"""What a price of each unit is multiplied by: how many of what, and what each of them has."""

_EXAMPLES: dict[Unit, tuple[tuple[str, int, int], ...]] = {
    Unit.SEGMENT: (("A short message", 1, 1), ("A long message of 3 segments", 3, 1)),
    Unit.MESSAGE: (("A message", 1, 1), ("1,000 messages", 1, 1000)),
    Unit.MINUTE: (("A call of 61 seconds", 61, 1),),
    Unit.MONTH: (("A number for a year", 12, 1),),
}
"""The uses that are worked out for each unit: in words, the amount that each has, and how many."""


_USUAL_PLACES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One use of one rate, worked out."""

    rate: str
    use: str
    sum: str
    is_sample: bool


def estimator_html(
    rates: Sequence[PublishedRate], page_uri: str, options: Options, *, is_folded: bool = False
) -> Markup:
    """Return the estimator for the rates on a page, or nothing where there are none.

    Folded it is one line until a reader opens it, and can stand above a long table. The page names `SCRIPTS`,
    `STYLES` and `HEADING`; its rows carry what the script reads.
    """
    if not rates:
        return Markup("")
    text = (
        templates()
        .get_template("_estimate.html.jinja")
        .render(
            examples=tuple(examples(rates)),
            page=page_uri,
            counter=options.segment_counter,
            units={rate.terms.unit for rate in rates},
            places=_unusual_places(rates),
            is_folded=is_folded,
        )
    )
    return Markup(text)  # noqa: S704 - the template escapes


def _unusual_places(rates: Sequence[PublishedRate]) -> str:
    """Return the currencies that are not written with two places, as the script reads them: `JPY=0 KWD=3`."""
    places = {code: currency_places(code) for code in sorted({rate.terms.currency for rate in rates})}
    return " ".join(f"{code}={number}" for code, number in places.items() if number != _USUAL_PLACES)


def estimator_markdown(rates: Sequence[PublishedRate]) -> str:
    """Return the worked examples as Markdown that ends in a line break, or nothing without rates."""
    if not rates:
        return ""
    shown = {"examples": tuple(examples(rates)), "units": {rate.terms.unit for rate in rates}}
    return templates().get_template("_estimate.md.jinja").render(shown)


def examples(rates: Sequence[PublishedRate]) -> Iterator[Example]:
    """Yield a few uses of the first rate of each product, an outbound one where there is one."""
    first: dict[str, RateTerms] = {}
    for rate in rates:
        known = first.get(rate.terms.product)
        if known is None or known.direction is Direction.INBOUND is not rate.terms.direction:
            first[rate.terms.product] = rate.terms
    for terms in first.values():
        for use, amount, times in _EXAMPLES[terms.unit]:
            yield Example(
                rate=rate_name_with_country(terms),
                use=_use(use, amount, terms),
                sum=arithmetic(terms, amount, times),
                is_sample=terms.sample,
            )


def _use(use: str, amount: int, terms: RateTerms) -> str:
    if terms.unit is not Unit.MINUTE:
        return use
    increment = terms.billing_increment or PER_SECOND
    return f"{use}, billed as {billed_seconds(amount, increment)} s ({increment})"


def arithmetic(terms: RateTerms, amount: int, times: int = 1) -> str:
    """Return the sum as a reader would write it: `2 messages × 3 segments × 0.10 EUR = 0.60 EUR`."""
    increment = terms.billing_increment or PER_SECOND
    least = currency_places(terms.currency)
    found = cost(terms.price, terms.unit, amount, increment=increment, times=times, least_places=least)
    exact = exact_cost(terms.price, terms.unit, amount, increment=increment, times=times)
    sign = "=" if Fraction(found) == exact else "≈"
    return f"{' × '.join(_factors(terms, amount, times))} {sign} {found:,f} {terms.currency}"


def _factors(terms: RateTerms, amount: int, times: int) -> Iterator[str]:
    each, part = _USES[terms.unit]
    if terms.unit is Unit.MESSAGE:
        yield _count(amount * times, each)
    elif times != 1:
        yield _count(times, each)
    if part:
        yield _count(amount, part)
    if terms.unit is Unit.MINUTE:
        yield f"{billed_seconds(amount, terms.billing_increment or PER_SECOND):,} s"
    yield f"{terms.price:f} {terms.currency}{' ÷ 60' if terms.unit is Unit.MINUTE else ''}"


def _count(amount: int, noun: str) -> str:
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"
