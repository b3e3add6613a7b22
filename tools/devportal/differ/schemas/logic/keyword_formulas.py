"""What single keywords say of a value, as formulas: its type, the values that it may equal, formats and limits."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from devportal.contract import Schema
from devportal.differ.normalise.all_of import canonical_json, type_of
from devportal.differ.normalise.limits import to_fraction
from devportal.differ.schemas.format_values import NUMBER_FORMATS, is_format_of_every_text, is_format_of_texts
from devportal.differ.schemas.logic.formulas import (
    ALWAYS,
    Formula,
    NotExpressibleError,
    Path,
    Statement,
    all_of,
    holds,
    implies,
    negate,
)


def is_of_type(path: Path, kind: str) -> Formula:
    """Return the formula that a value is of a JSON type, `number` for each number."""
    return holds(path, Statement.IS_OF_TYPE, kind)


def is_of_written_type(path: Path, type_: str) -> Formula:
    """Return the formula of a word under `type`: an integer is a number without a fraction, as is 1.0."""
    if type_ != "integer":
        return is_of_type(path, type_)
    return all_of((is_of_type(path, "number"), holds(path, Statement.IS_MULTIPLE_OF, Fraction(1))))


def equals(path: Path, value: Any) -> Formula:
    """Return the formula that a value equals a text, number, truth value or null."""
    if value is None:
        return is_of_type(path, "null")
    kind = type_of(value)
    is_same = holds(path, Statement.EQUALS, canonical_json(value))
    return all_of((is_of_type(path, "number" if kind == "integer" else kind), is_same))


def holds_if_text(path: Path, statement: Statement, of: Any) -> Formula:
    """Return the formula that a statement holds for a value, if it is a text."""
    return implies(is_of_type(path, "string"), holds(path, statement, of))


def format_formulas(schema: Schema, path: Path) -> Iterator[Formula]:
    """Yield what the format of a schema says; those of numbers have a range."""
    if not schema.format or is_format_of_every_text(schema.format):
        return
    has_format = holds(path, Statement.IS_OF_FORMAT, schema.format)
    numbers = NUMBER_FORMATS.get(schema.format)
    if numbers is not None:
        ends = [
            holds(path, Statement.IS_AT_LEAST, numbers.low),
            negate(holds(path, Statement.IS_MORE_THAN, numbers.high)),
        ]
        whole = [holds(path, Statement.IS_MULTIPLE_OF, Fraction(1))] if numbers.is_whole else []
        yield implies(is_of_type(path, "number"), all_of((has_format, *ends, *whole)))
    else:
        yield (
            implies(is_of_type(path, "string"), has_format)
            if is_format_of_texts(schema.format)
            else has_format
        )


def constraint_formulas(schema: Schema, path: Path) -> Iterator[Formula]:
    """Yield what the limits of a schema say, but those that count only beside `contains` or name properties.

    Raises NotExpressibleError.
    """
    for constraint in schema.constraints:
        row = _CONSTRAINTS.get(constraint.keyword)
        if row is not None:
            kind, write = row
            yield implies(is_of_type(path, kind), write(path, constraint.value))
        elif constraint.keyword not in CONTAINED | {"dependentRequired"}:
            raise NotExpressibleError


def _has_at_least(statement: Statement) -> Callable[[Path, Any], Formula]:
    return lambda path, value: holds(path, statement, int(value)) if int(value) > 0 else ALWAYS


def _has_at_most(statement: Statement) -> Callable[[Path, Any], Formula]:
    return lambda path, value: negate(holds(path, statement, int(value) + 1))


def _of_pattern(path: Path, value: Any) -> Formula:
    return holds(path, Statement.MATCHES, str(value))


_CONSTRAINTS: Mapping[str, tuple[str, Callable[[Path, Any], Formula]]] = {
    "minimum": ("number", lambda path, value: holds(path, Statement.IS_AT_LEAST, to_fraction(value))),
    "exclusiveMinimum": (
        "number",
        lambda path, value: holds(path, Statement.IS_MORE_THAN, to_fraction(value)),
    ),
    "maximum": (
        "number",
        lambda path, value: negate(holds(path, Statement.IS_MORE_THAN, to_fraction(value))),
    ),
    "exclusiveMaximum": (
        "number",
        lambda path, value: negate(holds(path, Statement.IS_AT_LEAST, to_fraction(value))),
    ),
    "multipleOf": ("number", lambda path, value: holds(path, Statement.IS_MULTIPLE_OF, to_fraction(value))),
    "minLength": ("string", _has_at_least(Statement.HAS_LENGTH)),
    "maxLength": ("string", _has_at_most(Statement.HAS_LENGTH)),
    "pattern": ("string", _of_pattern),
    "minItems": ("array", _has_at_least(Statement.HAS_ITEMS)),
    "maxItems": ("array", _has_at_most(Statement.HAS_ITEMS)),
    "uniqueItems": (
        "array",
        lambda path, value: holds(path, Statement.HAS_UNIQUE_ITEMS) if value else ALWAYS,
    ),
    "minProperties": ("object", _has_at_least(Statement.HAS_PROPERTIES)),
    "maxProperties": ("object", _has_at_most(Statement.HAS_PROPERTIES)),
}
"""The type that a constraint is about, and its formula."""


CONTAINED = frozenset({"minContains", "maxContains"})
"""Limits that count only beside `contains`."""
