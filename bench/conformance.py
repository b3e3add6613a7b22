"""Measures `devportal conformance` against plain `schemathesis run` on the same servers, one after the other.

`parcels`: the right servers and the faulty ones of `tests/apps`: faults found, false alarms, seconds, CPU
seconds of the tool, requests, and how soon the first failure is told. `sandbox`: one run on the sandbox of
this API: seconds, requests in a second. Run it on a quiet machine: with others on it only CPU seconds mean
anything.

    python -m bench.conformance parcels --faults 5
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.suites import children_cpu_s
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.apps.faulty import FAULTS
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving

ROOT = Path(__file__).parents[1]
CONTRACT = ROOT / "tests" / "apps" / "parcels.yaml"
BIN = Path(sys.executable).parent
COLUMNS = "{:<30} {:>14} {:>8} {:>8} {:>9} {:>9}"
FAILURE = re.compile(r"\s*(✗|❌|- Test Case ID)")
"""How a line that reports a failure begins: ours, and those of Schemathesis."""
RED = 1
"""The exit code of both for a deployment that does not conform to its contract."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One run of one tool on one server; `first_s` is when it reported its first failure, if it did."""

    code: int
    seconds: float
    cpu_s: float
    requests: int = 0
    first_s: float | None = None


class Counted:
    """An ASGI application that counts its requests."""

    def __init__(self, app: ASGIApp) -> None:
        """Take the application to count for."""
        self.app = app
        self.requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count one, and hand it on."""
        self.requests += 1
        await self.app(scope, receive, send)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["parcels", "sandbox"], default=["parcels", "sandbox"])
    parser.add_argument("--faults", type=int, default=len(FAULTS), help="how many of the faulty servers")
    asked = parser.parse_args()
    if "parcels" in asked.what:
        compare_on_parcels(asked.faults)
    if "sandbox" in asked.what:
        measure_sandbox()


def compare_on_parcels(faults: int) -> None:
    """Print a row for each tool on the right server and on all faulty ones."""
    print(COLUMNS.format("on parcels.yaml", "found", "seconds", "CPU s", "requests", "first s"))
    broken = [fault.app for fault in FAULTS[:faults]]
    for name, command in (("devportal", devportal), ("schemathesis", schemathesis)):
        right = [on_server(Parcels(), command)]
        wrong = [on_server(app(), command) for app in broken]
        alarms = sum(1 for measure in right if measure.code == RED)
        found = sum(1 for measure in wrong if measure.code == RED)
        print_row(f"{name}, right server", f"{alarms} alarms", right)
        print_row(f"{name}, {len(wrong)} wrong", f"{found}/{len(wrong)}", wrong)


def print_row(name: str, found: str, measures: Sequence[Measure]) -> None:
    """Print means of several runs, and the slowest first failure."""
    first = [measure.first_s for measure in measures if measure.first_s is not None]
    count = len(measures)
    print(
        COLUMNS.format(
            name,
            found,
            f"{sum(measure.seconds for measure in measures) / count:.1f}",
            f"{sum(measure.cpu_s for measure in measures) / count:.1f}",
            f"{sum(measure.requests for measure in measures) / count:.0f}",
            f"≤ {max(first):.1f}" if first else "",
        )
    )


def on_server(app: ASGIApp, command: Callable[[str], list[str]]) -> Measure:
    """Run a tool on a server of its own."""
    counted = Counted(app)
    with serving(counted) as url:
        found = measure_command(command(url), {"DEVPORTAL_TOKEN": TOKEN})
    return Measure(
        code=found.code,
        seconds=found.seconds,
        cpu_s=found.cpu_s,
        requests=counted.requests,
        first_s=found.first_s,
    )


def devportal(url: str) -> list[str]:
    """Return the command of this project, with its default profile."""
    return [str(BIN / "devportal"), "conformance", url, "--contract", str(CONTRACT), "--stability", "all"]


def schemathesis(url: str) -> list[str]:
    """Return plain Schemathesis, as its first page says to run it."""
    header = ("--header", f"Authorization: Bearer {TOKEN}")
    database = ("--generation-database", "none")
    return [str(BIN / "schemathesis"), "run", str(CONTRACT), "--url", url, *header, *database, "--seed", "1"]


def measure_command(command: Sequence[str], more: dict[str, str]) -> Measure:
    """Run a command in an empty folder; note when it reports its first failure."""
    before = children_cpu_s()
    began = time.monotonic()
    first_s: float | None = None
    with (
        TemporaryDirectory(prefix="bench-") as folder,
        subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process,
    ):
        for line in process.stdout or ():
            if first_s is None and FAILURE.match(line):
                first_s = time.monotonic() - began
    return Measure(
        code=process.returncode,
        seconds=time.monotonic() - began,
        cpu_s=children_cpu_s() - before,
        first_s=first_s,
    )


def measure_sandbox() -> None:
    """Print one row: a run on the sandbox, which `.ci/conformance` starts and ends."""
    with TemporaryDirectory(prefix="bench-") as folder:
        file = Path(folder) / "result.json"
        command = [str(ROOT / ".ci" / "conformance"), str(BIN / "devportal"), "--stability", "all"]
        began = time.monotonic()
        done = subprocess.run(
            [*command, "--json", str(file)], cwd=ROOT, check=False, capture_output=True, text=True
        )
        seconds = time.monotonic() - began
        if not file.exists():
            sys.exit(done.stderr)
        result = json.loads(file.read_text())
    print()
    print(COLUMNS.format("on the sandbox", "exit code", "seconds", "run s", "requests", "per s"))
    requests, run_s = (
        sum(operation["cases"] for operation in result["operations"]),
        result["run"]["duration_s"],
    )
    told = (f"{seconds:.1f}", f"{run_s:.1f}", requests, f"{requests / run_s:.0f}")
    print(COLUMNS.format("devportal", done.returncode, *told))


if __name__ == "__main__":
    main()
