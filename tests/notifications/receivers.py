"""Receivers on this machine: a mail server and a web server that keep what they get."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Inbox:
    """What a receiver got, and what it returns."""

    port: int = 0
    status: int = 204
    location: str = ""
    posts: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    mails: list[tuple[str, tuple[str, ...], bytes]] = field(default_factory=list)
    refused: frozenset[str] = frozenset()
    busy_for: frozenset[str] = frozenset()
    data_reply: str = "250 kept"

    @property
    def url(self) -> str:
        """Return the address of the web server."""
        return f"http://127.0.0.1:{self.port}/secret-path"


class _Web(BaseHTTPRequestHandler):
    inbox: Inbox

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.inbox.posts.append(
            (self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        )
        self.send_response(self.inbox.status)
        if self.inbox.location:
            self.send_header("Location", self.inbox.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


class _Mail(socketserver.StreamRequestHandler):
    inbox: Inbox

    def handle(self) -> None:
        sender, recipients = "", []
        self._say("220 here")
        while line := self.rfile.readline().decode().strip():
            command = line.upper()
            if command.startswith("RCPT TO:"):
                address = line[8:].split(">")[0].strip(" <")
                if address in self.inbox.refused:
                    self._say("550 unknown")
                    continue
                if address in self.inbox.busy_for:
                    self._say("450 greylisted")
                    continue
                recipients.append(address)
            if command.startswith("MAIL FROM:"):
                sender = line[10:].split(">")[0].strip(" <")
            if command == "DATA":
                self._say("354 go on")
                self.inbox.mails.append((sender, tuple(recipients), self._read_data()))
                self._say(self.inbox.data_reply)
            else:
                self._say("221 bye" if command == "QUIT" else "250 ok")
            if command == "QUIT":
                return

    def _read_data(self) -> bytes:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        return b"".join(lines)

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class _MailServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = False


@contextmanager
def _serving(server: socketserver.TCPServer, inbox: Inbox) -> Iterator[Inbox]:
    with server:
        inbox.port = server.socket.getsockname()[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield inbox
        finally:
            server.shutdown()
            thread.join()


class _Garbage(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.rfile.readline()
        self.wfile.write(b"this is no HTTP\r\n")


@contextmanager
def garbage_server() -> Iterator[str]:
    """Serve what is no HTTP, and yield its address."""
    inbox = Inbox()
    with _serving(_MailServer(("127.0.0.1", 0), _Garbage), inbox):
        yield inbox.url


@contextmanager
def web_receiver() -> Iterator[Inbox]:
    """Serve a receiver of posts on a free port."""
    inbox = Inbox()
    with _serving(
        ThreadingHTTPServer(("127.0.0.1", 0), type("Web", (_Web,), {"inbox": inbox})), inbox
    ) as served:
        yield served


@contextmanager
def mail_receiver() -> Iterator[Inbox]:
    """Serve a receiver of emails on a free port."""
    inbox = Inbox()
    with _serving(_MailServer(("127.0.0.1", 0), type("Mail", (_Mail,), {"inbox": inbox})), inbox) as served:
        yield served
