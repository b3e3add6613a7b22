"""Calls in the sandbox: started, moved along in time with an event for each step, read back."""

import json
from datetime import timedelta
from typing import Any

import pytest
from tests.telecom.sandbox.conftest import ADA, BOB, UNSCOPED

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from telecom.calls import RATE_LIMITED_NUMBER
from telecom.sandbox.database.tables import EVENTS
from telecom.sandbox.stores import call_store as storage
from telecom.sandbox.stores.call_store import CALLS

HOME = "+12025550140"
TEXT_ONLY = "+18005550199"
ANYBODY = "+12025550123"
NEW: dict[str, Any] = {"to": ANYBODY, "from": HOME, "flow": [{"action": "pause", "seconds": 3}]}


def start(sandbox: Any, **changes: Any) -> dict[str, Any]:
    response = sandbox.post("/v1/calls", {**NEW, **changes})
    assert response.status_code == 202, response.text
    started: dict[str, Any] = response.json()
    return started


def wait(sandbox: Any, **parts: float) -> None:
    """Let time pass, and the courier do all that is due."""
    sandbox.clock.forward(**parts)
    while sandbox.step():
        pass


def read(sandbox: Any, call_id: str) -> dict[str, Any]:
    found: dict[str, Any] = sandbox.get(f"/v1/calls/{call_id}").json()
    return found


def events(sandbox: Any, call_id: str) -> list[dict[str, Any]]:
    query = EVENTS.select().where(EVENTS.c.subject == call_id).order_by(EVENTS.c.id)
    with sandbox.database.read() as connection:
        found = [json.loads(row.body) for row in connection.execute(query)]
    return sorted(found, key=lambda item: (item["timestamp"], item["type"] == "call.detail_record"))


def call_ids(sandbox: Any, query: str = "", *, token: str = ADA) -> list[str]:
    response = sandbox.get("/v1/calls" + query, token=token)
    assert response.status_code == 200, response.text
    return [item["id"] for item in response.json()["data"]]


def test_accepted_call_is_queued(sandbox: Any) -> None:
    """It has its identifier, who calls whom, and nothing that only time can tell."""
    call = start(sandbox, reference="appointment-4711")

    assert call == {
        "id": call["id"],
        "direction": "outbound",
        "from": HOME,
        "to": ANYBODY,
        "status": "queued",
        "reference": "appointment-4711",
        "flow": NEW["flow"],
        "ring_timeout_s": 30,
        "machine_detection": "off",
        "answered_by": None,
        "created_at": "2026-11-21T09:30:00.000Z",
        "answered_at": None,
        "ended_at": None,
        "duration_s": None,
        "billed_s": None,
        "end_cause": None,
        "sip_code": None,
    }
    assert read(sandbox, call["id"]) == call


def test_call_returns_what_was_asked(sandbox: Any) -> None:
    """From the first answer to the end."""
    asked = {"flow": NEW["flow"] * 2, "ring_timeout_s": 45, "machine_detection": "report"}
    started = start(sandbox, **asked)
    wait(sandbox, seconds=60)

    for call in (started, read(sandbox, started["id"])):
        assert {name: call[name] for name in asked} == asked


def test_call_goes_its_way_in_time(sandbox: Any) -> None:
    """Dialled after a second, ringing after two, answered after four, ended after the flow."""
    call_id = start(sandbox)["id"]
    seen = []
    for _ in range(8):
        seen.append(read(sandbox, call_id)["status"])
        wait(sandbox, seconds=1)

    assert seen == ["queued", "initiated", "ringing", "ringing", *["in_progress"] * 3, "completed"]


def test_ended_call_tells_how_it_went(sandbox: Any) -> None:
    """Times, seconds and causes agree with each other."""
    call_id = start(sandbox)["id"]
    wait(sandbox, seconds=30)

    call = read(sandbox, call_id)

    assert (call["answered_at"], call["ended_at"]) == ("2026-11-21T09:30:04.000Z", "2026-11-21T09:30:07.000Z")
    assert (call["duration_s"], call["billed_s"]) == (3, 3)
    assert (call["status"], call["end_cause"], call["sip_code"]) == ("completed", "flow_ended", 200)


