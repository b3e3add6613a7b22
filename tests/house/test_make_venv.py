"""The script that makes the virtual environment: what it refuses to delete."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_an_environment_behind_a_link_is_left_alone(tmp_path: Path) -> None:
    """It is that of another checkout: `venv --clear` would empty it, and then fail."""
    environment = tmp_path / "environment"
    environment.mkdir()
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    link = tmp_path / ".venv"
    link.symlink_to(environment)

    refused = subprocess.run(
        [ROOT / ".ci" / "make-venv", sys.executable, link],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert refused.returncode == 2
    assert (
        f"{link} is a link to {environment}, and setting it up would delete what is there" in refused.stderr
    )
    assert "help: remove the link" in refused.stderr
    assert (environment / "pyvenv.cfg").is_file()
