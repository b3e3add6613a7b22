"""The modules of the console in Node, for tests that compare them with Python."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from devportal.reference.console import language_files
from devportal.site.rendering.page_assets import packed_script
from tests.javascript import node
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[3]
MODULES = ROOT / "tools" / "devportal" / "site" / "theme" / "assets" / "devportal" / "console"


def modules(folder: Path) -> Path:
    """Put the modules, as pages load them, where Node takes them for modules; skips a test where there is no
    Node.
    """
    node()
    shutil.copytree(MODULES, folder, dirs_exist_ok=True)
    (folder / "languages").mkdir(exist_ok=True)
    for language_file in language_files(folder=folder.as_posix()):
        Path(language_file.uri).write_bytes(language_file.content)
    for script in folder.rglob("*.js"):
        script.write_text(packed_script(script.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return folder


def ask(folder: Path, task: str, given: Any) -> Any:
    """Return what a task of `calling.mjs` answers."""
    return run("calling.mjs", {"folder": str(folder), "task": task, "given": given})


def run(script: str, given: Any) -> Any:
    """Return what a script beside this module makes of a value."""
    done = subprocess.run(
        ["node", Path(__file__).with_name(script)],
        input=json.dumps(given), capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
