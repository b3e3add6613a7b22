"""The values that `enum` and `const` allow, with what their author says of each."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from devportal.contract import ABSENT, Schema
from devportal.reference.markup import code_span
from devportal.reference.schema.examples import ExampleView
from devportal.reference.wording import format_json, says_the_same


class AllowedValue(NamedTuple):
    """A value of an `enum` or `const` as JSON text, with its description as CommonMark."""

    code: str
    about: str = ""
    is_beta: bool = False


def allowed_values(closed: Iterable[Schema]) -> tuple[AllowedValue, ...]:
    """Return the values that all of some enums allow, each once; one that any of them marks as beta is that.

    If no value is in all of them, all values are shown. `null` is shown beside a single value: the type says that it
    is allowed, and nothing has two values always.
    """
    closed = tuple(closed)
    codes = [{enum_value.code for enum_value in _enum_values(part)} for part in closed]
    common = set.intersection(*codes) or set.union(*codes) if codes else set()
    found: dict[str, AllowedValue] = {}
    for part in closed:
        beta = {format_json(value) for value in part.beta_values}
        for enum_value in _enum_values(part):
            known = found.get(enum_value.code, enum_value)
            about = "; ".join(dict.fromkeys(filter(None, (known.about, enum_value.about))))
            found[enum_value.code] = enum_value._replace(
                about=about, is_beta=known.is_beta or enum_value.code in beta
            )
    allowed = tuple(allowed_value for code, allowed_value in found.items() if code in common)
    is_nullable = len(allowed) == 1 and all(part.nullable or None in part.enum for part in closed)
    return (*allowed, AllowedValue("null")) if is_nullable else allowed


def is_only_value(example: ExampleView, allowed: tuple[AllowedValue, ...]) -> bool:
    """Return whether an example only repeats the one value that is allowed."""
    return len(allowed) == 1 and example.text == allowed[0].code and not example.description


def _enum_values(schema: Schema) -> tuple[AllowedValue, ...]:
    """Return the values of an enum or const, each with its name in code, if that is not the value in other
    letters, and its description.
    """
    values: tuple[Any, ...] = schema.enum or ((schema.const,) if schema.const is not ABSENT else ())
    described, named = dict(schema.enum_descriptions), dict(schema.enum_names)
    return tuple(
        AllowedValue(
            format_json(value) or "",
            _value_label(str(value), named.get(str(value), ""), described.get(str(value), "")),
        )
        for value in values
        if value is not None
    )


def _value_label(value: str, name: str, description: str) -> str:
    called = code_span(name) if name and not says_the_same(name, value) else ""
    return ": ".join(filter(None, (called, description)))
