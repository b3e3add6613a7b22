"""Removes internal members from the values of a contract: an example would publish their names.

It reads the nodes of schemas, not the model, from which internal properties are already removed.
"""

import json
from collections.abc import Iterable, Iterator, Set
from typing import Any

from devportal.contract.keyword_columns import Below, Holds
from devportal.contract.keywords import DATA_ROWS, KEYWORD_BY_NAME, PROPERTY_KEYED, keywords_below, names_of
from devportal.contract.read.lifecycle_extensions import (
    ENUM_DESCRIPTION_KEYS,
    ENUM_NAME_KEYS,
    leads_to_internal,
)
from devportal.contract.read.source import Node
from devportal.contract.schemas import ABSENT
from devportal.contract.validate.oas_objects import child_objects, discriminator_reference
from devportal.documents import parse_document
from devportal.errors import UnreadableInput

_IN_PLACE = (Below.COMBINED, Below.NEGATED, Below.CONDITIONAL)
_COMBINATORS = keywords_below(*_IN_PLACE, holds=Holds.LIST)
_CONDITIONS = keywords_below(*_IN_PLACE, holds=Holds.ONE)
_CONDITIONS_BY_PROPERTY = keywords_below(*_IN_PLACE, holds=Holds.MAP)
_VALUES = names_of(row for row in DATA_ROWS if row.holds is Holds.DATA)
VALUE_LISTS = names_of(row for row in DATA_ROWS if row.holds is Holds.DATA_LIST and row.name != "examples")
"""The keywords that list values there may be."""
_SCHEMAS_BY_PROPERTY = tuple(key for key in PROPERTY_KEYED if KEYWORD_BY_NAME[key].holds is Holds.MAP)
MAX_DEPTH = 50
"""The deepest level of a value that is inspected. Deeper values are removed, since nothing is known about
them.
"""


def published_value(value: Any, *schemas: Node | None) -> Any:
    """Return a value as it is published, given its schemas; ABSENT if it must not be published."""
    nodes = [schema for schema in schemas if schema is not None]
    if not nodes or not nodes[0].source.has_internal:
        return value
    if isinstance(value, str):
        return _published_text(value, nodes)
    return _without_internal(value, nodes, 0)


def _published_text(text: str, schemas: list[Node]) -> Any:
    """Return a text as it is published. If its schema allows no text, it is a serialised value: JSON is
    written again without internal members, and a text that cannot be parsed is removed.
    """
    value = deserialise_example(text) if text.lstrip()[:1] in ("{", "[") else text
    if isinstance(value, (dict, list)):
        published = _without_internal(value, schemas, 0)
        if published is ABSENT:
            return ABSENT
        indent = 2 if "\n" in text else None
        return text if published == value else json.dumps(published, ensure_ascii=False, indent=indent)
    if _is_internal_value(text, schemas):
        return ABSENT
    is_text = any("string" in _schema_types(part) for part in _schemas_of_value(schemas))
    return text if is_text or not _may_hold_internal(schemas) else ABSENT


def _schema_types(schema: Node) -> list[Any]:
    types = schema.value.get("type")
    return types if isinstance(types, list) else [types]


def _may_hold_internal(schemas: list[Node]) -> bool:
    """Say whether values of these schemas may have internal members, at any depth."""
    seen = {schema.location for schema in schemas}
    pending = list(schemas)
    while pending:
        node = pending.pop()
        if leads_to_internal(node):
            return True
        if not isinstance(node.value, dict):
            continue
        below = [child for _, child in same_value_schemas(node)]
        below += [
            Node(value, node.source, node.location.child(*pointer))
            for kind, value, pointer in child_objects("schema", node.value)
        ]
        pending += [node for node in below if node.location not in seen]
        seen.update(node.location for node in below)
    return False


