"""Secrets of webhook endpoints: shown once, rotated with a day for both, never written down elsewhere."""

from typing import Any

import pytest
from tests.telecom.sandbox.problem_names import problem_name
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.webhook_steps import PATH, RECEIPTS, create, write_receipt

from telecom.sandbox.database.tables import IDEMPOTENCY
from telecom.sandbox.delivery.endpoint_store import ENDPOINTS
from telecom.signature import Secret, SignatureRefused, verify


def test_both_secrets_sign_for_a_day_after_a_rotation(sandbox: Any) -> None:
    """The new one first, and after the day the new one alone."""
    made, receiver = create(sandbox), Recorder()
    path = f"{PATH}/{made['id']}"
    rotated = sandbox.post(f"{path}/rotate-secret").json()
    until = sandbox.get(path).json()["previous_secret_expires_at"]
    write_receipt(sandbox)
    sandbox.step(receiver)
    sandbox.clock.forward(hours=24)
    write_receipt(sandbox)
    sandbox.step(receiver)

    old, new = Secret.parse(made["secret"]), Secret.parse(rotated["secret"])
    during, after = receiver.requests
    assert until == rotated["previous_secret_expires_at"] == "2026-11-22T09:30:00.000Z"
    assert len(during.headers["webhook-signature"].split()) == 2
    assert len(after.headers["webhook-signature"].split()) == 1
    assert sandbox.get(path).json()["previous_secret_expires_at"] is None
    first_alone = {**during.headers, "webhook-signature": during.headers["webhook-signature"].split()[0]}
    at = int(during.headers["webhook-timestamp"])
    then = sandbox.clock().fromtimestamp(at, sandbox.clock().tzinfo)
    verify(during.body, first_alone, secrets=(new,), now=then)
    verify(during.body, during.headers, secrets=(old,), now=then)
    verify(after.body, after.headers, secrets=(new,), now=sandbox.clock())


def test_second_rotation_ends_the_oldest_secret_at_once(sandbox: Any) -> None:
    """After a leak two rotations leave nothing to whoever has it."""
    made, receiver = create(sandbox), Recorder()
    for _ in range(2):
        sandbox.post(f"{PATH}/{made['id']}/rotate-secret")
    write_receipt(sandbox)
    sandbox.step(receiver)

    (got,) = receiver.requests
    assert len(got.headers["webhook-signature"].split()) == 2
    with pytest.raises(SignatureRefused):
        verify(got.body, got.headers, secrets=(Secret.parse(made["secret"]),), now=sandbox.clock())


def test_repeated_rotation_rotates_once(sandbox: Any) -> None:
    """The key belongs to the endpoint in the path: for another endpoint it is another request."""
    headers = {"Idempotency-Key": "rotate-once"}
    one, other = create(sandbox), create(sandbox)
    answers = [sandbox.post(f"{PATH}/{one['id']}/rotate-secret", headers=headers) for _ in range(2)]
    of_other = sandbox.post(f"{PATH}/{other['id']}/rotate-secret", headers=headers)

    assert answers[0].json()["secret"] == answers[1].json()["secret"]
    assert of_other.json()["id"] == other["id"]


def stored_responses(sandbox: Any) -> str:
    """Return the bodies that are stored for idempotency keys."""
    with sandbox.database.read() as connection:
        return "\n".join(row.body or "" for row in connection.execute(IDEMPOTENCY.select()))


def test_rotation_keeps_no_older_secret(sandbox: Any) -> None:
    """Answers with one are deleted; a repeated request is told so, and makes nothing again."""
    keyed = {"headers": {"Idempotency-Key": "make-once"}}
    made = sandbox.post(PATH, RECEIPTS, **keyed).json()
    path = f"{PATH}/{made['id']}/rotate-secret"
    before = sandbox.count(ENDPOINTS)
    rotations = [sandbox.post(path, headers={"Idempotency-Key": key}).json() for key in ("one", "two")]

    for answer in (
        sandbox.post(PATH, RECEIPTS, **keyed),
        sandbox.post(path, headers={"Idempotency-Key": "one"}),
    ):
        assert (answer.status_code, problem_name(answer)) == (409, "answer-not-kept")
    assert sandbox.post(path, headers={"Idempotency-Key": "two"}).json() == rotations[1]
    assert sandbox.count(ENDPOINTS) == before
    assert rotations[1]["secret"] in stored_responses(sandbox)
    assert rotations[0]["secret"] not in stored_responses(sandbox)
    assert made["secret"] not in stored_responses(sandbox)


def test_deletion_deletes_the_secret_everywhere(sandbox: Any) -> None:
    """No answer that is kept has it, and that of another endpoint stays."""
    keyed = {"headers": {"Idempotency-Key": "make-once"}}
    made = sandbox.post(PATH, RECEIPTS, **keyed).json()
    other = sandbox.post(PATH, RECEIPTS, headers={"Idempotency-Key": "make-another"}).json()
    sandbox.delete(f"{PATH}/{made['id']}")
    answer = sandbox.post(PATH, RECEIPTS, **keyed)

    assert (answer.status_code, problem_name(answer)) == (409, "answer-not-kept")
    assert made["secret"] not in stored_responses(sandbox)
    assert other["secret"] in stored_responses(sandbox)


def test_secret_is_shown_only_when_it_is_made(sandbox: Any) -> None:
    """No other answer has it, and each endpoint has its own."""
    first, second = create(sandbox), create(sandbox)
    path = f"{PATH}/{first['id']}"

    others = (sandbox.get(path), sandbox.get(PATH), sandbox.patch(path, {"enabled": False}))
    assert first["secret"] != second["secret"]
    for answer in others:
        assert first["secret"].removeprefix("whsec_") not in answer.text
        assert '"secret"' not in answer.text


def test_secrets_are_in_no_log(sandbox: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the requests nor the deliveries write them down."""
    with caplog.at_level("DEBUG"):
        made = create(sandbox, url="http://127.0.0.1:9000/hooks?key=of-the-receiver")
        rotated = sandbox.post(f"{PATH}/{made['id']}/rotate-secret").json()
        write_receipt(sandbox)
        sandbox.step(Recorder())

    said = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("telecom"))
    assert made["id"] in said
    for secret in (made["secret"], rotated["secret"]):
        assert secret.removeprefix("whsec_") not in said
    assert "of-the-receiver" not in said
