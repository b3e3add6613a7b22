"""A number within the bounds of a schema, in exact arithmetic: `multipleOf: 0.1` means tenths."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from devportal.contract.schemas import Schema


def bound(schema: Schema, keyword: str) -> int | float | None:
    """Return the value of a numeric constraint, None where the schema has none."""
    return next((one.value for one in schema.constraints if one.keyword == keyword), None)


def number_within(schema: Schema, *, is_whole: bool) -> int | float:
    """Return one, or a number near it that the bounds and `multipleOf` allow; one where none is found."""
    span = _Span.of(schema, is_whole=is_whole)
    value = next(filter(span.holds, span.candidates()), Fraction(1))
    return int(value) if value.denominator == 1 else float(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    low: Fraction | None
    high: Fraction | None
    above: Fraction | None
    below: Fraction | None
    step: Fraction | None

    @classmethod
    def of(cls, schema: Schema, *, is_whole: bool) -> "_Span":
        multiple = _exact(bound(schema, "multipleOf"))
        if is_whole:
            multiple = Fraction(multiple.numerator if multiple is not None else 1)
        return cls(
            low=_exact(bound(schema, "minimum")),
            high=_exact(bound(schema, "maximum")),
            above=_exact(bound(schema, "exclusiveMinimum")),
            below=_exact(bound(schema, "exclusiveMaximum")),
            step=multiple,
        )

    def holds(self, value: Fraction) -> bool:
        return (
            (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def candidates(self) -> Iterator[Fraction]:
        """Yield numbers from the nicest on: one, then what lies at the bounds, next to them, between them."""
        ends = [end for end in (self.low, self.above, self.high, self.below) if end is not None]
        near = self.step or Fraction(1)
        middle = [sum(ends, Fraction(0)) / len(ends)] if ends else []
        for value in (
            Fraction(1),
            *ends,
            *(end + near for end in ends),
            *(end - near for end in ends),
            *middle,
        ):
            if self.step is None:
                yield value
            else:
                yield math.ceil(value / self.step) * self.step
                yield math.floor(value / self.step) * self.step


def _exact(value: float | None) -> Fraction | None:
    return Fraction(repr(value)) if value is not None else None