def publish_examples(redacted: dict[str, Any], node: Node) -> None:
    """Remove internal members from the examples in a copy of a node, except from referenced ones: see
    `publish_example`.
    """
    schema = node if "schema" not in node.value else node.get("schema")
    keys = ("example", "default") if schema is not node else _VALUES
    _publish_members(redacted, keys, schema)
    examples = redacted.get("examples")
    for key, values in (("examples", examples), *((key, redacted.get(key)) for key in VALUE_LISTS)):
        if isinstance(values, list):
            redacted[key] = published_values(values, schema)
    named_examples = (
        examples if isinstance(examples, dict) and schema is not node else {}
    )  # a schema has none
    for name, value in list(named_examples.items()):
        if isinstance(value, dict) and not publish_example(value, schema):
            del redacted["examples"][name]


def published_values(values: list[Any], schema: Node | None) -> list[Any]:
    """Return values as they are published, each of those that were different once."""
    if schema is None or not schema.source.has_internal:
        return values
    published: list[Any] = []
    for value in values:
        redacted = published_value(value, schema)
        if redacted is not ABSENT and (redacted == value or redacted not in published):
            published.append(redacted)
    return published


def _publish_members(redacted: dict[str, Any], keys: Iterable[str], *schemas: Node | None) -> None:
    for key in keys:
        if key in redacted:
            redacted[key] = published_value(redacted[key], *schemas)
            if redacted[key] is ABSENT:
                del redacted[key]


def publish_example(redacted: dict[str, Any], *schemas: Node | None) -> bool:
    """Remove internal members from a copy of an example, given its schemas, and return whether a value is
    left.

    If a serialised value (OAS 3.2) changes, it is replaced by the data that is left of it.
    """
    value_keys = [
        key for key in ("value", "dataValue", "serializedValue", "externalValue") if key in redacted
    ]
    _publish_members(redacted, ("value", "dataValue"), *schemas)
    serialised = redacted.get("serializedValue")
    if isinstance(serialised, str):
        value = deserialise_example(serialised)
        published = published_value(value, *schemas)
        if published is ABSENT or published != value:
            del redacted["serializedValue"]
        if published is not ABSENT and published != value:
            redacted.setdefault("dataValue", published)
    return not value_keys or any(key in redacted for key in (*value_keys, "dataValue"))


def deserialise_example(text: str) -> Any:
    """Return the value of an example that is given as it is sent: of JSON, or else the text."""
    try:
        return parse_document(text, name="example.json").data
    except UnreadableInput:
        return text


def remove_properties(schema: dict[str, Any], names: Set[str]) -> None:
    """Take the names of properties that are not published out of a copy of a schema."""
    if not names:
        return
    if isinstance(schema.get("required"), list):
        schema["required"] = _without_names(schema["required"], names)
        if not schema["required"]:
            del schema["required"]  # OAS 3.0 wants at least one name in it
    _remove_dependencies(schema, names)
    _remove_members(schema, names)
    for key in _SCHEMAS_BY_PROPERTY:
        if isinstance(schema.get(key), dict):
            schema[key] = {name: value for name, value in schema[key].items() if name not in names}
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, dict) and _is_among(discriminator.get("propertyName"), names):
        del schema["discriminator"]


def _is_among(value: Any, names: Set[str]) -> bool:
    """Return whether a value is one of the names; the value may be of any type."""
    return isinstance(value, str) and value in names


def _without_names(values: list[Any], names: Set[str]) -> list[Any]:
    return [value for value in values if not _is_among(value, names)]


def _remove_dependencies(schema: dict[str, Any], names: Set[str]) -> None:
    if isinstance(schema.get("dependentRequired"), dict):
        schema["dependentRequired"] = {
            name: _without_names(dependent_names, names)
            if isinstance(dependent_names, list)
            else dependent_names
            for name, dependent_names in schema["dependentRequired"].items()
            if name not in names
        }
        if not schema["dependentRequired"]:
            del schema["dependentRequired"]


def _remove_members(schema: dict[str, Any], names: Set[str]) -> None:
    for key in _VALUES:
        if key in schema:
            schema[key] = without_members(schema[key], names)
    for key in ("examples", *VALUE_LISTS):
        if isinstance(schema.get(key), list):
            schema[key] = [without_members(item, names) for item in schema[key]]


def without_members(value: Any, names: Set[str]) -> Any:
    """Return a value without its unpublished members."""
    return (
        {key: member for key, member in value.items() if key not in names}
        if isinstance(value, dict)
        else value
    )


