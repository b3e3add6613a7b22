"""Messages: accepted, reported on, read back; each account has its own."""

import json
from datetime import timedelta
from typing import Any

import pytest
from tests.telecom.sandbox.problem_names import problem_name

from devportal.contract import Api, Schema, Webhook
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from telecom.magic_numbers import DESTINATIONS, Destination
from telecom.receipts import MESSAGE_STATE_MACHINE, RECEIPT, STATUS_CHANGED, MessageStatus
from telecom.sandbox.database.tables import EVENTS, MESSAGES
from telecom.sandbox.stores import message_store
from telecom.sandbox.stores.message_store import next_report_due
from telecom.states import StateMachines

PICTURE = {"url": "https://media.example.com/tables/terrace.jpg", "content_type": "image/jpeg"}
RESULTS = {number: destination for number, destination in DESTINATIONS.items() if destination.refusal is None}
TO_FICTION = "+12025550123"


def sms(to: str = TO_FICTION, **parts: Any) -> dict[str, Any]:
    return {"to": to, "channel": "sms", "body": "Hello", **parts}


def send_accepted(sandbox: Any, body: dict[str, Any]) -> str:
    response = sandbox.send(body)
    assert response.status_code == 202, response.text
    return str(response.json()["id"])


def message(sandbox: Any, message_id: str, **arguments: Any) -> dict[str, Any]:
    document: dict[str, Any] = sandbox.get(f"/v1/messages/{message_id}", **arguments).json()
    return document


def events(sandbox: Any, message_id: str) -> list[dict[str, Any]]:
    """Return what was told of a message, in the order in which it was told."""
    query = EVENTS.select().where(EVENTS.c.subject == message_id).order_by(EVENTS.c.created_at)
    with sandbox.database.read() as connection:
        return [json.loads(row.body) for row in connection.execute(query)]


def nothing_is_due(sandbox: Any) -> bool:
    with sandbox.database.read() as connection:
        return next_report_due(connection) is None


def body_schema(webhook: Webhook) -> Schema:
    body = webhook.operations[0].request_body
    assert body is not None
    schema = body.content[0].schema
    assert schema is not None
    return schema


def let_time_pass(sandbox: Any, seconds: int = 12) -> None:
    """Let time pass second by second, and whatever is due happen."""
    for _ in range(2 * seconds):
        sandbox.clock.forward(seconds=0.5)
        while sandbox.step():
            pass


def test_accepted_message_can_be_read_back(sandbox: Any) -> None:
    """It is queued, and holds what was asked for."""
    message_id = send_accepted(sandbox, sms(body="Grüße 🎉", sender="Chez Ada"))

    assert message(sandbox, message_id) == {
        "id": message_id,
        "status": "queued",
        "final": False,
        "segments": 1,
        "to": TO_FICTION,
        "channel": "sms",
        "sent_as": None,
        "sender": "Chez Ada",
        "body": "Grüße 🎉",
        "encoding": "UCS-2",
        "carrier_status": None,
        "error_code": None,
        "created_at": "2026-11-21T09:30:00.000Z",
        "sent_at": None,
        "finished_at": None,
    }


def test_message_is_sent_and_then_delivered(sandbox: Any) -> None:
    """Half a second to the carrier, a second to the handset."""
    message_id = send_accepted(sandbox, sms())
    sandbox.clock.forward(seconds=0.5)
    sandbox.step()
    halfway = message(sandbox, message_id)
    sandbox.clock.forward(seconds=0.5)
    sandbox.step()
    arrived = message(sandbox, message_id)

    assert (halfway["status"], halfway["final"], halfway["carrier_status"]) == ("sent", False, "ACCEPTD")
    assert (halfway["sent_at"], halfway["finished_at"]) == ("2026-11-21T09:30:00.500Z", None)
    assert (arrived["status"], arrived["final"], arrived["carrier_status"]) == ("delivered", True, "DELIVRD")
    assert arrived["sent_at"] == "2026-11-21T09:30:00.500Z"
    assert arrived["finished_at"] == "2026-11-21T09:30:01.000Z"


