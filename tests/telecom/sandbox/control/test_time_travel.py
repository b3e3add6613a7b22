"""Journeys through time: everything that is due on the way happens, in its order and at its time."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import httpx
import pytest
from anyio.to_thread import run_sync
from tests.telecom.sandbox.conftest import HELLO
from tests.telecom.sandbox.control.conftest import MANUAL, NOTHING, START, SUBSCRIPTION
from tests.telecom.sandbox.problem_names import problem_name
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.webhook_steps import row_of_receiver
from tests.waiting import PATIENCE_S

from devportal.serving.clock import ClockMode
from telecom.sandbox.clock import HOLD_DURATION, ClockOptions, hold_clock
from telecom.sandbox.control.time_travel import AdvanceGoal, AdvanceResult, ClockAdvance, ClockHold
from telecom.sandbox.delivery import leases
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE
from telecom.sandbox.delivery.deliveries import DeliveryState
from telecom.sandbox.delivery.leases import Instant
from telecom.sandbox.stores.scheduled_work import TimedKind
from telecom.signature import verify

AWAY = (500, dict[str, str]())
"""What a receiver answers that is out of order."""
SWITCHED_OFF = {**HELLO, "to": "+12025550171"}
FIRST_AT = START + timedelta(seconds=1)
"""When the receipt of a message comes that is sent at the beginning."""


def attempts(controlled: Any, message_id: str) -> list[tuple[datetime, int | None]]:
    """Return when the receipt of a message was sent, and what came back, from the log of events."""
    log = controlled.sandbox.get("/v1/events", params={"subject": message_id}).json()["data"]
    receipt = next(item["id"] for item in log if item["type"] == "message.delivery_receipt")
    (delivery,) = controlled.sandbox.get(f"/v1/events/{receipt}").json()["deliveries"]
    return [
        (datetime.fromisoformat(attempt["at"]), attempt["status_code"]) for attempt in delivery["attempts"]
    ]


def times_of_attempts() -> Iterator[datetime]:
    """Yield when each attempt is made of a delivery that always fails."""
    at = FIRST_AT
    yield at
    for pause in STANDARD_SCHEDULE.pauses:
        yield (at := at + pause)


def test_all_retries_of_75_hours_in_one_advance(listening: Any) -> None:
    """Ten attempts, each at its time to the microsecond, and then it is given up."""
    listening.receiver = Recorder(answers=[AWAY] * 20)
    sent = listening.sandbox.send().json()["id"]
    answer = listening.advance(by="P5D")

    assert attempts(listening, sent) == [(at, 500) for at in times_of_attempts()]
    assert row_of_receiver(listening.sandbox).state == DeliveryState.FAILED
    assert answer["happened"] == {**NOTHING, "message": 2, "webhook": 10}
    assert listening.now() == START + timedelta(days=5)


def test_attempts_are_signed_in_real_time(listening: Any) -> None:
    """Receivers hold the signature against their own clocks."""
    listening.receiver = Recorder(answers=[AWAY])
    listening.sandbox.send()
    listening.advance(by="PT1H")

    for request in listening.receiver.requests:
        verify(request.body, request.headers, secrets=SUBSCRIPTION.secrets, now=listening.sandbox.clock())
    assert len(listening.receiver.requests) == 2


def test_next_stops_where_something_happens(listening: Any) -> None:
    """Of any kind, or of the kind that is asked for; at last nothing is due."""
    listening.receiver = Recorder(answers=[AWAY] * 20)
    listening.sandbox.send(headers={"Idempotency-Key": "one"})
    reports = [listening.advance(to_next="anything") for _ in range(2)]
    retries = [listening.advance(to_next="webhook") for _ in range(9)]
    key = listening.advance(to_next="anything")
    nothing = listening.advance(to_next="anything")

    moments = [datetime.fromisoformat(report["clock"]["now"]) for report in (*reports, *retries)]
    assert moments == [START + timedelta(seconds=0.5), *times_of_attempts()]
    assert [report["happened"]["webhook"] for report in (*reports, *retries)] == [0, 1, *[1] * 9]
    assert sum(retry["happened"]["idempotency_key"] for retry in retries) == 1, "a day was over on the way"
    assert all(report["reached"] for report in (*reports, *retries))
    assert key == nothing
    assert nothing["reached"] is False
    assert nothing["advanced_s"] == 0
    assert nothing["happened"] == NOTHING


def test_next_of_a_kind_that_is_not_due_goes_on_to_the_last(controlled_sandbox: Any) -> None:
    """All else happens on the way."""
    controlled_sandbox.sandbox.send()
    answer = controlled_sandbox.advance(to_next="webhook")

    assert answer["reached"] is False
    assert answer["happened"] == {**NOTHING, "message": 2}
    assert controlled_sandbox.now() == FIRST_AT


@pytest.mark.parametrize(
    "steps", [pytest.param(1, marks=pytest.mark.deep), 7, pytest.param(60, marks=pytest.mark.deep)]
)
def test_one_long_advance_is_many_short_ones(listening: Any, steps: int) -> None:
    """The log of events is the same, with the same times."""
    listening.receiver = Recorder(answers=[AWAY] * 3)
    for after_s in (0.0, 0.3):
        listening.advance(seconds=after_s)
        listening.sandbox.send()
        listening.sandbox.send(SWITCHED_OFF)
    for _ in range(steps):
        listening.advance(seconds=3600 / steps)
    log = listening.sandbox.get("/v1/events", params={"created_after": "2027-01-01T00:00:00Z"}).json()["data"]

    told = [(item["created_at"][14:], item["type"].partition(".")[2]) for item in reversed(log)]
    sent, ended = "status_changed", ["status_changed", "delivery_receipt"]
    assert sorted(told) == sorted(
        (at, kind)
        for at, kinds in [
            ("00:00.500Z", [sent] * 2),
            ("00:00.800Z", [sent] * 2),
            ("00:01.000Z", ended * 2),
            ("00:01.300Z", ended * 2),
        ]
        for kind in kinds
    )
    assert [at for at, _ in told] == sorted(at for at, _ in told)
    assert len(listening.receiver.requests) == 7, "four receipts, three of them twice"


def test_what_a_receiver_asks_meanwhile_has_the_time_of_the_attempt(listening: Any) -> None:
    """It sends an answer when it gets a receipt; that is delivered on the same way."""

    class Answering(Recorder):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await super().__call__(scope, receive, send)
            if len(self.requests) == 1:
                transport = httpx.ASGITransport(listening.sandbox.app)
                async with httpx.AsyncClient(transport=transport, base_url="http://sandbox") as client:
                    headers = {"Authorization": "Bearer token-of-ada"}
                    replies.append(await client.post("/v1/messages", json=HELLO, headers=headers))

    replies: list[httpx.Response] = []
    listening.receiver = Answering()
    listening.sandbox.send()
    answer = listening.advance(by="PT1M")
    (reply,) = replies
    message = listening.sandbox.get(f"/v1/messages/{reply.json()['id']}").json()

    assert answer["happened"] == {**NOTHING, "message": 4, "webhook": 2}
    assert message["created_at"] == "2027-01-01T00:00:01.000Z"
    assert message["finished_at"] == "2027-01-01T00:00:02.000Z"


def test_only_one_moves_the_time(listening: Any) -> None:
    """Who asks while another's advance is under way is refused, and nothing happens twice."""
    asked, answered = threading.Event(), threading.Event()

    class Slow(Recorder):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            asked.set()
            await asyncio.to_thread(answered.wait, 30)
            await super().__call__(scope, receive, send)

    listening.receiver = Slow()
    listening.sandbox.send()
    with ThreadPoolExecutor() as pool:
        first = pool.submit(listening.advance, by="PT1H")
        assert asked.wait(PATIENCE_S)
        refused = [
            listening.ask("POST", "/clock/advance", json={"by": "PT1H"}),
            listening.ask("PUT", "/clock", json={"mode": "running"}),
            listening.ask("POST", "/reset"),
        ]
        meanwhile = listening.now()
        answered.set()
        answer = first.result()

    assert [problem_name(item) for item in refused] == ["state-conflict"] * 3
    assert meanwhile == FIRST_AT, "the time waits for the receiver"
    assert answer["happened"] == {**NOTHING, "message": 2, "webhook": 1}
    assert listening.now() == START + timedelta(hours=1)
    assert len(listening.receiver.requests) == 1