def test_each_step_is_an_event_and_the_end_a_record(sandbox: Any, api: Api) -> None:
    """Events keep the contract, count the steps from 1, and the record is the last of them."""
    call_id = start(sandbox, reference="r-1", machine_detection="report")["id"]
    wait(sandbox, seconds=30)

    *changes, record = events(sandbox, call_id)

    assert [change["type"] for change in changes] == ["call.status_changed"] * 4
    assert [
        (change["data"]["sequence"], change["data"]["previous_status"], change["data"]["status"])
        for change in changes
    ] == [
        (1, "queued", "initiated"),
        (2, "initiated", "ringing"),
        (3, "ringing", "in_progress"),
        (4, "in_progress", "completed"),
    ]
    assert record["type"] == "call.detail_record"
    assert record["data"]["billing_increment"] == "1/1"
    assert record["timestamp"] == record["data"]["ended_at"]
    shown = read(sandbox, call_id)
    asked = {name: shown.pop(name) for name in ("flow", "ring_timeout_s", "machine_detection")}
    assert {**record["data"], "id": call_id} == {**shown, "call_id": call_id, "billing_increment": "1/1"}
    assert asked == {"flow": NEW["flow"], "ring_timeout_s": 30, "machine_detection": "report"}
    validator = Validator(api)
    schemas = {webhook.name: webhook.operations[0].request_body for webhook in api.webhooks}
    for event in (*changes, record):
        body = schemas[event["type"]]
        assert body is not None
        assert body.content[0].schema is not None
        assert list(validator.violations(body.content[0].schema, event, Direction.REQUEST)) == []


@pytest.mark.parametrize(
    ("number", "status", "cause", "sip_code"),
    [
        ("+12125550171", "busy", "busy", 486),
        ("+12125550172", "no_answer", "no_answer", 487),
        ("+12125550173", "rejected", "rejected", 603),
        ("+12125550174", "failed", "no_route", None),
        ("+12125550175", "failed", "unknown_number", 404),
        ("+12125550176", "failed", "unreachable", 480),
    ],
)
def test_call_that_nobody_answers_has_a_record_without_seconds(
    sandbox: Any, number: str, status: str, cause: str, sip_code: int | None
) -> None:
    """The number that is called decides why."""
    call_id = start(sandbox, to=number)["id"]
    wait(sandbox, seconds=60)

    record = events(sandbox, call_id)[-1]["data"]

    assert (record["status"], record["end_cause"], record["sip_code"]) == (status, cause, sip_code)
    assert (record["answered_at"], record["duration_s"], record["billed_s"]) == (None, 0, 0)
    assert record["ended_at"] is not None


def test_voicemail_is_left_by_a_dialer(sandbox: Any) -> None:
    """The call ends when the machine is heard, and its seconds are billed."""
    call_id = start(sandbox, to="+12125550177", machine_detection="hang_up")["id"]
    wait(sandbox, seconds=5)
    during = read(sandbox, call_id)
    wait(sandbox, seconds=30)
    after = read(sandbox, call_id)

    assert (during["status"], during["answered_by"]) == ("in_progress", None)
    assert (after["answered_by"], after["end_cause"], after["billed_s"]) == ("machine", "machine_detected", 3)


def test_fast_sandbox_tells_the_same_story(sandbox: Any) -> None:
    """Whatever the scale of time, a record agrees with itself."""
    sandbox.restart(settles_after=timedelta(milliseconds=10))
    call_id = start(sandbox)["id"]
    wait(sandbox, milliseconds=70)

    call = read(sandbox, call_id)

    assert (call["answered_at"], call["ended_at"]) == ("2026-11-21T09:30:04.000Z", "2026-11-21T09:30:07.000Z")
    assert call["duration_s"] == 3


