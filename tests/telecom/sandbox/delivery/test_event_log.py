"""The event log: what happened, what became of each delivery, and sending an event again."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.telecom.sandbox.problem_names import problem_name
from tests.telecom.sandbox.recorder import Recorder

from telecom.sandbox.delivery import delivery_queue, event_log_store

BOB = "token-of-bob"
SAMPLE, SAMPLE_ENDPOINT = "evt_01m7yq263ge6s7v5h2n8c3d1fg", "we_01kaj8c3r5t7v9w1x3y5z7a9bc"
RECEIPT = "message.delivery_receipt"


def create(sandbox: Any, port: int = 9000, *types: str, **members: Any) -> str:
    """Make an endpoint; return its identifier."""
    body = {"url": f"http://127.0.0.1:{port}/", "event_types": list(types or (RECEIPT,)), **members}
    answer = sandbox.post("/v1/webhook-endpoints", body)
    assert answer.status_code == 201
    identifier: str = answer.json()["id"]
    return identifier


def deliver_receipt(sandbox: Any, receiver: Any = None) -> str:
    """Send a message and let its receipt go out; return the message's identifier."""
    identifier: str = sandbox.send().json()["id"]
    sandbox.clock.forward(seconds=1)
    sandbox.step(receiver or Recorder())
    return identifier


def events(sandbox: Any, **filters: Any) -> list[Any]:
    """Return the events that fit."""
    answer = sandbox.get("/v1/events", params=filters)
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json()["data"]
    return found


def receipt_of(sandbox: Any, message: str) -> Any:
    """Return the whole event that is the receipt of a message."""
    (only,) = events(sandbox, subject=message, type=RECEIPT)
    return sandbox.get(f"/v1/events/{only['id']}").json()


def test_event_shows_each_attempt(sandbox: Any) -> None:
    """Time, address, status or error, and when the next attempt is due."""
    endpoint = create(sandbox)
    message = deliver_receipt(sandbox, Recorder(answers=[(500, {"retry-after": "7"})]))
    waiting = receipt_of(sandbox, message)["deliveries"]
    sandbox.clock.forward(seconds=7)
    sandbox.step(Recorder())
    done = receipt_of(sandbox, message)["deliveries"]

    (before,) = [item for item in waiting if item["webhook_endpoint_id"] == endpoint]
    (after,) = [item for item in done if item["webhook_endpoint_id"] == endpoint]
    assert (before["state"], before["next_attempt_at"]) == ("pending", "2026-11-21T09:30:08.000Z")
    assert (after["state"], after["next_attempt_at"]) == ("delivered", None)
    told = [
        (attempt["number"], attempt["at"], attempt["status_code"], attempt["error"])
        for attempt in after["attempts"]
    ]
    assert told == [
        (1, "2026-11-21T09:30:01.000Z", 500, None),
        (2, "2026-11-21T09:30:08.000Z", 204, None),
    ]
    assert {attempt["url"] for attempt in after["attempts"]} == {"http://127.0.0.1:9000/"}


def test_payload_is_what_was_sent(sandbox: Any) -> None:
    """The log and the receiver have the same value, of every type that there is."""
    receiver = Recorder()
    types = (RECEIPT, "message.status_changed", "call.status_changed", "call.detail_record")
    create(sandbox, 9000, *types)
    flow = [{"action": "say", "text": "Hello"}]
    sandbox.post("/v1/calls", {"to": "+12025550123", "from": "+12025550140", "flow": flow})
    deliver_receipt(sandbox, receiver)
    sandbox.clock.forward(minutes=5)
    while sandbox.step(receiver):
        pass

    logged = [sandbox.get(f"/v1/events/{got.headers['webhook-id']}").json() for got in receiver.requests]
    assert [item["payload"] for item in logged] == [got.event for got in receiver.requests]
    assert {item["type"] for item in logged} == set(types)
    assert all(item["type"] == item["payload"]["type"] for item in logged)


def test_event_that_nobody_wants_has_no_delivery(sandbox: Any) -> None:
    """It is in the log all the same, and can be replayed to an endpoint by name."""
    message = deliver_receipt(sandbox)
    (event,) = events(sandbox, subject=message, type="message.status_changed")[:1]
    endpoint, receiver = create(sandbox), Recorder()
    answer = sandbox.post(f"/v1/events/{event['id']}/replay", {"webhook_endpoint_id": endpoint})
    sandbox.step(receiver)

    assert event["deliveries"] == []
    assert answer.status_code == 202
    assert [got.headers["webhook-id"] for got in receiver.requests] == [event["id"]]