def test_who_is_killed_holds_the_time_no_longer(controlled_sandbox: Any) -> None:
    """After a while of real time."""
    with controlled_sandbox.sandbox.database.write() as connection:
        assert hold_clock(connection, "who was killed", controlled_sandbox.sandbox.clock())
    refused = controlled_sandbox.ask("POST", "/clock/advance", json={"seconds": 1})
    controlled_sandbox.sandbox.clock.forward(seconds=HOLD_DURATION.total_seconds())

    assert refused.status_code == 409
    assert controlled_sandbox.advance(seconds=1)["reached"] is True


def test_workers_keep_off_while_somebody_moves_the_time(listening: Any) -> None:
    """What is due is left to who moves it; afterwards they go on."""
    sandbox = listening.sandbox
    sandbox.send()
    reins = ClockHold(database=sandbox.database, real_clock=sandbox.clock, holder="somebody")
    reins.take()
    reins.move_to(FIRST_AT)

    async def take_turn() -> bool:
        async with listening.posting() as post:
            return bool(await listening.courier(post)._turn())

    while_held = asyncio.run(take_turn())
    reins.release()

    assert while_held is False
    assert asyncio.run(take_turn()) is True


def journey(listening: Any, goal: AdvanceGoal, *, seconds_a_look: float) -> AdvanceResult:
    """Travel with a stopwatch that goes on by so many seconds whenever it is looked at."""
    stopwatch = count(step=seconds_a_look)

    async def advance_time() -> AdvanceResult:
        async with listening.posting() as post:
            sandbox = listening.sandbox
            courier = listening.courier(post)
            reins = ClockHold(database=sandbox.database, real_clock=sandbox.clock, holder="somebody")
            one = ClockAdvance(hold=reins, worker=courier, max_real_s=10, monotonic=lambda: next(stopwatch))
            return await one.run(lambda _: goal)

    return asyncio.run(advance_time())


