"""Schemathesis, in all its phases, finds nothing in the sandbox."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from telecom.sandbox.tables import MESSAGES

HOOKS = Path(__file__).parent / "schemathesis_hooks.py"


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve an application at a free port."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 10
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


@pytest.mark.conformance
@pytest.mark.parametrize("seed", [1, 2])
def test_schemathesis_finds_nothing(sandbox: Any, contract_path: Path, tmp_path: Path, seed: int) -> None:
    """No failure and no warning, and real messages were accepted on the way."""
    (tmp_path / "schemathesis.toml").write_text(
        f"hooks = {json.dumps(str(HOOKS))}\ncontinue-on-failure = true\n[warnings]\nfail-on = true\n"
    )
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(contract_path), "--no-color"]
    options = ["--seed", str(seed), "--generation-database", "none"]
    credentials = ["--header", "Authorization: Bearer token-of-ada"]
    with served(sandbox.app) as address:
        result = subprocess.run(
            [*command, *options, *credentials, "--url", address],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    assert result.returncode == 0, result.stdout
    assert "No issues found" in result.stdout
    assert "warning" not in result.stdout.lower()
    assert sandbox.count(MESSAGES) > 20
