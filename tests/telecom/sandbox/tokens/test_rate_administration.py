"""Rate administration: who may do what to a version in which state, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.telecom.sandbox.problem_names import status_and_problem
from tests.telecom.sandbox.reviewing import (
    ADA,
    BOB,
    LOG,
    RATES,
    TERMS,
    VERSIONS,
    WHY,
    actor,
    brought_to,
    draft_version,
    log_of,
    public,
    revise_version,
    status,
    step,
)

from devportal.contract import Api
from telecom.sandbox.tokens.tokens import Grant, Token

UNSCOPED = "token-without-scope"
CALL = {**TERMS, "product": "voice", "unit": "minute", "billing_increment": "1/1"}


def test_version_becomes_public_by_two_people(sandbox: Any) -> None:
    """Until it is active nobody sees it; afterwards anybody does, with the terms that were approved."""
    version = draft_version(sandbox, billing_terms=["billed"], prefixes=["467"])
    seen = [("se-sms@1" in public(sandbox))]
    for action, token in (("submit", ADA), ("approve", BOB), ("activate", ADA)):
        assert step(sandbox, version, action, token=token).status_code == 200
        seen.append("se-sms@1" in public(sandbox))

    (rate,) = sandbox.get(RATES, params={"network": "999010"}).json()["data"]
    assert seen == [False, False, False, True]
    assert {name: rate[name] for name in TERMS} == TERMS
    assert (rate["billing_terms"], rate["prefixes"], rate["effective_to"]) == (["billed"], ["467"], None)
    assert (rate["approved_on"], rate["sample"]) == ("2026-11-21", True)


def test_version_is_answered_with_all_its_terms(sandbox: Any) -> None:
    """What was left out has its default, and the version is the first of its rate."""
    answer = sandbox.post(VERSIONS, {"rate_id": "se-voice", **CALL})

    version = answer.json()
    assert {name: version[name] for name in CALL} == CALL
    assert (version["rate_id"], version["version"], version["status"]) == ("se-voice", 1, "draft")
    assert (version["number_type"], version["prefixes"], version["effective_to"]) == (None, [], None)
    assert version["billing_terms"] == ["prepaid", "billed"]
    assert (version["created_by"], version["approved_at"], version["approved_by"]) == (actor(ADA), None, None)
    assert version == sandbox.get(f"{VERSIONS}/{version['id']}").json()


def test_approval_names_who_and_when(sandbox: Any) -> None:
    """The content that it pins is the one that was drafted."""
    version = brought_to(sandbox, "submitted")
    before = sandbox.get(f"{VERSIONS}/{version}").json()
    sandbox.clock.forward(minutes=5)
    after = step(sandbox, version, "approve", token=BOB).json()

    assert (after["approved_by"], after["approved_at"]) == (actor(BOB), "2026-11-21T09:35:00.000Z")
    assert after["content_sha256"] == before["content_sha256"]


def test_nobody_approves_what_they_wrote(sandbox: Any) -> None:
    """Not the author of a draft, though they have the scope."""
    version = brought_to(sandbox, "submitted")
    answer = step(sandbox, version, "approve")

    assert status_and_problem(answer) == (409, "four-eyes")
    assert actor(ADA) in answer.json()["detail"]
    assert status(sandbox, version) == "submitted"


def test_nobody_approves_what_they_have_not_read(sandbox: Any) -> None:
    """A version that was sent back and revised has another content than the one that was read."""
    version = brought_to(sandbox, "submitted")
    read = sandbox.get(f"{VERSIONS}/{version}").json()["content_sha256"]
    step(sandbox, version, "reject", token=BOB)
    now = revise_version(sandbox, version, price="0.5200").json()["content_sha256"]
    step(sandbox, version, "submit")
    answer = sandbox.post(f"{VERSIONS}/{version}/approve", {**WHY, "content_sha256": read}, token=BOB)

    assert status_and_problem(answer) == (409, "content-changed")
    assert answer.json()["errors"] == [
        {"detail": f"The content is {now}.", "pointer": "#/content_sha256"},
    ]
    assert status(sandbox, version) == "submitted"


@pytest.mark.parametrize("body", [WHY, {**WHY, "content_sha256": "F" * 64}, {"content_sha256": "f" * 64}])
def test_approval_says_what_and_why(sandbox: Any, body: dict[str, str]) -> None:
    """Neither the content nor the reason may be missing."""
    version = brought_to(sandbox, "submitted")

    answer = sandbox.post(f"{VERSIONS}/{version}/approve", body, token=BOB)
    assert status_and_problem(answer) == (422, "validation-failed")


@pytest.mark.parametrize("part", ["revise", "submit"])
def test_nobody_approves_what_they_had_a_part_in(sandbox: Any, part: str) -> None:
    """Whoever changed or submitted a version is one of its authors (decision 0013)."""
    version = draft_version(sandbox)
    if part == "revise":
        revise_version(sandbox, version, token=BOB)
    step(sandbox, version, "submit", token=BOB if part == "submit" else ADA)

    assert status_and_problem(step(sandbox, version, "approve", token=BOB)) == (409, "four-eyes")


@pytest.mark.parametrize("state", ["draft", "submitted", "rejected", "approved", "active", "withdrawn"])
@pytest.mark.parametrize("action", ["submit", "approve", "reject", "activate", "withdraw"])
def test_steps_are_those_of_the_lifecycle(sandbox: Any, api: Api, state: str, action: str) -> None:
    """From each state exactly the steps lead on that the contract's state machine has."""
    target = {
        "submit": "submitted",
        "approve": "approved",
        "reject": "rejected",
        "activate": "active",
        "withdraw": "withdrawn",
    }[action]
    machine = next(s for at, s in api.schemas.items() if at.pointer[-1] == "RateVersionStatus").state_machine
    version = brought_to(sandbox, state)
    entries = len(log_of(sandbox, version))
    answer = step(sandbox, version, action, token=BOB)

    assert machine is not None
    if machine.allows(state, target):
        assert (answer.status_code, answer.json()["status"]) == (200, target)
        assert len(log_of(sandbox, version)) == entries + 1
    else:
        assert status_and_problem(answer) == (409, "state-conflict")
        assert (status(sandbox, version), len(log_of(sandbox, version))) == (state, entries)


