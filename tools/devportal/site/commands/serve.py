"""The portal with live reload, and other commands of ours that run beside it, such as a sandbox."""

import logging
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from devportal.contract.published.bundle import bundle
from devportal.documents import read_text
from devportal.documents.writing import to_yaml
from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.interruptions import INTERRUPTIONS
from devportal.listening import refused_address
from devportal.project.audiences import AUDIENCE_VARIABLE
from devportal.project.inputs import Inputs, load_project_contract
from devportal.site.commands.build import contract_project
from devportal.site.commands.live_server import serve_site
from devportal.site.project_file import load_project
from devportal.site.served_sandbox import MOCK, SANDBOX_URL, SERVED_API

_TERMINATE_TIMEOUT_S = 10
_POLL_INTERVAL_S = 0.1
_INTERRUPTED_EXIT_CODES = frozenset(
    {0, *(code for number in INTERRUPTIONS for code in (128 + number, -number))}
)
"""How commands end that were asked to: Ctrl-C reaches them too, and sometimes before us."""


_ADDRESS = re.compile(rb"^Sandbox: +(https?://\S+)")
"""The line with which a command beside says that it is a sandbox of the API, and where it listens."""
_FIRST_LINE_TIMEOUT_S = 60
"""Long enough for a start on a machine that has much else to do; a silent command delays the portal so long."""

_ANSWER_TIMEOUT_S = 10


class SideCommands:
    """Runs commands beside a portal. What they say is held back until the portal answers: a token that is
    shown before the portal is built would be pushed out of sight.

    `ended` names those that have ended although nobody stopped them, `sandbox` is the address of the first that
    says it is a sandbox.
    """

    def __init__(self, host: str, port: int) -> None:
        """Take the address of the portal."""
        self._address = (host, port)
        self._is_over = threading.Event()
        self.ended: list[str] = []
        self.sandbox = ""

    @contextmanager
    def running(self, command: str) -> Iterator[None]:
        """Run a command in a process that ends with us; if it ends first, so do we."""
        program = [sys.executable, "-m", "devportal", *_split_command(command)]
        process = subprocess.Popen(program, stderr=subprocess.PIPE)  # noqa: S603 - our own
        voice = _HeldOutput(process.stderr)

        def watch() -> None:
            code = process.wait()
            voice.finish()
            if not self._is_over.is_set():
                if code not in _INTERRUPTED_EXIT_CODES:
                    self.ended.append(command)
                os.kill(os.getpid(), signal.SIGTERM)

        def introduce() -> None:
            self._wait_for_portal()
            voice.release()

        for task in (watch, introduce):
            threading.Thread(target=task, daemon=True).start()
        try:
            self.sandbox = self.sandbox or voice.wait_for_address()
            yield
        finally:
            self._is_over.set()
            _terminate(process)
            voice.finish()

    def _wait_for_portal(self) -> None:
        """Wait until the portal answers a request, or all is over. It listens before it says its own address."""
        while not self._is_over.wait(_POLL_INTERVAL_S):
            with (
                suppress(OSError),
                socket.create_connection(self._address, timeout=_ANSWER_TIMEOUT_S) as portal,
            ):
                portal.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
                if portal.recv(1):
                    return


class _HeldOutput:
    """What a process says on standard error, kept until it is released, and passed on from then on."""

    def __init__(self, stream: IO[bytes] | None) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._kept: list[bytes] | None = []
        self._has_begun = threading.Event()
        self._first_line = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def release(self) -> None:
        """Pass on what was kept, and all that follows."""
        with self._lock:
            kept, self._kept = self._kept, None
            _write_stderr(*(kept or ()))

    def wait_for_address(self) -> str:
        """Wait for the first line, and return the address in it, empty if it has none or there is no line."""
        self._has_begun.wait(_FIRST_LINE_TIMEOUT_S)
        address = _ADDRESS.match(self._first_line)
        return address.group(1).decode() if address is not None else ""

    def finish(self) -> None:
        """Pass on the last words of a process that has ended."""
        self._reader.join(_TERMINATE_TIMEOUT_S)
        self.release()

    def _read(self) -> None:
        for line in self._stream or ():
            self._first_line = self._first_line or line
            self._has_begun.set()
            with self._lock:
                if self._kept is None:
                    _write_stderr(line)
                else:
                    self._kept.append(line)
        self._has_begun.set()


