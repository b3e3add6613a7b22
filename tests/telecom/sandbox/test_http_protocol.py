"""Connections: what is read off them, what is refused, and what every client is told."""

import asyncio
import json
import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from devportal.contract import Api
from devportal.serving import http_protocol
from devportal.serving.http_protocol import MAX_HEAD_BYTES
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, CrossOrigin
from telecom.sandbox.api.refusals import problem_writer
from telecom.sandbox.connections.http_protocol import protocol_class
from telecom.sandbox.extra_routes import PathDispatcher

HEAD = b"Host: sandbox\r\n"
GET = b"GET /seen HTTP/1.1\r\n" + HEAD + b"\r\n"
SLOW = b"GET /slow HTTP/1.1\r\n" + HEAD + b"\r\n"


class Line(asyncio.Transport):
    """The client's end of a connection: keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told = b""
        self.is_closed = False

    def write(self, data: Any) -> None:
        """Take what is told."""
        assert not self.is_closed
        self.told += data

    def close(self) -> None:
        """Be told nothing more."""
        self.is_closed = True

    def can_write_eof(self) -> bool:
        """Say that it has no half to close, as under TLS."""
        return False

    def is_closing(self) -> bool:
        """Say whether it ended."""
        return self.is_closed

    def pause_reading(self) -> None:
        """Take no more."""

    def resume_reading(self) -> None:
        """Take more."""

    @property
    def statuses(self) -> list[int]:
        """Those of the answers that came."""
        return [int(status) for status in re.findall(rb"HTTP/1.1 (\d{3}) ", self.told)]

    def header(self, name: str) -> str | None:
        """Return a header of the last answer."""
        head = self.told.rpartition(b"\r\n\r\n")[0].rpartition(b"HTTP/1.1 ")[2].decode()
        found = re.search(rf"^{name}: (.*?)\r?$", head, re.IGNORECASE | re.MULTILINE)
        return found[1] if found else None

    def document(self) -> Any:
        """Return the JSON of the last answer."""
        return json.loads(self.told.rpartition(b"\r\n\r\n")[2])


async def echo_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with the request; one to /slow gets its response later."""
    request = Request(scope, receive)
    body = await request.body()
    if scope["path"] == "/slow":
        await asyncio.sleep(0)
    seen = {"path": scope["path"], "query": scope["query_string"].decode(), "body": body.decode()}
    await JSONResponse({**seen, "names": request.headers.keys(), "values": request.headers.values()})(
        scope, receive, send
    )


Talk = Callable[..., Line]


@pytest.fixture
def talk(api: Api) -> Talk:
    """Return a function that sends pieces of bytes over a new connection, and returns what came back."""
    return talk_to(api, ANY_ORIGIN)


def talk_to(api: Api, origins: tuple[str, ...]) -> Talk:
    """Return such a function for a sandbox that pages of some origins may call."""
    cross_origin = CrossOrigin.of(api, origins)
    kind = protocol_class(problem_writer(ProblemRegistry.of(api), cross_origin, lambda size: b"\x07" * size))

    async def send(*pieces: bytes, wait_s: float, hangs_up: bool) -> Line:
        line, config = Line(), uvicorn.Config(PathDispatcher(echo_app, ()), log_config=None, ws="none")
        config.load()
        connection = kind(
            config=config, server_state=ServerState(), app_state={}, _loop=asyncio.get_running_loop()
        )
        connection.connection_made(line)
        for piece in pieces:
            if not line.is_closed:
                connection.data_received(piece)
            if hangs_up:
                line.close()
                connection.connection_lost(ConnectionResetError())
            await _let_tasks_run()
        if hangs_up:
            return line
        await asyncio.sleep(wait_s)  # timers end in the order in which they are due, on any machine
        await _let_tasks_run()
        connection.connection_lost(ConnectionResetError())
        return line

    return lambda *pieces, wait_s=0, hangs_up=False: asyncio.run(
        send(*pieces, wait_s=wait_s, hangs_up=hangs_up)
    )


