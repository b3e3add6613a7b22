"""What reproduces a failure: each script of a run shows the failure on a server that knows nothing of the run."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from devportal.conformance.results.reproduction import reproduce_commands, reproduction_limit
from devportal.conformance.results.result import Result
from tests.apps.faulty import TOGETHER, Together
from tests.apps.parcels import TOKEN
from tests.apps.serving import serving
from tests.conformance.running import red, run

STATUS_LINE = re.compile(r"^HTTP/[\d.]+ (\d{3})", re.MULTILINE)


def statuses_of(commands: tuple[str, ...], *, at: str, instead_of: str) -> list[int]:
    """Run commands in bash against another server; return the statuses that they print."""
    printed = ""
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command.replace(instead_of, at)],
            env={**os.environ, "DEVPORTAL_TOKEN": TOKEN},
            capture_output=True,
            check=True,
            timeout=60,
        )
        printed += done.stdout.decode("utf-8", "replace")
    return [int(one) for one in STATUS_LINE.findall(printed)]


def unreproduced(result: Result, serve: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """Yield the failures of a run whose commands get other statuses from a fresh server."""
    for failure in red(result):
        if failure.exchange is None or reproduction_limit(failure):
            continue
        commands = reproduce_commands(failure)
        with serve() as url:
            found = statuses_of(commands, at=url, instead_of=result.url)
        if found != [one.status for one in failure.evidence]:
            yield f"{failure.operation}: {failure.title}: {found}\n" + "\n".join(commands)


@pytest.mark.conformance
def test_each_script_of_a_run_shows_its_failure_on_a_fresh_server() -> None:
    """All that a server with many faults does wrong shows again when the printed commands are pasted."""
    with serving(Together()) as url:
        result = run(url, phases=("examples", "coverage"))

    assert len(red(result)) >= len(TOGETHER)
    assert list(unreproduced(result, lambda: serving(Together()))) == []
