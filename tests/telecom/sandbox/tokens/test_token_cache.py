"""Tokens that were issued: where, for how long and to whom they are good, and what a refusal tells."""

import base64
import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from telecom.sandbox.tokens.roles import AllowList
from telecom.sandbox.tokens.token_cache import CACHED_FOR
from telecom.sandbox.tokens.token_store import Conditions, revoke_stored_token, store_issued_token
from telecom.sandbox.tokens.tokens import Grant, Token

ISSUED = Token(text="sk_sandbox_issued", grant=Grant(account="ada", scopes=frozenset({"messages:write"})))


def issue_token(sandbox: Any, *, networks: Iterable[str] = (), lifetime: timedelta | None = None) -> str:
    """Issue a token and return its text."""
    now = sandbox.clock.now
    conditions = Conditions(
        networks=AllowList.parse(networks), expires_at=None if lifetime is None else now + lifetime
    )
    with sandbox.database.write() as connection:
        store_issued_token(connection, ISSUED, conditions, now)
    return ISSUED.text


def issue_revoked_token(sandbox: Any) -> str:
    """Issue a token, revoke it, and return its text."""
    text = issue_token(sandbox)
    with sandbox.database.write() as connection:
        revoke_stored_token(connection, ISSUED.id, sandbox.clock.now)
    return text


def response_parts(response: Any) -> tuple[Any, ...]:
    """Return all parts of a response that do not differ for each request."""
    own = ("x-correlation-id", "date", "content-length")
    headers = sorted((name, value) for name, value in response.headers.items() if name not in own)
    return (response.status_code, headers, {**response.json(), "correlation_id": ""})


def log_text(caplog: pytest.LogCaptureFixture) -> str:
    """Return all that was logged, but not by the client of the tests, which logs addresses."""
    return "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("httpx"))


def test_issued_token_is_good_at_once_and_over_starts(sandbox: Any) -> None:
    """One that was refused as unknown a moment ago is good as soon as it is issued."""
    before = sandbox.send(token=ISSUED.text).status_code
    issue_token(sandbox)
    after = sandbox.send(token=ISSUED.text).status_code
    sandbox.restart()

    assert [before, after, sandbox.send(token=ISSUED.text).status_code] == [401, 202, 202]


def test_issued_token_grants_its_scopes_only(sandbox: Any) -> None:
    """403 where another is needed."""
    assert sandbox.get("/v1/messages", token=issue_token(sandbox)).status_code == 403


def test_revoked_token_is_refused_like_an_unknown_one(sandbox: Any) -> None:
    """Nothing tells a thief that a stolen token was one (decision 0028)."""
    unknown = response_parts(sandbox.send(token="sk_sandbox_unknown"))

    assert response_parts(sandbox.send(token=issue_revoked_token(sandbox))) == unknown
    assert unknown[0] == 401


@pytest.mark.parametrize("network", ["198.51.100.0/24", "2001:db8::/32"])
def test_token_from_another_network_is_refused_like_an_unknown_one(sandbox: Any, network: str) -> None:
    """Requests of the tests come from 127.0.0.1, whatever a header says."""
    unknown = response_parts(sandbox.send(token="sk_sandbox_unknown"))
    text = issue_token(sandbox, networks=[network])
    headers = {"X-Forwarded-For": "198.51.100.7", "Forwarded": "for=198.51.100.7"}

    assert response_parts(sandbox.send(token=text)) == unknown
    assert response_parts(sandbox.send(token=text, headers=headers)) == unknown


def test_token_from_its_network_is_good(sandbox: Any) -> None:
    """One block of several is enough."""
    text = issue_token(sandbox, networks=["198.51.100.0/24", "127.0.0.0/8"])

    assert sandbox.send(token=text).status_code == 202


def test_expired_token_is_refused_like_an_unknown_one(sandbox: Any) -> None:
    """To the moment, although the grant is still kept."""
    unknown = response_parts(sandbox.send(token="sk_sandbox_unknown"))
    text = issue_token(sandbox, lifetime=timedelta(milliseconds=500))
    good = sandbox.send(token=text).status_code
    sandbox.clock.forward(milliseconds=499)
    still_good = sandbox.send(token=text).status_code
    sandbox.clock.forward(milliseconds=1)

    assert (good, still_good) == (202, 202)
    assert response_parts(sandbox.send(token=text)) == unknown


def test_revoked_token_is_good_for_a_second_at_most(sandbox: Any) -> None:
    """A grant is kept for so long and no longer, however often it is used."""
    text = issue_token(sandbox)
    first = sandbox.send(token=text).status_code
    sandbox.clock.forward(milliseconds=600)
    with sandbox.database.write() as connection:
        revoke_stored_token(connection, ISSUED.id, sandbox.clock.now)
    kept = sandbox.send(token=text).status_code
    sandbox.clock.now += CACHED_FOR - timedelta(milliseconds=600)

    assert (first, kept, sandbox.send(token=text).status_code) == (202, 202, 401)


def test_grant_is_not_kept_while_the_clock_goes_back(sandbox: Any) -> None:
    """A clock that is set right must not keep what is revoked."""
    text = issue_token(sandbox)
    sandbox.send(token=text)
    with sandbox.database.write() as connection:
        revoke_stored_token(connection, ISSUED.id, sandbox.clock.now)
    sandbox.clock.forward(hours=-1)

    assert sandbox.send(token=text).status_code == 401


@pytest.mark.parametrize("name", ["access_token", "token", "api_key"])
def test_token_in_the_address_is_none(sandbox: Any, name: str, caplog: pytest.LogCaptureFixture) -> None:
    """It would end up in logs, and not in ours (RFC 6750 §2.3 advises against it)."""
    caplog.set_level(logging.DEBUG)

    response = sandbox.request("POST", "/v1/messages", params={name: "token-of-ada"}, json={})

    assert response.status_code == 401
    assert "token-of-ada" not in log_text(caplog)
    assert "token-of-ada" not in response.text


@pytest.mark.parametrize("scheme", ["Basic", "Digest", "Token"])
def test_other_schemes_are_refused(sandbox: Any, scheme: str) -> None:
    """A right token with another scheme is none, nor is one as the password of a user."""
    coded = base64.b64encode(b"user:token-of-ada").decode()

    statuses = [
        sandbox.request("POST", "/v1/messages", json={}, headers={"Authorization": f"{scheme} {text}"})
        for text in ("token-of-ada", coded)
    ]

    assert {response.status_code for response in statuses} == {401}


def test_tokens_are_in_no_log(sandbox: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Neither one that is good nor one that is not."""
    caplog.set_level(logging.DEBUG)
    sandbox.send(token=issue_token(sandbox))
    sandbox.send(token="sk_sandbox_unknown")

    assert "POST /v1/messages 202" in log_text(caplog)
    assert "sk_sandbox_" not in log_text(caplog)