def remove_enum_values(schema: dict[str, Any], values: Set[str]) -> None:
    """Remove values from the enum in a copy of a schema, and the extensions that describe them."""
    enum = schema.get("enum")
    if not values:
        return
    _remove_states(schema, values)
    if not isinstance(enum, list):
        return
    for key in (*ENUM_DESCRIPTION_KEYS, *ENUM_NAME_KEYS):
        member = schema.get(key)
        if isinstance(member, list):
            schema[key] = [
                content
                for content, value in zip(member, enum, strict=False)
                if not (isinstance(value, str) and value in values)
            ]
        elif isinstance(member, dict):
            schema[key] = {name: value for name, value in member.items() if name not in values}
    for key in VALUE_LISTS:
        if isinstance(schema.get(key), list):
            schema[key] = [item for item in schema[key] if not _is_among(item, values)]


def _remove_states(schema: dict[str, Any], values: Set[str]) -> None:
    """Take values out of the state machine in a copy of a schema, and what leads to or from them."""
    machine = schema.get("x-state-machine")
    if not isinstance(machine, dict):
        return
    redacted = dict(machine)
    if "initial" in machine:
        redacted["initial"] = _without_states(machine["initial"], values)
    if isinstance(machine.get("transitions"), list):
        transitions = (
            _transition_without_states(transition, values) for transition in machine["transitions"]
        )
        redacted["transitions"] = [transition for transition in transitions if transition is not None]
    schema["x-state-machine"] = redacted


def _without_states(states: Any, removed: Set[str]) -> Any:
    """Return one state or a list of states as a list without some of them."""
    return _without_names(states if isinstance(states, list) else [states], removed)


def _transition_without_states(transition: Any, values: Set[str]) -> Any:
    """Return a transition without some of its source states; None if no source or no target is left."""
    if not isinstance(transition, dict) or "from" not in transition:
        return transition
    sources = _without_states(transition["from"], values)
    is_gone = not sources or _is_among(transition.get("to"), values)
    return None if is_gone else {**transition, "from": sources}


def internal_properties(schema: Node | None) -> frozenset[str]:
    """Return the names of the internal properties of a schema, or of the one that it refers to."""
    last = schema.chain()[-1:] if schema is not None else ()
    return frozenset(
        name for node in last for name, member in node.members("properties") if leads_to_internal(member)
    )


def _without_internal(value: Any, schemas: list[Node], depth: int) -> Any:
    """Return a value without internal members; ABSENT if a discriminator selects an internal schema for it, or
    if only internal schemas list it.
    """
    if not schemas:
        return value
    if not isinstance(value, (dict, list)):
        return ABSENT if _is_internal_value(value, schemas) else value
    if depth > MAX_DEPTH:
        return None
    all_parts = list(_schemas_of_value(schemas))
    if isinstance(value, list):
        items = (
            _without_internal(item, list(_item_schemas(all_parts, position)), depth + 1)
            for position, item in enumerate(value)
        )
        return [item for item in items if item is not ABSENT]
    return ABSENT if _is_selected(value, all_parts) else _without_members(value, schemas, all_parts, depth)


def _is_internal_value(value: Any, schemas: list[Node]) -> bool:
    """Return whether a value is one that only internal branches of a union list."""
    return any(
        value in values_of_internal_branches(schema) for schema in _schemas_of_value(schemas, is_public=True)
    )


def values_of_internal_branches(schema: Node) -> list[Any]:
    """Return the values that internal branches of a union list, as `const` or in `enum`, and no other branch does."""
    branches = [
        node for key in ("oneOf", "anyOf") for node in schema.items(key) if isinstance(node.value, dict)
    ]
    if not any(map(leads_to_internal, branches)):
        return []
    public = [
        value for branch in branches if not leads_to_internal(branch) for value in _listed_values(branch)
    ]
    hidden = (value for branch in branches if leads_to_internal(branch) for value in _listed_values(branch))
    return [value for value in hidden if value not in public]


def _listed_values(schema: Node) -> list[Any]:
    """Return the values of `const` and `enum` of a schema, with references followed."""
    value = schema.chain()[-1].value if schema.chain() else schema.value
    enum = value.get("enum") if isinstance(value, dict) else None
    constant = [value["const"]] if isinstance(value, dict) and "const" in value else []
    return [*constant, *(enum if isinstance(enum, list) else ())]


