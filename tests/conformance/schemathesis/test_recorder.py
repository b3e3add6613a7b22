"""How Schemathesis is made to behave, in its own process and here."""

import io
import json
from collections.abc import Iterator

import pytest
from requests import Request
from schemathesis import HookContext
from schemathesis.core.transport import Response
from schemathesis.hooks import get_all_by_name, unregister_all

from devportal.conformance.schemathesis.recorder import after_call, filter_headers, install


@pytest.fixture
def installed_hooks() -> Iterator[None]:
    """Our hooks for the time of a test."""
    install(io.StringIO(), "")
    yield
    unregister_all()


@pytest.mark.usefixtures("installed_hooks")
def test_headers_are_filtered() -> None:
    """The filter is one of those that Schemathesis asks."""
    assert filter_headers in get_all_by_name("filter_headers")


@pytest.mark.parametrize("value", ["0-\x15\xd0", "\0", "a\r\nb", "\x7f"])
def test_no_header_is_sent_that_http_does_not_have(value: str) -> None:
    """Control characters in values (RFC 9110 §5.5) would be refused by what reads the connection."""
    assert not filter_headers(HookContext(), {"If-Match": value})


@pytest.mark.parametrize(
    "headers", [None, {}, {"If-Match": '"a b"', "X-Tag": "a\tb", "X-Name": "\xe9", "N": 1}]
)
def test_other_headers_are_sent(headers: dict[str, object] | None) -> None:
    """Tabs, spaces and bytes beyond ASCII are in values; what is not text yet becomes one."""
    assert filter_headers(HookContext(), headers)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (rb'{"a": "\ud800"}', rb'{"a": "\ufffd"}'),
        (rb'{"a": "\uDC01 x"}', rb'{"a": "\ufffd x"}'),
        (rb'{"a": "\ud83d\ude00"}', rb'{"a": "\ud83d\ude00"}'),
        (rb'{"a": "\u00e9\ud7ff"}', rb'{"a": "\u00e9\ud7ff"}'),
    ],
)
def test_half_a_pair_in_a_response_is_readable(sent: bytes, read: bytes) -> None:
    """The validator of Schemathesis raises at it; whole pairs and other escapes stay."""
    response = Response(200, {}, sent, Request("GET", "http://127.0.0.1").prepare(), 0.0, verify=False)

    after_call(HookContext(), None, response)  # type: ignore[arg-type]  # the case is not looked at

    assert response.content == read
    json.loads(response.content)["a"].encode()
