"""Values of requests as texts have them, and what they stand for by the schemas of a contract."""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl

from devportal.contract import ABSENT, Schema
from devportal.differ.place_parts import ITEM
from devportal.integrators.contract_names import ContractNames

MAX_DEPTH = 40
"""How deep values are followed."""


def typed_value(names: ContractNames, schemas: tuple[Schema, ...], value: Any, depth: int = 0) -> Any:
    """Return a value that is written as text, as the type that its schemas ask for; unchanged if it is none."""
    if depth > MAX_DEPTH or not schemas:
        return value
    match value:
        case dict():
            return {
                name: typed_value(names, names.step(schemas, name) or (), member, depth + 1)
                for name, member in value.items()
            }
        case list():
            below = names.step(schemas, ITEM) or ()
            return [typed_value(names, below, item, depth + 1) for item in value]
    types = {*_types(names, schemas)}
    if isinstance(value, str) and types and "string" not in types:
        parsed = _parsed_scalar(value)
        return value if parsed is ABSENT else parsed
    if isinstance(value, (bool, int, float)) and types == {"string"}:
        return json.dumps(value)
    return value


def _types(names: ContractNames, schemas: Iterable[Schema]) -> Iterator[str]:
    """Yield the types that schemas name, or that the values of their enums have."""
    for schema in names.flatten(schemas):
        yield from schema.types
        if not schema.types:
            yield from ("string" if isinstance(one, str) else "other" for one in schema.enum)


def _parsed_scalar(text: str) -> Any:
    """Return the number or truth value that a text is, ABSENT if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ABSENT
    is_number = isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value))
    return value if is_number else ABSENT


def parsed_json(value: Any) -> Iterator[Any]:
    """Yield the object or array that a text holds."""
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            return
        if isinstance(parsed, (dict, list)):
            yield parsed


def form_fields(text: str) -> dict[str, Any]:
    """Return the fields of a form that is written as text; those that are repeated are lists."""
    fields: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        earlier = fields.get(name)
        fields[name] = (
            [*(earlier if isinstance(earlier, list) else [earlier]), value] if name in fields else value
        )
    return fields
