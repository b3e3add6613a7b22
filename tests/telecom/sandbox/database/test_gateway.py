"""The HTTP side: methods, media types, tokens, scopes, quota, correlation, failures."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.telecom.sandbox.problem_names import problem_name

from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.database.database import Database
from telecom.sandbox.database.tables import MESSAGES, TOKENS

AUTHORIZED = {"Authorization": "Bearer token-of-ada", "Content-Type": "application/json"}
HELLO = b'{"to": "+12025550123", "channel": "sms", "body": "Hello"}'


def test_accepted_message_is_queued_and_stored(sandbox: Any) -> None:
    """202 tells identifier, status and segments, and the message is in the database."""
    response = sandbox.send({"to": "+12025550123", "channel": "sms", "body": "€" * 81})

    assert response.status_code == 202
    assert {**response.json(), "id": ""} == {"id": "", "status": "queued", "segments": 2}
    assert re.fullmatch("msg_[0-9a-z]{26}", response.json()["id"])
    assert sandbox.count(MESSAGES) == 1


def test_answers_end_their_line(sandbox: Any) -> None:
    """So that the prompt of a terminal does not stick to them."""
    accepted, refused = sandbox.send(), sandbox.send({})

    assert accepted.content.endswith(b"}\n")
    assert refused.content.endswith(b"}\n")


def test_identifiers_are_unique(sandbox: Any) -> None:
    """Messages of the same instant have identifiers of their own."""
    identifiers = {sandbox.send().json()["id"] for _ in range(20)}

    assert len(identifiers) == 20


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_other_methods_are_answered_with_allow(sandbox: Any, method: str) -> None:
    """405 lists the methods of the path, with or without a token (RFC 9110 §15.5.6)."""
    for headers in ({}, AUTHORIZED):
        response = sandbox.request(method, "/v1/messages", headers=headers)

        assert response.status_code == 405
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS, POST"


def test_options_lists_the_methods(sandbox: Any) -> None:
    """OPTIONS needs no token and has no body."""
    response = sandbox.request("OPTIONS", "/v1/messages")

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/v1",
        "/v1/messages/",
        "/v1/Messages",
        "/v2/messages",
        "/v1/messages/msg_1/body",
        "/v1/messages%0A",
        "/%ff%00",
    ],
)
def test_unknown_path_is_a_problem(sandbox: Any, path: str) -> None:
    """404 is a problem document too, whatever the method."""
    for method in ("GET", "POST", "OPTIONS"):
        response = sandbox.request(method, path, headers=AUTHORIZED)

        assert response.status_code == 404
        assert problem_name(response) == "not-found"


@pytest.mark.parametrize(
    "authorization",
    [
        "Bearer",
        "Bearer ",
        "Bearer wrong-token",
        "Bearer token-of-ada token-of-ada",
        "Bearer token-of-ada, Bearer token-of-bob",
        "Bearer TOKEN-OF-ADA",
    ],
)
def test_invalid_token_is_unauthenticated(sandbox: Any, authorization: str) -> None:
    """401 says that the token is not valid, where a new one is, and where it is good; nothing is stored."""
    response = sandbox.request(
        "POST", "/v1/messages", content=HELLO, headers={**AUTHORIZED, "Authorization": authorization}
    )

    assert response.status_code == 401
    assert "The token is not valid." in response.json()["detail"]
    assert "mutual TLS" in response.json()["detail"]
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="sandbox", error="invalid_token"'
    assert sandbox.count(MESSAGES) == 0


def test_missing_token_is_unauthenticated_without_an_error_code(sandbox: Any) -> None:
    """Who sent no token is told the scheme only (RFC 6750 §3.1)."""
    response = sandbox.request("POST", "/v1/messages", content=HELLO)

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="sandbox"'


@pytest.mark.parametrize(
    "authorization", ["", "token-of-ada", "Basic dG9rZW4tb2YtYWRh", "Bearers token-of-ada"]
)
def test_other_scheme_is_unauthenticated_without_an_error_code(sandbox: Any, authorization: str) -> None:
    """Credentials of another scheme are no token that could be wrong (RFC 6750 §3.1)."""
    headers = {**AUTHORIZED, "Authorization": authorization}
    response = sandbox.request("POST", "/v1/messages", content=HELLO, headers=headers)

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="sandbox"'
    assert "Authorization: Bearer <API_KEY>" in response.json()["detail"]
    assert sandbox.count(MESSAGES) == 0


def test_two_tokens_are_none(sandbox: Any) -> None:
    """A request that authenticates twice is not authenticated."""
    headers = [("Authorization", "Bearer token-of-ada"), ("Authorization", "Bearer token-of-ada")]

    assert sandbox.request("POST", "/v1/messages", content=HELLO, headers=headers).status_code == 401


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer "])
def test_scheme_is_case_insensitive(sandbox: Any, scheme: str) -> None:
    """Schemes are read in any case (RFC 9110 §11.1)."""
    assert sandbox.send(headers={"Authorization": f"{scheme} token-of-ada"}).status_code == 202


def test_missing_scope_is_forbidden(sandbox: Any) -> None:
    """403 names the scope that is needed, and nothing is stored."""
    response = sandbox.send(token="token-without-scope")

    assert response.status_code == 403
    assert response.headers["WWW-Authenticate"] == (
        'Bearer realm="sandbox", error="insufficient_scope", scope="messages:write"'
    )
    assert sandbox.count(MESSAGES) == 0


def test_tokens_are_stored_as_hashes(sandbox: Any) -> None:
    """The database does not know the tokens that it accepts."""
    with sandbox.database.read() as connection:
        rows = connection.execute(TOKENS.select()).all()

    assert len(rows) == 3
    assert not any("token-of" in str(value) for row in rows for value in row)


def test_former_tokens_are_not_valid_after_a_restart(sandbox: Any) -> None:
    """Only the tokens of this start are good."""
    sandbox.restart(tokens=sandbox.settings.tokens[1:])

    assert sandbox.send().status_code == 401
    assert sandbox.send(token="token-of-bob").status_code == 202


def test_quota_runs_out_and_is_renewed(sandbox: Any) -> None:
    """The headers count down, 429 says how long to wait, and waiting helps."""
    sandbox.restart(rate_limit=RateLimit(quota=2, window_s=60))

    first = sandbox.send()
    sandbox.clock.forward(seconds=20)
    second, third = sandbox.send(), sandbox.send()
    sandbox.clock.forward(seconds=int(third.headers["Retry-After"]))
    fourth = sandbox.send()

    assert first.headers["RateLimit"] == '"messages";r=1;t=60'
    assert first.headers["RateLimit-Policy"] == '"messages";q=2;w=60'
    assert second.headers["RateLimit"] == '"messages";r=0;t=40'
    assert (third.status_code, third.headers["Retry-After"]) == (429, "40")
    assert third.headers["RateLimit"] == '"messages";r=0;t=40'
    assert fourth.status_code == 202


def test_quota_is_per_account(sandbox: Any) -> None:
    """One account cannot use up another's quota."""
    sandbox.restart(rate_limit=RateLimit(quota=1))

    statuses = [sandbox.send(token=t).status_code for t in ("token-of-ada", "token-of-ada", "token-of-bob")]

    assert statuses == [202, 429, 202]