def test_times_are_those_of_the_happening(sandbox: Any) -> None:
    """A sandbox that was not running catches up, and tells when things were due."""
    message_id = send_accepted(sandbox, sms())
    sandbox.clock.forward(hours=3)
    sandbox.step()

    assert message(sandbox, message_id)["finished_at"] == "2026-11-21T09:30:01.000Z"
    assert {event["timestamp"] for event in events(sandbox, message_id)} == {
        "2026-11-21T09:30:00.500Z",
        "2026-11-21T09:30:01.000Z",
    }


def test_pace_is_a_setting(sandbox: Any) -> None:
    """`--time-scale` makes the sandbox's second shorter."""
    sandbox.restart(settles_after=timedelta(milliseconds=10))
    message_id = send_accepted(sandbox, sms())
    sandbox.clock.forward(milliseconds=10)
    sandbox.step()

    assert message(sandbox, message_id)["status"] == "delivered"


@pytest.mark.parametrize(("number", "destination"), RESULTS.items(), ids=RESULTS)
def test_each_number_has_its_course(sandbox: Any, api: Api, number: str, destination: Destination) -> None:
    """In the end the message is where the last step led, and each step and each receipt was told."""
    message_id = send_accepted(sandbox, sms(number))
    let_time_pass(sandbox)

    found = message(sandbox, message_id)
    told = events(sandbox, message_id)
    changes = [item["data"] for item in told if item["type"] == STATUS_CHANGED]
    receipts = [item["data"] for item in told if item["type"] == RECEIPT]
    machine = StateMachines.read(api).of(MESSAGE_STATE_MACHINE)
    reported = {report.outcome.status: report.outcome for report in destination.reports}
    last = reported[MessageStatus(found["status"])]
    assert (found["carrier_status"], found["error_code"]) == (last.carrier, last.error)
    assert found["final"] == (found["status"] in machine.finals) == (found["finished_at"] is not None)
    assert [change["previous_status"] for change in changes] == [
        "queued",
        *(c["status"] for c in changes[:-1]),
    ]
    assert [change["sequence"] for change in changes] == list(range(1, len(changes) + 1))
    assert changes[-1]["status"] == found["status"]
    assert all(machine.allows(change["previous_status"], change["status"]) for change in changes)
    assert [receipt["status"] for receipt in receipts] == [
        report.outcome.status for report in destination.reports if report.is_receipt
    ]
    assert nothing_is_due(sandbox)


@pytest.mark.parametrize("number", RESULTS)
def test_events_keep_the_contract(sandbox: Any, api: Api, number: str) -> None:
    """Each event is one that the contract describes, on every channel."""
    validator = Validator(api)
    schemas = {webhook.name: body_schema(webhook) for webhook in api.webhooks}
    for channel in ("sms", "mms", "rcs"):
        message_id = send_accepted(sandbox, sms(number, channel=channel))
        let_time_pass(sandbox)

        told = events(sandbox, message_id)
        assert told
        for item in told:
            assert list(validator.violations(schemas[item["type"]], item, Direction.REQUEST)) == []
            assert (item["data"]["message_id"], item["data"]["channel"]) == (message_id, channel)


def test_receipt_that_comes_twice_changes_nothing(sandbox: Any) -> None:
    """Two receipts with the same time, one change of status."""
    message_id = send_accepted(sandbox, sms("+12025550191"))
    let_time_pass(sandbox)

    told = [
        (event["type"], event["timestamp"], event["data"]["status"]) for event in events(sandbox, message_id)
    ]
    assert told.count((RECEIPT, "2026-11-21T09:30:01.000Z", "delivered")) == 2
    assert len([item for item in told if item[0] == STATUS_CHANGED]) == 2


