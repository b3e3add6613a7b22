"""Schemathesis as a subprocess: its command line in a temporary folder, with generated settings and hooks."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from devportal.conformance.events import Case, Event, Finished, Outcome, Started, Trouble, read_events
from devportal.conformance.masking import Mask
from devportal.conformance.options import Options
from devportal.conformance.schemathesis_settings import (
    HOOKS_MODULE,
    PASSWORD_VARIABLE,
    REPORT_FILE,
    TOKEN_VARIABLE,
    USER_VARIABLE,
    settings,
    to_toml,
)
from devportal.contract import Api, Operation
from devportal.errors import DeploymentError, EnvironmentProblem

EVENTS_FILE = "events.jsonl"
POLL_S = 0.1
GRACE_S = 60
"""How long a run may take beyond its own time limit before it is ended."""

HOOKS = """\
import os

from devportal.conformance.recorder import install

install(open({events!r}, "a", encoding="utf-8"), os.environ.get({variable!r}, ""))
"""


def run_schemathesis(
    api: Api, operations: Sequence[Operation], options: Options, *, on_case: Callable[[Case], None]
) -> Outcome:
    """Run Schemathesis on the selected operations; `on_case` hears of each case as it comes.

    Raises EnvironmentProblem where it is not installed or cannot start, DeploymentError where it ends
    without a result.
    """
    with TemporaryDirectory(prefix="devportal-conformance-") as name:
        folder = Path(name)
        _prepare(folder, settings(api, operations, options))
        command = [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "--no-color",
            "run",
            str(options.contract.resolve()),
        ]
        for operation in operations:
            command += ["--include-name", f"{operation.method} {operation.path}"]
        events = []
        with _started(command, folder, options) as (process, output):
            for event in _follow(process, folder / EVENTS_FILE, options.max_time_s + GRACE_S):
                events.append(event)
                if isinstance(event, Case):
                    on_case(event)
            output.seek(0)
            said = Mask(options.token).text(output.read())
        return _outcome(events, process.returncode, folder / REPORT_FILE, said)


def _prepare(folder: Path, values: dict[str, Any]) -> None:
    (folder / "schemathesis.toml").write_text(to_toml(values), encoding="utf-8")
    hooks = HOOKS.format(events=str(folder / EVENTS_FILE), variable=TOKEN_VARIABLE)
    (folder / f"{HOOKS_MODULE}.py").write_text(hooks, encoding="utf-8")
    (folder / EVENTS_FILE).touch()


@contextmanager
def _started(
    command: list[str], folder: Path, options: Options
) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    user, _, password = options.token.partition(":")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SCHEMATHESIS_")}
    environment |= {TOKEN_VARIABLE: options.token, USER_VARIABLE: user, PASSWORD_VARIABLE: password}
    search_path = [str(folder), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(one for one in search_path if one)
    with (folder / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
                command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, text=True
            )
        except OSError as error:
            raise EnvironmentProblem(f"Schemathesis cannot be started: {error.strerror}") from error
        try:
            yield process, output
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def _follow(process: subprocess.Popen[str], path: Path, limit_s: float) -> Iterator[Event]:
    """Yield the events of a growing file until its writer ends."""
    deadline = time.monotonic() + limit_s
    with path.open(encoding="utf-8") as stream:
        rest = ""
        while True:
            ended = process.poll() is not None
            text = rest + stream.read()
            *lines, rest = text.split("\n")
            yield from read_events(lines)
            if ended:
                return
            if time.monotonic() > deadline:
                raise DeploymentError(
                    f"Schemathesis did not end within {limit_s:.0f} s",
                    help="give a shorter --max-time, or see whether the deployment answers at all",
                )
            time.sleep(POLL_S)


def _outcome(events: Sequence[Event], code: int, report: Path, said: str) -> Outcome:
    started = next((event for event in events if isinstance(event, Started)), None)
    finished = next((event for event in events if isinstance(event, Finished)), None)
    troubles = tuple(event for event in events if isinstance(event, Trouble))
    if "No module named schemathesis" in said:
        raise EnvironmentProblem("Schemathesis is not installed", help="run: pip install devportal")
    if started is None or finished is None or code not in (0, 1):
        tail = "\n".join(f"  | {line}" for line in said.strip().splitlines()[-25:])
        raise DeploymentError(
            f"Schemathesis ended with exit code {code} and without a result:\n{tail}",
            help="what it says above is the reason; nothing was decided about the deployment",
        )
    return Outcome(
        version=started.version,
        stop=finished.stop,
        cases=tuple(event for event in events if isinstance(event, Case)),
        troubles=troubles,
        warnings=_warnings(report),
    )


def _warnings(report: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the warnings of Schemathesis' own JSON report, by kind, without the empty kinds."""
    try:
        document = json.loads(report.read_text(encoding="utf-8"))
        kinds = document["warnings"].items()
        return tuple((str(kind), tuple(map(str, labels))) for kind, labels in kinds if labels)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise EnvironmentProblem(
            "the report of Schemathesis cannot be read", help="install the version that devportal pins"
        ) from error
