"""Node.js, in which tests run scripts of the site."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

_CHECK_MODULES = """
import fs from "node:fs";
import vm from "node:vm";
for (const file of process.argv.slice(2)) {
  new vm.SourceTextModule(fs.readFileSync(file, "utf8"), { identifier: file });
}
"""


def node() -> str:
    """Return the path of Node.js; skips the test that asks where there is none, and fails it in CI."""
    path = shutil.which("node")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("node is not installed")
        pytest.skip("node is not installed")
    return path


def check_modules(modules: Mapping[str, str], folder: Path) -> None:
    """Fail if one of several modules, by their names, does not parse. One process reads all of them."""
    check = folder / "check.mjs"
    check.write_text(_CHECK_MODULES, encoding="utf-8")
    files = []
    for number, (name, text) in enumerate(modules.items()):
        files.append(folder / f"{number}-{name.replace('/', '-')}")
        files[-1].write_text(text, encoding="utf-8")
    command = [node(), "--experimental-vm-modules", "--no-warnings", str(check), *map(str, files)]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", timeout=PATIENCE_S)
    assert files, "there is no module to check"
    assert done.returncode == 0, done.stderr
