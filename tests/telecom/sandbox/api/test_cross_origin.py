"""Web pages of other origins: what a browser lets them do, by the Fetch standard."""

from collections.abc import Mapping
from typing import Any

import pytest

from devportal.errors import InvalidSettings
from telecom.sandbox.api.cross_origin import parse_origin

DOCS, OTHER = "https://docs.example.com", "https://other.example"
ASKED = {"Origin": DOCS, "Access-Control-Request-Method": "POST"}
HELLO = {"to": "+12025550123", "channel": "sms", "body": "Hello"}


def header_items(answer: Any, name: str) -> set[str]:
    return {part.strip().lower() for part in answer.headers.get(name, "").split(",")} - {""}


def may_send(sandbox: Any, method: str, path: str, headers: Mapping[str, str], origin: str = DOCS) -> bool:
    """Say what a browser concludes from a preflight without credentials (Fetch §4.8)."""
    names = sorted(name.lower() for name in headers)
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": ",".join(names)}
    answer = sandbox.request("OPTIONS", path, headers={"Origin": origin, **asked})
    if not 200 <= answer.status_code <= 299:
        return False
    if answer.headers.get("Access-Control-Allow-Origin") not in {"*", origin}:
        return False
    simple = {"get", "head", "post"}
    has_method = method.lower() in simple | header_items(answer, "Access-Control-Allow-Methods")
    return has_method and set(names) <= header_items(answer, "Access-Control-Allow-Headers")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/messages"),
        ("GET", "/v1/rates"),
        ("PATCH", "/v1/webhook-endpoints/we_1"),
        ("DELETE", "/v1/webhook-endpoints/we_1"),
        ("PUT", "/v1/rate-versions/rv_1"),
    ],
)
def test_page_may_send_what_the_contract_takes(sandbox: Any, method: str, path: str) -> None:
    """Token, media type, idempotency key, tags and trace included."""
    names = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "traceparent")
    headers = dict.fromkeys(names, "")

    assert may_send(sandbox, method, path, headers)
    assert may_send(sandbox, method, path, headers, origin="null")


def test_page_may_not_send_more(sandbox: Any) -> None:
    """Neither a method that the path lacks, nor a header that the contract does not have."""
    assert not may_send(sandbox, "DELETE", "/v1/messages", {})
    assert not may_send(sandbox, "POST", "/v1/messages", {"X-Forwarded-For": "10.0.0.1"})
    assert not may_send(sandbox, "GET", "/v1/nothing", {"Authorization": "Bearer x"})


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [
        ("/v1/messages", "token-of-ada", 200),
        ("/v1/messages", "wrong", 401),
        ("/v1/messages", "token-without-scope", 403),
        ("/v1/nothing", "token-of-ada", 404),
        ("/v1/messages?limit=0", "token-of-ada", 400),
    ],
)
def test_page_may_read_each_answer(sandbox: Any, path: str, token: str, status: int) -> None:
    """Refusals too, with the headers that the contract declares; none for credentials of the browser."""
    answer = sandbox.get(path, token=token, headers={"Origin": DOCS})

    assert answer.status_code == status
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Vary" not in answer.headers
    assert header_items(answer, "Access-Control-Expose-Headers") >= {
        *("x-correlation-id", "ratelimit", "ratelimit-policy", "retry-after", "www-authenticate"),
        *("link", "etag", "allow", "deprecation", "sunset"),
    }


def test_failure_can_be_read_too(sandbox: Any) -> None:
    """A fault of ours is a problem document for pages as well."""
    sandbox.clock.now = None

    answer = sandbox.get("/v1/messages", headers={"Origin": DOCS})

    assert answer.status_code == 500
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_only_the_origins_that_are_allowed(sandbox: Any) -> None:
    """Where some are named, a cache must know that the answer is for one of them (Fetch §3.2.5)."""
    sandbox.restart(allowed_origins=(DOCS,))

    for origin, allowed in ((DOCS, DOCS), (OTHER, None), (DOCS.upper(), None), (f"{DOCS}.evil", None)):
        answer = sandbox.get("/v1/messages", headers={"Origin": origin})
        assert answer.status_code == 200
        assert answer.headers.get("Access-Control-Allow-Origin") == allowed
        assert ("Access-Control-Expose-Headers" in answer.headers) == (allowed is not None)
        assert answer.headers["Vary"] == "Origin"
        assert may_send(sandbox, "GET", "/v1/messages", {}, origin=origin) == (allowed is not None)


def test_preflight_reaches_this_machine(sandbox: Any) -> None:
    """A page of the internet may call a sandbox at a loopback address (Private Network Access)."""
    asked = {**ASKED, "Access-Control-Request-Private-Network": "true"}

    answer = sandbox.request("OPTIONS", "/v1/messages", headers=asked)

    assert answer.headers["Access-Control-Allow-Private-Network"] == "true"
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert header_items(answer, "Access-Control-Allow-Methods") == {"get", "head", "options", "post"}
    sandbox.restart(allowed_origins=(OTHER,))
    refused = sandbox.request("OPTIONS", "/v1/messages", headers=asked)
    assert [header for header in refused.headers if header.startswith("access-control-")] == []


def test_options_is_no_preflight_without_a_method(sandbox: Any) -> None:
    """Whoever only asks for the methods is told those, and nothing of browsers."""
    for headers in ({}, {"Origin": DOCS}, {"Access-Control-Request-Method": "POST"}):
        answer = sandbox.request("OPTIONS", "/v1/messages", headers=headers)
        assert answer.status_code == 204
        assert "Access-Control-Allow-Methods" not in answer.headers


def test_preflight_spends_no_quota(sandbox: Any) -> None:
    """A browser asks without a token: nobody's quota could be charged."""
    before = sandbox.send(HELLO).headers["RateLimit"]
    for _ in range(3):
        sandbox.request("OPTIONS", "/v1/messages", headers=ASKED)

    after = sandbox.send(HELLO).headers["RateLimit"]

    assert int(before.split("r=")[1].split(";")[0]) - int(after.split("r=")[1].split(";")[0]) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("https://docs.example.com", "http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost"),
        *("https://xn--bcher-kva.example", "https://docs.example.com:80", "*"),
    ],
)
def test_origin_is_one_that_browsers_send(text: str) -> None:
    """Scheme, host and port, or the asterisk for all (Fetch §3.2.3)."""
    assert parse_origin(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("docs.example.com", "https://", "https://docs.example.com/", "https://docs.example.com/guides"),
        *("https://Docs.example.com", "HTTPS://docs.example.com", "https://docs.example.com:443"),
        *("http://docs.example.com:80", "https://ada@docs.example.com", "https://*.example.com", "null"),
        *("https://bücher.example", "http://127.0.0.1:65536", "http://127.0.0.1:080", "file:///tmp", ""),
        *("https://docs.example.com ", "https://docs.example.com\n", "ftp://docs.example.com"),
    ],
)
def test_what_no_browser_sends_is_no_origin(text: str) -> None:
    """It would never fit, and nobody would know why: origins are compared byte by byte."""
    with pytest.raises(InvalidSettings, match="is not an origin"):
        parse_origin(text)
