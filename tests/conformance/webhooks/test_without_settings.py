"""Webhooks without settings: the contract shows how they are received, and faults are found all the same."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import Standing
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.webhooks.checks import tenants
from devportal.conformance.webhooks.discovery.discovery import discover_webhooks
from devportal.conformance.webhooks.plan import Certainty
from devportal.conformance.webhooks.planning import is_on_this_machine, plan_webhooks
from devportal.errors import InvalidSettings
from tests.apps.serving import serving
from tests.apps.webhooks.senders import FAULTS, SIGNING_SECRET, STYLES, TOKENS, Sender
from tests.conformance.running import subject_of, subject_of_contract
from tests.conformance.webhooks.playing import log_lines, play_scenarios
from tests.contract.inline import contract

ONE, TWO = TOKENS
SHIPMENTS = Path(__file__).parent / "shipments.yaml"
PARTIES = CredentialSet(
    everyone=(
        Credential(role=Role.MAIN, secret=ONE, name="DEVPORTAL_TOKEN"),
        Credential(role=Role.OTHER_TENANT, secret=TWO, name="DEVPORTAL_OTHER_TENANT_TOKEN"),
    )
)
COMMON = (
    "never_sent",
    "number_as_text",
    "missing_member",
    "unknown_state",
    "text_plain",
    "put",
    "broken_json",
    "wrong_subject",
    "old_event",
    "state_differs",
    "last_state_missing",
    "sent_twice",
    "again_after_2xx",
)
"""Faults that any contract with events and a way to read the resource shows."""
FOUND: Mapping[str, tuple[str, ...]] = {
    "exports": (*COMMON, "wrong_type", "unsigned", "one_id_for_all"),
    "orders": (
        *COMMON,
        "one_kind_missing",
        "sent_to_deleted",
        "wrong_type",
        "secret_in_body",
        "unsigned",
        "one_id_for_all",
        "log_missing",
        "log_failed",
        "log_attempts",
        "to_other_account",
    ),
    "payments": COMMON,
    "tickets": (
        *COMMON,
        "one_kind_missing",
        "sent_to_deleted",
        "wrong_type",
        "one_id_for_all",
        "log_missing",
        "to_other_account",
    ),
}
"""The faults of each sender that are found without a word of settings."""
SIGNATURE = {
    "signature": {"header": "Signature", "pattern": "v1=([0-9a-f]+)"},
    "timestamp": {"header": "Signature", "pattern": r"t=(\d+)"},
    "signed": "{timestamp}.{body}",
}
SHORT: Mapping[str, Any] = {"patience_s": 2}


def log_of(style: str, *faults: str, settings: Mapping[str, Any] = SHORT) -> RunLog:
    """Play everything against a sender with faults."""
    sender = Sender(style=STYLES[style], faults=frozenset(faults))
    with serving(sender.app()) as url:
        return play_scenarios(url, settings, contract=STYLES[style].contract, parties=PARTIES)


def confirmed_checks(log: RunLog) -> set[str]:
    """Return the checks with a confirmed failure."""
    return {failure.check for failure in log.failures if failure.standing is Standing.CONFIRMED}


@pytest.mark.conformance
@pytest.mark.parametrize("style", STYLES)
def test_a_right_sender_is_clean_without_settings(style: str) -> None:
    """No failure; the log says what was assumed, and what only settings can test is not tested."""
    log = log_of(style, settings={})

    assert log.failures == [], log_lines(log)
    assert {untested_check.check for untested_check in log.untested_checks} >= {
        "webhook-signatures",
        "webhook-retries",
    }
    assert len(log.assumptions) == 1
    assert f"POST {STYLES[style].collection} causes " in log.assumptions[0]
    assert log.received_events


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("style", "faults"),
    [
        ("exports", ("never_sent",)),
        ("exports", ("old_event", "wrong_subject", "put")),
        ("orders", ("sent_to_deleted", "state_differs", "log_attempts", "again_after_2xx")),
        ("payments", ("last_state_missing", "text_plain")),
        ("tickets", ("to_other_account", "old_event", "one_kind_missing")),
    ],
)
def test_faults_are_found_without_settings(style: str, faults: tuple[str, ...]) -> None:
    """Each fault is confirmed by the check for it."""
    found = confirmed_checks(log_of(style, *faults))

    assert found >= {FAULTS[fault] for fault in faults}


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("style", STYLES)
def test_each_fault_is_found_without_settings(style: str) -> None:
    """Any check may name it: a number in place of a text is one that the resource does not have."""
    with ThreadPoolExecutor(max_workers=6) as threads:
        logs = dict(
            zip(FOUND[style], threads.map(lambda item: log_of(style, item), FOUND[style]), strict=True)
        )

    assert {fault: log_lines(log) for fault, log in logs.items() if not confirmed_checks(log)} == {}


@pytest.mark.conformance
@pytest.mark.parametrize("fault", ["wrong_signature", "signed_other_bytes", "old_timestamp", "no_retry"])
def test_settings_add_to_what_the_contract_shows(fault: str) -> None:
    """Who declares a signature and promises need not declare what the contract has."""
    settings = {**SHORT, "signature": SIGNATURE, "promises": {"retried": [500]}}
    log = log_of("orders", fault, settings=settings)

    assert confirmed_checks(log) == {FAULTS[fault]}, log_lines(log)
    assert {untested_check.check for untested_check in log.untested_checks} == {
        "webhook-states",
        "webhook-refusals",
    }


@pytest.mark.conformance
@pytest.mark.parametrize(("fault", "check"), [("", None), ("wrong_order", "webhook-states")])
def test_declared_triggers_use_the_subscription_of_the_contract(fault: str, check: str | None) -> None:
    """The order of states is not in the contract; how to subscribe is."""
    updated = {"subject": "/data/order_id", "state": "/data/status", "order": ["placed", "packed", "shipped"]}
    trigger = {"operation": "placeOrder", "subject": "/order_id", "events": {"order.updated": updated}}
    settings = {**SHORT, "triggers": [trigger], "promises": {"retried": [500], "in_order": True}}
    log = log_of("orders", fault, settings=settings)

    assert confirmed_checks(log) == ({check} if check else set()), log_lines(log)
    assert "POST /hooks subscribes" in log.assumptions[0]


PLACED: Mapping[str, Any] = {
    "operation": "placeOrder",
    "subject": "/order_id",
    "events": {"order.placed": {"subject": "/id"}},
}


def test_triggers_without_an_address_are_refused() -> None:
    """Nothing could arrive, and the deployment would be accused of it."""
    subject = subject_at("orders")
    others = tuple(operation for operation in subject.operations if not operation.path.startswith("/hooks"))
    api = replace(subject.api, operations=others)
    without = replace(subject, operations=others, contract=replace(subject.contract, api=api))

    with pytest.raises(InvalidSettings, match="nothing says where events are sent"):
        plan_webhooks(without, {"triggers": [PLACED]})


@pytest.mark.conformance
@pytest.mark.parametrize("fault", ["", "creation_last", "api_behind"])
def test_states_with_events_of_their_own_are_one_order(fault: str) -> None:
    """An event for each state shows an order too; the API must not be behind what events report."""
    state = {"state": "/data/status", "order": ["placed", "packed", "shipped"]}
    events = {item: {"subject": "/data/order_id", **state} for item in ("order.placed", "order.updated")}
    trigger = {"operation": "placeOrder", "subject": "/order_id", "events": events}
    log = log_of(
        "orders",
        *filter(None, [fault]),
        settings={**SHORT, "triggers": [trigger], "promises": {"retried": [], "in_order": True}},
    )

    assert FAULTS[fault] in confirmed_checks(log) if fault else not log.failures, log_lines(log)


def test_an_envelope_and_an_account_path_are_understood() -> None:
    """The identifier is beside the type of the event; the log and the subscription are below one account."""
    subject = replace(subject_of(SHIPMENTS), base_url="http://127.0.0.1:8080")
    settings = discover_webhooks(subject).settings

    assert settings["type"] == "/event/type"
    assert settings["signature"] == {"id": "/event/id"}
    assert settings["log"] == {
        "operation": "GET /accounts/{account_id}/webhooks/{webhook_id}/attempts",
        "items": "/attempts",
        "id": "/event_id",
        "state": "/result",
        "states": {"delivered": ["succeeded"], "failed": ["failed"]},
        "attempts": "/tries",
    }
    plan = plan_webhooks(subject, {}).plan
    assert plan is not None
    assert plan.has_log_of_endpoint
    assert "POST /accounts/{account_id}/webhooks may name an account" in tenants.CHECK.needs(plan, ())


def test_a_subscription_that_is_not_selected_leaves_webhooks_untested() -> None:
    """`--include` and `--exclude` choose what is tested; the rest of the run goes on."""
    subject = subject_at("orders")
    others = tuple(operation for operation in subject.operations if not operation.path.startswith("/hooks"))

    planned = plan_webhooks(replace(subject, operations=others), {"triggers": [PLACED]})

    assert planned.plan is None
    assert planned.missing.startswith("POST /hooks, which subscribes the receiver")


def test_a_secret_of_the_account_signs_what_a_callback_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A callback has no subscription that could show a secret."""
    monkeypatch.setenv("EXPORTS_SECRET", SIGNING_SECRET)
    parts = {name: value for name, value in SIGNATURE.items() if name == "signed"}
    for name in ("signature", "timestamp"):
        parts[name] = {**SIGNATURE[name], "header": "X-Signature"}  # type: ignore[dict-item]
    settings = {**SHORT, "secret": {"env": "EXPORTS_SECRET"}, "signature": parts}

    right, wrong = (log_of("exports", *faults, settings=settings) for faults in ((), ("wrong_signature",)))

    assert not right.failures, log_lines(right)
    assert confirmed_checks(wrong) == {"webhook-signatures"}