def _is_selected(value: dict[str, Any], parts: list[Node]) -> bool:
    """Return whether a discriminator selects an internal schema for an object."""
    for part in parts:
        name = part.value["discriminator"].get("propertyName") if _has_discriminator(part) else None
        if isinstance(name, str) and name in value and value[name] in [*internal_values(part)]:
            return True
    return False


def _has_discriminator(part: Node) -> bool:
    return isinstance(part.value.get("discriminator"), dict)


def _without_members(value: dict[str, Any], schemas: list[Node], parts: list[Node], depth: int) -> Any:
    """Return an object without the members that are internal, or that only internal schemas know."""
    public = list(_schemas_of_value(schemas, is_public=True)) if any(map(leads_to_internal, parts)) else parts
    published: dict[str, Any] = {}
    for name, member in value.items():
        declared = list(_declared_properties(parts, name))
        is_public = not declared or any(True for _ in _declared_properties(public, name))
        if is_public and not any(map(leads_to_internal, declared)):
            redacted = _without_internal(
                member, declared or list(_additional_property_schemas(parts)), depth + 1
            )
            published |= {name: redacted} if redacted is not ABSENT else {}
    return published


def _schemas_of_value(schemas: list[Node], *, is_public: bool = False) -> Iterator[Node]:
    """Yield all schemas of the same value: the given ones, their targets, and their subschemas for it;
    optionally only the published ones.
    """
    seen = {schema.location for schema in schemas}
    pending = list(schemas)
    while pending:
        node = pending.pop()
        if not isinstance(node.value, dict) or (is_public and leads_to_internal(node)):
            continue
        yield node
        below = [child for _, child in same_value_schemas(node)]
        pending += [node for node in below if node.location not in seen]
        seen.update(node.location for node in below)


def same_value_schemas(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield keyword and schema of everything directly below a schema that describes the same value."""
    reference = node.value.get("$ref")
    target = node.source.follow(reference, node.location) if isinstance(reference, str) else None
    if target is not None:
        yield "$ref", target
    for key in _COMBINATORS:
        if isinstance(node.value.get(key), list):
            yield from ((key, value) for value in node.items(key))
    for key in _CONDITIONS:
        condition = node.get(key)
        if condition is not None:
            yield key, condition
    for key in _CONDITIONS_BY_PROPERTY:
        conditions = node.get(key)
        if conditions is not None:
            yield from ((key, child) for _, child in conditions.entries())


def internal_values(node: Node) -> Iterator[str]:
    """Yield the values with which a discriminator selects internal schemas, and nothing else."""
    discriminator = node.mapping("discriminator")
    if discriminator is None or not discriminator.text("propertyName"):
        return
    mapping = dict(discriminator.members("mapping"))
    for value, member in mapping.items():
        if isinstance(member.value, str):
            target = node.source.follow(discriminator_reference(member.value), member.location)
            if target is not None and leads_to_internal(target):
                yield value
    for key in ("oneOf", "anyOf"):
        for branch in node.items(key):
            reference = branch.text("$ref")
            name = reference.rpartition("/")[2]
            if reference and name not in mapping and leads_to_internal(branch):
                yield name


def _declared_properties(parts: list[Node], name: str) -> Iterator[Node]:
    for part in parts:
        properties = part.value.get("properties")
        if isinstance(properties, dict) and name in properties:
            yield Node(properties[name], part.source, part.location.child("properties", name))


def _additional_property_schemas(parts: list[Node]) -> Iterator[Node]:
    yield from _subschemas(parts, "additionalProperties")


def _item_schemas(parts: list[Node], position: int) -> Iterator[Node]:
    for part in parts:
        prefix = part.value.get("prefixItems")
        if isinstance(prefix, list) and position < len(prefix):
            yield Node(prefix[position], part.source, part.location.child("prefixItems", position))
        else:
            yield from _subschemas([part], "items")


def _subschemas(parts: list[Node], key: str) -> Iterator[Node]:
    nodes = (part.get(key) for part in parts)
    return (node for node in nodes if node is not None)
