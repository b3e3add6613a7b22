"""Sockets that listen: Unix sockets, and what is in the way of them."""

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from devportal.errors import EnvironmentProblem
from devportal.listening import socket_url
from telecom.sandbox.connections.sockets import listening_socket


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder whose path is short enough for Unix sockets."""
    with TemporaryDirectory(prefix="sandbox-") as name:
        yield Path(name)


def test_unix_socket_is_there_while_it_listens(folder: Path) -> None:
    """And gone afterwards."""
    path = folder / "s"
    with listening_socket("", 0, path) as listener, socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        address = socket_url(listener)

    assert address == f"unix:{path}"
    assert not path.exists()


def test_unix_socket_that_was_left_behind_is_replaced(folder: Path) -> None:
    """A sandbox that was killed does not keep the next one from starting."""
    path = folder / "s"
    with closing(socket.socket(socket.AF_UNIX)) as killed:
        killed.bind(str(path))

    with listening_socket("", 0, path), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_unix_socket_of_another_program_stays(folder: Path) -> None:
    """It goes on to listen."""
    path = folder / "s"
    with closing(socket.socket(socket.AF_UNIX)) as other:
        other.bind(str(path))
        other.listen()
        with pytest.raises(EnvironmentProblem, match="in use"), listening_socket("", 0, path):
            pass

        assert path.is_socket()


@pytest.mark.parametrize("name", ["file", "missing/s", "x" * 200])
def test_what_cannot_be_a_unix_socket_is_refused(folder: Path, name: str) -> None:
    """A file stays as it is."""
    (folder / "file").write_text("kept", encoding="utf-8")

    with (
        pytest.raises(EnvironmentProblem, match="cannot listen on the Unix socket") as refused,
        listening_socket("", 0, folder / name),
    ):
        pass

    assert name in refused.value.message
    assert (folder / "file").read_text(encoding="utf-8") == "kept"
