"""Webhook endpoints: created, listed, changed, deleted; refused where the address or the limit says so."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.telecom.sandbox.problem_names import problem_name
from tests.telecom.sandbox.webhook_steps import PATH, RECEIPTS, create

from devportal.serving.receivers import Reach, forbidden_reason
from telecom.sandbox.delivery import endpoint_store
from telecom.sandbox.delivery.endpoint_store import MAX_ENDPOINTS

BOB, UNSCOPED = "token-of-bob", "token-without-scope"
SAMPLE = "we_01kaj8c3r5t7v9w1x3y5z7a9bc"
"""An endpoint that the sandbox starts with, turned off."""


def test_repeated_creation_makes_one_endpoint(sandbox: Any) -> None:
    """The same key gets the same answer, with the secret; another body is refused."""
    headers = {"Idempotency-Key": "create-once"}
    before = len(sandbox.get(PATH).json()["data"])
    answers = [sandbox.post(PATH, RECEIPTS, headers=headers) for _ in range(2)]
    other = sandbox.post(PATH, {**RECEIPTS, "enabled": False}, headers=headers)

    assert answers[0].json() == answers[1].json()
    assert len(sandbox.get(PATH).json()["data"]) == before + 1
    assert (other.status_code, problem_name(other)) == (422, "idempotency-key-reused")


def test_key_in_use_is_refused(sandbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first request is running the second gets 409."""

    headers, answers, store = {"Idempotency-Key": "both-at-once"}, [], endpoint_store.store_endpoint

    def store_after_another(connection: Any, endpoint: Any) -> None:
        with ThreadPoolExecutor(1) as other:
            answers.append(other.submit(sandbox.post, PATH, RECEIPTS, headers=headers).result())
        store(connection, endpoint)

    monkeypatch.setattr(endpoint_store, "store_endpoint", store_after_another)
    first = sandbox.post(PATH, RECEIPTS, headers=headers)

    assert first.status_code == 201
    assert (answers[0].status_code, problem_name(answers[0])) == (409, "idempotency-key-in-use")


def test_account_has_so_many_endpoints_and_no_more(sandbox: Any) -> None:
    """The limit counts each account by itself, and deleting makes room."""
    there = len(sandbox.get(PATH).json()["data"])
    made = [create(sandbox) for _ in range(MAX_ENDPOINTS - there)]

    refused = sandbox.post(PATH, RECEIPTS)
    of_bob = sandbox.post(PATH, RECEIPTS, token=BOB)
    sandbox.delete(f"{PATH}/{made[0]['id']}")
    after = sandbox.post(PATH, RECEIPTS)

    assert (refused.status_code, problem_name(refused)) == (409, "too-many-webhook-endpoints")
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
        seen += [item["id"] for item in page["data"]]
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

    assert (answer.status_code, problem_name(answer)) == (422, "validation-failed")
    assert pointer in {error["pointer"] for error in answer.json()["errors"]}
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
        assert (answer.status_code, problem_name(answer)) == (403, "webhook-url-forbidden")
        assert [error["pointer"] for error in answer.json()["errors"]] == ["#/url"]
        assert "its own machine only" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("https://example.com/hooks", 1),
        ("http://example.com/hooks", 0),
        ("http://10.0.0.5/", 0),
        ("http://127.0.0.1:0/", 0),
        ("http://127.0.0.1:65536/", 0),
    ],
)
def test_option_is_advised_if_it_helps(sandbox: Any, url: str, advice: int) -> None:
    """`--public-webhooks` opens neither private networks nor plain http, and repairs no address."""
    answer = sandbox.post(PATH, {**RECEIPTS, "url": url})

    assert (answer.status_code, problem_name(answer)) == (403, "webhook-url-forbidden")
    assert answer.json()["detail"].count("--public-webhooks") == advice


def test_public_address_is_taken_where_the_operator_says_so(sandbox: Any) -> None:
    """But no private one, and nothing without TLS."""
    sandbox.restart(webhook_reach=Reach.PUBLIC)

    for url, status in (
        ("https://example.com/hooks", 201),
        ("http://127.0.0.1:9000/", 403),
        ("http://localhost:9000/", 403),
        ("https://shop.localhost./", 403),
        ("https://192.168.1.1/", 403),
        ("http://example.com/", 403),
    ):
        assert sandbox.post(PATH, {**RECEIPTS, "url": url}).status_code == status, url


@given(st.ip_addresses())
def test_no_literal_address_but_loopback_passes_the_closed_guard(address: Any) -> None:
    """Whatever the version, and however it is written."""
    host = f"[{address}]" if address.version == 6 else str(address)
    inner = getattr(address, "ipv4_mapped", None) or address

    assert (forbidden_reason(f"http://{host}/", Reach.LOCAL) is None) == inner.is_loopback


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

    assert [(answer.status_code, problem_name(answer)) for answer in answers] == [(404, "not-found")] * 2
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

    assert (answer.status_code, problem_name(answer)) == (403, "insufficient-scope")
    assert ("webhooks:read" if method == "GET" else "webhooks:write") in answer.json()["detail"]


def test_samples_are_made_anew_at_each_start(sandbox: Any) -> None:
    """What was changed or deleted is there again, for every account; what was created stays."""
    made = create(sandbox)
    sandbox.patch(f"{PATH}/{SAMPLE}", {"enabled": True})
    sandbox.restart()

    assert sandbox.get(f"{PATH}/{SAMPLE}").json()["disabled_reason"] == "gone"
    assert sandbox.get(f"{PATH}/{SAMPLE}", token=BOB).status_code == 200
    assert sandbox.get(f"{PATH}/{made['id']}").status_code == 200
