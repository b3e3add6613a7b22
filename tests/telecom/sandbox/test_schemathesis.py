"""Schemathesis, in all its phases, finds nothing in the sandbox."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from telecom.sandbox.tables import MESSAGES

HOOKS = Path(__file__).parent / "schemathesis_hooks.py"
LONGEST_RUN_S = 600
"""All phases over all operations take a minute of one processor; machines of others may be busy."""
EXAMPLES = 25
"""How many requests fuzzing makes for each operation; `make conformance` makes twice as many."""


@pytest.mark.conformance
@pytest.mark.timeout(LONGEST_RUN_S + 30)
@pytest.mark.parametrize("seed", [2])
def test_schemathesis_finds_nothing(
    sandbox: Any, serve: Any, contract_path: Path, tmp_path: Path, seed: int
) -> None:
    """No failure and no warning, and real messages were accepted on the way."""
    (tmp_path / "schemathesis.toml").write_text(
        f"hooks = {json.dumps(str(HOOKS))}\ncontinue-on-failure = true\n[warnings]\nfail-on = true\n"
    )
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(contract_path), "--no-color"]
    options = ["--seed", str(seed), "--max-examples", str(EXAMPLES), "--generation-database", "none"]
    credentials = ["--header", "Authorization: Bearer token-of-ada"]
    with serve(sandbox.app) as address:
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
    assert "warning" not in result.stdout.lower()
    assert sandbox.count(MESSAGES) > 20
