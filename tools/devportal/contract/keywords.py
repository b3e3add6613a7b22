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


def _constraint(name: str, applies_to: str, value: ValueShape, **columns: Any) -> Keyword:
    """Return the row of a keyword that limits the values of one type (JSON Schema 2020-12 Validation §6)."""
    row = Keyword(
        name=name,
        since="3.0",
        applies_to=applies_to,
        value=value,
        model_field="constraints",
        reading=Reading.CONSTRAINT,
        sampling=Sampling.SHAPES,
        browser=True,
    )
    return replace(row, **columns)


def _counts(
    low: str, high: str, applies_to: str, noun: str, rules: str, **columns: Any
) -> tuple[Keyword, ...]:
    """Return the rows of a smallest and a largest count; `rules` is what ids say after `min-` and `max-`."""
    smallest = _constraint(
        low,
        applies_to,
        _COUNT,
        upper=(high,),
        merge=Merge.LARGEST,
        description=CountRange(noun=noun),
        rules=(f"schema.min-{rules}",),
    )
    largest = replace(
        smallest,
        name=high,
        upper=(),
        merge=Merge.SMALLEST,
        description=CountRange(),
        rules=(f"schema.max-{rules}",),
    )
    return replace(smallest, **columns), replace(largest, **columns)


def _applicator(name: str, holds: Holds, below: Below, **columns: Any) -> Keyword:
    """Return the row of a keyword that holds schemas (JSON Schema 2020-12 §10, §11)."""
    row = Keyword(
        name=name, since="3.0", holds=holds, kind="schema", below=below, has_page=True,
        reading=Reading.OTHER, model_field="others", merge=Merge.EACH, browser=True,
    )  # fmt: skip
    return replace(row, **columns)


def _waive(row: Keyword, reasons: Mapping[Column, str]) -> Keyword:
    """Return a row with reasons for the columns that are empty."""
    empty = {column: reason for column, reason in reasons.items() if not getattr(row, column)}
    return replace(row, waivers=empty | dict(row.waivers))


_ANNOTATES = {
    Column.MERGE: "an annotation limits nothing, so what is valid is merged without it",
    Column.SAMPLING: "an annotation limits no value",
    Column.BROWSER: "an annotation is broken by no value",
}


def _annotation(name: str, model_field: str, shown_as: str, **columns: Any) -> Keyword:
    """Return the row of a keyword that only tells of values (JSON Schema 2020-12 Validation §9, OAS)."""
    row = Keyword(
        name=name,
        since="" if name.startswith("x-") else "3.0",
        is_annotation=True,
        model_field=model_field,
        reading=Reading.OWN,
        description=ShownAs(attribute=shown_as) if shown_as else None,
    )
    return _waive(replace(row, **columns), _ANNOTATES)


def _identifier(name: str, **columns: Any) -> Keyword:
    """Return the row of a keyword that says what a schema is called, or what it refers to by a name."""
    row = Keyword(name=name, since="3.1", is_annotation=True, reading=Reading.REFERENCE)
    reasons = dict.fromkeys(Column, "it names a place: what counts is what stands there")
    return _waive(replace(row, **columns), reasons)


def _unread(name: str, reason: str, **columns: Any) -> Keyword:
    """Return the row of a keyword that the portal does nothing with."""
    return replace(Keyword(name=name, waivers=dict.fromkeys(Column, reason)), **columns)


_NOT_SAMPLED = {Column.SAMPLING: "examples are small, and what is over is not made"}

