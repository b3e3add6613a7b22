"""Walking a guide: every step as the reader takes it, against a sandbox of its own on free ports.

The sandbox is started by the options of the guide's own command; where a guide starts none, it runs as it
does in Get started, with its token and secret in the environment. Ports that the guide names are replaced by
free ones, and `export NAME='prefix_…'` gets what was printed, as readers copy it.
"""

import os
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.house.repository import ROOT
from tests.waiting import PATIENCE_S, comes_true

from .guide import Run, Save, Show, Skip, Step, read_guide
from .ports import SANDBOX, Ports, listens
from .session import Failure, Session, Stuck, session
from .shown import ANY, find

_AS_IN_GET_STARTED = "make serve WEBHOOK_URL=http://127.0.0.1:9000/\n"
_COPY_SECRETS = f"export API_KEY='sk_{ANY}'\nexport WEBHOOK_SECRET='whsec_{ANY}'\n"
_IN_A_CLONE = ("changelog", "data", "docs", "mkdocs.yml", "openapi")
_TO_COPY = re.compile(rf"^(?P<name>export \w+)='(?P<prefix>\w+_){ANY}'$", re.MULTILINE)
_STARTED = "Webhooks:"
_ANSWERED = re.compile(rf"^{_STARTED}.*\n|^(?:error|Error|Usage|Traceback)", re.MULTILINE)
_BACKGROUND = re.compile(r"&\s*\Z")
_ENDS_PROGRAM = re.compile(r"^kill \$!$", re.MULTILINE)


class NotAsWritten(AssertionError):
    """A step of a guide that does not do what the guide says."""


@dataclass(slots=True, kw_only=True)
class Walk:
    """A guide that is being walked."""

    name: str
    shell: Session
    ports: Ports
    prints_within_s: float = PATIENCE_S
    commands: Run | None = None
    seen: int = 0
    """How much of what was printed belongs to steps before."""
    sandbox: Path = field(init=False)
    """What the sandbox says."""

    def __post_init__(self) -> None:
        """Keep what the sandbox says apart from what commands print."""
        self.sandbox = self.shell.folder / ".walk-sandbox"

    def take(self, step: Step) -> None:
        """Do what a step says; raises NotAsWritten."""
        match step:
            case Save():
                (self.shell.folder / step.name).write_text(self.ports.at(step.text), encoding="utf-8")
            case Run() if step.starts_sandbox:
                self.start_sandbox(step)
            case Run():
                self._run(step)
            case Show():
                self._compare(step)
            case Skip():
                pass

    def start_sandbox(self, step: Run) -> None:
        """Start the sandbox in the background, with the options of the guide; end one that runs."""
        self.commands, self.seen = step, 0
        command = _sandbox_command(self.ports.at(step.commands))
        port = self.ports.free[SANDBOX]
        self._do(
            '[ -z "${WALK_SANDBOX-}" ] || { kill "$WALK_SANDBOX"; wait "$WALK_SANDBOX" || :; }\n'
            ": > .walk-sandbox\n"  # now, not when the background comes to it
            f"{command} --port {port} > .walk-sandbox 2>&1 &\n"
            "WALK_SANDBOX=$!\n",
            line=step.line,
        )
        self._wait(self._has_answered, "the sandbox is silent", line=step.line)
        if _STARTED not in self._sandbox_output():
            raise self._wrong("the sandbox does not start", line=step.line)

    def _run(self, step: Run) -> None:
        self.commands, self.seen = step, len(self.shell.printed)
        commands = _TO_COPY.sub(lambda found: self._copy_export(found, step.line), step.commands)
        self._do(self.ports.at(commands), line=step.line)
        if _ENDS_PROGRAM.search(commands):  # its port has to be free before the next one listens there
            self._do('wait "$!" || :', line=step.line)
        if _BACKGROUND.search(commands):
            self._wait_for_servers(step)

    def _do(self, commands: str, *, line: int) -> None:
        try:
            failures = self.shell.run(commands, line=line)
        except Stuck as stuck:
            raise self._wrong(str(stuck), line=line) from stuck
        if failures:
            raise self._wrong(_failure_message(failures[0]), line=failures[0].line)

    def _compare(self, step: Show) -> None:
        """Wait until what is shown has been printed; what comes before it in the output is passed over."""
        shown = self.ports.at(step.text)

        def has_come() -> bool:
            end = find(step.form, shown, self._output()[self.seen :])
            self.seen += end or 0
            return end is not None

        self._wait(has_come, f"this was not printed:\n{shown.rstrip()}", line=step.line)

    def _output(self) -> str:
        assert self.commands is not None
        return self._sandbox_output() if self.commands.starts_sandbox else self.shell.printed

    def _has_answered(self) -> bool:
        return _ANSWERED.search(self._sandbox_output()) is not None

    def _sandbox_output(self) -> str:
        """Return what the sandbox has said since it was started."""
        return self.sandbox.read_text(encoding="utf-8") if self.sandbox.exists() else ""

    def _copy_export(self, found: re.Match[str], line: int) -> str:
        """Return an export with the newest value of its form that was printed."""
        form = re.compile(rf"\b{found['prefix']}[\w+/=-]+")

        def values() -> list[str]:
            return form.findall(self._sandbox_output() + self.shell.printed)

        self._wait(lambda: bool(values()), f"nothing was printed like {found['prefix']}{ANY}", line=line)
        return f"{found['name']}={shlex.quote(values()[-1])}"

    def _wait_for_servers(self, step: Run) -> None:
        """Wait until the programs that a block leaves in the background listen at the ports they name."""
        named = [path for path in self.shell.folder.iterdir() if path.name in step.commands]
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in named if path.is_file()]
        ports = {
            port for text in (self.ports.at(step.commands), *texts) for port in self.ports.named_in(text)
        }
        for port in sorted(ports):
            self._wait(partial(listens, port), f"nothing listens at port {port}", line=step.line)

    def _wait(self, is_there: Callable[[], bool], otherwise: str, *, line: int) -> None:
        if not comes_true(is_there, patience_s=self.prints_within_s):
            raise self._wrong(otherwise, line=line)

    def _wrong(self, what: str, *, line: int) -> NotAsWritten:
        ran = self.commands
        parts = [
            f"{self.name}:{line}: {what}",
            f"the commands (line {ran.line}):\n{ran.commands.rstrip()}" if ran else "",
            f"printed:\n{self._output()[self.seen :].rstrip() or 'nothing'}" if ran else "",
            f"the sandbox:\n{self._sandbox_output().rstrip()}" if not (ran and ran.starts_sandbox) else "",
            f"standard error:\n{self.shell.complained.rstrip()}" if self.shell.complained else "",
        ]
        return NotAsWritten("\n--- ".join(part for part in parts if part))


