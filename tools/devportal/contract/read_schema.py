"""Nodes → schemas. What OAS 3.0 (§4.7.24) and 3.1 (§4.8.24) spell differently becomes one form here."""

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from devportal.contract.depth import cut_chains
from devportal.contract.schemas import (
    ABSENT,
    Constraint,
    Discriminator,
    ExternalDocs,
    Location,
    Property,
    Schema,
    Stability,
)
from devportal.contract.source import Node
from devportal.findings import Level

EXTENSIONS = frozenset({"x-unit", "x-decision"})
"""The `x-` keywords of schemas, beyond those the model has fields for, that are kept and shown."""


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
_CONSTRAINTS: dict[str, tuple[str, Callable[[Any], bool]]] = {
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
_RARE = (
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
)
_KNOWN_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})


class SchemaReader:
    """Reads schemas, and remembers which references still have to be read."""

    def __init__(self, *, nullable_keyword: bool, ref_siblings: bool) -> None:
        """Say whether `nullable` means something (3.0), and whether keywords beside `$ref` do (3.1)."""
        self._nullable_keyword = nullable_keyword
        self._ref_siblings = ref_siblings
        self._pending: deque[Node] = deque()
        self._known: set[Location] = set()
        self.schemas: dict[Location, Schema] = {}
        self.cuts: tuple[Location, ...] = ()
        """The schemas that refer to chains which are too long; they are read without those references."""

    def note(self, node: Node) -> None:
        """Have the schema at a node read and kept, whether or not a reference leads there."""
        if node.location not in self._known:
            self._known.add(node.location)
            self._pending.append(node)

    def finish(self) -> None:
        """Read everything that references lead to."""
        while self._pending:
            node = self._pending.popleft()
            self._report_endless(node)
            self.schemas[node.location] = self.read(node, name=_name_of(node.location))
        self.schemas, self.cuts = cut_chains(self.schemas)

    def _report_endless(self, node: Node) -> None:
        """Report references that only lead to each other; recursion through keywords is fine."""
        here: Node | None = node
        seen = set()
        while here is not None and isinstance(here.value, dict) and isinstance(here.value.get("$ref"), str):
            if here.location in seen:
                node.report(
                    "contract-ref-broken", "this reference leads back to itself", help="mend the $ref"
                )
                return
            seen.add(here.location)
            here = node.source.follow(here.value["$ref"], here.location)

    def read(self, node: Node, *, name: str = "") -> Schema:
        """Return the schema at a node; what is malformed is reported and read as if it were absent."""
        if isinstance(node.value, bool):
            return Schema(location=node.location, name=name, verdict=node.value)
        if not isinstance(node.value, dict):
            node.report(
                "contract-shape", f"expected a schema, found {node.value!r:.60}", help="write a schema"
            )
            return Schema(location=node.location, name=name)
        ref = self._reference(node)
        if ref is not None and (not self._ref_siblings or len(node.value) == 1):
            return Schema(location=node.location, name=name, ref=ref)
        return self._read_object(node, name, ref)

    def _reference(self, node: Node) -> Location | None:
        """Return what `$ref` names; a `$dynamicRef` (3.1) is read as if nothing overrode its anchor."""
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
        """Return the schema at a member of a node, None where there is none or it is internal."""
        member = node.get(key)
        return None if member is None or leads_to_internal(member) else self.read(member)

    def _read_object(self, node: Node, name: str, ref: Location | None) -> Schema:
        value = node.value
        types, nullable = self._types(node)
        one_of, null_in_one_of = self._union(node, "oneOf")
        any_of, null_in_any_of = self._union(node, "anyOf")
        enum = tuple(item.value for item in node.items("enum"))
        properties, hidden = self._properties(node, "properties")
        required = tuple(name for name in dict.fromkeys(node.texts("required")) if name not in hidden)
        return Schema(
            location=node.location,
            name=name,
            ref=ref,
            types=types,
            nullable=self._fits_null(node)
            and (nullable or null_in_one_of or null_in_any_of or (None in enum and not types)),
            format=node.text("format"),
            title=node.text("title"),
            description=node.text("description"),
            enum=enum,
            enum_descriptions=_enum_descriptions(node),
            const=value.get("const", None if value.get("type") in ("null", ["null"]) else ABSENT),
            default=value.get("default", ABSENT),
            examples=_examples(node),
            has_lone_example="example" in value,
            constraints=tuple(_constraints(node)),
            properties=tuple(replace(one, required=one.name in required) for one in properties),
            pattern_properties=self._properties(node, "patternProperties")[0],
            additional_properties=self.member(node, "additionalProperties"),
            required=required,
            items=self.member(node, "items"),
            prefix_items=tuple(self.read(item) for item in node.items("prefixItems")),
            all_of=tuple(self.read(item) for item in node.items("allOf") if not leads_to_internal(item)),
            one_of=one_of,
            any_of=any_of,
            negated=self.member(node, "not"),
            others=tuple(self._rare(node)),
            discriminator=self._discriminator(node),
            read_only=node.flag("readOnly"),
            write_only=node.flag("writeOnly"),
            deprecated=node.flag("deprecated"),
            stability=read_stability(node),
            external_docs=read_external_docs(node),
            content=tuple(
                (key, node.text(key)) for key in ("contentMediaType", "contentEncoding") if node.text(key)
            ),
            beta_keywords=node.texts("x-beta-keywords"),
            extensions=tuple((key, value[key]) for key in value if key in EXTENSIONS),
        )

    def _types(self, node: Node) -> tuple[tuple[str, ...], bool]:
        """Return the types but null, and whether null is allowed: beside combinations 3.0's `nullable` has
        no meaning (OAS 3.0.3 §4.7.24), but what its author means is plain.
        """
        written = node.value.get("type")
        nullable = self._nullable_keyword and node.flag("nullable")
        if written is None:
            return (), nullable
        names = written if isinstance(written, list) else [written]
        types = []
        for name in names:
            if isinstance(name, str) and name in _KNOWN_TYPES:
                types.append(name)
            else:
                node.report(
                    "contract-shape", f"{name!r:.60} is no type", help=f"one of {sorted(_KNOWN_TYPES)}"
                )
        return tuple(dict.fromkeys(name for name in types if name != "null")), nullable or "null" in types

    def _fits_null(self, node: Node) -> bool:
        """Say whether enum and const, if there are any, let null through. Authors of 3.0 rarely repeat it."""
        if self._nullable_keyword:
            return True
        enum = node.value.get("enum")
        return node.value.get("const") is None and (not isinstance(enum, list) or None in enum)

    def _union(self, node: Node, key: str) -> tuple[tuple[Schema, ...], bool]:
        """Return the branches of a union without those that only say null, and whether there was one.

        Where all of them only say null, they stay.
        """
        branches = tuple(branch for branch in node.items(key) if not leads_to_internal(branch))
        told = tuple(branch for branch in branches if not _is_null(branch.value)) or branches
        return tuple(self.read(branch) for branch in told), len(told) < len(branches)

    def _properties(self, node: Node, key: str) -> tuple[tuple[Property, ...], set[str]]:
        """Return the properties that are published, and the names of the internal ones."""
        members = tuple(node.members(key))
        hidden = {name for name, member in members if leads_to_internal(member)}
        shown = ((name, member) for name, member in members if name not in hidden)
        return tuple(Property(name=name, schema=self.read(member)) for name, member in shown), hidden

    def _discriminator(self, node: Node) -> Discriminator | None:
        written = node.mapping("discriminator")
        if written is None or not written.text("propertyName"):
            return None
        mapping = tuple(_mapping_entries(written))
        for _, target in mapping:
            self.note(target)
        return Discriminator(
            property_name=written.text("propertyName"),
            mapping=tuple((value, target.location) for value, target in mapping),
        )

    def _rare(self, node: Node) -> Iterator[tuple[str, Schema]]:
        for key in _RARE:
            schema = self.member(node, key)
            if schema is not None:
                yield key, schema
        for name, member in node.members("dependentSchemas"):
            yield f"dependentSchemas {name}", self.read(member)


