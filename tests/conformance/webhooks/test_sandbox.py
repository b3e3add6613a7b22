"""The webhooks of our own sandbox keep our own contract."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role
from devportal.conformance.settings import load_settings
from tests.conformance.webhooks.playing import log_lines, play_scenarios
from tests.waiting import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[3]
TOKEN = "sk_sandbox_webhook_tests"
SCALE = 0.000_04
"""The ten attempts of three days take eleven seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """Where it listens, and who may ask."""

    url: str
    parties: CredentialSet


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    """Start the sandbox with short pauses, and make a token of another account."""
    command = [sys.executable, "-c", "from devportal.cli import main; main()", "sandbox"]
    database = ["--database", str(tmp_path / "sandbox.sqlite3")]
    started = [*command, *database, "--port", "0", "--time-scale", str(SCALE)]
    environment = {**os.environ, "DEVPORTAL_SANDBOX_TOKEN": TOKEN}
    log = tmp_path / "log.txt"
    with log.open("w") as output:
        process = subprocess.Popen(started, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            url = address(process, log)
            issued = subprocess.run(
                [*command, "token", "issue", "--account", "other", "--role", "developer", *database],
                cwd=ROOT,
                check=True,
                capture_output=True,
                text=True,
            )
            main = Credential(role=Role.MAIN, secret=TOKEN, name="DEVPORTAL_TOKEN")
            other = Credential(
                role=Role.OTHER_TENANT, secret=issued.stdout.strip(), name="DEVPORTAL_OTHER_TENANT_TOKEN"
            )
            yield Sandbox(url=url, parties=CredentialSet(everyone=(main, other)))
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE_S)


def address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait for the line that says where the sandbox listens."""
    started = re.compile(r"^Sandbox: +(\S+)\n", re.MULTILINE)
    wait_until(lambda: started.search(log.read_text()) or process.poll() is not None)
    match = started.search(log.read_text())
    assert match is not None, f"the sandbox did not start:\n{log.read_text()}"
    return match[1]


@pytest.mark.deep
@pytest.mark.conformance
def test_the_webhooks_of_the_sandbox_are_clean(sandbox: Sandbox) -> None:
    """To the last of ten attempts, with time-outs, in both accounts."""
    settings = dict(load_settings(ROOT / ".ci" / "conformance.yaml").webhooks)
    settings["promises"] = {**settings["promises"], "scale": SCALE}
    contract = ROOT / "openapi" / "openapi.yaml"

    log = play_scenarios(sandbox.url, settings, contract=contract, parties=sandbox.parties)

    assert log_lines(log) == []
    assert {received_event.partition(".")[0] for received_event in log.received_events} == {"message", "call"}
    assert len(log.received_events) == 4
