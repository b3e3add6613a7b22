"""The receiver answers as it is told."""

import httpx
import pytest

from devportal.conformance.webhooks.delivery import Reply
from devportal.conformance.webhooks.receiver import Arrival, Receiver
from devportal.errors import EnvironmentProblem
from tests.waiting import PATIENCE_S


def post_body(address: str, body: bytes | list[bytes], timeout_s: float = PATIENCE_S) -> httpx.Response:
    """Send a body, in chunks where it is a list."""
    content = iter(body) if isinstance(body, list) else body
    return httpx.post(f"{address}/hook?a=1", content=content, timeout=timeout_s, trust_env=False)


@pytest.mark.parametrize("body", [b'{"a": 1}', [b'{"a"', b": 1}"]])
def test_a_body_arrives_byte_for_byte(body: bytes | list[bytes]) -> None:
    """With a length and in chunks; the answer has the status and the headers that were decided."""
    seen: list[Arrival] = []
    reply = Reply(status=429, headers=(("Retry-After", "2"),))
    with Receiver(
        ("127.0.0.1", 0), choose_reply=lambda _: reply, on_replied=lambda arrival, _: seen.append(arrival)
    ) as receiver:
        answer = post_body(receiver.address, body)

    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
    assert [(arrival.method, arrival.path, arrival.body) for arrival in seen] == [
        ("POST", "/hook", b'{"a": 1}')
    ]
    assert seen[0].replied_at >= seen[0].arrived_at


def test_a_connection_is_closed_without_an_answer() -> None:
    """A reply without a status is none."""
    receiver = Receiver(
        ("127.0.0.1", 0), choose_reply=lambda _: Reply(status=None), on_replied=lambda *_: None
    )
    with receiver, pytest.raises(httpx.RemoteProtocolError):
        post_body(receiver.address, b"{}")


def test_an_answer_that_waits_ends_with_the_receiver() -> None:
    """Whoever waits for a late answer does not hold up the end of a run: this one would come in an hour."""
    receiver = Receiver(
        ("127.0.0.1", 0), choose_reply=lambda _: Reply(delay_s=3600), on_replied=lambda *_: None
    )
    with receiver, pytest.raises(httpx.TimeoutException):
        post_body(receiver.address, b"{}", timeout_s=0.2)


def test_an_address_in_use_is_told() -> None:
    """The error says which address, and what to do."""
    with Receiver(("127.0.0.1", 0), choose_reply=lambda _: Reply(), on_replied=lambda *_: None) as first:
        port = int(first.address.rpartition(":")[2])
        second = Receiver(("127.0.0.1", port), choose_reply=lambda _: Reply(), on_replied=lambda *_: None)
        with pytest.raises(EnvironmentProblem, match=f"127.0.0.1:{port}"), second:
            pass