def subject_at(style: str, url: str = "http://127.0.0.1:8080") -> Subject:
    """Return what is tested, at an address."""
    return replace(subject_of(STYLES[style].contract), base_url=url)


def test_the_address_of_a_callback_is_where_its_expression_leads() -> None:
    """A header of the request, and the events about what it creates."""
    found = discover_webhooks(subject_at("exports"))

    assert found.settings["triggers"] == [
        {
            "operation": "POST /exports",
            "headers": {"X-Webhook-Url": "{url}"},
            "subject": "/id",
            "events": {"onExport": {"subject": "/export/id", "state": "/export/status"}},
        }
    ]
    assert "subscribe" not in found.settings


def test_a_subscription_is_an_operation_that_stores_an_address() -> None:
    """All events are asked for, whatever the example asks for; the secret and the log are found."""
    settings = discover_webhooks(subject_at("orders")).settings

    assert settings["subscribe"] == {
        "operation": "POST /hooks",
        "body": {"target": "{url}", "events": ["order.placed", "order.updated"]},
        "id": "/id",
        "secret": "/secret",
        "types": "/events",
        "delete": "DELETE /hooks/{hookId}",
    }
    assert settings["log"]["operation"] == "GET /hooks/{hookId}/deliveries"
    assert settings["log"]["states"] == {"delivered": ["delivered"], "failed": ["failed"]}