def _write_stderr(*lines: bytes) -> None:
    sys.stderr.buffer.writelines(lines)
    sys.stderr.buffer.flush()


def _terminate(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=_TERMINATE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _split_command(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidSettings(
            f"--with: {command!r} is not a command: {error}",
            help="end each quotation with the mark that begins it",
        ) from error


def mock_command(contract: Path, *, allow_outside_references: bool) -> str:
    """Return the command that starts a mock of a contract, on a free port."""
    option = " --allow-outside-references" if allow_outside_references else ""
    return f"mock --contract {shlex.quote(str(contract))}{option}"


@contextmanager
def _project_mock(inputs: Inputs) -> Iterator[str]:
    """Yield the command of a mock of a project's contract, as its overlays and the audience leave it.

    Raises InvalidSettings if it has none, and what reading it raises.
    """
    if inputs.contract is None:
        raise InvalidSettings(
            "--mock goes with a contract, and this project has none",
            help="write 'contract: …' under the plugin devportal in mkdocs.yml, or leave out --mock",
        )
    if not inputs.overlays and inputs.audience_view is None:
        yield mock_command(inputs.contract, allow_outside_references=inputs.allow_outside_references)
        return
    with TemporaryDirectory(prefix="devportal-") as folder:
        path = Path(folder, f"{inputs.contract.stem}.yaml")
        path.write_text(to_yaml(bundle(load_project_contract(inputs))), encoding="utf-8")
        yield mock_command(path, allow_outside_references=False)


def serve(
    config_file: Path,
    *,
    host: str,
    port: int,
    beside: Sequence[str] = (),
    has_mock: bool = False,
    api: str | None = None,
    audience: str | None = None,
) -> None:
    """Serve the portal of a project until it is interrupted; `beside` are the commands. With `has_mock`, a mock of
    the project's contract, or of that of an API of several, is the first of them.

    The portal is that of an audience, by default the first.

    Raises EnvironmentProblem if the port is taken or a command beside does not start, and InvalidSettings for
    a `mkdocs.yml` that cannot be used, or a mock of a project without a contract.
    """
    check_port_is_free(host, port)
    _, inputs = load_project(config_file, audience=audience)
    if has_mock:
        inputs = inputs.api(api)
        os.environ[MOCK] = "1"
        os.environ[SERVED_API] = api or ""
    if audience is not None:
        os.environ[AUDIENCE_VARIABLE] = audience
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    _show_messages()
    others = SideCommands(host, port)
    with ExitStack() as running:
        running.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _interrupt))
        try:
            mock = (running.enter_context(_project_mock(inputs)),) if has_mock else ()
            for command in (*mock, *beside):
                running.enter_context(others.running(command))
            if others.sandbox:
                os.environ.setdefault(SANDBOX_URL, others.sandbox)
            serve_site(config_file, host=host, port=port)
        except OSError as error:
            if error.filename:
                raise
            raise EnvironmentProblem(
                f"{host}:{port} cannot be used any more: {error.strerror or error}",
                help="give the portal and each other command a separate port",
            ) from error
        except KeyboardInterrupt:
            if not others.ended:
                raise
    if others.ended:
        raise EnvironmentProblem(
            f"`devportal {others.ended[0]}`, which was to run alongside, has ended",
            help="see its message above. If its port is in use, choose another",
        )


def serve_contract(
    contract: Path,
    *,
    host: str,
    port: int,
    beside: Sequence[str] = (),
    has_mock: bool = False,
    allow_outside_references: bool = False,
    overlays: Sequence[Path] = (),
    language: str = "",
) -> None:
    """Serve the reference of a contract until it is interrupted, by a project that lives as long.

    Raises what `serve` raises, and UnreadableInput if there is no such file.
    """
    if not contract.is_file():
        read_text(contract, name=str(contract))
    project = contract_project(
        contract,
        allow_outside_references=allow_outside_references,
        overlays=overlays,
        language=language,
    )
    with project as config_file:
        serve(config_file, host=host, port=port, beside=beside, has_mock=has_mock)


def check_port_is_free(host: str, port: int) -> None:
    """Raise EnvironmentProblem where something listens at the address already."""
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise refused_address(host, port, error) from error


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _show_messages() -> None:
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)-7s %(message)s"))
    logger.addHandler(handler)
