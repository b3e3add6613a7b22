"""The model of a schema, one form for all OAS versions. A reference stays one, so the tree is finite."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from devportal.contract.state_machine import StateMachine
from devportal.documents import Pointer, format_pointer

if not TYPE_CHECKING:
    from devportal.fast_dataclass import fast_dataclass
else:
    from dataclasses import dataclass as fast_dataclass


class Absent(Enum):
    """The value of a keyword that is not written: `default: null` differs from no default."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""Used if the contract has no value, since null is a value."""


class Location(NamedTuple):
    """A location in a contract: the file relative to the folder of the root file, and the pointer.

    The root file itself is the empty text. A tuple: there is one for each node, and most are dictionary keys.
    """

    file: str
    pointer: Pointer

    def __str__(self) -> str:
        """Return the location as a reference: `#/components/schemas/Order`, `common.yaml#/…`."""
        return f"{self.file}#{format_pointer(self.pointer)}"

    def child(self, *tokens: str | int) -> "Location":
        """Return the location of a node below this one."""
        return Location(self.file, (*self.pointer, *map(str, tokens)))


class Stability(StrEnum):
    """What the owner promises of a part (`x-stability-level`). Unmarked parts inherit."""

    STABLE = "stable"
    BETA = "beta"
    ALPHA = "alpha"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """The sources of a stability: where the owner documents the part (`x-source`), and the numbers of the
    decisions that propose it (`x-decision`), both as written.
    """

    sources: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalDocs:
    """A link to documentation elsewhere."""

    url: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One validation keyword and its value: `maxLength` 1600, `pattern` "^ord_", `exclusiveMinimum` 0."""

    keyword: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Discriminator:
    """The property that selects a branch of a union, and its explicit value → schema pairs. `default` is the
    schema for other values, and for objects without the property (OAS 3.2).
    """

    property_name: str
    mapping: tuple[tuple[str, Location], ...] = ()
    default: Location | None = None

    @property
    def targets(self) -> tuple[Location, ...]:
        """The schemas that it names."""
        default = () if self.default is None else (self.default,)
        return (*(target for _, target in self.mapping), *default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Xml:
    """How a schema is written in XML. `node_type` is a word of OAS 3.2 (§4.26): `element`, `attribute`,
    `text`, `cdata` or `none`, the empty text for the default; the `attribute: true` of before is one too.
    """

    name: str = ""
    namespace: str = ""
    prefix: str = ""
    node_type: str = ""
    is_wrapped: bool = False

    @property
    def has_list_element(self) -> bool:
        """Return whether a list has an element around its items, by `wrapped` or its node type (OAS 3.2.0 §4.26)."""
        return self.is_wrapped or self.node_type == "element"


@fast_dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A named property of an object schema."""

    name: str
    schema: "Schema"
    required: bool = False


