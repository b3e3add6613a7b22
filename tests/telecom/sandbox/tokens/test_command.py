"""The command: what it says, how it refuses, and a whole run with a receiver and a violent death."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result
from tests.apps.serving import local_client
from tests.waiting import PATIENCE_S, wait_until

from devportal.cli import cli
from telecom.sandbox.tokens.tokens import DEMO_TOKEN
from telecom.signature import Secret, verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HELLO = {"to": "+12025550123", "channel": "sms", "body": "Hello"}
PROGRAM = "from devportal.cli import main; main()"


def run(*arguments: str | Path) -> Result:
    """Run the command in this process, to its refusal."""
    return CliRunner().invoke(cli, ["sandbox", *map(str, arguments)])


def _is_healthy(address: str) -> bool:
    return local_client().get(address).status_code == 200


@dataclass(slots=True)
class Running:
    """A sandbox in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    said: list[str]

    def send(self, body: Any = None, *, token: str = "configured-token") -> httpx.Response:  # noqa: S107
        """POST a message."""
        headers = {"Authorization": f"Bearer {token}"}
        return local_client().post(f"{self.address}/v1/messages", json=body or HELLO, headers=headers)


@contextmanager
def running(
    *arguments: str | Path,
    token: str = "configured-token",  # noqa: S107
    program: str = PROGRAM,
) -> Iterator[Running]:
    """Start a sandbox at a free port, wait until it answers, and stop it in the end."""
    environment = {**os.environ, "DEVPORTAL_WEBHOOK_SECRET": SECRET}
    if token:
        environment["DEVPORTAL_SANDBOX_TOKEN"] = token
    process = subprocess.Popen(
        [sys.executable, "-c", program, "sandbox", "--port", "0", *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stderr is not None
    said: list[str] = []
    is_decided = threading.Event()

    def read(lines: Iterable[str]) -> None:
        for line in lines:
            said.append(line)
            if "Webhooks:" in line:
                is_decided.set()
        is_decided.set()

    reader = threading.Thread(target=read, args=(process.stderr,), daemon=True)
    reader.start()
    try:
        is_decided.wait(PATIENCE_S)
        match = re.search(r"http://\S+", "".join(said))
        assert match is not None, said
        yield Running(process=process, address=match.group(), said=said)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_S)
        reader.join(timeout=PATIENCE_S)
        process.stderr.close()


@pytest.fixture
def receiver() -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """Return the address of a receiver that fails the first delivery, and the list of what came."""
    came: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(500 if len(came) == 1 else 204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hooks", came
    server.shutdown()
    server.server_close()
    thread.join(timeout=PATIENCE_S)


def message_ids(came: list[tuple[dict[str, str], bytes]]) -> set[str]:
    return {json.loads(body)["data"]["message_id"] for _, body in came}


def test_whole_run(contract_path: Path, address: str | Path, receiver: Any) -> None:
    """A message goes in; its signed receipt comes out, at the second attempt."""
    url, came = receiver
    options = ("--contract", contract_path, "--database", address, "--time-scale", "0.02")

    with running(*options, "--webhook-url", url) as server:
        answer = server.send()
        wait_until(lambda: len(came) == 2)

    assert answer.status_code == 202
    assert "server" not in answer.headers
    assert message_ids(came) == {answer.json()["id"]}
    assert came[0][0]["webhook-id"] == came[1][0]["webhook-id"]
    headers, body = came[1]
    verify(body, headers, secrets=(Secret.parse(SECRET),), now=datetime.now(UTC))
    said = "".join(server.said)
    assert "POST /v1/messages 202" in said
    assert answer.headers["X-Correlation-Id"] in said
    assert "configured-token" not in said
    assert SECRET not in said


@pytest.mark.deep
def test_every_target_is_answered_with_a_problem(contract_path: Path, tmp_path: Path) -> None:
    """Targets in absolute form (RFC 9112 §3.2.2) lead to the same paths, others nowhere."""
    expected = {"http://sandbox/v1/messages": 401, "*": 404, "http://sandbox": 404}

    with running("--contract", contract_path, "--database", tmp_path / "s.sqlite3") as server:
        answers = {target: plain_answer(server, target) for target in expected}

    for target, status in expected.items():
        assert answers[target].startswith(f"HTTP/1.1 {status} "), target
        assert "content-type: application/problem+json" in answers[target], target


def plain_answer(server: Running, target: str) -> str:
    """Return what comes back for a GET of a target that no client library would send."""
    port = int(server.address.rpartition(":")[2])
    with closing(socket.create_connection(("127.0.0.1", port))) as client:
        client.sendall(f"GET {target} HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: client.recv(65536), b"")).decode()


@pytest.mark.deep
def test_kill_loses_no_receipt(contract_path: Path, address: str | Path, receiver: Any) -> None:
    """Messages accepted before a kill have their receipts after the next start."""
    url, came = receiver
    options = ("--contract", contract_path, "--database", address, "--webhook-url", url)
    with running(*options, "--time-scale", "0.3") as server:
        accepted = {server.send().json()["id"] for _ in range(10)}
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(timeout=PATIENCE_S)

    with running(*options, "--time-scale", "0.01"):
        wait_until(lambda: message_ids(came) == accepted)

    assert len(accepted) == 10


@pytest.mark.deep
def test_new_token_is_made_and_shown(contract_path: Path, tmp_path: Path) -> None:
    """Without a configured token the sandbox shows one that works."""
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")

    with running(*options, token="") as server:
        match = re.search(r"sk_sandbox_[a-z2-7]+", "".join(server.said))
        assert match is not None
        answer = server.send(token=match.group())

    assert answer.status_code == 202


@pytest.mark.deep
def test_scopes_of_tokens_are_told_shortly(contract_path: Path, tmp_path: Path) -> None:
    """A line that holds every scope would push the token aside; one with a few names them."""
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")

    with running(*options, "--token", "first-token", "--token", "second-token=messages:write") as server:
        said = "".join(server.said)

    assert re.search(r"\(scopes: all \d+\)", said)
    assert "(scopes: messages:write)" in said


@pytest.mark.deep
def test_demo_token_is_told_and_works(contract_path: Path, tmp_path: Path) -> None:
    """It is no secret; the other tokens are as ever."""
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")

    with running(*options, "--demo-token") as server:
        statuses = [server.send(token=text).status_code for text in (DEMO_TOKEN, "configured-token")]

    assert statuses == [202, 202]
    assert f"Demo:     {DEMO_TOKEN}  (for everybody)" in "".join(server.said)


def test_start_says_where_to_look(contract_path: Path, tmp_path: Path) -> None:
    """Pages for people and addresses for monitors are told, and are there."""
    with running("--contract", contract_path, "--database", tmp_path / "s.sqlite3") as server:
        wait_until(lambda: any(line.startswith("Monitors:") for line in server.said))
        shown = [line for line in server.said if line.startswith(("Pages:", "Monitors:"))]
        addresses = re.findall(r"http://\S+", "".join(shown))
        for address in addresses:  # health is good once the worker has shown that it is alive
            wait_until(partial(_is_healthy, address))

    assert addresses == [f"{server.address}{path}" for path in ("/_sandbox/", "/health", "/metrics")]


@pytest.mark.deep
def test_only_named_origins_may_call(contract_path: Path, tmp_path: Path) -> None:
    """Pages of others cannot read an answer, and not what was wrong with a request either."""
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")
    named = ("--allowed-origin", "https://docs.example.com", "--allowed-origin", "http://127.0.0.1:8000")

    with running(*options, *named) as server:
        told = [
            httpx.get(
                f"{server.address}/v1/rates",
                headers={"Origin": origin, "X-Long": "a" * length},
                trust_env=False,
                timeout=PATIENCE_S,
            ).headers.get("Access-Control-Allow-Origin")
            for origin in ("https://docs.example.com", "http://127.0.0.1:8000", "http://127.0.0.1:8001")
            for length in (1, 70_000)
        ]

    assert told == [*["https://docs.example.com"] * 2, *["http://127.0.0.1:8000"] * 2, None, None]


@pytest.mark.deep
def test_interrupt_ends_the_command_quietly(contract_path: Path, tmp_path: Path) -> None:
    """Ctrl-C is no error and leaves no traceback."""
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")

    with running(*options) as server:
        server.send()  # once it responds, it has its own way with signals; it listens before that
        server.process.send_signal(signal.SIGINT)
        code = server.process.wait(timeout=PATIENCE_S)

    assert code == 0
    assert "Traceback" not in "".join(server.said)


def test_taken_port_is_told(contract_path: Path, tmp_path: Path) -> None:
    """The message names address and port, and how to choose another."""
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        result = run("--contract", contract_path, "--database", tmp_path / "s.sqlite3", "--port", str(port))

    assert result.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr
    assert "--port" in result.stderr


def test_second_sandbox_on_one_database_is_refused(contract_path: Path, tmp_path: Path) -> None:
    """Both would deliver the events; a killed one leaves no claim behind."""
    options = ("--contract", contract_path, "--database", tmp_path / "s.sqlite3")

    with running(*options) as server:
        refused = run(*options, "--port", "0")
        server.process.kill()
        server.process.wait(timeout=PATIENCE_S)
    with running(*options) as next_one:
        accepted = next_one.send()

    assert refused.exit_code == 2
    assert "this database is in use by another sandbox" in refused.stderr
    assert accepted.status_code == 202


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--contract", "absent.yaml"], "absent.yaml"),
        (["--webhook-url", "ftp://127.0.0.1/"], "not an address for webhooks"),
        (["--webhook-url", "https://example.com/"], "--public-webhooks"),
        (["--webhook-url", "http://198.51.100.7/"], "--public-webhooks"),
        (
            ["--webhook-url", "http://example.com/", "--public-webhooks"],
            "only https goes to the public internet",
        ),
        (["--webhook-url", "http://127.0.0.1:9000/", "--public-webhooks"], "it is this machine"),
        (["--public-webhooks"], "--public-webhooks needs a key"),
        (["--trusted-proxy", "unix"], "this sandbox has none"),
        (["--encryption-key-file", "/dev/null/key"], "the encryption key cannot be written"),
        (["--webhook-secret", "whsec_c2hvcnQ="], "webhook secret has 5 bytes"),
        (["--token", "short"], "a token has 8 to 200"),
        (["--token", "long-enough=messages:fly"], "'messages:fly'"),
        (["--token", "sk_demo_for_everybody"], "--demo-token"),
        (["--host", "not a host"], "not a host"),
        (["--allowed-origin", "https://docs.example.com/"], "'https://docs.example.com/' is not an origin"),
        (["--port", "70000"], "70000"),
        (["--time-scale", "-1"], "-1"),
    ],
)
def test_wrong_option_is_told(
    contract_path: Path, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    """Exit code 2, what is wrong, and no traceback."""
    options: list[str | Path] = [
        "--contract",
        contract_path,
        "--database",
        tmp_path / "s.sqlite3",
        "--port",
        "0",
    ]

    result = run(*options, *arguments)

    assert result.exit_code == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


def test_wrong_option_is_told_before_the_contract_is_read(tmp_path: Path) -> None:
    """Nobody waits a second for that, or corrects the contract first."""
    origin = "https://docs.example.com/"

    result = run("--contract", tmp_path / "missing.yaml", "--allowed-origin", origin)

    assert result.exit_code == 2
    assert f"'{origin}' is not an origin" in result.stderr
    assert "missing.yaml" not in result.stderr


def test_contract_of_another_api_is_told(tmp_path: Path) -> None:
    """The sandbox says which operation it cannot carry out."""
    path = tmp_path / "other.yaml"
    path.write_text(
        "openapi: 3.0.3\ninfo: {title: Other, version: '1'}\n"
        "paths: {/pets: {get: {operationId: listPets, responses: {'200': {description: Pets}}}}}\n"
    )

    result = run("--contract", path, "--database", tmp_path / "s.sqlite3", "--port", "0")

    assert result.exit_code == 2
    assert "'listPets'" in result.stderr


def test_broken_contract_is_told_with_its_place(contract_path: Path, tmp_path: Path) -> None:
    """A reference that leads nowhere stops the start, with file, line and column."""
    folder = shutil.copytree(contract_path.parent, tmp_path / "openapi")
    broken = folder / "messages.yaml"
    broken.write_text(broken.read_text().replace("schemas/NewMessage'", "schemas/OldMessage'"))

    result = run(
        "--contract", folder / contract_path.name, "--database", tmp_path / "s.sqlite3", "--port", "0"
    )

    assert result.exit_code == 2
    assert re.search(r"messages\.yaml:\d+:\d+: .*OldMessage", result.stderr)


@pytest.mark.parametrize("options", [("--api-processes", "2"), ("--workers", "0"), ("--workers", "2")])
def test_several_processes_need_a_server(contract_path: Path, tmp_path: Path, options: Any) -> None:
    """A SQLite file has one of each."""
    result = run("--contract", contract_path, "--database", tmp_path / "s.sqlite3", *options)

    assert result.exit_code == 2
    assert "cannot share a SQLite file" in result.output
    assert not (tmp_path / "s.sqlite3").exists()
