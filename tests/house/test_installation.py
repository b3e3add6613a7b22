"""What is measured of an installation: what exceeds a bound is named (`make bench-install`)."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from .repository import ROOT
from .requirements import EXTRAS, PROJECT, required_packages

BENCH: dict[str, Any] = runpy.run_path(str(ROOT / "bench" / "install.py"))


def test_every_extra_has_a_bound() -> None:
    """So has the base; the extras of development and of the instance have none."""
    assert set(BENCH["BOUNDS"]) == {"", *EXTRAS} - {"dev", "postgresql", "sandbox"}


@pytest.mark.parametrize("extra", BENCH["BOUNDS"])
def test_no_more_is_asked_for_than_the_bound_allows(extra: str) -> None:
    """As the metadata of the installed packages has it; with devportal itself."""
    needed = required_packages([*PROJECT["dependencies"], *EXTRAS.get(extra, [])])

    assert len(needed | {"devportal"}) <= BENCH["BOUNDS"][extra].distributions


def test_the_constraints_are_the_versions_of_the_lock(tmp_path: Path) -> None:
    """Each of them, without hashes and extras."""
    path = BENCH["written_constraints"](tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()

    assert len(lines) > 100
    assert all(line.count("==") == 1 and not set(line) & set(" \\[;") for line in lines)


@pytest.mark.deep
def test_what_exceeds_a_bound_is_named() -> None:
    """In this environment, which has more than nothing."""
    bound = BENCH["Bound"](distributions=0, size_mb=0)

    problems = list(BENCH["report"]("devportal", Path(sys.executable), bound))

    assert [problem.partition(", at most")[1] for problem in problems[:2]] == [", at most"] * 2
    assert {problem.split()[1] for problem in problems[:2]} == {"distributions,", "MB,"}
