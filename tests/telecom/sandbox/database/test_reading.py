"""Bodies and headers, friendly and hostile: each gets an answer of the contract, never a 500."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telecom.sandbox.database.tables import MESSAGES

pytestmark = pytest.mark.both_databases
JSON = {"Content-Type": "application/json"}


def post(sandbox: Any, content: bytes, **headers: str) -> Any:
    return sandbox.send(content=content, headers={**JSON, **headers})


def pointers(response: Any) -> list[str]:
    return sorted(error["pointer"] for error in response.json()["errors"])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"   ",
        b"{",
        b"nonsense",
        b"{'to': '+12025550123'}",
        b'{"to": "+12025550123", "channel": "sms", "body": "a",}',
        b'{"to": "+12025550123", "channel": "sms", "body": "a"} trailing',
        b'{"to": "+1202", "to": "+1203", "channel": "sms", "body": "a"}',
        b'{"to": "+12025550123", "channel": "sms", "body": NaN}',
        b'{"to": "+12025550123", "channel": "sms", "body": "\xff"}',
        b'{"to": "+12025550123", "channel": "sms", "body": "\xed\xa0\xbd"}',
        b'{"to": "+12025550123", "channel": "sms", "body": "\\ud83d"}',
        b'{"to": "+12025550123", "channel": "sms", "body": "\x00"}',
        b'\xef\xbb\xbf{"to": "+12025550123", "channel": "sms", "body": "a"}',
        '{"to": "+12025550123", "channel": "sms", "body": "a"}'.encode("utf-16"),
        b"[" * 20_000,
        b'{"a":' * 10_000,
        b"9" * 30_000,
    ],
)
def test_body_that_cannot_be_read_is_a_bad_request(sandbox: Any, content: bytes) -> None:
    """400 for whatever is not JSON in UTF-8 with each name once and no half characters."""
    response = post(sandbox, content)

    assert response.status_code == 400
    assert response.json()["type"].endswith("/malformed-request/")
    assert sandbox.count(MESSAGES) == 0


def test_fault_in_the_text_is_told_with_its_place(sandbox: Any) -> None:
    """The detail leads to the line and column in the body."""
    response = post(sandbox, b'{"to": "+12025550123",\n "channel": sms}')

    assert response.json()["detail"].startswith("At line 2, column 13 of the body: this is not JSON")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ["#", "#", "#"]),
        ([], ["#"]),
        (None, ["#"]),
        ("text", ["#"]),
        ({"to": "+12025550123", "channel": "sms"}, ["#"]),
        ({"to": "+12025550123", "channel": "sms", "body": ""}, ["#/body"]),
        ({"to": "+12025550123", "channel": "sms", "body": "a" * 1531}, ["#/body"]),
        ({"to": "+12025550123", "channel": "SMS", "body": "a"}, ["#/channel"]),
        ({"to": "+12025550123", "channel": "sms", "body": "a", "x": 1}, ["#"]),
        ({"to": 12025550123, "channel": None, "body": ["a"]}, ["#/body", "#/channel", "#/channel", "#/to"]),
        ({"to": "12025550123", "channel": "sms", "body": "a"}, ["#/to"]),
        ({"to": "+02025550123", "channel": "sms", "body": "a"}, ["#/to"]),
        ({"to": "+1202555012345678", "channel": "sms", "body": "a"}, ["#/to"]),
        ({"to": "+12025550123\n", "channel": "sms", "body": "a"}, ["#/to"]),
        ({"to": " +12025550123", "channel": "sms", "body": "a"}, ["#/to"]),
        ({"to": "+1٢٠٢٥", "channel": "sms", "body": "a"}, ["#/to"]),
    ],
)
def test_every_fault_is_listed_with_its_pointer(sandbox: Any, body: Any, expected: list[str]) -> None:
    """422 names all faults at once, each with its place."""
    response = post(sandbox, json.dumps(body).encode())

    assert response.status_code == 422
    assert response.json()["type"].endswith("/validation-failed/")
    assert pointers(response) == expected


@pytest.mark.parametrize(
    ("content", "media"), [(b'{"reason": "x"}', "application/json"), (b"{}", "application/json"), (b"a", "")]
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/webhook-endpoints/we_01kaj8c3r5t7v9w1x3y5z7a9bc/rotate-secret"),
        ("DELETE", "/v1/webhook-endpoints/we_01kaj6b1c3d5e7f9g1h3j5k7mn"),
        ("GET", "/v1/messages"),
    ],
)
def test_body_where_none_is_taken_is_refused(
    sandbox: Any, method: str, path: str, content: bytes, media: str
) -> None:
    """What would be dropped is told, with what to do; nothing is done."""
    headers = {"Authorization": "Bearer token-of-ada", **({"Content-Type": media} if media else {})}
    refused = sandbox.request(method, path, headers=headers, content=content)
    empty = sandbox.request(method, path, headers=headers, content=b"")

    assert refused.status_code == 400
    assert refused.json()["type"].endswith("/malformed-request/")
    assert refused.json()["detail"] == "This operation takes no body; send the request without one."
    assert empty.is_success


@pytest.mark.parametrize(
    ("body", "segments"),
    [("a" * 1530, 10), ("я" * 670, 10), ("😀" * 330, 10), ("\x00", 1), (" ", 1), ("\u202e\u0627\u0628", 1)],
)
def test_longest_and_oddest_texts_are_accepted(sandbox: Any, body: str, segments: int) -> None:
    """Whatever the contract allows is taken, with its true number of segments."""
    response = sandbox.send({"to": "+12", "channel": "sms", "body": body})

    assert (response.status_code, response.json()["segments"]) == (202, segments)


@pytest.mark.parametrize("body", ["я" * 671, "😀" * 331, "€" * 761, "я" + "a" * 1529])
def test_text_of_more_than_ten_segments_is_refused(sandbox: Any, body: str) -> None:
    """422 with a problem type of its own, because the schema cannot say it."""
    response = sandbox.send({"to": "+12025550123", "channel": "sms", "body": body})

    assert response.status_code == 422
    assert response.json()["type"].endswith("/too-many-segments/")
    assert pointers(response) == ["#/body"]
    assert sandbox.count(MESSAGES) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": ""},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json+x"},
        {"Content-Type": "json"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/json; charset=iso-8859-1"},
        {"Content-Type": "application/json, text/plain"},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
)
def test_other_media_types_are_refused(sandbox: Any, headers: dict[str, str]) -> None:
    """415 for what is not declared as JSON in UTF-8, before the body is read."""
    response = sandbox.send(content=b"{}", headers=headers)

    assert response.status_code == 415


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json; version=1; charset=UTF8",
        "application/json;",
    ],
)
def test_json_is_recognised_however_it_is_spelt(sandbox: Any, content_type: str) -> None:
    """Case, quotes and further parameters do not matter."""
    content = b'{"to": "+12025550123", "channel": "sms", "body": "Hello"}'

    assert sandbox.send(content=content, headers={"Content-Type": content_type}).status_code == 202


def test_body_is_declared_once(sandbox: Any) -> None:
    """Two media types are a bad request, even the same twice; a coding is seen in any line."""
    hello = b'{"to": "+12025550123", "channel": "sms", "body": "Hello"}'
    token = ("Authorization", "Bearer token-of-ada")
    declared = ("Content-Type", "application/json")
    codings = [("Content-Encoding", "identity"), ("Content-Encoding", "gzip")]

    twice = sandbox.request("POST", "/v1/messages", content=hello, headers=[token, declared, declared])
    coded = sandbox.request("POST", "/v1/messages", content=hello, headers=[token, declared, *codings])

    assert twice.status_code == 400
    assert "Content-Type occurs 2 times" in twice.json()["detail"]
    assert coded.status_code == 415


def test_large_body_is_refused(sandbox: Any) -> None:
    """413 from the declared length alone, or as soon as too much has come."""
    large = b" " * 65_537

    async def chunks() -> Any:
        for _ in range(5):
            yield b" " * 20_000

    assert post(sandbox, large).status_code == 413
    assert sandbox.send(content=chunks(), headers=JSON).status_code == 413
    assert post(sandbox, large[:-1]).status_code == 400


@pytest.mark.parametrize("key", ["", "a b", "é".encode("latin-1"), "x" * 129, '"open', '""', "a;b"])
def test_malformed_idempotency_key_is_a_bad_request(sandbox: Any, key: Any) -> None:
    """400 names the header."""
    response = sandbox.send(headers={"Idempotency-Key": key})

    assert response.status_code == 400
    assert "Idempotency-Key" in response.json()["detail"]


def test_repeated_header_is_a_bad_request(sandbox: Any) -> None:
    """Two keys are none."""
    headers = [
        ("Authorization", "Bearer token-of-ada"),
        ("Content-Type", "application/json"),
        ("Idempotency-Key", "a"),
        ("Idempotency-Key", "a"),
    ]

    response = sandbox.request("POST", "/v1/messages", content=b"{}", headers=headers)

    assert response.status_code == 400


@given(
    content=st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace"))
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_body_breaks_the_sandbox(sandbox: Any, content: bytes) -> None:
    """Whatever is sent is refused by the contract's rules."""
    assert post(sandbox, content).status_code in {400, 422}
