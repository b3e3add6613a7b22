"""Addresses that a machine refuses to listen on."""

import errno
import os
import socket

import pytest

from devportal.errors import EnvironmentProblem
from devportal.listening import listen_tcp, refused_address


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EADDRINUSE, "stop the program that uses the port"),
        (errno.EACCES, "choose a port above 1023"),
        (errno.EADDRNOTAVAIL, "give an address of this machine"),
        (errno.EAFNOSUPPORT, "choose another port with --port, or another address with --host"),
    ],
)
def test_the_advice_fits_the_reason(number: int, advice: str) -> None:
    """Another port does not help against an address of another machine."""
    problem = refused_address("192.0.2.1", 80, OSError(number, os.strerror(number)))

    assert problem.message == f"cannot listen on 192.0.2.1:80: {os.strerror(number)}"
    assert advice in problem.help


def test_a_port_in_use_is_refused() -> None:
    """The message names the address."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            EnvironmentProblem, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"
        ):
            listen_tcp("127.0.0.1", port)
