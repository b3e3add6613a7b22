"""Webhook endpoints: created with a secret that is shown once, changed, rotated, tested, deleted."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.telecom.sandbox.recorder import Recorder

from telecom.sandbox import endpoints
from telecom.sandbox.deliveries import DeliveryState
from telecom.sandbox.endpoints import MOST_PER_ACCOUNT
from telecom.sandbox.receiver import why_forbidden
from telecom.signature import Secret, SignatureRefused, verify

BOB, UNSCOPED = "token-of-bob", "token-without-scope"
PATH = "/v1/webhook-endpoints"
RECEIPTS = {"url": "http://127.0.0.1:9000/hooks", "event_types": ["message.delivery_receipt"]}
SAMPLE = "we_01kaj8c3r5t7v9w1x3y5z7a9bc"
"""An endpoint that the sandbox starts with, turned off."""


def problem(response: Any) -> str:
    """Return the last segment of a problem's type."""
    kind: str = response.json()["type"].rstrip("/").rpartition("/")[2]
    return kind


def create(sandbox: Any, **members: Any) -> Any:
    answer = sandbox.post(PATH, {**RECEIPTS, **members})
    assert answer.status_code == 201
    return answer.json()


def happen(sandbox: Any) -> None:
    """Have a delivery receipt written."""
    sandbox.send()
    sandbox.clock.forward(seconds=1)


def deliveries_to(sandbox: Any, endpoint: Any) -> list[str]:
    """Return the states of the deliveries to an endpoint, newest first."""
    page = sandbox.get("/v1/events", params={"webhook_endpoint_id": endpoint["id"]}).json()
    found = [one for event in page["data"] for one in event["deliveries"]]
    return [one["state"] for one in found if one["webhook_endpoint_id"] == endpoint["id"]]


def test_events_reach_the_endpoint_that_was_created(sandbox: Any) -> None:
    """They are signed with the secret that the answer showed."""
    made, receiver = create(sandbox, description="Orders"), Recorder()
    happen(sandbox)
    sandbox.step(receiver)

    (got,) = receiver.requests
    secret = Secret.parse(made["secret"])
    verify(got.body, got.headers, secrets=(secret,), now=sandbox.clock())
    assert (made["description"], made["enabled"], made["disabled_reason"]) == ("Orders", True, None)
    assert len(secret.key) == 32


def test_secret_is_shown_only_when_it_is_made(sandbox: Any) -> None:
    """No other answer has it, and each endpoint has its own."""
    first, second = create(sandbox), create(sandbox)
    path = f"{PATH}/{first['id']}"

    others = (sandbox.get(path), sandbox.get(PATH), sandbox.patch(path, {"enabled": False}))
    assert first["secret"] != second["secret"]
    for answer in others:
        assert first["secret"].removeprefix("whsec_") not in answer.text
        assert '"secret"' not in answer.text


def test_repeated_creation_makes_one_endpoint(sandbox: Any) -> None:
    """The same key gets the same answer, with the secret; another body is refused."""
    headers = {"Idempotency-Key": "create-once"}
    before = len(sandbox.get(PATH).json()["data"])
    answers = [sandbox.post(PATH, RECEIPTS, headers=headers) for _ in range(2)]
    other = sandbox.post(PATH, {**RECEIPTS, "enabled": False}, headers=headers)

    assert answers[0].json() == answers[1].json()
    assert len(sandbox.get(PATH).json()["data"]) == before + 1
    assert (other.status_code, problem(other)) == (422, "idempotency-key-reused")


