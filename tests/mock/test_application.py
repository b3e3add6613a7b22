"""The mock behind HTTP: what is no request, control of clock and state, and calls from web pages."""

import re
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.mock.contracts import FOLDER, TOKEN
from tests.mock.serving import listening_mock

AUTHORISED = {"Authorization": f"Bearer {TOKEN}"}
HOSTILE = [
    b"NONSENSE\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    b"POST /v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n",
    b"POST /v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    b"POST /v1/orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /v1/orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"GET http://other.example/v1/orders HTTP/1.1\r\nHost: \xff\xfe\r\nConnection: close\r\n\r\n",
    b"GET /v1/orders?%00%ff=%zz HTTP/1.1\r\nHost: a\r\nCookie: ;;=;a\r\nConnection: close\r\n\r\n",
]


@pytest.fixture(name="url", scope="module")
def _url() -> Iterator[str]:
    with listening_mock(FOLDER / "orders.yaml") as url:
        yield url


@pytest.mark.parametrize("request_bytes", HOSTILE)
def test_what_is_no_request_is_no_server_error(url: str, request_bytes: bytes) -> None:
    """The connection ends, with 4xx or without a response, and the next one is served."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(request_bytes)
        client.shutdown(socket.SHUT_WR)
        response = client.recv(65_536)

    assert not re.match(rb"HTTP/1.1 50(?![15])", response), response
    assert httpx.get(f"{url}/orders", headers=AUTHORISED).status_code == 200


def test_a_head_that_is_too_long_is_refused(url: str) -> None:
    """With a problem document that a web page can read, and the connection ends."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(b"GET /v1/orders HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nX-Long: " + b"a" * 70_000)
        response = b"".join(iter(lambda: client.recv(65_536), b""))

    assert response.startswith(b"HTTP/1.1 431 ")
    assert b"Access-Control-Allow-Origin: *" in response
    assert b'"Request line and headers have more than 65,536 bytes."' in response


@pytest.mark.parametrize("hosts", [(), ("a", "b"), ("a b",)])
def test_a_request_needs_one_host(url: str, hosts: tuple[str, ...]) -> None:
    """None, several and invalid ones are refused (RFC 9112 §3.2)."""
    parts = urlsplit(url)
    lines = "".join(f"Host: {host}\r\n" for host in hosts)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        client.sendall(f"GET /v1/orders HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        response = client.recv(65_536)

    assert response.startswith(b"HTTP/1.1 400 ")


def test_a_body_that_ends_early_changes_nothing(url: str) -> None:
    """Half of a body is none."""
    before = httpx.get(f"{url}/orders", headers=AUTHORISED).json()["total_count"]
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=30) as client:
        head = f"POST /v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
        head += "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
        client.sendall(head.encode() + b'{"product": "Tea", "quantity": 1}')

    assert httpx.get(f"{url}/orders", headers=AUTHORISED).json()["total_count"] == before


def test_the_clock_moves_and_states_follow(url: str) -> None:
    """What is due in the time that passes happens at once."""
    root = url.removesuffix("/v1")
    order = httpx.post(f"{url}/orders", json={"product": "Tea", "quantity": 1}, headers=AUTHORISED).json()
    httpx.post(f"{url}/orders/{order['id']}/place", headers=AUTHORISED).raise_for_status()
    moved = httpx.post(f"{root}/_mock/clock", json={"advance_s": 3600})
    later = httpx.get(f"{url}/orders/{order['id']}", headers=AUTHORISED).json()

    assert moved.status_code == 200
    assert later["status"] == "shipped"
    assert later["updated_at"] > order["updated_at"]
    for wrong in ("{", "[]", '{"now": "tomorrow"}', '{"now": "2030-01-01T00:00:00"}', '{"advance_s": 1e300}'):
        assert httpx.post(f"{root}/_mock/clock", content=wrong).status_code == 400
    assert httpx.patch(f"{root}/_mock/clock").status_code == 405


def test_the_state_can_be_forgotten(url: str) -> None:
    """Then the examples of the contract are there again, and nothing else."""
    root = url.removesuffix("/v1")
    httpx.post(f"{url}/orders", json={"product": "Tea", "quantity": 1}, headers=AUTHORISED).raise_for_status()
    forgotten = httpx.delete(f"{root}/_mock/state").json()["resources"]

    assert forgotten["/orders/{order_id}"] == 1
    assert httpx.get(f"{root}/_mock/state").json()["resources"] == forgotten


def test_web_pages_may_call_it(url: str) -> None:
    """Their preflight is answered, and responses can be read (Fetch)."""
    origin = {"Origin": "http://127.0.0.1:8000"}
    preflight = httpx.options(f"{url}/orders", headers={**origin, "Access-Control-Request-Method": "POST"})
    response = httpx.get(f"{url}/orders", headers={**origin, **AUTHORISED})

    assert preflight.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "*"
