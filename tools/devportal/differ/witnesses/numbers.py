"""Numbers at the bounds of schemas, and just beyond them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.schemas.format_values import NUMBER_FORMATS

_MULTIPLES = 12


def numbers_near(allowed: NormalSchema, refused: NormalSchema) -> Iterator[int | float]:
    """Yield numbers near the bounds of both forms, each once: whole ones first, then others."""
    bounds = [
        bound.value for form in (refused, allowed) for bound in (form.lower, form.upper) if bound is not None
    ]
    anchors = [*bounds, Fraction(0)]
    ends = [end for form in (refused, allowed) for end in _beyond_format(form.format)]
    numbers = [anchor + step for anchor in anchors for step in (0, 1, -1)]
    numbers += list(_multiples(allowed, refused, anchors))
    numbers += ends
    numbers += [Fraction(10**length) for length in _lengths_as_text(refused)]
    numbers += [anchor + step for anchor in anchors for step in (Fraction(1, 2), Fraction(-1, 2))]
    numbers += [anchor + step for anchor in bounds for step in (Fraction(1, 1000), Fraction(-1, 1000))]
    numbers += [
        normal_schema.multiple_of / 2 for normal_schema in (allowed, refused) if normal_schema.multiple_of
    ]
    return (_json_number(number) for number in dict.fromkeys(numbers) if abs(number) <= _LARGEST)


_LARGEST = NUMBER_FORMATS["double"].high
"""The largest number that every reader of JSON can hold (RFC 8259 §6)."""


def counts_near(forms: Sequence[NormalSchema], keywords: Sequence[str], *, at_most: int) -> Iterator[int]:
    """Yield the counts that keywords of forms limit, and those beside them."""
    for form in forms:
        for keyword in keywords:
            if keyword in form.counts:
                near = (form.counts[keyword] + step for step in (-1, 0, 1))
                yield from (count for count in near if 0 <= count <= at_most)


def _beyond_format(name: str) -> Iterator[Fraction]:
    """Yield a number beyond each end of the range of a format."""
    numbers = NUMBER_FORMATS.get(name)
    if numbers is not None:
        step = Fraction(1) if numbers.is_whole else numbers.high
        yield numbers.high + step
        yield numbers.low - step


def _lengths_as_text(form: NormalSchema) -> Iterator[int]:
    """Yield the lengths of texts that a form limits, since numbers in parameters are texts to it."""
    for keyword in ("minLength", "maxLength"):
        length = form.counts.get(keyword, _MAX_DIGITS)
        if length < _MAX_DIGITS:
            yield length


_MAX_DIGITS = 25


def _multiples(allowed: NormalSchema, refused: NormalSchema, anchors: list[Fraction]) -> Iterator[Fraction]:
    """Yield multiples of what the forms ask for, from each bound on."""
    units = [form.multiple_of for form in (allowed, refused) if form.multiple_of]
    for unit in units:
        for anchor in anchors:
            first = ceil(anchor / unit)
            yield from (unit * (first + step) for step in range(-1, _MULTIPLES))


def _json_number(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 and abs(number) < _MAX_WHOLE else float(number)


_MAX_WHOLE = 10**30
"""From here on whole numbers are written with an exponent."""