def test_step_and_its_events_are_one_transaction(sandbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox that is killed between the two takes the whole step at its next start, once."""
    call_id = start(sandbox)["id"]
    sandbox.clock.forward(seconds=1)

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(storage, "add_events", fails)
        with pytest.raises(RuntimeError, match="killed here"):
            sandbox.step()
    before = read(sandbox, call_id)["status"]
    sandbox.restart()
    wait(sandbox, seconds=0)

    assert before == "queued"
    assert [event["data"]["status"] for event in events(sandbox, call_id)] == ["initiated"]


@pytest.mark.parametrize(
    ("caller", "sentence"),
    [
        ("+14155550199", "Your account does not have the number '+14155550199'."),
        (TEXT_ONLY, f"The number '{TEXT_ONLY}' does not have the feature voice."),
    ],
)
def test_caller_has_to_be_a_number_of_the_account_with_voice(
    sandbox: Any, caller: str, sentence: str
) -> None:
    """Nothing is dialled otherwise, and the fault points to the field."""
    before = sandbox.count(CALLS)

    response = sandbox.post("/v1/calls", {**NEW, "from": caller})

    assert response.status_code == 409
    assert response.json()["type"].endswith("/caller-not-usable/")
    assert response.json()["errors"] == [{"detail": sentence, "pointer": "#/from"}]
    assert sandbox.count(CALLS) == before


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"flow": []}, "#/flow"),
        ({"flow": [{"action": "pause", "seconds": 1}] * 21}, "#/flow"),
        ({"flow": [{"action": "pause", "seconds": 61}]}, "#/flow/0/seconds"),
        ({"ring_timeout_s": 4}, "#/ring_timeout_s"),
        ({"ring_timeout_s": 121}, "#/ring_timeout_s"),
        ({"machine_detection": False}, "#/machine_detection"),
        ({"reference": "with a space"}, "#/reference"),
        ({"to": "2025550123"}, "#/to"),
    ],
)
def test_body_that_does_not_fit_is_refused_with_its_place(
    sandbox: Any, changes: dict[str, Any], pointer: str
) -> None:
    """Each bound of the contract holds."""
    response = sandbox.post("/v1/calls", {**NEW, **changes})

    assert response.status_code == 422
    assert response.json()["type"].endswith("/validation-failed/")
    assert pointer in {error["pointer"] for error in response.json()["errors"]}


@pytest.mark.parametrize("number", ["3", "3.0", "3e0", "0.3E+1"])
def test_whole_number_is_an_integer_however_it_is_written(sandbox: Any, number: str) -> None:
    """It is the same request for a key, and comes back as clients read it that have integers only."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": "order-4711"}
    content = json.dumps(NEW).replace("3}", f"{number}}}").encode()
    first = sandbox.post("/v1/calls", NEW, headers={"Idempotency-Key": "order-4711"})

    again = sandbox.post("/v1/calls", headers=headers, content=content)

    assert number.encode() in content
    assert again.status_code == 202
    assert again.text == first.text
    assert '"seconds": 3}' in again.text


def test_too_many_calls_per_second_are_shown_by_a_number(sandbox: Any) -> None:
    """429 names the policy and says when to try again."""
    response = sandbox.post("/v1/calls", {**NEW, "to": RATE_LIMITED_NUMBER})

    assert response.status_code == 429
    assert response.headers["Retry-After"] == "1"
    assert response.headers["RateLimit-Policy"] == '"calls-per-second";q=1;w=1'


def test_repeated_request_makes_one_call(sandbox: Any) -> None:
    """The answer is replayed under the same key, and another body is refused."""
    key = {"Idempotency-Key": "one-call"}
    first = sandbox.post("/v1/calls", NEW, headers=key)
    wait(sandbox, seconds=30)
    again = sandbox.post("/v1/calls", NEW, headers=key)
    other = sandbox.post("/v1/calls", {**NEW, "to": "+12125550171"}, headers=key)

    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert other.status_code == 422
    assert other.json()["type"].endswith("/idempotency-key-reused/")
    assert call_ids(sandbox, "?created_after=2026-11-21T09:30:00Z&to=%2B12025550123").count(
        first.json()["id"]
    ) == (1)


