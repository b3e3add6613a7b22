"""Logs: a line for each request and each attempt, in which nothing is that has to stay secret."""

import io
import json
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from tests.telecom.sandbox.conftest import ADA, Sandbox
from tests.telecom.sandbox.pages.visitor import visitor
from tests.telecom.sandbox.tokens.test_command import HELLO, SECRET, running
from tests.waiting import PATIENCE_S, wait_until

from telecom.sandbox.database.database import Database
from telecom.sandbox.delivery.webhook_setup import Subscription
from telecom.sandbox.monitoring.request_log import JsonFormatter, TextFormatter, mask_secrets
from telecom.sandbox.pages.application import COOKIE
from telecom.sandbox.tokens.tokens import Grant, Token
from telecom.signature import Secret


@pytest.fixture(params=[TextFormatter, JsonFormatter], ids=["text", "json"])
def log_output(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Return what is logged from here on, at every level."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(request.param())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)
    logging.getLogger("httpx").setLevel(logging.NOTSET)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("to +12025550123 now", "to …0123 now"),
        ("/v1/numbers/%2B12025550123", "/v1/numbers/…0123"),
        ("/v1/numbers/12025550123", "/v1/numbers/…0123"),
        ("msg_01m7yq1we03haqr9sc0avcfxq8", "msg_01m7yq1we03haqr9sc0avcfxq8"),
        ("f1859220d9c8e95b509b5b7f4bed8577", "f1859220d9c8e95b509b5b7f4bed8577"),
        ("2026-11-22 19:10:02,906 took 157 ms", "2026-11-22 19:10:02,906 took 157 ms"),
        ("127.0.0.1:39391", "127.0.0.1:39391"),
        ("token sk_sandbox_ab.cd-ef, next", "token sk_sandbox_…, next"),
        ("ck_sandbox_abc", "ck_sandbox_…"),
        ('"whsec_aGVsbG8+/w=="', '"whsec_…"'),
        ("Authorization: Bearer abc.def", "Authorization: Bearer …"),
    ],
)
def test_what_is_masked(text: str, shown: str) -> None:
    """Tokens, secrets, and all but four digits of numbers; identifiers and times stay as they are."""
    assert mask_secrets(text) == shown


def test_request_has_a_line(sandbox: Sandbox, log_output: io.StringIO) -> None:
    """With the operation, the account and the correlation identifier of the answer."""
    answer = sandbox.send()

    line = log_output.getvalue()
    assert line.count("\n") == 1
    for part in ("POST", "/v1/messages", "202", "sendMessage", "ada", answer.headers["X-Correlation-Id"]):
        assert part in line


def test_line_of_json_has_members() -> None:
    """A program finds what a request was without reading a sentence."""
    record = logging.makeLogRecord({"msg": "said", "levelname": "INFO", "fields": {"account": "ada"}})
    line = json.loads(JsonFormatter().format(record))

    assert {name: line[name] for name in ("level", "message", "account")} == {
        "level": "info",
        "message": "said",
        "account": "ada",
    }
    assert line["at"].endswith("Z")


