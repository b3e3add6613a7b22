"""Deliveries: signed, repeated with growing pauses, given up in the end, never sent twice at once."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from tests.telecom.sandbox.conftest import join_workers, posting_by
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.webhook_steps import row_of_receiver, rows_of_receiver
from tests.waiting import PATIENCE_S

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.serving.receivers import Reach
from devportal.serving.retries import RetrySchedule
from telecom.sandbox.app import make_delivery_worker
from telecom.sandbox.database.tables import MESSAGES
from telecom.sandbox.delivery import attempt as attempt_module
from telecom.sandbox.delivery import deliveries, leases
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE
from telecom.sandbox.delivery.deliveries import DeliveryKey, DeliveryState, attempts_of
from telecom.sandbox.delivery.delivery_queue import MAX_PER_ENDPOINT
from telecom.sandbox.delivery.webhook_setup import ENDPOINT_ID, Subscription
from telecom.sandbox.stores import message_store
from telecom.signature import Secret, SignatureRefused, verify

SECRETS = (Secret(b"the secret of now, 32 bytes long"), Secret(b"the secret before, 32 bytes long"))
URL = "http://receiver.test:9000/webhooks?from=sandbox"
STEADY = RetrySchedule(pauses=STANDARD_SCHEDULE.pauses, jitter=0)


@pytest.fixture
def subscription() -> Subscription:
    return Subscription(account="ada", url=URL, secrets=SECRETS)


@pytest.fixture
def listening(subscribe: Callable[[Subscription], Any], subscription: Subscription) -> Any:
    """Return a sandbox with one accepted message and its receipt due."""
    sandbox = subscribe(subscription)
    sandbox.restart(schedule=STEADY)
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    return sandbox


def attempts(sandbox: Any) -> Any:
    key = DeliveryKey(account="ada", event_id=row_of_receiver(sandbox).event_id, endpoint_id=ENDPOINT_ID)
    with sandbox.database.read() as connection:
        return attempts_of(connection, key, last=100)


def keeps_contract(api: Api, name: str, headers: dict[str, str], event: Any) -> None:
    operation = next(webhook for webhook in api.webhooks if webhook.name == name).operations[0]
    validator = Validator(api)
    assert operation.request_body is not None
    schema = operation.request_body.content[0].schema
    assert schema is not None
    assert list(validator.violations(schema, event, Direction.REQUEST)) == []
    for parameter in operation.parameters:
        value: Any = headers[parameter.name]
        assert parameter.schema is not None
        typed = int(value) if "integer" in parameter.schema.types else value
        assert validator.is_valid(parameter.schema, typed, Direction.REQUEST), parameter.name


def test_receipt_is_delivered_once_and_recorded(listening: Any, api: Api) -> None:
    """The event keeps the contract, its signature fits each secret, and 2xx ends the matter."""
    receiver = Recorder()

    steps = [listening.step(receiver), listening.step(receiver)]

    (got,) = receiver.requests
    assert steps[0] > 0
    assert steps[1] == 0
    assert got.path == "/webhooks"
    assert got.host == "receiver.test:9000"
    assert got.headers["content-type"] == "application/json"
    keeps_contract(api, "message.delivery_receipt", got.headers, got.event)
    for secret in SECRETS:
        found = verify(got.body, got.headers, secrets=(secret,), now=listening.clock())
        assert found == row_of_receiver(listening).event_id
    with pytest.raises(SignatureRefused):
        verify(got.body + b" ", got.headers, secrets=SECRETS, now=listening.clock())
    assert row_of_receiver(listening).state == DeliveryState.DELIVERED
    assert [(a.number, a.status, a.error) for a in attempts(listening)] == [(1, 204, None)]


def test_nothing_is_sent_before_it_happened(subscribe: Any, subscription: Subscription) -> None:
    """A message that is not yet at its end has no receipt."""
    sandbox, receiver = subscribe(subscription), Recorder()
    sandbox.send()
    sandbox.clock.forward(seconds=0.9)
    sandbox.step(receiver)

    assert receiver.requests == []
    assert rows_of_receiver(sandbox) == []


def test_failed_delivery_is_repeated_with_growing_pauses(listening: Any) -> None:
    """Each attempt has the same identifier and body and its own time; the tenth is the last."""
    receiver = Recorder(answers=[(500, {})] * 20)
    pauses = []
    for _ in range(10):
        listening.step(receiver)
        due_at = row_of_receiver(listening).due_at
        pauses.append(due_at - listening.clock() if due_at is not None else None)
        wait_s = pauses[-1].total_seconds() if pauses[-1] is not None else 1
        listening.clock.forward(seconds=wait_s - 1)
        assert listening.step(receiver) == 0
        listening.clock.forward(seconds=1)
    listening.clock.forward(days=30)
    listening.step(receiver)

    stamps = [int(request.headers["webhook-timestamp"]) for request in receiver.requests]
    assert len(receiver.requests) == 10
    assert pauses == [*STANDARD_SCHEDULE.pauses, None]
    assert len({(request.headers["webhook-id"], request.body) for request in receiver.requests}) == 1
    assert stamps == sorted(set(stamps))
    assert [a.number for a in attempts(listening)] == list(range(1, 11))
    assert row_of_receiver(listening).state == DeliveryState.FAILED


@pytest.mark.parametrize("status", [301, 302, 307, 400, 404, 429, 500, 503])
def test_only_2xx_is_success(listening: Any, status: int) -> None:
    """Redirects are not followed, and everything else is tried again."""
    receiver = Recorder(answers=[(status, {"location": "http://127.0.0.1/elsewhere"})])
    listening.step(receiver)
    after_first = row_of_receiver(listening).state
    listening.clock.forward(seconds=5)
    listening.step(receiver)

    assert after_first == DeliveryState.PENDING
    assert [request.path for request in receiver.requests] == ["/webhooks", "/webhooks"]
    assert [a.status for a in attempts(listening)] == [status, 204]
    assert row_of_receiver(listening).state == DeliveryState.DELIVERED


def test_retry_after_is_honoured(listening: Any) -> None:
    """A receiver that asks for more time gets it; one that asks for less gets the schedule."""
    receiver = Recorder(answers=[(503, {"retry-after": "90"}), (429, {"retry-after": "1"})])
    listening.step(receiver)
    first = row_of_receiver(listening).due_at - listening.clock()
    listening.clock.forward(seconds=90)
    listening.step(receiver)
    second = row_of_receiver(listening).due_at - listening.clock()

    assert (first, second) == (timedelta(seconds=90), timedelta(minutes=5))


def test_gone_receiver_gets_nothing_that_still_waits(subscribe: Any, subscription: Subscription) -> None:
    """What waits for its next attempt when the receiver says 410 is skipped."""
    sandbox = subscribe(subscription)
    receiver = Recorder(answers=[(500, {}), (410, {})])
    for _ in range(2):
        sandbox.send()
        sandbox.clock.forward(seconds=1)
        sandbox.step(receiver)
    sandbox.clock.forward(days=1)
    sandbox.step(receiver)

    assert [row.state for row in rows_of_receiver(sandbox)] == [DeliveryState.SKIPPED, DeliveryState.FAILED]
    assert len(receiver.requests) == 2


def test_unreachable_receiver_is_recorded(listening: Any) -> None:
    """No answer is a failure with its reason."""

    async def refuses(_scope: Any, _receive: Any, _send: Any) -> None:
        raise httpx.ConnectError("connection refused")

    listening.step(refuses)

    assert [(a.status, a.error) for a in attempts(listening)] == [(None, "connection refused")]
    assert row_of_receiver(listening).state == DeliveryState.PENDING


def test_unforeseen_trouble_is_recorded(listening: Any) -> None:
    """Whatever goes wrong in an attempt is the attempt's error, so that it is counted and has an end."""

    async def breaks(_scope: Any, _receive: Any, _send: Any) -> None:
        raise RuntimeError("nobody thought of this" + "!" * 1000)

    listening.step(breaks)

    (made,) = attempts(listening)
    assert made.error.startswith("nobody thought of this!")
    assert len(made.error) == 500
    assert row_of_receiver(listening).state == DeliveryState.PENDING


