"""Events reach every endpoint that wants them, and each delivery goes its own way."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.webhook_steps import PATH, create, deliveries_to, write_receipt

from telecom.sandbox.delivery.deliveries import DeliveryState
from telecom.signature import Secret, SignatureRefused, verify

pytestmark = pytest.mark.both_databases


def test_events_reach_the_endpoint_that_was_created(sandbox: Any) -> None:
    """They are signed with the secret that the answer showed."""
    made, receiver = create(sandbox, description="Orders"), Recorder()
    write_receipt(sandbox)
    sandbox.step(receiver)

    (got,) = receiver.requests
    secret = Secret.parse(made["secret"])
    verify(got.body, got.headers, secrets=(secret,), now=sandbox.clock())
    assert (made["description"], made["enabled"], made["disabled_reason"]) == ("Orders", True, None)
    assert len(secret.key) == 32


def test_each_endpoint_gets_what_it_asked_for(sandbox: Any) -> None:
    """Same event, same identifier to both; a type that was not asked for goes nowhere."""
    one = create(sandbox, url="http://127.0.0.1:9001/")
    both = create(
        sandbox,
        url="http://127.0.0.1:9002/",
        event_types=["message.delivery_receipt", "message.status_changed"],
    )
    receiver = Recorder()
    write_receipt(sandbox)
    sandbox.step(receiver)

    to_one = [got for got in receiver.requests if got.host.endswith(":9001")]
    to_both = [got for got in receiver.requests if got.host.endswith(":9002")]
    assert [got.event["type"] for got in to_one] == ["message.delivery_receipt"]
    assert {got.event["type"] for got in to_both} == {"message.delivery_receipt", "message.status_changed"}
    assert to_one[0].headers["webhook-id"] in {got.headers["webhook-id"] for got in to_both}
    for got, endpoint in ((to_one[0], one), (to_both[0], both)):
        verify(got.body, got.headers, secrets=(Secret.parse(endpoint["secret"]),), now=sandbox.clock())
        other = both if endpoint is one else one
        with pytest.raises(SignatureRefused):
            verify(got.body, got.headers, secrets=(Secret.parse(other["secret"]),), now=sandbox.clock())


def test_failure_of_one_endpoint_is_its_own(sandbox: Any) -> None:
    """What one receiver has got is not sent to it again because another has not."""
    good = create(sandbox, url="http://127.0.0.1:9001/")
    bad = create(sandbox, url="http://127.0.0.1:9002/")
    requests: list[str] = []

    async def receivers(scope: Any, receive: Any, send: Any) -> None:
        host = dict(scope["headers"])[b"host"].decode()
        requests.append(host)
        await Recorder(answers=[(500 if host.endswith("2") else 204, {})])(scope, receive, send)

    write_receipt(sandbox)
    sandbox.step(receivers)
    sandbox.clock.forward(minutes=1)
    sandbox.step(receivers)

    assert sorted(requests) == ["127.0.0.1:9001", "127.0.0.1:9002", "127.0.0.1:9002"]
    assert deliveries_to(sandbox, good) == [DeliveryState.DELIVERED]
    assert deliveries_to(sandbox, bad) == [DeliveryState.PENDING]


def test_endpoint_that_is_off_gets_nothing(sandbox: Any) -> None:
    """What waits is skipped, and so is what happens meanwhile; turned on it gets what happens then."""
    made, receiver = create(sandbox), Recorder(answers=[(500, {})])
    path = f"{PATH}/{made['id']}"
    write_receipt(sandbox)
    sandbox.step(receiver)
    off = sandbox.patch(path, {"enabled": False}).json()
    write_receipt(sandbox)
    sandbox.clock.forward(days=1)
    sandbox.step(receiver)
    on = sandbox.patch(path, {"enabled": True}).json()
    sandbox.step(receiver)
    write_receipt(sandbox)
    sandbox.step(receiver)

    assert (off["enabled"], off["disabled_reason"]) == (False, "requested")
    assert (on["enabled"], on["disabled_reason"]) == (True, None)
    assert deliveries_to(sandbox, made) == ["delivered", "skipped", "skipped"]
    assert len(receiver.requests) == 2


def test_gone_endpoint_says_so_and_comes_back(sandbox: Any) -> None:
    """After 410 the reason is shown, and kept where it is turned off once more; enabling ends it."""
    made = create(sandbox)
    path = f"{PATH}/{made['id']}"
    write_receipt(sandbox)
    sandbox.step(Recorder(answers=[(410, {})]))
    gone = sandbox.get(path).json()
    again = sandbox.patch(path, {"enabled": False}).json()
    back = sandbox.patch(path, {"enabled": True}).json()

    assert (gone["enabled"], gone["disabled_reason"]) == (False, "gone")
    assert again["disabled_reason"] == "gone"
    assert (back["enabled"], back["disabled_reason"]) == (True, None)


def test_deleted_endpoint_is_gone_and_its_deliveries_stay(sandbox: Any) -> None:
    """What waits is skipped; the log still shows what was tried."""
    made, receiver = create(sandbox), Recorder(answers=[(500, {})])
    write_receipt(sandbox)
    sandbox.step(receiver)
    answer = sandbox.delete(f"{PATH}/{made['id']}")
    sandbox.clock.forward(days=1)
    sandbox.step(receiver)

    assert answer.status_code == 204
    assert sandbox.get(f"{PATH}/{made['id']}").status_code == 404
    assert deliveries_to(sandbox, made) == ["skipped"]
    assert len(receiver.requests) == 1


def test_attempt_under_way_counts_though_the_endpoint_is_deleted(sandbox: Any) -> None:
    """What the receiver has got is told as delivered."""
    made = create(sandbox)
    write_receipt(sandbox)

    async def deletes_meanwhile(scope: Any, receive: Any, send: Any) -> None:
        with ThreadPoolExecutor(1) as other:
            other.submit(sandbox.delete, f"{PATH}/{made['id']}").result()
        await Recorder()(scope, receive, send)

    sandbox.step(deletes_meanwhile)

    assert deliveries_to(sandbox, made) == ["delivered"]


@pytest.mark.parametrize("members", [{"enabled": True}, {"enabled": False}])
def test_test_event_goes_to_one_endpoint_and_only_once(sandbox: Any, members: Any) -> None:
    """Whatever it wants, on or off; a failure is not repeated."""
    create(sandbox, url="http://127.0.0.1:9001/")
    made = create(sandbox, url="http://127.0.0.1:9002/", **members)
    receiver = Recorder(answers=[(500, {})])
    answer = sandbox.post(f"{PATH}/{made['id']}/test").json()
    sandbox.step(receiver)
    sandbox.clock.forward(days=1)
    sandbox.step(receiver)
    logged = sandbox.get(f"/v1/events/{answer['id']}").json()

    (got,) = receiver.requests
    assert got.host == "127.0.0.1:9002"
    assert got.event == answer["payload"] == logged["payload"]
    assert got.headers["webhook-id"] == answer["id"]
    assert [delivery["state"] for delivery in answer["deliveries"]] == ["pending"]
    assert [(delivery["state"], len(delivery["attempts"])) for delivery in logged["deliveries"]] == [
        ("failed", 1)
    ]
