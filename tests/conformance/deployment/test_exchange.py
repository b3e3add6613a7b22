"""Exchanges as values: what the other side wrote is read without harm."""

import json

import pytest

from devportal.conformance.deployment.exchange import (
    HttpResponse,
    Request,
    parse_json,
    parse_json_or_none,
    resolve_address,
)


def test_json_is_read() -> None:
    """Bytes and text are the same value."""
    assert parse_json(b'{"a": [1]}') == parse_json('{"a": [1]}') == {"a": [1]}


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff", b"[" * 100_000, b"[" * 201 + b"]" * 201, b"[NaN]", b'{"a": -Infinity}'],
    ids=["empty", "cut", "bytes", "endless", "deep", "no number", "infinite"],
)
def test_what_cannot_be_read_is_one_kind_of_error(text: bytes) -> None:
    """Whoever reads answers has one case to think of."""
    with pytest.raises(ValueError):  # noqa: PT011 - it says what each kind of text says
        parse_json(text)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 200 + b"]" * 200,
        b"[" + b"[{}]," * 500 + b"1]",
        b'["' + b"[" * 300 + b'"]',
        b'["' + b'\\"[' * 300 + b'\\\\"]',
    ],
    ids=["deep enough", "wide", "brackets in a text", "brackets behind quotes in a text"],
)
def test_only_nested_brackets_count(text: bytes) -> None:
    """A long list is not deep, and a text has no levels."""
    assert parse_json(text) == json.loads(text)


@pytest.mark.parametrize(("text", "value"), [(b'{"a": [1]}', {"a": [1]}), ("null", None), (b"\xff", None)])
def test_what_cannot_be_read_can_be_nothing(text: bytes | str, value: object) -> None:
    """Most readers look for a member, and find none in either."""
    assert parse_json_or_none(text) == value


def test_half_of_a_surrogate_pair_is_read_as_something_that_can_be_sent() -> None:
    """A whole pair is one character."""
    value = parse_json(r'{"\udfff": ["\ud83d\ude00 \ud83d.", {"a": "\ud800"}, 1]}')

    assert value == {"\ufffd": ["\U0001f600 \ufffd.", {"a": "\ufffd"}, 1]}


@pytest.mark.parametrize(
    ("address", "resolved"),
    [
        ("/b?c=1", "http://a.example/b?c=1"),
        ("7", "http://a.example/orders/7"),
        ("http://[::1", None),
        ("http://[x]/", None),
    ],
)
def test_address_is_resolved_if_it_is_one(address: str, resolved: str | None) -> None:
    split = resolve_address(Request(method="POST", url="http://a.example/orders/"), address)

    assert (split.geturl() if split is not None else None) == resolved


def test_lines_of_one_header_are_one_list() -> None:
    """A server may write a list on one line or on several, in any case (RFC 9110 §5.3)."""
    answer = HttpResponse(status=405, headers=(("Allow", "GET"), ("Date", "today"), ("allow", "HEAD, POST")))

    assert answer.header("ALLOW") == "GET, HEAD, POST"
    assert answer.header("date") == "today"
    assert answer.header("etag") is None
