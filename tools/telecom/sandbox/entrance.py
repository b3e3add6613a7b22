"""Where requests come in: sockets that listen, with or without a handshake."""

import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

CertifiedFor = Callable[[bytes], frozenset[str]]
"""Tells the accounts whose authority issued a client's certificate, which is given in DER."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """A socket, the protocol that reads its connections, and how its handshakes go, if it has any."""

    listener: socket.socket
    http: type[HttpToolsProtocol]
    context: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Secured:
    """A socket for mutual TLS, the accounts that have to use it, and the server's certificate in a file."""

    listener: socket.socket
    context: ssl.SSLContext
    accounts: frozenset[str]
    certified_for: CertifiedFor
    certificate: Path