async def _let_tasks_run() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/v1/messages?limit=2", "/v1/messages", "limit=2"),
        ("http://sandbox/v1/messages?limit=2", "/v1/messages", "limit=2"),
        ("HTTPS://sandbox:8080/v1/messages", "/v1/messages", ""),
        ("http://sandbox", "/", ""),
        ("http://sandbox?limit=2", "/", "limit=2"),
        ("*", "/*", ""),
        ("//sandbox/v1", "//sandbox/v1", ""),
        ("/a%2Fb%00", "/a/b\x00", ""),
    ],
)
def test_forms_of_targets(talk: Talk, target: str, path: str, query: str) -> None:
    """An absolute form leads where its path does (RFC 9112 §3.2.2); any other is a path nobody has."""
    line = talk(f"GET {target} HTTP/1.1\r\n".encode() + HEAD + b"\r\n")

    assert line.statuses == [200]
    assert (line.document()["path"], line.document()["query"]) == (path, query)


NO_REQUEST_LINES = (
    b"GET  /seen HTTP/1.1\r\n",
    b"GET /seen  HTTP/1.1\r\n",
    b"GET /seen HTTP/1.1 \r\n",
    b" GET /seen HTTP/1.1\r\n",
    b"GET\t/seen HTTP/1.1\r\n",
    b"GET /seen#x HTTP/1.1\r\n",
    b"GET /seen?a=b#x HTTP/1.1\r\n",
    b"GET http://sandbox/seen#x HTTP/1.1\r\n",
    b"GET /seen RTSP/1.0\r\n",
    b"DESCRIBE /seen RTSP/1.0\r\n",
    b"SOURCE /seen ICE/1.0\r\n",
    b"GET /seen http/1.1\r\n",
    b"GET /seen HTTP/1.10\r\n",
    b"GET /seen HTTP/1\r\n",
    b"GET /seen\r\n",
    b"GET /seen HTTP/1.1\n",
    b"GET /seen HTTP/1.1\r",
    b"\nGET /seen HTTP/1.1\r\n",
    b"\rGET /seen HTTP/1.1\r\n",
)
"""Not a method, a target and a version with one space between them (RFC 9112 §3)."""
NO_FIELDS = (
    b"X-Space : a\r\n",
    b"X-Tab\t: a\r\n",
    b"X Y: a\r\n",
    b"Content-Length : 0\r\n",
    b" X-Begin: a\r\n",
    b"X-Bare: a\rb\r\n",
    b"X-Bare: a\r\r\n",
    b"X-Line: a\n",
    b"X-Folded: a\r\n\tb\r\n",
    b"X-Folded:\r\n b\r\n",
    b"X-Zero: a\x00b\r\n",
    b"X-Bell: a\x07b\r\n",
    b"X-(: a\r\n",
    b"X-\xff: a\r\n",
    b": a\r\n",
    b"X-No-Colon\r\n",
)
"""Not names with a colon right behind them and values on one line (RFC 9112 §5)."""
POST_IN_CHUNKS = b"POST / HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
NO_CHUNKS = (
    b"0x1\r\na\r\n0\r\n\r\n",
    b"1 \r\na\r\n0\r\n\r\n",
    b"1\na\r\n0\r\n\r\n",
    b"1;a=\rb\r\na\r\n0\r\n\r\n",
    b"1\r\nab\r\n0\r\n\r\n",
    b"0\r\nX-Space : a\r\n\r\n",
    b"0\r\nX-Folded: a\r\n b\r\n\r\n",
    b"0\r\nX-Bare: a\rb\r\n\r\n",
)
"""Not a body in chunks with fields behind them (RFC 9112 §7.1)."""


