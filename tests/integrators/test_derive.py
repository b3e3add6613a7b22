"""`devportal uses`: what recorded requests use of a contract, without any of their values."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.documents import parse_document, to_yaml
from devportal.integrators.uses import read_uses

SECRET = "sk-live-51c3"
NAME = "Ada Lovelace"
_TEXT = {"type": "string"}
CONTRACT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Orders", "version": "1.0.0"},
    "servers": [{"url": "https://api.example.com/v1"}],
    "paths": {
        "/orders": {
            "post": {
                "parameters": [
                    {"name": "Idempotency-Key", "in": "header", "schema": _TEXT},
                    {"name": "mode", "in": "query", "schema": {"enum": ["fast", "slow"]}},
                    {"name": "note", "in": "query", "schema": _TEXT},
                ],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {
                                    "to": _TEXT,
                                    "channel": {"type": "string", "enum": ["air", "sea"]},
                                    "lines": {
                                        "type": "array",
                                        "items": {"type": "object", "properties": {"sku": _TEXT, "n": {}}},
                                    },
                                    "labels": {"type": "object", "additionalProperties": _TEXT},
                                },
                                "additionalProperties": False,
                            }
                        }
                    }
                },
                "responses": {
                    "201": {
                        "description": "Taken",
                        "headers": {"X-Left": {"schema": _TEXT}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}},
                    }
                },
            }
        },
        "/orders/{order_id}": {"get": {"responses": {"200": {"description": "It"}}}},
        "/orders/latest": {"get": {"responses": {"200": {"description": "It"}}}},
    },
    "components": {
        "schemas": {
            "Order": {
                "type": "object",
                "properties": {
                    "id": _TEXT,
                    "state": {"type": "string", "enum": ["open", "sent"]},
                    "parent": {"$ref": "#/components/schemas/Order"},
                },
            }
        }
    },
}
BODY = {"to": NAME, "channel": "air", "lines": [{"sku": NAME}, {}], "labels": {NAME: "x"}, "unknown": SECRET}
ANSWER = {"id": NAME, "state": "open", "parent": {"id": NAME}}
URL = f"https://api.example.com/v1/orders?mode=fast&note={SECRET}&token={SECRET}"
EXPECTED = {
    "version": 1,
    "operations": {
        "GET /orders/{order_id}": {"parameters": [], "request": [], "responses": {"200": []}, "headers": []},
        "POST /orders": {
            "parameters": ["header.Idempotency-Key", "query.mode", "query.note"],
            "request": ["channel", "labels.*", "lines[].sku", "to"],
            "responses": {"201": ["id", "parent.id", "state"]},
            "headers": ["X-Left"],
            "values": {
                "query.mode": ["fast"],
                "request.channel": ["air"],
                "response.201.state": ["open"],
            },
        },
    },
}


def _headers(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "key": name, "value": SECRET} for name in names]


SENT = ("idempotency-key", "Authorization", "Cookie")
HAR = {
    "log": {
        "version": "1.2",
        "entries": [
            {
                "request": {
                    "method": "POST",
                    "url": URL,
                    "headers": _headers(*SENT),
                    "postData": {"mimeType": "application/json", "text": json.dumps(BODY)},
                },
                "response": {
                    "status": 201,
                    "headers": _headers("x-left", "Set-Cookie"),
                    "content": {
                        "encoding": "base64",
                        "text": base64.b64encode(json.dumps(ANSWER).encode()).decode(),
                    },
                },
            },
            {
                "request": {"method": "GET", "url": f"https://api.example.com/v1/orders/{SECRET}"},
                "response": {"status": 200, "content": {}},
            },
            {"request": {"method": "GET", "url": f"https://api.example.com/v1/elsewhere/{SECRET}"}},
            {"request": "none"},
        ],
    }
}
POSTMAN = {
    "info": {
        "name": "Orders",
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    "item": [
        {
            "name": "Folder",
            "item": [
                {
                    "request": {
                        "method": "POST",
                        "url": {"raw": URL.replace("https://api.example.com", "{{base}}")},
                        "header": _headers(*SENT),
                        "body": {"mode": "raw", "raw": json.dumps(BODY)},
                    },
                    "response": [{"code": 201, "header": _headers("X-Left"), "body": json.dumps(ANSWER)}],
                },
                {"request": "{{base}}/v1/orders/:order_id", "response": [{"code": 200, "body": ""}]},
                {"request": "{{base}}/v1/elsewhere"},
                {"request": 7},
            ],
        }
    ],
}
LINES = "\n".join(
    json.dumps(item)
    for item in (
        {
            "method": "post",
            "url": URL,
            "headers": dict.fromkeys(SENT, SECRET),
            "body": BODY,
            "response": {"status": 201, "headers": {"X-Left": SECRET}, "body": ANSWER},
        },
        {"method": "GET", "url": f"/v1/orders/{SECRET}", "status": 200},
        {"method": "GET", "url": f"/v1/elsewhere/{SECRET}"},
        {"url": SECRET},
    )
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the contract."""
    (tmp_path / "openapi.json").write_text(json.dumps(CONTRACT), encoding="utf-8")
    return tmp_path


def run(folder: Path, recording: str, *options: str) -> Result:
    """Run the command with a recording."""
    file = folder / "recording"
    file.write_text(recording, encoding="utf-8")
    arguments = ["uses", str(file), "--contract", str(folder / "openapi.json"), *options]
    return CliRunner().invoke(cli, arguments, prog_name="devportal")