def test_rejected_version_comes_back_as_a_draft(sandbox: Any) -> None:
    """With other terms, the same number, and both steps on the log."""
    version = brought_to(sandbox, "rejected")
    again = revise_version(sandbox, version, price="0.0490").json()

    assert (again["status"], again["price"], again["version"]) == ("draft", "0.0490", 1)
    assert [entry["action"] for entry in log_of(sandbox, version)] == ["create", "submit", "reject", "revise"]
    assert log_of(sandbox, version)[-1]["content_sha256"] == again["content_sha256"]


@pytest.mark.parametrize("state", ["submitted", "approved", "active", "withdrawn"])
def test_terms_are_fixed_once_submitted(sandbox: Any, state: str) -> None:
    """A price that was read by an approver does not change under the approval."""
    version = brought_to(sandbox, state)
    answer = revise_version(sandbox, version, price="0.0001")

    assert status_and_problem(answer) == (409, "state-conflict")
    assert sandbox.get(f"{VERSIONS}/{version}").json()["price"] == "0.0520"


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({"country": "ZZ"}, "country is 'ZZ'"),
        ({"currency": "XTS"}, "currency is 'XTS'"),
        ({"effective_to": "2026-11-21"}, "effective_to is '2026-11-21'"),
        ({"unit": "minute"}, "no billing_increment"),
        ({"billing_increment": "1/1"}, "billing_increment is '1/1'"),
        ({"product": "voice"}, "unit is 'segment', but the product 'voice' has 'minute'"),
        (
            {"product": "number", "unit": "minute", "billing_increment": "1/1"},
            "the product 'number' has 'month'",
        ),
    ],
)
def test_draft_with_a_fault_is_kept_and_not_submitted(sandbox: Any, terms: dict[str, str], told: str) -> None:
    """The response names the problem, and how to fix it."""
    version = draft_version(sandbox, **terms)
    refused = step(sandbox, version, "submit")

    assert status_and_problem(refused) == (409, "faulty-draft")
    assert told in refused.json()["detail"]
    assert status(sandbox, version) == "draft"