def is_internal(node: Node) -> bool:
    """Say whether a part is marked `x-internal: true` and so never published."""
    return isinstance(node.value, dict) and node.value.get("x-internal") is True


def leads_to_internal(node: Node) -> bool:
    """Say whether a schema, or one that its chain of references leads to, is marked as internal."""
    here: Node | None = node
    seen: set[Location] = set()
    while here is not None and here.location not in seen and not is_internal(here):
        seen.add(here.location)
        reference = here.value.get("$ref") if isinstance(here.value, dict) else None
        here = here.source.follow(reference, here.location) if isinstance(reference, str) else None
    return here is not None and is_internal(here)


def _name_of(location: Location) -> str:
    """Return what a shared schema is called: its key, or its file's name where it is a whole file."""
    return location.pointer[-1] if location.pointer else PurePosixPath(location.file).stem


def read_stability(node: Node) -> Stability | None:
    """Return `x-stability-level`, None where it is not written; reports a level that does not exist."""
    written = node.text("x-stability-level")
    if not written:
        return None
    try:
        return Stability(written)
    except ValueError:
        node.report(
            "contract-stability",
            f"{written!r} is no stability level",
            help=f"one of {', '.join(Stability)}",
            level=Level.WARNING,
        )
        return None


def read_external_docs(node: Node) -> ExternalDocs | None:
    """Return the link to documentation elsewhere, if there is one."""
    docs = node.mapping("externalDocs")
    if docs is None or not docs.text("url"):
        return None
    return ExternalDocs(url=docs.text("url"), description=docs.text("description"))


