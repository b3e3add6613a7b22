"""Timelines: each step as it was taken, with the events that told of it and how they were delivered."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from tests.telecom.sandbox.conftest import ADA, Sandbox
from tests.telecom.sandbox.pages.visitor import visitor
from tests.telecom.sandbox.recorder import Recorder

from telecom.magic_numbers import DESTINATIONS
from telecom.sandbox.database.tables import MESSAGES
from telecom.sandbox.delivery.webhook_setup import ENDPOINT_ID, Subscription
from telecom.sandbox.pages import delivery_views, timeline
from telecom.sandbox.pages.timeline import StepKind, Timeline
from telecom.sandbox.stores.message_store import Message, Progress
from telecom.sandbox.stores.pacing import Throughput
from telecom.signature import Secret, verify
from telecom.states import StateMachines

URL = "http://receiver.test:9000/hooks"
SECRETS = (Secret(b"the secret of now, 32 bytes long"), Secret(b"the secret before, 32 bytes long"))


@pytest.fixture
def sandbox_with_receiver(subscribe: Callable[[Subscription], Any]) -> Any:
    return subscribe(Subscription(account="ada", url=URL, secrets=SECRETS))


def send_message(sandbox: Sandbox, to: str = "+12025550123", **changes: Any) -> str:
    return str(sandbox.send({"to": to, "channel": "sms", "body": "Hello", **changes}).json()["id"])


def timeline_of(sandbox: Sandbox, message_id: str) -> Timeline:
    machines = StateMachines.read(sandbox.api)
    with sandbox.database.read() as connection:
        query = MESSAGES.select().where(MESSAGES.c.id == message_id, MESSAGES.c.account == "ada")
        row = connection.execute(query).mappings().one()
        told = delivery_views.events_about(connection, "ada", message_id)
    message = Message.of(row)
    return timeline.message_timeline(message, Progress.of(message, row), told, machines)


def steps(course: Timeline) -> list[tuple[StepKind, str | None, list[str]]]:
    return [(step.kind, step.status, [event.type for event in step.events]) for step in course.steps]


def test_message_on_its_way(sandbox: Sandbox) -> None:
    """What has happened, and when the next thing will, but not what."""
    course = timeline_of(sandbox, send_message(sandbox))

    assert [step.kind for step in course.steps] == [StepKind.ACCEPTED, StepKind.NEXT]
    assert course.steps[1].at == sandbox.clock() + timedelta(seconds=0.5)
    assert course.is_live


def test_message_that_arrived(sandbox: Sandbox) -> None:
    """Each step has its events; at the end nothing is awaited."""
    identifier = send_message(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step()
    course = timeline_of(sandbox, identifier)

    assert steps(course) == [
        (StepKind.ACCEPTED, "queued", []),
        (StepKind.MOVED, "sent", ["message.status_changed"]),
        (StepKind.FINAL, "delivered", ["message.status_changed", "message.delivery_receipt"]),
    ]
    assert not course.is_live
    assert ("Carrier status", "DELIVRD") in course.steps[2].facts


def test_queue_is_shown(sandbox: Sandbox) -> None:
    """With the moment at which the message leaves it."""
    sandbox.restart(throughput=Throughput(messages_per_s=1))
    send_message(sandbox)
    course = timeline_of(sandbox, send_message(sandbox))

    waits = course.steps[1]
    assert waits.kind is StepKind.WAITS
    assert "09:30:01.000" in waits.title


@pytest.mark.parametrize("to", sorted(DESTINATIONS))
def test_timeline_ends_as_the_message_did(sandbox: Sandbox, to: str) -> None:
    """For every magic number the last status is the message's, and no event is left over."""
    answer = sandbox.send({"to": to, "channel": "sms", "body": "Hello"})
    if answer.status_code != 202:
        return
    identifier = answer.json()["id"]
    sandbox.clock.forward(days=4)
    for _ in range(5):
        sandbox.step()
    course = timeline_of(sandbox, identifier)

    status = sandbox.get(f"/v1/messages/{identifier}").json()["status"]
    assert [step.status for step in course.steps if step.status][-1] == status
    assert StepKind.EVENT not in {step.kind for step in course.steps}
    assert not course.is_live


def test_samples_have_timelines(sandbox: Sandbox) -> None:
    """Nothing was reported of them: their times say what happened."""
    for item in sandbox.get("/v1/messages").json()["data"]:
        course = timeline_of(sandbox, item["id"])

        assert [step.status for step in course.steps if step.status][-1] == item["status"]


