"""Schemas as rows to show: what a template needs of a field, with nesting bounded so that a page stays light.

A shared schema that is small is shown in place; a larger one, or one that contains itself, is a link to its
page. A schema without a page is shown in place.
"""

from dataclasses import dataclass, replace
from typing import Any

from devportal.contract import ABSENT, Api, Header, Parameter, Schema, Stability
from devportal.contract.json_schema import Direction
from devportal.reference.addresses import Addresses
from devportal.reference.shapes import Shapes
from devportal.reference.wording import Fact, facts_of, json_text, type_words

MAX_WEIGHT = 16
"""How many rows a shared schema may take to be shown in place; a larger one is a link to its page."""
MAX_DEPTH = 7
"""How deep schemas without a page of their own are shown in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeLabel:
    """A type in words, with the page of the shared schema that it names, if there is one."""

    text: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One branch of a union."""

    title: str
    target: str
    description: str
    fields: tuple["Field", ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A parameter, header or property as it is shown. Texts are CommonMark or plain; values are JSON text."""

    name: str
    anchor: str
    type: TypeLabel
    required: bool = False
    nullable: bool = False
    deprecated: bool = False
    read_only: bool = False
    write_only: bool = False
    stability: Stability | None = None
    description: str = ""
    facts: tuple[Fact, ...] = ()
    enum: tuple[tuple[str, str], ...] = ()
    default: str | None = None
    example: str | None = None
    fields: tuple["Field", ...] = ()
    variants: tuple[Variant, ...] = ()
    union: str = ""
    more: str = ""
    """The uri of the page that shows what is not shown here."""

    @property
    def has_flags(self) -> bool:
        """Say whether a word other than `required` stands beside the type."""
        return self.read_only or self.write_only or self.deprecated or self.stability is not None

    @property
    def has_rules(self) -> bool:
        """Say whether there is a constraint, default, example or closed set of values to show."""
        return bool(self.facts or self.enum) or self.default is not None or self.example is not None


class FieldReader:
    """Makes rows for one direction. The rows of a schema depend on nothing but where they are shown."""

    def __init__(self, api: Api, addresses: Addresses, direction: Direction) -> None:
        """Take the contract, where its parts are shown, and who reads the value."""
        self._api = api
        self._addresses = addresses
        self._shapes = Shapes(api, direction)

    def body(self, schema: Schema, anchor: str) -> Field:
        """Return a whole body as a field without a name; its own first level is always shown."""
        return self._field("", schema, anchor=anchor, depth=0, trail=())

    def brief(self, schema: Schema, anchor: str) -> Field:
        """Return a body whose shared parts are links to their pages; only what it adds itself is in rows."""
        core = self._shapes.core(self._api.resolve(schema))
        page = self._addresses.schema(core)
        if page is not None:
            return Field(
                name="", anchor=anchor, type=self.label(schema), description=schema.description, more=page
            )
        shared = [part for part in core.all_of if self._addresses.schema(part) is not None]
        if not shared:
            return self.body(schema, anchor)
        own = replace(
            core,
            location=core.location.child("own"),
            all_of=tuple(part for part in core.all_of if part not in shared),
        )
        return replace(self.body(own, anchor), type=self.label(shared[0]))

    def parameter(self, parameter: Parameter, schema: Schema | None, *, anchor: str) -> Field:
        """Return a parameter; what it says itself comes before what its schema says."""
        return self._named(parameter, schema, anchor)

    def header(self, header: Header, schema: Schema | None, *, anchor: str) -> Field:
        """Return a header of a response."""
        return self._named(header, schema, anchor)

    def _named(self, written: Parameter | Header, schema: Schema | None, anchor: str) -> Field:
        if schema is None:
            made = Field(name=written.name, anchor=anchor, type=TypeLabel(text="any"))
        else:
            made = self._field(written.name, schema, anchor=anchor, depth=1, trail=())
        given = next((_on_the_wire(one.value) for one in written.examples if not one.external), None)
        if given is None and schema is not None:
            examples = (*schema.examples, *self._api.resolve(schema).examples)
            given = next((_on_the_wire(value) for value in examples), None)
        return replace(
            made,
            required=written.required,
            deprecated=written.deprecated or made.deprecated,
            description=written.description or made.description,
            stability=written.stability or made.stability,
            example=given if given is not None and len(given) <= 120 else None,
        )

    def _field(
        self,
        name: str,
        schema: Schema,
        *,
        anchor: str,
        depth: int,
        trail: tuple[Schema, ...],
        required: bool = False,
    ) -> Field:
        target = self._api.resolve(schema)
        element = self._shapes.core(target)
        children, variants, union, cut = self._inside(element, anchor, depth, trail)
        return Field(
            name=name,
            anchor=anchor,
            type=self.label(schema),
            required=required,
            nullable=target.nullable or schema.nullable,
            deprecated=schema.deprecated or target.deprecated,
            read_only=schema.read_only or target.read_only,
            write_only=schema.write_only or target.write_only,
            stability=schema.stability or target.stability,
            description=schema.description or target.description,
            facts=facts_of(target) + (facts_of(element, of_items=True) if element is not target else ()),
            enum=_enum(target) or _enum(element),
            default=json_text(_first(schema.default, target.default)),
            example=_example(schema, target),
            fields=children,
            variants=variants,
            union=union,
            more=(self._addresses.schema(element) or "") if cut else "",
        )

    def label(self, schema: Schema) -> TypeLabel:
        """Return the type of a schema in words, and the page of the schema that it names."""
        target = self._api.resolve(schema)
        element = self._shapes.core(target)
        return TypeLabel(
            text=type_words(self._api, schema),
            target=self._addresses.schema(schema) or self._addresses.schema(element) or "",
        )

    def _inside(
        self, schema: Schema, anchor: str, depth: int, trail: tuple[Schema, ...]
    ) -> tuple[tuple[Field, ...], tuple[Variant, ...], str, bool]:
        """Return the fields and branches below, what joins the branches, and whether some are not shown."""
        members = self._shapes.members(schema)
        branches, union = self._shapes.branches(schema)
        if not members and not branches:
            return (), (), "", False
        if depth > 0 and not self._is_shown_in_place(schema, depth, trail):
            return (), (), "", True
        trail = (*trail, schema)
        fields = tuple(
            self._field(
                one.name,
                one.schema,
                anchor=f"{anchor}.{one.name}" if anchor else one.name,
                depth=depth + 1,
                trail=trail,
                required=one.required,
            )
            for one in members
        )
        variants = tuple(
            self._variant(one, f"{anchor}.{number}" if anchor else str(number), depth, trail)
            for number, one in enumerate(branches, start=1)
        )
        return fields, variants, union, False

    def _is_shown_in_place(self, schema: Schema, depth: int, trail: tuple[Schema, ...]) -> bool:
        if any(one is schema for one in trail):
            return False
        if self._addresses.schema(schema) is not None:
            return self._shapes.weight(schema) <= MAX_WEIGHT
        return depth <= MAX_DEPTH

    def _variant(self, schema: Schema, anchor: str, depth: int, trail: tuple[Schema, ...]) -> Variant:
        target = self._api.resolve(schema)
        label = self.label(schema)
        fields, _, _, cut = self._inside(self._shapes.core(target), anchor, depth + 1, trail)
        return Variant(
            title=label.text,
            target=label.target,
            description=schema.description or target.description,
            fields=fields,
            is_cut=cut,
        )


def _on_the_wire(value: Any) -> str | None:
    """Return a value as parameters and headers carry it: text without the quotes of JSON."""
    return value if isinstance(value, str) else json_text(value)


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not ABSENT), ABSENT)


def _enum(schema: Schema) -> tuple[tuple[str, str], ...]:
    """Return the values of an enum or const as JSON text, each with its description."""
    values = schema.enum or ((schema.const,) if schema.const is not ABSENT else ())
    described = dict(schema.enum_descriptions)
    return tuple(
        (json_text(value) or "", described.get(str(value), "")) for value in values if value is not None
    )


def _example(schema: Schema, target: Schema) -> str | None:
    """Return the first example that is short enough to stand beside a field."""
    for value in (*schema.examples, *target.examples):
        text = json_text(value)
        if text is not None and len(text) <= 120 and not isinstance(value, (dict, list)):
            return text
    return None
