"""The audit log of rate versions: an entry for each write, and a chain that a reader can check."""

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

from tests.telecom.sandbox.reviewing import (
    ADA,
    BOB,
    LOG,
    VERSIONS,
    actor,
    brought_to,
    draft_version,
    log_of,
    step,
)

from devportal.catalog.audit.history import check_chain, histories
from devportal.catalog.audit.lifecycle import State
from telecom.sandbox.stores.audit_trail import AUDIT, audit_log
from telecom.sandbox.stores.rate_versions import RATE_VERSIONS


def test_every_write_is_on_the_log(sandbox: Any) -> None:
    """Who did what in which role, from where to where, and why."""
    version = brought_to(sandbox, "active")
    step(sandbox, version, "withdraw")

    told = [
        (entry["actor"], entry["role"], entry["action"], entry["from"], entry["to"], entry["reason"])
        for entry in log_of(sandbox, version)
    ]
    assert told == [
        (actor(ADA), "editor", "create", None, "draft", ""),
        (actor(ADA), "editor", "submit", "draft", "submitted", ""),
        (actor(BOB), "approver", "approve", "submitted", "approved", "Checked."),
        (actor(ADA), "publisher", "activate", "approved", "active", ""),
        (actor(ADA), "publisher", "withdraw", "active", "withdrawn", "Checked."),
    ]
    assert {entry["record"] for entry in log_of(sandbox, version)} == {"rates/se-sms@1"}


def test_refused_step_leaves_no_entry(sandbox: Any) -> None:
    """The log tells of what was done, and nothing else."""
    version = brought_to(sandbox, "submitted")
    entries = sandbox.count(AUDIT)
    step(sandbox, version, "approve")
    step(sandbox, version, "activate")

    assert sandbox.count(AUDIT) == entries


def recompute_sha256(entry: dict[str, Any]) -> str:
    """Return the SHA-256 of an entry by the rule in the contract."""
    names = list(entry)
    members = {name: entry[name] for name in names[names.index("at") : names.index("previous_sha256") + 1]}
    return sha256(json.dumps(members, ensure_ascii=False).encode()).hexdigest()


def test_reader_can_recompute_the_chain(sandbox: Any) -> None:
    """With the rule in the contract and nothing else, whatever characters a reason has."""
    version = brought_to(sandbox, "approved")
    sandbox.post(f"{VERSIONS}/{version}/withdraw", {"reason": 'Größe "µ" \\ 1/1 é 🎉'})
    entries = list(reversed(sandbox.get(LOG, params={"limit": 100}).json()["data"]))

    previous = "0" * 64
    for entry in entries:
        assert entry["previous_sha256"] == previous
        assert recompute_sha256(entry) == entry["sha256"]
        previous = entry["sha256"]
    assert len(entries) > sandbox.count(AUDIT) == 4


def test_log_is_one_that_the_catalog_would_publish_from(sandbox: Any) -> None:
    """Replayed by the rules of the toolkit it has no fault, and explains each version."""
    brought_to(sandbox, "active")
    brought_to(sandbox, "active", price="0.0490")
    brought_to(sandbox, "rejected", "se-other")
    with sandbox.database.read() as connection:
        log = audit_log(connection)
        rows = connection.execute(RATE_VERSIONS.select()).all()

    assert list(check_chain(log)) == []
    assert [fault for history in histories(log).values() for fault in history.findings] == []
    assert {str(ref): history.state for ref, history in histories(log).items()} == {
        row.record: State(row.status) for row in rows
    }


def test_clock_that_goes_back_does_not_break_the_log(sandbox: Any) -> None:
    """The log is the order of the writes; an entry is never older than the one before."""
    version = draft_version(sandbox)
    sandbox.clock.forward(seconds=-90)
    assert step(sandbox, version, "submit").status_code == 200

    times = [entry["at"] for entry in log_of(sandbox, version)]
    assert times == sorted(times)


def test_two_approvers_at_once_approve_once(sandbox: Any) -> None:
    """One of them is told that the state has changed."""
    version = brought_to(sandbox, "submitted")
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: step(sandbox, version, "approve", token=BOB), range(4)))

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert [entry["action"] for entry in log_of(sandbox, version)] == ["create", "submit", "approve"]


def test_drafts_at_once_get_numbers_of_their_own(sandbox: Any) -> None:
    """No number is given twice, and the chain holds."""
    with ThreadPoolExecutor(4) as pool:
        versions = list(pool.map(lambda _: draft_version(sandbox), range(8)))

    numbers = [sandbox.get(f"{VERSIONS}/{version}").json()["version"] for version in versions]
    assert sorted(numbers) == list(range(1, 9))
    with sandbox.database.read() as connection:
        assert list(check_chain(audit_log(connection))) == []
