"""A server that keeps what it is sent, and what a sample should have sent, both in one form."""

import base64
import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from devportal.reference.samples.request import (
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    SampleRequest,
    Secret,
    TextBody,
    TextOrSecrets,
)
from tests.waiting import PATIENCE_S

FILE_CONTENT = b"\x00\xff file \r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A request as a server understands it.

    `path` has everything percent-encoded that can be; `headers` are those that were asked for, by lower-case
    name; the fields of a form are in the order of their names.
    """

    method: str
    path: str
    query: list[tuple[str, str]]
    headers: dict[str, str]
    body: Any


@dataclass(slots=True)
class Echo:
    """The address of the server and what it was sent, raw: method, target, headers, body."""

    address: str
    received: list[tuple[str, str, Mapping[str, str], bytes]] = field(default_factory=list)

    def message(self, *names: str) -> Message:
        """Return the oldest request that nobody asked for yet, with the headers of these names."""
        method, target, headers, body = self.received.pop(0)
        parts = urlsplit(target)
        return Message(
            method=method,
            path=canonical(parts.path),
            query=parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)),
            headers={name: headers[name] for name in names if name in headers},
            body=_parse_body(headers.get("content-type", ""), body),
        )


def canonical(path: str) -> str:
    """Return a path with everything percent-encoded that can be: clients differ in what they leave."""
    return "/".join(quote(unquote(segment), safe="") for segment in path.split("/"))


@contextmanager
def _listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    """Listen on a free port for the time of a `with` block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def echo() -> Iterator[Echo]:
    """Keep what is sent in a `with` block."""
    with _listening(_Handler) as server:
        made = Echo(address=f"http://127.0.0.1:{server.server_port}")
        server.echo = made  # type: ignore[attr-defined]  # how the handler reaches it
        yield made


@contextmanager
def stream(first: bytes, second: bytes, go_on: threading.Event) -> Iterator[str]:
    """Send every client one part of a stream, and the other one once `go_on` is set; yields the address."""

    class Parts(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(first)
            go_on.wait(PATIENCE_S)
            self.wfile.write(second)

        def log_message(self, *_: Any) -> None:
            pass

    with _listening(Parts) as server:
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            go_on.set()


class _Handler(BaseHTTPRequestHandler):
    """Answers everything with 200."""

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline(65537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = (
            self._chunks()
            if "chunked" in headers.get("transfer-encoding", "")
            else self._read_by_length(headers)
        )
        self.server.echo.received.append((self.command, self.path, headers, body))  # type: ignore[attr-defined]
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _read_by_length(self, headers: Mapping[str, str]) -> bytes:
        return self.rfile.read(int(headers.get("content-length", 0)))

    def _chunks(self) -> bytes:
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def log_message(self, *_: Any) -> None:
        pass


def _parse_body(content_type: str, body: bytes) -> Any:
    kind = content_type.partition(";")[0]
    if not body:
        return None
    if kind.endswith(("/json", "+json")):
        return kind, json.loads(body)
    if kind == "application/x-www-form-urlencoded":
        return kind, fields(parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True))
    if kind == "multipart/form-data":
        whole = message_from_bytes(
            b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body, policy=HTTP
        )
        return kind, [_part(part) for part in whole.iter_parts()]
    return kind, body


def fields(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the fields of a form by name; those of one name keep their order."""
    return sorted(pairs, key=lambda pair: pair[0])


def _part(part: Any) -> tuple[str, bytes, str, dict[str, str]]:
    """Return name, content, the media type where a part names one that is not what it would be anyway, and its
    further headers.

    Line ends are as HTML's forms send them: FormData writes CRLF where a text has LF. A quote in a name is
    `%22` in one client and `\\"` in another.
    """
    written = str(part.get("content-type", ""))
    kind = "" if written.startswith(("text/plain", "application/octet-stream")) else written
    name = part.get_param("name", header="content-disposition")
    content = re.sub(rb"\r\n|\r|\n", b"\r\n", part.get_payload(decode=True))
    further = {key: str(value) for key, value in part.items() if key.lower() not in _USUAL}
    return str(name).replace("%22", '"'), content, kind, further


_USUAL = ("content-disposition", "content-type", "content-length")
"""Headers that every part may have."""


def _crlf(text: str) -> bytes:
    return re.sub(r"\r\n|\r|\n", "\r\n", text).encode()


def expected_message(request: SampleRequest, secrets: Mapping[str, str]) -> Message:
    """Return the message that a sample of a request must send, with these values in the environment."""
    headers = {name.lower(): _text(value, secrets) for name, value in request.headers}
    if request.basic is not None:
        name, password = secrets[request.basic.username.variable], secrets[request.basic.password.variable]
        encoded = base64.b64encode(f"{name}:{password}".encode()).decode()
        headers["authorization"] = f"Basic {encoded}"
    parts = urlsplit(request.url)
    return Message(
        method=request.method,
        path=canonical(parts.path),
        query=[
            *parse_qsl(parts.query, keep_blank_values=True),
            *((name, _text(value, secrets)) for name, value in request.query),
        ],
        headers=headers,
        body=_body(request),
    )


def _text(words: TextOrSecrets, secrets: Mapping[str, str]) -> str:
    return "".join(secrets[word.variable] if isinstance(word, Secret) else word for word in words)


def _body(request: SampleRequest) -> Any:
    match request.body:
        case JsonBody() as body:
            return body.media_type, body.value
        case FormBody() as body:
            return "application/x-www-form-urlencoded", fields(body.pairs)
        case MultipartBody() as body:
            parts = [
                (
                    part.name,
                    FILE_CONTENT if part.is_file else _crlf(part.value),
                    part.media_type,
                    dict(part.headers),
                )
                for part in body.parts
            ]
            return "multipart/form-data", parts
        case TextBody() as body:
            return body.media_type, body.text.encode()
        case FileBody() as body:
            return body.media_type, FILE_CONTENT
    return None
