"""The receiver that is given at the start: renewed by each start, removed by one without it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.telecom.sandbox.recorder import Recorder
from tests.telecom.sandbox.webhook_steps import row_of_receiver, rows_of_receiver

from telecom.sandbox.delivery import endpoint_store
from telecom.sandbox.delivery.deliveries import DeliveryState
from telecom.sandbox.delivery.webhook_setup import ENDPOINT_ID, Subscription
from telecom.signature import Secret, SignatureRefused, verify

SECRETS = (Secret(b"the secret of now, 32 bytes long"), Secret(b"the secret before, 32 bytes long"))
URL = "http://receiver.test:9000/webhooks"


@pytest.fixture
def subscription() -> Subscription:
    return Subscription(account="ada", url=URL, secrets=SECRETS)


@pytest.fixture
def listening(subscribe: Callable[[Subscription], Any], subscription: Subscription) -> Any:
    """Return a sandbox with one accepted message and its receipt due."""
    sandbox = subscribe(subscription)
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    return sandbox


def test_gone_receiver_is_turned_off_until_configured_again(listening: Any) -> None:
    """410 fails the event, later ones are skipped, and a new start turns the receiver on."""
    receiver = Recorder(answers=[(410, {})])
    listening.step(receiver)
    listening.send()
    listening.clock.forward(seconds=1)
    listening.step(receiver)
    states = [row.state for row in rows_of_receiver(listening)]
    listening.restart()
    listening.send()
    listening.clock.forward(seconds=1)
    listening.step(receiver)

    assert states == [DeliveryState.FAILED, DeliveryState.SKIPPED]
    assert len(receiver.requests) == 2


def test_restart_keeps_what_is_still_to_be_sent(listening: Any, subscription: Subscription) -> None:
    """The endpoint of the command line is renewed with another address, not made anew."""
    receiver = Recorder(answers=[(500, {})])
    listening.step(receiver)
    listening.restart(subscription=replace(subscription, url="http://moved.test:9001/hooks"))
    listening.clock.forward(seconds=6)
    listening.step(receiver)

    assert [request.host for request in receiver.requests] == ["receiver.test:9000", "moved.test:9001"]
    assert row_of_receiver(listening).state == DeliveryState.DELIVERED


def test_start_without_a_receiver_removes_that_of_the_start_before(listening: Any) -> None:
    """Nothing is sent to an address that is no longer given."""
    listening.step(Recorder(answers=[(500, {})]))
    listening.restart(subscription=None)
    listening.clock.forward(days=1)
    listening.step()

    with listening.database.read() as connection:
        assert endpoint_store.find_endpoint(connection, "ada", ENDPOINT_ID) is None
    assert row_of_receiver(listening).state == DeliveryState.SKIPPED


def test_second_secret_signs_for_a_day(listening: Any) -> None:
    """After that the rotation is over, and only the first secret signs."""
    receiver = Recorder()
    listening.clock.forward(hours=24)
    listening.step(receiver)

    (got,) = receiver.requests
    verify(got.body, got.headers, secrets=SECRETS[:1], now=listening.clock())
    with pytest.raises(SignatureRefused):
        verify(got.body, got.headers, secrets=SECRETS[1:], now=listening.clock())


def test_without_a_receiver_nothing_is_sent(sandbox: Any) -> None:
    """What nobody listens to is kept in the log and not sent later."""
    sandbox.send()
    sandbox.clock.forward(seconds=1)
    sandbox.step()
    sandbox.restart(subscription=Subscription(account="ada", url=URL, secrets=SECRETS))
    sandbox.step()

    assert rows_of_receiver(sandbox) == []