def test_filters_must_all_fit(sandbox: Any) -> None:
    """Type, subject, endpoint, state and time; state and endpoint mean the same delivery."""
    good, bad = create(sandbox, 9001), create(sandbox, 9002)

    async def receivers(scope: Any, receive: Any, send: Any) -> None:
        failing = dict(scope["headers"])[b"host"].endswith(b"9002")
        await Recorder(answers=[(500 if failing else 204, {})])(scope, receive, send)

    first = deliver_receipt(sandbox, receivers)
    sandbox.clock.forward(seconds=1)
    second = deliver_receipt(sandbox)

    def subjects(**filters: Any) -> list[str]:
        return [
            event["subject"] for event in events(sandbox, **filters) if event["subject"] in {first, second}
        ]

    assert subjects(type=RECEIPT) == [second, first]
    assert subjects(type=RECEIPT, subject=first) == [first]
    assert subjects(webhook_endpoint_id=bad, state="pending") == [first]
    assert subjects(webhook_endpoint_id=good, state="pending") == []
    assert subjects(state="pending") == [first]
    assert subjects(webhook_endpoint_id="we_nobody") == []
    assert subjects(type=RECEIPT, created_after="2026-11-21T09:30:03Z") == [second]
    assert subjects(type=RECEIPT, created_before="2026-11-21T09:30:03Z") == [first]


def test_list_is_paged_newest_first(sandbox: Any) -> None:
    """Page after page shows each event once; a cursor is of no use with other filters."""
    for _ in range(4):
        deliver_receipt(sandbox)
    seen, cursor = [], None
    while True:
        parameters = {"type": RECEIPT, "limit": 2, **({"cursor": cursor} if cursor else {})}
        page = sandbox.get("/v1/events", params=parameters).json()
        seen += page["data"]
        if page["next_cursor"] is None:
            break
        cursor = page["next_cursor"]
    other = sandbox.get("/v1/events", params={"cursor": cursor})

    times = [item["created_at"] for item in seen]
    assert times == sorted(times, reverse=True)
    assert len({item["id"] for item in seen}) == len(seen) >= 4
    assert (other.status_code, problem_name(other)) == (404, "invalid-cursor")


@pytest.mark.parametrize(
    "query", ["type=message.delivered", "state=lost", "subject=", "webhook_endpoint_id=evt_1", "after=1"]
)
def test_filter_that_makes_no_sense_is_refused(sandbox: Any, query: str) -> None:
    """It must not return everything."""
    answer = sandbox.get(f"/v1/events?{query}")

    assert (answer.status_code, problem_name(answer)) == (400, "invalid-parameter")


def test_replay_sends_the_same_event_again(sandbox: Any) -> None:
    """Same identifier and body to an endpoint that has it already; attempts go on counting."""
    create(sandbox)
    receiver = Recorder()
    message = deliver_receipt(sandbox, receiver)
    event = receipt_of(sandbox, message)
    sandbox.clock.forward(hours=1)
    answer = sandbox.post(f"/v1/events/{event['id']}/replay", {}).json()
    sandbox.step(receiver)
    after = receipt_of(sandbox, message)

    first, second = receiver.requests
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == event["id"]
    assert first.headers["webhook-signature"] != second.headers["webhook-signature"]
    assert "pending" in {delivery["state"] for delivery in answer["deliveries"]}
    assert [attempt["number"] for d in after["deliveries"] for attempt in d["attempts"]] == [1, 2]


def test_replay_begins_the_pauses_anew(sandbox: Any) -> None:
    """After a replay an event has all its attempts before it again."""
    create(sandbox)
    failing = Recorder(answers=[(500, {})] * 30)
    message = deliver_receipt(sandbox, failing)
    for _ in range(12):
        sandbox.clock.forward(days=1, hours=12)
        sandbox.step(failing)
    given_up = receipt_of(sandbox, message)
    sandbox.post(f"/v1/events/{given_up['id']}/replay", {})
    sandbox.step(failing)
    again = [delivery for delivery in receipt_of(sandbox, message)["deliveries"] if delivery["attempts"]]

    assert len(failing.requests) == 11
    assert again[0]["state"] == "pending"
    assert again[0]["attempts"][-1]["number"] == 11
    wait = datetime.fromisoformat(again[0]["next_attempt_at"]) - sandbox.clock()
    assert 5 <= wait.total_seconds() <= 6


