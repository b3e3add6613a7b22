"""Measures the sandbox: messages per second, latency, CPU seconds of a message, receipts, memory, start.

A sandbox of its own is started in a temporary folder and loaded by bench/sandbox_load.py; its receipts go to
bench/sandbox_receiver.py. Each is a process of its own, as are the sandbox's workers, and all share this
machine's processors: what a message costs in CPU compares better than how many there are in a second.

Options after -- are handed to `devportal sandbox`. It needs Linux, for /proc.
"""

import argparse
import json
import os
import re
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BESIDE = Path(__file__).parent
_LOCAL = "127.0.0.1"
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE_S = 30.0
"""How long to wait for a start, and for a receipt after the last one."""
_PARTS = {
    "python alone": "pass",
    "with the imports": "import telecom.sandbox.command, telecom.sandbox.start",
    "with the contract": (
        "import telecom.sandbox.command, telecom.sandbox.start, devportal.contract as contract, pathlib; "
        "contract.load_contract(pathlib.Path('openapi/openapi.yaml'))"
    ),
}
"""What a start is made of, each part with those before it."""

Pids = tuple[int, ...]
ByPid = Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A sandbox that runs, and what its start took until it answered."""

    pid: int
    port: int
    token: str
    wall_s: float

    @property
    def pids(self) -> Pids:
        """Its processes: the one that was started, then its children."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii")
        return (self.pid, *map(int, children.split()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a load did: what `bench/sandbox_load.py` told, the receipts, and the sandbox's processes: their
    CPU seconds at the start, after the load and after the last receipt, and their memory on the way."""

    told: Mapping[str, Any]
    receipts: Mapping[str, int]
    drained_s: float
    cpu_s: tuple[ByPid, ByPid, ByPid]
    resident: tuple[ByPid, ...]


def main() -> None:
    """Start, load, wait for the receipts, and print what it all took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="how long to send messages (10)")
    parser.add_argument("--minutes", type=float, default=0, help="the same in minutes")
    parser.add_argument("--connections", type=int, default=32, help="requests under way at a time (32)")
    parser.add_argument("--rate", type=float, default=0, help="messages per second at most; 0: no limit")
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL database instead of SQLite")
    parser.add_argument("--starts", type=int, default=3, help="how many starts to measure (3); 0: none")
    parser.add_argument("--only-starts", action="store_true", help="send nothing")
    parser.add_argument("options", nargs="*", metavar="OPTION", help="after --: options of the sandbox")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="bench-") as folder:
        if asked.starts:
            report_starts(Path(folder), asked.starts, asked.options)
        if not asked.only_starts:
            database = asked.database or str(Path(folder) / "loaded.sqlite3")
            load = ("--connections", str(asked.connections), "--rate", str(asked.rate))
            seconds = asked.minutes * 60 or asked.seconds
            report(run(Path(folder), ["--database", database, *asked.options], seconds, load))


def report_starts(folder: Path, times: int, options: Sequence[str]) -> None:
    """Print the quickest start: its parts, then the whole until a request is answered."""
    for name, program in _PARTS.items():
        laps = [_lap(program) for _ in range(times)]
        _row(f"start: {name}", "{:.2f} CPU s, {:.2f} s wall", *map(min, zip(*laps, strict=True)))
    laps = []
    for number in range(times):
        own = ["--database", str(folder / f"start-{number}.sqlite3"), *options]
        with sandbox(folder / "log", own) as started:
            laps.append((sum(_cpu_s(started.pids).values()), started.wall_s))
    _row("start: until it answers", "{:.2f} CPU s, {:.2f} s wall", *map(min, zip(*laps, strict=True)))


def run(folder: Path, options: Sequence[str], seconds: float, load: Sequence[str]) -> Run:
    """Load a new sandbox for so long, and wait until no more receipts come."""
    with (
        receiver() as port,
        sandbox(
            folder / "log",
            ["--rate-limit", "999999999", "--webhook-url", f"http://{_LOCAL}:{port}/", *options],
        ) as loaded,
    ):
        before, began = _cpu_s(loaded.pids), time.monotonic()
        resident = [_resident(loaded.pids)]
        os.environ["DEVPORTAL_SANDBOX_TOKEN"] = loaded.token
        sender = _start_program("sandbox_load.py", _LOCAL, str(loaded.port), "--seconds", str(seconds), *load)
        time.sleep(seconds / 2)
        resident.append(_resident(loaded.pids))
        told = json.loads(sender.communicate()[0] or "{}")
        if not told:
            sys.exit("the load has failed")
        at_once = _cpu_s(loaded.pids)
        receipts = _wait_for_receipts(port, told["accepted"])
        return Run(
            told=told,
            receipts=receipts,
            drained_s=time.monotonic() - began,
            cpu_s=(before, at_once, _cpu_s(loaded.pids)),
            resident=(*resident, _resident(loaded.pids)),
        )


