"""Schemathesis, from its own command line, in all its phases, finds nothing in the sandbox."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from telecom.sandbox.database.tables import MESSAGES

ROOT = Path(__file__).parents[3]
"""Where schemathesis.toml is, which it reads by itself."""
LONGEST_RUN_S = 600
"""All phases over all operations take a minute of one processor; machines of others may be busy."""
EXAMPLES = 10
"""How many requests fuzzing makes for each operation; `make conformance` makes twice as many."""


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.timeout(LONGEST_RUN_S + 30)
@pytest.mark.parametrize("seed", [2])
def test_schemathesis_finds_nothing(sandbox: Any, serve: Any, seed: int) -> None:
    """No failure, and real messages were accepted on the way."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", "openapi/openapi.yaml", "--no-color"]
    options = ["--seed", str(seed), "--max-examples", str(EXAMPLES), "--generation-database", "none"]
    credentials = ["--header", "Authorization: Bearer token-of-ada"]
    with serve(sandbox.app) as address:
        result = subprocess.run(
            [*command, *options, *credentials, "--continue-on-failure", "--url", address],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN_S,
            check=False,
        )

    assert result.returncode == 0, result.stdout
    assert "No issues found" in result.stdout
    assert sandbox.count(MESSAGES) > 20