def test_replay_hurries_what_waits(sandbox: Any) -> None:
    """A receiver that is back need not wait for the next attempt."""
    create(sandbox)
    receiver = Recorder(answers=[(503, {"retry-after": "3600"})])
    event = receipt_of(sandbox, deliver_receipt(sandbox, receiver))
    sandbox.post(f"/v1/events/{event['id']}/replay", {})
    sandbox.step(receiver)

    assert len(receiver.requests) == 2


def replayed_meanwhile(sandbox: Any, event_id: str, endpoint: str, statuses: list[int]) -> Recorder:
    """Make the attempts that are due, and replay the event while the first of them is under way."""
    answers = Recorder(answers=[(status, {}) for status in statuses])

    async def replays_first(scope: Any, receive: Any, send: Any) -> None:
        if not answers.requests:
            path, body = f"/v1/events/{event_id}/replay", {"webhook_endpoint_id": endpoint}
            answer = await asyncio.to_thread(sandbox.post, path, body)
            assert answer.status_code == 202
        await answers(scope, receive, send)

    while sandbox.step(replays_first):
        pass
    return answers


@pytest.mark.parametrize("change", [{}, {"enabled": False}])
@pytest.mark.parametrize("first", [204, 500])
def test_replay_during_an_attempt_is_sent_after_it(sandbox: Any, change: Any, first: int) -> None:
    """At once and once more, whatever that attempt was answered, be the endpoint on or off."""
    endpoint = create(sandbox)
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    sandbox.step(Recorder(answers=[(500, {"retry-after": "60"})]))
    sandbox.patch(f"/v1/webhook-endpoints/{endpoint}", {"description": "Orders", **change})
    (event,) = events(sandbox, webhook_endpoint_id=endpoint)
    path = f"/v1/events/{event['id']}"
    sandbox.post(f"{path}/replay", {"webhook_endpoint_id": endpoint})
    receiver = replayed_meanwhile(sandbox, event["id"], endpoint, [first, 204])

    (delivery,) = sandbox.get(path).json()["deliveries"]
    assert len(receiver.requests) == 2
    assert delivery["state"] == "delivered"
    assert [attempt["status_code"] for attempt in delivery["attempts"]] == [500, first, 204]


def test_replay_during_an_attempt_has_all_its_pauses(sandbox: Any) -> None:
    """The attempt that was under way is none of its own: the first pause is the shortest."""
    endpoint = create(sandbox)
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    sandbox.step(Recorder(answers=[(500, {})]))
    sandbox.clock.forward(days=1)
    (event,) = events(sandbox, webhook_endpoint_id=endpoint)
    replayed_meanwhile(sandbox, event["id"], endpoint, [500, 500])

    (delivery,) = sandbox.get(f"/v1/events/{event['id']}").json()["deliveries"]
    wait = datetime.fromisoformat(delivery["next_attempt_at"]) - sandbox.clock()
    assert [attempt["number"] for attempt in delivery["attempts"]] == [1, 2, 3]
    assert 5 <= wait.total_seconds() <= 6


def test_replay_goes_to_the_named_endpoint_only(sandbox: Any) -> None:
    """Though others want it, and though this one neither wants it nor is on; it is then sent once."""
    create(sandbox, 9001)
    named = create(sandbox, 9002, "call.detail_record", enabled=False)
    event = receipt_of(sandbox, deliver_receipt(sandbox))
    receiver = Recorder(answers=[(500, {})])
    sandbox.post(f"/v1/events/{event['id']}/replay", {"webhook_endpoint_id": named})
    sandbox.step(receiver)
    sandbox.clock.forward(days=1)
    sandbox.step(receiver)
    after = sandbox.get(f"/v1/events/{event['id']}").json()

    assert [got.host for got in receiver.requests] == ["127.0.0.1:9002"]
    states = {delivery["webhook_endpoint_id"]: delivery["state"] for delivery in after["deliveries"]}
    assert states[named] == "failed"


def test_replay_that_would_go_nowhere_is_refused(sandbox: Any) -> None:
    """No endpoint is on and wants the type; the next step is told."""
    answer = sandbox.post(f"/v1/events/{SAMPLE}/replay", {})

    assert (answer.status_code, problem_name(answer)) == (409, "no-webhook-endpoint")
    assert "call.detail_record" in answer.json()["detail"]


def test_replay_of_what_is_not_there_is_refused(sandbox: Any) -> None:
    """The path names an event that the account does not have."""
    answer = sandbox.post("/v1/events/evt_nobody/replay", {})

    assert (answer.status_code, problem_name(answer)) == (404, "not-found")


