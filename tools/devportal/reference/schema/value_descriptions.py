"""A schema's rules and texts in words: the same on every page, so they are computed once per contract.

Fields and branches inside a schema are in `devportal.reference.schema.fields`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from devportal.contract import ABSENT, ExternalDocs, Schema, unit_of
from devportal.contract.schemas import Constraint, Discriminator, Location
from devportal.contract.values.conjunction import xml_of_parts
from devportal.contract.values.schema_contents import SchemaContents
from devportal.reference.markup import external_docs_text
from devportal.reference.reference import Reference
from devportal.reference.schema.allowed_values import AllowedValue, allowed_values, is_only_value
from devportal.reference.schema.described_values import TypeLabel, ValueDescription, description_values
from devportal.reference.schema.examples import ExampleView, value_text
from devportal.reference.schema.schema_texts import SchemaTexts, title_of
from devportal.reference.schema.shapes import (
    SchemaCache,
    SchemaLayer,
    SchemaShapes,
    is_leaf,
    wrapped_branches,
)
from devportal.reference.wording import (
    RANGE_KEYWORDS,
    ConstraintFact,
    constraint_facts,
    each_of,
    format_json,
    is_only_null,
    type_words,
)
from devportal.translation import ENGLISH, current_interface, gettext, interface_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaDescription:
    """A schema: its description, the layers of its value, and the page that shows its content."""

    value: ValueDescription
    layers: tuple[SchemaLayer, ...]
    page: str
    """The uri of the page of the innermost schema, if it is shared."""
    is_leaf: bool
    """Whether the schema has no fields, branches or nested schemas to show."""
    is_whole: bool
    """Whether no reference leads from the schema, to it or from what is in it."""
    units: frozenset[str]
    """The units of the contract (`devportal.contract.unit_of`) of the shared schemas that the texts come from."""


class ValueDescriptions:
    """The descriptions of the schemas of one contract, for requests and responses alike."""

    def __init__(self, reference: Reference, shapes: SchemaShapes, contents: SchemaContents) -> None:
        """Take the reference that they are for, the shapes of its schemas in both directions, and what they say:
        the first of those that say the same is described for all.
        """
        self._reference = reference
        self._shapes = shapes
        self._contents = contents
        self._texts = SchemaTexts(reference)
        self._cached = SchemaCache(self._describe)
        self._units_read: set[str] = set()
        self._interned: dict[tuple[Any, ...], ValueDescription] = {}

    def of(self, schema: Schema) -> SchemaDescription:
        """Return the description of a schema. Its layers are those of the first schema that says the same."""
        described = self._cached(self._contents.first(schema))
        self._units_read |= described.units
        return described

    def read_unit(self, location: Location) -> None:
        """Count the unit of a location among those read."""
        self._units_read.add(unit_of(location))

    def take_units_read(self) -> tuple[str, ...]:
        """Return the units of all schemas described since the last call, sorted, and start over."""
        units = tuple(sorted(self._units_read))
        self._units_read.clear()
        return units

    def intern(self, description: ValueDescription) -> ValueDescription:
        """Return the shared object for all descriptions with these values."""
        return self._interned.setdefault(description_values(description), description)

    def _describe(self, schema: Schema) -> SchemaDescription:
        layers = self._shapes.layers(schema)
        core = layers[-1].schema
        return SchemaDescription(
            value=self._describe_layers(schema, layers),
            layers=layers,
            page=self._reference.addresses.schema(core) or "",
            is_leaf=is_leaf(layers),
            is_whole=self._contents.is_whole(schema),
            units=frozenset(self._units(schema, layers)),
        )

    def _units(self, schema: Schema, layers: tuple[SchemaLayer, ...]) -> Iterator[str]:
        """Yield the units of the shared schemas that texts come from: others are in the unit of what holds them."""
        applying = (part for layer in layers for part in self._shapes.parts(layer.schema))
        for subschema in (*self._texts.reference_chain(schema), *applying):
            if subschema.location in self._reference.api.schemas:
                yield unit_of(subschema.location)

    def _describe_layers(self, schema: Schema, layers: tuple[SchemaLayer, ...]) -> ValueDescription:
        target = layers[0].schema
        own_layers = [layer for layer in layers if not layer.of]
        own = [schema, *(part for layer in own_layers for part in reversed(self._shapes.parts(layer.schema)))]
        allowed, enum_is_beta = self._allowed_values(layers)
        texts = self._texts.of(schema)
        description = texts[0].description if texts else ""
        return self.intern(
            ValueDescription(
                type=self.label(schema),
                deprecated=any(part.deprecated for part in own),
                sunset=_first_written(part.sunset for part in own) or "",
                read_only=any(part.read_only for part in own),
                write_only=any(part.write_only for part in own),
                stability=_first_written(part.stability for part in own),
                grounds=_first_written(part.grounds for part in own),
                title=title_of(schema, target, texts),
                description=description,
                further=self.further_texts(schema, description),
                docs=self._external_docs(schema, own_layers),
                facts=tuple(dict.fromkeys(self._facts(layers))),
                enum=allowed,
                enum_is_beta=enum_is_beta,
                default=format_json(_first_default(own)),
                examples=tuple(
                    example for example in self._examples(own) if not is_only_value(example, allowed)
                ),
                mapping=tuple(self._mapping(layers)),
                combines=self._combined_labels(schema, layers[-1].schema),
            )
        )

    def _external_docs(self, schema: Schema, layers: Iterable[SchemaLayer]) -> tuple[ExternalDocs, ...]:
        """Return the links of a schema and of all parts that apply with it, each once.

        Those of a shared schema are left to its page, unless there are no others.
        """
        applying = [schema, *(part for layer in layers for part in self._shapes.parts(layer.schema))]
        linking = [subschema for subschema in applying if subschema.external_docs is not None]
        own = [
            subschema
            for subschema in linking
            if subschema is schema or self._reference.addresses.schema(subschema) is None
        ]
        return tuple(
            dict.fromkeys(
                subschema.external_docs for subschema in own or linking[:1] if subschema.external_docs
            )
        )

    def _allowed_values(self, layers: tuple[SchemaLayer, ...]) -> tuple[tuple[AllowedValue, ...], bool]:
        """Return the allowed values of a value and of its items, and whether one of those lists is beta."""
        levels: dict[str, list[Schema]] = {}
        for layer in layers:
            parts = self._shapes.parts(layer.schema)
            levels.setdefault(layer.of, []).extend(
                part for part in parts if part.enum or part.const is not ABSENT
            )
        allowed = dict.fromkeys(value for closed in levels.values() for value in allowed_values(closed))
        closed = [part for parts in levels.values() for part in parts]
        return tuple(allowed), any({"enum", "const"} & {*part.beta_keywords} for part in closed)

    def label(self, schema: Schema) -> TypeLabel:
        """Return the type of a schema in words, and the page of the schema that it names.

        A shared schema where it is defined names what it wraps, if that has a page: it is on its own already.
        """
        layers = [layer.schema for layer in self._shapes.layers(schema)]
        if schema.ref is None:
            layers = [*layers[1:], layers[0]]
        named = ((layer.name, self._reference.addresses.schema(layer)) for layer in layers)
        name, page = next(((name, page) for name, page in named if page), ("", ""))
        in_english = ""
        if current_interface() is not ENGLISH:
            with interface_of(ENGLISH):
                in_english = type_words(self._reference.api, schema)
        return TypeLabel(
            text=type_words(self._reference.api, schema),
            target=page,
            in_english=in_english,
            name=name,
        )

    def further_texts(self, schema: Schema, description: str) -> tuple[str, ...]:
        """Return the texts besides a description: of the schema, of what it references and combines, in their
        order, and of its items.

        Texts of a shared schema are left to its page, unless nothing else describes the value.
        """
        texts = self._texts.of(schema)
        is_described = not (texts and texts[0].is_combined and texts[0].description == description)
        layers = self._shapes.layers(schema)
        shown_title = title_of(schema, layers[0].schema, texts)
        found = [text.besides(shown_title) for text in texts if not (is_described and text.is_elsewhere)]
        found += self._item_texts(layers, is_described=bool(description.strip()))
        return tuple(dict.fromkeys(text for text in found if text.strip() not in ("", description.strip())))

    def _item_texts(self, layers: tuple[SchemaLayer, ...], *, is_described: bool) -> Iterator[str]:
        """Yield the texts about each item or value. Those of a shared schema are left to its page if the list or map
        is described itself.
        """
        known = {layers[0].schema.title, layers[0].schema.description}
        for layer in layers:
            if layer.written is None:
                continue
            for written_text in self._texts.of(layer.written):
                is_left_out = is_described and written_text.is_elsewhere
                text = "" if is_left_out else written_text.besides("", known=known)
                is_described = is_described or bool(text)
                if text:
                    yield _each_of(layer.of, text)
        for layer, own in self._inner_values(layers):
            for part in self._without_pages(own):
                if part.external_docs is not None:
                    yield _each_of(layer.of, external_docs_text(part.external_docs))

    def _facts(self, layers: tuple[SchemaLayer, ...]) -> Iterator[ConstraintFact]:
        known: set[Location] = set()
        required: dict[str, dict[str, None]] = {}
        for layer in layers:
            parts = self._shapes.parts(layer.schema)
            xml = xml_of_parts(parts)
            new = tuple(part for part in parts if part.location not in known)
            for part in _with_joined_ranges(tuple(map(_with_implied_count, new))):
                yield from constraint_facts(
                    part,
                    of=layer.of,
                    tells=self._shows_discriminator(part, layer),
                    has_xml=part.xml == xml,
                )
            known |= {part.location for part in parts}
            names = self._undeclared_names(layer, is_core=layer is layers[-1])
            required.setdefault(layer.of, {}).update(dict.fromkeys(names))
        for of, each in required.items():
            if each:
                first, *others = each
                label = gettext("requires %(value)s")
                label = each_of(of, label) if of else label
                yield ConstraintFact(label=label, code=first, further=tuple(others))
        for layer, own in self._inner_values(layers):
            if layer.schema.nullable and not is_only_null(layer.schema):
                yield ConstraintFact(label=_may_be_null(layer.of))
            default = format_json(_first_default(own))
            if default is not None:
                yield ConstraintFact(label=each_of(layer.of, gettext("default %(value)s")), code=default)
            for part in self._without_pages(own):
                for value in part.examples:
                    carried = self._shapes.carried_value(part, value)
                    yield ConstraintFact(
                        label=each_of(layer.of, gettext("example %(value)s")), code=value_text(carried)
                    )

    def _inner_values(self, layers: Iterable[SchemaLayer]) -> Iterator[tuple[SchemaLayer, list[Schema]]]:
        """Yield each item or value inside: its first layer, and what describes it, as written first."""
        found: list[tuple[SchemaLayer, list[Schema]]] = []
        for layer in layers:
            if layer.written is not None:
                found.append((layer, list(self._texts.reference_chain(layer.written))))
            if found:
                found[-1][1].extend(reversed(self._shapes.parts(layer.schema)))
                for branch in wrapped_branches(layer.schema):
                    found[-1][1].extend(self._texts.reference_chain(branch)[:-1])
        yield from found

    def _without_pages(self, own: list[Schema]) -> Iterator[Schema]:
        """Yield what describes a value where it is written, without the shared schemas that have pages."""
        return (schema for schema in own if schema.location not in self._reference.addresses.schemas)

    def _undeclared_names(self, layer: SchemaLayer, *, is_core: bool) -> Iterator[str]:
        """Return the required names without a row: undeclared ones, or those of an outer layer."""
        parts = self._shapes.parts(layer.schema) if is_core else (layer.schema,)
        declared = {property_.name for part in parts for property_ in part.properties}
        return (name for part in parts for name in part.required if name not in declared)

    def _examples(self, own: list[Schema]) -> tuple[ExampleView, ...]:
        """Return the examples of a schema, then those of its other parts, without objects and arrays that the
        page of a shared schema shows.
        """
        found: list[Any] = []
        for part in own:
            has_page = part is not own[0] and self._reference.addresses.schema(part) is not None
            found += [
                self._shapes.carried_value(part, example)
                for example in part.examples
                if not (has_page and isinstance(example, (dict, list)))
            ]
        return tuple(ExampleView(text=text) for text in dict.fromkeys(map(value_text, found)))

    def _mapping(self, layers: tuple[SchemaLayer, ...]) -> Iterator[tuple[str | None, TypeLabel]]:
        """Yield the values of discriminators with the schemas they select; None is any other value.

        A branch, or a schema that extends this one, is selected by its name if no value is mapped to it
        (OAS 3.0.3 §4.7.25).
        """
        for part, discriminator in self._discriminators(layers):
            mapped = {location for _, location in discriminator.mapping}
            branches = [branch.ref for branch in (*part.one_of, *part.any_of) if branch.ref is not None]
            branches = branches or list(self._extending_schemas.get(part.location, ()))
            implied = [
                (self._reference.api.schemas[ref].name, ref)
                for ref in branches
                if ref in self._reference.api.schemas and ref not in mapped
            ]
            default = [(None, discriminator.default)] if discriminator.default is not None else []
            for value, location in (*discriminator.mapping, *implied, *default):
                target = self._reference.api.schemas.get(location)
                if target is not None:
                    page = self._reference.addresses.schema(target) or ""
                    yield value, TypeLabel(text=target.name, target=page)

    @cached_property
    def _extending_schemas(self) -> dict[Location, list[Location]]:
        """The shared schemas that combine a shared schema directly, by that one."""
        found: dict[Location, list[Location]] = {}
        for location, schema in self._reference.api.schemas.items():
            for ref in dict.fromkeys(branch.ref for branch in schema.all_of):
                if ref is not None and schema.name:
                    found.setdefault(ref, []).append(location)
        return found

    def _combined_labels(self, schema: Schema, core: Schema) -> tuple[TypeLabel, ...]:
        """Return the shared `allOf` parts of the innermost schema, unless its page shows them."""
        if core.location != schema.location and self._reference.addresses.schema(core) is not None:
            return ()
        labels = [self.label(part) for part in core.all_of if part.ref is not None]
        if schema.ref is None:
            labels += self._copied_labels((core, *core.all_of))
        return tuple(label for label in labels if label.target)

    def _copied_labels(self, parts: Iterable[Schema]) -> Iterator[TypeLabel]:
        """Yield the shared schemas that parts are copies of, with other dynamic references."""
        api = self._reference.api
        for part in parts:
            original = api.schemas.get(api.copies[part.location]) if part.location in api.copies else None
            if original is not None:
                yield TypeLabel(text=original.name, target=self._reference.addresses.schema(original) or "")

    def _discriminators(self, layers: tuple[SchemaLayer, ...]) -> Iterator[tuple[Schema, Discriminator]]:
        for layer in layers:
            for part in self._shapes.parts(layer.schema):
                if part.discriminator is not None and self._shows_discriminator(part, layer):
                    yield part, part.discriminator

    def _shows_discriminator(self, part: Schema, layer: SchemaLayer) -> bool:
        """Say whether a part shows its discriminator here; one with a page shows it there."""
        return part.location == layer.schema.location or self._reference.addresses.schema(part) is None


def _each_of(what: str, text: str) -> str:
    """Return a text of the contract about each item or value."""
    words = gettext("Each item: %(text)s") if what == "item" else gettext("Each value: %(text)s")
    return words % {"text": text}


def _may_be_null(what: str) -> str:
    return gettext("each item may be null") if what == "item" else gettext("each value may be null")


T = TypeVar("T")


def _first_written(values: Iterable[T | None]) -> T | None:
    return next(filter(None, values), None)


def _with_implied_count(part: Schema) -> Schema:
    """Return a part with the number of items that `contains` asks for by itself (JSON Schema 2020-12 §10.3.1.3)."""
    has_row = any(keyword == "contains" and rule.verdict is None for keyword, rule in part.others)
    if not has_row or any(constraint.keyword == "minContains" for constraint in part.constraints):
        return part
    return replace(part, constraints=(*part.constraints, Constraint(keyword="minContains", value=1)))


def _with_joined_ranges(parts: tuple[Schema, ...]) -> tuple[Schema, ...]:
    """Return the parts of a value with all bounds of a number or count at the last part that has one, so that
    they read as one range. Different values of one bound stay apart.
    """
    bounded = [
        part for part in parts if any(constraint.keyword in RANGE_KEYWORDS for constraint in part.constraints)
    ]
    if len(bounded) < 2:
        return parts
    bounds = {
        constraint.keyword: constraint
        for part in bounded
        for constraint in part.constraints
        if constraint.keyword in RANGE_KEYWORDS
    }
    if any(
        bounds.get(constraint.keyword, constraint).value != constraint.value
        for part in bounded
        for constraint in part.constraints
    ):
        return parts
    last = bounded[-1]
    return tuple(
        part
        if part not in bounded
        else replace(
            part,
            constraints=(
                *(constraint for constraint in part.constraints if constraint.keyword not in bounds),
                *(bounds.values() if part is last else ()),
            ),
            beta_keywords=tuple(dict.fromkeys(name for each in bounded for name in each.beta_keywords))
            if part is last
            else part.beta_keywords,
        )
        for part in parts
    )


def _first_default(schemas: Iterable[Schema]) -> Any:
    """Return the first default that is written."""
    return next((schema.default for schema in schemas if schema.default is not ABSENT), ABSENT)
