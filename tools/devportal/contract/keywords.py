"""The registry of keywords: one row for each keyword of a schema, with what every room needs to know of it.

A row says how a keyword is read, merged under `allOf`, described, sampled, compared and checked in the
browser (`contract/keyword_columns.py`). A column that is empty has a waiver with the reason. A function of a
higher room stands in a table of that room, by the name of the keyword. Keywords that are read together are
read in the order of their rows.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from devportal.contract.keyword_columns import (
    Below,
    Column,
    Comparison,
    CountRange,
    Holds,
    Keyword,
    Merge,
    Reading,
    Sampling,
    Sentence,
    ShownAs,
    SubschemaRow,
    ValueShape,
)
from devportal.translation import gettext_noop


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_name_lists(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(names, list) and all(isinstance(name, str) for name in names) for names in value.values()
    )


_NUMBER = ValueShape(expected="a number", fits=_is_number)
_COUNT = ValueShape(expected="a whole number of at least 0", fits=_is_count)


_CONSTRAINT = Keyword(
    name="", since="3.0", model_field="constraints", reading=Reading.CONSTRAINT, sampling=Sampling.SHAPES,
    browser=True,
)  # fmt: skip
"""What rows of keywords have in common that limit the values of one type (JSON Schema Validation §6)."""
_SMALLEST = replace(_CONSTRAINT, value=_COUNT, merge=Merge.LARGEST)
_LARGEST = replace(_CONSTRAINT, value=_COUNT, merge=Merge.SMALLEST, description=CountRange())

_APPLICATOR = Keyword(
    name="", since="3.0", kind="schema", has_page=True, model_field="others", reading=Reading.OTHER,
    merge=Merge.EACH, browser=True,
)  # fmt: skip
"""The same of keywords that hold schemas (JSON Schema §10, §11)."""

_BROKEN_BY_NOTHING = {Column.BROWSER: "no value breaks an annotation"}
_LIMITS_NOTHING = {
    **_BROKEN_BY_NOTHING,
    Column.MERGE: "an annotation limits nothing, so that valid values are known without it",
}
_ANNOTATION = Keyword(
    name="", since="3.0", is_annotation=True, reading=Reading.OWN,
    waivers={**_LIMITS_NOTHING, Column.SAMPLING: "an annotation limits no value"},
)  # fmt: skip
"""The same for keywords that only annotate values (JSON Schema Validation §9, OAS)."""
_SAMPLE = replace(_ANNOTATION, sampling=Sampling.GIVES, waivers=_LIMITS_NOTHING)
_FLAG = replace(
    _ANNOTATION, reading=Reading.FLAG, merge=Merge.EITHER, sampling=Sampling.SHAPES,
    waivers=_BROKEN_BY_NOTHING,
)  # fmt: skip
_EXTENSION = replace(_ANNOTATION, since="")

_IDENTIFIER = Keyword(
    name="", since="3.1", is_annotation=True, reading=Reading.REFERENCE,
    waivers=dict.fromkeys(set(Column) - {Column.READING}, "it refers to a place: the schema there counts"),
)  # fmt: skip
"""The same of keywords that say what a schema is called, or that lead to one."""
_DEFINITIONS = replace(_IDENTIFIER, holds=Holds.MAP, kind="schema", below=Below.NOTHING)

_CONTENT = Keyword(
    name="", since="3.1", applies_to="string", model_field="content", reading=Reading.CONTENT,
    rules=("schema.content-encoding",),
    waivers={
        Column.MERGE: "which texts are valid does not depend on what they hold",
        Column.SAMPLING: "a sample is any text, whatever its content should be",
        Column.BROWSER: "validators do not look into texts (JSON Schema Validation §8.2)",
    },
)  # fmt: skip
"""The same for keywords that describe the content of a text (JSON Schema Validation §8)."""

KEYWORDS: tuple[Keyword, ...] = (
    replace(
        _IDENTIFIER, name="$ref", since="", browser=True,
        waivers={column: why for column, why in _IDENTIFIER.waivers.items() if column is not Column.BROWSER},
    ),
    replace(_IDENTIFIER, name="$dynamicRef"),
    replace(_IDENTIFIER, name="$id"),
    replace(_IDENTIFIER, name="$anchor"),
    replace(_IDENTIFIER, name="$dynamicAnchor"),
    replace(_DEFINITIONS, name="$defs"),
    replace(_DEFINITIONS, name="definitions", since=""),
    Keyword(
        name="$vocabulary", since="3.1",
        waivers=dict.fromkeys(Column, "it means something in a meta-schema only (JSON Schema §8.1.2)"),
    ),
    Keyword(
        name="additionalItems", holds=Holds.ONE, kind="schema", below=Below.PART,
        waivers=dict.fromkeys(Column, "JSON Schema 2020-12 has no such keyword"),
    ),
    Keyword(
        name="x-internal", waivers=dict.fromkeys(Column, "what has it is gone before anything else is read")
    ),
    Keyword(
        name="x-audience", waivers=dict.fromkeys(Column, "it is read before anything else, as x-internal or nothing")
    ),
    Keyword(
        name="type", since="3.0", is_unambiguous=True, model_field="types", reading=Reading.OWN,
        merge=Merge.COMMON, description=ShownAs(attribute="type"), sampling=Sampling.SHAPES,
        rules=("schema.type", "schema.nullable"), browser=True,
    ),
    Keyword(
        name="nullable", since="3.0", removed_in="3.1", model_field="nullable", reading=Reading.OWN,
        version_advice="write a list of types instead: 'type: [string, \"null\"]'",
        merge=Merge.COMMON, description=ShownAs(attribute="type"), sampling=Sampling.SHAPES,
        rules=("schema.nullable",), waivers={Column.BROWSER: "it is written as a type there"},
    ),
    Keyword(
        name="format", since="3.0", model_field="format", reading=Reading.TEXT, merge=Merge.LAST,
        description=ShownAs(attribute="type"), sampling=Sampling.SHAPES, rules=("schema.format",),
        browser=True,
    ),
    Keyword(
        name="enum", since="3.0", holds=Holds.DATA_LIST, has_page=True, is_unambiguous=True,
        model_field="enum", reading=Reading.OWN, merge=Merge.COMMON, description=ShownAs(attribute="enum"),
        sampling=Sampling.GIVES, rules=("schema.enum", "schema.value.stability"), browser=True,
    ),
    Keyword(
        name="const", since="3.1", holds=Holds.DATA, is_unambiguous=True, model_field="const",
        version_advice="write an 'enum' of one value instead, or raise the version under 'openapi'",
        reading=Reading.OWN, merge=Merge.FIRST, description=ShownAs(attribute="enum"),
        sampling=Sampling.GIVES, rules=("schema.const",), browser=True,
    ),
    replace(
        _CONSTRAINT, name="multipleOf", applies_to="number", is_unambiguous=True,
        value=ValueShape(expected="a number above 0", fits=lambda value: _is_number(value) and value > 0),
        merge=Merge.MULTIPLE, description=Sentence(label=gettext_noop("a multiple of %(value)s")),
        rules=("schema.multiple-of",),
    ),
    replace(
        _CONSTRAINT, name="minimum", applies_to="number", value=_NUMBER, is_unambiguous=True,
        exclusive="exclusiveMinimum", upper=("maximum", "exclusiveMaximum"), merge=Merge.LARGEST,
        description=Comparison(sign="≥"), rules=("schema.minimum",),
    ),
    replace(
        _CONSTRAINT, name="exclusiveMinimum", applies_to="number", value=_NUMBER, is_unambiguous=True,
        upper=("maximum", "exclusiveMaximum"), merge=Merge.LARGEST, description=Comparison(sign=">"),
        rules=("schema.minimum", "schema.exclusive"),
    ),
    replace(
        _CONSTRAINT, name="maximum", applies_to="number", value=_NUMBER, is_unambiguous=True,
        exclusive="exclusiveMaximum", merge=Merge.SMALLEST, description=Comparison(sign="≤"),
        rules=("schema.maximum",),
    ),
    replace(
        _CONSTRAINT, name="exclusiveMaximum", applies_to="number", value=_NUMBER, is_unambiguous=True,
        merge=Merge.SMALLEST, description=Comparison(sign="<"), rules=("schema.maximum", "schema.exclusive"),
    ),
    replace(
        _SMALLEST, name="minLength", applies_to="string", is_unambiguous=True, upper=("maxLength",),
        description=CountRange(noun="character"), rules=("schema.min-length",),
    ),
    replace(
        _LARGEST, name="maxLength", applies_to="string", is_unambiguous=True, rules=("schema.max-length",)
    ),
    replace(
        _CONSTRAINT, name="pattern", applies_to="string", is_unambiguous=True,
        value=ValueShape(expected="text", fits=lambda value: isinstance(value, str)),
        merge=Merge.EACH, rules=("schema.pattern",),
        description=Sentence(label=gettext_noop("matches %(value)s"), has_code=True),
    ),
    replace(
        _SMALLEST, name="minItems", applies_to="array", is_unambiguous=True, upper=("maxItems",),
        description=CountRange(noun="item"), rules=("schema.min-items",),
    ),
    replace(
        _LARGEST, name="maxItems", applies_to="array", is_unambiguous=True, rules=("schema.max-items",)
    ),
    replace(
        _CONSTRAINT, name="uniqueItems", applies_to="array", is_unambiguous=True,
        value=ValueShape(expected="true or false", fits=lambda value: isinstance(value, bool)),
        merge=Merge.EITHER, description=Sentence(label=gettext_noop("no duplicate items")),
        rules=("schema.unique-items",),
    ),
    replace(
        _SMALLEST, name="minContains", since="3.1", applies_to="array", beside="contains",
        upper=("maxContains",), description=CountRange(noun="matching item"), rules=("schema.min-contains",),
    ),
    replace(
        _LARGEST, name="maxContains", since="3.1", applies_to="array", beside="contains",
        rules=("schema.max-contains",),
    ),
    replace(
        _SMALLEST, name="minProperties", applies_to="object", is_unambiguous=True, upper=("maxProperties",),
        description=CountRange(noun="property"), rules=("schema.min-properties",),
    ),
    replace(
        _LARGEST, name="maxProperties", applies_to="object", is_unambiguous=True,
        rules=("schema.max-properties",),
    ),
    replace(
        _CONSTRAINT, name="dependentRequired", since="3.1", applies_to="object", is_keyed_by_property=True,
        value=ValueShape(expected="a mapping of lists of names", fits=_is_name_lists), merge=Merge.BY_NAME,
        description=Sentence(label=gettext_noop("some fields require others: %(value)s"), has_code=True),
        sampling=Sampling.TRIED, rules=("schema.dependent-required",),
    ),
    Keyword(
        name="required", since="3.0", applies_to="object", is_unambiguous=True, model_field="required",
        reading=Reading.OWN, merge=Merge.EACH, description=ShownAs(attribute="required"),
        sampling=Sampling.SHAPES, rules=("schema.property", "schema.required"), browser=True,
    ),
    replace(
        _APPLICATOR, name="properties", holds=Holds.MAP, below=Below.PART, is_keyed_by_property=True,
        model_field="properties", reading=Reading.OWN, merge=Merge.ALL_OF,
        description=ShownAs(attribute="fields"), sampling=Sampling.SHAPES, rules=("schema.property",),
    ),
    replace(
        _APPLICATOR, name="patternProperties", since="3.1", holds=Holds.MAP, below=Below.PART,
        model_field="pattern_properties", reading=Reading.OWN, sampling=Sampling.SHAPES,
        description=SubschemaRow(label=gettext_noop("names that match ")), rules=("schema.pattern-property",),
    ),
    replace(
        _APPLICATOR, name="additionalProperties", holds=Holds.ONE, below=Below.PART, is_unambiguous=True,
        model_field="additional_properties", reading=Reading.SCHEMA, merge=Merge.ALL_OF,
        description=SubschemaRow(label=gettext_noop("any other name"), if_false=gettext_noop("no other properties")),
        sampling=Sampling.SHAPES, rules=("schema.additional",),
    ),
    replace(
        _APPLICATOR, name="items", holds=Holds.ONE, below=Below.PART, model_field="items",
        reading=Reading.SCHEMA, merge=Merge.ALL_OF, sampling=Sampling.SHAPES, rules=("schema.items",),
        description=SubschemaRow(label=gettext_noop("each further item"), if_false=gettext_noop("no further items")),
    ),
    replace(
        _APPLICATOR, name="prefixItems", since="3.1", holds=Holds.LIST, below=Below.PART,
        model_field="prefix_items", reading=Reading.OWN, merge=Merge.LONGEST, sampling=Sampling.SHAPES,
        description=SubschemaRow(label=gettext_noop("item %(name)s")), rules=("schema.prefix-items",),
    ),
    replace(
        _APPLICATOR, name="allOf", holds=Holds.LIST, below=Below.COMBINED, model_field="all_of",
        reading=Reading.SCHEMA_LIST, merge=Merge.APART, description=ShownAs(attribute="combines"),
        sampling=Sampling.SHAPES, rules=("schema.all-of",),
    ),
    replace(
        _APPLICATOR, name="oneOf", holds=Holds.LIST, below=Below.COMBINED, model_field="one_of",
        reading=Reading.OWN, merge=Merge.APART, description=ShownAs(attribute="unions"),
        sampling=Sampling.SHAPES, rules=("schema.one-of", "schema.union", "schema.branch"),
    ),
    replace(
        _APPLICATOR, name="anyOf", holds=Holds.LIST, below=Below.COMBINED, model_field="any_of",
        reading=Reading.OWN, merge=Merge.APART, description=ShownAs(attribute="unions"),
        sampling=Sampling.SHAPES, rules=("schema.any-of", "schema.union", "schema.branch"),
    ),
    replace(
        _APPLICATOR, name="not", holds=Holds.ONE, below=Below.NEGATED, model_field="negated",
        reading=Reading.SCHEMA, merge=Merge.APART, description=SubschemaRow(label=gettext_noop("must not match")),
        sampling=Sampling.TRIED, rules=("schema.not",),
    ),
    replace(
        _APPLICATOR, name="if", since="3.1", holds=Holds.ONE, below=Below.NEGATED,
        description=SubschemaRow(label=gettext_noop("if it matches")), sampling=Sampling.TRIED, rules=("schema.if",),
    ),
    replace(
        _APPLICATOR, name="then", since="3.1", holds=Holds.ONE, below=Below.CONDITIONAL, beside="if",
        has_page=False, description=SubschemaRow(label=gettext_noop("then it must match")), sampling=Sampling.TRIED,
        rules=("schema.if",),
    ),
    replace(
        _APPLICATOR, name="else", since="3.1", holds=Holds.ONE, below=Below.CONDITIONAL, beside="if",
        has_page=False, description=SubschemaRow(label=gettext_noop("otherwise it must match")),
        sampling=Sampling.TRIED, rules=("schema.if",),
    ),
    replace(
        _APPLICATOR, name="dependentSchemas", since="3.1", holds=Holds.MAP, below=Below.CONDITIONAL,
        is_keyed_by_property=True, description=SubschemaRow(label=gettext_noop("if %(name)s is present")),
        sampling=Sampling.TRIED, rules=("schema.dependent-schema",),
    ),
    replace(
        _APPLICATOR, name="contains", since="3.1", holds=Holds.ONE, below=Below.PART,
        description=SubschemaRow(label=gettext_noop("matching item")), sampling=Sampling.SHAPES,
        rules=("schema.contains",),
    ),
    replace(
        _APPLICATOR, name="propertyNames", since="3.1", holds=Holds.ONE, below=Below.NAMES,
        description=SubschemaRow(label=gettext_noop("each name")), sampling=Sampling.SHAPES,
        rules=("schema.property-names",),
    ),
    replace(
        _APPLICATOR, name="unevaluatedItems", since="3.1", holds=Holds.ONE, below=Below.PART, has_page=False,
        description=SubschemaRow(
            label=gettext_noop("any item not named above"), if_false=gettext_noop("no further items")
        ),
        rules=("schema.unevaluated",), waivers={Column.SAMPLING: "no further items are made"},
    ),
    replace(
        _APPLICATOR, name="unevaluatedProperties", since="3.1", holds=Holds.ONE, below=Below.PART,
        has_page=False, rules=("schema.unevaluated",),
        description=SubschemaRow(
            label=gettext_noop("any property not named above"), if_false=gettext_noop("no other properties")
        ),
        waivers={Column.SAMPLING: "no property is made that nothing names"},
    ),
    replace(
        _CONTENT, name="contentSchema", holds=Holds.ONE, kind="schema", below=Below.PART,
        beside="contentMediaType", model_field="others", reading=Reading.OTHER,
        description=SubschemaRow(label=gettext_noop("content")), rules=("schema.content-schema",),
    ),
    replace(
        _CONTENT, name="contentMediaType",
        description=Sentence(label=gettext_noop("holds %(value)s"), has_code=True),
    ),
    replace(
        _CONTENT, name="contentEncoding",
        description=Sentence(label=gettext_noop("encoded as %(value)s"), has_code=True),
    ),
    replace(
        _ANNOTATION, name="title", model_field="title", reading=Reading.TEXT,
        description=ShownAs(attribute="title"), rules=("schema.text",),
    ),
    replace(
        _ANNOTATION, name="description", model_field="description", reading=Reading.TEXT,
        description=ShownAs(attribute="description"), rules=("schema.text",),
    ),
    replace(
        _ANNOTATION, name="$comment", since="3.1", model_field="comment", reading=Reading.TEXT,
        rules=("schema.text",),
        waivers={**_ANNOTATION.waivers, Column.DESCRIPTION: "it is not for readers (JSON Schema §8.3)"},
    ),
    replace(
        _ANNOTATION, name="$schema", since="3.1", model_field="dialect", reading=Reading.TEXT,
        rules=("doc.dialect",),
        waivers={**_ANNOTATION.waivers, Column.DESCRIPTION: "it defines how programs read keywords"},
    ),
    replace(
        _SAMPLE, name="default", holds=Holds.DATA, model_field="default",
        description=ShownAs(attribute="default"), rules=("schema.default",),
    ),
    replace(
        _SAMPLE, name="example", holds=Holds.DATA, model_field="examples",
        description=ShownAs(attribute="examples"), rules=("schema.text",),
    ),
    replace(
        _SAMPLE, name="examples", since="3.1", holds=Holds.DATA_LIST, model_field="examples",
        version_advice="write 'example' instead, or raise the version under 'openapi'",
        description=ShownAs(attribute="examples"), rules=("schema.text",),
    ),
    replace(
        _FLAG, name="readOnly", model_field="read_only", description=ShownAs(attribute="read_only"),
        rules=("schema.read-only",),
    ),
    replace(
        _FLAG, name="writeOnly", model_field="write_only", description=ShownAs(attribute="write_only"),
        rules=("schema.write-only",),
    ),
    replace(
        _FLAG, name="deprecated", model_field="deprecated", description=ShownAs(attribute="deprecated"),
        rules=("deprecated",),
    ),
    Keyword(
        name="discriminator", since="3.0", holds=Holds.MINOR, kind="discriminator",
        model_field="discriminator", reading=Reading.OWN, merge=Merge.APART,
        description=ShownAs(attribute="mapping"), sampling=Sampling.SHAPES, rules=("schema.discriminator",),
        waivers={Column.BROWSER: "the branches ask the same of a value (OAS 3.1.1 §4.8.25)"},
    ),
    replace(
        _ANNOTATION, name="externalDocs", holds=Holds.MINOR, kind="external documentation",
        model_field="external_docs", description=ShownAs(attribute="docs"), rules=("schema.text",),
    ),
    replace(
        _ANNOTATION, name="xml", holds=Holds.MINOR, kind="XML object", model_field="xml",
        description=ShownAs(attribute="facts"), rules=("schema.xml",),
    ),
    replace(
        _EXTENSION, name="x-enumDescriptions", spellings=("x-enum-descriptions",),
        model_field="enum_descriptions", description=ShownAs(attribute="enum"), rules=("schema.text",),
    ),
    replace(
        _EXTENSION, name="x-enum-varnames", spellings=("x-enumNames", "x-enum-names"),
        model_field="enum_names", description=ShownAs(attribute="enum"), rules=("schema.text",),
    ),
    replace(
        _EXTENSION, name="x-extensible-enum", holds=Holds.DATA_LIST, model_field="extensible_enum",
        description=ShownAs(attribute="facts"), rules=("schema.enum.extensible",),
    ),
    replace(
        _EXTENSION, name="x-unit", model_field="extensions", reading=Reading.EXTENSION,
        description=Sentence(label=gettext_noop("in %(value)s"), has_code=True), rules=("schema.text",),
    ),
    replace(
        _EXTENSION, name="x-state-machine", holds=Holds.ONE, kind="state machine",
        model_field="state_machine", rules=("schema.text",),
        waivers={**_ANNOTATION.waivers, Column.DESCRIPTION: "the page of its schema draws it"},
    ),
    replace(
        _EXTENSION, name="x-stability-level", model_field="stability",
        description=ShownAs(attribute="stability"), rules=("stability",),
    ),
    replace(
        _EXTENSION, name="x-beta-keywords", model_field="beta_keywords",
        description=ShownAs(attribute="facts"), rules=("schema.keyword.stability",),
    ),
    replace(
        _EXTENSION, name="x-beta-values", holds=Holds.DATA_LIST, model_field="beta_values",
        description=ShownAs(attribute="enum"), rules=("schema.value.stability",),
    ),
    replace(
        _EXTENSION, name="x-sunset", model_field="sunset", reading=Reading.TEXT,
        description=ShownAs(attribute="sunset"), rules=("sunset", "removed"),
    ),
    *(
        replace(
            _EXTENSION, name=name, model_field="grounds", description=ShownAs(attribute="grounds"),
            waivers={**_ANNOTATION.waivers, Column.RULES: "what a promise rests on does not change it"},
        )
        for name in ("x-source", "x-decision")
    ),
    replace(
        _EXTENSION, name="x-renamed-from", model_field="renamed_from",
        rules=("schema.property.removed", "schema.property.added"),
        waivers={**_ANNOTATION.waivers, Column.DESCRIPTION: "the changelog shows what a part was called"},
    ),
)  # fmt: skip
"""Every keyword that the portal knows."""

KEYWORD_BY_NAME: Mapping[str, Keyword] = {name: row for row in KEYWORDS for name in row.names}
"""The rows by every name that a keyword goes by."""


def names_of(rows: Iterable[Keyword]) -> tuple[str, ...]:
    """Return every name of some rows, in the order of the rows."""
    return tuple(name for row in rows for name in row.names)


def keywords_below(*kinds: Below, holds: Holds | None = None) -> tuple[str, ...]:
    """Return the keywords with schemas of some kinds, optionally only those that hold them in one form."""
    return names_of(row for row in KEYWORDS if row.below in kinds and holds in (None, row.holds))


def keywords_read(reading: Reading) -> tuple[str, ...]:
    """Return the keywords with one kind of reading."""
    return names_of(row for row in KEYWORDS if row.reading is reading)


CONSTRAINTS: Mapping[str, Keyword] = {row.name: row for row in KEYWORDS if row.reading is Reading.CONSTRAINT}
"""The keywords that limit the values of one type, by name."""
PROPERTY_KEYED = names_of(row for row in KEYWORDS if row.is_keyed_by_property)
"""The keywords whose keys are names of properties."""
DATA_ROWS = tuple(row for row in KEYWORDS if row.holds in (Holds.DATA, Holds.DATA_LIST))
"""The keywords that hold values of the API: nothing in them is a description, or marked as internal."""
_VALUE_KEYS = frozenset({*names_of(DATA_ROWS), "value", "dataValue"})


def holds_values(key: object, member: object) -> bool:
    """Say whether a member holds values of the API; examples with names have them in their `value`."""
    return key in _VALUE_KEYS and not (key == "examples" and isinstance(member, dict))