def test_replay_to_what_is_not_there_is_refused(sandbox: Any) -> None:
    """An endpoint of nobody, of another account, or deleted: a conflict, told from an unknown event."""
    deleted = create(sandbox)
    sandbox.delete(f"/v1/webhook-endpoints/{deleted}")
    theirs = sandbox.post(
        "/v1/webhook-endpoints", {"url": "http://127.0.0.1:9000/", "event_types": [RECEIPT]}, token=BOB
    ).json()["id"]

    for named in ("we_nobody", theirs, deleted):
        answer = sandbox.post(f"/v1/events/{SAMPLE}/replay", {"webhook_endpoint_id": named})
        assert (answer.status_code, problem_name(answer)) == (409, "unknown-webhook-endpoint")
        assert [error["pointer"] for error in answer.json()["errors"]] == ["#/webhook_endpoint_id"]


def test_repeated_replay_is_one(sandbox: Any) -> None:
    """The key is that of this event; with another body it is refused."""
    headers, receiver = {"Idempotency-Key": "replay-once"}, Recorder()
    endpoint = create(sandbox)
    event = receipt_of(sandbox, deliver_receipt(sandbox))
    path = f"/v1/events/{event['id']}/replay"
    for _ in range(2):
        assert sandbox.post(path, {}, headers=headers).status_code == 202
        sandbox.step(receiver)
    other = sandbox.post(path, {"webhook_endpoint_id": endpoint}, headers=headers)

    assert len(receiver.requests) == 1
    assert (other.status_code, problem_name(other)) == (422, "idempotency-key-reused")


def test_log_of_another_account_is_not_seen(sandbox: Any) -> None:
    """Neither listed, nor retrieved, nor replayed; not to one's own endpoint either."""
    create(sandbox)
    event = receipt_of(sandbox, deliver_receipt(sandbox))
    path = f"/v1/events/{event['id']}"
    listed = sandbox.get("/v1/events", token=BOB).json()["data"]

    assert event["id"] not in {item["id"] for item in listed}
    assert sandbox.get(path, token=BOB).status_code == 404
    assert sandbox.post(f"{path}/replay", {}, token=BOB).status_code == 404


def test_events_of_one_account_go_to_its_endpoints_only(sandbox: Any) -> None:
    """Another account's message is no event of ours."""
    create(sandbox)
    receiver = Recorder()
    sandbox.send(token=BOB)
    sandbox.clock.forward(seconds=1)
    sandbox.step(receiver)

    assert receiver.requests == []


def test_sample_event_is_the_one_of_the_reference(sandbox: Any) -> None:
    """Payload, states and attempts are those of the example, for every account and after every start."""
    before = sandbox.get(f"/v1/events/{SAMPLE}").json()
    answer = sandbox.post(f"/v1/events/{SAMPLE}/replay", {"webhook_endpoint_id": SAMPLE_ENDPOINT})
    sandbox.restart()

    (delivery,) = before["deliveries"]
    assert answer.status_code == 202
    assert [attempt["status_code"] for attempt in delivery["attempts"]] == [500, 410]
    assert sandbox.get(f"/v1/events/{SAMPLE}").json() == before
    assert sandbox.get(f"/v1/events/{SAMPLE}", token=BOB).json() == before


@pytest.mark.deep
def test_log_shows_the_last_hundred_attempts(sandbox: Any) -> None:
    """An event that was replayed for ever does not make an answer without bounds."""
    endpoint = create(sandbox)
    event = receipt_of(sandbox, deliver_receipt(sandbox))
    for _ in range(101):
        sandbox.post(f"/v1/events/{event['id']}/replay", {"webhook_endpoint_id": endpoint})
        sandbox.step(Recorder())

    after = sandbox.get(f"/v1/events/{event['id']}").json()
    (delivery,) = [
        delivery for delivery in after["deliveries"] if delivery["webhook_endpoint_id"] == endpoint
    ]
    assert [delivery["attempts"][0]["number"], delivery["attempts"][-1]["number"]] == [3, 102]


def test_event_that_is_not_there_is_a_fault_of_the_program(sandbox: Any) -> None:
    """Whoever has just written an event finds it."""
    with sandbox.database.read() as connection, pytest.raises(LookupError, match="evt_nobody"):
        event_log_store.read_event_document(connection, "ada", "evt_nobody")


def test_body_of_an_event_has_three_members() -> None:
    """Type, time in UTC and data, without a byte more than is needed (Standard Webhooks 1.0.0)."""
    at = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
    event = delivery_queue.Event(type="webhook.test", account="ada", subject="we_1", at=at, data={"é": 1})

    assert event.body() == '{"type":"webhook.test","timestamp":"2026-11-21T09:30:00.000Z","data":{"é":1}}'
