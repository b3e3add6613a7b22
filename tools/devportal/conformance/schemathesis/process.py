"""Runs Schemathesis in other processes: its command line on parts of the operations, and its outcome."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

import certifi

from devportal.conformance.deployment.credentials import basic_pair, without_scheme
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.run.options import Options, split_operations
from devportal.conformance.schemathesis.events import (
    COMPLETED,
    MAX_TIME,
    Case,
    RunFinished,
    RunStarted,
    SchemathesisError,
    SchemathesisEvent,
    SchemathesisOutcome,
    read_events,
)
from devportal.conformance.schemathesis.settings import (
    BEARER_VARIABLE,
    HOOKS_MODULE,
    PASSWORD_VARIABLE,
    REPORT_FILE,
    TOKEN_VARIABLE,
    TRUST_FILE,
    USER_VARIABLE,
    schemathesis_settings,
    to_toml,
)
from devportal.contract.published.bundle import bundle
from devportal.documents import to_yaml
from devportal.errors import DeploymentError, EnvironmentProblem
from devportal.project.caches import cache_folder

EVENTS_FILE = "events.jsonl"
OUTPUT_FILE = "output.txt"
CONVERTED_FILE = "openapi.yaml"
OUTPUT_TAIL_LINES = 25
"""How many lines of its output explain a missing result."""

EVENTS_VARIABLE = "DEVPORTAL_CONFORMANCE_EVENTS"
STORAGE_VARIABLE = "HYPOTHESIS_STORAGE_DIRECTORY"
HOOKS_SOURCE = """\
import os

from devportal.conformance.schemathesis.recorder import install

install(
    open(os.environ[{events_variable!r}], "a", encoding="utf-8"),
    os.environ.get({variable!r}, ""),
    rate_per_s={rate_per_s!r},
    is_read_only={is_read_only!r},
)
"""


class SchemathesisProcess:
    """A process that tests the operations of a subject, for the time of a `with` block."""

    def __init__(self, subject: Subject, options: Options) -> None:
        """Take the subject and the options; nothing is started yet."""
        self._subject = subject
        self._options = options
        self._folder = TemporaryDirectory(prefix="devportal-conformance-")
        self._events: list[SchemathesisEvent] = []
        self._partial_line = ""
        self._was_stopped = False

    def __enter__(self) -> Self:
        """Start it; raises EnvironmentProblem if that fails."""
        folder, manners = self._folder_path(), self._options.policy
        values = schemathesis_settings(self._subject, self._options)
        (folder / "schemathesis.toml").write_text(to_toml(values), encoding="utf-8")
        hooks = HOOKS_SOURCE.format(
            events_variable=EVENTS_VARIABLE,
            variable=TOKEN_VARIABLE,
            rate_per_s=manners.rate_per_s,
            is_read_only=manners.is_read_only,
        )
        (folder / f"{HOOKS_MODULE}.py").write_text(hooks, encoding="utf-8")
        (folder / EVENTS_FILE).touch()
        _write_trusted_certificates(self._options.connection, folder / TRUST_FILE)
        self._stream = (folder / EVENTS_FILE).open(encoding="utf-8")
        self._output = (folder / OUTPUT_FILE).open("w+", encoding="utf-8", errors="replace")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
                self._command(),
                cwd=folder,
                env=self._environment(),
                stdout=self._output,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except OSError as error:
            raise EnvironmentProblem(f"Schemathesis cannot be started: {error.strerror}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it, if it still runs, and remove its files."""
        if not self.is_over:
            self._process.kill()
        self._process.wait()
        self._stream.close()
        self._output.close()
        self._folder.cleanup()

    @property
    def is_over(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """End it early: its time is over."""
        if not self.is_over:
            self._was_stopped = True
            self._process.kill()
            self._process.wait()

    def new_events(self) -> Iterator[SchemathesisEvent]:
        """Yield the events since the last call."""
        *lines, self._partial_line = (self._partial_line + self._stream.read()).split("\n")
        for event in read_events(lines):
            self._events.append(event)
            yield event

    def outcome(self) -> SchemathesisOutcome:
        """Return the outcome. Raises EnvironmentProblem if Schemathesis is not installed, DeploymentError if
        it ended without a result.
        """
        started = next((event for event in self._events if isinstance(event, RunStarted)), None)
        finished = next((event for event in self._events if isinstance(event, RunFinished)), None)
        code = self._process.returncode
        if not self._was_stopped and (started is None or finished is None or code not in (0, 1)):
            raise self._missing_result_error(code)
        return SchemathesisOutcome(
            version=started.version if started is not None else "",
            stop_reason=finished.stop_reason if finished is not None else MAX_TIME,
            cases=tuple(event for event in self._events if isinstance(event, Case)),
            errors=tuple(event for event in self._events if isinstance(event, SchemathesisError)),
            warnings=_read_warnings(self._folder_path() / REPORT_FILE) if finished is not None else (),
        )

    def _missing_result_error(self, code: int) -> DeploymentError | EnvironmentProblem:
        self._output.seek(0)
        output = Mask.of(self._options.credentials).text(self._output.read())
        if "No module named schemathesis" in output:
            return EnvironmentProblem("Schemathesis is not installed", help="run: pip install devportal")
        tail = "\n".join(f"  | {line}" for line in output.strip().splitlines()[-OUTPUT_TAIL_LINES:])
        return DeploymentError(
            f"Schemathesis ended with exit code {code} and without a result:\n{tail}",
            help="what it says above is the reason; nothing was decided about the deployment",
        )

    def _folder_path(self) -> Path:
        return Path(self._folder.name)

    def _command(self) -> list[str]:
        contract = self._contract_file()
        command = [sys.executable, "-m", "schemathesis.cli", "--no-color", "run", str(contract)]
        for operation in self._subject.operations:
            command += ["--include-name", operation_label(operation)]
        return command

    def _contract_file(self) -> Path:
        """Return the contract, or for Swagger 2.0 the OpenAPI that everything else reads in its place.

        By itself, Schemathesis asks for a media type of each response there, also of one that has no content, and
        forbids other fields in forms.
        """
        contract = self._subject.contract
        if not contract.is_converted:
            return self._options.contract.resolve()
        path = self._folder_path() / CONVERTED_FILE
        path.write_text(to_yaml(bundle(contract)), encoding="utf-8")
        return path

    def _environment(self) -> dict[str, str]:
        main = self._options.credentials.main
        secret = main.secret if main is not None else ""
        user, password = basic_pair(secret)
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("SCHEMATHESIS_")}
        search_path = [self._folder.name, inherited.get("PYTHONPATH", "")]
        return (
            _hypothesis_storage()
            | inherited
            | {
                EVENTS_VARIABLE: str(self._folder_path() / EVENTS_FILE),
                TOKEN_VARIABLE: secret,
                BEARER_VARIABLE: without_scheme(secret, "Bearer"),
                USER_VARIABLE: user,
                PASSWORD_VARIABLE: password,
                "PYTHONPATH": os.pathsep.join(text for text in search_path if text),
            }
        )


