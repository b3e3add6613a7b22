"""The outbox beside requests that change the endpoints it writes deliveries for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from tests.telecom.sandbox.webhook_steps import PATH, create, deliveries_to
from tests.waiting import PATIENCE_S

from telecom.receipts import RECEIPT
from telecom.sandbox.delivery import endpoint_store
from telecom.sandbox.delivery.deliveries import DELIVERIES, DeliveryState
from telecom.sandbox.delivery.delivery_queue import Event, add_events
from telecom.sandbox.stores.scheduled_work import AdvanceContext
from telecom.states import StateMachines

pytestmark = pytest.mark.both_databases
OVERLAPS_S = 0.3
"""Long enough for a request to come as far as it can."""


def _write_event(
    sandbox: Any, subject: str = "msg_1", *, before_the_end: Callable[[], None] = lambda: None
) -> None:
    moment = AdvanceContext(
        now=sandbox.clock(), random_bytes=sandbox.rim.random_bytes, machines=StateMachines.read(sandbox.api)
    )
    event = Event(type=RECEIPT, account="ada", subject=subject, at=moment.now, data={})
    with sandbox.database.write(shared=True) as connection:
        add_events(connection, [event], moment)
        before_the_end()


@contextmanager
def while_an_event_is_written(sandbox: Any, subject: str) -> Iterator[None]:
    """Have a worker write an event of Ada's, whose transaction ends a little after what follows began."""
    written, may_end = threading.Event(), threading.Event()

    def pause() -> None:
        written.set()
        may_end.wait(OVERLAPS_S)

    worker = threading.Thread(target=lambda: _write_event(sandbox, subject, before_the_end=pause))
    worker.start()
    assert written.wait(PATIENCE_S)
    yield
    may_end.set()
    worker.join()


Change = Callable[[Any, str], Any]


@pytest.mark.parametrize(
    "change",
    [
        lambda sandbox, path: sandbox.delete(path),
        lambda sandbox, path: sandbox.patch(path, {"enabled": False}),
    ],
    ids=["deleted", "turned-off"],
)
def test_event_that_is_just_written_does_not_go_where_nothing_goes_any_more(
    sandbox: Any, change: Change
) -> None:
    """Its delivery is skipped like those before it, and none waits for ever."""
    endpoint = create(sandbox)

    with while_an_event_is_written(sandbox, "msg_1"):
        assert change(sandbox, f"{PATH}/{endpoint['id']}").is_success

    with sandbox.database.read() as connection:
        query = DELIVERIES.select().where(DELIVERIES.c.endpoint_id == endpoint["id"])
        row = connection.execute(query).one()
    assert (row.state, row.due_at) == (DeliveryState.SKIPPED, None)


def test_event_that_is_just_written_goes_to_an_endpoint_that_changes(sandbox: Any) -> None:
    """One that is changed meanwhile is never missed."""
    endpoint = create(sandbox)

    with while_an_event_is_written(sandbox, "msg_1"):
        assert sandbox.patch(f"{PATH}/{endpoint['id']}", {"description": "Changed"}).is_success
    with while_an_event_is_written(sandbox, "msg_2"):
        assert sandbox.post(f"{PATH}/{endpoint['id']}/rotate-secret").is_success

    assert deliveries_to(sandbox, endpoint) == ["pending", "pending"]


def test_endpoint_that_is_just_changed_is_not_missed(sandbox: Any) -> None:
    """A worker that meets a change which is not lasting yet waits for it."""
    made = create(sandbox)
    worker = threading.Thread(target=lambda: _write_event(sandbox))

    with sandbox.database.write("ada") as connection:
        endpoint = endpoint_store.find_endpoint(connection, "ada", made["id"])
        assert endpoint is not None
        endpoint_store.store_endpoint(connection, replace(endpoint, description="Changed"))
        worker.start()
        worker.join(OVERLAPS_S)
    worker.join()

    assert deliveries_to(sandbox, made) == ["pending"]
