"""What a contract calls a password is no part of the code that a page shows."""

import json
from pathlib import Path
from typing import Any

import pytest

from .node import ask, modules

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
    ],
)
def test_passwords_are_stars(schema: Any, value: Any, expected: Any, tmp_path: Path) -> None:
    """As deep as they stand, in each variant; all else is as it is."""
    case = {"schema": schema, "shared": {"user": USER, "tree": TREE}, "text": json.dumps(value)}

    (answer,) = ask(modules(tmp_path / "modules"), "covered", [case])

    assert json.loads(answer) == expected
