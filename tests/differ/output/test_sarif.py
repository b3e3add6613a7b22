"""SARIF: the parts of the 2.1.0 schema that this output has, and what only prose asks for."""

import json
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest

from devportal.differ.output import DiffResult
from devportal.reporting import Format

from .comparing import (
    diff_between,
    hostile_diff,
    request_witness,
    small_diff,
    small_with_witnesses,
    with_operations,
    with_path,
    with_witnesses,
    write_diff,
)

_MESSAGE = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "markdown": {"type": "string", "minLength": 1},
    },
}
_LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": -1},
        "message": _MESSAGE,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"uri": {"type": "string", "format": "uri-reference"}},
                },
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                    },
                },
            },
        },
        "logicalLocations": {
            "type": "array",
            "items": {"type": "object", "properties": {"fullyQualifiedName": {"type": "string"}}},
        },
    },
}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_RULE = {
    "type": "object",
    "required": ["id"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string"},
        "shortDescription": _MESSAGE,
        "fullDescription": _MESSAGE,
        "help": _MESSAGE,
        "defaultConfiguration": {"type": "object", "properties": {"level": _LEVEL}},
        "properties": {
            "type": "object",
            "properties": {"tags": {"type": "array", "uniqueItems": True, "items": {"type": "string"}}},
        },
    },
}
_RESULT = {
    "type": "object",
    "required": ["message"],
    "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": _LEVEL,
        "message": _MESSAGE,
        "locations": {"type": "array", "items": _LOCATION},
        "relatedLocations": {"type": "array", "uniqueItems": True, "items": _LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "suppressions": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kind"],
                "additionalProperties": False,
                "properties": {
                    "kind": {"enum": ["inSource", "external"]},
                    "status": {"enum": ["accepted", "underReview", "rejected"]},
                    "justification": {"type": "string"},
                },
            },
        },
        "properties": {"type": "object"},
    },
}
_DRIVER = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string"},
        "semanticVersion": {"type": "string"},
        "rules": {"type": "array", "uniqueItems": True, "items": _RULE},
    },
}
_LOG = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {"type": "object", "required": ["driver"], "properties": {"driver": _DRIVER}},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": _RESULT},
                },
            },
        },
    },
}
"""Of sarif-schema-2.1.0.json (OASIS) what this output uses, with nothing else allowed."""


def run_of(report: DiffResult) -> dict[str, Any]:
    """Return the one run of the log."""
    (run,) = json.loads(write_diff(report, Format.SARIF))["runs"]
    assert isinstance(run, dict)
    return run


@pytest.mark.parametrize(
    "report",
    [small_diff(), small_with_witnesses(), hostile_diff(), diff_between({}, {})],
    ids=["small", "witnesses", "harmful", "nothing"],
)
def test_log_fits_the_schema(report: DiffResult) -> None:
    """Whatever is compared."""
    validator = jsonschema_rs.validator_for(_LOG, validate_formats=True)

    assert [
        error.message for error in validator.iter_errors(json.loads(write_diff(report, Format.SARIF)))
    ] == []


def test_every_result_names_its_rule() -> None:
    """By id and by place in the list (SARIF 2.1.0 §3.27.6), and each rule has help."""
    run = run_of(small_diff())
    rules = run["tool"]["driver"]["rules"]

    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        result["ruleId"] for result in run["results"]
    ]
    assert all(rule["help"]["text"] for rule in rules)


def test_levels() -> None:
    """Breaking is an error and risky a warning, the others are notes."""
    pairs = {(result["properties"]["verdict"], result["level"]) for result in run_of(small_diff())["results"]}

    assert pairs == {
        ("breaking", "error"),
        ("risky", "warning"),
        ("compatible", "note"),
        ("lifecycle", "note"),
        ("documentation", "note"),
    }


def test_accepted_change_is_suppressed() -> None:
    """With who decided so: the policy, outside of the source (SARIF 2.1.0 §3.35)."""
    (suppressed,) = (result for result in run_of(small_diff())["results"] if "suppressions" in result)

    assert suppressed["ruleId"] == "operation.removed"
    assert suppressed["suppressions"][0]["justification"].startswith("2026-11-02: Nobody")


def test_name_of_a_file_becomes_a_uri() -> None:
    """Which is read back as the bytes of the name."""
    (uri,) = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in run_of(hostile_diff())["results"]
        if result["ruleId"] == "doc.info.changed"
    }

    assert unquote(uri, errors="surrogateescape").startswith("a b,c:d%\n\udc80")


def test_message_holds_no_link_and_no_placeholder() -> None:
    """What looks like one in a contract is text; other braces stay as they are."""
    (result,) = run_of(diff_between(with_path("/[x](y)/{0}/{id}", "n"), {}))["results"]

    assert r"[x\](y)/{{0}}/{id}" in result["message"]["text"]


def test_first_fifty_users_are_named() -> None:
    """The others are counted: a log has a largest size."""
    (change,) = (
        result
        for result in run_of(diff_between(with_operations(52, 20), with_operations(52, 10)))["results"]
        if result["ruleId"] == "schema.max-length.lowered"
    )

    assert len(change["properties"]["usedBy"]) == 50
    assert change["properties"]["usedByMore"] == 2


def test_message_names_operation_field_and_witness() -> None:
    """Readers of code scanning see nothing else of it."""
    old, new = (
        {
            "paths": {
                "/things": {
                    "post": {
                        "requestBody": {
                            "content": {
                                "application/json": {"schema": {"properties": {"n": {"maximum": most}}}}
                            }
                        },
                        "responses": {},
                    }
                }
            }
        }
        for most in (9, 8)
    )
    search = request_witness(
        start_line="POST /things", body={"n": 9}, refusal="9 is more than {8}", pointer="/n"
    )
    (result,) = run_of(with_witnesses(diff_between(old, new), {"schema.maximum.lowered": search}))["results"]
    message = result["message"]

    assert message["text"].startswith("POST /things request.n: maximum is lowered from 9 to 8. ")
    assert 'Worked in the old contract: POST /things  {"n": 9}.' in message["text"]
    assert "Refused in the new contract: /n: 9 is more than {{8}}." in message["text"]
    assert (
        '```http\nPOST /things\nContent-Type: application/json\n\n{\n  "n": 9\n}\n```' in message["markdown"]
    )
    assert "Refused in the new contract: /n: 9 is more than {{8}}." in message["markdown"]
    assert result["properties"]["witness"]["message"]["body"] == {"n": 9}


def test_message_without_a_witness_has_no_markdown() -> None:
    """A vain search is a sentence."""
    (result,) = (
        result
        for result in run_of(small_with_witnesses())["results"]
        if result["ruleId"] == "schema.property.added.optional" and "sent" in result["message"]["text"]
    )

    assert "No witness found within 200 tries." in result["message"]["text"]
    assert "markdown" not in result["message"]
