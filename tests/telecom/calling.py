"""Functions of the JavaScript modules of hand-written pages, called in Node."""

import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.javascript import node
from tests.waiting import PATIENCE_S

from devportal.site.rendering.page_assets import packed_script

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "docs" / "assets"
_ESTIMATES = ROOT / "tools" / "devportal" / "site" / "theme" / "assets" / "devportal" / "estimate-cost.js"
"""The arithmetic of the estimator of rates, which the pages of the site have beside their own modules."""

Calls = Callable[..., list[dict[str, Any]]]
"""What functions answer, as `{"value": …}` or `{"error": …}`, to calls `[module, name, argument, …]`."""


def calls_of(package: str) -> Callable[..., Calls]:
    """Return the fixture of what calls the modules in a folder of `docs/assets`. It skips without Node."""

    @pytest.fixture(scope="module")
    def calls(tmp_path_factory: pytest.TempPathFactory) -> Calls:
        node()
        return partial(_answers, _copy_modules(tmp_path_factory.mktemp(package)) / package)

    return calls


def _copy_modules(folder: Path) -> Path:
    """Copy the modules as a site has them beside each other, and return their folder."""
    shutil.copytree(ASSETS, folder / "assets")
    (folder / "assets" / "devportal").mkdir()
    packed = packed_script(_ESTIMATES.read_text(encoding="utf-8"))
    (folder / "assets" / "devportal" / _ESTIMATES.name).write_text(packed, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return folder / "assets"


def _answers(folder: Path, *asked: list[Any]) -> list[dict[str, Any]]:
    done = subprocess.run(
        ["node", Path(__file__).with_name("calling.mjs"), folder],
        input=json.dumps(asked), capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def in_json(content: bytes) -> dict[str, str]:
    """Return bytes as they are handed over."""
    return {"base64": base64.b64encode(content).decode()}


def from_json(written: dict[str, str]) -> bytes:
    """Return the bytes that were handed over."""
    return base64.b64decode(written["base64"])