@pytest.mark.parametrize(
    "unreadable",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(40),
        b"GET / HTTP/1.1\r\nHost sandbox\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"GET / HTTP/9.9\r\n" + HEAD + b"\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: one\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"X-Folded: a\r\n b\r\n\r\n",
        *(line + HEAD + b"\r\n" for line in NO_REQUEST_LINES),
        *(b"GET / HTTP/1.1\r\n" + HEAD + fields + b"\r\n" for fields in NO_FIELDS),
        *(POST_IN_CHUNKS + body for body in NO_CHUNKS),
    ],
)
def test_what_is_no_request_is_a_problem(talk: Talk, unreadable: bytes) -> None:
    """Whoever does not speak HTTP is told so as a problem document, and the connection ends."""
    line = talk(unreadable)

    assert line.statuses == [HTTPStatus.BAD_REQUEST]
    assert line.is_closed
    assert line.document()["type"].endswith("/malformed-request/")
    assert line.document()["correlation_id"] == "07" * 16
    assert line.header("X-Correlation-Id") == "07" * 16


UNREADABLE = {
    HTTPStatus.BAD_REQUEST: b"X-Folded: a\r\n b\r\n\r\n",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: b"X-Long: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n",
    HTTPStatus.REQUEST_TIMEOUT: b"X-Half: a",
}
"""What comes behind the line of a request and its first headers."""


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"FETCH /seen HTTP/1.1\r\n" + HEAD, 501),
        (b"get /seen HTTP/1.1\r\n" + HEAD, 501),
        (b"GET /seen HTTP/2.0\r\n" + HEAD, 505),
        (b"GET /seen HTTP/0.9\r\n" + HEAD, 505),
        (b"POST /seen HTTP/1.0\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n", 400),
        (b"POST /seen HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: gzip, chunked\r\n", 501),
        (
            b"POST /seen HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
            501,
        ),
    ],
)
def test_what_this_server_does_not_speak_is_refused(talk: Talk, head: bytes, status: int) -> None:
    """An unknown method gets 501 (RFC 9110 §9.1), another version of HTTP 505 (§15.6.6), another transfer coding
    501, and one in HTTP/1.0, which has none, 400 (RFC 9112 §6.1)."""
    line = talk(head + b"\r\n")

    assert line.statuses == [status]
    assert line.document()["status"] == status
    assert line.is_closed


def test_chunks_are_read_however_they_are_announced(talk: Talk) -> None:
    """Names of transfer codings have no case (RFC 9112 §7)."""
    line = talk(b"POST /seen HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")

    assert line.statuses == [200]
    assert line.document()["body"] == "ab"


