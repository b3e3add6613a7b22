"""Rules of security schemes: how credentials are sent, and where they come from."""

import json
from typing import Any

import pytest

from devportal.contract import ABSENT, Api, read_contract
from devportal.differ import Change, compare
from devportal.documents import parse_document

FLOWS = ("authorizationCode", "clientCredentials", "implicit", "password")
ADDRESSES = {"authorizationUrl": "https://a.example/", "tokenUrl": "https://t.example/"}


def _flow(kind: str, **addresses: str) -> dict[str, Any]:
    """Return a flow with the addresses that it has to have (OAS 3.0.3 §4.7.29)."""
    has_no = {"implicit": "tokenUrl", "password": "authorizationUrl", "clientCredentials": "authorizationUrl"}
    told = {name: url for name, url in ADDRESSES.items() if name != has_no.get(kind)}
    return {**told, **addresses, "scopes": {}}


def _contract(scheme: dict[str, Any]) -> Api:
    written = {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1"},
        "security": [{"login": []}],
        "paths": {"/things": {"get": {"responses": {"200": {"description": "OK"}}}}},
        "components": {"securitySchemes": {"login": scheme}},
    }
    return read_contract(parse_document(json.dumps(written), name="api.json")).api


def _security_changes(old: dict[str, Any], new: dict[str, Any]) -> tuple[Change, ...]:
    changes = compare(_contract(old), _contract(new)).changes
    return tuple(change for change in changes if change.rule.startswith("security."))


def _oauth(*flows: str, **addresses: str) -> dict[str, Any]:
    return {"type": "oauth2", "flows": {kind: _flow(kind, **addresses) for kind in flows}}


def test_flows_are_told_in_the_order_of_their_names() -> None:
    """Several changes at one place are listed alike in each run."""
    none, every = _oauth(), _oauth(*reversed(FLOWS))

    assert [
        (security_change.rule, security_change.old) for security_change in _security_changes(every, none)
    ] == [("security.oauth.flow.removed", kind) for kind in FLOWS]
    assert [
        (security_change.rule, security_change.new) for security_change in _security_changes(none, every)
    ] == [("security.oauth.flow.added", kind) for kind in FLOWS]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "http", "scheme": "Bearer"}, {"type": "http", "scheme": "bearer"}),
        (
            {"type": "apiKey", "in": "header", "name": "X-Key"},
            {"type": "apiKey", "in": "header", "name": "x-key"},
        ),
    ],
)
def test_case_of_headers_and_schemes_of_http_is_no_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Names of headers and of HTTP schemes have no case (RFC 9110 §5.1, §11.1)."""
    assert _security_changes(old, new) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "http", "scheme": "basic"}, {"type": "http", "scheme": "bearer"}),
        (
            {"type": "apiKey", "in": "query", "name": "key"},
            {"type": "apiKey", "in": "query", "name": "Key"},
        ),
        (
            {"type": "apiKey", "in": "query", "name": "key"},
            {"type": "apiKey", "in": "header", "name": "key"},
        ),
    ],
)
def test_credentials_that_are_sent_otherwise_break(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Another scheme, another place, or a parameter of another name is not what callers send."""
    assert [
        (security_change.rule, security_change.verdict.value)
        for security_change in _security_changes(old, new)
    ] == [("security.scheme.type.changed", "breaking")]


def test_each_address_that_changes_is_told() -> None:
    """Addresses of a flow that both contracts have are compared one by one."""
    old = _oauth("authorizationCode")
    new = _oauth("authorizationCode", tokenUrl="https://u.example/", refreshUrl="https://r.example/")

    assert [
        (security_change.rule, security_change.old, security_change.new)
        for security_change in _security_changes(old, new)
    ] == [
        ("security.oauth.url.changed", "https://t.example/", "https://u.example/"),
        ("security.oauth.url.changed", ABSENT, "https://r.example/"),
    ]


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, 'the header "X-Key"'),
        ({"type": "apiKey", "in": "query", "name": "key"}, 'the query parameter "key"'),
        ({"type": "apiKey", "in": "cookie", "name": "session"}, 'the cookie "session"'),
        ({"type": "http", "scheme": "Bearer"}, 'HTTP authentication "Bearer"'),
        (_oauth("implicit"), "an OAuth 2.0 access token"),
        ({"type": "openIdConnect", "openIdConnectUrl": "https://a.example/o"}, "an OpenID Connect token"),
    ],
)
def test_how_credentials_are_sent_is_a_phrase(scheme: dict[str, Any], words: str) -> None:
    """The names are those of the contract, although their case does not matter."""
    change = _security_changes({"type": "mutualTLS"}, scheme)[0]

    assert str(change.message) == (
        f"credentials of login are sent as {words} instead of a TLS client certificate"
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([{"key": []}], [{"login": []}], "the event is authenticated by login instead of key"),
        ([{"key": []}], [], "the event is no longer authenticated by key"),
        ([{"key": []}], [{}, {"key": []}], "the event can now come without credentials"),
        (
            [],
            [{"key": []}, {"login": []}],
            "the event is now authenticated by key or login: receivers that do not check it keep working",
        ),
    ],
)
def test_how_an_event_is_authenticated_is_a_sentence(old: Any, new: Any, expected: str) -> None:
    """Schemes are listed by name, and none is no list at all."""
    schemes = {
        "key": {"type": "apiKey", "in": "header", "name": "X-Signature"},
        "login": {"type": "http", "scheme": "basic"},
    }

    def event(security: Any) -> Api:
        operation = {"security": security, "responses": {"200": {"description": "OK"}}}
        written = {
            "openapi": "3.1.0",
            "info": {"title": "T", "version": "1"},
            "webhooks": {"made": {"post": operation}},
            "components": {"securitySchemes": schemes},
        }
        return read_contract(parse_document(json.dumps(written), name="api.json")).api

    messages = [str(change.message) for change in compare(event(old), event(new)).changes]

    assert expected in messages