def test_an_address_may_lie_in_the_body_of_the_trigger() -> None:
    """The webhooks of OpenAPI 3.1 do not say where they are sent; a member with such a name does."""
    trigger = discover_webhooks(subject_at("payments")).settings["triggers"][0]

    assert trigger["body"] == {"cents": 100, "options": {"notification_url": "{url}"}}
    assert trigger["events"] == {"paymentStatusChanged": {"subject": "/payment_id", "state": "/status"}}


def test_only_an_event_about_a_creation_must_come() -> None:
    """Others come if the resource shows that they happened."""
    found = discover_webhooks(subject_at("tickets"))

    assert {event: certainty for (_, event), certainty in found.certainties.items()} == {
        "ticketOpened": Certainty.CREATION,
        "ticketStatusChanged": Certainty.POSSIBLE,
    }


CALENDARS = """\
paths:
  /calendars/{calendarId}/events:
    parameters: [{name: calendarId, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200':
          description: Events
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Event'}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewEvent'}}}}
      responses:
        '201': {description: An event, content: {application/json: {schema: {$ref: '#/components/schemas/Event'}}}}
  /subscriptions:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/NewSubscription'}}}}
      responses:
        '201': {description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/Subscription'}}}}
webhooks:
  event.created: {$ref: '#/components/pathItems/Notice'}
  event.cancelled: {$ref: '#/components/pathItems/Notice'}
components:
  pathItems:
    Notice:
      post:
        requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Notice'}}}}
        responses: {'200': {description: Received}}
  schemas:
    NewEvent: {type: object, properties: {title: {type: string}}}
    Event: {type: object, required: [id], properties: {id: {type: string}, title: {type: string}}}
    NewSubscription: {type: object, required: [url], properties: {url: {type: string, format: uri}}}
    Subscription: {type: object, properties: {id: {type: string}, secret: {type: string}}}
    Notice:
      type: object
      required: [id, type, data]
      properties:
        id: {type: string}
        type: {enum: [event.created, event.cancelled]}
        data: {$ref: '#/components/schemas/Event'}
"""


