"""Schemas as rows to show: what a template needs of a field, with nesting bounded so that a page stays light.

A shared schema that is small is shown in place; a larger one, or one that contains itself, is a link to its
page. A schema without a page is shown in place.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never

from devportal.contract import ABSENT, Api, ExternalDocs, Header, Location, Parameter, Schema, Stability
from devportal.contract.json_schema import Direction
from devportal.reference.addresses import Addresses
from devportal.reference.anchors import Anchors
from devportal.reference.examples import ExampleView, value_text, views_of
from devportal.reference.shapes import Kind, Layer, Shapes
from devportal.reference.wording import (
    RULES,
    Fact,
    facts_of,
    json_text,
    says_the_same,
    serialisation_facts,
    type_words,
)

MAX_WEIGHT = 16
"""How many rows a shared schema may take to be shown in place; a larger one is a link to its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeLabel:
    """A type in words, with the page of the shared schema that it names, if there is one."""

    text: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A parameter, header or property as it is shown. Texts are CommonMark or plain; values are JSON text.

    A body and a branch of a union are fields without a name.
    """

    name: str
    anchor: str
    type: TypeLabel
    kind: Kind = Kind.NAMED
    required: bool = False
    deprecated: bool = False
    read_only: bool = False
    write_only: bool = False
    stability: Stability | None = None
    title: str = ""
    description: str = ""
    item_description: str = ""
    docs: ExternalDocs | None = None
    facts: tuple[Fact, ...] = ()
    enum: tuple[tuple[str, str], ...] = ()
    default: str | None = None
    examples: tuple[ExampleView, ...] = ()
    mapping: tuple[tuple[str, TypeLabel], ...] = ()
    """The values of a discriminator, each with the schema that it stands for."""
    fields: tuple["Field", ...] = ()
    unions: tuple["Union", ...] = ()
    more: tuple[TypeLabel, ...] = ()
    """What is inside but shown elsewhere, with the pages that show it."""

    @property
    def label(self) -> str:
        """The words before the code, or instead of it, where the name is not that of a property."""
        match self.kind:
            case Kind.NAMED:
                return ""
            case Kind.PATTERN:
                return "names that match "
            case Kind.OTHER:
                return "any other name"
            case Kind.ITEM:
                return f"item {self.name}"
            case Kind.RULE:
                return RULES.get(self.name, self.name)
        assert_never(self.kind)

    @property
    def code(self) -> str:
        """The name where it is to be shown as it is written."""
        return (self.name or '""') if self.kind in (Kind.NAMED, Kind.PATTERN) else ""

    @property
    def words(self) -> str:
        """The type and the flags on one line."""
        told = {
            "required": self.required,
            "read only": self.read_only,
            "write only": self.write_only,
            "deprecated": self.deprecated,
            str(self.stability): self.stability is not None,
        }
        return ", ".join((self.type.text, *(word for word, is_so in told.items() if is_so)))

    @property
    def short_examples(self) -> tuple[ExampleView, ...]:
        """The examples that stand on the line, without words about them."""
        return tuple(one for one in self.examples if one.is_short and not one.url and not one.description)

    @property
    def enum_is_described(self) -> bool:
        """Say whether the values have words of their own."""
        return any(text for _, text in self.enum)

    @property
    def has_flags(self) -> bool:
        """Say whether a word other than `required` stands beside the type."""
        return self.read_only or self.write_only or self.deprecated or self.stability is not None

    @property
    def has_rules(self) -> bool:
        """Say whether there is a constraint, default, example or closed set of values to show."""
        return bool(self.facts or self.enum or self.examples or self.mapping) or self.default is not None

    @property
    def has_texts(self) -> bool:
        """Say whether there are words of the author to show."""
        return bool(self.title or self.description or self.item_description or self.docs)

    @property
    def is_bare(self) -> bool:
        """Say whether there is nothing to show but the type, which may be a link."""
        is_elsewhere = self.more and not self.type.target
        return not (self.has_rules or self.has_texts or self.fields or self.unions or is_elsewhere)


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """The branches of a union, and the word that joins them."""

    words: str
    branches: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spot:
    """Where on a page a schema is shown: below which anchor, and inside which schemas."""

    anchors: Anchors
    anchor: str
    depth: int = 0
    trail: tuple[Location, ...] = ()

    def below(self, name: str, schema: Schema) -> "_Spot":
        """Return the place of something inside a schema."""
        anchor = f"{self.anchor}.{name}" if self.anchor else name
        return replace(self, anchor=anchor, depth=self.depth + 1, trail=(*self.trail, schema.location))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inside:
    fields: tuple[Field, ...] = ()
    unions: tuple[Union, ...] = ()
    is_cut: bool = False


class FieldReader:
    """Makes rows for one direction. The rows of a schema depend on nothing but where they are shown."""

    def __init__(self, api: Api, addresses: Addresses, direction: Direction | None = None) -> None:
        """Take the contract, where its parts are shown, and which way values go; None shows both ways."""
        self._api = api
        self._addresses = addresses
        self._shapes = Shapes(api, direction)

    def body(self, schema: Schema, anchors: Anchors, anchor: str) -> Field:
        """Return a whole body as a field without a name; its own first level is always shown."""
        return self._field("", schema, _Spot(anchors=anchors, anchor=anchor), kind=None)

    def brief(self, schema: Schema, anchors: Anchors, anchor: str) -> Field:
        """Return a body whose shared parts are links to their pages; only what it adds itself is in rows."""
        core = self._shapes.core(schema)
        page = self._addresses.schema(core)
        if page is not None:
            label = self._label(schema)
            return Field(name="", anchor=anchor, type=label, description=schema.description, more=(label,))
        shared = [part for part in core.all_of if self._addresses.schema(part) is not None]
        if not shared:
            return self.body(schema, anchors, anchor)
        own = replace(
            core,
            location=core.location.child("own"),
            all_of=tuple(part for part in core.all_of if part not in shared),
        )
        return replace(self.body(own, anchors, anchor), type=self._label(shared[0]))

    def parameter(self, parameter: Parameter, anchors: Anchors, anchor: str) -> Field:
        """Return a parameter; what it says itself comes before what its schema says."""
        made = self._named(parameter, anchors, anchor)
        return replace(made, facts=(*serialisation_facts(parameter), *made.facts))

    def header(self, header: Header, anchors: Anchors, anchor: str) -> Field:
        """Return a header of a response."""
        return self._named(header, anchors, anchor)

    def _named(self, written: Parameter | Header, anchors: Anchors, anchor: str) -> Field:
        content = written.content
        schema = written.schema or (content.schema if content else None)
        if schema is None:
            made = Field(name=written.name, anchor=anchors.take(anchor), type=TypeLabel(text="any"))
        else:
            made = self._field(written.name, schema, _Spot(anchors=anchors, anchor=anchor, depth=1))
        examples = views_of((*written.examples, *(content.examples if content else ())))
        sent_as = (Fact(label="written as", code=content.name),) if content else ()
        return replace(
            made,
            required=written.required,
            deprecated=written.deprecated or made.deprecated,
            description=written.description or made.description,
            stability=written.stability or made.stability,
            facts=(*sent_as, *made.facts),
            examples=examples or made.examples,
        )

    def _field(
        self,
        name: str,
        schema: Schema,
        spot: _Spot,
        *,
        kind: Kind | None = Kind.NAMED,
        required: bool = False,
    ) -> Field:
        """Return a schema as a field; one without `kind` is a body or a branch, which has no row."""
        if kind is not None:
            spot = replace(spot, anchor=spot.anchors.take(spot.anchor))
        layers = self._shapes.layers(schema)
        target, core = layers[0].schema, layers[-1].schema
        own = [part for layer in layers if not layer.of for part in self._shapes.parts(layer.schema)]
        inside = self._inside(layers, spot)
        label = self._label(schema)
        page = self._addresses.schema(core)
        return Field(
            name=name,
            anchor=spot.anchor,
            type=label,
            kind=kind or Kind.NAMED,
            required=required,
            deprecated=schema.deprecated or target.deprecated,
            read_only=schema.read_only or target.read_only,
            write_only=schema.write_only or target.write_only,
            stability=schema.stability or target.stability,
            title=self._title(name, schema, target),
            description=schema.description or target.description,
            item_description=self._item_description(layers),
            docs=schema.external_docs or target.external_docs,
            facts=tuple(dict.fromkeys(self._facts(layers))),
            enum=tuple(dict.fromkeys(value for part in self._applying(layers) for value in _enum(part))),
            default=json_text(
                next((one.default for one in (schema, *own) if one.default is not ABSENT), ABSENT)
            ),
            examples=self._examples(schema, own),
            mapping=tuple(self._mapping(layers)),
            fields=inside.fields,
            unions=inside.unions,
            more=(TypeLabel(text=label.text, target=page),) if inside.is_cut and page else (),
        )

    def _label(self, schema: Schema) -> TypeLabel:
        """Return the type of a schema in words, and the page of the schema that it names."""
        page = self._addresses.schema(schema) or self._addresses.schema(self._shapes.core(schema))
        return TypeLabel(text=type_words(self._api, schema), target=page or "")

    def _title(self, name: str, schema: Schema, target: Schema) -> str:
        """Return the title where it says more than the name that stands there."""
        title = schema.title or target.title
        known = (name, target.name, schema.description, target.description)
        return "" if any(says_the_same(title, one) for one in known) else title

    def _item_description(self, layers: tuple[Layer, ...]) -> str:
        """Return what is said of each item or value, unless that stands on the page of its schema."""
        said = layers[0].schema.description
        for layer in layers[1:]:
            text = layer.schema.description
            if text and text != said and self._addresses.schema(layer.schema) is None:
                return f"Each {layer.of}: {text}" if layer.of else text
        return ""

    def _applying(self, layers: tuple[Layer, ...]) -> Iterator[Schema]:
        for layer in layers:
            yield from self._shapes.parts(layer.schema)

    def _facts(self, layers: tuple[Layer, ...]) -> Iterator[Fact]:
        for number, layer in enumerate(layers):
            for part in self._shapes.parts(layer.schema):
                yield from facts_of(part, of=layer.of)
            yield from self._requirements(layer, is_core=layer is layers[-1])
            if not layer.of or layer.of == layers[number - 1].of:
                continue
            if layer.schema.nullable:
                yield Fact(label=f"each {layer.of} may be null")
            if layer.schema.default is not ABSENT:
                yield Fact(label=f"each {layer.of}: default", code=json_text(layer.schema.default) or "")
            for value in layer.schema.examples if self._addresses.schema(layer.schema) is None else ():
                yield Fact(label=f"each {layer.of}: example", code=value_text(value))

    def _requirements(self, layer: Layer, *, is_core: bool) -> Iterator[Fact]:
        """Yield the required names that no row says it of: those not described, or of a schema inside."""
        parts = tuple(self._shapes.parts(layer.schema)) if is_core else (layer.schema,)
        declared = {one.name for part in parts for one in part.properties}
        for name in dict.fromkeys(name for part in parts for name in part.required):
            if name not in declared:
                yield Fact(label="requires" if not layer.of else f"each {layer.of}: requires", code=name)

    def _examples(self, schema: Schema, own: list[Schema]) -> tuple[ExampleView, ...]:
        """Return the examples of a schema; structures of shared schemas stand on the page of those."""
        found = list(schema.examples)
        for part in own:
            has_page = self._addresses.schema(part) is not None
            found += [one for one in part.examples if not (has_page and isinstance(one, (dict, list)))]
        return tuple(ExampleView(text=text) for text in dict.fromkeys(map(value_text, found)))

    def _mapping(self, layers: tuple[Layer, ...]) -> Iterator[tuple[str, TypeLabel]]:
        for part in self._applying(layers):
            for value, location in part.discriminator.mapping if part.discriminator else ():
                known = self._api.schemas.get(location)
                if known is not None:
                    page = self._addresses.schema(known) or ""
                    yield value, TypeLabel(text=known.name, target=page)

    def _inside(self, layers: tuple[Layer, ...], spot: _Spot) -> _Inside:
        """Return the fields and branches below, and whether some are not shown."""
        outer = [row for layer in layers[:-1] for row in self._extras(layer, spot, is_core=False)]
        core = layers[-1].schema
        if not self._has_content(layers[-1]):
            return _Inside(fields=tuple(outer))
        if spot.depth > 0 and not self._is_shown_in_place(core, spot):
            return _Inside(fields=tuple(outer), is_cut=True)
        rows = [
            self._field(one.name, one.schema, spot.below(one.name, core), required=one.required)
            for one in self._shapes.members(core)
        ]
        rows += self._extras(layers[-1], spot, is_core=True)
        return _Inside(fields=(*rows, *outer), unions=tuple(self._unions(core, spot)))

    def _has_content(self, layer: Layer) -> bool:
        return bool(
            self._shapes.members(layer.schema)
            or self._shapes.unions(layer.schema)
            or any(True for _ in self._shapes.extras(layer, is_core=True))
        )

    def _is_shown_in_place(self, schema: Schema, spot: _Spot) -> bool:
        if schema.location in spot.trail:
            return False
        return self._addresses.schema(schema) is None or self._shapes.weight(schema) <= MAX_WEIGHT

    def _extras(self, layer: Layer, spot: _Spot, *, is_core: bool) -> list[Field]:
        return [
            self._field(
                one.name or one.kind,
                one.schema,
                spot.below(f"{one.kind}:{one.name}", layer.schema),
                kind=one.kind,
            )
            for one in self._shapes.extras(layer, is_core=is_core)
        ]

    def _unions(self, core: Schema, spot: _Spot) -> Iterator[Union]:
        number = 0
        for words, branches in self._shapes.unions(core):
            rows = []
            for branch in branches:
                number += 1
                rows.append(self._field("", branch, spot.below(str(number), core), kind=None))
            yield Union(words=words, branches=tuple(rows))


def _default(schemas: Iterable[Schema]) -> Any:
    """Return the first default that is written."""
    return next((one.default for one in schemas if one.default is not ABSENT), ABSENT)


def _enum(schema: Schema) -> tuple[tuple[str, str], ...]:
    """Return the values of an enum or const as JSON text, each with its description."""
    values: tuple[Any, ...] = schema.enum or ((schema.const,) if schema.const is not ABSENT else ())
    described = dict(schema.enum_descriptions)
    return tuple(
        (json_text(value) or "", described.get(str(value), "")) for value in values if value is not None
    )
