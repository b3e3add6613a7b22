"""The registry of keywords: no column of it is empty without a reason, and each says what is."""

import json
import re
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Schema
from devportal.contract.keyword_columns import Column, Keyword, Merge, Reading, ShownAs
from devportal.contract.keywords import CONSTRAINTS, KEYWORD_BY_NAME, KEYWORDS, names_of
from devportal.contract.read import read_schema
from devportal.contract.validate import oas_schemas
from devportal.contract.validate.extensions import EXTENSIONS
from devportal.contract.values import conjunction
from devportal.contract.values.conjunction import combine_schemas
from devportal.differ.rules.all_rules import EVERY_RULE, rule_ids
from devportal.reference.schema.described_values import ValueDescription
from devportal.reference.schema.fields import Field
from devportal.site.rendering import theme_assets
from tests.contract.inline import api

ROW = pytest.mark.parametrize("row", KEYWORDS, ids=lambda row: row.name)
VOCABULARIES = (
    "core",
    "applicator",
    "unevaluated",
    "validation",
    "meta-data",
    "format-annotation",
    "content",
)
RULES_OF_NO_KEYWORD = {
    "schema.boolean.false": "the schema `false` has no keyword",
    "schema.without-effect.changed": "it tells of every constraint that decides nothing",
}
MERGED: dict[Merge | None, int] = {Merge.LARGEST: 3, Merge.SMALLEST: 2, Merge.MULTIPLE: 6}
VALIDATOR = Path(theme_assets.__file__).parents[1] / "theme/assets/devportal/console/validate.js"


def empty_columns(rows: Iterable[Keyword]) -> list[str]:
    """Return the columns that have neither a value nor a waiver, with the keyword."""
    return [
        f"{row.name}: {column}"
        for row in rows
        for column in Column
        if not getattr(row, column) and not row.waivers.get(column)
    ]


def rules_under(stem: str) -> set[str]:
    return {rule for rule in rule_ids() if rule == stem or rule.startswith(f"{stem}.")}


def test_each_name_has_one_row() -> None:
    """No keyword is told of twice, under whichever of its names."""
    assert len(names_of(KEYWORDS)) == len(KEYWORD_BY_NAME)


def test_no_column_is_empty_without_a_reason() -> None:
    """What a room does not do with a keyword is a decision, not an oversight."""
    assert empty_columns(KEYWORDS) == []


@pytest.mark.parametrize("column", Column)
def test_an_empty_column_is_seen(column: Column) -> None:
    """In any column, of a row that was complete."""
    emptied: dict[str, Any] = {column: None}
    row = replace(KEYWORD_BY_NAME["maxLength"], **emptied)

    assert empty_columns([row]) == [f"maxLength: {column}"]


@ROW
def test_a_waiver_stands_only_in_need(row: Keyword) -> None:
    """A column that is filled later loses its waiver."""
    assert [column for column in row.waivers if getattr(row, column)] == []


@ROW
def test_the_model_has_the_field(row: Keyword) -> None:
    """A keyword that is read is in the model; those of references are what they lead to."""
    is_kept = row.reading not in (None, Reading.REFERENCE)

    assert (row.model_field in {field.name for field in fields(Schema)}) is is_kept


@pytest.mark.parametrize(
    "row", [row for row in CONSTRAINTS.values() if row.merge in MERGED], ids=lambda row: row.name
)
def test_constraints_are_merged_as_the_registry_says(row: Keyword) -> None:
    """Of two parts of an `allOf`, one with 2 and one with 3."""
    parts = f"[{{{row.name}: 2}}, {{{row.name}: 3}}]"
    found = api(f"components: {{schemas: {{S: {{allOf: {parts}}}}}}}")

    merged = combine_schemas(found, [*found.schemas.values()]).schema

    assert [(constraint.keyword, constraint.value) for constraint in merged.constraints] == [
        (row.name, MERGED[row.merge])
    ]


@ROW
def test_each_merge_is_one_that_is_carried_out(row: Keyword) -> None:
    """The table of merges has it, or the field is merged by a function of its own."""
    is_carried_out = (
        row.is_annotation
        or row.merge in (None, Merge.APART, *conjunction._MERGES)
        or row.model_field in conjunction._MERGED_TOGETHER
    )

    assert is_carried_out


def test_readers_of_their_own_are_those_of_the_registry() -> None:
    """The table of the reader has no keyword that the registry reads in another way."""
    assert read_schema._OWN_READERS.keys() == set(
        names_of(row for row in KEYWORDS if row.reading is Reading.OWN)
    )


@ROW
def test_the_place_that_shows_it_exists(row: Keyword) -> None:
    """What is said of a value, or its field."""
    shown = row.description.attribute if isinstance(row.description, ShownAs) else "type"

    assert shown in {*Field._fields, *(field.name for field in fields(ValueDescription))}


@ROW
def test_the_rules_that_compare_it_exist(row: Keyword) -> None:
    """Each id, or beginning of ids, is that of a rule."""
    assert [stem for stem in row.rules if not rules_under(stem)] == []


def test_each_rule_of_schemas_compares_a_keyword() -> None:
    """A rule that no row names is one that the registry forgot."""
    compared = {rule for row in KEYWORDS for stem in row.rules for rule in rules_under(stem)}
    of_schemas = {rule.id for rule in EVERY_RULE if rule.id.startswith("schema.")}

    assert of_schemas - compared - RULES_OF_NO_KEYWORD.keys() == set(), (
        "name each in `rules` of the row of its keyword, in contract/keywords.py"
    )
    assert RULES_OF_NO_KEYWORD.keys() <= of_schemas - compared


def test_the_browser_checks_what_the_registry_says() -> None:
    """The validator of the console names these keywords, and no others."""
    script = re.sub(r"^\s*//.*", "", VALIDATOR.read_text(encoding="utf-8"), flags=re.MULTILINE)

    named = {
        name
        for name in KEYWORD_BY_NAME
        if re.search(
            rf'schema\.{re.escape(name)}\b|[{{,] {re.escape(name)}( =|,| }})|"{re.escape(name)}"', script
        )
    }

    assert named == set(names_of(row for row in KEYWORDS if row.browser))


def test_keywords_of_the_first_version_are_those_of_its_specification() -> None:
    """The JSON Schema of OAS 3.0 lists the fields of a Schema Object."""
    published = json.loads((Path(oas_schemas.__file__).parent / "oas/3.0.json").read_text(encoding="utf-8"))

    assert published["definitions"]["Schema"]["properties"].keys() == {
        row.name for row in KEYWORDS if row.since == "3.0"
    }


def test_no_keyword_of_json_schema_is_missing() -> None:
    """Those of the vocabularies of 2020-12 have come with OAS 3.1 at the latest."""
    specifications = pytest.importorskip("jsonschema_specifications")
    found: set[str] = set()
    for name in VOCABULARIES:
        uri = f"https://json-schema.org/draft/2020-12/meta/{name}"
        found |= specifications.REGISTRY.contents(uri)["properties"].keys()

    missing = found - {row.name for row in KEYWORDS if row.since} - {"$ref"}
    assert missing == set(), "add a row for each to KEYWORDS in contract/keywords.py"


def test_extensions_are_those_that_the_manual_lists() -> None:
    """An extension of schemas that is read is told of, in each spelling, and none is told of that is not."""
    of_schemas = (
        extension for extension in EXTENSIONS if extension.kinds is None or "schema" in extension.kinds
    )

    assert {name for extension in of_schemas for name in extension.names} == {
        name for name in KEYWORD_BY_NAME if name.startswith("x-")
    }
