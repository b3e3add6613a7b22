"""Listening sockets, with or without TLS."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from devportal.errors import EnvironmentProblem
from devportal.listening import listen_tcp


@contextmanager
def listening_socket(host: str, port: int, unix_socket: Path | None) -> Iterator[socket.socket]:
    """Listen for the time of a `with` block, at a Unix socket if one is named; raises EnvironmentProblem."""
    with closing(listen_tcp(host, port) if unix_socket is None else listen_unix(unix_socket)) as listener:
        try:
            yield listener
        finally:
            if unix_socket is not None:
                unix_socket.unlink(missing_ok=True)


def listen_unix(path: Path) -> socket.socket:
    """Return a listening Unix socket; one that a killed sandbox left behind is replaced.

    Raises EnvironmentProblem if another program uses the path, or if the machine refuses.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if path.is_socket() and not _is_in_use(path):
            path.unlink()
        listener.bind(str(path))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise EnvironmentProblem(
            f"cannot listen on the Unix socket {path}: {error.strerror or error}",
            help="give --unix-socket a path that does not exist yet, in a folder that you may write",
        ) from error
    return listener


def _is_in_use(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            return False
    return True


AccountsOfCertificate = Callable[[bytes], frozenset[str]]
"""Returns the accounts whose authority issued a client's certificate (DER)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningSocket:
    """A socket, the protocol of its connections, and its TLS context, if it has one."""

    listener: socket.socket
    protocol: type[HttpToolsProtocol]
    context: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MutualTlsListener:
    """A socket for mutual TLS, the accounts that must use it, and the file of the server's certificate."""

    listener: socket.socket
    context: ssl.SSLContext
    accounts: frozenset[str]
    certified_for: AccountsOfCertificate
    certificate: Path
