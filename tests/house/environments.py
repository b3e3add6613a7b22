"""Fresh environments: what a wheel brings, beside the locked packages, and nothing of this repository."""

import os
import site
import subprocess
import sys
import venv
from pathlib import Path

from .repository import ROOT

PLUGIN = ROOT / "tools" / "telecom"
PACKAGES = {"devportal": ROOT, "telecom": PLUGIN}
"""The package of each distribution, with the folder of its pyproject.toml."""
_OWN = ("_editable", "__editable", "devportal")
"""How those files of the environment of the tests begin that belong to an editable installation."""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that sees nothing of this repository."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def build(source: Path, target: str, folder: Path) -> Path:
    """Build a `wheel` or `sdist` of what a folder holds, without the network, and return its file."""
    made = folder / f"{source.name}-{target}"
    built = run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", made, cwd=source)
    assert built.returncode == 0, built.stderr
    (file,) = made.iterdir()
    return file


def fresh_environment(folder: Path, *wheels: Path) -> Path:
    """Make an environment of the locked packages and some wheels; return the folder of its commands."""
    venv.create(folder, with_pip=False)
    packages = next(folder.glob("lib/python3*/site-packages"))
    for path in Path(site.getsitepackages()[0]).iterdir():
        if path.suffix != ".pth" and not path.name.startswith(_OWN):
            (packages / path.name).symlink_to(path)
    installed = run(
        sys.executable, "-m", "pip", "--python", folder / "bin" / "python",
        "install", "--quiet", "--no-deps", "--no-index", *wheels, cwd=folder,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    return folder / "bin"
