"""The JSON output keeps its published shape."""

import json
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest

from devportal.contract import Contract, read_contract
from devportal.differ.output import ComparedContracts, DiffResult
from devportal.differ.output.json_data import diff_schema
from devportal.documents import parse_document
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.reporting import Format

from .comparing import (
    diff_between,
    diff_of,
    hostile_diff,
    small_diff,
    small_with_witnesses,
    with_operations,
    write_diff,
)


def diff_json(report: DiffResult) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(write_diff(report, Format.JSON))
    return data


@pytest.mark.parametrize(
    "report",
    [
        small_diff(),
        small_with_witnesses(),
        hostile_diff(),
        diff_between({}, {}),
        diff_between(with_operations(2, 9), with_operations(2, 8)),
    ],
    ids=["small", "witnesses", "harmful", "nothing", "shared"],
)
def test_output_fits_its_schema(report: DiffResult) -> None:
    """Whatever is compared."""
    validator = jsonschema_rs.validator_for(diff_schema(), validate_formats=True)

    assert [error.message for error in validator.iter_errors(diff_json(report))] == []


def test_schema_is_closed() -> None:
    """A member that is not described would be found, in the whole and in each part."""
    validator = jsonschema_rs.validator_for(diff_schema())
    whole = diff_json(small_with_witnesses())
    change = whole["changes"][0]
    witness = change["witness"]
    parts = (
        *(whole, whole["old"], whole["summary"]),
        *(change, change["subject"], change["used_by"][0], witness, witness["message"]),
    )
    for part in parts:
        part["more"] = 1

        assert not validator.is_valid(whole)
        del part["more"]
    assert validator.is_valid(whole)


def test_missing_value_is_no_member() -> None:
    """So that null is a value of a contract."""
    changes = diff_json(small_diff())["changes"]
    added = next(change for change in changes if change["rule"] == "schema.enum.value.added")

    assert added["new"] == "lost"
    assert "old" not in added


def test_summary() -> None:
    """Counts are of what nobody has accepted."""
    assert diff_json(small_diff())["summary"] == {
        "worst": "breaking",
        "fail_on": "breaking",
        "fails": True,
        "changes": 9,
        "breaking": 1,
        "risky": 2,
        "compatible": 3,
        "lifecycle": 1,
        "documentation": 1,
        "acknowledged": 1,
    }


def test_witness_says_which_contract_allows_the_message() -> None:
    """With the message as data; a vain search has none, and a change that needs none has no search."""
    changes = {
        (change["rule"], change["direction"]): change["witness"]
        for change in diff_json(small_with_witnesses())["changes"]
    }

    assert changes["schema.max-length.lowered", "to provider"] == {
        "tries": 3,
        "message": {
            "allowed_by": "old",
            "refused_by": "new",
            "start_line": "POST /parcels",
            "headers": [],
            "media_type": "application/json",
            "body": {"note": "a" * 81},
            "pointer": "/note",
            "refusal": f'"{"a" * 81}" is longer than 80 characters',
        },
    }
    assert changes["schema.enum.value.added", "to consumer"]["message"]["allowed_by"] == "new"
    assert changes["schema.property.added.optional", "to provider"] == {"tries": 200, "message": None}
    assert changes["operation.removed", None] is None


def test_letters_are_as_they_are() -> None:
    """Not escapes: people read it, too."""
    named = {"info": {"title": "Blåbær", "version": "1"}}

    assert '    "title": "Blåbær",\n' in write_diff(diff_between(named, named), Format.JSON)


def test_warning_has_its_place() -> None:
    """And what to do; those of the whole file have no line."""
    place = Place(file="policy.yaml", line=2, column=3)
    warning = Finding(rule="r", level=Level.WARNING, place=place, message="Wrong.", help="Fix it.")
    found = diff_json(
        replace(small_diff(), warnings=(warning, replace(warning, place=Place(file="a"), help="")))
    )

    assert found["warnings"] == [
        {
            "rule": "r",
            "place": {"file": "policy.yaml", "line": 2, "column": 3},
            "message": "Wrong.",
            "help": "Fix it.",
        },
        {"rule": "r", "place": {"file": "a", "line": 0, "column": 0}, "message": "Wrong.", "help": ""},
    ]
    assert jsonschema_rs.is_valid(diff_schema(), found)


def test_number_that_json_has_not_becomes_null() -> None:
    """A default that YAML calls infinite leaves valid JSON."""

    def starting_with(value: str) -> Contract:
        content = f"{{application/json: {{schema: {{properties: {{weight: {{default: {value}}}}}}}}}}}"
        post = f"{{requestBody: {{content: {content}}}, responses: {{'204': {{description: Done.}}}}}}"
        data = f"{{openapi: 3.1.0, info: {{title: Blåbær}}, paths: {{/parcels: {{post: {post}}}}}}}"
        return read_contract(parse_document(data, name="api.yaml"))

    report = diff_of(ComparedContracts(old=starting_with("5"), new=starting_with(".inf")))
    text = write_diff(report, Format.JSON)

    assert report.comparison.changes
    assert '      "new": null' in text
    assert '    "title": "Blåbær",\n' in text
    assert json.loads(text, parse_constant=pytest.fail)