KEYWORDS: tuple[Keyword, ...] = (
    _identifier("$ref", since="", browser=True),
    _identifier("$dynamicRef"),
    _identifier("$id"),
    _identifier("$anchor"),
    _identifier("$dynamicAnchor"),
    _identifier("$defs", holds=Holds.MAP, kind="schema", below=Below.NOTHING),
    _identifier("definitions", since="", holds=Holds.MAP, kind="schema", below=Below.NOTHING),
    _unread("$vocabulary", "it says something in a meta-schema only (JSON Schema 2020-12 §8.1.2)", since="3.1"),
    _unread(
        "additionalItems", "JSON Schema 2020-12 has no such keyword (Appendix G)",
        holds=Holds.ONE, kind="schema", below=Below.PART,
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
        rules=("schema.nullable",),
        waivers={Column.BROWSER: "it is written as a type of its own"},
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
    _constraint(
        "multipleOf", "number",
        ValueShape(expected="a number above 0", fits=lambda value: _is_number(value) and value > 0),
        merge=Merge.MULTIPLE, description=Sentence(label="a multiple of {value}"),
        rules=("schema.multiple-of",),
    ),
    _constraint(
        "minimum", "number", _NUMBER, is_unambiguous=True, exclusive="exclusiveMinimum",
        upper=("maximum", "exclusiveMaximum"), merge=Merge.LARGEST, description=Comparison(sign="≥"),
        rules=("schema.minimum",),
    ),
    _constraint(
        "exclusiveMinimum", "number", _NUMBER, is_unambiguous=True, upper=("maximum", "exclusiveMaximum"),
        merge=Merge.LARGEST, description=Comparison(sign=">"), rules=("schema.minimum", "schema.exclusive"),
    ),
    _constraint(
        "maximum", "number", _NUMBER, is_unambiguous=True, exclusive="exclusiveMaximum",
        merge=Merge.SMALLEST, description=Comparison(sign="≤"), rules=("schema.maximum",),
    ),
    _constraint(
        "exclusiveMaximum", "number", _NUMBER, is_unambiguous=True, merge=Merge.SMALLEST,
        description=Comparison(sign="<"), rules=("schema.maximum", "schema.exclusive"),
    ),
    *_counts("minLength", "maxLength", "string", "character", "length", is_unambiguous=True),
    _constraint(
        "pattern", "string", ValueShape(expected="text", fits=lambda value: isinstance(value, str)),
        is_unambiguous=True, merge=Merge.EACH, description=Sentence(label="matches", has_code=True),
        rules=("schema.pattern",),
    ),
    *_counts("minItems", "maxItems", "array", "item", "items", is_unambiguous=True),
    _constraint(
        "uniqueItems", "array",
        ValueShape(expected="true or false", fits=lambda value: isinstance(value, bool)),
        merge=Merge.EITHER, description=Sentence(label="no item twice"), rules=("schema.unique-items",),
    ),
    *_counts("minContains", "maxContains", "array", "matching item", "contains", since="3.1", beside="contains"),
    *_counts("minProperties", "maxProperties", "object", "property", "properties"),
    _constraint(
        "dependentRequired", "object",
        ValueShape(expected="a mapping of lists of names", fits=_is_name_lists),
        since="3.1", is_keyed_by_property=True, merge=Merge.BY_NAME,
        description=Sentence(label="requires together", has_code=True), sampling=Sampling.TRIED,
        rules=("schema.dependent-required",),
    ),
    Keyword(
        name="required", since="3.0", applies_to="object", is_unambiguous=True, model_field="required",
        reading=Reading.OWN, merge=Merge.EACH, description=ShownAs(attribute="required"),
        sampling=Sampling.SHAPES, rules=("schema.property", "schema.required"), browser=True,
    ),
    _applicator(
        "properties", Holds.MAP, Below.PART, is_keyed_by_property=True, model_field="properties",
        reading=Reading.OWN, merge=Merge.ALL_OF, description=ShownAs(attribute="fields"), sampling=Sampling.SHAPES,
        rules=("schema.property",),
    ),
    _applicator(
        "patternProperties", Holds.MAP, Below.PART, since="3.1", model_field="pattern_properties",
        reading=Reading.OWN, description=SubschemaRow(label="names that match "), sampling=Sampling.SHAPES,
        rules=("schema.pattern-property",),
    ),
    _applicator(
        "additionalProperties", Holds.ONE, Below.PART, is_unambiguous=True, reading=Reading.SCHEMA,
        model_field="additional_properties", merge=Merge.ALL_OF, sampling=Sampling.SHAPES,
        description=SubschemaRow(label="any other name", if_false="no other properties"),
        rules=("schema.additional",),
    ),
    _applicator(
        "items", Holds.ONE, Below.PART, model_field="items", reading=Reading.SCHEMA, merge=Merge.ALL_OF,
        description=SubschemaRow(label="each further item", if_false="no further items"),
        sampling=Sampling.SHAPES, rules=("schema.items",),
    ),
    _applicator(
        "prefixItems", Holds.LIST, Below.PART, since="3.1", model_field="prefix_items", reading=Reading.OWN,
        merge=Merge.LONGEST, description=SubschemaRow(label="item {name}"), sampling=Sampling.SHAPES,
        rules=("schema.prefix-items",),
    ),
    _applicator(
        "allOf", Holds.LIST, Below.COMBINED, model_field="all_of", reading=Reading.SCHEMA_LIST, merge=Merge.APART,
        description=ShownAs(attribute="combines"), sampling=Sampling.SHAPES, rules=("schema.all-of",),
    ),
    _applicator(
        "oneOf", Holds.LIST, Below.COMBINED, model_field="one_of", reading=Reading.OWN, merge=Merge.APART,
        description=ShownAs(attribute="unions"), sampling=Sampling.SHAPES,
        rules=("schema.one-of", "schema.union", "schema.branch"),
    ),
    _applicator(
        "anyOf", Holds.LIST, Below.COMBINED, model_field="any_of", reading=Reading.OWN, merge=Merge.APART,
        description=ShownAs(attribute="unions"), sampling=Sampling.SHAPES,
        rules=("schema.any-of", "schema.union", "schema.branch"),
    ),
    _applicator(
        "not", Holds.ONE, Below.NEGATED, model_field="negated", reading=Reading.SCHEMA, merge=Merge.APART,
        description=SubschemaRow(label="must not match"), sampling=Sampling.TRIED, rules=("schema.not",),
    ),
    _applicator(
        "if", Holds.ONE, Below.NEGATED, since="3.1", description=SubschemaRow(label="if it matches"),
        sampling=Sampling.TRIED, rules=("schema.if",),
    ),
    _applicator(
        "then", Holds.ONE, Below.CONDITIONAL, since="3.1", beside="if", has_page=False,
        description=SubschemaRow(label="then it must match"), sampling=Sampling.TRIED, rules=("schema.if",),
    ),
    _applicator(
        "else", Holds.ONE, Below.CONDITIONAL, since="3.1", beside="if", has_page=False,
        description=SubschemaRow(label="otherwise it must match"), sampling=Sampling.TRIED,
        rules=("schema.if",),
    ),
    _applicator(
        "dependentSchemas", Holds.MAP, Below.CONDITIONAL, since="3.1", is_keyed_by_property=True,
        description=ShownAs(attribute="fields"), sampling=Sampling.TRIED, rules=("schema.dependent-schema",),
    ),
    _applicator(
        "contains", Holds.ONE, Below.PART, since="3.1", description=SubschemaRow(label="some item"),
        sampling=Sampling.SHAPES, rules=("schema.contains",),
    ),
    _applicator(
        "propertyNames", Holds.ONE, Below.NAMES, since="3.1", description=SubschemaRow(label="each name"),
        sampling=Sampling.SHAPES, rules=("schema.property-names",),
    ),
    _applicator(
        "unevaluatedItems", Holds.ONE, Below.PART, since="3.1", has_page=False,
        description=SubschemaRow(label="any item not named above", if_false="no further items"),
        rules=("schema.unevaluated",), waivers=_NOT_SAMPLED,
    ),
    _applicator(
        "unevaluatedProperties", Holds.ONE, Below.PART, since="3.1", has_page=False,
        description=SubschemaRow(label="any property not named above", if_false="no other properties"),
        rules=("schema.unevaluated",), waivers=_NOT_SAMPLED,
    ),
    _applicator(
        "contentSchema", Holds.ONE, Below.PART, since="3.1", beside="contentMediaType", has_page=False,
        applies_to="string", description=SubschemaRow(label="what it holds"),
        rules=("schema.content-schema",), browser=False,
        waivers={
            Column.SAMPLING: "what a text holds is not made, so a sample is any text",
            Column.BROWSER: "validators do not look into texts (JSON Schema 2020-12 Validation §8.2)",
        },
    ),
    *(
        Keyword(
            name=name, since="3.1", applies_to="string", model_field="content", reading=Reading.CONTENT,
            description=Sentence(label=label, has_code=True), rules=("schema.content-encoding",),
            waivers={
                Column.MERGE: "what a text holds is no question of which texts are valid",
                Column.SAMPLING: "what a text holds is not made, so a sample is any text",
                Column.BROWSER: "validators do not look into texts (JSON Schema 2020-12 Validation §8.2)",
            },
        )
        for name, label in (("contentMediaType", "holds"), ("contentEncoding", "encoded as"))
    ),
    _annotation("title", "title", "title", reading=Reading.TEXT, rules=("schema.text",)),
    _annotation("description", "description", "description", reading=Reading.TEXT, rules=("schema.text",)),
    _annotation(
        "$comment", "comment", "", since="3.1", reading=Reading.TEXT, rules=("schema.text",),
        waivers={Column.DESCRIPTION: "it is for those who keep the schema, not for readers (JSON Schema §8.3)"},
    ),
    _annotation(
        "$schema", "dialect", "", since="3.1", reading=Reading.TEXT, rules=("doc.dialect",),
        waivers={Column.DESCRIPTION: "it tells programs how to read the keywords"},
    ),
    _annotation(
        "default", "default", "default", holds=Holds.DATA, sampling=Sampling.GIVES,
        rules=("schema.default",),
    ),
    _annotation(
        "example", "examples", "examples", holds=Holds.DATA, sampling=Sampling.GIVES, rules=("schema.text",)
    ),
    _annotation(
        "examples", "examples", "examples", since="3.1", holds=Holds.DATA_LIST, sampling=Sampling.GIVES,
        version_advice="write 'example' instead, or raise the version under 'openapi'",
        rules=("schema.text",),
    ),
    _annotation(
        "readOnly", "read_only", "read_only", reading=Reading.FLAG, merge=Merge.EITHER,
        sampling=Sampling.SHAPES, rules=("schema.read-only",),
    ),
    _annotation(
        "writeOnly", "write_only", "write_only", reading=Reading.FLAG, merge=Merge.EITHER,
        sampling=Sampling.SHAPES, rules=("schema.write-only",),
    ),
    _annotation(
        "deprecated", "deprecated", "deprecated", reading=Reading.FLAG, merge=Merge.EITHER,
        sampling=Sampling.SHAPES, rules=("deprecated",),
    ),
    Keyword(
        name="discriminator", since="3.0", holds=Holds.MINOR, kind="discriminator",
        model_field="discriminator", reading=Reading.OWN, merge=Merge.APART,
        description=ShownAs(attribute="mapping"), sampling=Sampling.SHAPES, rules=("schema.discriminator",),
        waivers={Column.BROWSER: "the branches of its union say all that it asks of a value (OAS 3.1 §4.8.25)"},
    ),
    _annotation(
        "externalDocs", "external_docs", "docs", holds=Holds.MINOR, kind="external documentation",
        rules=("schema.text",),
    ),
    _annotation("xml", "xml", "facts", holds=Holds.MINOR, kind="XML object", rules=("schema.xml",)),
    _annotation(
        "x-enumDescriptions", "enum_descriptions", "enum", spellings=("x-enum-descriptions",),
        rules=("schema.text",),
    ),
    _annotation(
        "x-enum-varnames", "enum_names", "enum", spellings=("x-enumNames", "x-enum-names"),
        rules=("schema.text",),
    ),
    _annotation(
        "x-extensible-enum", "extensible_enum", "facts", rules=("schema.enum.extensible",)
    ),
    _annotation(
        "x-unit", "extensions", "", reading=Reading.EXTENSION, rules=("schema.text",),
        description=Sentence(label="in", has_code=True),
    ),
    _annotation(
        "x-state-machine", "state_machine", "", holds=Holds.ONE, kind="state machine", rules=("schema.text",),
        waivers={Column.DESCRIPTION: "the page of the schema draws it (`reference/states`)"},
    ),
    _annotation(
        "x-stability-level", "stability", "stability", rules=("stability",)
    ),
    _annotation("x-beta-keywords", "beta_keywords", "facts", rules=("schema.keyword.stability",)),
    _annotation(
        "x-beta-values", "beta_values", "enum", holds=Holds.DATA_LIST, rules=("schema.value.stability",)
    ),
    _annotation("x-sunset", "sunset", "sunset", reading=Reading.TEXT, rules=("sunset", "removed")),
    *(
        _annotation(
            name, "grounds", "grounds",
            waivers={Column.RULES: "what a promise rests on is no change of it"},
        )
        for name in ("x-source", "x-decision")
    ),
    _unread("x-internal", "what has it is gone before anything else is read"),
)  # fmt: skip
"""Every keyword that the portal knows."""

KEYWORD_BY_NAME: Mapping[str, Keyword] = {name: row for row in KEYWORDS for name in row.names}
"""The rows by every name that a keyword goes by."""


def names_of(rows: Iterable[Keyword]) -> tuple[str, ...]:
    """Return every name of some rows, in the order of the rows."""
    return tuple(name for row in rows for name in row.names)


def keywords_below(*kinds: Below, holds: Holds | None = None) -> tuple[str, ...]:
    """Return the keywords whose schemas speak of something, perhaps only those that hold them in one way."""
    return names_of(row for row in KEYWORDS if row.below in kinds and holds in (None, row.holds))


def keywords_read(reading: Reading) -> tuple[str, ...]:
    """Return the keywords that are read in one way."""
    return names_of(row for row in KEYWORDS if row.reading is reading)


CONSTRAINTS: Mapping[str, Keyword] = {row.name: row for row in KEYWORDS if row.reading is Reading.CONSTRAINT}
"""The keywords that limit the values of one type, by name."""
PROPERTY_KEYED = names_of(row for row in KEYWORDS if row.is_keyed_by_property)
"""The keywords whose keys are names of properties."""