def test_draft_is_written_once_per_key(sandbox: Any) -> None:
    """A repeated request gets the same version; with other terms the key is refused."""
    body = {"rate_id": "se-sms", **TERMS}
    first, second = (sandbox.post(VERSIONS, body, headers={"Idempotency-Key": "k-1"}) for _ in range(2))
    other = sandbox.post(VERSIONS, {**body, "price": "1"}, headers={"Idempotency-Key": "k-1"})

    assert first.json() == second.json()
    assert status_and_problem(other) == (422, "idempotency-key-reused")
    assert [entry["action"] for entry in log_of(sandbox, first.json()["id"])] == ["create"]


@pytest.mark.parametrize(
    "request_of",
    [
        lambda sandbox: sandbox.get(f"{VERSIONS}/rv_none"),
        lambda sandbox: sandbox.get(f"{VERSIONS}/nonsense"),
        lambda sandbox: step(sandbox, "rv_none", "submit"),
        lambda sandbox: step(sandbox, "rv_none", "withdraw"),
        lambda sandbox: revise_version(sandbox, "rv_none"),
    ],
)
def test_unknown_version_is_not_found(sandbox: Any, request_of: Callable[[Any], Any]) -> None:
    """404 for each operation that names one."""
    assert status_and_problem(request_of(sandbox)) == (404, "not-found")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rate_id": "se-sms"},
        {"rate_id": "SE SMS", **TERMS},
        {"rate_id": "se-sms", **TERMS, "price": "-1"},
        {"rate_id": "se-sms", **TERMS, "price": "1e3"},
        {"rate_id": "se-sms", **TERMS, "price": 0.05},
        {"rate_id": "se-sms", **TERMS, "network": {"name": "N", "mcc": "240"}},
        {"rate_id": "se-sms", **TERMS, "prefixes": ["+46"]},
        {"rate_id": "se-sms", **TERMS, "effective_from": "0000-01-01"},
        {"rate_id": "se-sms", **TERMS, "effective_from": "2026-02-30"},
        {"rate_id": "se-sms", **TERMS, "status": "active"},
        {"rate_id": "se-sms", **TERMS, "supplier": "Example Carrier"},
    ],
)
def test_malformed_draft_is_refused(sandbox: Any, body: dict[str, Any]) -> None:
    """422 with the place; nobody drafts an active version, or writes what only the staff's tools hold."""
    answer = sandbox.post(VERSIONS, body)

    assert status_and_problem(answer) == (422, "validation-failed")
    assert answer.json()["errors"]


@pytest.mark.parametrize(
    "reason", [" ", "\n", "\x00", "Checked.\n", " Checked.", "a\tb", "a\u2028b", "\u00a0"]
)
def test_reason_is_a_line_that_can_be_read(sandbox: Any, reason: str) -> None:
    """What nobody sees is no reason, and line breaks would make two lines of one on the log."""
    version = brought_to(sandbox, "submitted")
    answer = sandbox.post(f"{VERSIONS}/{version}/reject", {"reason": reason})

    assert status_and_problem(answer) == (422, "validation-failed")
    assert status(sandbox, version) == "submitted"