def test_late_receipt_changes_nothing(sandbox: Any) -> None:
    """What happened before tells its own time, and the message stays delivered."""
    message_id = send_accepted(sandbox, sms("+12025550194"))
    let_time_pass(sandbox)

    receipts = [event for event in events(sandbox, message_id) if event["type"] == RECEIPT]
    assert [(receipt["data"]["status"], receipt["timestamp"]) for receipt in receipts] == [
        ("delivered", "2026-11-21T09:30:01.000Z"),
        ("sent", "2026-11-21T09:30:00.500Z"),
    ]
    assert message(sandbox, message_id)["status"] == "delivered"


def test_events_of_one_moment_tell_their_order(sandbox: Any) -> None:
    """Where time does not pass, `sequence` does: it counts the steps, and is the same in both events."""
    sandbox.restart(settles_after=timedelta(0))
    arrived, filtered = send_accepted(sandbox, sms()), send_accepted(sandbox, sms("+12025550173"))
    while sandbox.step():
        pass

    told = [
        (event["type"], event["data"]["sequence"], event["data"]["status"], event["data"]["final"])
        for message_id in (arrived, filtered)
        for event in events(sandbox, message_id)
    ]
    assert sorted(told) == [
        (RECEIPT, 1, "rejected", True),
        (RECEIPT, 2, "delivered", True),
        (STATUS_CHANGED, 1, "rejected", True),
        (STATUS_CHANGED, 1, "sent", False),
        (STATUS_CHANGED, 2, "delivered", True),
    ]


def test_late_and_repeated_receipts_have_no_higher_number(sandbox: Any) -> None:
    """Whoever looks at `sequence` alone keeps what is true."""
    for number, expected in (("+12025550191", [2, 2]), ("+12025550194", [2, 1])):
        message_id = send_accepted(sandbox, sms(number))
        let_time_pass(sandbox)

        told = [event["data"] for event in events(sandbox, message_id) if event["type"] == RECEIPT]
        assert [item["sequence"] for item in told] == expected
        assert [item["final"] for item in told] == [item["status"] == "delivered" for item in told]


