"""Measures what the checks cost: CPU and wall seconds of each target of `make test`, and the costliest tests.

CPU seconds are user and system time of every process that a target starts. The targets run one after the
other here; `make test` runs several at a time, so its wall time is less than the sum. Run it on a quiet
machine, and once before to have everything set up.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
TARGETS = ("lint", "types", "layers", "check", "conformance", "unit", "browser")
"""Those of `make test`, in its order."""
_ROW = "{:<14} {:>9} {:>9}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a target or a test took, in seconds."""

    name: str
    cpu_s: float
    wall_s: float

    @property
    def row(self) -> str:
        """Return the cost as a line of the table of targets."""
        return _ROW.format(self.name, f"{self.cpu_s:.1f}", f"{self.wall_s:.1f}")


def main() -> int:
    """Run the targets that are named, or all; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "targets", nargs="*", default=TARGETS, metavar="TARGET", help="targets of the Makefile"
    )
    parser.add_argument("--most", type=int, default=20, help="how many tests to list (20)")
    asked = parser.parse_args()
    print(_ROW.format("target", "CPU s", "wall s"), flush=True)
    costs, failed = [], False
    with TemporaryDirectory(prefix="bench-") as folder:
        for target in asked.targets:
            cost, is_green = run(target, Path(folder))
            print(cost.row, "" if is_green else "FAILED", flush=True)
            costs.append(cost)
            failed |= not is_green
        tests = sorted(read_tests(Path(folder)), key=lambda test: -test.cpu_s)
    total = Cost(name="all", cpu_s=sum(c.cpu_s for c in costs), wall_s=sum(c.wall_s for c in costs))
    print(f"{total.row}\n\nThe costliest tests, their fixtures and child processes included:")
    for test in tests[: asked.most]:
        print(f"{test.cpu_s:>8.1f} CPU s {test.wall_s:>8.1f} s  {test.name}")
    return int(failed)


def run(target: str, folder: Path) -> tuple[Cost, bool]:
    """Run one target; its output goes to standard error only if it fails."""
    # With `=`: pytest takes the value of an option that it does not know yet for a path,
    # and looks for its root there.
    options = f"{os.environ.get('PYTEST_ADDOPTS', '')} -p bench.cpu_times --cpu-times={folder}"
    before, started = children_cpu_s(), time.perf_counter()
    done = subprocess.run(
        ["make", "--no-print-directory", target],
        cwd=ROOT,
        env={**os.environ, "PYTEST_ADDOPTS": options.strip(), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    cost = Cost(name=target, cpu_s=children_cpu_s() - before, wall_s=time.perf_counter() - started)
    if done.returncode:
        print(done.stdout[-20_000:], file=sys.stderr)
    return cost, done.returncode == 0


def read_tests(folder: Path) -> Iterator[Cost]:
    """Return what `bench.cpu_times` wrote of each test."""
    for file in folder.glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            test = json.loads(line)
            yield Cost(
                name=test["test"] or "(start of a test process: imports and collection)",
                cpu_s=test["cpu"],
                wall_s=test["wall"],
            )


def children_cpu_s() -> float:
    """Return the CPU seconds of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