@pytest.mark.parametrize("status", UNREADABLE)
def test_pages_may_read_what_is_wrong(
    talk: Talk, status: HTTPStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A console in a browser shows the problem and not "Failed to fetch" (decision 0040)."""
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT_S", 0.001)

    line = talk(b"GET / HTTP/1.1\r\nOrigin: https://docs.example\r\n" + UNREADABLE[status], wait_s=0.01)

    assert line.statuses == [status]
    assert line.header("Access-Control-Allow-Origin") == "*"
    assert "X-Correlation-Id" in (line.header("Access-Control-Expose-Headers") or "").split(", ")


@pytest.mark.parametrize("status", UNREADABLE)
@pytest.mark.parametrize("before", [b"", GET], ids=["first-request", "second-request"])
@pytest.mark.parametrize(
    ("origin", "allowed"), [("https://docs.example", True), ("https://o.example", False)]
)
def test_only_pages_that_may_call_read_what_is_wrong(
    api: Api,
    *,
    before: bytes,
    origin: str,
    allowed: bool,
    status: HTTPStatus,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where origins are named, the one that asks is told, as far as its header was read."""
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT_S", 0.001)
    talk = talk_to(api, ("https://docs.example",))

    head = f"GET / HTTP/1.1\r\nOrigin: {origin}\r\n".encode()
    line = talk(*([before] if before else []), head + UNREADABLE[status], wait_s=0.01)

    assert line.statuses[-1] == status
    assert line.header("Access-Control-Allow-Origin") == (origin if allowed else None)
    assert line.header("Vary") == "Origin"


def test_what_is_wrong_is_not_told_to_the_page_of_the_request_before(api: Api) -> None:
    """A connection can have requests of several pages; each is told of its own."""
    talk = talk_to(api, ("https://docs.example",))

    line = talk(b"GET /seen HTTP/1.1\r\nOrigin: https://docs.example\r\n\r\n", b"\x00garbage\r\n\r\n")

    assert line.statuses == [200, 400]
    assert line.header("Access-Control-Allow-Origin") is None


@pytest.mark.parametrize(
    "pieces",
    [
        (b"GET / HTTP/1.1\r\nX-Long: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n",),
        (b"GET /" + b"a" * MAX_HEAD_BYTES + b" HTTP/1.1\r\n\r\n",),
        (b"GET / HTTP/1.1\r\nX-Endless: ", *[b"a" * 10_000] * 7),
        (b"GET / HTTP/1.1\r\n", *[b"X-Many: a\r\n" * 1000] * 7),
    ],
    ids=["long-header", "long-target", "endless-header", "many-headers"],
)
def test_long_heads_are_refused(talk: Talk, pieces: tuple[bytes, ...]) -> None:
    """A head that is too long is refused, also while its end has not come."""
    line = talk(*pieces)

    assert line.statuses == [HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE]
    assert line.is_closed
    assert line.document()["type"] == "about:blank"


def test_head_of_the_longest_length_is_read(talk: Talk) -> None:
    """The limit itself is allowed, and a long body counts as no head."""
    head = b"POST /seen HTTP/1.1\r\nContent-Length: 70000\r\nX-Long: %s\r\n\r\n"
    longest = head % (b"a" * (MAX_HEAD_BYTES - len(head % b"")))

    lines = (talk(longest, b"b" * 70_000), talk(longest + b"b" * 70_000), talk(longest[:9], longest[9:]))

    assert [line.statuses for line in lines] == [[200], [200], []]
    assert talk(longest.replace(b"aa", b"aaa", 1)).statuses == [HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE]


EACH_KIND = (
    GET
    + b"\r\n\r\n"
    + b"POST /seen HTTP/1.1\r\n"
    + HEAD
    + b"Content-Length: 7\r\n\r\na\r\n\r\nbc"
    + b"POST /seen HTTP/1.1\r\n"
    + HEAD
    + b"Content-Length: 0\r\n\r\n"
    + POST_IN_CHUNKS.replace(b"/", b"/seen", 1)
    + b"6\r\na\r\n\r\nb\r\n0\r\n\r\n"
    + POST_IN_CHUNKS.replace(b"/", b"/seen", 1)
    + b"0\r\nX-Last: a\r\n\r\n"
    + GET
)
"""Requests with bodies of each kind behind each other, which have empty lines in them too."""


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, len(EACH_KIND)])
def test_requests_are_told_apart_however_they_come(talk: Talk, size: int) -> None:
    """In pieces of any size, with empty lines before them and in their bodies."""
    line = talk(*(EACH_KIND[start : start + size] for start in range(0, len(EACH_KIND), size)))

    assert line.statuses == [200] * 6
    assert [json.loads(body)["body"] for body in re.findall(rb"\{.*\}", line.told)] == [
        *("", "a\r\n\r\nbc", "", "a\r\n\r\nb", "", "")
    ]


@pytest.mark.parametrize("line", NO_REQUEST_LINES)
def test_what_follows_is_held_to_the_same(talk: Talk, line: bytes) -> None:
    """A second request is read as strictly as the first, in one piece with it or not."""
    second = line + HEAD + b"\r\n"

    together, apart = talk(GET + GET + second), talk(GET, GET, second)

    assert together.statuses == [200, 200]
    assert together.is_closed
    assert apart.statuses == [200, 200, HTTPStatus.BAD_REQUEST]


def test_whitespace_around_values_is_removed(talk: Talk) -> None:
    """RFC 9110 §5.5: it is no part of a value. Whitespace inside of one is."""
    line = talk(b"GET / HTTP/1.1\r\nHost: sandbox \t\r\nA: \tx y \t \r\nB: \t \r\n\r\n")

    assert line.document()["values"] == ["sandbox", "x y", ""]


