"""Runs of the webhook harness alone, against the senders of these tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.options import Options
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.settings import Settings
from devportal.conformance.webhooks.background_run import run_webhook_harness
from devportal.contract.validate.validator import Validator
from tests.contracts import contract_at

CONTRACT = Path(__file__).parent / "orders.yaml"
PARTIES = CredentialSet(
    everyone=(
        Credential(role=Role.MAIN, secret="orders-main-token", name="DEVPORTAL_TOKEN"),
        Credential(role=Role.OTHER_TENANT, secret="orders-other-token", name="DEVPORTAL_OTHER_TENANT_TOKEN"),
    )
)
SETTINGS: Mapping[str, Any] = {
    "subscribe": {
        "operation": "addHook",
        "body": {"url": "{url}", "wants": ["order.changed", "order.billed"]},
        "id": "/hook_id",
        "secret": "/key",
        "types": "/wants",
        "delete": "removeHook",
        "rotate": "renewKey",
    },
    "triggers": [
        {
            "operation": "placeOrder",
            "subject": "/order_id",
            "events": {
                "order.changed": {
                    "subject": "/data/order_id",
                    "state": "/data/status",
                    "sequence": "/data/step",
                },
                "order.billed": {"subject": "/data/order_id"},
            },
        }
    ],
    "signature": "standard-webhooks",
    "promises": {
        "retried": [500, 404, 302],
        "attempts": 5,
        "timeout_s": 2.0,
        "pauses_s": [0.5, 1.5, 3.5, 6],
        "scale": 0.1,
        "growing": True,
        "gone": "disable",
        "retry_after": True,
        "redirects": "failure",
        "overlap": True,
    },
    "log": {
        "operation": "listDeliveries",
        "query": {"about": "{subject}"},
        "items": "/items",
        "id": "/event",
        "endpoint": "/hook",
        "state": "/state",
        "attempts": "/answers",
        "status": "",
    },
    "patience_s": 8,
    "quiet_s": 0.8,
}

FEW: Mapping[str, Any] = {**SETTINGS, "promises": {"retried": [500], "overlap": True}, "patience_s": 4}
"""Settings with few scenarios, for faults that each of them shows."""


def play_scenarios(
    url: str,
    settings: Mapping[str, Any] = SETTINGS,
    *,
    contract: Path = CONTRACT,
    parties: CredentialSet = PARTIES,
) -> RunLog:
    """Play all scenarios against a deployment and return the log of the run."""
    loaded = contract_at(contract)
    subject = Subject(
        contract=loaded,
        operations=loaded.api.operations,
        base_url=url,
        parties=parties,
        validator=Validator(loaded.api),
    )
    options = Options(
        url=url,
        contract=contract,
        credentials=parties,
        settings=Settings(webhooks=settings),
        policy=RequestPolicy(),
    )
    mask, log = Mask.of(parties), RunLog(lambda _: None)
    with Deployment(options.policy, mask=mask) as deployment:
        judge = RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True)
        with run_webhook_harness(judge, options, log, lambda _: True):
            pass
    return log


def log_lines(log: RunLog) -> list[str]:
    """Return a line for each failure and each untested check of the log."""
    found = [
        f"{failure.check}: {failure.title}: {failure.message} ({failure.standing.value})"
        for failure in log.failures
    ]
    return [
        *found,
        *(f"gap {untested_check.check}: {untested_check.reason}" for untested_check in log.untested_checks),
    ]
