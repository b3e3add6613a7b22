"""One Schemathesis: its command line in a subprocess, what it writes, and what it leaves."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

import certifi

from devportal.conformance.events import (
    MAX_TIME,
    Case,
    Event,
    Finished,
    Outcome,
    Started,
    Trouble,
    read_events,
)
from devportal.conformance.line import Connection
from devportal.conformance.masking import Mask
from devportal.conformance.options import Options
from devportal.conformance.schemathesis_settings import (
    HOOKS_MODULE,
    PASSWORD_VARIABLE,
    REPORT_FILE,
    TOKEN_VARIABLE,
    TRUST_FILE,
    USER_VARIABLE,
    settings,
    to_toml,
)
from devportal.conformance.subject import Subject, label
from devportal.errors import DeploymentError, EnvironmentProblem

EVENTS_FILE = "events.jsonl"
OUTPUT_FILE = "output.txt"
LAST_WORDS = 25
"""Lines of its output that tell why it has no result."""

HOOKS = """\
import os

from devportal.conformance.recorder import install

install(
    open({events!r}, "a", encoding="utf-8"),
    os.environ.get({variable!r}, ""),
    rate_per_s={rate_per_s!r},
    is_read_only={is_read_only!r},
)
"""


class SchemathesisProcess:
    """A process that tests the operations of a subject, for the time of a `with` block."""

    def __init__(self, subject: Subject, options: Options) -> None:
        """Take what to test and how; nothing is started yet."""
        self._subject = subject
        self._options = options
        self._folder = TemporaryDirectory(prefix="devportal-conformance-")
        self._events: list[Event] = []
        self._rest = ""
        self._is_ended = False

    def __enter__(self) -> Self:
        """Start it; raises EnvironmentProblem where it cannot be."""
        folder, manners = self._here(), self._options.manners
        values = settings(self._subject, self._options)
        (folder / "schemathesis.toml").write_text(to_toml(values), encoding="utf-8")
        hooks = HOOKS.format(
            events=str(folder / EVENTS_FILE),
            variable=TOKEN_VARIABLE,
            rate_per_s=manners.rate_per_s,
            is_read_only=manners.is_read_only,
        )
        (folder / f"{HOOKS_MODULE}.py").write_text(hooks, encoding="utf-8")
        (folder / EVENTS_FILE).touch()
        _write_trust(self._options.connection, folder / TRUST_FILE)
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
        """End it, if it still runs, and take away what it wrote."""
        if not self.is_over:
            self._process.kill()
        self._process.wait()
        self._stream.close()
        self._output.close()
        self._folder.cleanup()

    @property
    def is_over(self) -> bool:
        """Say whether the process has ended."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End it before it has done all: its time is over."""
        if not self.is_over:
            self._is_ended = True
            self._process.kill()
            self._process.wait()

    def news(self) -> Iterator[Event]:
        """Yield the events that it has written since this was asked last."""
        *lines, self._rest = (self._rest + self._stream.read()).split("\n")
        for event in read_events(lines):
            self._events.append(event)
            yield event

    def outcome(self) -> Outcome:
        """Return what it left. Raises EnvironmentProblem where it is not installed, DeploymentError where it
        ended without a result.
        """
        started = next((event for event in self._events if isinstance(event, Started)), None)
        finished = next((event for event in self._events if isinstance(event, Finished)), None)
        code = self._process.returncode
        if not self._is_ended and (started is None or finished is None or code not in (0, 1)):
            raise self._nothing(code)
        return Outcome(
            version=started.version if started is not None else "",
            stop=finished.stop if finished is not None else MAX_TIME,
            cases=tuple(event for event in self._events if isinstance(event, Case)),
            troubles=tuple(event for event in self._events if isinstance(event, Trouble)),
            warnings=_warnings(self._here() / REPORT_FILE) if finished is not None else (),
        )

    def _nothing(self, code: int) -> DeploymentError | EnvironmentProblem:
        self._output.seek(0)
        said = Mask.of(self._options.parties).text(self._output.read())
        if "No module named schemathesis" in said:
            return EnvironmentProblem("Schemathesis is not installed", help="run: pip install devportal")
        tail = "\n".join(f"  | {line}" for line in said.strip().splitlines()[-LAST_WORDS:])
        return DeploymentError(
            f"Schemathesis ended with exit code {code} and without a result:\n{tail}",
            help="what it says above is the reason; nothing was decided about the deployment",
        )

    def _here(self) -> Path:
        return Path(self._folder.name)

    def _command(self) -> list[str]:
        contract = str(self._options.contract.resolve())
        command = [sys.executable, "-m", "schemathesis.cli", "--no-color", "run", contract]
        for operation in self._subject.operations:
            command += ["--include-name", label(operation)]
        return command

    def _environment(self) -> dict[str, str]:
        main = self._options.parties.main
        secret = main.secret if main is not None else ""
        user, _, password = secret.partition(":")
        kept = {key: value for key, value in os.environ.items() if not key.startswith("SCHEMATHESIS_")}
        search_path = [self._folder.name, kept.get("PYTHONPATH", "")]
        return kept | {
            TOKEN_VARIABLE: secret,
            USER_VARIABLE: user,
            PASSWORD_VARIABLE: password,
            "PYTHONPATH": os.pathsep.join(one for one in search_path if one),
        }


def _write_trust(connection: Connection, path: Path) -> None:
    """Write the authorities to trust, where one was given: Schemathesis takes them in place of the usual."""
    if connection.authority is not None:
        usual = Path(certifi.where()).read_bytes()
        path.write_bytes(usual + b"\n" + connection.authority.read_bytes())


def _warnings(report: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the warnings of Schemathesis' own JSON report, by kind, without the empty kinds."""
    try:
        document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        kinds = document["warnings"].items()
        return tuple((str(kind), tuple(map(str, labels))) for kind, labels in kinds if labels)
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise EnvironmentProblem(
            "the report of Schemathesis cannot be read", help="install the version that devportal pins"
        ) from error
