"""Sending to a deployment that does not mean well."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.conformance.deployment.client import LONGEST_WAIT_S, Deployment, RequestPolicy, retry_after_s
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import MAX_RESPONSE_BYTES
from devportal.conformance.deployment.masking import Mask
from devportal.errors import DeploymentError
from tests.apps.correct import SessionCookie
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.waiting import PATIENCE_S

TIMEOUT_S = 0.4
AUTHORISED = (("Authorization", f"Bearer {TOKEN}"),)


@contextmanager
def serve_endless_bytes(start: bytes, again: bytes, pause_s: float) -> Iterator[str]:
    """Answer each connection with a start, and then with the same bytes for as long as it is open."""
    stop = threading.Event()

    def respond_to_all(listener: socket.socket) -> None:
        while not stop.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                continue
            with connection:
                try:
                    connection.recv(65_536)
                    connection.sendall(start)
                    while not stop.wait(pause_s):
                        connection.sendall(again)
                except OSError:
                    continue

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        thread = threading.Thread(target=respond_to_all, args=(listener,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            stop.set()
            thread.join(timeout=PATIENCE_S)


def fetch(url: str, timeout_s: float = TIMEOUT_S) -> Exchange:
    """Send one request and return the exchange."""
    with Deployment(RequestPolicy(timeout_s=timeout_s), mask=Mask()) as deployment:
        return deployment.send(Request(method="GET", url=url))


def test_a_cookie_is_not_carried_into_the_next_request() -> None:
    """Each request is sent as it is: a session that an answer opened is no credential of later ones."""
    with (
        serving(SessionCookie()) as url,
        Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment,
    ):
        address = f"{url}/v1/parcels/pcl_example"
        first = deployment.send(Request(method="GET", url=address, headers=AUTHORISED))
        second = deployment.send(Request(method="GET", url=address))

    assert first.answer is not None
    assert first.answer.header("set-cookie")
    assert (first.status, second.status) == (200, 401)


@pytest.mark.parametrize(
    ("start", "again"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
        (b"", b"H"),
    ],
    ids=["body", "body without a length", "headers", "status line"],
)
def test_an_answer_that_drips_ends_with_the_timeout(start: bytes, again: bytes) -> None:
    """The timeout is for the whole answer, however often a byte of it comes: this one never ends."""
    with serve_endless_bytes(start, again, 0.05) as url:
        exchange = fetch(url)

    assert exchange.answer is None
    assert "within 0.4 s" in exchange.unanswered


def test_an_answer_without_end_is_cut_at_the_byte_limit() -> None:
    """A server cannot fill the memory: beyond the limit there is no answer."""
    with serve_endless_bytes(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1_000_000, 0) as url:
        exchange = fetch(url, timeout_s=PATIENCE_S)

    assert exchange.answer is None
    assert f"{MAX_RESPONSE_BYTES:,} bytes" in exchange.unanswered


def test_a_run_past_its_time_sends_nothing_more() -> None:
    """`--max-time` ends our own probes too."""
    with (
        serving(Parcels()) as url,
        Deployment(RequestPolicy(timeout_s=PATIENCE_S, max_time_s=0), mask=Mask()) as deployment,
        pytest.raises(DeploymentError, match="did not end within 0 s"),
    ):
        deployment.send(Request(method="GET", url=f"{url}/v1/health"))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(None, 1), ("", 1), ("0", 0), (" 7 ", 7), ("²", 1), ("٣", 1), ("-1", 1), ("9" * 400, LONGEST_WAIT_S)],
)
def test_retry_after_is_read(value: str | None, seconds: float) -> None:
    """ASCII digits are seconds (RFC 9110 §10.2.3); with anything else it is one."""
    assert retry_after_s(value) == seconds


@given(st.text(max_size=400) | st.from_regex(r"\d{1,5000}", fullmatch=True))
def test_no_retry_after_breaks_the_run(value: str) -> None:
    """Whatever a server sends, the wait is bounded."""
    assert 0 <= retry_after_s(value) <= LONGEST_WAIT_S


class HangsUp(socketserver.StreamRequestHandler):
    """Answers the first request with 500 and closes the connection at the next, which is lost."""

    def handle(self) -> None:
        """Fail once, then hang up."""
        self.read_head()
        self.wfile.write(b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
        self.read_head()

    def read_head(self) -> None:
        """Read up to the end of the headers, or of the connection."""
        while self.rfile.readline().strip():
            pass


def test_a_connection_with_a_server_error_is_not_used_again() -> None:
    """Many servers close it without an announcement, and the next request would get no response."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), HangsUp) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            with Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment:
                statuses = [deployment.send(Request(method="GET", url=url)).status for _ in range(3)]
        finally:
            server.shutdown()
            thread.join(timeout=PATIENCE_S)

    assert statuses == [500, 500, 500]


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"220 mail.example.com ESMTP\r\n\r\n", "it sent something that is not valid HTTP/1.1"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "it sent something that is not valid HTTP/1.1",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[]",
            "the connection was closed before the end of the response",
        ),
        (b"", "the connection was closed, or nothing came in time"),
    ],
)
def test_a_server_that_sends_no_response_is_described(sent: bytes, reason: str) -> None:
    """A wrong port, a broken server and one that goes away need different advice."""
    with serve_once(sent) as url, Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment:
        exchange = deployment.send(Request(method="GET", url=url))

    assert exchange.unanswered == reason


def test_a_server_without_tls_is_described() -> None:
    """It is there: nothing was refused."""
    with serve_once(b"HTTP/1.1 400 Bad Request\r\n\r\n") as url:
        exchange = _exchange_without_response(url.replace("http:", "https:"))

    assert exchange.unanswered == "it does not speak TLS"


def test_a_host_name_that_nobody_has_is_described() -> None:
    """Names below `.invalid` never exist (RFC 2606 §2)."""
    assert (
        _exchange_without_response("http://nobody.invalid/").unanswered == "its host name cannot be resolved"
    )


def _exchange_without_response(url: str) -> Exchange:
    with Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment:
        return deployment.send(Request(method="GET", url=url))


@contextmanager
def serve_once(sent: bytes) -> Iterator[str]:
    """Answer each connection with the same bytes, and close it."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65_536)
            self.request.sendall(sent)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()
