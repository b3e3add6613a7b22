"""What a schema says of a value, in words: the same wherever it is shown, so it is worked out once.

What is inside a schema, and where that is shown, is in `devportal.reference.fields`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from devportal.contract import ABSENT, Api, ExternalDocs, Schema, Stability, unit_of
from devportal.reference.addresses import Addresses
from devportal.reference.examples import ExampleView, value_text
from devportal.reference.shapes import Layer, Once, Shapes
from devportal.reference.text import code_span, escaped
from devportal.reference.wording import Fact, facts_of, json_text, says_the_same, type_words


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeLabel:
    """A type in words, with the page of the shared schema that it names, if there is one."""

    text: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What a schema says. Texts are CommonMark or plain; values are JSON text."""

    type: TypeLabel
    deprecated: bool
    sunset: str
    read_only: bool
    write_only: bool
    stability: Stability | None
    title: str
    description: str
    further: tuple[str, ...]
    """What is said besides the description: by what a reference leads to, of each item."""
    docs: ExternalDocs | None
    facts: tuple[Fact, ...]
    enum: tuple[tuple[str, str], ...]
    enum_is_beta: bool
    default: str | None
    examples: tuple[ExampleView, ...]
    mapping: tuple[tuple[str | None, TypeLabel], ...]
    layers: tuple[Layer, ...] = field(repr=False)
    page: str
    """The uri of the page of what the schema finally holds, if that is a shared schema."""
    units: frozenset[str] = field(repr=False)
    """The units of the contract (`devportal.contract.unit_of`) whose words these are."""


class Sayings:
    """What the schemas of one contract say, whichever way values go."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        """Take the contract, and where its parts are shown."""
        self._api = api
        self._addresses = addresses
        self._shapes = Shapes(api, None)
        self._known = Once(self._worked_out)
        self._asked: set[str] = set()

    def of(self, schema: Schema) -> Saying:
        """Return what a schema says."""
        said = self._known(schema)
        self._asked |= said.units
        return said

    def asked(self) -> tuple[str, ...]:
        """Return the units of all schemas that were asked for since the last call, in order."""
        units = tuple(sorted(self._asked))
        self._asked.clear()
        return units

    def _worked_out(self, schema: Schema) -> Saying:
        layers = self._shapes.layers(schema)
        target, core = layers[0].schema, layers[-1].schema
        own = [part for layer in layers if not layer.of for part in self._shapes.parts(layer.schema)]
        applying = [part for layer in layers for part in self._shapes.parts(layer.schema)]
        description = schema.description or target.description
        closed = [part for part in applying if part.enum or part.const is not ABSENT]
        return Saying(
            type=self.label(schema),
            deprecated=schema.deprecated or target.deprecated,
            sunset=schema.sunset or target.sunset,
            read_only=schema.read_only or target.read_only,
            write_only=schema.write_only or target.write_only,
            stability=schema.stability or target.stability,
            title=_title(schema, target),
            description=description,
            further=self.besides(schema, description),
            docs=schema.external_docs or target.external_docs,
            facts=tuple(dict.fromkeys(self._facts(layers))),
            enum=tuple(dict.fromkeys(value for part in closed for value in _values(part))),
            enum_is_beta=any({"enum", "const"} & {*part.beta_keywords} for part in closed),
            default=json_text(_default((schema, *own))),
            examples=self._examples(schema, own),
            mapping=tuple(self._mapping(applying)),
            layers=layers,
            page=self._addresses.schema(core) or "",
            units=frozenset(unit_of(one.location) for one in (*self._chain(schema), *applying)),
        )

    def label(self, schema: Schema) -> TypeLabel:
        """Return the type of a schema in words, and the page of the schema that it names.

        A shared schema where it is defined names what it wraps, if that has a page: it is on its own already.
        """
        pages = [self._addresses.schema(layer.schema) for layer in self._shapes.layers(schema)]
        if schema.ref is None:
            pages = [*pages[1:], pages[0]]
        return TypeLabel(text=type_words(self._api, schema), target=next(filter(None, pages), ""))

    def besides(self, schema: Schema, description: str) -> tuple[str, ...]:
        """Return what is said besides a description: by the schema, by what it refers to, of each item.

        What stands on the page of a shared schema is left to that page.
        """
        told = [one.description for one in self._chain(schema) if one.location not in self._addresses.schemas]
        told.append(self._item_description(self._shapes.layers(schema)))
        return tuple(dict.fromkeys(one for one in told if one.strip() not in ("", description.strip())))

    def _chain(self, schema: Schema) -> tuple[Schema, ...]:
        """Return a schema and in turn what each reference leads to."""
        found = {schema.location: schema}
        while schema.ref is not None and schema.ref in self._api.schemas and schema.ref not in found:
            schema = self._api.schemas[schema.ref]
            found[schema.location] = schema
        return tuple(found.values())

    def _item_description(self, layers: tuple[Layer, ...]) -> str:
        """Return what is said of each item or value, unless that stands on the page of its schema."""
        outer = layers[0].schema
        for layer in layers[1:]:
            if self._addresses.schema(layer.schema) is not None:
                continue
            title = _title(layer.schema, layer.schema)
            words = (escaped(title) if title != outer.title else "", layer.schema.description)
            text = ". ".join(one for one in words if one and one != outer.description)
            if text:
                return f"Each {layer.of}: {text}" if layer.of else text
        return ""

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
        parts = self._shapes.parts(layer.schema) if is_core else (layer.schema,)
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

    def _mapping(self, applying: list[Schema]) -> Iterator[tuple[str | None, TypeLabel]]:
        """Yield the values of discriminators with what they stand for; None is any other value."""
        told = (part.discriminator for part in applying if part.discriminator is not None)
        for one in told:
            default = [(None, one.default)] if one.default is not None else []
            for value, location in (*one.mapping, *default):
                known = self._api.schemas.get(location)
                if known is not None:
                    page = self._addresses.schema(known) or ""
                    yield value, TypeLabel(text=known.name, target=page)


def _title(schema: Schema, target: Schema) -> str:
    """Return the title where it says more than the name of the schema, or the words that follow it."""
    title = schema.title or target.title
    known = (target.name, schema.description, target.description)
    return "" if not title or any(says_the_same(title, one) for one in known) else title


def _default(schemas: Iterable[Schema]) -> Any:
    """Return the first default that is written."""
    return next((one.default for one in schemas if one.default is not ABSENT), ABSENT)


def _values(schema: Schema) -> tuple[tuple[str, str], ...]:
    """Return the values of an enum or const as JSON text, each with what is said of it as CommonMark: its
    name in code, where that is not the value in other letters, and its description.
    """
    values: tuple[Any, ...] = schema.enum or ((schema.const,) if schema.const is not ABSENT else ())
    described, named = dict(schema.enum_descriptions), dict(schema.enum_names)
    return tuple(
        (json_text(value) or "", _about(str(value), named.get(str(value), ""), described.get(str(value), "")))
        for value in values
        if value is not None
    )


def _about(value: str, name: str, description: str) -> str:
    called = code_span(name) if name and not says_the_same(name, value) else ""
    return ": ".join(filter(None, (called, description)))
