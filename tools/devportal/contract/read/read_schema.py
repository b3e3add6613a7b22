"""Nodes → schemas. What OAS 3.0 (§4.7.24) and 3.1 (§4.8.24) spell differently becomes one form here."""

import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, TypeVar

from devportal.contract.internal.internal_names import InternalNames
from devportal.contract.internal.redaction import (
    VALUE_LISTS,
    internal_properties,
    published_value,
    published_values,
    without_members,
)
from devportal.contract.keyword_columns import Holds, Keyword, Reading
from devportal.contract.keywords import DATA_ROWS, KEYWORD_BY_NAME, KEYWORDS, keywords_read
from devportal.contract.read.lifecycle_extensions import (
    ENUM_DESCRIPTION_KEYS,
    ENUM_NAME_KEYS,
    GROUNDS_KEYS,
    leads_to_internal,
    read_external_docs,
    read_grounds,
    read_renamed_from,
    read_stability,
    read_unknown_stability,
)
from devportal.contract.read.read_state_machine import read_state_machine
from devportal.contract.read.read_value_keywords import (
    read_constraints,
    read_enum_descriptions,
    read_enum_names,
    read_examples,
    read_xml,
)
from devportal.contract.read.references import broken_reference, has_no_keywords, name_from_reference
from devportal.contract.read.source import Node
from devportal.contract.read.type_names import type_name_advice
from devportal.contract.schemas import ABSENT, Constraint, Discriminator, Location, Property, Schema
from devportal.contract.validate.oas_objects import discriminator_reference
from devportal.contract.values.conjunction import cut_reference_chains
from devportal.contract.wording import quote_reference, quote_value
from devportal.findings import Level

_KNOWN_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_SINGLE_TYPES = {name: (name,) for name in _KNOWN_TYPES if name != "null"}


def _required_names(node: Node) -> tuple[str, ...]:
    """Return the names under `required` of an object. Swagger 1.2 and JSON Schema draft 3 had it in each property."""
    is_required = node.value.get("required")
    if not isinstance(is_required, bool):
        return node.texts("required")
    *around, name = node.location.pointer or ("",)
    is_property = around[-1:] == ["properties"]
    node.report(
        "contract-shape",
        f"'required' must be a list, found {quote_value(is_required)}",
        help=(
            "remove it"
            if not is_required
            else f"write 'required: [{name}]' next to the 'properties' around it"
        )
        if is_property
        else "list the names of the properties that are required",
        key="required",
    )
    return ()


_Part = TypeVar("_Part")


