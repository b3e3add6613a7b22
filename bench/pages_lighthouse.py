"""The scores of Lighthouse for a page, on its settings for phones."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What Lighthouse says of a page."""

    by_category: Sequence[int | None]
    """The scores of `CATEGORIES`, up to 100; None if Lighthouse could not measure them."""
    benchmark_index: float | None
    """How fast the machine was meanwhile, by Lighthouse's own measure: 1,500 and more is a fast desktop."""


def scores(address: str, packages: Path) -> Scores:
    """Return what Lighthouse says of a page."""
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
        return Scores(by_category=[None] * len(CATEGORIES), benchmark_index=None)
    told = json.loads(ran.stdout)
    return Scores(
        by_category=[_score(told["categories"][name]["score"]) for name in CATEGORIES],
        benchmark_index=told["environment"]["benchmarkIndex"],
    )


def _score(value: float | None) -> int | None:
    return None if value is None else round(100 * value)
