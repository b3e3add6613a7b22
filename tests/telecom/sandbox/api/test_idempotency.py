"""Idempotency keys: one message, however often the request is sent."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.api.idempotency import KeysInFlight, KeyUse, body_fingerprint, unquote_key
from telecom.sandbox.database.tables import IDEMPOTENCY, MESSAGES

pytestmark = pytest.mark.both_databases
BODY = {"to": "+12025550123", "channel": "sms", "body": "Hello"}
OTHER = {**BODY, "body": "Good bye"}


def send(sandbox: Any, body: Any = None, *, key: str = "key-1", **arguments: Any) -> Any:
    return sandbox.send(body or BODY, headers={"Idempotency-Key": key}, **arguments)


def test_repeated_request_is_answered_alike_and_carried_out_once(sandbox: Any) -> None:
    """The second answer is the first one, with a correlation id of its own."""
    first, second = send(sandbox), send(sandbox)

    assert first.status_code == second.status_code == 202
    assert first.json() == second.json()
    assert first.headers["X-Correlation-Id"] != second.headers["X-Correlation-Id"]
    assert sandbox.count(MESSAGES) == 1


def test_quotes_are_not_part_of_the_key(sandbox: Any) -> None:
    """The draft's quoted form and the plain form are the same key."""
    assert send(sandbox, key='"key-1"').json() == send(sandbox, key="key-1").json()


def test_spaces_and_order_do_not_make_another_body(sandbox: Any) -> None:
    """A body that means the same is the same."""
    headers = {"Idempotency-Key": "key-1", "Content-Type": "application/json"}
    content = b'{ "body" : "Hello", "channel":"sms",\n "to": "\\u002b12025550123" }'

    assert sandbox.send(content=content, headers=headers).json() == send(sandbox).json()


def test_key_of_another_body_is_refused(sandbox: Any) -> None:
    """422 tells the programming mistake, and the first answer stays."""
    first = send(sandbox)

    refused = send(sandbox, OTHER)

    assert refused.status_code == 422
    assert refused.json()["type"].endswith("/idempotency-key-reused/")
    assert send(sandbox).json() == first.json()
    assert sandbox.count(MESSAGES) == 1


def test_accounts_do_not_share_keys(sandbox: Any) -> None:
    """The same key of another account is another key."""
    first, second = send(sandbox), send(sandbox, OTHER, token="token-of-bob")

    assert second.status_code == 202
    assert first.json()["id"] != second.json()["id"]


def test_key_is_case_sensitive(sandbox: Any) -> None:
    """Keys that differ in case are different."""
    assert send(sandbox, key="KEY").json()["id"] != send(sandbox, key="key").json()["id"]


def test_key_is_free_after_a_day(sandbox: Any) -> None:
    """Kept for 24 hours, and then forgotten."""
    first = send(sandbox)
    sandbox.clock.forward(hours=23, minutes=59)
    second = send(sandbox)
    sandbox.clock.forward(minutes=1)
    third = send(sandbox, OTHER)

    assert first.json() == second.json()
    assert third.status_code == 202
    assert sandbox.count(IDEMPOTENCY) == 1


def test_refused_request_leaves_its_key_free(sandbox: Any) -> None:
    """Who fixes an error sends the same key again."""
    statuses = [send(sandbox, body).status_code for body in ({**BODY, "body": "я" * 700}, {"to": "1"}, BODY)]

    assert statuses == [422, 422, 202]


def test_key_is_kept_over_a_restart(sandbox: Any) -> None:
    """The database remembers, not the process."""
    first = send(sandbox)
    sandbox.restart()

    assert send(sandbox).json() == first.json()


def test_concurrent_duplicates_make_one_message(sandbox: Any) -> None:
    """Of many requests at once, each is the first, a replay of it, or told to wait."""
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: send(sandbox), range(16)))

    accepted = [answer.json()["id"] for answer in answers if answer.status_code == 202]
    assert {answer.status_code for answer in answers} <= {202, 409}
    assert len(set(accepted)) == 1
    assert sandbox.count(MESSAGES) == 1


def test_key_in_flight_is_a_conflict() -> None:
    """While a request holds a key the next one is refused, and not longer."""
    in_flight = KeysInFlight()
    use = KeyUse(account="ada", operation="sendMessage", key="k", fingerprint="f")

    with in_flight.claim(use), pytest.raises(RequestRefused) as caught, in_flight.claim(use):
        raise AssertionError("the key was given twice")
    with in_flight.claim(use):
        pass

    assert caught.value.kind is ProblemKind.IDEMPOTENCY_KEY_IN_USE


def test_running_request_answers_its_duplicate_with_409(sandbox: Any) -> None:
    """Over HTTP the conflict is a 409 of the contract."""
    gateway = sandbox.app._app._simulated
    use = KeyUse(account="ada", operation="sendMessage", key="key-1", fingerprint=body_fingerprint(BODY))

    with gateway._context.in_flight.claim(use):
        refused = send(sandbox)
    assert (refused.status_code, refused.headers["Retry-After"]) == (409, "1")
    assert send(sandbox).status_code == 202


@pytest.mark.parametrize(("header", "key"), [("a", "a"), ('"a"', "a"), ('"', '"'), ('"a', '"a')])
def test_quotes_are_taken_off_in_pairs(header: str, key: str) -> None:
    """Only a pair of quotes is a spelling."""
    assert unquote_key(header) == key


def test_key_in_use_elsewhere_is_a_conflict(sandbox: Any) -> None:
    """Another process, which shares nothing but the server, holds the key until its transaction ends."""
    if not sandbox.database.place.file.startswith("postgresql:"):
        pytest.skip("on SQLite one writes at a time, and the second request waits")
    words = ("idempotency key", "ada", "sendMessage", "key-of-two")
    with sandbox.database.write("ada", shared=True) as connection:
        assert sandbox.database.hold(connection, *words)
        refused = sandbox.send(headers={"Idempotency-Key": "key-of-two"})
    accepted = sandbox.send(headers={"Idempotency-Key": "key-of-two"})

    assert (refused.status_code, refused.headers["Retry-After"]) == (409, "1")
    assert accepted.status_code == 202