def test_a_journey_that_takes_too_long_ends_on_the_way(listening: Any) -> None:
    """The rest is still to come, and comes with the next one."""
    listening.receiver = Recorder(answers=[AWAY] * 20)
    listening.sandbox.send()
    goal = AdvanceGoal(moment=START + timedelta(days=5))
    arrivals = [journey(listening, goal, seconds_a_look=1) for _ in range(2)]
    last = journey(listening, goal, seconds_a_look=0)

    assert [arrival.reached for arrival in (*arrivals, last)] == [False, False, True]
    assert START < arrivals[0].ended_at < arrivals[1].ended_at < last.ended_at == goal.moment
    assert arrivals[0].under_way == ()
    happened = sum((arrival.happened for arrival in (*arrivals, last)), start=type(last.happened)())
    assert happened == {TimedKind.MESSAGE: 2, TimedKind.WEBHOOK: 10}


def test_what_others_are_sending_is_waited_for(listening: Any) -> None:
    """The time does not go on, and what they have is told; as soon as it is done, it goes on."""
    sandbox = listening.sandbox
    sandbox.send()
    reins = ClockHold(database=sandbox.database, real_clock=sandbox.clock, holder="a worker")
    reins.take()
    reins.move_to(FIRST_AT)
    reins.release()
    with leased_by_a_worker(listening) as leased:
        given_up = journey(listening, AdvanceGoal(moment=START + timedelta(days=1)), seconds_a_look=4)
    done = journey(listening, AdvanceGoal(moment=START + timedelta(days=1)), seconds_a_look=0)

    assert given_up.reached is False
    assert given_up.ended_at == FIRST_AT
    assert [(due_item.id, due_item.under_way) for due_item in given_up.under_way] == [(leased, True)]
    assert done.reached is True
    assert done.happened[TimedKind.WEBHOOK] == 1


@contextmanager
def leased_by_a_worker(listening: Any) -> Iterator[str]:
    """Let a worker take on the only receipt, for the time of a `with` block; yield the event of it."""
    sandbox = listening.sandbox

    async def advance() -> None:
        async with listening.posting() as post:
            await run_sync(listening.courier(post)._worklist.advance)

    asyncio.run(advance())
    at = Instant(now=FIRST_AT, real=sandbox.clock())
    with sandbox.database.write() as connection:
        (queue,) = leases.waiting_queues(connection, at.real)
        (taken,) = leases.lease_deliveries(connection, queue, at, limit=16)
    yield taken.key.event_id
    with sandbox.database.write() as connection:
        leases.release_leases(connection, [taken.key])


@pytest.mark.parametrize(
    ("choice", "ahead_s", "pause_s"),
    [
        (ClockOptions(mode=ClockMode.RUNNING, speed=60), 6, 0.1),
        (ClockOptions(mode=ClockMode.RUNNING, speed=0.5), 0.05, 0.1),
        (ClockOptions(mode=ClockMode.RUNNING, speed=60), 600, 0.25),
        (MANUAL, 0.5, 0.25),
    ],
)
def test_workers_sleep_no_longer_than_until_something_is_due(
    controlled_sandbox: Any, choice: ClockOptions, ahead_s: float, pause_s: float
) -> None:
    """In real time, of which more or less passes. Where the time stands they look around now and then."""
    controlled_sandbox.start(choice, settles_after=timedelta(seconds=2 * ahead_s))
    controlled_sandbox.sandbox.send()

    async def pause() -> float:
        async with controlled_sandbox.posting() as post:
            return float(await controlled_sandbox.courier(post)._idle_s())

    assert asyncio.run(pause()) == pytest.approx(pause_s, rel=1e-3)