def test_key_in_use_is_refused(sandbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first request is running the second gets 409."""

    headers, answers, store = {"Idempotency-Key": "both-at-once"}, [], endpoints.store

    def meanwhile(connection: Any, endpoint: Any) -> None:
        with ThreadPoolExecutor(1) as other:
            answers.append(other.submit(sandbox.post, PATH, RECEIPTS, headers=headers).result())
        store(connection, endpoint)

    monkeypatch.setattr(endpoints, "store", meanwhile)
    first = sandbox.post(PATH, RECEIPTS, headers=headers)

    assert first.status_code == 201
    assert (answers[0].status_code, problem(answers[0])) == (409, "idempotency-key-in-use")


def test_account_has_so_many_endpoints_and_no_more(sandbox: Any) -> None:
    """The limit counts each account by itself, and deleting makes room."""
    there = len(sandbox.get(PATH).json()["data"])
    made = [create(sandbox) for _ in range(MOST_PER_ACCOUNT - there)]

    refused = sandbox.post(PATH, RECEIPTS)
    of_bob = sandbox.post(PATH, RECEIPTS, token=BOB)
    sandbox.delete(f"{PATH}/{made[0]['id']}")
    after = sandbox.post(PATH, RECEIPTS)

    assert (refused.status_code, problem(refused)) == (409, "too-many-webhook-endpoints")
    assert (of_bob.status_code, after.status_code) == (201, 201)


def test_list_is_paged_newest_first(sandbox: Any) -> None:
    """Page after page shows each endpoint once."""
    made = []
    for _ in range(5):
        sandbox.clock.forward(hours=1)
        made.append(create(sandbox)["id"])
    seen, cursor = [], None
    while True:
        page = sandbox.get(PATH, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [one["id"] for one in page["data"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break

    assert seen[:5] == made[::-1]
    assert len(seen) == len(set(seen))


def test_only_what_is_sent_is_changed(sandbox: Any) -> None:
    """The other members stay, the secret too; a null takes the description away."""
    made = create(sandbox, description="Orders")
    sandbox.clock.forward(minutes=1)
    changed = sandbox.patch(
        f"{PATH}/{made['id']}", {"event_types": ["call.detail_record", "call.status_changed"]}
    ).json()
    nameless = sandbox.patch(f"{PATH}/{made['id']}", {"description": None}).json()

    assert changed["event_types"] == ["call.detail_record", "call.status_changed"]
    assert (changed["url"], changed["description"]) == (made["url"], "Orders")
    assert changed["created_at"] == made["created_at"] < changed["updated_at"]
    assert nameless["description"] is None


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "#"),
        ({"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "#"),
        ({"event_types": []}, "#/event_types"),
        ({"event_types": ["webhook.test"]}, "#/event_types/0"),
        ({"event_types": ["call.detail_record", "call.detail_record"]}, "#/event_types"),
        ({"url": "ftp://127.0.0.1/"}, "#/url"),
        ({"url": "http://user:password@127.0.0.1/"}, "#/url"),
        ({"enabled": "no"}, "#/enabled"),
        ({"description": "x" * 201}, "#/description"),
    ],
)
def test_change_that_does_not_fit_is_refused(sandbox: Any, body: Any, pointer: str) -> None:
    """The fault is named with its place, and nothing is changed."""
    before = sandbox.get(f"{PATH}/{SAMPLE}").json()
    answer = sandbox.patch(f"{PATH}/{SAMPLE}", body)

    assert (answer.status_code, problem(answer)) == (422, "validation-failed")
    assert pointer in {one["pointer"] for one in answer.json()["errors"]}
    assert sandbox.get(f"{PATH}/{SAMPLE}").json() == before


@pytest.mark.parametrize(
    "url", ["http://10.0.0.5/", "https://example.com/hooks", "http://169.254.169.254/", "http://[fe80::1]/"]
)
def test_address_of_elsewhere_is_refused(sandbox: Any, url: str) -> None:
    """When an endpoint is created and when it is changed, with the member that is at fault."""
    answers = [
        sandbox.post(PATH, {**RECEIPTS, "url": url}),
        sandbox.patch(f"{PATH}/{SAMPLE}", {"url": url}),
    ]

    for answer in answers:
        assert (answer.status_code, problem(answer)) == (422, "webhook-url-forbidden")
        assert [one["pointer"] for one in answer.json()["errors"]] == ["#/url"]
        assert "its own machine only" in answer.json()["detail"]


def test_public_address_is_taken_where_the_operator_says_so(sandbox: Any) -> None:
    """But no private one, and nothing without TLS."""
    sandbox.restart(public_webhooks=True)

    for url, status in (
        ("https://example.com/hooks", 201),
        ("http://127.0.0.1:9000/", 201),
        ("https://192.168.1.1/", 422),
        ("http://example.com/", 422),
    ):
        assert sandbox.post(PATH, {**RECEIPTS, "url": url}).status_code == status, url


@given(st.ip_addresses())
def test_no_literal_address_but_loopback_passes_the_closed_guard(address: Any) -> None:
    """Whatever the version, and however it is written."""
    host = f"[{address}]" if address.version == 6 else str(address)
    inner = getattr(address, "ipv4_mapped", None) or address

    assert (why_forbidden(f"http://{host}/", public=False) is None) == inner.is_loopback


def test_endpoint_that_is_off_gets_nothing(sandbox: Any) -> None:
    """What waits is skipped, and so is what happens meanwhile; turned on it gets what happens then."""
    made, receiver = create(sandbox), Recorder(answers=[(500, {})])
    path = f"{PATH}/{made['id']}"
    happen(sandbox)
    sandbox.step(receiver)
    off = sandbox.patch(path, {"enabled": False}).json()
    happen(sandbox)
    sandbox.clock.forward(days=1)
    sandbox.step(receiver)
    on = sandbox.patch(path, {"enabled": True}).json()
    sandbox.step(receiver)
    happen(sandbox)
    sandbox.step(receiver)

    assert (off["enabled"], off["disabled_reason"]) == (False, "requested")
    assert (on["enabled"], on["disabled_reason"]) == (True, None)
    assert deliveries_to(sandbox, made) == ["delivered", "skipped", "skipped"]
    assert len(receiver.requests) == 2


def test_gone_endpoint_says_so_and_comes_back(sandbox: Any) -> None:
    """After 410 the reason is shown, and kept where it is turned off once more; enabling ends it."""
    made = create(sandbox)
    path = f"{PATH}/{made['id']}"
    happen(sandbox)
    sandbox.step(Recorder(answers=[(410, {})]))
    gone = sandbox.get(path).json()
    again = sandbox.patch(path, {"enabled": False}).json()
    back = sandbox.patch(path, {"enabled": True}).json()

    assert (gone["enabled"], gone["disabled_reason"]) == (False, "gone")
    assert again["disabled_reason"] == "gone"
    assert (back["enabled"], back["disabled_reason"]) == (True, None)


def test_each_endpoint_gets_what_it_asked_for(sandbox: Any) -> None:
    """Same event, same identifier to both; a type that was not asked for goes nowhere."""
    one = create(sandbox, url="http://127.0.0.1:9001/")
    both = create(
        sandbox,
        url="http://127.0.0.1:9002/",
        event_types=["message.delivery_receipt", "message.status_changed"],
    )
    receiver = Recorder()
    happen(sandbox)
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

    happen(sandbox)
    sandbox.step(receivers)
    sandbox.clock.forward(minutes=1)
    sandbox.step(receivers)

    assert sorted(requests) == ["127.0.0.1:9001", "127.0.0.1:9002", "127.0.0.1:9002"]
    assert deliveries_to(sandbox, good) == [DeliveryState.DELIVERED]
    assert deliveries_to(sandbox, bad) == [DeliveryState.PENDING]


def test_both_secrets_sign_for_a_day_after_a_rotation(sandbox: Any) -> None:
    """The new one first, and after the day the new one alone."""
    made, receiver = create(sandbox), Recorder()
    path = f"{PATH}/{made['id']}"
    rotated = sandbox.post(f"{path}/rotate-secret").json()
    until = sandbox.get(path).json()["previous_secret_expires_at"]
    happen(sandbox)
    sandbox.step(receiver)
    sandbox.clock.forward(hours=24)
    happen(sandbox)
    sandbox.step(receiver)

    old, new = Secret.parse(made["secret"]), Secret.parse(rotated["secret"])
    during, after = receiver.requests
    assert until == rotated["previous_secret_expires_at"] == "2026-11-22T09:30:00.000Z"
    assert len(during.headers["webhook-signature"].split()) == 2
    assert len(after.headers["webhook-signature"].split()) == 1
    assert sandbox.get(path).json()["previous_secret_expires_at"] is None
    first_alone = {**during.headers, "webhook-signature": during.headers["webhook-signature"].split()[0]}
    at = int(during.headers["webhook-timestamp"])
    then = sandbox.clock().fromtimestamp(at, sandbox.clock().tzinfo)
    verify(during.body, first_alone, secrets=(new,), now=then)
    verify(during.body, during.headers, secrets=(old,), now=then)
    verify(after.body, after.headers, secrets=(new,), now=sandbox.clock())


def test_second_rotation_ends_the_oldest_secret_at_once(sandbox: Any) -> None:
    """After a leak two rotations leave nothing to whoever has it."""
    made, receiver = create(sandbox), Recorder()
    for _ in range(2):
        sandbox.post(f"{PATH}/{made['id']}/rotate-secret")
    happen(sandbox)
    sandbox.step(receiver)

    (got,) = receiver.requests
    assert len(got.headers["webhook-signature"].split()) == 2
    with pytest.raises(SignatureRefused):
        verify(got.body, got.headers, secrets=(Secret.parse(made["secret"]),), now=sandbox.clock())


def test_repeated_rotation_rotates_once(sandbox: Any) -> None:
    """The key belongs to the endpoint in the path: for another endpoint it is another request."""
    headers = {"Idempotency-Key": "rotate-once"}
    one, other = create(sandbox), create(sandbox)
    answers = [sandbox.post(f"{PATH}/{one['id']}/rotate-secret", headers=headers) for _ in range(2)]
    of_other = sandbox.post(f"{PATH}/{other['id']}/rotate-secret", headers=headers)

    assert answers[0].json()["secret"] == answers[1].json()["secret"]
    assert of_other.json()["id"] == other["id"]


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
    assert [one["state"] for one in answer["deliveries"]] == ["pending"]
    assert [(one["state"], len(one["attempts"])) for one in logged["deliveries"]] == [("failed", 1)]


def test_deleted_endpoint_is_gone_and_its_deliveries_stay(sandbox: Any) -> None:
    """What waits is skipped; the log still shows what was tried."""
    made, receiver = create(sandbox), Recorder(answers=[(500, {})])
    happen(sandbox)
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
    happen(sandbox)

    async def deletes_meanwhile(scope: Any, receive: Any, send: Any) -> None:
        with ThreadPoolExecutor(1) as other:
            other.submit(sandbox.delete, f"{PATH}/{made['id']}").result()
        await Recorder()(scope, receive, send)

    sandbox.step(deletes_meanwhile)

    assert deliveries_to(sandbox, made) == ["delivered"]


@pytest.mark.parametrize(
    ("method", "suffix", "body"),
    [
        ("GET", "", None),
        ("PATCH", "", {"enabled": True}),
        ("DELETE", "", None),
        ("POST", "/rotate-secret", None),
        ("POST", "/test", None),
    ],
)
def test_endpoint_of_another_account_is_not_found(sandbox: Any, method: str, suffix: str, body: Any) -> None:
    """Nor one that nobody has; and nothing happens to it."""
    made = create(sandbox)
    before = sandbox.get(f"{PATH}/{made['id']}").json()
    content = {"json": body} if body is not None else {}
    answers = [
        sandbox.request(
            method, f"{PATH}/{name}{suffix}", headers={"Authorization": f"Bearer {BOB}"}, **content
        )
        for name in (made["id"], "we_nobody")
    ]

    assert [(one.status_code, problem(one)) for one in answers] == [(404, "not-found")] * 2
    assert sandbox.get(f"{PATH}/{made['id']}").json() == before


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", PATH),
        ("GET", PATH),
        ("GET", f"{PATH}/{SAMPLE}"),
        ("PATCH", f"{PATH}/{SAMPLE}"),
        ("DELETE", f"{PATH}/{SAMPLE}"),
        ("POST", f"{PATH}/{SAMPLE}/rotate-secret"),
        ("POST", f"{PATH}/{SAMPLE}/test"),
        ("GET", "/v1/events"),
        ("POST", "/v1/events/evt_01m7yq263ge6s7v5h2n8c3d1fg/replay"),
    ],
)
def test_scope_is_needed(sandbox: Any, method: str, path: str) -> None:
    """A token without the scope of the operation is refused."""
    answer = sandbox.request(method, path, headers={"Authorization": f"Bearer {UNSCOPED}"})

    assert (answer.status_code, problem(answer)) == (403, "insufficient-scope")
    assert ("webhooks:read" if method == "GET" else "webhooks:write") in answer.json()["detail"]


def test_secrets_are_in_no_log(sandbox: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the requests nor the deliveries write them down."""
    with caplog.at_level("DEBUG"):
        made = create(sandbox, url="http://127.0.0.1:9000/hooks?key=of-the-receiver")
        rotated = sandbox.post(f"{PATH}/{made['id']}/rotate-secret").json()
        happen(sandbox)
        sandbox.step(Recorder())

    said = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("telecom"))
    assert made["id"] in said
    for secret in (made["secret"], rotated["secret"]):
        assert secret.removeprefix("whsec_") not in said
    assert "of-the-receiver" not in said


def test_samples_are_made_anew_at_each_start(sandbox: Any) -> None:
    """What was changed or deleted is there again, for every account; what was created stays."""
    made = create(sandbox)
    sandbox.patch(f"{PATH}/{SAMPLE}", {"enabled": True})
    sandbox.restart()

    assert sandbox.get(f"{PATH}/{SAMPLE}").json()["disabled_reason"] == "gone"
    assert sandbox.get(f"{PATH}/{SAMPLE}", token=BOB).status_code == 200
    assert sandbox.get(f"{PATH}/{made['id']}").status_code == 200
