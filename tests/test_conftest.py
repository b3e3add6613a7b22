"""What `conftest.py` does for a run as a whole: golden files, absent inputs, a quick start of one test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

CONFTEST = Path(__file__).parent / "conftest.py"


def run_pytest(root: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run pytest in a folder with two golden files, of which its one test uses one."""
    tests = root / "tests"
    (tests / "golden").mkdir(parents=True, exist_ok=True)
    shutil.copy(CONFTEST, tests)
    (tests / "golden" / "used").write_text("a")
    (tests / "golden" / "unused").write_text("b")
    (tests / "test_one.py").write_text("def test_one(golden):\n    golden('used', 'a')\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist.plugin", *options, "tests"],
        cwd=root,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # the others are slow to import
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize(
    "options", [[], pytest.param(["-n2"], marks=pytest.mark.deep), ["-m", "not browser and not deep"]]
)
def test_unused_golden_file_fails_a_whole_run(tmp_path: Path, options: list[str]) -> None:
    """A golden file that no test compared with turns a green run red and is named."""
    run = run_pytest(tmp_path, *options)

    assert run.returncode == pytest.ExitCode.TESTS_FAILED, run.stdout
    assert "unused golden file: tests/golden/unused" in run.stdout
    assert "1 passed" in run.stdout


@pytest.mark.parametrize("options", [["--collect-only"], ["-k", "one"]])
def test_a_partial_run_calls_no_golden_file_unused(tmp_path: Path, options: list[str]) -> None:
    """If nothing ran, or only some of the tests, nothing is known about golden files."""
    run = run_pytest(tmp_path, *options)

    assert run.returncode == pytest.ExitCode.OK, run.stdout
    assert "unused golden file" not in run.stdout


def test_absent_contracts_of_others_are_reported_once(tmp_path: Path) -> None:
    """Without the folder beside the repository, the end of a run says what was left out."""
    run = run_pytest(tmp_path / "clone", "-k", "one")

    assert run.stdout.count("../shared is absent") == 1


def test_one_test_by_name_imports_no_other_file(tmp_path: Path) -> None:
    """`-k` with the name of a test reads the files, and imports those in which it stands."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_other.py").write_text("raise RuntimeError('imported')")

    by_name = run_pytest(tmp_path, "-k", "test_one")

    assert by_name.returncode == pytest.ExitCode.OK, by_name.stdout


def test_one_word_looks_everywhere(tmp_path: Path) -> None:
    """Any other expression may fit a parameter, which no file has to name."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_other.py").write_text("raise RuntimeError('imported')")

    by_word = run_pytest(tmp_path, "-k", "one")

    assert "RuntimeError: imported" in by_word.stdout
