"""The comparison with Zensical is told in CI and blocks nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.building import ROOT

from .conftest import Desk


@pytest.mark.deep
def test_it_fails_nothing_where_zensical_cannot_be_installed(desk: Desk) -> None:
    """What cannot be had is told, in one line."""
    done = subprocess.run(
        [ROOT / ".ci" / "zensical", Path(sys.executable).parent, desk.config_file],
        env={**os.environ, "ZENSICAL": "./no-such-wheel.whl"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "not compared: ./no-such-wheel.whl cannot be installed here"


def test_it_is_no_part_of_the_test_command() -> None:
    """An engine that is not ours makes no build of ours red."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\ntest: ")[2].partition("\n.PHONY")[0]

    assert "\nzensical: " in makefile
    assert "zensical" not in recipe
