"""Schemathesis, in all its phases, finds nothing in the control API."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.telecom.sandbox.control.conftest import OPERATOR

from telecom.sandbox.control import CONTRACT

LONGEST_RUN_S = 300


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.timeout(LONGEST_RUN_S + 30)
def test_schemathesis_finds_nothing(controlled_sandbox: Any, serve: Any, tmp_path: Path) -> None:
    """No failure, whatever is asked for in whichever order."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(CONTRACT), "--no-color"]
    options = ["--seed", "5", "--max-examples", "10", "--generation-database", "none"]
    credentials = ["--header", f"Authorization: Bearer {OPERATOR}"]
    with serve(controlled_sandbox.sandbox.app) as address:
        result = subprocess.run(
            [*command, *options, *credentials, "--url", address],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN_S,
            check=False,
        )

    assert result.returncode == 0, result.stdout
    assert "No issues found" in result.stdout