@pytest.mark.parametrize("reason", ["?", "Größe é 🎉", "0.590 should be 0.0590.", 'a "b" \\ c/d', "x" * 500])
def test_reason_stands_on_the_log_as_it_was_written(sandbox: Any, reason: str) -> None:
    """Letter by letter."""
    version = brought_to(sandbox, "submitted")
    sandbox.post(f"{VERSIONS}/{version}/reject", {"reason": reason})

    assert log_of(sandbox, version)[-1]["reason"] == reason


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "x" * 501}, {"reason": "x", "by": "ida"}])
def test_step_without_a_reason_is_refused(sandbox: Any, body: dict[str, str]) -> None:
    """Approving, rejecting and withdrawing say why."""
    version = brought_to(sandbox, "submitted")

    assert status_and_problem(sandbox.post(f"{VERSIONS}/{version}/reject", body)) == (
        422,
        "validation-failed",
    )


@pytest.mark.parametrize("path", [VERSIONS, f"{VERSIONS}/rv_1", LOG])
def test_reading_needs_a_scope(sandbox: Any, path: str) -> None:
    """Versions under review and the log are for the staff."""
    answers = [sandbox.request("GET", path), sandbox.get(path, token=UNSCOPED)]

    assert [status_and_problem(answer) for answer in answers] == [
        (401, "unauthenticated"),
        (403, "insufficient-scope"),
    ]


@pytest.mark.parametrize("scope", ["rates:write", "rates:approve", "rates:publish", "audit:read"])
def test_scopes_to_write_do_not_let_read(sandbox: Any, scope: str) -> None:
    """Reading versions has a scope of its own, so that an approver need not be able to write."""
    version = draft_version(sandbox)
    writer = Token(text="token-to-write", grant=Grant(account="ada", scopes=frozenset({scope})))
    reader = Token(text="token-to-read", grant=Grant(account="ada", scopes=frozenset({"rates:read"})))
    sandbox.restart(tokens=(*sandbox.settings.tokens, writer, reader))

    for path in (VERSIONS, f"{VERSIONS}/{version}"):
        assert status_and_problem(sandbox.get(path, token=writer.text)) == (403, "insufficient-scope")
        assert sandbox.get(path, token=reader.text).status_code == 200
    assert status_and_problem(step(sandbox, version, "submit", token=reader.text)) == (
        403,
        "insufficient-scope",
    )


def test_lists_are_filtered(sandbox: Any) -> None:
    """By state, rate, country and time; the log by version, actor, action and time."""
    version = brought_to(sandbox, "submitted")
    sandbox.clock.forward(hours=1)
    later = draft_version(sandbox, "se-later")

    def list_ids(path: str, **query: str) -> list[str]:
        return [item["id"] for item in sandbox.get(path, params={**query, "limit": "100"}).json()["data"]]

    assert list_ids(VERSIONS, rate_id="se-sms", status="submitted") == [version]
    assert list_ids(VERSIONS, country="SE") == [later, version]
    assert list_ids(VERSIONS, created_after="2026-11-21T10:00:00Z") == [later]
    assert list_ids(LOG, actor=actor(BOB)) == []
    assert len(list_ids(LOG, actor=actor(ADA))) == 3
    assert len(list_ids(LOG, actor=actor(ADA), action="submit")) == 1
    assert len(list_ids(LOG, created_after="2026-11-21T10:00:00Z")) == 1


@pytest.mark.parametrize("path", [VERSIONS, LOG])
def test_lists_are_walked_newest_first(sandbox: Any, path: str) -> None:
    """Page after page each item comes once, in the order of the whole."""
    for number in range(3):
        draft_version(sandbox, f"se-{number}")
    whole = sandbox.get(path, params={"limit": 100}).json()["data"]
    found: list[Any] = []
    cursor = None
    while True:
        page = sandbox.get(path, params={"limit": 4, **({"cursor": cursor} if cursor else {})}).json()
        found, cursor = [*found, *page["data"]], page["next_cursor"]
        if cursor is None:
            break

    times = [item.get("created_at", item.get("at")) for item in whole]
    assert found == whole
    assert times == sorted(times, reverse=True)


def test_accounts_share_one_price_list(sandbox: Any) -> None:
    """Rate versions belong to the platform: Bob, of another account, sees what Ada drafted."""
    version = draft_version(sandbox)

    assert sandbox.get(f"{VERSIONS}/{version}", token=BOB).status_code == 200