def report(measured: Run) -> None:
    """Print a row for each thing that was measured."""
    told, accepted = measured.told, measured.told["accepted"]
    distinct, came = measured.receipts["distinct"], measured.receipts["all"]
    seconds = told["seconds"]
    _row("accepted", "{:,} in {:.1f} s: {:,.0f} per second", accepted, seconds, accepted / seconds)
    _row("latency", "p50 {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms", *told["latencies_ms"])
    _row("other answers", "{}", told["others"] or "none")
    _row("receipts", "{:,}, {:,} missing, {:,} doubled", distinct, accepted - distinct, came - distinct)
    rate = distinct / measured.drained_s
    _row("all receipts after", "{:.1f} s: {:,.0f} per second", measured.drained_s, rate)
    before, at_once, after = measured.cpu_s
    for number, pid in enumerate(after):
        name = f"child {number}" if number else "sandbox"
        seconds = tuple(item.get(pid, 0.0) - before.get(pid, 0.0) for item in (at_once, after))
        _row(f"{name}: CPU", "{:.2f} s under load, {:.2f} s until all receipts", *seconds)
        sizes = " → ".join(f"{item.get(pid, 0) / 1e6:,.0f}" for item in measured.resident)
        _row(f"{name}: memory", "{} MB", sizes)
    cost = (sum(after.values()) - sum(before.values())) / max(1, accepted)
    _row("a message with its receipt", "{:,.0f} µs CPU of the sandbox", cost * 1e6)
    _row("the load itself", "{:,.0f} µs CPU a message", told["cpu_s"] / max(1, accepted) * 1e6)


@contextmanager
def sandbox(log: Path, options: Sequence[str]) -> Iterator[Sandbox]:
    """Start a sandbox at a free port, wait until it answers, and end it."""
    token, started = f"sk_sandbox_{secrets.token_hex(16)}", time.monotonic()
    with log.open("w") as lines:
        process = subprocess.Popen(
            [sys.executable, "-m", "devportal", "sandbox", "--port", "0", *options],
            cwd=BESIDE.parent,
            env={**os.environ, "DEVPORTAL_SANDBOX_TOKEN": token},
            stdout=lines,
            stderr=lines,
        )
    try:
        port = _first_answer(log, token, process)
        yield Sandbox(pid=process.pid, port=port, token=token, wall_s=time.monotonic() - started)
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)


def _first_answer(log: Path, token: str, process: subprocess.Popen[bytes]) -> int:
    """Wait until a GET returns 200; return the port. Ends the program if none does."""
    ends = time.monotonic() + _PATIENCE_S
    while time.monotonic() < ends and process.poll() is None:
        shown = re.search(r"http://[^\s/]+:(\d+)", log.read_text(encoding="utf-8"))
        if shown is not None:
            port = int(shown.group(1))
            asked = urllib.request.Request(
                f"http://{_LOCAL}:{port}/v1/messages", headers={"Authorization": f"Bearer {token}"}
            )
            with urllib.request.urlopen(asked, timeout=_PATIENCE_S):  # noqa: S310
                return port
        time.sleep(0.005)
    sys.exit(f"the sandbox does not start:\n{log.read_text(encoding='utf-8')}")


@contextmanager
def receiver() -> Iterator[int]:
    """Start a receiver of webhooks; yield its port, and end it."""
    process = _start_program("sandbox_receiver.py")
    try:
        yield int(process.stdout.readline()) if process.stdout is not None else 0
    finally:
        process.kill()
        process.wait()


def _wait_for_receipts(port: int, wanted: int) -> Mapping[str, int]:
    """Wait until as many receipts came as messages were accepted, or no more come; return their counts."""
    counts, moved = {"distinct": 0, "all": 0}, time.monotonic()
    while counts["distinct"] < wanted and time.monotonic() - moved < _PATIENCE_S:
        time.sleep(0.05)
        with urllib.request.urlopen(f"http://{_LOCAL}:{port}/", timeout=_PATIENCE_S) as answer:
            now = json.load(answer)
        if now != counts:
            counts, moved = now, time.monotonic()
    return counts


def _start_program(program: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(BESIDE / program), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _lap(program: str) -> tuple[float, float]:
    """Return the CPU seconds and the wall seconds that a program takes."""
    started = time.monotonic()
    process = subprocess.Popen([sys.executable, "-c", program], cwd=BESIDE.parent)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"this program has failed: {program}")
    return used.ru_utime + used.ru_stime, time.monotonic() - started


def _cpu_s(pids: Pids) -> ByPid:
    """Return the CPU seconds that processes have used (proc(5), /proc/pid/stat, utime and stime)."""
    told = {pid: Path(f"/proc/{pid}/stat").read_text(encoding="utf-8") for pid in pids}
    return {pid: sum(map(int, line.rpartition(")")[2].split()[11:13])) / _TICKS for pid, line in told.items()}


def _resident(pids: Pids) -> ByPid:
    """Return the bytes of memory that processes hold."""
    told = {pid: Path(f"/proc/{pid}/statm").read_text(encoding="ascii") for pid in pids}
    return {pid: int(line.split()[1]) * os.sysconf("SC_PAGE_SIZE") for pid, line in told.items()}


def _row(name: str, template: str, *values: object) -> None:
    print(f"{name:<28} {template.format(*values)}", flush=True)


if __name__ == "__main__":
    main()
