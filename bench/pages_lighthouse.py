"""The scores of Lighthouse for a page, on its settings for phones."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")


def scores(address: str, packages: Path) -> Sequence[int | None]:
    """Return the scores of `CATEGORIES`, up to 100; none where Lighthouse could not say."""
    command = [
        str(packages / "node_modules" / ".bin" / "lighthouse"),
        address,
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(CATEGORIES)}",
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ]
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
    ran = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "CHROME_PATH": chromium},
    )
    if ran.returncode:
        return [None] * len(CATEGORIES)
    told = json.loads(ran.stdout)["categories"]
    return [_score(told[name]["score"]) for name in CATEGORIES]


def _score(value: float | None) -> int | None:
    return None if value is None else round(100 * value)
