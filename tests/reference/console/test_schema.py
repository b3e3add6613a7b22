"""Schemas as forms see them: which have a choice of variants, and what a variant holds."""

from pathlib import Path
from typing import Any

import pytest

from .node import ask

NAME = {"name": {"type": "string"}, "kind": {"type": "string", "enum": ["circle", "square"]}}
CIRCLE = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "circle"}, "radius": {}}}
SQUARE = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "square"}, "side": {}}}
CHOICE = [{"$ref": "#/$defs/circle"}, SQUARE]
BASE = {"type": "object", "required": ["name"], "properties": NAME}
VARIANTS = [
    ["kind: circle", "object", ["name", "kind", "radius"]],
    ["kind: square", "object", ["name", "kind", "side"]],
]


def form(folder: Path, schema: Any, value: Any = None) -> dict[str, Any]:
    """Return what the form of a schema looks like."""
    cases = [{"schema": schema, "shared": {"circle": CIRCLE}, "value": value}]
    (answer,) = ask(folder, "forms", cases)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    "schema",
    [
        {**BASE, "oneOf": CHOICE},
        {**BASE, "anyOf": CHOICE},
        {"allOf": [BASE, {"oneOf": CHOICE}]},
        {"allOf": [{"oneOf": CHOICE}, BASE]},
    ],
)
def test_variants_beside_members_are_a_choice(schema: Any, folder: Path) -> None:
    """Each with the members that all have, those first; a value is shown as the variant that it fits."""
    answer = form(folder, schema, {"name": "a", "kind": "square", "side": 2})

    assert (answer["kind"], answer["variants"], answer["best"]) == ("union", VARIANTS, 1)
    assert answer["blank"] == {"kind": "circle"}


def test_choice_of_what_is_required_is_none_of_variants(folder: Path) -> None:
    """At least one of two members: the form has both."""
    answer = form(folder, {**BASE, "anyOf": [{"required": ["name"]}, {"required": ["kind"]}]})

    assert answer["kind"] == "object"


def test_variant_that_is_no_object_has_no_members(folder: Path) -> None:
    """A text has none, whatever stands beside the choice."""
    answer = form(folder, {"properties": NAME, "oneOf": [CIRCLE, {"type": "string"}]})

    assert answer["variants"] == [VARIANTS[0], ["string", "text", []]]


def test_variant_of_what_it_is_made_of_asks_once(folder: Path) -> None:
    """A cat is a pet, and a pet is a cat or a dog."""
    shared = {
        "pet": {**BASE, "oneOf": [{"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"}]},
        "cat": {"allOf": [{"$ref": "#/$defs/pet"}, {"properties": {"claws": {}}}]},
        "dog": {"allOf": [{"$ref": "#/$defs/pet"}, {"properties": {"tricks": {}}}]},
    }

    (answer,) = ask(folder, "forms", [{"schema": shared["pet"], "shared": shared}])

    assert [variant[1:] for variant in answer["variants"]] == [
        ["object", ["name", "kind", "claws"]],
        ["object", ["name", "kind", "tricks"]],
    ]


def test_choices_within_themselves_come_to_an_end(folder: Path) -> None:
    """What is new has no depth that nobody opened."""
    endless = {"oneOf": [{"$ref": "#/$defs/endless"}, {"type": "string"}]}

    (answer,) = ask(folder, "forms", [{"schema": endless, "shared": {"endless": endless}}])

    assert (answer["kind"], answer["blank"]) == ("union", None)