def test_quota_is_per_api(sandbox: Any) -> None:
    """The quota of one API, a tag of the contract, does not touch another's (service.md, Limits 4)."""
    sandbox.restart(rate_limit=RateLimit(quota=1))
    sandbox.send()

    reading = sandbox.get("/v1/messages")
    events, more_events = (sandbox.get("/v1/events") for _ in range(2))

    assert reading.status_code == 429, "it is of the same API as sending"
    assert reading.headers["RateLimit-Policy"] == '"messages";q=1;w=60'
    assert [events.status_code, more_events.status_code] == [200, 429]
    assert events.headers["RateLimit"] == '"event-log";r=0;t=60'


@pytest.mark.parametrize(
    "accept",
    ["text/html", "application/xml, text/*;q=0.5", "application/json;q=0", "application/problem+json"],
)
def test_unacceptable_answer_is_refused(sandbox: Any, accept: str) -> None:
    """406 where `Accept` excludes JSON, before anything is stored."""
    assert sandbox.send(headers={"Accept": accept}).status_code == 406
    assert sandbox.count(MESSAGES) == 0


@pytest.mark.parametrize(
    "accept",
    ["*/*", "application/*", "text/html, */*;q=0.1", "APPLICATION/JSON", "", "nonsense", "a/b;;q=1, */*"],
)
def test_acceptable_answer_is_given(sandbox: Any, accept: str) -> None:
    """Anything that does not exclude JSON is content with it."""
    assert sandbox.send(headers={"Accept": accept}).status_code == 202


def test_trace_id_becomes_the_correlation_id(sandbox: Any) -> None:
    """A valid `traceparent` joins our logs to the caller's traces."""
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    response = sandbox.send(headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"})

    assert response.headers["X-Correlation-Id"] == trace


def test_correlation_ids_are_unique(sandbox: Any) -> None:
    """Requests without a trace have identifiers of their own."""
    identifiers = {sandbox.send({}).headers["X-Correlation-Id"] for _ in range(10)}

    assert len(identifiers) == 10


def test_failure_is_a_problem_without_details(sandbox: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever breaks, the client gets a problem document; the reason goes to the log with its id."""
    sandbox.clock.now = None

    response = sandbox.send()

    assert response.status_code == 500
    assert problem_name(response) == "internal-error"
    assert response.headers["X-Correlation-Id"] in caplog.text
    assert "Traceback" not in response.text


def test_busy_database_is_told_as_such(sandbox: Any, tmp_path: Path) -> None:
    """503 with `Retry-After` where another process holds the write lock for too long."""
    impatient = Database.open(tmp_path / "busy.sqlite3", busy_timeout_s=0.05)
    sandbox.database.close()
    sandbox.database = impatient
    sandbox.restart()

    with closing(sqlite3.connect(tmp_path / "busy.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        response = sandbox.send()
    impatient.close()

    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