def test_fault_in_one_delivery_waits_for_the_others(
    subscribe: Any, subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step whose record of one attempt fails is over only when the other attempts are recorded."""
    sandbox = subscribe(subscription)
    asked: list[bool] = []
    first_has_answer = asyncio.Event()
    sandbox.send()
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    record = deliveries.record_attempt

    failing: list[DeliveryKey] = []

    def fails_first(connection: Any, before: Any, *rest: Any, **verdict: Any) -> None:
        failing[:] = failing or [before.key]
        if before.key in failing:
            raise RuntimeError("the disk is full")
        record(connection, before, *rest, **verdict)

    async def answers_the_second_late(scope: Any, receive: Any, send: Any) -> None:
        asked.append(True)
        if len(asked) > 1:
            await first_has_answer.wait()
        await Recorder()(scope, receive, send)
        first_has_answer.set()

    monkeypatch.setattr(deliveries, "record_attempt", fails_first)

    with pytest.raises(ExceptionGroup, match="could not be recorded") as caught:
        sandbox.step(answers_the_second_late)

    assert [str(exception) for exception in caught.value.exceptions] == ["the disk is full"]
    states = sorted(row.state for row in rows_of_receiver(sandbox))
    assert states == [DeliveryState.DELIVERED, DeliveryState.PENDING]


def test_slow_receiver_is_a_failure(
    subscribe: Any, subscription: Subscription, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the time-out the attempt is over; there is no look-up that could take the time."""
    sandbox = subscribe(replace(subscription, url="http://127.0.0.1:9000/"))
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    monkeypatch.setattr(attempt_module, "TIMEOUT_S", 0)

    async def never_answers(_scope: Any, _receive: Any, _send: Any) -> None:
        await asyncio.Event().wait()

    sandbox.step(never_answers)

    assert attempts(sandbox)[0].status is None
    assert "no response within" in attempts(sandbox)[0].error


def test_slow_look_up_is_a_failure(listening: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time-out counts from before the look-up, and the log says what was waited for."""
    monkeypatch.setattr(attempt_module, "TIMEOUT_S", 0.05)
    answered = threading.Event()

    def stall_lookup(_host: str, _port: int) -> tuple[str, ...]:
        answered.wait()
        return ("127.0.0.1",)

    async def one_step() -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(Recorder())) as client:
            try:
                return await asyncio.wait_for(listening.courier(client).step(), timeout=PATIENCE_S)
            finally:
                answered.set()

    listening.rim = replace(listening.rim, lookup=stall_lookup)
    asyncio.run(one_step())

    assert [(a.status, a.error) for a in attempts(listening)] == [(None, "no address within 0 seconds")]


def test_slow_look_ups_do_not_hold_up_requests(sandbox: Any) -> None:
    """Though more of them are under way than there are threads for requests."""
    for number in range(12):
        url = f"http://slow-{number}.localhost:9000/"
        sandbox.post("/v1/webhook-endpoints", {"url": url, "event_types": ["message.delivery_receipt"]})
    for _ in range(4):
        sandbox.send()
    sandbox.clock.forward(seconds=1)
    begun, answered = threading.Semaphore(0), threading.Event()

    def stall_lookup(_host: str, _port: int) -> tuple[str, ...]:
        begun.release()
        answered.wait()
        return ("127.0.0.1",)

    async def work() -> int:
        sandbox.rim = replace(sandbox.rim, lookup=stall_lookup)
        async with (
            httpx.AsyncClient(transport=httpx.ASGITransport(Recorder())) as client,
            httpx.AsyncClient(transport=httpx.ASGITransport(sandbox.app), base_url="http://test") as ada,
        ):
            running = asyncio.create_task(sandbox.courier(client).run())
            try:
                for _ in range(attempt_module.MAX_CONCURRENT_LOOKUPS):
                    await asyncio.to_thread(begun.acquire, timeout=PATIENCE_S)
                headers = {"Authorization": "Bearer token-of-ada"}
                answer = await asyncio.wait_for(ada.get("/v1/messages", headers=headers), timeout=PATIENCE_S)
            finally:
                answered.set()
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
            return answer.status_code

    assert asyncio.run(work()) == 200


def test_name_that_leads_elsewhere_later_is_not_followed(listening: Any) -> None:
    """The receiver's address is looked up, and tested, at each attempt."""
    listening.rim = replace(listening.rim, lookup=lambda _host, _port: ("10.0.0.1",))
    listening.step()

    assert "may not go where 'receiver.test' leads" in attempts(listening)[0].error


def test_name_that_changes_within_an_attempt_leads_to_the_address_that_was_tested(listening: Any) -> None:
    """It is looked up once for an attempt; the request goes to the address, and names the host."""
    looked_up: list[str] = []

    def lookup(host: str, _port: int) -> tuple[str, ...]:
        looked_up.append(host)
        return ("127.0.0.1",) if len(looked_up) == 1 else ("10.0.0.1",)

    sent: list[httpx.Request] = []

    def receive(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(204)

    async def one_step() -> None:
        async with httpx.AsyncClient(transport=httpx.MockTransport(receive)) as client:
            await listening.courier(client).step()

    listening.rim = replace(listening.rim, lookup=lookup)
    asyncio.run(one_step())

    assert looked_up == ["receiver.test"]
    assert [(request.url.host, request.headers["host"]) for request in sent] == [
        ("127.0.0.1", "receiver.test:9000")
    ]


def test_reach_of_the_start_holds_for_endpoints_made_before(listening: Any) -> None:
    """What was made for one's own machine gets nothing once the sandbox is a hosted one."""
    listening.restart(webhook_reach=Reach.PUBLIC)
    listening.step()

    assert "it is this machine" in attempts(listening)[0].error


def test_event_and_change_are_one_transaction(listening: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the event cannot be written the message keeps its status."""

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("killed here")

    accepted_at = listening.clock() - timedelta(seconds=1)
    sent = MESSAGES.select().where(MESSAGES.c.account == "ada", MESSAGES.c.created_at == accepted_at)
    with monkeypatch.context() as patch:
        patch.setattr(message_store, "add_events", fails)
        with pytest.raises(RuntimeError, match="killed here"):
            listening.step()
    with listening.database.read() as connection:
        status = connection.execute(sent).one().status
    listening.step(Recorder())

    assert status == "queued"
    assert row_of_receiver(listening).state == DeliveryState.DELIVERED


def test_many_events_are_all_delivered(subscribe: Any, subscription: Subscription) -> None:
    """Steps go on until nothing is due."""
    sandbox, receiver = subscribe(subscription), Recorder()
    identifiers = {sandbox.send().json()["id"] for _ in range(45)}
    sandbox.clock.forward(seconds=1)
    while sandbox.step(receiver):
        pass

    seen = [request.event["data"]["message_id"] for request in receiver.requests]
    assert sorted(seen) == sorted(identifiers)


def test_slow_receiver_holds_up_its_own_deliveries_only(sandbox: Any) -> None:
    """While one endpoint does not answer the other gets all of its events; only so many wait at the first."""
    for name in ("slow", "quick"):
        sandbox.post(
            "/v1/webhook-endpoints",
            {"url": f"http://{name}.localhost:9000/", "event_types": ["message.delivery_receipt"]},
        )
    for _ in range(MAX_PER_ENDPOINT + 4):
        sandbox.send()
    sandbox.clock.forward(seconds=1)
    quick = Recorder()
    all_came = asyncio.Event()
    waiting = 0

    async def receivers(scope: Any, receive: Any, send: Any) -> None:
        nonlocal waiting
        if dict(scope["headers"])[b"host"].startswith(b"slow"):
            waiting += 1
            await asyncio.Event().wait()
        await quick(scope, receive, send)
        if len(quick.requests) == MAX_PER_ENDPOINT + 4:
            all_came.set()

    async def work() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(receivers)) as client:
            running = asyncio.create_task(sandbox.courier(client).run())
            await asyncio.wait_for(all_came.wait(), timeout=PATIENCE_S)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            assert asyncio.all_tasks() == {asyncio.current_task()}, "all that was under way has ended"

    asyncio.run(work())

    assert {request.host for request in quick.requests} == {"quick.localhost:9000"}
    assert len({request.headers["webhook-id"] for request in quick.requests}) == MAX_PER_ENDPOINT + 4
    assert len(quick.requests) == MAX_PER_ENDPOINT + 4
    assert waiting == MAX_PER_ENDPOINT


def test_running_courier_rests_after_a_failed_record(listening: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that cannot be written to does not make it send the same event without a pause."""
    receiver, has_failed, has_gone_on = Recorder(), threading.Event(), threading.Event()
    turns = iter(range(3))

    def fails(*_: Any, **__: Any) -> None:
        has_failed.set()
        raise RuntimeError("the disk is full")

    def beat() -> None:
        if has_failed.is_set() and next(turns, None) is None:
            has_gone_on.set()

    async def work() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(receiver)) as client:
            rim, post = listening.rim, posting_by(client)
            works = make_delivery_worker(
                listening.api, listening.database, listening.settings, rim, post, beat=beat
            )
            running = asyncio.create_task(works.run())
            assert await asyncio.to_thread(has_gone_on.wait, PATIENCE_S)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "record_attempt", fails)
        asyncio.run(work())
        join_workers()
    before = len(receiver.requests)
    listening.clock.now += leases.LEASE_DURATION
    listening.step(receiver)

    assert (before, len(receiver.requests)) == (1, 2)
    assert row_of_receiver(listening).state == DeliveryState.DELIVERED