def test_calls_of_others_are_not_found(sandbox: Any) -> None:
    """Neither by their identifier nor in a list."""
    call_id = start(sandbox)["id"]

    response = sandbox.get(f"/v1/calls/{call_id}", token=BOB)

    assert response.status_code == 404
    assert response.json()["type"].endswith("/not-found/")
    assert call_id in call_ids(sandbox)
    assert call_id not in call_ids(sandbox, token=BOB)


@pytest.mark.parametrize(("method", "path"), [("POST", "/v1/calls"), ("GET", "/v1/calls")])
def test_scope_is_needed(sandbox: Any, method: str, path: str) -> None:
    """Writing and reading have a scope each."""
    headers = {"Authorization": f"Bearer {UNSCOPED}"}

    response = sandbox.request(method, path, headers=headers, json=NEW if method == "POST" else None)

    assert response.status_code == 403
    wanted = "calls:write" if method == "POST" else "calls:read"
    assert f'scope="{wanted}"' in response.headers["WWW-Authenticate"]


def test_list_is_newest_first_and_filtered(sandbox: Any) -> None:
    """Each filter narrows, several together all have to fit."""
    sandbox.clock.forward(hours=1)
    busy = start(sandbox, to="+12125550171")["id"]
    wait(sandbox, seconds=10)
    fresh = start(sandbox)["id"]

    assert call_ids(sandbox, "?created_after=2026-11-21T10:30:00Z") == [fresh, busy]
    assert call_ids(sandbox, "?created_before=2026-11-21T10:30:10Z&created_after=2026-11-21T10:30:00Z") == [
        busy
    ]
    assert call_ids(sandbox, "?status=queued") == [fresh]
    assert busy in call_ids(sandbox, "?status=busy&to=%2B12125550171")
    assert call_ids(sandbox, "?status=queued&to=%2B12125550171") == []


def test_pages_show_each_call_once(sandbox: Any) -> None:
    """With the filters of the first page."""
    made = []
    for _ in range(5):
        sandbox.clock.forward(seconds=1)
        made.append(start(sandbox, reference="many", to="+12125550178")["id"])
    filters = "to=%2B12125550178&limit=2"
    seen, query = [], f"?{filters}"
    while query:
        page = sandbox.get("/v1/calls" + query).json()
        seen += [item["id"] for item in page["data"]]
        query = f"?{filters}&cursor={page['next_cursor']}" if page["next_cursor"] else ""

    assert seen == made[::-1]


def test_cursor_of_other_filters_is_refused(sandbox: Any) -> None:
    """With a problem type of its own: the request is right, and the list begins anew."""
    page = sandbox.get("/v1/calls?limit=1").json()

    response = sandbox.get(f"/v1/calls?limit=1&status=completed&cursor={page['next_cursor']}")

    assert response.status_code == 404
    assert response.json()["type"].endswith("/invalid-cursor/")


@pytest.mark.parametrize(
    "query", ["?state=queued", "?status=ringing&status=busy", "?status=gone", "?limit=0", "?to=12025550123"]
)
def test_wrong_filter_is_no_filter(sandbox: Any, query: str) -> None:
    """It is refused instead of returning everything."""
    response = sandbox.get("/v1/calls" + query)

    assert response.status_code == 400
    assert response.json()["type"].endswith("/invalid-parameter/")


def test_calls_of_the_contract_are_there_after_each_start(sandbox: Any, api: Api) -> None:
    """Each account finds what the reference shows, incoming calls too, and nothing happens to it."""
    operation = next(operation for operation in api.operations if operation.id == "retrieveCall")
    shown = {example.value["id"]: example.value for example in operation.successes[0].content[0].examples}
    sandbox.restart()
    wait(sandbox, days=1)

    for token in (ADA, BOB):
        for call_id, call in shown.items():
            assert sandbox.get(f"/v1/calls/{call_id}", token=token).json() == call
        assert len(call_ids(sandbox, "?direction=inbound", token=token)) == 1
