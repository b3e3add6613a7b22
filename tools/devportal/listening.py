"""Sockets that listen, and their addresses as text."""

import errno
import socket

from devportal.errors import EnvironmentProblem


def listen_tcp(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one. Raises EnvironmentProblem if the machine refuses."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise EnvironmentProblem(
            f"there is no address {host!r} to listen on: {error}", help="give another with --host"
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise refused_address(host, port, error) from error
    return listener


def refused_address(host: str, port: int, error: OSError) -> EnvironmentProblem:
    """Return the problem of an address that the machine refuses to listen on, with what to do about it."""
    match error.errno:
        case errno.EADDRINUSE:
            help_text = "stop the program that uses the port, or choose another port with --port"
        case errno.EACCES:
            help_text = "choose a port above 1023 with --port: lower ones need privileges"
        case errno.EADDRNOTAVAIL:
            help_text = "with --host, give an address of this machine, such as 127.0.0.1"
        case _:
            help_text = "choose another port with --port, or another address with --host"
    return EnvironmentProblem(f"cannot listen on {host}:{port}: {error.strerror or error}", help=help_text)


def socket_url(listener: socket.socket, scheme: str = "http") -> str:
    """Return the URL of a listening socket."""
    if listener.family is socket.AF_UNIX:
        return f"unix:{listener.getsockname()}"
    host, port = listener.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