def test_nothing_secret_is_logged(
    sandbox: Sandbox, log_output: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither after requests of all sorts, nor after webhooks, sign-ins and faults."""
    token = Token(text="sk_sandbox_" + secrets.token_hex(16), grant=_grant_of_ada(sandbox))
    signing = Secret(secrets.token_bytes(32))
    subscription = Subscription(account="ada", url="http://127.0.0.1:9000/", secrets=(signing,))
    sandbox.restart(tokens=(*sandbox.settings.tokens, token), subscription=subscription)
    body = "the body of a message that nobody else reads"
    sandbox.send({"to": "+12025550123", "channel": "sms", "body": body}, token=token.text)
    sandbox.send({"to": "+12025550123", "body": body}, token=token.text)
    sandbox.get("/v1/nothing/+12025550123?token=" + token.text, token=token.text)
    sandbox.get(f"/v1/messages/{token.text}", token=token.text)
    sandbox.get("/v1/messages", token=token.text + "wrong")
    visitor(sandbox.app, token.text).see("/_sandbox/messages?to=%2B12025550123")
    sandbox.clock.forward(seconds=2)
    sandbox.step(_failing)
    sandbox.step(_failing)
    monkeypatch.setattr(
        "telecom.sandbox.handlers.messages.check_submission", _failing_check(token.text, signing)
    )
    sandbox.restart()
    assert sandbox.send({"to": "+12025550123", "channel": "sms", "body": body}, token=token.text).is_error

    said = log_output.getvalue()
    assert "webhook evt_" in said
    assert "a request failed" in said
    for secret in (
        token.text,
        signing.reveal(),
        signing.reveal().removeprefix("whsec_"),
        body,
        "12025550123",
    ):
        assert secret not in said
    assert ADA not in said


def test_what_the_database_refuses_is_logged_without_values(
    sandbox: Sandbox, log_output: io.StringIO
) -> None:
    """A server that refuses a row quotes all of it; the log tells which rule was broken, and no more."""
    body = {"to": "+12025550123", "channel": "sms", "body": "a text that\nnobody else reads"}
    with _refusing_messages(sandbox.database):
        answer = sandbox.send(body)

    said = log_output.getvalue()
    assert answer.status_code == 500
    assert "IntegrityError" in said
    assert "refused_in_a_test" in said
    for secret in ("a text that", "nobody else reads", "5550123"):
        assert secret not in said


@contextmanager
def _refusing_messages(database: Database) -> Iterator[None]:
    """Let a database take no new message for the time of a `with` block."""
    if database.is_single_machine:
        refuse = (
            "CREATE TRIGGER refused_in_a_test BEFORE INSERT ON messages "
            "BEGIN SELECT RAISE(ABORT, 'refused_in_a_test'); END"
        )
        allow = "DROP TRIGGER refused_in_a_test"
    else:
        refuse = "ALTER TABLE messages ADD CONSTRAINT refused_in_a_test CHECK (segments < 0) NOT VALID"
        allow = "ALTER TABLE messages DROP CONSTRAINT refused_in_a_test"
    with database.write() as connection:
        connection.execute(sa.text(refuse))
    try:
        yield
    finally:
        with database.write() as connection:
            connection.execute(sa.text(allow))


def test_whole_run_logs_nothing_secret(tmp_path: Path, contract_path: Path) -> None:
    """What the processes of a sandbox write, once they run, has none of the tokens and secrets of it."""
    token, control = "sk_sandbox_" + secrets.token_hex(16), "ck_sandbox_" + secrets.token_hex(16)
    place = ("--contract", contract_path, "--database", tmp_path / "db", "--time-scale", "0.02")
    options = (*place, "--webhook-url", "http://127.0.0.1:9/hooks", "--control-token", control)
    with running(*options, "--log-format", "json", token=token) as server:
        assert server.send(token=token).status_code == 202
        headers = {"Authorization": f"Bearer {token}"}
        ask = httpx.Client(base_url=server.address, trust_env=False, timeout=PATIENCE_S)
        with ask:
            made = ask.post(
                "/v1/webhook-endpoints",
                json={"url": "http://127.0.0.1:9/", "event_types": ["message.status_changed"]},
                headers=headers,
            ).json()
            ask.get(f"/v1/{token}", headers=headers)
            ask.get("/_sandbox/clock", headers={"Authorization": f"Bearer {control}"})
            entered = ask.post("/_sandbox/sign-in", data={"token": token})
            ask.get("/_sandbox/messages")
            wait_until(lambda: any('"attempt"' in line for line in server.said))

    logged = [line for line in server.said if line.startswith("{")]
    known = {json.loads(line).get("operation") for line in logged}
    assert {"sendMessage", "createWebhookEndpoint", "getClock"} <= known
    log = "".join(logged)
    for secret in (token, control, SECRET, SECRET[6:], made["secret"], entered.cookies[COOKIE]):
        assert secret not in log
    assert "+12025550123" not in log
    assert HELLO["body"] not in log


def _grant_of_ada(sandbox: Sandbox) -> Grant:
    return next(token.grant for token in sandbox.settings.tokens if token.text == ADA)


def _failing_check(token: str, secret: Secret) -> Any:
    def check(*_: Any) -> None:
        raise RuntimeError(f"could not with {token} and {secret.reveal()} for +12025550123")

    return check


async def _failing(scope: Any, _receive: Any, send: Any) -> None:
    del scope
    await send({"type": "http.response.start", "status": 500, "headers": []})
    await send({"type": "http.response.body", "body": b""})
