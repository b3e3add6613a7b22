"""What a contract calls a password is no part of the code that a page shows."""

import json
from pathlib import Path
from typing import Any

import pytest

from .node import ask, modules, run

SECRET: dict[str, Any] = {"type": "string", "format": "password"}
USER = {"type": "object", "properties": {"name": {"type": "string"}, "password": SECRET}}
TREE = {"oneOf": [{"type": "string"}, {"$ref": "tree"}, SECRET], "items": {"$ref": "tree"}}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (SECRET, "hush", "********"),
        (SECRET, "", ""),
        (SECRET, None, None),
        ({"type": "string"}, "told", "told"),
        (True, {"password": "told"}, {"password": "told"}),
        (USER, {"name": "Ada", "password": "hush"}, {"name": "Ada", "password": "********"}),
        ({"$ref": "user"}, {"password": "hush"}, {"password": "********"}),
        ({"type": "array", "items": USER}, [{"password": "hush"}], [{"password": "********"}]),
        ({"allOf": [{"properties": {"password": {}}}, USER]}, {"password": "hush"}, {"password": "********"}),
        ({"oneOf": [{"type": "object"}, USER]}, {"password": "hush"}, {"password": "********"}),
        (
            {"additionalProperties": SECRET},
            {"constructor": "hush", "n": 1},
            {"constructor": "********", "n": 1},
        ),
        ({"$ref": "tree"}, [["hush"]], [["********"]]),
        ({"patternProperties": {"^p": SECRET}}, {"p": "hush"}, {"p": "********"}),
        ({"properties": {"p": {}}, "patternProperties": {"^p": SECRET}}, {"p": "hush"}, {"p": "********"}),
        ({"if": {}, "then": USER}, {"password": "hush"}, {"password": "********"}),
        ({"if": {}, "else": {"$ref": "user"}}, {"password": "hush"}, {"password": "********"}),
        ({"oneOf": [{}, {}], "anyOf": [{}, USER]}, {"password": "hush"}, {"password": "********"}),
        ({"anyOf": [{"oneOf": [{}, {"allOf": [USER]}]}]}, {"password": "hush"}, {"password": "********"}),
        ({"allOf": [{"items": {"type": "string"}}, {"items": SECRET}]}, ["hush"], ["********"]),
        ({"prefixItems": [{}, SECRET], "items": {}}, ["a", "hush", "b"], ["a", "********", "b"]),
        ({"allOf": [{"prefixItems": [{}]}, {"items": SECRET}]}, ["hush"], ["********"]),
        ({"contains": SECRET}, ["hush"], ["********"]),
        ({"unevaluatedItems": SECRET}, ["hush"], ["********"]),
        ({"unevaluatedProperties": SECRET}, {"p": "hush"}, {"p": "********"}),
        ({"dependentSchemas": {"name": USER}}, {"password": "hush"}, {"password": "********"}),
        ({"properties": {"p": {}}, "additionalProperties": SECRET}, {"p": "told"}, {"p": "told"}),
        ({"not": SECRET, "type": ["string", "null"]}, "told", "told"),
    ],
)
def test_passwords_are_stars(schema: Any, value: Any, expected: Any, tmp_path: Path) -> None:
    """As deep as they stand, in each variant, and by whatever pattern; all else is as it is."""
    case = {"schema": schema, "shared": {"user": USER, "tree": TREE}, "text": json.dumps(value)}

    (answer,) = ask(modules(tmp_path / "modules"), "covered", [case])

    assert json.loads(answer) == expected


def test_schema_is_looked_into_once(tmp_path: Path) -> None:
    """Code is written anew at each key; what its values may be stays."""
    given = {"schema": USER, "text": '{"password": "hush"}', "room": 100}

    shown = run("covering.mjs", {"folder": str(modules(tmp_path / "modules")), **given})

    first, second = shown.pop("counts")
    assert shown == {"kind": "json", "text": '{"password": "********"}'}
    assert first > second == 0


def test_what_no_code_shows_is_not_covered(tmp_path: Path) -> None:
    """A long body is a file in code: none of its values is looked at."""
    given = {"schema": USER, "text": '{"password": "hush"}', "room": 10}

    shown = run("covering.mjs", {"folder": str(modules(tmp_path / "modules")), **given})

    assert shown == {"kind": "file", "counts": [0, 0]}