class SchemaReader:
    """Reads schemas, and remembers which references still have to be read."""

    def __init__(self, *, nullable_keyword: bool, ref_siblings: bool, internal_names: InternalNames) -> None:
        """Set whether `nullable` has a meaning (3.0), whether the siblings of a `$ref` have one (3.1), and
        which names and values schemas must not publish.
        """
        self._internal_names = internal_names
        self._nullable_keyword = nullable_keyword
        self._ref_siblings = ref_siblings
        self._pending: deque[Node] = deque()
        self._known: set[Location] = set()
        self._endless: dict[Location, bool] = {}
        self._shared: dict[tuple[Callable[..., Any], Location], tuple[Node, Any]] = {}
        self.schemas: dict[Location, Schema] = {}
        self.cuts: tuple[Location, ...] = ()
        """The schemas that refer to chains which are too long; they are read without those references."""

    def once(self, read: "Callable[[Node, SchemaReader], _Part]", node: Node) -> _Part:
        """Return the part that `read` makes of a node: the same one for all references that lead there."""
        key = read, node.location
        known = self._shared.get(key)
        if (
            known is None or known[0].value is not node.value
        ):  # what stands beside a reference is merged into it
            known = self._shared[key] = (node, read(node, self))
        part: _Part = known[1]
        return part

    def note(self, node: Node) -> None:
        """Have the schema at a node read and kept, whether or not a reference leads there."""
        if node.location not in self._known:
            self._known.add(node.location)
            self._pending.append(node)

    def finish(self) -> None:
        """Read everything that references lead to."""
        while self._pending:
            node = self._pending.popleft()
            schema = self.read(node, name=_schema_name(node.location))
            self.schemas[node.location] = (
                _broken_schema(schema, node.value["$ref"]) if self._is_endless(node) else schema
            )
        self.schemas, self.cuts = cut_reference_chains(_apply_component_names(self.schemas))

    def _is_endless(self, node: Node) -> bool:
        """Say whether references only lead to each other, and report it; recursion through keywords is
        fine.
        """
        current: Node | None = node
        seen: dict[Location, None] = {}
        while (
            current is not None
            and isinstance(current.value, dict)
            and isinstance(current.value.get("$ref"), str)
        ):
            if current.location in seen or current.location in self._endless:
                break
            seen[current.location] = None
            current = node.source.follow(current.value["$ref"], current.location)
        else:
            current = None
        is_endless = current is not None and self._endless.get(current.location, True)
        if is_endless:
            message = f"the reference {quote_reference(node.value['$ref'])} leads back to itself"
            node.report("contract-ref-broken", message, help="fix the $ref")
        self._endless.update(dict.fromkeys(seen, is_endless))
        return is_endless

    def read(self, node: Node, *, name: str = "") -> Schema:
        """Return the schema at a node; malformed parts are reported and read as if they were absent."""
        if isinstance(node.value, bool):
            return Schema(location=node.location, name=name, verdict=node.value)
        if not isinstance(node.value, dict):
            node.report(
                "contract-shape", f"expected a schema, found {quote_value(node.value)}", help="write a schema"
            )
            return Schema(location=node.location, name=name)
        ref = self._reference(node)
        if ref is not None and (not self._ref_siblings or len(node.value) == 1):
            idle = _idle_keywords(node, _REFERENCES)
            return Schema(location=node.location, name=name, ref=ref, idle_keywords=idle)
        schema = self._read_object(node, name, ref)
        reference = node.value.get("$ref") if ref is None else None
        return _broken_schema(schema, reference) if isinstance(reference, str) else schema

    def broken_schema(self, node: Node) -> Schema | None:
        """Return a placeholder for the schema of a part whose reference is broken, if it has one."""
        reference = broken_reference(node)
        return _broken_schema(Schema(location=node.location), reference) if reference else None

    def _reference(self, node: Node) -> Location | None:
        """Return the target of `$ref`, or of a `$dynamicRef` (3.1) whose anchor nothing overrides
        (`devportal.contract.read.dynamic_references` resolves the others).
        """
        reference = node.value.get("$ref", node.value.get("$dynamicRef") if self._ref_siblings else None)
        if not isinstance(reference, str):
            return None
        location = node.source.locate(reference, node.location)
        if location is None or location in self._known:
            return location
        target = node.source.node_at(location, node.location, reference)
        if target is None:
            return None
        self.note(target)
        return location

    def member(self, node: Node, key: str) -> Schema | None:
        """Return the schema at a member of a node, None if there is none or it is internal."""
        member = node.get(key)
        return None if member is None or self._is_hidden(member) else self.read(member)

    def _is_hidden(self, node: Node) -> bool:
        return leads_to_internal(node) or self._internal_names.hides(node.location)

    def _read_object(self, node: Node, name: str, ref: Location | None) -> Schema:
        """Return the schema of a mapping. Only its own keywords are read: most schemas have few of the forty."""
        fields: dict[str, Any] = {}
        for reading in _readers_of(tuple(node.value)):
            fields |= reading(self, node)
        hidden, values = self._internal_names.names(node.location), self._internal_names.values(node.location)
        if hidden:
            fields |= _without_properties(fields, hidden)
        if values:
            fields |= _without_enum_values(fields, values)
        idle = _idle_keywords(node, _READ_KEYWORDS if self._nullable_keyword else _READ_KEYWORDS_BUT_NULLABLE)
        idle += _unknown_level(node)
        return Schema(location=node.location, name=name, ref=ref, idle_keywords=idle, **fields)

    def types_and_values(self, node: Node) -> dict[str, Any]:
        """Return which values there may be: types, enum, const, unions, and with all these whether null."""
        types, nullable = self._types(node)
        if types and not nullable and _BESIDE_TYPES.isdisjoint(node.value):
            return {"types": types}  # most schemas: what follows would add nothing
        has_null_branch = self._has_null_in_each_union(node)
        one_of, any_of = (self._union(node, key, without_null=has_null_branch) for key in _UNIONS)
        enum = self._enum(node) if "enum" in node.value else ()
        is_null = node.value.get("type") in ("null", ["null"])
        const = node.value.get("const", None if is_null else ABSENT)
        if is_null and const is not None and not enum:
            enum = (None,)
        is_null_listed = has_null_branch or None in enum
        is_beside_unions = is_null and bool(one_of or any_of)
        return {
            "types": types,
            "has_idle_nullable": nullable and "type" not in node.value and not is_null_listed,
            "nullable": self._fits_null(node)
            and not is_beside_unions
            and (nullable or has_null_branch or (None in enum and not types)),
            "enum": enum,
            "has_empty_enum": node.value.get("enum") == [],
            "const": const if const is ABSENT else published_value(const, node),
            "one_of": one_of,
            "any_of": any_of,
        }

    def _enum(self, node: Node) -> tuple[Any, ...]:
        if node.value["enum"] == []:
            self._report_empty_enum(node)
        return tuple(published_values([item.value for item in node.items("enum")], node))

    def _report_empty_enum(self, node: Node) -> None:
        """Report that no value fits: an error in OAS 3.0, later bad style (JSON Schema §6.1.2)."""
        node.report(
            "contract-enum",
            "this enum is empty: no value fits, and none is shown",
            help="list the values, or remove the 'enum'",
            level=Level.ERROR if self._nullable_keyword else Level.WARNING,
            key="enum",
        )

    def object_members(self, node: Node) -> dict[str, Any]:
        """Return properties and required names of an object, the internal ones left out of both."""
        hidden = self._internal_names.names(node.location)
        required = tuple(name for name in dict.fromkeys(_required_names(node)) if name not in hidden)
        return {"properties": self.properties(node, "properties", frozenset(required)), "required": required}

    def _types(self, node: Node) -> tuple[tuple[str, ...], bool]:
        """Return the types but null, and whether null is allowed: beside combinations 3.0's `nullable` has
        no meaning (OAS 3.0.3 §4.7.24), but what its author means is plain.
        """
        declared = node.value.get("type")
        nullable = self._nullable_keyword and node.flag("nullable")
        if declared is None:
            return (), nullable
        if isinstance(declared, str) and declared in _SINGLE_TYPES:
            return _SINGLE_TYPES[declared], nullable
        names = declared if isinstance(declared, list) else [declared]
        types = []
        for name in names:
            if isinstance(name, str) and name in _KNOWN_TYPES:
                types.append(name)
            else:
                node.report(
                    "contract-shape",
                    f"{quote_value(name)} is not a type",
                    help=type_name_advice(
                        name, _KNOWN_TYPES - ({"null"} if self._nullable_keyword else set())
                    ),
                    key="type",
                )
        return tuple(dict.fromkeys(name for name in types if name != "null")), nullable or "null" in types

    def _fits_null(self, node: Node) -> bool:
        """Say whether enum and const, if there are any, let null through. Authors of 3.0 rarely repeat it."""
        if self._nullable_keyword:
            return True
        enum = node.value.get("enum")
        return node.value.get("const") is None and (not isinstance(enum, list) or None in enum)

    def _has_null_in_each_union(self, node: Node) -> bool:
        """Say whether null branches are what makes the value nullable: each union has another branch as well,
        and no type or enum decides about null too.
        """
        if not any(key in node.value for key in _UNIONS):
            return False
        unions = [self._published_branches(node, key) for key in _UNIONS if key in node.value]
        is_null = [[_is_null(branch.value) for branch in branches] for branches in unions]
        return (
            bool(unions)
            and not {"type", "enum", "const"} & node.value.keys()
            and all(any(item) and not all(item) for item in is_null)
        )

    def _published_branches(self, node: Node, key: str) -> tuple[Node, ...]:
        return tuple(branch for branch in node.items(key) if not self._is_hidden(branch))

    def _union(self, node: Node, key: str, *, without_null: bool) -> tuple[Schema, ...]:
        """Return the branches of a union, without those that only say null if `nullable` says it."""
        if key not in node.value:
            return ()
        branches = self._published_branches(node, key)
        return tuple(
            self.read(branch) for branch in branches if not (without_null and _is_null(branch.value))
        )

    def properties(
        self, node: Node, key: str, required: frozenset[str] = frozenset()
    ) -> tuple[Property, ...]:
        """Return the properties that are published."""
        hidden = self._internal_names.names(node.location) if key == "properties" else frozenset()
        return tuple(
            Property(name=name, schema=self.read(member), required=name in required)
            for name, member in node.members(key)
            if name not in hidden and not leads_to_internal(member)
        )

    def hidden_properties(self, media: Node) -> frozenset[str]:
        """Return the names of the internal properties of the schema of a media type."""
        return internal_properties(media.get("schema"))

    def single_schema(self, node: Node, key: str, field: str) -> dict[str, Any]:
        """Return the field of a keyword that holds one schema, nothing if it is internal."""
        schema = self.member(node, key)
        return {} if schema is None else {field: schema}

    def schema_list(self, node: Node, key: str, field: str) -> dict[str, Any]:
        """Return the field of a keyword that holds a list of parts, the internal ones left out."""
        return {field: tuple(self.read(item) for item in node.items(key) if not self._is_hidden(item))}

    def prefix_items(self, node: Node) -> dict[str, Any]:
        """Return the items by position; an internal one becomes `true`, so that the others keep their
        positions.
        """
        return {
            "prefix_items": tuple(
                Schema(location=item.location, verdict=True) if leads_to_internal(item) else self.read(item)
                for item in node.items("prefixItems")
            )
        }

    def discriminator(self, node: Node) -> dict[str, Any]:
        """Return the discriminator; what it maps to is read even if nothing else leads there."""
        declared = node.mapping("discriminator")
        if declared is None or not declared.text("propertyName"):
            return {}
        mapping = tuple(_mapping_entries(declared))
        default = declared.get("defaultMapping")
        default_target = _mapping_target(default) if default is not None else None
        for target in (*(target for _, target in mapping), *([default_target] if default_target else [])):
            self.note(target)
        return {
            "discriminator": Discriminator(
                property_name=declared.text("propertyName"),
                mapping=tuple((value, target.location) for value, target in mapping),
                default=default_target.location if default_target else None,
            )
        }

    def other_schemas(self, node: Node) -> dict[str, Any]:
        """Return the schemas under the rarer keywords, in the order of the registry."""
        members = ((key, self.member(node, key)) for key in _OTHER_SCHEMAS)
        schemas = [(key, schema) for key, schema in members if schema is not None]
        schemas += [
            (f"{key} {name}", self.read(member))
            for key in _OTHER_SCHEMA_MAPS
            for name, member in node.members(key)
            if not self._is_hidden(member)
        ]
        return {"others": tuple(schemas)}


