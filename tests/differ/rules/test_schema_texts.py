"""Rules of schemas for words and XML."""

from typing import Any

import pytest

from devportal.differ import compare
from devportal.differ.contract_sources import Contracts
from devportal.differ.policy import Policy
from devportal.differ.schemas.compare_schemas import walk_comparisons
from devportal.differ.schemas.xml_forms import XmlPlace
from tests.differ.building import RECEIVED, SENT, api_with, rules_and_verdicts, schema_in
from tests.differ.exchanges import api_of, body

TEXT = ("schema.text.changed", "documentation")
GUEST = XmlPlace("guest", "guest", is_property=True)


@pytest.mark.parametrize(
    "words",
    [
        {"title": "T"},
        {"description": "D."},
        {"$comment": "C."},
        {"examples": ["a"]},
        {"externalDocs": {"url": "https://docs.example"}},
        {"title": "T", "description": "D."},
    ],
)
def test_words_are_told_once_for_a_schema(words: dict[str, Any]) -> None:
    """Whatever is told of a value, it is one change of its documentation."""
    assert rules_and_verdicts({"type": "string"}, {"type": "string", **words}) == [TEXT]


def test_words_are_named_where_only_the_type_was_dropped() -> None:
    """Where a property is still required but no longer described, the words that are gone are named."""
    old = api_with(
        {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "title": "A"}}}
    )
    new = api_with({"type": "object", "required": ["a"]})
    contracts = Contracts.of(old, new, Policy())
    start = contracts.compare_schemas(schema_in(old), schema_in(new), RECEIVED)
    contracts.schemas.settle()

    assert start is not None
    texts = [
        hit.names
        for comparison in walk_comparisons(start.compared)
        for rule, hit in comparison.changes
        if rule.id == TEXT[0]
    ]
    assert texts == [{"texts": "title removed"}]


def test_words_that_move_within_a_schema_stay() -> None:
    """A description in a part of `allOf` is told of the same value."""
    assert rules_and_verdicts({"description": "D."}, {"allOf": [{"description": "D."}]}) == []


def test_an_example_is_one_however_it_is_spelled() -> None:
    """`example` of 3.0 and `examples` of 3.1 tell the same."""
    assert rules_and_verdicts({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}) == []


def test_words_of_a_shared_schema_and_beside_its_reference_are_two_changes() -> None:
    """Each part has its own words."""
    old = {"$ref": "#/components/schemas/A", "description": "Here."}

    assert rules_and_verdicts(
        old,
        {**old, "description": "There."},
        components={"A": {"type": "string", "description": "A."}},
        new_components={"A": {"type": "string", "description": "B."}},
    ) == [TEXT, TEXT]


def test_how_xml_is_written_counts_where_xml_travels() -> None:
    """In JSON the name of an element means nothing."""
    old, new = {"type": "string", "xml": {"name": "a"}}, {"type": "string", "xml": {"name": "b"}}

    assert rules_and_verdicts(old, new, SENT) == [("schema.without-effect.changed", "documentation")]
    assert rules_and_verdicts(old, new, SENT._replace(xml=GUEST)) == [("schema.xml.changed", "breaking")]
    assert rules_and_verdicts(old, new, RECEIVED._replace(xml=GUEST)) == [("schema.xml.changed", "breaking")]
    assert (
        rules_and_verdicts({"type": "string", "xml": {}}, {"type": "string"}, SENT._replace(xml=GUEST)) == []
    )


def test_another_dialect_is_a_risk() -> None:
    """Keywords may mean something else in another JSON Schema."""
    draft = "http://json-schema.org/draft-07/schema#"

    assert rules_and_verdicts({"type": "string"}, {"type": "string", "$schema": draft}) == [
        ("doc.dialect.changed", "risky")
    ]
    assert rules_and_verdicts({"$schema": draft}, {"$schema": draft.rstrip("#")}) == []
    old, new = (
        api_of(body({"application/json": {"schema": {"type": "string", **dialect}}}))
        for dialect in ({"$schema": draft}, {})
    )
    (change,) = compare(old, new).changes
    assert 'is that of the contract instead of "http://json-schema.org/draft-07/schema"' in change.message


@pytest.mark.parametrize(
    ("keyword", "value"),
    [("minLength", 0), ("minItems", 0), ("minProperties", 0), ("uniqueItems", False)],
)
def test_a_limit_that_limits_nothing_is_not_told(keyword: str, value: Any) -> None:
    """A least length of 0 is what holds without it, beside a list of values too."""
    schema = {"type": "string", "enum": ["a", "b"]}

    assert rules_and_verdicts(schema, {**schema, keyword: value}) == []
