"""The harness beside a run: what it says where it cannot play, and endpoints that were made known by hand."""

from collections.abc import Mapping
from typing import Any

import pytest

from devportal.conformance.webhooks.checks import WEBHOOK_CHECKS
from devportal.errors import InvalidSettings
from tests.apps.serving import closed_port, free_port, serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.webhooks.playing import SETTINGS, log_lines, play_scenarios
from tests.conformance.webhooks.sender import Hook, Sender

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ONE = "orders-main-token"


def by_hand(port: int, **changes: Any) -> Mapping[str, Any]:
    """Return settings for an endpoint that somebody has made known."""
    plain = {name: value for name, value in SETTINGS.items() if name != "subscribe"}
    return {
        **plain,
        "receiver": {"listen": f"127.0.0.1:{port}", "url": f"http://127.0.0.1:{port}/mine"},
        "secret": {"env": "ORDERS_SECRET"},
        "promises": {"retried": [500]},
        **changes,
    }


def test_without_settings_a_public_deployment_is_a_gap() -> None:
    """It cannot reach this machine: the lines to write are shown, and nothing is sent."""
    log = play_scenarios("https://orders.example.com", {})

    assert [untested_check.check for untested_check in log.untested_checks] == [
        webhook_check.family.name for webhook_check in WEBHOOK_CHECKS
    ]
    assert all(
        "`webhooks: {receiver: {listen: " in untested_check.reason for untested_check in log.untested_checks
    )
    assert not log.failures


def test_without_another_account_tenants_are_a_gap() -> None:
    """What would need a second token is told, and all else is tested."""
    with serving(Sender().app()) as url:
        log = play_scenarios(url, {**SETTINGS, "promises": {}}, parties=single_credential(ONE))

    assert [untested_check.check for untested_check in log.untested_checks] == [
        "webhook-tenants",
        "webhook-refusals",
    ]
    assert not log.failures, log_lines(log)


def test_an_endpoint_that_was_made_known_by_hand_is_listened_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The receiver listens where it is told, with the secret of the environment."""
    monkeypatch.setenv("ORDERS_SECRET", SECRET)
    port, sender = free_port(), Sender()
    url = f"http://127.0.0.1:{port}/mine"
    wants = ["order.changed", "order.billed"]
    sender.hooks["h"] = Hook(id="h", account="one", url=url, wants=wants, keys=[SECRET])
    with serving(sender.app()) as address:
        log = play_scenarios(address, by_hand(port))

    assert not log.failures, log_lines(log)
    assert [untested_check.check for untested_check in log.untested_checks] == ["webhook-refusals"]
    assert set(log.received_events) == set(wants)


def test_a_secret_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is named before anything is sent."""
    monkeypatch.delenv("ORDERS_SECRET", raising=False)

    with pytest.raises(InvalidSettings, match="ORDERS_SECRET"):
        play_scenarios("http://127.0.0.1:1", by_hand(closed_port()))


def test_a_secret_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not written as the scheme has it; what it is, is not told."""
    monkeypatch.setenv("ORDERS_SECRET", "whsec_not base64")

    with pytest.raises(InvalidSettings, match="base64") as told_of:
        play_scenarios("http://127.0.0.1:1", by_hand(closed_port()))
    assert "not base64" not in str(told_of.value)


def test_a_subscription_that_is_refused_is_a_gap() -> None:
    """Nothing is said of what could not be played."""
    subscribe = {**SETTINGS["subscribe"], "body": {"url": "{url}", "wants": []}}
    with serving(Sender().app()) as url:
        log = play_scenarios(url, {**SETTINGS, "subscribe": {**subscribe, "operation": "showOrder"}})

    assert not log.failures
    assert any(
        "GET /orders/{order_id} said 404" in untested_check.reason for untested_check in log.untested_checks
    )


def test_a_sender_that_is_gone_is_a_gap() -> None:
    """A deployment that does not answer is the other checks' to tell."""
    log = play_scenarios(f"http://127.0.0.1:{closed_port()}", SETTINGS)

    assert not log.failures
    assert log.untested_checks
