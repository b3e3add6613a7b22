"""Nodes → schemas. What OAS 3.0 (§4.7.24) and 3.1 (§4.8.24) spell differently becomes one form here."""

from collections import deque
from collections.abc import Iterator
from typing import Any

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
from devportal.contract.source import Node, locate_reference
from devportal.findings import Level

EXTENSIONS = frozenset({"x-unit", "x-decision"})
"""The `x-` keywords of schemas, beyond those the model has fields for, that are kept and shown."""

_CONSTRAINTS = (
    "multipleOf", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "minLength", "maxLength",
    "pattern", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties",
    "maxProperties",
    "dependentRequired",
)  # fmt: skip
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

    def note(self, node: Node) -> None:
        """Have the schema at a node read and kept, whether or not a reference leads there."""
        if node.location not in self._known:
            self._known.add(node.location)
            self._pending.append(node)

    def finish(self) -> None:
        """Read everything that references lead to."""
        while self._pending:
            node = self._pending.popleft()
            self.schemas[node.location] = self.read(node, name=node.location.pointer[-1])

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
        reference = node.value.get("$ref")
        if not isinstance(reference, str):
            return None
        try:
            known = locate_reference(reference, node.location)
        except ValueError:
            known = None
        if known in self._known:
            return known
        target = node.source.follow(reference, node.location)
        if target is None:
            return None
        self.note(target)
        return target.location

    def _read_object(self, node: Node, name: str, ref: Location | None) -> Schema:
        value = node.value
        types, nullable = self._types(node)
        one_of, null_in_one_of = self._union(node, "oneOf")
        any_of, null_in_any_of = self._union(node, "anyOf")
        enum = tuple(value["enum"]) if isinstance(value.get("enum"), list) else ()
        required = node.texts("required") if isinstance(value.get("required"), list) else ()
        return Schema(
            location=node.location,
            name=name,
            ref=ref,
            types=types,
            nullable=nullable or null_in_one_of or null_in_any_of or (None in enum and not types),
            format=node.text("format"),
            title=node.text("title"),
            description=node.text("description"),
            enum=enum,
            enum_descriptions=_enum_descriptions(node),
            const=value.get("const", ABSENT),
            default=value.get("default", ABSENT),
            examples=_examples(node),
            constraints=tuple(_constraints(node)),
            properties=tuple(self._properties(node, "properties", required)),
            pattern_properties=tuple(self._properties(node, "patternProperties", ())),
            additional_properties=self._single(node, "additionalProperties"),
            required=required,
            items=self._single(node, "items"),
            prefix_items=tuple(self.read(item) for item in node.items("prefixItems")),
            all_of=tuple(self.read(item) for item in node.items("allOf")),
            one_of=one_of,
            any_of=any_of,
            negated=self._single(node, "not"),
            others=tuple(self._rare(node)),
            discriminator=_discriminator(node),
            read_only=node.flag("readOnly"),
            write_only=node.flag("writeOnly"),
            deprecated=node.flag("deprecated"),
            stability=read_stability(node),
            external_docs=read_external_docs(node),
            content=tuple(
                (key, node.text(key)) for key in ("contentMediaType", "contentEncoding") if node.text(key)
            ),
            extensions=tuple((key, value[key]) for key in value if key in EXTENSIONS),
        )

    def _types(self, node: Node) -> tuple[tuple[str, ...], bool]:
        written = node.value.get("type")
        if written is None:
            return (), False
        names = written if isinstance(written, list) else [written]
        types = []
        for name in names:
            if isinstance(name, str) and name in _KNOWN_TYPES:
                types.append(name)
            else:
                node.report(
                    "contract-shape", f"{name!r:.60} is no type", help=f"one of {sorted(_KNOWN_TYPES)}"
                )
        nullable = "null" in types or (self._nullable_keyword and node.flag("nullable"))
        return tuple(dict.fromkeys(name for name in types if name != "null")), nullable

    def _union(self, node: Node, key: str) -> tuple[tuple[Schema, ...], bool]:
        """Return the branches of a union without those that only say null, and whether there was one."""
        branches = tuple(node.items(key))
        told = tuple(branch for branch in branches if not _is_null(branch.value))
        return tuple(self.read(branch) for branch in told), len(told) < len(branches)

    def _properties(self, node: Node, key: str, required: tuple[str, ...]) -> Iterator[Property]:
        for name, member in node.members(key):
            if not is_internal(member):
                yield Property(name=name, schema=self.read(member), required=name in required)

    def _single(self, node: Node, key: str) -> Schema | None:
        member = node.get(key)
        if member is None or isinstance(member.value, list):
            return None
        return self.read(member)

    def _rare(self, node: Node) -> Iterator[tuple[str, Schema]]:
        for key in _RARE:
            member = node.get(key)
            if member is not None:
                yield key, self.read(member)
        for key in ("dependentSchemas", "$defs"):
            for name, member in node.members(key):
                if key == "dependentSchemas":
                    yield f"{key} {name}", self.read(member)


def is_internal(node: Node) -> bool:
    """Say whether a part is marked `x-internal: true` and so never published."""
    return isinstance(node.value, dict) and node.value.get("x-internal") is True


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
        value.get("type") in ("null", ["null"]) or ("const" in value and value["const"] is None)
    )


def _examples(node: Node) -> tuple[Any, ...]:
    """Return the examples of a schema: `example` (3.0) first, then `examples` (3.1: a list)."""
    found: list[Any] = [node.value["example"]] if "example" in node.value else []
    listed = node.value.get("examples")
    if isinstance(listed, list):
        found.extend(listed)
    return tuple(found)


def _constraints(node: Node) -> Iterator[Constraint]:
    """Yield the validation keywords; 3.0's `exclusiveMinimum: true` beside `minimum` becomes 3.1's number."""
    value = node.value
    for keyword in _CONSTRAINTS:
        written = value.get(keyword)
        exclusive = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}.get(keyword)
        if written is None or (isinstance(written, bool) and keyword != "uniqueItems"):
            continue
        if exclusive and value.get(exclusive) is True:
            keyword = exclusive  # noqa: PLW2901 - the bound is the same, its keyword is the exclusive one
        if written is not False:
            yield Constraint(keyword=keyword, value=written)


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


def _discriminator(node: Node) -> Discriminator | None:
    written = node.mapping("discriminator")
    if written is None or not written.text("propertyName"):
        return None
    return Discriminator(
        property_name=written.text("propertyName"),
        mapping=tuple(_mapping_entries(written)),
    )


def _mapping_entries(node: Node) -> Iterator[tuple[str, Location]]:
    """Yield value and target; a target is a reference or a bare schema name (OAS 3.0.3 §4.7.25)."""
    for value, member in node.members("mapping"):
        if not isinstance(member.value, str):
            continue
        written = member.value
        bare = "/" not in written and "#" not in written and "." not in written
        reference = f"#/components/schemas/{written}" if bare else written
        target = node.source.follow(reference, node.location)
        if target is not None:
            yield value, target.location
