"""Which media types and examples of a request body have samples."""

from typing import Any

import pytest

from devportal.contract import Operation
from devportal.reference.samples.request import MAX_EXAMPLES, MAX_LENGTH, MAX_MEDIA_TYPES, sampled_media_types
from tests.reference.reading import api_from

SHARED = {"schema": {"$ref": "#/components/schemas/S"}}
FORM = "application/x-www-form-urlencoded"


def taking(content: dict[str, Any], method: str = "post") -> Operation:
    """Return an operation with a request body."""
    paths = {"/a": {method: {"requestBody": {"content": content}, "responses": {}}}}
    return api_from({"paths": paths, "components": {"schemas": {"S": {"type": "object"}}}}).operations[0]


def names(content: dict[str, Any], method: str = "post") -> list[str]:
    """Return the media types that have samples."""
    return [
        sampled_media_type.media_type.name
        for sampled_media_type in sampled_media_types(taking(content, method))
    ]


def sampled_examples(content: dict[str, Any]) -> list[list[str]]:
    """Return the examples that have samples, by media type."""
    return [[example.name for example in each.examples] for each in sampled_media_types(taking(content))]


def examples(**lengths: int) -> dict[str, Any]:
    """Return a media type with examples of these lengths."""
    return {"examples": {name: {"value": "x" * length} for name, length in lengths.items()}}


def test_kinds_of_media_types_have_an_order() -> None:
    """JSON, forms, multipart, XML, then others; within a kind that of the contract; no more than a few."""
    others: dict[str, Any] = {"text/csv": {}, "image/png": {}}

    assert names({**others, FORM: {}, "application/json": {}}) == ["application/json", FORM, "text/csv"]
    assert names({"application/xml": {}, **others, "multipart/form-data": {}}) == [
        "multipart/form-data",
        "application/xml",
        "text/csv",
    ]
    assert len(names({f"text/{number}": {} for number in range(9)})) == MAX_MEDIA_TYPES


def test_another_name_for_the_same_body_has_no_samples() -> None:
    """Many contracts list several names of JSON; one with an example of its own is worth showing."""
    content = {"application/json": SHARED, "text/json": SHARED, "application/xml": SHARED}

    assert names(content) == ["application/json", "application/xml"]
    assert names({**content, "text/json": {**SHARED, "example": 1}}) == [
        "application/json",
        "text/json",
        "application/xml",
    ]


def test_a_range_has_samples_only_where_it_is_alone() -> None:
    """Nobody sends a range; where there is nothing else, something in it is sent."""
    assert names({"*/*": {}}) == ["*/*"]
    assert names({"application/json": {}, "application/*+json": {}, "image/*": {}}) == ["application/json"]


@pytest.mark.parametrize("method", ["get", "head", "trace"])
def test_a_method_without_body_has_no_samples_of_one(method: str) -> None:
    """Clients refuse to send it."""
    assert names({"application/json": {"example": 1}}, method) == []


def test_examples_have_samples_as_far_as_there_is_room() -> None:
    """One that is too long is left out, not those after it; so is what is beyond the first few."""
    content = {"application/json": examples(a=MAX_LENGTH + 1, b=9, c=MAX_LENGTH - 8)}
    many = {"application/json": examples(**{f"e{number}": 1 for number in range(9)})}

    assert sampled_examples(content) == [["b"]]
    assert list(map(len, sampled_examples(many))) == [MAX_EXAMPLES]


def test_further_media_types_have_less_room() -> None:
    """Their samples are there for how a body is written: two short examples."""
    few = examples(a=1, b=1, c=1)
    content = {"application/json": few, "application/xml": few, "text/csv": examples(a=MAX_LENGTH, b=1)}

    assert sampled_examples(content) == [["a", "b", "c"], ["a", "b"], ["b"]]
