"""The fixture `golden` itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parent / "conftest.py"


@pytest.mark.parametrize("flags", [[], ["-n2"]])
def test_unused_golden_file_fails_a_whole_run(tmp_path: Path, flags: list[str]) -> None:
    """A golden file that no test compared with turns a green run red and is named."""
    tests = tmp_path / "tests"
    (tests / "golden").mkdir(parents=True)
    shutil.copy(CONFTEST, tests)
    (tests / "golden" / "used").write_text("a")
    (tests / "golden" / "unused").write_text("b")
    (tests / "test_one.py").write_text("def test_one(golden):\n    golden('used', 'a')\n")

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist.plugin", *flags, "tests"],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # the others are slow to import
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout
    assert "unused golden file: tests/golden/unused" in run.stdout
    assert "1 passed" in run.stdout
