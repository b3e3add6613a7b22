"""The rate versions that the contract's examples name are there at each start, ready for their operation."""

from typing import Any

from tests.telecom.sandbox.reviewing import (
    LOG,
    VERSIONS,
    step,
)

from devportal.catalog.audit.history import check_chain
from devportal.contract import Api
from telecom.sandbox.stores.audit_trail import audit_log

SAMPLES = {
    "retrieveRateVersion": "submitted",
    "reviseRateVersion": "draft",
    "submitRateVersion": "draft",
    "approveRateVersion": "submitted",
    "rejectRateVersion": "submitted",
    "activateRateVersion": "approved",
    "withdrawRateVersion": "active",
}
"""The state in which each operation finds its sample."""


def samples(api: Api) -> dict[str, str]:
    """Return the identifier of each operation's sample, from the contract."""
    operations = {operation.id: operation for operation in api.operations}
    return {name: operations[name].successes[0].content[0].examples[0].value["id"] for name in SAMPLES}


def test_sandbox_starts_with_the_versions_that_the_examples_name(sandbox: Any, api: Api) -> None:
    """Each is in the state from which its operation leads on, written by others than any token."""
    found = {name: sandbox.get(f"{VERSIONS}/{sample}").json() for name, sample in samples(api).items()}

    assert {name: version["status"] for name, version in found.items()} == SAMPLES
    assert {version["created_by"] for version in found.values()} == {"sample.editor"}
    assert {version["effective_from"] for version in found.values()} == {
        "2026-11-21",
        "2026-12-01",
        "2099-01-01",
    }


def test_approval_can_be_copied_from_the_reference(sandbox: Any, api: Api) -> None:
    """The content that the example names is that of the sample."""
    operation = next(operation for operation in api.operations if operation.id == "approveRateVersion")
    assert operation.request_body is not None
    (example,) = operation.request_body.content[0].examples
    name = samples(api)["approveRateVersion"]
    approved = sandbox.post(f"{VERSIONS}/{name}/approve", example.value)

    assert approved.json()["content_sha256"] == example.value["content_sha256"]


def test_used_samples_are_made_anew(sandbox: Any, api: Api) -> None:
    """After each start every step works again; what was done before stays on the log."""
    names = samples(api)
    for start in range(3):
        for action in ("submit", "approve", "reject", "activate", "withdraw"):
            answer = step(sandbox, names[f"{action}RateVersion"], action)
            assert answer.status_code == 200, (start, action, answer.text)
        sandbox.clock.forward(days=1)
        sandbox.restart()

    found = {name: sandbox.get(f"{VERSIONS}/{value}").json() for name, value in names.items()}
    assert {name: version["status"] for name, version in found.items()} == SAMPLES
    assert found["approveRateVersion"]["version"] == 4
    with sandbox.database.read() as connection:
        log = audit_log(connection)
        assert len([entry for entry in log.entries if entry.record.id == "sample-ee-sms"]) == 3 * 3 + 2
        assert list(check_chain(log)) == []


def test_unused_samples_stay_as_they_are(sandbox: Any) -> None:
    """A second start, and the second account, change nothing."""
    before = sandbox.get(LOG, params={"limit": 100}).json()
    sandbox.restart()

    assert sandbox.get(LOG, params={"limit": 100}).json() == before