def _is_null(value: Any) -> bool:
    return isinstance(value, dict) and (
        value.get("type") in ("null", ["null"])
        or ("const" in value and value["const"] is None)
        or value.get("enum") == [None]
    )


def _examples(node: Node) -> tuple[Any, ...]:
    """Return the examples of a schema: `example` (3.0) first, then `examples` (3.1: a list)."""
    found: list[Any] = [node.value["example"]] if "example" in node.value else []
    found.extend(item.value for item in node.items("examples"))
    return tuple(found)


def _constraints(node: Node) -> Iterator[Constraint]:
    """Yield the validation keywords; 3.0's `exclusiveMinimum: true` beside `minimum` becomes 3.1's number."""
    value = node.value
    for keyword, (expected, fits) in _CONSTRAINTS.items():
        written = value.get(keyword)
        exclusive = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}.get(keyword)
        if written is None or (isinstance(written, bool) and keyword.startswith("exclusive")):
            continue
        if not fits(written):
            node.report(
                "contract-shape",
                f"{keyword!r} must be {expected}, found {written!r:.60}",
                help=f"write {expected}",
                key=keyword,
            )
        elif written is not False:
            is_exclusive = exclusive is not None and value.get(exclusive) is True
            yield Constraint(keyword=exclusive if exclusive and is_exclusive else keyword, value=written)


def _enum_descriptions(node: Node) -> tuple[tuple[str, str], ...]:
    for key in ("x-enumDescriptions", "x-enum-descriptions"):
        written = node.value.get(key)
        if isinstance(written, dict):
            return tuple((str(name), str(text)) for name, text in written.items())
        if isinstance(written, list) and isinstance(node.value.get("enum"), list):
            return tuple(
                (str(name), str(text)) for name, text in zip(node.value["enum"], written, strict=False)
            )
    return ()


def _mapping_entries(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield value and target, the internal left out; a target is a reference or the bare name of a schema
    (OAS 3.0.3 §4.7.25)."""
    for value, member in node.members("mapping"):
        if not isinstance(member.value, str):
            continue
        written = member.value
        bare = "/" not in written and "#" not in written and "." not in written
        reference = f"#/components/schemas/{written}" if bare else written
        target = node.source.follow(reference, member.location)
        if target is not None and not leads_to_internal(target):
            yield value, target