def _hypothesis_storage() -> dict[str, str]:
    """Return the variable that names the folder where Hypothesis keeps its tables of Unicode from run to run.

    Making them takes more than a CPU second. Without an example database, nothing of a run is kept there.
    """
    try:
        return {STORAGE_VARIABLE: str(cache_folder("hypothesis").resolve())}
    except EnvironmentProblem:  # a user without a home: each run makes the tables
        return {}


def _write_trusted_certificates(connection: ConnectionSettings, path: Path) -> None:
    """Write the trusted authorities if one was given: Schemathesis uses them instead of the default ones."""
    if connection.authority is not None:
        usual = Path(certifi.where()).read_bytes()
        path.write_bytes(usual + b"\n" + connection.authority.read_bytes())


def _read_warnings(report: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the warnings of Schemathesis' own JSON report, by kind, without the empty kinds."""
    try:
        document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        kinds = document["warnings"].items()
        return tuple((str(kind), tuple(map(str, labels))) for kind, labels in kinds if labels)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise EnvironmentProblem(
            "the report of Schemathesis cannot be read", help="install the version that devportal pins"
        ) from error


PROCESSES = 2
"""Generating data keeps one processor busy. The number of processes must not depend on the machine: same
seed, same cases.
"""
OPERATIONS_PER_PROCESS = 4
"""With fewer operations for each, another process is not worth its start."""
POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class SchemathesisRun:
    """The processes of one run, and when (monotonic) their time is over."""

    processes: tuple[SchemathesisProcess, ...]
    ends_at: float

    def new_cases(self) -> Iterator[Case]:
        """Yield the cases since the last call, without waiting."""
        for process in self.processes:
            yield from (event for event in process.new_events() if isinstance(event, Case))

    def remaining_cases(self) -> Iterator[Case]:
        """Yield all remaining cases as they come."""
        while True:
            are_over = [process.is_over for process in self.processes]
            yield from self.new_cases()
            if all(are_over):
                return
            if time.monotonic() > self.ends_at:
                for process in self.processes:
                    process.stop()
            time.sleep(POLL_S)

    def outcome(self) -> SchemathesisOutcome:
        """Return the outcome of the processes, which are over. Raises EnvironmentProblem, DeploymentError."""
        return join_outcomes([process.outcome() for process in self.processes])


@contextmanager
def start_schemathesis(
    subject: Subject, options: Options, *, max_time_s: float = float("inf")
) -> Iterator[SchemathesisRun]:
    """Start Schemathesis on the operations of a subject; processes that still run at the end of the block are
    ended.

    Operations in `additionalOperations` are left out: this release of Schemathesis reads none, and would warn of
    each. Raises EnvironmentProblem if it cannot be started.
    """
    operations = tuple(
        operation
        for operation in subject.operations
        if operation.key.pointer[-2:-1] != ("additionalOperations",)
    )
    count = max(1, min(PROCESSES, len(operations) // OPERATIONS_PER_PROCESS))
    shares = [share for share in split_operations(operations, count) if share]
    # Our own probes send requests as well.
    rate_per_s = options.policy.rate_per_s / (len(shares) + 1)
    process_options = replace(options, policy=replace(options.policy, rate_per_s=rate_per_s))
    with ExitStack() as stack:
        processes = [
            stack.enter_context(SchemathesisProcess(replace(subject, operations=share), process_options))
            for share in shares
        ]
        yield SchemathesisRun(tuple(processes), time.monotonic() + max_time_s)


def join_outcomes(outcomes: list[SchemathesisOutcome]) -> SchemathesisOutcome:
    """Return the outcomes of several processes as one: it stopped early if one of them did."""
    stops = [outcome.stop_reason for outcome in outcomes if outcome.stop_reason != COMPLETED]
    warnings: dict[str, list[str]] = {}
    for kind, subjects in (pair for outcome in outcomes for pair in outcome.warnings):
        warnings.setdefault(kind, []).extend(subjects)
    return SchemathesisOutcome(
        version=version("schemathesis"),
        stop_reason=stops[0] if stops else COMPLETED,
        cases=tuple(case for outcome in outcomes for case in outcome.cases),
        errors=tuple(dict.fromkeys(error for outcome in outcomes for error in outcome.errors)),
        warnings=tuple((kind, tuple(dict.fromkeys(labels))) for kind, labels in warnings.items()),
    )