def test_fields_after_the_body_are_dropped(talk: Talk) -> None:
    """What comes after a chunked body is no header (RFC 9110 §6.5.1): it could be a second token."""
    request = b"POST /seen HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

    line = talk(request + b"2\r\nhi\r\n0\r\nAuthorization: Bearer other\r\n\r\n")

    assert line.document() == {
        "path": "/seen",
        "query": "",
        "body": "hi",
        "names": ["host", "transfer-encoding"],
        "values": ["sandbox", "chunked"],
    }


def test_offer_of_another_protocol_is_ignored(talk: Talk) -> None:
    """A client that offers HTTP/2 (RFC 9110 §7.8) is answered in HTTP/1.1, and goes on."""
    offer = (
        b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n"
    )
    post = b"POST /seen HTTP/1.1\r\n" + HEAD + offer + b"Content-Length: 2\r\n\r\nhi"

    lines = talk(post, GET, GET), talk(post + GET, GET), talk(*(bytes([byte]) for byte in post), GET + GET)

    for line in lines:
        assert line.statuses == [200, 200, 200]
        assert b'"body":"hi"' in line.told


def test_tunnel_is_refused(talk: Talk) -> None:
    """`CONNECT` leads to a path nobody has, and the connection goes on."""
    line = talk(b"CONNECT sandbox:80 HTTP/1.1\r\n" + HEAD + b"\r\n", GET)

    assert b'"path":"/sandbox:80"' in line.told
    assert line.statuses == [200, 200]


def test_pipelined_requests_are_answered_in_order(talk: Talk) -> None:
    """Requests that come at once are answered one after the other, and garbage behind them ends it all."""
    line = talk(SLOW + GET + GET)

    assert line.statuses == [200, 200, 200]
    assert line.told.index(b"/slow") < line.told.index(b"/seen")


@pytest.mark.parametrize(
    "sent",
    [
        GET,
        SLOW + GET,
        SLOW + b"GET  / HTTP/1.1\r\n\r\n",
        SLOW + b"POST /seen HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nhi",
        b"GET / HT",
    ],
    ids=["one", "two", "garbage-behind-one", "half-a-body-behind-one", "half-a-line"],
)
def test_who_hangs_up_is_told_nothing(talk: Talk, sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever was still to be answered: nothing is written to a connection that is gone."""
    line = talk(sent, hangs_up=True)

    assert line.told == b""
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


def test_garbage_after_a_request_leaves_its_answer(talk: Talk) -> None:
    """What cannot be read gets no response in the place of the request before it."""
    line = talk(SLOW + b"\x00garbage\r\n\r\n")

    assert line.statuses == [200]
    assert line.is_closed


@pytest.mark.parametrize("before", [SLOW, SLOW + GET, GET], ids=["slow", "two", "quick"])
def test_broken_body_behind_a_request_leaves_its_answer(talk: Talk, before: bytes) -> None:
    """A request whose body cannot be read is not answered before those that came before it."""
    broken = b"POST /seen HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n"

    line = talk(before + broken, GET)

    assert line.statuses == [200] * before.count(b"GET")
    assert line.is_closed


@pytest.mark.parametrize(
    "begun",
    [
        (),
        (b"\r\n",),
        (b"GET / HT",),
        (GET, b"GET / HTTP/1.1\r\nHo"),
        (b"POST /seen HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nhi",),
        (GET + b"POST /seen HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nhi",),
        (GET + b"GET / HTTP/1.1\r\nHo",),
    ],
    ids=[
        *("nothing", "empty-line", "half-a-line", "second-request", "half-a-body"),
        *("body-behind-a-request", "head-behind-a-request"),
    ],
)
def test_slow_clients_are_not_waited_for(
    talk: Talk, begun: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that is not whole in time is answered with 408, wherever it stopped."""
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT_S", 0.001)

    line = talk(*begun, wait_s=0.01)

    assert line.statuses[-1] == HTTPStatus.REQUEST_TIMEOUT
    assert line.is_closed


def test_whole_request_is_waited_for_no_longer(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait is for the request, not for its answer or for what follows."""
    monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT_S", 0.001)

    line = talk(GET, wait_s=0.01)

    assert line.statuses == [200]
    assert not line.is_closed
