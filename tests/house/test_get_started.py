"""The quick start is walked as a reader would: its own code blocks, on free ports."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from devportal.contract import load_contract
from telecom.receipts import OUTCOMES

from .repository import ROOT, fenced_blocks

GUIDE = "docs/guides/get-started.md"
HOME = "docs/index.md"
PATIENCE_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A sandbox that runs, a receiver that listens, and what the reader has put into the environment."""

    port: int
    webhook_port: int
    environment: dict[str, str]
    received: Path

    def shell(self, commands: str) -> str:
        """Run commands of a page, at the port where this sandbox is; return what they print."""
        done = subprocess.run(
            ["sh", "-ec", commands.replace("curl ", "curl -sS ").replace(":8080", f":{self.port}")],
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def wait_for_line(self, pattern: str) -> str:
        """Return the line of the receiver that fits, as soon as it is there."""
        return wait_for(self.received, pattern)


def wait_for(path: Path, pattern: str) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        text = path.read_text(encoding="utf-8")
        if match := re.search(pattern, text, re.MULTILINE):
            return match.group(1)
        time.sleep(0.05)
    raise AssertionError(f"{pattern!r} was not printed within {PATIENCE_S} s: {text}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], *, output: Path, environment: dict[str, str]) -> Iterator[None]:
    with output.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=environment, cwd=ROOT)
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=10)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """Follow steps 1 and 2 of the guide."""
    folder = tmp_path_factory.mktemp("walk")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DEVPORTAL_")}
    webhook_port, said, received = free_port(), folder / "sandbox.log", folder / "receiver.log"
    sandbox = [
        sys.executable, "-m", "devportal", "sandbox",
        "--port", "0", "--database", str(folder / "sandbox.sqlite3"),
        "--webhook-url", f"http://127.0.0.1:{webhook_port}/",
    ]  # fmt: skip
    receiver = folder / "receiver.py"
    (program,) = fenced_blocks(GUIDE, "python")
    receiver.write_text(program.replace("9000", str(webhook_port)), encoding="utf-8")
    with running(sandbox, output=said, environment=environment):
        environment |= {
            "API_KEY": wait_for(said, r"^Token: +(\S+)"),
            "WEBHOOK_SECRET": wait_for(said, r"^Secret: +(\S+)"),
        }
        with running([sys.executable, "-u", str(receiver)], output=received, environment=environment):
            wait_until_it_listens(webhook_port)
            yield Walk(
                port=int(wait_for(said, r"^Sandbox: +http://127\.0\.0\.1:(\d+)$")),
                webhook_port=webhook_port,
                environment=environment,
                received=received,
            )


def wait_until_it_listens(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens at port {port}")


def test_a_message_is_sent_and_its_receipt_verified(walk: Walk) -> None:
    """Step 3 of the guide: the answer is as shown, and the receiver believes the receipt."""
    (send,) = (block for block in fenced_blocks(GUIDE, "bash") if block.startswith("curl "))

    answer = json.loads(walk.shell(send))
    outcome = walk.wait_for_line(rf"^{answer['id']} (.*)$")

    assert answer == {"id": answer["id"], "status": "queued", "segments": 1}
    assert outcome == "delivered DELIVRD"


def test_the_request_of_the_home_page_works(walk: Walk) -> None:
    """The first request that anybody sees is accepted, with the members of the answer beside it."""
    (send,) = fenced_blocks(HOME, "bash")
    (shown,) = fenced_blocks(HOME, "json")

    answer = json.loads(walk.shell(send))

    assert answer | {"id": ""} == json.loads(shown) | {"id": ""}


def test_the_receiver_refuses_what_is_not_signed(walk: Walk) -> None:
    """Whoever does not know the secret is answered with 403 and not believed."""
    forged = '{"data": {"message_id": "msg_forged", "status": "delivered", "carrier_status": "DELIVRD"}}'
    address = f"http://127.0.0.1:{walk.webhook_port}/"

    status = walk.shell(f"curl -o /dev/null -w '%{{http_code}}' --data '{forged}' {address}")

    assert status == "403"
    assert "msg_forged" not in walk.received.read_text(encoding="utf-8")


def test_the_table_of_outcomes_is_that_of_the_sandbox() -> None:
    """Step 4 lists every magic number with its status and error code, and no other."""
    text = (ROOT / GUIDE).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\+\d+)` \| `(\w+)` \| `(\w+)` \|$", text, re.MULTILINE)

    assert {number: (status, code) for number, status, code in rows} == {
        number: (outcome.status.value, outcome.error.value if outcome.error else "none")
        for number, outcome in OUTCOMES.items()
    }


def test_the_scopes_and_limits_that_the_guide_names_are_those_of_the_contract() -> None:
    """The token line of the guide shows the scopes of the contract."""
    (scheme,) = load_contract(ROOT / "openapi" / "openapi.yaml").api.security_schemes

    shown = re.search(r"\(scopes: ([^)]*)\)", (ROOT / GUIDE).read_text(encoding="utf-8"))

    assert shown is not None
    assert shown.group(1).split() == [name for name, _ in scheme.scopes]
