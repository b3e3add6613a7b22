"""Which way imports point, and that the check of it can fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .repository import ROOT


def lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_imports_point_downwards(copy: Path) -> None:
    """The packages keep the layers that pyproject.toml declares."""
    result = lint_imports(copy)

    assert result.returncode == 0, result.stdout


@pytest.mark.deep
@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("contract/model.py", "import devportal.reference"),
        ("reference/pages/pages.py", "import devportal.catalog"),
        ("conformance/run/run.py", "import devportal.site"),
        ("catalog/review/lock.py", "import devportal.site"),
        ("catalog/audit/journal.py", "import devportal.site"),
        ("project/settings.py", "import devportal.site"),
        ("project/settings.py", "import mkdocs.config"),
        ("errors.py", "import devportal.findings"),
        ("findings.py", "import telecom.segments"),
    ],
)
def test_a_forbidden_import_is_found(copy: Path, module: str, statement: str) -> None:
    """An import upwards, between siblings, or of the telecom package breaks the contract."""
    path = copy / "tools" / "devportal" / module
    path.write_text(path.read_text(encoding="utf-8") + f"\n{statement}\n", encoding="utf-8")

    result = lint_imports(copy)

    assert result.returncode == 1, result.stdout + result.stderr
    assert "BROKEN" in result.stdout
