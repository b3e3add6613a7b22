"""What openapi-spec-validator says of a contract that we find no error in: each remark has its place."""

import hashlib
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml

from devportal.contract import Contract, check_contract, load_contract
from devportal.contract.schemas import Location
from devportal.contract.validate.second_opinion import (
    RULE,
    Remark,
    is_worth_asking,
    remarks_from_json,
    remarks_to_json,
    second_findings,
    second_opinion,
)
from devportal.findings import Level
from devportal.site.commands.check import check_contract_file
from tests.contracts import own_contract
from tests.corpus import corpus_contract, each_contract

VERSIONS = ("3.0.3", "3.1.1", "3.2.0")
OK = {"200": {"description": "OK"}}
TOO_LARGE = {"type": "integer", "format": "int32", "default": 2**31}
REMARK = "openapi-spec-validator: 2147483648 is not a 'int32'"


def write(folder: Path, version: str, /, **fields: Any) -> Path:
    """Write a small contract with other fields into a folder; return its path."""
    head = {"openapi": version, "info": {"title": "Parcels", "version": "1"}}
    operation = {"operationId": "listParcels", "responses": OK}
    text = yaml.safe_dump({**head, "paths": {"/parcels": {"get": operation}}, **fields}, sort_keys=False)
    (folder / "openapi.yaml").write_text(text, encoding="utf-8")
    return folder / "openapi.yaml"


def of_schema(schema: object) -> dict[str, Any]:
    """Return the fields of a contract with one schema."""
    return {"components": {"schemas": {"Parcel": schema}}}


def second_opinion_messages(contract: Contract) -> list[str]:
    """Return the messages that the second opinion adds to our own findings."""
    findings = check_contract(contract)
    assert is_worth_asking(findings)
    return [
        f"{second_finding.place.line}: {second_finding.message}"
        for second_finding in second_findings(contract, second_opinion(contract), findings)
    ]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("schema", "line"),
    [
        (TOO_LARGE, 17),
        ({"type": "object", "properties": {"size": TOO_LARGE}}, 20),
        ({"allOf": [TOO_LARGE]}, 18),
        ({"type": "array", "items": {"type": "integer", "format": "int32"}, "default": [2**31]}, 16),
    ],
)
def test_a_format_that_a_default_breaks_is_reported(
    tmp_path: Path, version: str, schema: object, line: int
) -> None:
    """Where the default is, or the schema that it breaks; JSON Schema does not know these formats."""
    contract = load_contract(write(tmp_path, version, **of_schema(schema)))

    assert second_opinion_messages(contract) == [f"{line}: {REMARK}"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "fields",
    [
        of_schema({"type": "string", "pattern": r"^\p{L}+$"}),
        of_schema({"type": "string", "enum": ["a", "a"]}),
        of_schema(
            {
                "type": "object",
                "required": ["id"],
                "properties": {"id": {"type": "string", "readOnly": True}},
                "default": {},
            }
        ),
        {
            "paths": {
                "/parcels/{id:int}": {
                    "parameters": [{"name": "id:int", "in": "path", "required": True, "schema": {}}],
                    "get": {"responses": OK},
                }
            }
        },
    ],
    ids=["ECMA-262", "enum", "readOnly", "path"],
)
def test_what_we_accept_is_no_alarm(tmp_path: Path, version: str, fields: dict[str, Any]) -> None:
    """openapi-spec-validator reports each of these in a version at least."""
    contract = load_contract(write(tmp_path, version, **fields))

    assert second_opinion_messages(contract) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"jsonSchemaDialect": "https://example.com/dialect", **of_schema({"type": "string"})},
        {
            "paths": {
                "/parcels": {
                    "get": {
                        "operationId": "listParcels",
                        "responses": {
                            "200": {
                                "description": "OK",
                                "links": {
                                    "l": {
                                        "operationId": "listParcels",
                                        "parameters": {"page": 1},
                                        "server": {"url": "/"},
                                    }
                                },
                            }
                        },
                    }
                }
            }
        },
        {
            "paths": {"/parcels": {"$ref": "#/components/pathItems/p", "post": {"responses": OK}}},
            "components": {"pathItems": {"p": {"get": {"responses": OK}}}},
        },
    ],
    ids=["dialect", "server and constant of a link", "fields beside $ref"],
)
def test_what_the_schema_of_3_1_gets_wrong_is_no_alarm(tmp_path: Path, fields: dict[str, Any]) -> None:
    """OAS 3.1.1 allows each of these."""
    contract = load_contract(write(tmp_path, "3.1.1", **fields))

    assert second_opinion_messages(contract) == []


def test_a_contract_with_an_error_is_not_worth_asking_about(tmp_path: Path) -> None:
    """A broken reference would end the validation; examples are not what it looks at."""
    broken = load_contract(write(tmp_path, "3.1.1", **of_schema({"$ref": "#/nowhere"})))
    wrong_example = load_contract(
        write(tmp_path, "3.1.1", **of_schema({"type": "integer", "examples": ["one"]}))
    )

    assert not is_worth_asking(check_contract(broken))
    assert {finding.rule for finding in check_contract(wrong_example)} >= {"contract-example"}
    assert is_worth_asking(check_contract(wrong_example))


