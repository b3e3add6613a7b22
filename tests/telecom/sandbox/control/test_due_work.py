"""The agenda: it has everything that time brings, and nothing else."""

from typing import Any

from tests.telecom.sandbox.conftest import BRAND
from tests.telecom.sandbox.stores.test_calls import NEW as NEW_CALL
from tests.telecom.sandbox.stores.test_compliance import APPROVED, campaign

from telecom.sandbox.api.idempotency import EXPIRY
from telecom.sandbox.control.due_work import count_due, due_items
from telecom.sandbox.handlers import RESOURCES
from telecom.sandbox.stores.scheduled_work import TimedKind


def test_agenda_has_what_changes_by_itself(listening: Any) -> None:
    """Of each kind the first is due when the work of a courier says so."""
    sandbox = listening.sandbox
    sandbox.send(headers={"Idempotency-Key": "one"})
    for path, body in (
        ("/v1/calls", NEW_CALL),
        ("/v1/brands", BRAND),
        ("/v1/campaigns", campaign(APPROVED)),
    ):
        listening.advance(seconds=0.1)
        assert sandbox.post(path, body).status_code == 202
    timed = {
        timed_resource.kind: timed_resource for resource in RESOURCES for timed_resource in resource.timed
    } | {EXPIRY.kind: EXPIRY}
    with sandbox.database.read() as connection:
        listed = {
            timed_kind: due_items(connection, sandbox.clock(), limit=1, kind=timed_kind)
            for timed_kind in timed
        }
        due = {thing: timed_resource.next_due(connection) for thing, timed_resource in timed.items()}

    assert {*timed, TimedKind.WEBHOOK} == set(TimedKind)
    assert {thing: found[0].at for thing, found in listed.items()} == due


def test_agenda_is_in_the_order_of_time(listening: Any) -> None:
    """Of everything together, up to a limit."""
    sandbox = listening.sandbox
    for number in range(3):
        sandbox.send(headers={"Idempotency-Key": f"number-{number}"})
        listening.advance(seconds=0.1)
    with sandbox.database.read() as connection:
        listed = due_items(connection, sandbox.clock(), limit=100)
        first = due_items(connection, sandbox.clock(), limit=4)
        waiting = count_due(connection)

    assert [due_item.kind for due_item in listed] == [TimedKind.MESSAGE] * 3 + [TimedKind.IDEMPOTENCY_KEY] * 3
    assert list(listed) == sorted(listed)
    assert first == listed[:4]
    assert sum(waiting.values()) == 6
