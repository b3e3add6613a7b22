"""The operations of the control API, each held against its contract."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.telecom.sandbox.conftest import ADA, HELLO, UNSCOPED
from tests.telecom.sandbox.control.conftest import NOTHING, OPERATOR, START
from tests.telecom.sandbox.problem_names import problem_name
from tests.telecom.sandbox.recorder import Recorder

from devportal.serving.clock import LATEST, ClockMode
from telecom.calls import CALL_OUTCOMES
from telecom.magic_numbers import DESTINATIONS
from telecom.sandbox.clock import ClockOptions
from telecom.sandbox.database.tables import EVENTS, IDEMPOTENCY, MESSAGES

PATHS = [
    ("GET", "/clock"),
    ("PUT", "/clock"),
    ("POST", "/clock/advance"),
    ("GET", "/due"),
    ("POST", "/reset"),
    ("GET", "/destinations"),
]


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize("token", [ADA, UNSCOPED])
def test_no_token_of_a_customer_controls(controlled_sandbox: Any, method: str, path: str, token: str) -> None:
    """One with every scope of the API has not the one of its control."""
    refused = controlled_sandbox.ask(method, path, token=token)

    assert refused.status_code == 403
    assert 'scope="sandbox:control"' in refused.headers["WWW-Authenticate"]


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_control_needs_a_token(controlled_sandbox: Any, method: str, path: str) -> None:
    """A made-up one is none."""
    assert controlled_sandbox.ask(method, path, token="made-up-token").status_code == 401


def test_the_token_of_control_does_nothing_else(controlled_sandbox: Any) -> None:
    """It has no scope of the simulated API."""
    assert controlled_sandbox.sandbox.send(token=OPERATOR).status_code == 403


def test_control_can_be_left_out(controlled_sandbox: Any) -> None:
    """Then its paths are like any that nobody has."""
    controlled_sandbox.start(control=None)

    assert controlled_sandbox.sandbox.get("/_sandbox/clock", token=OPERATOR).status_code == 404


def test_unknown_paths_below_are_nobodys(controlled_sandbox: Any) -> None:
    """They are answered as elsewhere."""
    assert controlled_sandbox.sandbox.get("/_sandbox/clocks", token=OPERATOR).status_code == 404


def test_methods_are_those_of_the_contract(controlled_sandbox: Any) -> None:
    """HEAD comes with GET, OPTIONS tells what there is, and others are refused."""
    assert controlled_sandbox.ask("HEAD", "/clock").status_code == 200
    assert controlled_sandbox.ask("OPTIONS", "/clock").headers["Allow"] == "GET, HEAD, OPTIONS, PUT"
    assert controlled_sandbox.ask("DELETE", "/clock").status_code == 405
    assert controlled_sandbox.ask("GET", "/clock/advance").status_code == 405


def test_clock_stands_still(controlled_sandbox: Any) -> None:
    """However much real time passes; nothing is due at the beginning."""
    controlled_sandbox.sandbox.clock.forward(hours=5)

    assert controlled_sandbox.ask("GET", "/clock").json() == {
        "mode": "manual",
        "speed": 0,
        "now": "2027-01-01T00:00:00.000Z",
        "next_due_at": None,
    }


@pytest.mark.parametrize(
    ("body", "passed"),
    [
        ({"seconds": 0}, timedelta(0)),
        ({"seconds": 1.5}, timedelta(seconds=1.5)),
        ({"by": "PT75H"}, timedelta(hours=75)),
        ({"by": "P1W2DT3H4M5.006S"}, timedelta(days=9, hours=3, minutes=4, seconds=5.006)),
        ({"to": "2027-01-01T00:00:00Z"}, timedelta(0)),
        ({"to": "2027-01-02T01:00:00+01:00"}, timedelta(days=1)),
    ],
)
def test_clock_is_advanced(controlled_sandbox: Any, body: dict[str, Any], passed: timedelta) -> None:
    """By so much, or to a moment; where nothing is due, nothing happens."""
    answer = controlled_sandbox.advance(**body)

    assert answer["advanced_s"] == passed.total_seconds()
    assert answer["reached"] is True
    assert answer["happened"] == NOTHING
    assert answer["under_way"] == []
    assert controlled_sandbox.now() == START + passed


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"seconds": 1, "by": "PT1S"},
        {"seconds": -1},
        {"seconds": "1"},
        {"by": "P1M"},
        {"by": "PT"},
        {"by": "1 hour"},
        {"to": "tomorrow"},
        {"to": "3000-01-01T00:00:00Z"},
        {"to": "0000-01-01T00:00:00Z"},
        {"to_next": "message_id"},
        {"days": 1},
    ],
)
def test_other_advances_are_refused(controlled_sandbox: Any, body: dict[str, Any]) -> None:
    """The time stays as it is."""
    refused = controlled_sandbox.ask("POST", "/clock/advance", json=body)

    assert refused.status_code == 422
    assert problem_name(refused) == "validation-failed"
    assert controlled_sandbox.now() == START


def test_time_has_an_end(controlled_sandbox: Any) -> None:
    """What is due after it could not be written; up to it all goes well."""
    controlled_sandbox.advance(to=LATEST.isoformat())
    refused = [
        controlled_sandbox.ask("POST", "/clock/advance", json=body)
        for body in ({"seconds": 0.001}, {"by": "P9999W99999DT999999H"}, {"to": "2999-12-31T00:00:01Z"})
    ]

    assert [item.status_code for item in refused] == [409] * 3
    assert all("ends at 2999-12-31" in item.json()["detail"] for item in refused)
    assert controlled_sandbox.sandbox.send().status_code == 202
    assert controlled_sandbox.now() == LATEST


def test_time_never_goes_back(controlled_sandbox: Any) -> None:
    """The refusal says what time it is."""
    refused = controlled_sandbox.ask("POST", "/clock/advance", json={"to": "2026-12-31T23:59:59Z"})

    assert refused.status_code == 409
    assert problem_name(refused) == "state-conflict"
    assert "It is 2027-01-01T00:00:00.000Z" in refused.json()["detail"]
    assert controlled_sandbox.advance(seconds=1)["reached"] is True, "the time is not held any longer"


def test_every_request_after_an_advance_has_the_new_time(controlled_sandbox: Any) -> None:
    """A message, its events and the key of its request go by it."""
    controlled_sandbox.advance(by="P10D")
    sent = controlled_sandbox.sandbox.send(headers={"Idempotency-Key": "one"}).json()
    message = controlled_sandbox.sandbox.get(f"/v1/messages/{sent['id']}").json()
    controlled_sandbox.advance(seconds=1)
    events = controlled_sandbox.sandbox.get("/v1/events", params={"subject": sent["id"]}).json()["data"]

    assert message["created_at"] == "2027-01-11T00:00:00.000Z"
    assert {event["created_at"] for event in events} == {
        "2027-01-11T00:00:00.500Z",
        "2027-01-11T00:00:01.000Z",
    }
    assert [item["at"] for item in controlled_sandbox.ask("GET", "/due").json()["data"]] == [
        "2027-01-12T00:00:00.000Z"
    ]


def test_idempotency_key_is_forgotten_after_a_day(controlled_sandbox: Any) -> None:
    """A moment before, the same message is answered; then the key is free."""
    key = {"headers": {"Idempotency-Key": "one"}}
    first = controlled_sandbox.sandbox.send(**key).json()["id"]
    controlled_sandbox.advance(seconds=86_399.9)
    again = controlled_sandbox.sandbox.send(**key).json()["id"]
    answer = controlled_sandbox.advance(seconds=0.1)
    other = controlled_sandbox.sandbox.send(**key).json()["id"]

    assert again == first
    assert other != first
    assert answer["happened"] == {**NOTHING, "idempotency_key": 1}


def test_speed_can_be_set(controlled_sandbox: Any) -> None:
    """Time goes on from where it is, and stands still from where it has come to."""
    controlled_sandbox.advance(seconds=60)
    running = controlled_sandbox.ask("PUT", "/clock", json={"mode": "running", "speed": 60}).json()
    controlled_sandbox.sandbox.clock.forward(seconds=10)
    controlled_sandbox.sandbox.send()
    standing = controlled_sandbox.ask("PUT", "/clock", json={"mode": "manual"}).json()
    controlled_sandbox.sandbox.clock.forward(hours=1)

    assert running == {"mode": "running", "speed": 60, "now": "2027-01-01T00:01:00.000Z", "next_due_at": None}
    assert standing["now"] == "2027-01-01T00:11:00.000Z"
    assert standing["next_due_at"] == "2027-01-01T00:11:00.500Z"
    assert controlled_sandbox.now() == START + timedelta(minutes=11)


def test_running_time_is_as_fast_as_real_time_unless_told(controlled_sandbox: Any) -> None:
    """The speed may be left out."""
    assert controlled_sandbox.ask("PUT", "/clock", json={"mode": "running"}).json()["speed"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {"mode": "real"},
        {"mode": "running", "speed": 0},
        {"mode": "running", "speed": 86_401},
        {"mode": "manual", "speed": 1},
        {"speed": 1},
    ],
)
def test_other_settings_are_refused(controlled_sandbox: Any, body: dict[str, Any]) -> None:
    """The clock stays as it is."""
    assert controlled_sandbox.ask("PUT", "/clock", json=body).status_code == 422
    assert controlled_sandbox.ask("GET", "/clock").json()["mode"] == "manual"


def test_running_time_can_be_advanced(controlled_sandbox: Any) -> None:
    """It runs on from there, and what became due has happened."""
    controlled_sandbox.ask("PUT", "/clock", json={"mode": "running", "speed": 60})
    controlled_sandbox.sandbox.send()
    answer = controlled_sandbox.advance(by="PT1H")
    controlled_sandbox.sandbox.clock.forward(seconds=1)

    assert answer["happened"] == {**NOTHING, "message": 2}
    assert controlled_sandbox.now() == START + timedelta(hours=1, minutes=1)


def test_real_time_is_not_moved(controlled_sandbox: Any) -> None:
    """The sandbox says how to start it so that it can be."""
    controlled_sandbox.sandbox.clock.now = START + timedelta(days=1)
    controlled_sandbox.start(ClockOptions())
    refused = [
        controlled_sandbox.ask("PUT", "/clock", json={"mode": "manual"}),
        controlled_sandbox.ask("POST", "/clock/advance", json={"seconds": 1}),
    ]

    assert [item.status_code for item in refused] == [409, 409]
    assert all("--clock manual" in item.json()["detail"] for item in refused)
    assert controlled_sandbox.ask("GET", "/clock").json()["mode"] == "real"
    assert controlled_sandbox.now() == controlled_sandbox.sandbox.clock()


def test_what_is_due_is_listed(listening: Any) -> None:
    """Of each kind, of all accounts, the first in front; each kind by itself too."""
    listening.sandbox.send(headers={"Idempotency-Key": "one"})
    listening.advance(seconds=1)
    sent = listening.sandbox.send().json()["id"]
    listed = listening.ask("GET", "/due").json()

    assert [(item["at"][11:], item["what"], item["account"]) for item in listed["data"]] == [
        ("00:00:01.500Z", "message", "ada"),
        ("00:00:00.000Z", "idempotency_key", "ada"),
    ]
    assert listed["data"][0]["id"] == sent
    assert listed["data"][1]["id"] == "one"
    assert listed["waiting"] == {**NOTHING, "message": 1, "idempotency_key": 1}
    keys = listening.ask("GET", "/due", params={"what": "idempotency_key"}).json()["data"]
    assert keys == listed["data"][1:]
    assert listening.ask("GET", "/due", params={"limit": 1}).json()["data"] == listed["data"][:1]
    assert listening.ask("GET", "/due", params={"limit": 0}).status_code == 400
    assert listening.ask("GET", "/due", params={"what": "receipt"}).status_code == 400


def test_a_webhook_that_is_due_says_where_it_goes(listening: Any) -> None:
    """After a failed attempt."""
    listening.receiver = Recorder(answers=[(500, {})])
    listening.sandbox.send()
    listening.advance(seconds=1)
    (due,) = listening.ask("GET", "/due").json()["data"]

    assert due["at"] == "2027-01-01T00:00:06.000Z"
    assert due["what"] == "webhook"
    assert due["id"].startswith("evt_")
    assert due["webhook_endpoint_id"] == "we_command_line"
    assert due["under_way"] is False


def test_reset_brings_the_samples_back(listening: Any) -> None:
    """What was made is gone, what was there at the beginning is there; tokens and time stay."""
    listening.sandbox.send(headers={"Idempotency-Key": "one"})
    listening.advance(by="P1DT1H")
    listening.sandbox.send(headers={"Idempotency-Key": "two"})
    answer = listening.ask("POST", "/reset")
    again = listening.sandbox.send(headers={"Idempotency-Key": "two"})

    assert answer.status_code == 204
    assert again.status_code == 202, "the token is good, and the key is free"
    assert listening.now() == START + timedelta(days=1, hours=1)
    assert listening.sandbox.count(MESSAGES) == 1
    assert listening.sandbox.count(EVENTS) == 0
    assert listening.sandbox.count(IDEMPOTENCY) == 1
    answer = listening.advance(seconds=1)
    assert answer["happened"] == {**NOTHING, "message": 2, "webhook": 1}, "the receiver is subscribed again"


def test_destinations_are_those_that_the_sandbox_plays_from(controlled_sandbox: Any) -> None:
    """Each comes to the end that is told, and each refusal is the one that is told."""
    told = controlled_sandbox.ask("GET", "/destinations").json()
    sent: dict[str, Any] = {}
    for message in told["messages"]:
        body = {**HELLO, "to": message["to"] or HELLO["to"]}
        answer = controlled_sandbox.sandbox.send(body)
        if "sms" in message["refused_channels"]:
            assert problem_name(answer) == message["refused_with"]
        else:
            sent[answer.json()["id"]] = (message["status"], message["error_code"])
    controlled_sandbox.advance(by="PT1M")
    ends = {name: controlled_sandbox.sandbox.get(f"/v1/messages/{name}").json() for name in sent}

    assert [message["to"] for message in told["messages"]] == [*DESTINATIONS, None]
    assert [call["to"] for call in told["calls"]] == [*CALL_OUTCOMES, None]
    assert {name: (end["status"], end["error_code"]) for name, end in ends.items()} == sent


def test_quota_is_counted_in_real_time(controlled_sandbox: Any) -> None:
    """Time of the sandbox renews none; a real minute does."""
    controlled_sandbox.ask("PUT", "/clock", json={"mode": "running", "speed": 60})
    before = controlled_sandbox.sandbox.send().headers["RateLimit"]
    controlled_sandbox.advance(by="PT10M")
    after = controlled_sandbox.sandbox.send().headers["RateLimit"]
    controlled_sandbox.sandbox.clock.forward(seconds=60)
    renewed = controlled_sandbox.sandbox.send().headers["RateLimit"]

    assert [item.split(";")[1] for item in (before, after, renewed)] == ["r=5999", "r=5998", "r=5999"]


def test_a_restart_goes_on_where_the_time_was(controlled_sandbox: Any) -> None:
    """With the same options, and with another speed."""
    controlled_sandbox.advance(by="P3D")
    controlled_sandbox.start()
    same = controlled_sandbox.now()
    controlled_sandbox.start(ClockOptions(mode=ClockMode.RUNNING, speed=10))
    controlled_sandbox.sandbox.clock.forward(seconds=6)

    assert same == START + timedelta(days=3)
    assert controlled_sandbox.now() == datetime(2027, 1, 4, 0, 1, tzinfo=UTC)
