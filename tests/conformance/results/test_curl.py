"""The command that reproduces a failure."""

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.results.curl import curl_command, wrap_command

SECRET = "a-secret-token"
FAKE_CURL = """#!/usr/bin/env python3
import json, sys
print(json.dumps([sys.argv[1:], sys.stdin.buffer.read().hex() if "@-" in sys.argv else None]))
"""


def words(command: str, folder: Path) -> tuple[list[str], str | None]:
    """Return what a shell hands to curl, and what it pipes into it."""
    (folder / "curl").write_text(FAKE_CURL)
    (folder / "curl").chmod(0o755)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "DEVPORTAL_TOKEN": SECRET}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, check=True)
    arguments, piped = json.loads(done.stdout)
    return arguments, piped


@pytest.mark.parametrize(
    "value",
    [f"Bearer {SECRET}", f"Bearer {SECRET}x", f"Bearer {SECRET[:-1]}", f'Key "{SECRET}" `id` $HOME \\'],
)
def test_a_shell_puts_the_token_back(value: str, tmp_path: Path) -> None:
    """The command holds no secret, and sends the very header once DEVPORTAL_TOKEN is set."""
    masked = Mask.of_secret(SECRET).text(value)
    command = curl_command(Request(method="GET", url="http://x/", headers=(("Authorization", masked),)))

    arguments, _ = words(command, tmp_path)

    assert SECRET not in command
    assert f"Authorization: {value}" in arguments


@pytest.mark.parametrize("sent", [SECRET, SECRET[:-1], f"{SECRET}x"])
def test_basic_credentials_are_put_back(sent: str, tmp_path: Path) -> None:
    """The Base64 of a name and a password is as secret as they are, also without the last character."""
    encoded = base64.b64encode(sent.encode()).decode()
    masked = Mask.of_secret(SECRET).text(f"Basic {encoded}")

    arguments, _ = words(
        curl_command(Request(method="GET", url="http://x/", headers=(("Authorization", masked),))), tmp_path
    )

    assert encoded not in masked
    assert f"Authorization: Basic {encoded}" in arguments


@pytest.mark.parametrize("body", [b"", b'{"a": "it\'s $HOME `id`"}', b"@file", "Zürich 🎉".encode()])
def test_a_shell_carries_the_body(body: bytes, tmp_path: Path) -> None:
    """A body of printable text is in the command as it is."""
    arguments, _ = words(curl_command(Request(method="POST", url="http://x/", body=body)), tmp_path)

    assert arguments[arguments.index("--data-raw") + 1].encode() == body
    assert arguments[arguments.index("-H") + 1] == "Content-Type:"


def test_bytes_are_piped(tmp_path: Path) -> None:
    """A body that no shell word can carry comes through a pipe."""
    _, piped = words(curl_command(Request(method="POST", url="http://x/", body=b"\x00\xff")), tmp_path)

    assert piped == "00ff"


def test_long_bodies_are_compressed(tmp_path: Path) -> None:
    """A thousand brackets would fill the terminal; the command still sends each of them."""
    body = b"[" * 2000 + b"]" * 2000
    command = curl_command(Request(method="POST", url="http://x/", body=body))

    _, piped = words(command, tmp_path)

    assert len(command) < 300
    assert bytes.fromhex(piped or "") == body


def test_chunks_stay_chunks(tmp_path: Path) -> None:
    """A failure that only a body in chunks shows is not reproduced by another framing."""
    chunked = ("Transfer-Encoding", "chunked")

    arguments, _ = words(
        curl_command(Request(method="POST", url="http://x/", headers=(chunked,), body=b"{}")), tmp_path
    )

    assert "Transfer-Encoding: chunked" in arguments


def test_a_body_too_long_is_not_pasted() -> None:
    """A megabyte in a terminal helps nobody; the command says where it is."""
    assert "see the JSON report" in curl_command(Request(method="POST", url="http://x/", body=b"a" * 100_000))


@pytest.mark.parametrize("size", [20, 400])
def test_a_long_command_on_several_lines_sends_the_same(size: int, tmp_path: Path) -> None:
    """No line is longer than a terminal shows, and a shell reads the same words."""
    request = Request(
        method="POST",
        url="http://x/" + "a" * size,
        headers=tuple((f"X-Header-{number}", "b" * 60) for number in range(5)),
        body=b'{"text": "' + b"c d" * size + b'"}',
    )
    command = curl_command(request)

    wrapped = wrap_command(command)

    assert max(map(len, wrapped.split("\n"))) < 200
    assert words(wrapped, tmp_path) == words(command, tmp_path)
    assert wrap_command("curl http://x/") == "curl http://x/"
