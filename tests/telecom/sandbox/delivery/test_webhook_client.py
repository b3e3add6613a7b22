"""Requests to real receivers: what is sent as it stands, and what is told where no answer comes."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.waiting import PATIENCE_S

from telecom.sandbox.connections.certificates import self_signed_server
from telecom.sandbox.delivery.webhook_client import IncomingResponse, OutgoingRequest, webhook_session

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
BODY = b'{"type": "x"}'


def post(
    serve: Serve | None, *, scheme: str = "http", context: ssl.SSLContext | None = None
) -> IncomingResponse:
    """Post to a receiver at a free port, or where nobody listens."""

    async def run() -> IncomingResponse:
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        if serve is None:
            listener.close()
        server = await asyncio.start_server(serve, sock=listener, ssl=context) if serve is not None else None
        outgoing = OutgoingRequest(
            url=f"{scheme}://127.0.0.1:{port}/hooks",
            tls_name="receiver.test",
            headers={"Host": "receiver.test", "Content-Type": "application/json"},
            body=BODY,
        )
        try:
            async with webhook_session() as post:
                return await asyncio.wait_for(post(outgoing), timeout=PATIENCE_S)
        finally:
            if server is not None:
                server.close()

    return asyncio.run(run())


def answering(answer: bytes, got: list[bytes]) -> Serve:
    """Return a receiver that reads one request and answers as told."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readuntil(BODY))
        writer.write(answer)
        await writer.drain()
        writer.close()

    return serve


def test_request_goes_out_as_it_stands() -> None:
    """With the headers given and what HTTP needs, and nothing else."""
    got: list[bytes] = []
    found = post(answering(b"HTTP/1.1 503 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", got))

    head, _, body = got[0].partition(b"\r\n\r\n")
    assert found == IncomingResponse(status=503, retry_after="7")
    assert body == BODY
    assert sorted(line.split(b":")[0].lower() for line in head.split(b"\r\n")[1:]) == [
        *(b"content-length", b"content-type", b"host"),
    ]
    assert head.startswith(b"POST /hooks HTTP/1.1\r\n")


def test_pinned_address_is_not_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that changes its mind after the address was tested is not asked."""

    async def refuse_lookup(*_: object, **__: object) -> None:
        raise AssertionError("a host was looked up")

    monkeypatch.setattr("aiohttp.resolver.ThreadedResolver.resolve", refuse_lookup)
    monkeypatch.setattr("aiohttp.resolver.AsyncResolver.resolve", refuse_lookup)

    assert post(answering(b"HTTP/1.1 204 Fine\r\n\r\n", [])).status == 204


def test_redirect_is_an_answer_like_others() -> None:
    """It is not followed."""
    got: list[bytes] = []
    answer = b"HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"

    assert post(answering(answer, got)).status == 307
    assert len(got) == 1


def test_interim_answers_are_passed_over() -> None:
    """The final one is what counts (RFC 9110 §15.2)."""
    interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3

    found = post(answering(interim + b"HTTP/1.1 204 Fine\r\n\r\n", []))

    assert found.status == 204


def test_interim_answers_without_end_are_a_failure() -> None:
    """They would keep a worker from all its other receivers, however little time each of them takes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(BODY)
        with suppress(ConnectionError):
            while True:
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000)
                await writer.drain()
        writer.close()

    with pytest.raises(OSError, match="more than 100 interim responses"):
        post(serve)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "no connection: connection refused"),
        (b"", "the receiver closed the connection without a response"),
        (b"SSH-2.0-OpenSSH\r\n", "the response is not HTTP: ClientResponseError"),
    ],
)
def test_failure_is_told_in_plain_words(answer: bytes | None, told: str) -> None:
    """As the event log shows it to who has the receiver."""
    with pytest.raises(OSError, match=f"^{told}$"):
        post(None if answer is None else answering(answer, []))


def test_receiver_without_tls_is_told() -> None:
    """Where https was asked for."""

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad\r\n\r\n")
        writer.close()

    with pytest.raises(OSError, match=r"^no TLS: "):
        post(plain, scheme="https")


def test_certificate_that_nobody_vouches_for_is_told(tmp_path: Path) -> None:
    """The name is that of the endpoint's address, though the address was looked up before."""
    identity = self_signed_server(
        "receiver.test", datetime.now(UTC), timedelta(days=1), hosts=("receiver.test",)
    )
    (tmp_path / "all.pem").write_bytes(identity.certificate_pem + identity.key_pem)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "all.pem")

    with pytest.raises(OSError, match=r"^the certificate is not trusted: self.signed certificate"):
        post(answering(b"", []), scheme="https", context=context)
