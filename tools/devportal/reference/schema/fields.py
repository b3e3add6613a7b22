"""Schemas as rows of fields. Nesting is bounded so that pages stay small."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, assert_never

from devportal.contract import Api, Header, Location, Parameter, ParameterLocation, Schema, Stability
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.schema_contents import SchemaContents, schema_contents
from devportal.reference.addresses import Anchors
from devportal.reference.history_marks import NO_HISTORY_MARKS, HistoryMark, HistoryMarks
from devportal.reference.markup import visible_code
from devportal.reference.reference import Reference
from devportal.reference.schema.branch_names import Branch, BranchMember, distinguish_branches
from devportal.reference.schema.described_values import EMPTY_DESCRIPTION, TypeLabel, ValueDescription
from devportal.reference.schema.examples import (
    ExampleView,
    as_header_text,
    example_views,
    merge_equal_examples,
)
from devportal.reference.schema.shapes import (
    UNBOUNDED_NODES,
    ExtraSchema,
    RowKind,
    SchemaCache,
    SchemaLayer,
    SchemaShapes,
)
from devportal.reference.schema.value_descriptions import SchemaDescription, ValueDescriptions
from devportal.reference.wording import (
    SUBSCHEMA_LABELS,
    ConstraintFact,
    encoding_facts,
    says_the_same,
    serialisation_facts,
)
from devportal.translation import ENGLISH, current_interface, gettext

MAX_INLINE_NODES = 16
"""How many rows a shared schema may take to be shown in place; a larger one is a link to its page."""


class Field(NamedTuple):
    """A row: a parameter, header or property. A body and a branch of a union have no name.

    A large contract has a hundred thousand of them: a frozen dataclass takes three times as long to make.
    """

    name: str
    anchor: str
    value: ValueDescription = EMPTY_DESCRIPTION
    kind: RowKind = RowKind.NAMED
    required: bool = False
    fields: tuple["Field", ...] = ()
    unions: tuple["UnionView", ...] = ()
    title_in_address: str = ""
    """The title in English if it has words of ours: the address of its page is the same in all languages."""
    home: TypeLabel | None = None
    """The shared schema whose page shows the same content, if there is one."""
    more: tuple[TypeLabel, ...] = ()
    """Links to nested schemas that other pages show."""
    marks: tuple[HistoryMark, ...] = ()
    """When it was added, and when it changed."""
    distinction: tuple[str, ...] = ()
    """What sets a branch of a union apart from those that would be called the same, as code."""

    @property
    def label(self) -> str:
        """The words before or instead of the code, if the name is not a property name."""
        match self.kind:
            case RowKind.NAMED | RowKind.BODY:
                return ""
            case RowKind.GROUP:
                is_in_english = self.title_in_address and current_interface() is ENGLISH
                return self.title_in_address if is_in_english else self.name
            case RowKind.PATTERN:
                return gettext(SUBSCHEMA_LABELS["patternProperties"])
            case RowKind.OTHER:
                return gettext(SUBSCHEMA_LABELS["additionalProperties"])
            case RowKind.ITEM if self.name.isdecimal():
                return gettext(SUBSCHEMA_LABELS["prefixItems"], name=self.name)
            case RowKind.ITEM:
                return gettext("each item")
            case RowKind.RULE:
                keyword, _, name = self.name.partition(" ")
                return (
                    gettext(SUBSCHEMA_LABELS[keyword], name=name)
                    if keyword in SUBSCHEMA_LABELS
                    else self.name
                )
        assert_never(self.kind)

    @property
    def code(self) -> str:
        """The name as code, if it is a property name or pattern."""
        return visible_code(self.name) if self.kind in (RowKind.NAMED, RowKind.PATTERN) else ""

    @property
    def shows_type(self) -> bool:
        """Say whether a body names its type: its fields show that it is an object, but not that it is a list of
        objects, or may be null.
        """
        type_ = self.value.type
        is_obvious = self.fields and not type_.target and type_.text in ("object", gettext("any"))
        return bool(type_.text) and not is_obvious

    @property
    def is_bare(self) -> bool:
        """Say whether the row has only a type, and perhaps links: nothing to expand."""
        return not (self.value.has_rules or self.value.has_texts or self.fields or self.unions)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionView:
    """The branches of a union, and the word that joins them."""

    words: str
    branches: tuple[Field, ...]


class _SchemaPosition(NamedTuple):
    """The position of a schema on a page: its anchor, its depth, and the schemas around it."""

    anchors: Anchors
    anchor: str
    depth: int = 0
    trail: tuple[Location, ...] = ()
    is_branch: bool = False
    """Whether this is a branch of a whole body."""

    def with_own_anchor(self) -> "_SchemaPosition":
        """Return the same position with an anchor that is unique on the page."""
        return _SchemaPosition(self.anchors, self.anchors.take(self.anchor), self.depth, self.trail)

    def below(self, name: str, schema: Schema) -> "_SchemaPosition":
        """Return the position of a member of a schema."""
        anchor = f"{self.anchor}.{name}" if self.anchor else name
        return _SchemaPosition(self.anchors, anchor, self.depth + 1, (*self.trail, schema.location))


@dataclass(frozen=True, slots=True, kw_only=True)
class _NestedFields:
    fields: tuple[Field, ...] = ()
    unions: tuple[UnionView, ...] = ()
    is_shared: bool = False
    more: tuple[TypeLabel, ...] = ()


_NO_NESTED_FIELDS = _NestedFields()


class SharedFields(tuple[Field, ...]):
    """Rows that are the same wherever they are shown, and one object: what is made of them is made once.

    They have the same ids on all pages, and no links of ours.
    """

    __slots__ = ()


_NestedKey = tuple[int, str, bool, bool]
"""A description by its id, and what matters of a position: the anchor, whether it is nested, or a branch of a body."""


class _SharedNestedFields(NamedTuple):
    """The content of a schema, which is the same on all pages where these ids are free."""

    described: SchemaDescription
    nested: _NestedFields
    ids: frozenset[str]


class _NamedValue(NamedTuple):
    """The description of a parameter or header, which many operations share."""

    declared: Parameter | Header
    """Kept, so that its id stays its own."""
    description: ValueDescription


class FieldReader:
    """Turns schemas into rows, for one direction of values."""

    def __init__(
        self,
        reference: Reference,
        direction: Direction | None = None,
        *,
        marks: HistoryMarks = NO_HISTORY_MARKS,
    ) -> None:
        """Take the reference, and the history marks of the parts of its contract.

        Without a `direction`, read-only and write-only fields are both shown.
        """
        self._reference = reference
        self._marks = marks
        self._addresses = reference.addresses
        self._shapes = SchemaShapes(reference.api, direction)
        contents = (
            SchemaContents(reference.api, lambda location: bool(marks.at(location)))
            if marks
            else schema_contents(reference.api)
        )
        self._descriptions = ValueDescriptions(reference, self._shapes.towards(None), contents)
        self._split_cached = SchemaCache(self._split_shared_parts)
        self._shared: dict[_NestedKey, _SharedNestedFields] = {}
        self._named_values: dict[int, _NamedValue] = {}

    def towards(self, direction: Direction) -> "FieldReader":
        """Return a reader for one direction. It shares what is the same in both."""
        reader = FieldReader(self._reference, direction, marks=self._marks)
        reader._shapes = self._shapes.towards(direction)
        reader._descriptions, reader._named_values = self._descriptions, self._named_values
        return reader

    def without_history(self) -> "FieldReader":
        """Return a reader without history marks. It shares all else."""
        reader = FieldReader(self._reference)
        reader._shapes, reader._descriptions = self._shapes, self._descriptions
        return reader

    def units(self) -> tuple[str, ...]:
        """Return the units of the contract whose texts were read since the last call."""
        return self._descriptions.take_units_read()

    def body(self, schema: Schema, anchors: Anchors, anchor: str) -> Field:
        """Return a body as a field without a name. Its first level is always shown."""
        self._descriptions.read_unit(schema.location)
        return self._field("", schema, _SchemaPosition(anchors, anchor), kind=RowKind.BODY)

    def brief(self, schema: Schema, anchors: Anchors, anchor: str) -> Field:
        """Return a body with links in place of its shared parts. Only the fields it adds itself are rows.

        A small shared body is shown in full the first time it occurs on the page.
        """
        core = self._shapes.core(schema)
        page = self._addresses.schema(core)
        if page is not None and self._shapes.weight(core) <= MAX_INLINE_NODES and anchors.is_new(page):
            return self.body(schema, anchors, anchor)
        if page is not None:
            label = self._descriptions.label(schema)
            description = self._descriptions.intern(
                ValueDescription(type=label, description=schema.description)
            )
            return Field(name="", anchor=anchor, value=description, more=(label,))
        own, shared = self._split_cached(core)
        if not shared:
            return self.body(schema, anchors, anchor)
        first, *others = map(self._descriptions.label, shared)
        field = self.body(own, anchors, anchor)
        description = self._descriptions.intern(replace(field.value, type=first))
        return field._replace(value=description, more=tuple(others))

    def parameter(self, parameter: Parameter, anchors: Anchors, anchor: str) -> Field:
        """Return a parameter. Its own texts come before those of its schema."""
        return self._read_named_value(parameter, anchors, anchor)

    def header(self, header: Header, anchors: Anchors, anchor: str) -> Field:
        """Return a header of a response."""
        return self._read_named_value(header, anchors, anchor)

    def _read_named_value(self, declared: Parameter | Header, anchors: Anchors, anchor: str) -> Field:
        schema = declared.schema or (declared.content.schema if declared.content else None)
        if schema is None:
            field = Field(name=declared.name, anchor=anchors.take(anchor))
        else:
            self._descriptions.read_unit(schema.location)
            field = self._field(declared.name, schema, _SchemaPosition(anchors, anchor, depth=1))
        known = self._named_values.get(id(declared))
        if known is None:
            description = self._describe_named_value(declared, schema, field.value)
            known = self._named_values[id(declared)] = _NamedValue(declared, description)
        return field._replace(value=known.description, required=declared.required)

    def _describe_named_value(
        self, declared: Parameter | Header, schema: Schema | None, of_schema: ValueDescription
    ) -> ValueDescription:
        """Return what a parameter or header says, and what its schema says besides."""
        content = declared.content
        if schema is None:
            description = ValueDescription(
                type=TypeLabel(text=gettext("any")), description=declared.description
            )
        else:
            description = _without_inherited_stability(schema, of_schema)
            if declared.description:
                further = self._descriptions.further_texts(schema, declared.description)
                description = replace(description, description=declared.description, further=further)
        sent_as = (
            [ConstraintFact(label=gettext("written as %(value)s"), code=content.name)] if content else []
        )
        for encoding in content.encodings if content else ():
            sent_as += [replace(fact, part=encoding.property_name) for fact in encoding_facts(encoding)]
        examples, names = merge_equal_examples(_examples(declared, description))
        description = replace(
            description,
            deprecated=declared.deprecated or description.deprecated,
            sunset=declared.sunset or description.sunset,
            stability=declared.stability or description.stability,
            grounds=declared.grounds or description.grounds,
            facts=(*_own_facts(self._reference.api, declared), *sent_as, *description.facts, *names),
            examples=examples,
        )
        return self._descriptions.intern(description)

    def _field(
        self,
        name: str,
        schema: Schema,
        position: _SchemaPosition,
        *,
        kind: RowKind = RowKind.NAMED,
        required: bool = False,
    ) -> Field:
        """Return a schema as a field. A body or branch has no row, so it has no anchor."""
        if kind is not RowKind.BODY:
            position = position.with_own_anchor()
        described = self._descriptions.of(schema)
        description = described.value
        if description.title and says_the_same(description.title, name):
            description = self._descriptions.intern(replace(description, title=""))
        nested = _NO_NESTED_FIELDS if described.is_leaf else self._shared_nested_fields(described, position)
        return Field(
            name=name,
            anchor=position.anchor,
            value=description,
            kind=kind,
            required=required,
            fields=nested.fields,
            unions=nested.unions,
            home=_page_label(described) if nested.is_shared else None,
            more=nested.more,
            marks=self._marks.at(schema.location),
        )

    def _shared_nested_fields(self, described: SchemaDescription, position: _SchemaPosition) -> _NestedFields:
        """Return the nested fields of a schema, the same objects for all pages that show them with the same ids.

        A schema without references always has the same ones. An id that is taken on a page gets a number there.
        """
        if not described.is_whole:
            return self._nested_fields(described, position)
        anchors = position.anchors
        key = (id(described), position.anchor, position.depth > 0, position.is_branch)
        shared = self._shared.get(key)
        if shared is not None and anchors.take_together(shared.ids):
            return shared.nested
        numbered = anchors.numbered
        nested = self._nested_fields(described, position)
        ids = frozenset(_own_ids((*nested.fields, *_branches(nested.unions))))
        if ids and anchors.numbered == numbered:  # rows without ids could be on one page twice
            if not any(map(_has_links, nested.fields)):
                nested = replace(nested, fields=SharedFields(nested.fields))
            self._shared[key] = _SharedNestedFields(described, nested, ids)
        return nested

    def _nested_fields(self, described: SchemaDescription, position: _SchemaPosition) -> _NestedFields:
        """Return the nested fields and branches, and links to nested schemas that other pages show."""
        *around, last = described.layers
        outer_rows = [row for layer in around for row in self._extras(layer, position, is_core=False)]
        if not self._has_content(last):
            return _NestedFields(fields=tuple(outer_rows))
        core = last.schema
        shared: tuple[Schema, ...] = ()
        if position.depth > 0 and not (
            self._is_shown_in_place(core, position) or self._is_opened(core, position)
        ):
            if described.page:
                return _NestedFields(fields=tuple(outer_rows), more=(_page_label(described),))
            core, shared = self._split_cached(core)
            if not shared or core.location in position.trail:  # recursive, and without a page
                return _NestedFields(
                    fields=tuple(outer_rows), more=tuple(map(self._descriptions.label, shared))
                )
        combined = {member.name: member for member in self._shapes.members(last.schema)} if shared else {}
        members = (combined.get(member.name, member) for member in self._shapes.members(core))
        rows = [
            self._field(
                member.name, member.schema, position.below(member.name, core), required=member.required
            )
            for member in members
        ]
        rows += self._extras(SchemaLayer(schema=core, of=last.of), position, is_core=True)
        return _NestedFields(
            fields=(*rows, *outer_rows),
            unions=tuple(self._unions(core, position)),
            is_shared=bool(described.page) and not outer_rows,
            more=tuple(map(self._descriptions.label, shared)),
        )

    def _has_content(self, layer: SchemaLayer) -> bool:
        return bool(
            self._shapes.members(layer.schema)
            or self._shapes.unions(layer.schema)
            or any(True for _ in self._shapes.extras(layer, is_core=True))
        )

    def _is_opened(self, schema: Schema, position: _SchemaPosition) -> bool:
        """Say whether a recursive branch of a whole body shows its first level.

        Without it, readers would see a choice between names only.
        """
        if not position.is_branch or schema.location in position.trail:
            return False
        return (
            self._shapes.weight(schema) == UNBOUNDED_NODES
            and len(self._shapes.members(schema)) <= MAX_INLINE_NODES
        )

    def _is_shown_in_place(self, schema: Schema, position: _SchemaPosition) -> bool:
        """Say whether a schema is shown where it is used.

        A schema with a page is, if it is small. One without is, unless it combines large schemas with pages.
        """
        if schema.location in position.trail:
            return False
        if self._addresses.schema(schema) is None and not (schema.all_of and self._split_cached(schema)[1]):
            return True
        return self._shapes.weight(schema) <= MAX_INLINE_NODES

    def _split_shared_parts(self, schema: Schema) -> tuple[Schema, tuple[Schema, ...]]:
        """Split a schema into what it declares itself and its `allOf` parts that have pages."""
        own: list[Schema] = []
        shared: list[Schema] = []
        pending, seen = [schema], {schema.location}
        while pending:
            here = pending.pop(0)
            own.append(replace(here, all_of=()))
            for part in here.all_of:
                target = self._shapes.target(part)
                if target.location in seen:
                    continue
                seen.add(target.location)
                if self._addresses.schema(target) is None:
                    pending.append(target)
                else:
                    shared.append(part)
        first, *others = own
        return replace(first, location=schema.location.child("own"), all_of=tuple(others)), tuple(shared)

    def _extras(self, layer: SchemaLayer, position: _SchemaPosition, *, is_core: bool) -> list[Field]:
        return [
            self._extra(extra, position, layer.schema)
            for extra in self._shapes.extras(layer, is_core=is_core)
        ]

    def _extra(self, extra: ExtraSchema, position: _SchemaPosition, schema: Schema) -> Field:
        below = position.below(f"{extra.kind}:{extra.name}", schema)
        field = self._field(extra.name or extra.kind, extra.schema, below, kind=extra.kind)
        if extra.name != "propertyNames" or field.value.type.text != gettext("any"):
            return field
        description = replace(field.value, type=TypeLabel(text="string"))  # a name is always a text
        return field._replace(value=self._descriptions.intern(description))

    def _unions(self, core: Schema, position: _SchemaPosition) -> Iterator[UnionView]:
        number = 0
        for words, branches in self._shapes.unions(core):
            rows = []
            for branch in branches:
                number += 1
                below = position.below(str(number), core)
                rows.append(self._branch(branch, below._replace(is_branch=position.depth == 0)))
            distinctions = distinguish_branches([*map(_branch_members, rows)])
            yield UnionView(
                words=words,
                branches=tuple(
                    row._replace(distinction=distinction) if distinction else row
                    for row, distinction in zip(rows, distinctions, strict=True)
                ),
            )

    def _branch(self, schema: Schema, position: _SchemaPosition) -> Field:
        """Return a branch of a union. Without a page, its name is its title or its only allowed value."""
        field = self._field("", schema, position, kind=RowKind.BODY)
        description = field.value
        if description.type.target:
            return field
        if description.title:
            untitled = self._descriptions.intern(replace(description, title=""))
            return field._replace(name=description.title, value=untitled)
        return field._replace(name=description.enum[0].code) if len(description.enum) == 1 else field


def _branch_members(row: Field) -> Branch:
    return Branch(
        title=row.value.type.text,
        members=tuple(
            BranchMember(
                name=field.code,
                required=field.required,
                value=field.value.enum[0].code if len(field.value.enum) == 1 else "",
            )
            for field in row.fields
            if field.kind is RowKind.NAMED
        ),
        has_name=bool(row.name or row.value.type.target),
    )


def _page_label(described: SchemaDescription) -> TypeLabel:
    """Return the name of the shared schema whose page shows a value: `Item` for an array of items, or null."""
    return TypeLabel(
        text=described.layers[-1].schema.name or described.value.type.text, target=described.page
    )


def _has_links(row: Field) -> bool:
    """Say whether a row has links of ours, or one of those in it: they differ by page."""
    value = row.value
    if row.more or row.marks or value.type.target or value.grounds or value.has_related_schemas:
        return True
    if isinstance(row.fields, SharedFields) and not row.unions:
        return False
    return any(map(_has_links, (*row.fields, *_branches(row.unions))))


def _own_ids(rows: Iterable[Field]) -> Iterator[str]:
    """Yield the ids of rows and of all that is in them; a body or branch has none."""
    for row in rows:
        if row.kind is not RowKind.BODY:
            yield row.anchor
        if row.fields or row.unions:
            yield from _own_ids((*row.fields, *_branches(row.unions)))


def _branches(unions: Iterable[UnionView]) -> Iterator[Field]:
    for union in unions:
        yield from union.branches


def _without_inherited_stability(schema: Schema, description: ValueDescription) -> ValueDescription:
    """Return a description without a `stable` mark inherited by reference.

    A parameter that takes stable values is only as stable as its operation.
    """
    is_its_own = schema.ref is None or schema.stability is not None
    if is_its_own or description.stability is not Stability.STABLE:
        return description
    return replace(description, stability=None, grounds=schema.grounds)


def _own_facts(api: Api, declared: Parameter | Header) -> Iterator[ConstraintFact]:
    """Yield what replaces a parameter, and how a parameter or header is written."""
    if isinstance(declared, Header):
        if declared.explode:
            yield ConstraintFact(label=gettext("explode %(value)s"), code="true")
        return
    if declared.successor:
        yield ConstraintFact(label=gettext("use instead %(value)s"), code=declared.successor)
    yield from serialisation_facts(api, declared)


def _examples(declared: Parameter | Header, description: ValueDescription) -> tuple[ExampleView, ...]:
    """Return the examples of a parameter or header, followed by those of its schema."""
    content = declared.content
    given = example_views(declared.examples)
    given += example_views(content.examples, content.name) if content else ()
    known = {example_view.text for example_view in given}
    examples = (*given, *(example for example in description.examples if example.text not in known))
    is_in_head = isinstance(declared, Header) or declared.location_in is ParameterLocation.HEADER
    return tuple(map(as_header_text, examples)) if is_in_head and not content else examples


def composed_schemas(api: Api, schema: Schema) -> Iterator[Schema]:
    """Yield a schema and the schemas it is composed of, each reference once: they may be recursive."""
    pending = [schema]
    followed = set()
    while pending:
        current = pending.pop()
        if current.ref is not None and current.ref in followed:
            continue
        followed.add(current.ref)
        target = api.resolve(current)
        yield target
        pending += reversed((*target.all_of, *target.one_of, *target.any_of))
