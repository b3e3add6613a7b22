"""Metrics: what Prometheus reads, with few labels, and for those only who may see all accounts together."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from prometheus_client.parser import text_string_to_metric_families
from tests.telecom.sandbox.conftest import ADA, Sandbox
from tests.telecom.sandbox.pages.visitor import Visitor

from telecom.sandbox.monitoring.heartbeats import Heartbeat
from telecom.sandbox.monitoring.metrics import read_pending_work
from telecom.sandbox.tokens.tokens import Grant, Token

CONTROL = "token-of-control"
HERE = "http://127.0.0.1:8080"


def metrics(sandbox: Sandbox) -> Mapping[tuple[str, ...], float]:
    """Return the value of each sample by its name and the values of its labels but the process."""
    answer = Visitor(sandbox.app, base_url=HERE).ask("GET", "/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *(value for name, value in sorted(sample.labels.items()) if name != "process")): (
            sample.value
        )
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_operation(sandbox: Sandbox) -> None:
    """Never by path: whoever asks for what is not there makes no series."""
    sandbox.send()
    sandbox.send({})
    for number in range(5):
        sandbox.get(f"/v1/nothing/{number}")
        sandbox.get(f"/v1/messages/msg_{number}")

    found = metrics(sandbox)
    assert found["sandbox_requests_total", "sendMessage", "202"] == 1
    assert found["sandbox_requests_total", "sendMessage", "422"] == 1
    assert found["sandbox_requests_total", "retrieveMessage", "404"] == 5
    assert found["sandbox_requests_total", "none", "404"] == 5
    assert found["sandbox_request_duration_seconds_count", "sendMessage"] == 2
    operations = {key[1] for key in found if key[0] == "sandbox_requests_total"}
    assert operations == {"sendMessage", "retrieveMessage", "none"}


def test_database_is_shown(sandbox: Sandbox) -> None:
    """Messages by status, what waits and since when, deliveries, attempts, workers."""
    before = metrics(sandbox)
    sandbox.send()
    sandbox.clock.forward(seconds=7)
    Heartbeat(sandbox.database, sandbox.clock, sandbox.rim.random_bytes).beat()

    found = metrics(sandbox)
    assert found["sandbox_messages", "queued"] == before["sandbox_messages", "queued"] + 1
    assert found["sandbox_due", "message"] == 1
    assert found["sandbox_due_age_seconds", "message"] == pytest.approx(6.5)
    assert found["sandbox_workers", "alive"] == 1
    assert found["sandbox_worker_silence_seconds",] == 0
    assert found["sandbox_leases",] == 0
    assert {key[1] for key in found if key[0] == "sandbox_attempts"} == {"2xx", "3xx", "4xx", "5xx", "none"}
    sandbox.step()
    sandbox.clock.forward(seconds=6)
    after = metrics(sandbox)
    assert after["sandbox_due", "message"] == 0
    assert after["sandbox_messages", "delivered"] == before["sandbox_messages", "delivered"] + 1


def test_database_is_not_read_at_each_scrape(sandbox: Sandbox) -> None:
    """What was read is good for 5 seconds."""
    before = metrics(sandbox)
    sandbox.send()

    assert metrics(sandbox)["sandbox_messages", "queued"] == before["sandbox_messages", "queued"]
    sandbox.clock.forward(seconds=5)
    assert metrics(sandbox)["sandbox_messages", "queued"] == before["sandbox_messages", "queued"] + 1


def test_what_takes_long_to_count_is_counted_seldom(sandbox: Sandbox) -> None:
    """A hundredth of the time goes into it at most; what is due is told every 5 seconds all the same."""
    with _slow_statements(sandbox, "GROUP BY", seconds=1):
        before = metrics(sandbox)
    sandbox.send()
    sandbox.clock.forward(seconds=295)
    kept = metrics(sandbox)
    sandbox.clock.forward(seconds=5)
    anew = metrics(sandbox)

    assert kept["sandbox_due", "message"] == before["sandbox_due", "message"] + 1
    assert kept["sandbox_messages", "queued"] == before["sandbox_messages", "queued"]
    assert anew["sandbox_messages", "queued"] == before["sandbox_messages", "queued"] + 1


def test_what_presses_is_found_by_indexes(sandbox: Sandbox) -> None:
    """However much there ever was, a look at what is due reads only that."""
    asked: list[tuple[str, Any]] = []
    with sandbox.database.read() as connection:
        if connection.dialect.name != "sqlite":
            pytest.skip("a server reads small tables whole, whatever indexes there are")
        sa.event.listen(connection, "before_cursor_execute", lambda *told: asked.append(told[2:4]))
        read_pending_work(connection, sandbox.clock(), sandbox.clock())
        looks = tuple(asked)
        plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", with_).all() for sql, with_ in looks]

    steps = [str(row[3]) for plan in plans for row in plan]
    assert len(plans) == 5
    assert [
        step for step in steps if step.startswith("SCAN") and "INDEX" not in step and "workers" not in step
    ] == []


@contextmanager
def _slow_statements(sandbox: Sandbox, words: str, *, seconds: float) -> Iterator[None]:
    """Let so much time pass in each statement that has certain words."""

    def wait(*told: Any) -> None:
        if words in told[2]:
            sandbox.clock.forward(seconds=seconds)

    sa.event.listen(sa.Engine, "before_cursor_execute", wait)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", wait)


@pytest.mark.parametrize(
    ("base_url", "headers"),
    [
        ("http://sandbox.example.com", {}),
        ("http://rebound.example:8080", {"Origin": "http://rebound.example:8080"}),
        (HERE, {"X-Forwarded-For": "203.0.113.9"}),
        (HERE, {"Forwarded": "for=203.0.113.9"}),
        ("http://sandbox.example.com", {"Authorization": f"Bearer {ADA}"}),
        ("http://sandbox.example.com", {"Authorization": "Bearer nobody-has-this"}),
    ],
)
def test_strangers_see_no_metrics(sandbox: Sandbox, base_url: str, headers: dict[str, str]) -> None:
    """Not through a proxy, not by a host name that was led here, not with the token of a customer."""
    answer = Visitor(sandbox.app, base_url=base_url).ask("GET", "/metrics", headers=headers)

    assert answer.status_code == 401
    assert "sandbox_" not in answer.text
    assert 'scope="sandbox:control"' in answer.headers["WWW-Authenticate"]


def test_token_of_control_sees_metrics(sandbox: Sandbox) -> None:
    """From anywhere."""
    grant = Grant(account="operations", scopes=frozenset({"sandbox:control"}))
    sandbox.restart(tokens=(*sandbox.settings.tokens, Token(text=CONTROL, grant=grant)))
    headers: dict[str, Any] = {"Authorization": f"Bearer {CONTROL}"}
    answer = Visitor(sandbox.app, base_url="https://sandbox.example.com").ask(
        "GET", "/metrics", headers=headers
    )

    assert answer.status_code == 200
    assert "sandbox_messages" in answer.text