def _idle_keywords(node: Node, keywords: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """Return the members that are none of the keywords that count, and no extensions, with their values as JSON."""
    if keywords.issuperset(node.value):
        return ()
    names = sorted(key for key in node.value if key not in keywords and not key.startswith("x-"))
    return tuple((key, json.dumps(node.value[key], sort_keys=True, default=str)) for key in names)


def _unknown_level(node: Node) -> tuple[tuple[str, str], ...]:
    """Return a level of stability that does not exist: it decides nothing."""
    level = read_unknown_stability(node)
    return (("x-stability-level", json.dumps(level)),) if level else ()


_OTHER_SCHEMAS, _OTHER_SCHEMA_MAPS = (
    tuple(key for key in keywords_read(Reading.OTHER) if KEYWORD_BY_NAME[key].holds is holds)
    for holds in (Holds.ONE, Holds.MAP)
)


_KeywordReader = Callable[[SchemaReader, Node], dict[str, Any]]


def _read_content(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"content": tuple((key, node.text(key)) for key in _CONTENT if node.text(key))}


def _read_examples(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"examples": read_examples(node), "has_lone_example": "example" in node.value}


def _read_constraints(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"constraints": read_constraints(node)}


def _read_enum_descriptions(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"enum_descriptions": read_enum_descriptions(node)}


def _read_enum_names(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"enum_names": read_enum_names(node)}


def _read_grounds(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"grounds": read_grounds(node)}


def _read_beta_values(_: SchemaReader, node: Node) -> dict[str, Any]:
    values = [item.value for item in node.items("x-beta-values")]
    return {"beta_values": tuple(published_values(values, node))}


def _read_extensible_enum(_: SchemaReader, node: Node) -> dict[str, Any]:
    """Return the values of a set that may grow: a list of them, or `true` beside an enum."""
    values = node.value["x-extensible-enum"]
    if not isinstance(values, list):
        return {"extensible_enum": ()} if values is True else {}
    return {"extensible_enum": tuple(published_values(values, node))}


def _read_extensions(_: SchemaReader, node: Node) -> dict[str, Any]:
    return {"extensions": tuple((key, node.value[key]) for key in node.value if key in _EXTENSIONS)}


_UNIONS = ("oneOf", "anyOf")
_BESIDE_TYPES = frozenset({"enum", "const", *_UNIONS})
_CONTENT = keywords_read(Reading.CONTENT)
_EXTENSIONS = frozenset(keywords_read(Reading.EXTENSION))
_OWN_READERS: dict[str, _KeywordReader] = {
    **dict.fromkeys(("type", "nullable", "enum", "const", "oneOf", "anyOf"), SchemaReader.types_and_values),
    **dict.fromkeys(("properties", "required"), SchemaReader.object_members),
    **dict.fromkeys(("example", "examples"), _read_examples),
    **dict.fromkeys(ENUM_DESCRIPTION_KEYS, _read_enum_descriptions),
    **dict.fromkeys(ENUM_NAME_KEYS, _read_enum_names),
    "default": lambda _, node: {"default": published_value(node.value["default"], node)},
    "patternProperties": lambda reader, node: {
        "pattern_properties": reader.properties(node, "patternProperties")
    },
    "prefixItems": SchemaReader.prefix_items,
    "discriminator": SchemaReader.discriminator,
    "x-stability-level": lambda _, node: {"stability": read_stability(node)},
    **dict.fromkeys(GROUNDS_KEYS, _read_grounds),
    "x-renamed-from": lambda _, node: {"renamed_from": read_renamed_from(node)},
    "x-state-machine": lambda _, node: {"state_machine": read_state_machine(node)},
    "externalDocs": lambda _, node: {"external_docs": read_external_docs(node)},
    "xml": lambda _, node: {"xml": read_xml(node)},
    "x-beta-keywords": lambda _, node: {"beta_keywords": node.texts("x-beta-keywords")},
    "x-beta-values": _read_beta_values,
    "x-extensible-enum": _read_extensible_enum,
}
"""The readers of keywords that are like no other; those that depend on each other share one."""


def _reader_of(row: Keyword, key: str) -> _KeywordReader:
    """Return the function that reads a keyword, under one of its names."""
    match row.reading:
        case Reading.TEXT:
            return lambda _, node: {row.model_field: node.text(key)}
        case Reading.FLAG:
            return lambda _, node: {row.model_field: node.flag(key)}
        case Reading.SCHEMA:
            return lambda reader, node: reader.single_schema(node, key, row.model_field)
        case Reading.SCHEMA_LIST:
            return lambda reader, node: reader.schema_list(node, key, row.model_field)
        case Reading.CONSTRAINT:
            return _read_constraints
        case Reading.CONTENT:
            return _read_content
        case Reading.EXTENSION:
            return _read_extensions
        case Reading.OTHER:
            return SchemaReader.other_schemas
    return _OWN_READERS[key]


_KEYWORD_READERS: dict[str, _KeywordReader] = {
    key: _reader_of(row, key)
    for row in KEYWORDS
    for key in row.names
    if row.reading not in (None, Reading.REFERENCE)
}
"""Which keyword is read how; a reading that several keywords share runs once."""


@lru_cache(maxsize=4096)
def _readers_of(keywords: tuple[str, ...]) -> tuple[_KeywordReader, ...]:
    """Return the functions that read the keywords of a schema; many schemas have the same ones."""
    return tuple(dict.fromkeys(_KEYWORD_READERS[key] for key in keywords if key in _KEYWORD_READERS))


_REFERENCES = frozenset(keywords_read(Reading.REFERENCE))
_READ_KEYWORDS = _REFERENCES | _KEYWORD_READERS.keys()
_READ_KEYWORDS_BUT_NULLABLE = _READ_KEYWORDS - {"nullable"}


_DATA_FIELDS = frozenset(row.model_field for row in DATA_ROWS)
_VALUE_LIST_FIELDS = frozenset(KEYWORD_BY_NAME[name].model_field for name in VALUE_LISTS)


def _without_properties(fields: dict[str, Any], hidden: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a schema that name properties, without the internal ones."""
    redacted: dict[str, Any] = {}
    if "constraints" in fields:
        constraints = (_without_dependents(constraint, hidden) for constraint in fields["constraints"])
        redacted["constraints"] = tuple(constraint for constraint in constraints if constraint.value != {})
    for key in _DATA_FIELDS & fields.keys():
        value = fields[key]
        is_list = isinstance(value, tuple)
        redacted[key] = (
            tuple(without_members(item, hidden) for item in value)
            if is_list
            else without_members(value, hidden)
        )
    if "others" in fields:
        redacted["others"] = tuple(
            (key, schema) for key, schema in fields["others"] if key.partition(" ")[2] not in hidden
        )
    if "discriminator" in fields and fields["discriminator"].property_name in hidden:
        redacted["discriminator"] = None
    return redacted


def _without_enum_values(fields: dict[str, Any], values: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a schema that describe its enum values, without some of the values."""
    redacted: dict[str, Any] = {
        key: tuple(pair for pair in fields[key] if pair[0] not in values)
        for key in ("enum_descriptions", "enum_names")
        if key in fields
    }
    for key in _VALUE_LIST_FIELDS & fields.keys():
        redacted[key] = tuple(item for item in fields[key] if not (isinstance(item, str) and item in values))
    if fields.get("state_machine") is not None:
        redacted["state_machine"] = fields["state_machine"].without(values)
    return redacted


def _without_dependents(constraint: Constraint, hidden: frozenset[str]) -> Constraint:
    if constraint.keyword != "dependentRequired":
        return constraint
    dependent_names = {
        name: [other for other in names if other not in hidden]
        for name, names in constraint.value.items()
        if name not in hidden
    }
    return replace(constraint, value=dependent_names)


def _broken_schema(schema: Schema, reference: str) -> Schema:
    """Return a schema with a broken reference; a component keeps its own name."""
    return replace(schema, ref=None, broken=reference, name=schema.name or name_from_reference(reference))


def _apply_component_names(schemas: dict[Location, Schema]) -> dict[Location, Schema]:
    """Return the schemas, with those that a component of the contract is only a reference to under its name:
    the file that holds `Pet` may be called anything.
    """
    names: dict[Location, str] = {}
    for location, component in schemas.items():
        target = component.ref if _is_component(location) and has_no_keywords(component) else None
        while target in schemas and target.file and target not in names:
            names[target] = component.name
            target = schemas[target].ref if has_no_keywords(schemas[target]) else None
    return schemas | {location: replace(schemas[location], name=name) for location, name in names.items()}


def _is_component(location: Location) -> bool:
    is_in_components = not location.file and location.pointer[:2] == ("components", "schemas")
    return is_in_components and len(location.pointer) == 3


def _schema_name(location: Location) -> str:
    """Return the name of a shared schema: its key, or the name of its file if it is a whole file."""
    return location.pointer[-1] if location.pointer else PurePosixPath(location.file).stem


def _is_null(value: Any) -> bool:
    """Say whether a schema allows null only, and nothing in it is for readers."""
    if not isinstance(value, dict) or any(value.get(key) for key in ("description", "title")):
        return False
    listed = value.get("enum")
    if value.get("const") is not None or (isinstance(listed, list) and None not in listed):
        return False
    return (
        value.get("type") in ("null", ["null"])
        or ("const" in value and value["const"] is None)
        or value.get("enum") == [None]
    )


def _mapping_entries(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield value and target, the internal left out."""
    for value, member in node.members("mapping"):
        target = _mapping_target(member)
        if target is not None:
            yield value, target


def _mapping_target(member: Node) -> Node | None:
    """Return the target of a discriminator value: a reference, or the name of a schema (OAS 3.0.3 §4.7.25)."""
    target_name = member.value
    if not isinstance(target_name, str):
        return None
    target = member.source.follow(discriminator_reference(target_name), member.location)
    return target if target is not None and not leads_to_internal(target) else None
