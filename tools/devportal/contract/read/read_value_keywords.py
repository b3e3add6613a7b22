"""Reads the keywords of a schema that hold no other one: constraints, examples, names of values, XML."""

import json
from collections.abc import Iterator
from typing import Any

from devportal.contract.internal.redaction import published_value, published_values
from devportal.contract.keyword_columns import Keyword
from devportal.contract.keywords import CONSTRAINTS
from devportal.contract.read.lifecycle_extensions import ENUM_DESCRIPTION_KEYS, ENUM_NAME_KEYS
from devportal.contract.read.source import Node
from devportal.contract.schemas import Constraint, Xml
from devportal.contract.wording import quote_value

_EXCLUSIVE_BOUNDS = frozenset(row.exclusive for row in CONSTRAINTS.values() if row.exclusive)
_XML_NODE_TYPES = ("element", "attribute", "text", "cdata", "none")


def read_constraints(node: Node) -> tuple[Constraint, ...]:
    """Return the validation keywords; 3.0's `exclusiveMinimum: true` becomes the number of 3.1."""
    keywords = node.value
    return tuple(
        constraint
        for keyword in CONSTRAINTS
        if keyword in keywords and keywords[keyword] is not None
        for constraint in _constraint(node, CONSTRAINTS[keyword])
    )


def _constraint(node: Node, keyword: Keyword) -> Iterator[Constraint]:
    value = node.value[keyword.name]
    if isinstance(value, bool) and keyword.name in _EXCLUSIVE_BOUNDS:
        return
    if keyword.value is not None and not keyword.value.fits(value):
        expected = keyword.value.expected
        node.report(
            "contract-shape",
            f"{keyword.name!r} must be {expected}, found {quote_value(value)}",
            help=f"write {expected}",
            key=keyword.name,
        )
    elif value is not False:
        is_flag = keyword.exclusive != "" and not node.source.ref_siblings  # a number from 3.1 on
        is_exclusive = is_flag and node.value.get(keyword.exclusive) is True
        name = keyword.exclusive if is_exclusive else keyword.name
        yield Constraint(keyword=name, value=_without_repetition(value) if isinstance(value, dict) else value)


def _without_repetition(names: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return lists of names without repetition: a validator refuses those (JSON Schema Validation §6.5.4)."""
    return {name: list(dict.fromkeys(others)) for name, others in names.items()}


def read_examples(node: Node) -> tuple[Any, ...]:
    """Return the examples of a schema: `example` (3.0) first, then `examples` (3.1: a list)."""
    examples: list[Any] = [node.value["example"]] if "example" in node.value else []
    examples.extend(item.value for item in node.items("examples"))
    return tuple(published_values(examples, node))


def read_enum_descriptions(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the description of each enum value, by the value as text."""
    return _texts_by_value(node, ENUM_DESCRIPTION_KEYS)


def read_enum_names(node: Node) -> tuple[tuple[str, str], ...]:
    """Return the name that each value of an enum has in code, by the value as text."""
    return _texts_by_value(node, ENUM_NAME_KEYS)


def _texts_by_value(node: Node, keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return texts by value, from a mapping by value or from a list parallel to the enum. Empty texts are
    left out.
    """
    enum = node.value.get("enum")
    values = [published_value(value, node) for value in enum] if isinstance(enum, list) else None
    for key in keys:
        member = node.value.get(key)
        if isinstance(member, list) and values is not None:
            pairs: list[tuple[str, Any]] = list(zip(map(str, values), member, strict=False))
        elif isinstance(member, dict):
            shown = {_mapping_key(value): str(value) for value in values or ()}
            pairs = [(shown[name] if name in shown else str(name), text) for name, text in member.items()]
        else:
            continue
        texts = tuple((name, str(text)) for name, text in pairs if text is not None and text != "")
        if texts:
            return texts
    return ()


def _mapping_key(value: Any) -> str:
    """Return a value as the key of a mapping that speaks of it: `true`, where Python says `True`."""
    return json.dumps(value) if value is None or isinstance(value, bool) else str(value)


def read_xml(node: Node) -> Xml | None:
    """Return how the schema is written in XML (OAS 3.0.3 §4.7.26, 3.2.0 §4.26), if it declares that."""
    xml = node.mapping("xml")
    if xml is None:
        return None
    kind = xml.text("nodeType") or ("attribute" if xml.flag("attribute") else "")
    if kind and kind not in _XML_NODE_TYPES:
        xml.report(
            "contract-shape",
            f"{kind!r} is not a type of an XML node",
            help=f"one of {', '.join(_XML_NODE_TYPES)}",
            key="nodeType",
        )
        kind = ""
    return Xml(
        name=xml.text("name"),
        namespace=xml.text("namespace"),
        prefix=xml.text("prefix"),
        node_type=kind,
        is_wrapped=xml.flag("wrapped"),
    )