def test_report_and_events_are_one_transaction(sandbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an event cannot be written, the message does not move, and all is done again later."""
    message_id = send_accepted(sandbox, sms())
    sandbox.clock.forward(seconds=1)

    def fails(*_: Any) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(message_store, "add_events", fails)
        with pytest.raises(RuntimeError, match="killed here"):
            sandbox.step()
    before = message(sandbox, message_id)["status"]
    sandbox.step()

    assert (before, message(sandbox, message_id)["status"]) == ("queued", "delivered")
    assert len(events(sandbox, message_id)) == 3


@pytest.mark.deep
def test_many_messages_are_all_moved_on(sandbox: Any) -> None:
    """More than one step takes at once."""
    identifiers = [send_accepted(sandbox, sms()) for _ in range(120)]
    let_time_pass(sandbox, seconds=1)

    assert {message(sandbox, identifier)["status"] for identifier in identifiers} == {"delivered"}


def test_mms_carries_media_in_one_segment(sandbox: Any) -> None:
    """However long its text, an MMS is one segment and has no encoding."""
    asked = sms(channel="mms", body="ж" * 1530, media=[PICTURE] * 10)
    response = sandbox.send(asked)
    let_time_pass(sandbox, seconds=1)

    found = message(sandbox, response.json()["id"])
    assert response.json()["segments"] == found["segments"] == 1
    assert (found["sent_as"], found["encoding"], found["media"]) == ("mms", None, [PICTURE] * 10)


def test_rcs_falls_back_to_sms_where_asked_for(sandbox: Any) -> None:
    """The text goes out alone, and is cut as SMS."""
    rcs = {"agent": "chez_ada", "card": {"title": "Your table"}, "sms_fallback": True}
    message_id = send_accepted(sandbox, sms("+12025550192", channel="rcs", body="ж" * 71, rcs=rcs))
    accepted = message(sandbox, message_id)
    let_time_pass(sandbox, seconds=1)

    found = message(sandbox, message_id)
    assert (accepted["segments"], accepted["encoding"], accepted["sent_as"]) == (1, None, None)
    assert (found["segments"], found["encoding"], found["sent_as"]) == (2, "UCS-2", "sms")
    assert (found["channel"], found["status"], found["rcs"]) == ("rcs", "delivered", rcs)


def test_rcs_without_fallback_is_undelivered(sandbox: Any) -> None:
    """A handset without RCS gets nothing, and the code says why."""
    message_id = send_accepted(sandbox, sms("+12025550192", channel="rcs"))
    let_time_pass(sandbox, seconds=1)

    found = message(sandbox, message_id)
    assert (found["status"], found["error_code"]) == ("undelivered", "channel_not_supported")


@pytest.mark.parametrize(
    ("channel", "part", "value"),
    [("sms", "media", [PICTURE]), ("rcs", "media", [PICTURE]), ("sms", "rcs", {}), ("mms", "rcs", {})],
)
def test_part_of_another_channel_is_refused(sandbox: Any, channel: str, part: str, value: Any) -> None:
    """It would be lost on the way: the answer points at it."""
    response = sandbox.send(sms(channel=channel, **{part: value}))

    assert (response.status_code, problem_name(response)) == (422, "channel-mismatch")
    assert [error["pointer"] for error in response.json()["errors"]] == [f"#/{part}"]
    assert sandbox.count(MESSAGES) == 0


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ({"channel": "sms"}, 422),
        ({"channel": "mms"}, 202),
        ({"channel": "rcs"}, 202),
        ({"channel": "rcs", "rcs": {"sms_fallback": False}}, 202),
        ({"channel": "rcs", "rcs": {"sms_fallback": True}}, 422),
    ],
)
def test_segments_count_where_text_may_go_as_sms(sandbox: Any, parts: dict[str, Any], status: int) -> None:
    """671 units of UCS-2 are eleven segments, and one message of the other channels."""
    response = sandbox.send({**sms(body="ж" * 671), **parts})

    assert response.status_code == status
    assert status == 202 or problem_name(response) == "too-many-segments"


@pytest.mark.parametrize(
    ("sender", "channel", "sentence"),
    [
        ("+14155550199", "sms", "Your account does not have the number '+14155550199'."),
        ("+12025550141", "sms", "The number '+12025550141' does not have the feature sms."),
        ("+443069990140", "mms", "The number '+443069990140' does not have the feature mms."),
        ("+12025550141", "rcs", "The number '+12025550141' does not have the feature sms."),
    ],
)
def test_sender_has_to_be_a_number_of_the_account(
    sandbox: Any, sender: str, channel: str, sentence: str
) -> None:
    """A number that cannot send on this channel is refused in the words that calls have."""
    response = sandbox.send(sms(sender=sender, channel=channel))

    assert (response.status_code, problem_name(response)) == (409, "sender-not-usable")
    assert response.json()["errors"] == [{"detail": sentence, "pointer": "#/sender"}]
    assert sandbox.count(MESSAGES) == 0


@pytest.mark.parametrize(
    ("sender", "channel"),
    [("+12025550140", "mms"), ("+18005550199", "sms"), ("Chez Ada", "sms"), ("24680", "sms")],
)
def test_sender_of_the_account_is_accepted(sandbox: Any, sender: str, channel: str) -> None:
    """So is a name or a short code, of which the sandbox has no list."""
    assert message(sandbox, send_accepted(sandbox, sms(sender=sender, channel=channel)))["sender"] == sender


@pytest.mark.parametrize(("channel", "status"), [("sms", 202), ("mms", 422), ("rcs", 422)])
def test_channel_that_does_not_reach_is_refused(sandbox: Any, channel: str, status: int) -> None:
    """The answer names the channel and the destination."""
    response = sandbox.send(sms("+12025550193", channel=channel))

    assert response.status_code == status
    assert status == 202 or problem_name(response) == "unsupported-channel"


@pytest.mark.parametrize(
    ("number", "status", "problem"),
    [
        ("+12025550196", 429, "rate-limit-exceeded"),
        ("+12025550197", 500, "internal-error"),
        ("+12025550198", 503, "service-unavailable"),
    ],
)
def test_numbers_stand_for_problems(
    sandbox: Any, number: str, status: int, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is that of production, with its headers; nothing is stored, and nothing is an accident."""
    response = sandbox.send(sms(number))

    assert (response.status_code, problem_name(response)) == (status, problem)
    assert sandbox.count(MESSAGES) == 0
    assert "failed" not in caplog.text


def test_refused_message_leaves_its_key_free(sandbox: Any) -> None:
    """After a refusal the key can be used for a message that is right."""
    headers = {"Idempotency-Key": "key-1"}
    refused = sandbox.send(sms(media=[PICTURE]), headers=headers)
    accepted = sandbox.send(sms(), headers=headers)

    assert (refused.status_code, accepted.status_code) == (422, 202)


@pytest.mark.parametrize("message_id", ["msg_unknown", "call_1", "msg_", "x" * 100])
def test_unknown_message_is_not_found(sandbox: Any, message_id: str) -> None:
    """Whatever the reason, there is nothing under this identifier."""
    response = sandbox.get(f"/v1/messages/{message_id}")

    assert (response.status_code, problem_name(response)) == (404, "not-found")


def test_messages_of_others_are_not_there(sandbox: Any) -> None:
    """Neither one by one nor in the list."""
    message_id = send_accepted(sandbox, sms())

    response = sandbox.get(f"/v1/messages/{message_id}", token="token-of-bob")
    listed = sandbox.get("/v1/messages", token="token-of-bob").json()["data"]
    assert response.status_code == 404
    assert message_id not in {item["id"] for item in listed}


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/msg_01kaj9y2m4t8w3x6z5b7c9d0ef"])
def test_reading_needs_its_scope(sandbox: Any, path: str) -> None:
    """A token that may not read is told which scope it lacks."""
    response = sandbox.get(path, token="token-without-scope")

    assert (response.status_code, problem_name(response)) == (403, "insufficient-scope")
    assert 'scope="messages:read"' in response.headers["WWW-Authenticate"]


def test_list_is_newest_first(sandbox: Any) -> None:
    """A message just sent is on top."""
    older = send_accepted(sandbox, sms())
    sandbox.clock.forward(seconds=5)
    newer = send_accepted(sandbox, sms())

    listed = sandbox.get("/v1/messages?created_after=2026-11-21T09:30:00Z").json()["data"]
    assert [item["id"] for item in listed if item["id"] in {older, newer}] == [newer, older]
    assert [item["created_at"] for item in listed] == sorted(
        (item["created_at"] for item in listed), reverse=True
    )


def message_ids(sandbox: Any, query: str) -> set[str]:
    page = sandbox.get(f"/v1/messages?limit=100&{query}").json()
    assert page["next_cursor"] is None
    return {item["id"] for item in page["data"]}


def test_filters_can_be_combined(sandbox: Any) -> None:
    """A message has to fit all of them."""
    sandbox.clock.forward(days=1)
    arrived, switched_off = send_accepted(sandbox, sms()), send_accepted(sandbox, sms("+12025550171"))
    picture = send_accepted(sandbox, sms("+12025550171", channel="mms"))
    let_time_pass(sandbox, seconds=1)
    waiting = send_accepted(sandbox, sms("+12025550171"))
    mine = {arrived, switched_off, picture, waiting}

    assert message_ids(sandbox, "status=queued") & mine == {waiting}
    assert message_ids(sandbox, "channel=mms") & mine == {picture}
    assert message_ids(sandbox, "to=%2B12025550171") & mine == {switched_off, picture, waiting}
    assert message_ids(sandbox, "status=undelivered&to=%2B12025550171&channel=sms") & mine == {switched_off}
    assert message_ids(sandbox, "created_after=2026-11-22T00:00:00Z") == mine
    assert message_ids(sandbox, "created_before=2026-11-22T00:00:00Z") & mine == set()


def test_span_has_its_start_and_not_its_end(sandbox: Any) -> None:
    """Two spans that touch hold each message once."""
    sandbox.clock.forward(days=1)
    message_id = send_accepted(sandbox, sms())
    noon = "2026-11-22T09:30:00Z"

    assert message_id in message_ids(sandbox, f"created_after={noon}")
    assert message_id not in message_ids(sandbox, f"created_before={noon}")


@pytest.mark.parametrize(
    ("query", "is_in"),
    [
        ("created_after=0000-01-01T00:00:00Z", True),
        ("created_before=0000-01-01T00:00:00Z", False),
        ("created_before=9999-12-31T23:59:60Z", True),
        ("created_after=9999-12-31T23:59:60Z", False),
        ("created_before=2026-11-22T23:59:60Z", True),
        ("created_after=2026-11-22T23:59:60Z", False),
        ("created_after=2026-11-21T23:59:60Z", True),
    ],
)
def test_span_may_end_wherever_rfc_3339_has_a_time(sandbox: Any, query: str, *, is_in: bool) -> None:
    """Leap seconds and the year 0 are times (RFC 3339 §5.6), though no clock of ours shows them."""
    sandbox.clock.forward(days=1)
    message_id = send_accepted(sandbox, sms())

    assert (message_id in message_ids(sandbox, query)) == is_in


@pytest.mark.parametrize(
    "query",
    [
        "status=lost",
        "channel=fax",
        "to=12025550123",
        "to=+12025550123",
        "created_after=yesterday",
        "created_before=2026-12-31T12:59:60Z",
        "created_after=2026-02-30T00:00:00Z",
    ],
)
def test_filter_without_its_form_is_refused(sandbox: Any, query: str) -> None:
    """The answer names the parameter; a bare plus sign in an address is a space."""
    response = sandbox.get(f"/v1/messages?{query}")

    assert (response.status_code, problem_name(response)) == (400, "invalid-parameter")
    assert repr(query.partition("=")[0]) in response.json()["detail"]


def test_samples_of_the_reference_are_there(sandbox: Any, api: Api) -> None:
    """Each message that the reference shows is answered as it is shown, to each account."""
    operation = next(operation for operation in api.operations if operation.id == "retrieveMessage")
    shown = [example.value for example in operation.successes[0].content[0].examples]

    assert len(shown) > 3
    for token in ("token-of-ada", "token-of-bob"):
        assert [message(sandbox, item["id"], token=token) for item in shown] == shown


def test_samples_are_made_anew_at_each_start(sandbox: Any) -> None:
    """Nothing is there twice, and nothing that was planned for a sample happens to the new one."""
    before = sandbox.get("/v1/messages").json()
    sandbox.restart()

    assert sandbox.get("/v1/messages").json() == before


def test_samples_are_true_to_the_sandbox(sandbox: Any, api: Api) -> None:
    """Sent once more, each of them ends as the reference shows it."""
    operation = next(operation for operation in api.operations if operation.id == "retrieveMessage")
    asked = {api_property.name for api_property in api_properties(api, "NewMessage")}
    for example in operation.successes[0].content[0].examples:
        shown = example.value
        request = {name: value for name, value in shown.items() if name in asked and value is not None}
        message_id = send_accepted(sandbox, request)
        let_time_pass(sandbox, seconds=1)

        found = message(sandbox, message_id)
        ours = {"id", "created_at", "sent_at", "finished_at"}
        assert {k: v for k, v in found.items() if k not in ours} == {
            k: v for k, v in shown.items() if k not in ours
        }, example.name


def api_properties(api: Api, name: str) -> Any:
    return next(schema.properties for location, schema in api.schemas.items() if location.pointer[-1] == name)
