"""The sandbox keeps our own contract."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from devportal.conformance import gate
from tests.apps.serving import closed_port
from tests.conformance.running import run, story

pytestmark = pytest.mark.conformance
ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "openapi" / "openapi.yaml"
TOKEN = "sk_sandbox_conformance_tests"
LONGEST_RUN_S = 600
"""A run takes a minute; machines of others may be busy."""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the sandbox with a database of its own, and yield its address."""
    folder, port = tmp_path_factory.mktemp("sandbox"), closed_port()
    command = [sys.executable, "-c", "from devportal.cli import main; main()", "sandbox"]
    command += [
        "--port",
        str(port),
        "--database",
        str(folder / "sandbox.sqlite3"),
        "--contract",
        str(CONTRACT),
    ]
    environment = {**os.environ, "DEVPORTAL_SANDBOX_TOKEN": TOKEN}
    with (folder / "output.txt").open("w") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            wait_for(f"http://127.0.0.1:{port}", process, folder / "output.txt")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=60)


def wait_for(url: str, process: subprocess.Popen[bytes], output: Path) -> None:
    """Wait until a server answers; fail with what it said where it ends or takes too long."""
    deadline = time.monotonic() + 150
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(url, timeout=10)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"the sandbox did not start:\n{output.read_text()}")


@pytest.mark.timeout(LONGEST_RUN_S)
@pytest.mark.parametrize("seed", [31])
def test_the_sandbox_is_green(sandbox: str, seed: int) -> None:
    """Our own deployment keeps our own contract, its proposed parts too, and nothing is left unconfirmed.

    Fuzzing is left to `make conformance`, which runs beside the tests.
    """
    result = run(sandbox, token=TOKEN, contract=CONTRACT, seed=seed, phases=("examples", "coverage"))

    assert result.is_clean, story(result)
    assert not result.failures, story(result)
    assert {one.kind for one in result.warnings} <= gate.ABOUT_REFUSALS, story(result)