def test_calls_have_timelines(sandbox: Sandbox) -> None:
    """Those that were started here, and the samples."""
    number = sandbox.get("/v1/numbers").json()["data"][0]["number"]
    body = {"from": number, "to": "+12125550171", "flow": [{"action": "say", "text": "Hello"}]}
    started = sandbox.post("/v1/calls", body)
    assert started.status_code == 202, started.text
    reader = visitor(sandbox.app, ADA)
    before = reader.see(f"/_sandbox/calls/{started.json()['id']}")
    for _ in range(10):
        sandbox.clock.forward(seconds=10)
        sandbox.step()
    after = reader.see(f"/_sandbox/calls/{started.json()['id']}")

    assert "The next step is due." in before
    assert "data-live" in before
    assert "Initiated → busy." in after
    assert "call.detail_record" in after
    assert "data-live" not in after
    for item in sandbox.get("/v1/calls").json()["data"]:
        assert item["id"] in reader.see(f"/_sandbox/calls/{item['id']}")


def test_shown_signature_is_the_one_that_was_sent(sandbox_with_receiver: Any) -> None:
    """With both secrets of a rotation; the page has neither of them."""
    sandbox, recorder = sandbox_with_receiver, Recorder()
    identifier = send_message(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step(recorder)
    page = visitor(sandbox.app, ADA).see(f"/_sandbox/messages/{identifier}")

    received = next(
        request for request in recorder.requests if request.event["type"] == "message.delivery_receipt"
    )
    shown = headers_on(page)
    assert shown == {name: received.headers[name] for name in shown}
    assert len(shown["webhook-signature"].split()) == 2
    verify(received.body, shown, secrets=SECRETS, now=sandbox.clock())
    assert "Signed with the current secret and the previous secret" in page
    for secret in SECRETS:
        assert secret.reveal() not in page
        assert secret.reveal().removeprefix("whsec_") not in page


def test_signature_of_a_secret_that_is_gone_is_not_made_up(sandbox_with_receiver: Any) -> None:
    """It was sent, but nobody can say what it was."""
    sandbox = sandbox_with_receiver
    identifier = send_message(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step(Recorder())
    for _ in range(2):
        sandbox.clock.forward(days=2)
        made = sandbox.post(f"/v1/webhook-endpoints/{ENDPOINT_ID}/rotate-secret")
        assert made.is_success, made.text
    page = visitor(sandbox.app, ADA).see(f"/_sandbox/messages/{identifier}")

    assert "Signed with a secret that is gone" in page
    assert "webhook-timestamp" in page
    assert "v1," not in page


def test_attempts_are_shown_with_what_came_of_them(sandbox_with_receiver: Any) -> None:
    """When, to which address, what was answered, and when the next one is."""
    sandbox = sandbox_with_receiver
    identifier = send_message(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step(Recorder(answers=[(503, {})] * 5))
    page = visitor(sandbox.app, ADA).see(f"/_sandbox/messages/{identifier}")

    assert "Attempt 1" in page
    assert '<span class="dp-status dp-status--5">503</span>' in page
    assert html.escape(URL) in page
    assert "Next attempt:" in page
    assert "data-live>" in page


def test_redirect_and_end_of_trying_are_explained(sandbox_with_receiver: Any) -> None:
    """A redirect looks like an answer, and a delivery that was given up like one that goes on."""
    sandbox = sandbox_with_receiver
    identifier = send_message(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step(Recorder(answers=[(302, {"location": "http://elsewhere.test/"})] * 5))
    look = visitor(sandbox.app, ADA)
    before = look.see(f"/_sandbox/messages/{identifier}")
    sandbox.patch(f"/v1/webhook-endpoints/{ENDPOINT_ID}", {"enabled": False})
    after = look.see(f"/_sandbox/messages/{identifier}")

    assert '<span class="dp-status dp-status--4">302</span>' in before
    assert "Redirects are not followed: this attempt failed." in before
    assert "The endpoint was disabled or deleted" not in before
    assert "The endpoint was disabled or deleted: nothing more is sent." in after


def headers_on(page: str) -> dict[str, str]:
    """Return the headers of the first attempt on a page."""
    rows = re.findall(r"<dt><code>(webhook-[a-z]+)</code></dt><dd><code>([^<]*)</code>", page)
    return {name: html.unescape(value) for name, value in reversed(rows)}