def test_a_payload_of_several_events_causes_none_of_the_others() -> None:
    """Its types are those of all; and what clients create, such as the events of a calendar, is no log."""
    found = discover_webhooks(subject_of_contract(contract(CALENDARS), "http://127.0.0.1:8080"))

    assert {event: certainty for (_, event), certainty in found.certainties.items()} == {
        "event.created": Certainty.CREATION,
        "event.cancelled": Certainty.POSSIBLE,
    }
    assert "signature" in found.settings
    assert "log" not in found.settings


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://127.0.0.1:8080", True),
        ("http://localhost", True),
        ("http://api.localhost:1", True),
        ("http://[::1]:8080/v1", True),
        ("http://10.0.0.1", False),
        ("https://localhost.example.com", False),
    ],
)
def test_what_runs_on_this_machine(url: str, *, is_here: bool) -> None:
    """Loopback addresses, and the names that stand for them."""
    assert is_on_this_machine(url) is is_here


def test_a_receiver_with_an_address_is_all_that_a_public_deployment_needs() -> None:
    """The rest is taken from the contract."""
    subject = subject_at("orders", "https://orders.example.com")

    assert plan_webhooks(subject, {}).plan is None
    declared = {"receiver": {"listen": "0.0.0.0:9000", "url": "https://tunnel.example.com/"}}
    plan = plan_webhooks(subject, declared).plan
    assert plan is not None
    assert plan.url == "https://tunnel.example.com"
    assert plan.subscription is not None


def test_nothing_is_triggered_where_nothing_may_be_created() -> None:
    """A run that only reads, and a mock that stores nothing, are not tested, and say why."""
    subject = subject_at("orders")
    reads = replace(
        subject, operations=tuple(operation for operation in subject.operations if operation.method == "GET")
    )

    assert "read only" in plan_webhooks(reads, {}).missing
    assert "mock" in plan_webhooks(replace(subject, keeps_nothing=True), {}).missing


def test_what_the_contract_does_not_show_is_asked_for() -> None:
    """Without a way to subscribe, the settings must say how."""
    subject = subject_at("orders")
    others = tuple(operation for operation in subject.operations if not operation.path.startswith("/hooks"))

    assert "`subscribe`" in plan_webhooks(replace(subject, operations=others), {}).missing


def test_settings_for_a_contract_without_events_are_refused() -> None:
    """They would test nothing."""
    subject = subject_of(Path(__file__).parents[1] / "families" / "responses" / "prices.yaml")

    with pytest.raises(InvalidSettings, match="describes no events"):
        plan_webhooks(subject, {"signature": "standard-webhooks"})
