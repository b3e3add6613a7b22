"""What settings say of webhooks, and what is played because of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.conformance.settings import Settings, load_settings, with_webhook_url
from devportal.conformance.webhooks.plan import WebhookPlan, parse_plan
from devportal.conformance.webhooks.scenarios import ScenarioKind, missing_time_reasons, plan_scenarios
from devportal.errors import InvalidSettings
from tests.conformance.webhooks.playing import CONTRACT, SETTINGS
from tests.contracts import contract_at, own_contract

ROOT = Path(__file__).parents[3]


def plan(**changes: Any) -> WebhookPlan:
    """Return the plan of the usual settings with changes."""
    return parse_plan(contract_at(CONTRACT).api, {**SETTINGS, **changes})


def test_every_promise_has_its_scenarios() -> None:
    """Each kind of scenario comes from something that is declared."""
    played = plan_scenarios(plan(), has_other_account=True)

    assert {scenario.kind for scenario in played} == set(ScenarioKind)
    assert [scenario.first_reply.status for scenario in played if scenario.kind is ScenarioKind.ACCEPTED] == [
        200,
        202,
        204,
        299,
        200,
    ]
    assert [scenario.first_reply.status for scenario in played if scenario.kind is ScenarioKind.FAILED] == [
        500,
        404,
        302,
        None,
        None,
    ]


def test_nothing_is_demanded_that_is_not_declared() -> None:
    """Without promises a delivery is taken, or fails once."""
    played = plan_scenarios(
        plan(promises={}, subscribe={**SETTINGS["subscribe"], "types": ""}), has_other_account=False
    )

    kinds = {scenario.kind for scenario in played}
    assert kinds == {
        ScenarioKind.ACCEPTED,
        ScenarioKind.FAILED,
        ScenarioKind.GROWING,
        ScenarioKind.ROTATED,
        ScenarioKind.DELETED,
    }


def test_what_there_is_no_time_for_is_told_and_not_played() -> None:
    """Retries that take days are no fault of a deployment: the run says what it would need."""
    slow = plan(promises={"attempts": 3, "growing": True, "pauses_s": [5, 300]})

    assert [time_reason.partition(":")[0] for time_reason in missing_time_reasons(slow)] == [
        "381 s to see that pauses grow",
        "381 s to see that an event is given up",
    ]
    kinds = {plan_scenario.kind for plan_scenario in plan_scenarios(slow, has_other_account=False)}
    assert ScenarioKind.GIVEN_UP not in kinds
    assert ScenarioKind.GROWING not in kinds
    assert ScenarioKind.FAILED in kinds


def test_a_silence_that_outlasts_the_wait_is_not_played() -> None:
    """Where a receiver may take longer than the run waits, nobody can see that the event comes again."""
    patient = plan(promises={"timeout_s": 15, "pauses_s": [1]}, patience_s=20)
    hasty = plan(promises={"timeout_s": 15, "pauses_s": [1]}, patience_s=10)

    assert [_is_played_silent(webhook_plan) for webhook_plan in (patient, hasty)] == [True, False]
    assert not list(missing_time_reasons(patient))
    assert [time_reason.partition(":")[0] for time_reason in missing_time_reasons(hasty)] == [
        "16 s to see that an event comes again after no response in time"
    ]


def _is_played_silent(found: WebhookPlan) -> bool:
    return any(
        plan_scenario.first_reply.delay_s > 15
        for plan_scenario in plan_scenarios(found, has_other_account=False)
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"subscribe": {**SETTINGS["subscribe"], "operation": "addHok"}}, "no operation 'addHok'"),
        (
            {"triggers": [{"operation": "placeOrder", "subject": "/id", "events": {"x": {"subject": "/a"}}}]},
            "no event 'x'",
        ),
        ({"log": {"operation": "GET /nowhere", "items": "", "id": "/id"}}, "no operation 'GET /nowhere'"),
    ],
)
def test_names_that_the_contract_does_not_have_are_refused(changes: Mapping[str, Any], message: str) -> None:
    """A mistake in the settings is told before anything is sent."""
    with pytest.raises(InvalidSettings, match=message):
        plan(**changes)


def test_the_settings_of_the_tests_are_as_documented(tmp_path: Path) -> None:
    """What the harness reads is what the schema of the settings allows."""
    path = tmp_path / "conformance.yaml"
    path.write_text(yaml.safe_dump({"webhooks": dict(SETTINGS)}))

    assert load_settings(path).webhooks == SETTINGS


def test_the_settings_of_our_own_sandbox_fit_the_contract() -> None:
    """`.ci/conformance` is begun with them."""
    settings = load_settings(ROOT / ".ci" / "conformance.yaml")

    found = parse_plan(own_contract().api, settings.webhooks)
    assert "message.delivery_receipt" in found.expected_events


def test_unknown_settings_are_refused(tmp_path: Path) -> None:
    """A misspelt promise would be a promise that nobody tests."""
    path = tmp_path / "conformance.yaml"
    path.write_text(yaml.safe_dump({"webhooks": {**SETTINGS, "promises": {"retires": [500]}}}))

    with pytest.raises(InvalidSettings, match="retires"):
        load_settings(path)


def test_the_address_on_the_command_line_takes_the_place_of_that_in_the_settings() -> None:
    """A tunnel has another address each time; where to listen stays."""
    listen = {"listen": "127.0.0.1:9000", "url": "https://old.example.com"}
    settings = Settings(webhooks={**SETTINGS, "receiver": listen})

    found = with_webhook_url(settings, "https://new.example.com/x").webhooks

    assert found["receiver"] == {"listen": "127.0.0.1:9000", "url": "https://new.example.com/x"}
    assert with_webhook_url(settings, "") == settings


@pytest.mark.parametrize(
    ("settings", "url"), [(Settings(), "https://x.example.com"), (Settings(webhooks=SETTINGS), "nowhere")]
)
def test_an_address_that_helps_nothing_is_refused(settings: Settings, url: str) -> None:
    """It is no address, or nothing would be received there."""
    with pytest.raises(InvalidSettings, match="--webhook-url"):
        with_webhook_url(settings, url)
