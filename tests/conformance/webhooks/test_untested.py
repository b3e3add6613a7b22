"""Webhook checks whose settings are missing are not tested, with the line to write; identifiers may be in the
body, and the order of states in the settings."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.run.run_log import RunLog
from devportal.conformance.webhooks.checks import WEBHOOK_CHECKS
from devportal.conformance.webhooks.plan import ExpectedEvent
from devportal.contract import load_contract
from devportal.mock.application import MockApplication
from devportal.mock.clock import MockClock
from devportal.mock.resources.store import State
from devportal.mock.run import make_mock
from tests.apps.serving import serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.webhooks.playing import CONTRACT, FEW, PARTIES, log_lines, play_scenarios
from tests.conformance.webhooks.sender import Hook, Sender

BARE_EVENTS = {
    "order.changed": {"subject": "/data/order_id", "state": "/data/status"},
    "order.billed": {"subject": "/data/order_id"},
}
LINES = {
    "webhook-signatures": "`signature: standard-webhooks`",
    "webhook-timestamps": "`signature: {timestamp:",
    "webhook-identifiers": "`signature: {id: /id}`",
    "webhook-states": "`order: [first, …, last]`",
    "webhook-retries": "`retried: [500]`",
    "webhook-refusals": "`gone: disable`",
    "webhook-log": "`webhooks.log`",
    "webhook-tenants": "DEVPORTAL_OTHER_TENANT_TOKEN",
}
"""What each check names if its setting is missing."""
ONE = "orders-main-token"
QUIET = {"retried": [], "retries_closed": False}


class BodySender(Sender):
    """Writes the identifier of an event into its body, and no headers."""

    def _deliver(self, hook: Hook, event: str, body: bytes, shown: dict[str, Any]) -> None:
        identified = {"id": event, **json.loads(body)}
        super()._deliver(hook, event, json.dumps(identified).encode(), shown)

    def _signature_headers(self, hook: Hook, event: str, body: bytes, attempt: int) -> dict[str, str]:  # noqa: ARG002
        return {}


@pytest.fixture
def plain_contract(tmp_path: Path) -> Path:
    """Return the contract of orders without a state machine, and with an identifier in each event."""
    text, _, _ = CONTRACT.read_text(encoding="utf-8").partition("      x-state-machine:")
    text = text.replace("required: [type, data]", "required: [id, type, data]")
    text = text.replace(
        "                type: {const", "                id: {type: string}\n                type: {const"
    )
    path = tmp_path / "orders.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def settings(*without: str, **changes: Any) -> Mapping[str, Any]:
    """Return few settings with bare events, without some parts and with changes."""
    triggers = [{"operation": "placeOrder", "subject": "/order_id", "events": BARE_EVENTS}]
    given = {**FEW, "triggers": triggers, "patience_s": 3, **changes}
    return {name: value for name, value in given.items() if name not in without}


def passed_checks(log: RunLog) -> set[str]:
    """Return the checks that passed for an operation."""
    return {check for (_, check, _, is_passed), count in log.tallies.items() if is_passed and count}


def untested_checks(log: RunLog) -> dict[str, str]:
    """Return the checks that were not tested, with what they need."""
    return {untested_check.check: untested_check.reason for untested_check in log.untested_checks}


def test_every_check_without_its_setting_is_not_tested(plain_contract: Path) -> None:
    """A sender of which little is known passes what can be compared, and each other check names its line."""
    bare = settings("signature", "log", promises=QUIET)
    with serving(BodySender().app()) as url:
        log = play_scenarios(url, bare, contract=plain_contract, parties=single_credential(ONE))

    assert not log.failures, log_lines(log)
    compared = ("arrival", "payloads", "readings", "repetitions")
    assert passed_checks(log) == {f"webhook-{text}" for text in compared}
    assert passed_checks(log) | untested_checks(log).keys() == {
        webhook_check.family.name for webhook_check in WEBHOOK_CHECKS
    }
    assert passed_checks(log) & untested_checks(log).keys() == set()
    for check, line in LINES.items():
        assert line in untested_checks(log)[check]


def test_no_check_passes_where_nothing_arrives(plain_contract: Path) -> None:
    """Without deliveries all checks but that of arrival have nothing to compare, and that one fails."""
    with serving(BodySender(faults=frozenset({"never_sent"})).app()) as url:
        log = play_scenarios(url, settings(promises=QUIET), contract=plain_contract)

    assert {failure.check for failure in log.failures} == {"webhook-arrival"}
    assert passed_checks(log) <= {"webhook-tenants"}
    assert untested_checks(log).keys() >= {webhook_check.family.name for webhook_check in WEBHOOK_CHECKS} - {
        "webhook-arrival",
        "webhook-tenants",
    }


@pytest.mark.parametrize(
    ("fault", "check"),
    [("", ""), ("not_logged", "webhook-log"), ("id_of_the_order", "webhook-identifiers")],
)
def test_the_identifier_may_be_in_the_body(fault: str, check: str, plain_contract: Path) -> None:
    """A JSON Pointer wakes the checks of identifiers and of the log, for deliveries without a signature."""
    with serving(BodySender(faults=frozenset({fault} - {""})).app()) as url:
        log = play_scenarios(
            url, settings(signature={"id": "/id"}, promises=QUIET), contract=plain_contract, parties=PARTIES
        )

    found = {failure.check for failure in log.failures}
    assert (check in found) if check else not found, log_lines(log)
    assert {"webhook-identifiers", "webhook-log"} & untested_checks(log).keys() == set()
    assert "webhook-signatures" in untested_checks(log)


@pytest.mark.parametrize(("fault", "check"), [("", ""), ("backwards", "webhook-states")])
def test_the_order_of_states_may_be_in_the_settings(fault: str, check: str, plain_contract: Path) -> None:
    """Where the contract has no state machine, the declared order shows states that go back."""
    events = {
        **BARE_EVENTS,
        "order.changed": {
            **BARE_EVENTS["order.changed"],
            "sequence": "/data/step",
            "order": ["placed", "packed", ["shipped", "lost"]],
        },
    }
    triggers = [{"operation": "placeOrder", "subject": "/order_id", "events": events}]
    with serving(BodySender(faults=frozenset({fault} - {""})).app()) as url:
        log = play_scenarios(
            url,
            settings("log", triggers=triggers, signature={"id": "/id"}, promises=QUIET),
            contract=plain_contract,
        )

    assert {failure.check for failure in log.failures} == {check} - {""}, log_lines(log)
    assert "webhook-states" not in untested_checks(log)


def test_states_of_one_step_exclude_each_other() -> None:
    """An order has every later state after each one, and none after those of its last step."""
    event = ExpectedEvent(name="e", subject="", order=(("new",), ("paid",), ("sent", "lost")))
    machine = event.state_machine

    assert machine is not None
    assert machine.initial == ("new",)
    assert machine.finals == ("sent", "lost")
    assert machine.reachable_from("new") == ("paid", "sent", "lost")
    assert ExpectedEvent(name="e", subject="").state_machine is None


SILENT = """\
openapi: 3.0.3
info: {title: Renders, version: '1'}
paths:
  /renders:
    post:
      operationId: startRender
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [callback_url], properties: {callback_url: {type: string, format: uri}}}
      responses:
        '201':
          description: Started
          content: &render {application/json: {schema: {$ref: '#/components/schemas/Render'}}}
      callbacks:
        EVENT:
          '{$request.body#/callback_url}':
            post:
              requestBody:
                content:
                  application/json:
                    schema: {type: object, required: [render_id], properties: {render_id: {type: string}}}
              responses: {'200': {description: Received}}
  /renders/{render_id}:
    get:
      operationId: getRender
      parameters: [{name: render_id, in: path, required: true, schema: {type: string, format: uuid}}]
      responses:
        '200': {description: Done, content: *render}
components:
  schemas:
    Render:
      type: object
      required: [id, state]
      properties: {id: {type: string, format: uuid}, state: {type: string, enum: [queued, done]}}
"""


@pytest.mark.parametrize(("event", "is_untested"), [("thumbnailReady", True), ("renderCreated", False)])
def test_a_callback_that_never_comes_does_not_pass(event: str, tmp_path: Path, *, is_untested: bool) -> None:
    """One that had to come fails; of one that need not have happened, nothing is known."""
    contract = tmp_path / "renders.yaml"
    contract.write_text(SILENT.replace("EVENT", event), encoding="utf-8")
    mock = make_mock(load_contract(contract).api, grants=())
    app = MockApplication(mock, State(), MockClock(lambda: datetime.now(UTC)))
    with serving(app) as url:
        log = play_scenarios(url, {"patience_s": 1}, contract=contract)

    assert "webhook-arrival" not in passed_checks(log)
    assert [failure.title for failure in log.failures] == (
        [] if is_untested else ["an event does not arrive"]
    )
    if is_untested:
        assert "no 'thumbnailReady' came" in untested_checks(log)["webhook-arrival"]