def walk(
    name: str,
    text: str,
    folder: Path,
    *,
    patience_s: float = PATIENCE_S,
    prints_within_s: float = PATIENCE_S,
) -> None:
    """Take every step of a guide in a folder that looks like a clone; raises NotAsWritten or WrongGuide.

    `patience_s` is how long commands may take, and `prints_within_s` how long to wait for what they print.
    """
    steps = read_guide(text)
    _look_like_a_clone(folder)
    with session(folder, _environment(folder), patience_s=patience_s) as shell:
        walked = Walk(name=name, shell=shell, ports=Ports.of([_AS_IN_GET_STARTED, text]))
        if _expects_sandbox(steps):
            walked.start_sandbox(Run(line=1, commands=_AS_IN_GET_STARTED))
            walked.take(Run(line=1, commands=_COPY_SECRETS))
        walked.prints_within_s = prints_within_s
        for step in steps:
            walked.take(step)


def _look_like_a_clone(folder: Path) -> None:
    for name in _IN_A_CLONE:
        (folder / name).symlink_to(ROOT / name)
    (folder / ".venv").symlink_to(sys.prefix)


def _expects_sandbox(steps: tuple[Step, ...]) -> bool:
    """Say whether a guide calls a sandbox that it does not start."""
    if any(isinstance(step, Run) and step.starts_sandbox for step in steps):
        return False
    texts = (step.commands if isinstance(step, Run) else step.text for step in steps)
    return any(f":{SANDBOX}" in text for text in texts)


def _sandbox_command(command: str) -> str:
    """Return the command of one line that starts the sandbox alone: `make serve` starts the portal too."""
    plain = " ".join(command.replace("\\\n", " ").split())
    if not plain.startswith("make serve"):
        return plain
    address = re.search(r"\bWEBHOOK_URL=(\S+)", plain)
    return ".venv/bin/devportal sandbox" + (f" --webhook-url {address[1]}" if address else "")


def _failure_message(failure: Failure) -> str:
    return f"the command ended with status {failure.status}: {failure.command}"


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment without what could set the sandbox up in other ways than the guide's.

    All commands of a guide work on one database. As in a terminal curl shows no progress, and what it prints
    ends with a line.
    """
    (folder / ".curlrc").write_text('silent\nshow-error\nwrite-out = "\\n"\n', encoding="utf-8")
    ours = {key: value for key, value in os.environ.items() if not key.startswith("DEVPORTAL_")}
    database = {"DEVPORTAL_SANDBOX_DATABASE": str(folder / ".walk-database")}
    return {**ours, **database, "CURL_HOME": str(folder), "NO_PROXY": "127.0.0.1"}