@fast_dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """One schema object. A node with `ref` is a reference to the schema at that location; in 3.1 the keywords
    beside `$ref` count and are filled in, in 3.0 they do not count and are ignored.

    `types` never holds "null": that is `nullable`, however it was written. Beside types or an enum it is
    theirs alone, else that of every union: branches that only say null are then left out. `verdict` is set for the
    schemas `true` and `false` (JSON Schema 2020-12 §4.3.2).
    """

    location: Location
    name: str = ""
    ref: Location | None = None
    broken: str = ""
    """The `$ref` as written, if it cannot be resolved; `name` is then derived from it."""
    verdict: bool | None = None
    types: tuple[str, ...] = ()
    nullable: bool = False
    has_idle_nullable: bool = False
    """Whether a `nullable` of OAS 3.0 allows nothing, without `type` beside it (§4.7.24.1)."""
    format: str = ""
    title: str = ""
    description: str = ""
    comment: str = ""
    dialect: str = ""
    """What JSON Schema the keywords are those of (`$schema`), empty if the contract says it."""
    enum: tuple[Any, ...] = ()
    has_empty_enum: bool = False
    """Whether an `enum` without values is written, which no value fits (JSON Schema Validation §6.1.2)."""
    enum_descriptions: tuple[tuple[str, str], ...] = ()
    enum_names: tuple[tuple[str, str], ...] = ()
    """Names of the values in code (`x-enum-varnames`), by value as text."""
    state_machine: StateMachine | None = None
    """How the values of the enum follow each other (`x-state-machine`)."""
    const: Any = ABSENT
    default: Any = ABSENT
    examples: tuple[Any, ...] = ()
    has_lone_example: bool = False
    """Whether the first of `examples` is written under `example`, the others under `examples`."""
    constraints: tuple[Constraint, ...] = ()
    properties: tuple[Property, ...] = ()
    pattern_properties: tuple[Property, ...] = ()
    additional_properties: "Schema | None" = None
    required: tuple[str, ...] = ()
    items: "Schema | None" = None
    prefix_items: tuple["Schema", ...] = ()
    all_of: tuple["Schema", ...] = ()
    one_of: tuple["Schema", ...] = ()
    any_of: tuple["Schema", ...] = ()
    negated: "Schema | None" = None
    others: tuple[tuple[str, "Schema"], ...] = ()
    """Schemas under the rarer keywords (`if`, `then`, `contains`, `propertyNames`…), by keyword."""
    discriminator: Discriminator | None = None
    read_only: bool = False
    write_only: bool = False
    deprecated: bool = False
    sunset: str = ""
    renamed_from: tuple[str, ...] = ()
    """Earlier names of the property or shared schema (`x-renamed-from`)."""
    stability: Stability | None = None
    grounds: Grounds | None = None
    external_docs: ExternalDocs | None = None
    content: tuple[tuple[str, str], ...] = ()
    """`contentMediaType` and `contentEncoding` with their values."""
    xml: Xml | None = None
    extensible_enum: tuple[Any, ...] | Absent = ABSENT
    """The values known so far of a set that may grow (`x-extensible-enum`), empty if it lists none."""
    beta_keywords: tuple[str, ...] = ()
    """Keywords of a stable part that are beta themselves (`x-beta-keywords`, decision 0011)."""
    beta_values: tuple[Any, ...] = ()
    """Values of a stable enum that are beta themselves (`x-beta-values`, decision 0011)."""
    extensions: tuple[tuple[str, Any], ...] = field(default=(), repr=False)
    idle_keywords: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Keywords that say nothing here, with their values as JSON: those that no version of the OAS has, those
    beside a `$ref` of OAS 3.0, `nullable` from 3.1 on, and an `x-stability-level` that does not exist. Other
    extensions are not among them.
    """

    def example_location(self, number: int) -> Location:
        """Return the location of one of `examples`."""
        if self.has_lone_example and number == 0:
            return self.location.child("example")
        return self.location.child("examples", number - self.has_lone_example)


def walk_schema(schema: Schema) -> Iterator[Schema]:
    """Yield a schema and all schemas within it; targets of references are not within it."""
    pending = [schema]
    while pending:
        schema = pending.pop()
        yield schema
        single = (schema.additional_properties, schema.items, schema.negated)
        parts = [property_.schema for property_ in (*schema.properties, *schema.pattern_properties)]
        parts += [subschema for subschema in single if subschema is not None]
        parts += (*schema.prefix_items, *schema.all_of, *schema.one_of, *schema.any_of)
        parts += [other for _, other in schema.others]
        parts.reverse()
        pending += parts


_WRITTEN_FIELDS = {
    kind: tuple(member.name for member in fields(kind) if member.name != "location")
    for kind in (Schema, Property)
}
"""What schemas and their members say, without where they stand."""


def are_alike(first: Any, other: Any) -> bool:
    """Say whether two schemas, or parts of schemas, are written the same, wherever they are. As in JSON, truth values
    are not numbers.
    """
    if type(first) is not type(other):
        return False
    names = _WRITTEN_FIELDS.get(type(first))
    if names is not None:
        return all(are_alike(getattr(first, name), getattr(other, name)) for name in names)
    if isinstance(first, tuple) and not isinstance(first, Location):
        return len(first) == len(other) and all(map(are_alike, first, other))
    return bool(first == other)
