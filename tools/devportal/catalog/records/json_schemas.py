"""JSON Schemas of rate and coverage files and of the files next to them.

The schema of a record combines the base schema next to this module with the fields of the rate book.
"""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.catalog.book.book import (
    NO_REGISTRATION,
    Book,
    ChoiceForm,
    DigitsForm,
    Field,
    GroupForm,
    ListForm,
    Named,
    NumberForm,
    Scalar,
    StepsForm,
    TextForm,
)
from devportal.catalog.records.text import record_order
from devportal.catalog.records.version_ref import Kind
from devportal.documents import Shape

_ONE_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$"
"""Text without control characters: nothing that breaks a line or changes the text direction."""
_CACHED_BOOKS = 8
"""The shapes of this many books are cached."""


@lru_cache(maxsize=4)
def shape_of(name: str) -> Shape:
    """Return the shape in `schemas/NAME.json`."""
    return Shape(_load_schema(name), rule="catalog-shape", root="the file")


@lru_cache(maxsize=_CACHED_BOOKS)
def record_shape(kind: Kind, book: Book) -> Shape:
    """Return the shape of the record files of a kind in a project."""
    return Shape(record_schema(kind, book), rule="catalog-shape", root="the file")


def record_schema(kind: Kind, book: Book) -> dict[str, Any]:
    """Return the JSON Schema of the record files of a kind in a project."""
    schema = deepcopy(_load_schema(str(kind)))
    record = schema["$defs"]["rate" if kind is Kind.RATE else "coverage"]
    properties = record["properties"]
    country = properties.pop("country")
    properties[str(book.markets.kind)] = country if not book.markets.zones else _market_schema(book)
    fields = book.fields if kind is Kind.RATE else book.coverage.fields
    properties |= {field.name: _field_schema(field) for field in fields}
    if kind is Kind.RATE:
        _restrict_to(properties["product"], book.products)
        _restrict_to(properties["unit"], book.units)
        _restrict_to(properties["billing_terms"]["items"], book.billing_terms)
    else:
        _restrict_to(properties["channel"], book.coverage.channels)
        _restrict_to(
            properties["registration"]["properties"]["scheme"], (NO_REGISTRATION, *book.coverage.schemes)
        )
        properties["features"] = _features_schema(properties["features"], book)
    order = record_order(book, kind)
    record["properties"] = {name: properties[name] for name in order}
    required = {
        *record["required"],
        str(book.markets.kind),
        *(field.name for field in fields if field.is_required),
    }
    required |= {name for name in ("features", "registration") if name in order}
    record["required"] = [name for name in order if name in required]
    return schema


def _load_schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(
        files(__package__).joinpath("schemas", f"{name}.json").read_text("utf-8")
    )
    return schema


def _restrict_to(schema: dict[str, Any], allowed: Iterable[Named | str]) -> None:
    """Restrict a text to the declared values."""
    schema.pop("type", None)
    schema |= _choice_schema(map(str, allowed))


def _choice_schema(keys: Iterable[str]) -> dict[str, Any]:
    values = list(keys)
    return {"description": f"use {or_list(values)}" if values else "book.yaml declares none", "enum": values}


def or_list(words: Iterable[str]) -> str:
    """Return words as an offer: `a, b or c`."""
    return " or ".join(", ".join(words).rsplit(", ", 1))


def _market_schema(book: Book) -> dict[str, Any]:
    return {"title": "the market", **_choice_schema(zone.key for zone in book.markets.zones)}


def _features_schema(base: Mapping[str, Any], book: Book) -> dict[str, Any]:
    features = book.coverage.features
    names = " and ".join(", ".join(feature.key for feature in features).rsplit(", ", 1))
    return {
        **base,
        "description": f"features are a mapping of {names}",
        "additionalProperties": False,
        "properties": {
            feature.key: {"title": feature.help, "$ref": "#/$defs/availability"} for feature in features
        },
    }


def _field_schema(field: Field) -> dict[str, Any]:
    """Return the schema of a declared field. Its title is the help, its description how to write the field."""
    head = {"title": field.help, "description": field.write}
    match field.form:
        case ListForm(item=item):
            array = {"type": "array", "minItems": 1, "uniqueItems": True, "items": _scalar_schema(item)}
            return head | array
        case GroupForm() as form:
            parts = {
                part.name: {"title": part.help} | _text_schema(part.write, part.form) for part in form.parts
            }
            group = {"type": "object", "required": [*parts], "additionalProperties": False}
            return head | group | {"properties": parts}
        case StepsForm():
            return head | {"type": "string", "pattern": "^[1-9][0-9]{0,3}/[1-9][0-9]{0,3}$"}
        case form:
            return {"title": field.help} | _text_schema(field.write, form)


def _text_schema(write: str, form: Scalar) -> dict[str, Any]:
    schema = _scalar_schema(form)
    return schema | {"description": write} if write else schema


def _scalar_schema(form: Scalar) -> dict[str, Any]:
    """Return the schema of one text. Its description says how to write the text."""
    match form:
        case ChoiceForm(choices=choices):
            return _choice_schema(choice.key for choice in choices)
        case TextForm(pattern=pattern, longest=longest):
            description = f"write at most {longest} characters, on one line and without control characters"
            limits = [{"pattern": pattern}] if pattern else []
            shape = {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _ONE_LINE}
            return {"description": description, **shape} | ({"allOf": limits} if limits else {})
        case DigitsForm(least=least, most=most, leading_zeros=leading_zeros):
            return {
                "description": _digits_help(form),
                "type": "string",
                "pattern": _digits_pattern(least, most, leading_zeros=leading_zeros),
            }
        case NumberForm(places=places):
            fraction = f"([.][0-9]{{0,{places - 1}}}[1-9])?" if places else ""
            count = f"{places} decimal place{'s' if places > 1 else ''}"
            number_kind = f"a number with at most {count}" if places else "a whole number"
            bounds = f"from {form.least:f} to {form.most:f}"
            pattern = f"^(0|[1-9][0-9]{{0,8}}){fraction}$"
            return {
                "description": f"write {number_kind} {bounds}, without zeros at its end",
                "type": "string",
                "pattern": pattern,
            }


def scalar_help(form: Scalar) -> str:
    """Return how to write one text of a form."""
    return str(_scalar_schema(form)["description"])


def _digits_help(form: DigitsForm) -> str:
    count = f"{form.least}" if form.least == form.most else f"{form.least} to {form.most}"
    return f"write {count} digits{', leading zeros included' if form.leading_zeros else ''}"


def _digits_pattern(least: int, most: int, *, leading_zeros: bool) -> str:
    if leading_zeros:
        return f"^[0-9]{{{least},{most}}}$"
    return f"^[1-9][0-9]{{{least - 1},{most - 1}}}$"