@pytest.mark.parametrize(
    "recording", [json.dumps(HAR), json.dumps(POSTMAN), LINES], ids=["har", "postman", "lines"]
)
def test_names_are_derived_and_no_values(folder: Path, recording: str) -> None:
    """The same requests in each format: the same file, which is read without a problem."""
    result = run(folder, recording)
    document = parse_document(result.stdout, name="uses.yaml")

    assert result.exit_code == 0
    assert document.data == EXPECTED
    assert read_uses(document)[1] == ()
    for value in (SECRET, NAME, "uthorization", "ookie", "token", "unknown", "elsewhere", "example.com"):
        assert value not in result.stdout
        assert value not in result.stderr
    assert "2 requests of 2 operations" in result.stderr
    assert "not matched: 1 request without an operation" in result.stderr
    assert "not matched: 1 field that the contract does not have" in result.stderr
    assert "not matched: 1 query parameter that the contract does not have" in result.stderr
    assert "not matched: 1 record other than a request" in result.stderr


def test_the_result_is_the_same_each_time_and_whatever_the_order(folder: Path) -> None:
    """Sorted, so that it can be committed."""
    backwards = "\n".join(reversed(LINES.splitlines()))

    assert run(folder, LINES).stdout == run(folder, LINES).stdout == run(folder, backwards).stdout


def test_a_path_without_placeholders_comes_first(folder: Path) -> None:
    """`/orders/latest` is not an order called latest (OAS 3.1.0 §4.8.8.1)."""
    result = run(folder, '{"method": "GET", "url": "/v1/orders/latest"}')

    assert list(parse_document(result.stdout, name="x.yaml").data["operations"]) == ["GET /orders/latest"]


def test_a_body_that_cannot_be_read_is_used_as_a_whole(folder: Path) -> None:
    """What nobody could look into may use anything."""
    line = {
        "method": "POST",
        "url": "/orders",
        "body": "{{template}}",
        "response": {"status": 201, "body": "<p>"},
    }

    operations = parse_document(run(folder, json.dumps(line)).stdout, name="x.yaml").data["operations"]

    assert operations["POST /orders"]["request"] == ["."]
    assert operations["POST /orders"]["responses"] == {"201": ["."]}


def test_a_file_is_added_to_on_request_only(folder: Path) -> None:
    """Nothing that it lists is removed, and a list that it leaves out stays out: it is everything."""
    output = folder / "uses.yaml"
    written = {
        "version": 1,
        "since": "1.0.0",
        "operations": {"POST /orders": {"request": ["channel", "own"]}, "GET /own": {}},
        "events": {"order.sent": {}},
    }
    output.write_text(to_yaml(written), encoding="utf-8")

    refused = run(folder, LINES, "--output", str(output))
    assert (refused.exit_code, "this file exists" in refused.stderr) == (2, True)
    assert run(folder, LINES, "--output", str(output), "--merge").exit_code == 0

    data = parse_document(output.read_text("utf-8"), name="uses.yaml").data
    assert (data["since"], data["events"]) == ("1.0.0", {"order.sent": {}})
    assert data["operations"]["GET /own"] == {}
    assert data["operations"]["POST /orders"] == {
        "request": ["channel", "labels.*", "lines[].sku", "own", "to"]
    }
    again = output.read_text("utf-8")
    run(folder, LINES, "--output", str(output), "--merge")
    assert output.read_text("utf-8") == again


@pytest.mark.parametrize(
    ("recording", "message"),
    [
        ("", "this is not a HAR file"),
        ("{}", "this is not a HAR file"),
        ("[" * 100_000, "this is not a HAR file"),
        (f"password={SECRET}", "this is not a HAR file"),
        ('{"log": {"entries": 3}}', "this is not a HAR file"),
    ],
)
def test_what_is_no_recording_is_2(folder: Path, recording: str, message: str) -> None:
    """And nothing of it is printed: it may be a secret."""
    result = run(folder, recording)

    assert result.exit_code == 2
    assert message in result.stderr
    assert SECRET not in result.stderr


def test_what_is_needed_is_named() -> None:
    """Without arguments, without a contract, and with --merge alone."""
    for arguments, message in (
        (["uses"], "a recording is needed"),
        (["uses", "x.har"], "--contract is missing"),
        (["uses", "x.har", "--contract", "openapi.json", "--merge"], "--merge goes with --output"),
    ):
        result = CliRunner().invoke(cli, arguments, prog_name="devportal")
        assert (result.exit_code, message in result.stderr) == (2, True)


def test_a_recording_is_not_overwritten(folder: Path) -> None:
    """The result never takes the place of what it is made of."""
    result = run(folder, LINES, "--output", str(folder / "recording"), "--merge")

    assert result.exit_code == 2
    assert (folder / "recording").read_text("utf-8") == LINES


def test_deep_values_end(folder: Path) -> None:
    """A response that nests itself a thousand times is followed only so far."""
    deep = '{"parent": ' * 400 + '{"id": "x"}' + "}" * 400
    line = f'{{"method": "POST", "url": "/orders", "response": {{"status": 201, "body": {deep}}}}}'

    assert run(folder, line).exit_code == 0
