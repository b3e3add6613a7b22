"""Keywords of a schema that hold no other schema: constraints, examples, values with their names, XML."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from devportal.contract.internal.redaction import published_value, published_values
from devportal.contract.read.lifecycle_extensions import ENUM_DESCRIPTION_KEYS, ENUM_NAME_KEYS
from devportal.contract.read.source import Node
from devportal.contract.schemas import Constraint, Xml
from devportal.contract.wording import quote_value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_name_lists(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in value.values()
    )


_NUMBER = ("a number", _is_number)
_COUNT = ("a whole number of at least 0", _is_count)
CONSTRAINTS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "multipleOf": ("a number above 0", lambda value: _is_number(value) and value > 0),
    "minimum": _NUMBER,
    "exclusiveMinimum": _NUMBER,
    "maximum": _NUMBER,
    "exclusiveMaximum": _NUMBER,
    "minLength": _COUNT,
    "maxLength": _COUNT,
    "pattern": ("text", lambda value: isinstance(value, str)),
    "minItems": _COUNT,
    "maxItems": _COUNT,
    "uniqueItems": ("true or false", lambda value: isinstance(value, bool)),
    "minContains": _COUNT,
    "maxContains": _COUNT,
    "minProperties": _COUNT,
    "maxProperties": _COUNT,
    "dependentRequired": ("a mapping of lists of names", _is_name_lists),
}
"""The validation keywords (JSON Schema 2020-12 Validation §6), with what their values have to be."""

_EXCLUSIVE_BOUNDS = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_XML_NODE_TYPES = ("element", "attribute", "text", "cdata", "none")


def read_constraints(node: Node) -> tuple[Constraint, ...]:
    """Return the validation keywords; 3.0's `exclusiveMinimum: true` becomes the number of 3.1."""
    written = node.value
    return tuple(
        one
        for keyword in CONSTRAINTS
        if keyword in written and written[keyword] is not None
        for one in _constraint(node, keyword)
    )


def _constraint(node: Node, keyword: str) -> Iterator[Constraint]:
    value = node.value[keyword]
    if isinstance(value, bool) and keyword in _EXCLUSIVE_BOUNDS.values():
        return
    expected, fits = CONSTRAINTS[keyword]
    if not fits(value):
        node.report(
            "contract-shape",
            f"{keyword!r} must be {expected}, found {quote_value(value)}",
            help=f"write {expected}",
            key=keyword,
        )
    elif value is not False:
        exclusive = _EXCLUSIVE_BOUNDS.get(keyword)
        is_flag = exclusive is not None and not node.source.ref_siblings  # a number from 3.1 on
        is_exclusive = is_flag and node.value.get(exclusive) is True
        name = exclusive if exclusive and is_exclusive else keyword
        yield Constraint(keyword=name, value=_without_repetition(value) if isinstance(value, dict) else value)


def _without_repetition(names: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return lists of names without repetition: a validator refuses those (JSON Schema Validation §6.5.4)."""
    return {name: list(dict.fromkeys(others)) for name, others in names.items()}


def read_examples(node: Node) -> tuple[Any, ...]:
    """Return the examples of a schema: `example` (3.0) first, then `examples` (3.1: a list)."""
    found: list[Any] = [node.value["example"]] if "example" in node.value else []
    found.extend(item.value for item in node.items("examples"))
    return tuple(published_values(found, node))


def read_enum_descriptions(node: Node) -> tuple[tuple[str, str], ...]:
    """Return what is said of each value of an enum, by the value as text."""
    return _texts_by_value(node, ENUM_DESCRIPTION_KEYS)


def read_enum_names(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the name that each value of an enum has in code, by the value as text."""
    return _texts_by_value(node, ENUM_NAME_KEYS)


def _texts_by_value(node: Node, keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return texts for values: of a mapping by value, or of a list beside the values; those that say nothing
    are left out.
    """
    enum = node.value.get("enum")
    values = [published_value(value, node) for value in enum] if isinstance(enum, list) else None
    for key in keys:
        written = node.value.get(key)
        if isinstance(written, list) and values is not None:
            pairs: list[tuple[str, Any]] = list(zip(map(str, values), written, strict=False))
        elif isinstance(written, dict):
            shown = {_mapping_key(value): str(value) for value in values or ()}
            pairs = [(shown[name] if name in shown else str(name), text) for name, text in written.items()]
        else:
            continue
        told = tuple((name, str(text)) for name, text in pairs if text is not None and text != "")
        if told:
            return told
    return ()


def _mapping_key(value: Any) -> str:
    """Return a value as the key of a mapping that speaks of it: `true`, where Python says `True`."""
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def read_xml(node: Node) -> Xml | None:
    """Return how the schema is written in XML (OAS 3.0.3 §4.7.26, 3.2.0 §4.26), if it says so."""
    written = node.mapping("xml")
    if written is None:
        return None
    kind = written.text("nodeType") or ("attribute" if written.flag("attribute") else "")
    if kind and kind not in _XML_NODE_TYPES:
        written.report(
            "contract-shape",
            f"{kind!r} is no type of an XML node",
            help=f"one of {', '.join(_XML_NODE_TYPES)}",
            key="nodeType",
        )
        kind = ""
    return Xml(
        name=written.text("name"),
        namespace=written.text("namespace"),
        prefix=written.text("prefix"),
        node_type=kind,
        is_wrapped=written.flag("wrapped"),
    )