def test_a_validation_that_stops_is_a_note(tmp_path: Path) -> None:
    """About the contract as a whole, without a traceback: it may be the library that is wrong."""
    contract = load_contract(write(tmp_path, "3.1.1", paths={"/parcels/{": {"get": {"responses": OK}}}))

    (finding,) = second_findings(contract, second_opinion(contract), ())

    assert (finding.level, finding.place.line) == ("note", 1)
    assert finding.message == "openapi-spec-validator stopped at this contract (ValueError)"


@pytest.mark.parametrize("reference", ["common.yaml", "./common.yaml", "a/../common.yaml", "%63ommon.yaml"])
def test_other_files_of_the_contract_are_seen(tmp_path: Path, reference: str) -> None:
    """With the place in them, in whatever way a reference spells their name."""
    (tmp_path / "common.yaml").write_text(yaml.safe_dump({"Size": TOO_LARGE}, sort_keys=False))
    contract = load_contract(write(tmp_path, "3.0.3", **of_schema({"$ref": f"{reference}#/Size"})))

    (finding,) = second_findings(contract, second_opinion(contract), ())

    assert Path(finding.place.file).name == "common.yaml"
    assert finding.place.line == 4


def test_names_of_files_need_not_be_utf_8(tmp_path: Path) -> None:
    """Nor those of their folders."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    contract = load_contract(write(folder, "3.1.1", **of_schema({"type": "string"})))

    assert second_opinion(contract) == ()


def test_files_of_internal_parts_alone_are_seen(tmp_path: Path) -> None:
    """The site does not need them, but the validator follows each reference."""
    body = {"$ref": "bodies/hidden.yaml"}
    path_item = {"post": {"x-internal": True, "requestBody": body, "responses": OK}}
    (tmp_path / "bodies").mkdir()
    (tmp_path / "bodies" / "hidden.yaml").write_text("content: {text/plain: {}}\n", encoding="utf-8")

    contract = load_contract(write(tmp_path, "3.1.1", paths={"/a": path_item}))

    assert second_opinion(contract) == ()


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference that leads out of the contract ends the validation instead."""
    fetched = list[object]()
    monkeypatch.setattr(requests, "get", fetched.append)
    monkeypatch.setattr(urllib.request, "urlopen", fetched.append)
    contract = load_contract(
        write(tmp_path, "3.1.1", **of_schema({"$ref": "https://example.com/parcel.json"}))
    )

    (remark,) = second_opinion(contract)

    assert "stopped at this contract" in remark.message
    assert fetched == []


def test_remarks_are_read_as_they_were_written() -> None:
    """Places in other files too."""
    remarks = (
        Remark(location=Location("", ("info",)), level=Level.WARNING, message="one"),
        Remark(location=Location("a.yaml", ()), level=Level.NOTE, message="é"),
    )

    assert remarks_from_json(remarks_to_json(remarks)) == remarks


def test_a_check_has_the_second_opinion_and_keeps_it(tmp_path: Path) -> None:
    """A warning, so the check does not fail for it; the next check of the contract reads what was kept."""
    path, cache = write(tmp_path, "3.0.3", **of_schema(TOO_LARGE)), tmp_path / "cache"

    first = check_contract_file(path, cache=cache).all_findings()
    (kept,) = cache.iterdir()
    text = kept.read_text().partition("\n")[2].replace("int32", "int33")
    kept.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
    second = check_contract_file(path, cache=cache).all_findings()

    assert [(finding.rule, finding.level, finding.message) for finding in first if finding.rule == RULE] == [
        (RULE, "warning", REMARK)
    ]
    assert [finding.message for finding in second if finding.rule == RULE] == [
        REMARK.replace("int32", "int33")
    ]


def test_a_check_without_the_extra_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else is found all the same."""
    path = write(tmp_path, "3.0.3", **of_schema(TOO_LARGE))
    complete = check_contract_file(path).all_findings()
    monkeypatch.setitem(sys.modules, "openapi_spec_validator", None)

    assert check_contract_file(path).all_findings() == tuple(
        finding for finding in complete if finding.rule != RULE
    )
    assert {finding.rule for finding in complete} > {RULE}


def test_our_own_contract_is_accepted() -> None:
    """By both."""
    assert second_opinion_messages(own_contract()) == []


@pytest.mark.corpus
@each_contract
def test_contracts_of_others_raise_no_alarm(name: str) -> None:
    """Whatever we find in them, openapi-spec-validator adds nothing."""
    assert second_opinion(corpus_contract(name)) == ()


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_what_would_take_for_ever_is_not_begun(tmp_path: Path, keyword: str) -> None:
    """Forty levels with two references each are a thousand billions of ways to the last schema."""
    schemas = {
        f"S{level}": {keyword: [{"$ref": f"#/components/schemas/S{level + 1}"}] * 2} for level in range(40)
    }
    parts = {"schemas": schemas | {"S40": {"type": "object"}}}
    contract = load_contract(write(tmp_path, "3.1.1", components=parts))

    (remark,) = second_opinion(contract)

    assert remark.level is Level.NOTE
    assert "too many ways" in remark.message
