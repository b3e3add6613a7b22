"""The clients of the guide keep their promises in each language: they repeat, wait, and give up."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.waiting import PATIENCE_S
from tests.walks.guide import Save, read_guide

from .repository import ROOT

GUIDE = ROOT / "docs/guides/client-libraries.md"
COMMANDS = {"send.py": ["python3"], "send.mjs": ["node"], "send.go": ["go", "run"], "send.php": ["php"]}
EACH = [pytest.param(name, marks=[pytest.mark.deep] if name == "send.go" else []) for name in COMMANDS]
"""Programs as a parameter of tests: the compiler of Go is large, and slow to start."""
PROGRAMS = {step.name: step.text for step in read_guide(GUIDE.read_text("utf-8")) if isinstance(step, Save)}

ACCEPTED = {"id": "msg_01", "status": "queued", "segments": 1}
PROBLEM = {"detail": "The body has 1 faults.", "correlation_id": "4bf92f3577b34da6a3ce929d0e0e4736"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a service answers to one request; without a status it hangs up."""

    status: int | None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Service:
    """A service that gives prepared answers, and remembers when and with which key it was asked."""

    answers: list[Answer]
    keys: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    port: int = 0


@contextmanager
def serving(answers: Sequence[Answer]) -> Iterator[Service]:
    service = Service(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            service.keys.append(self.headers["idempotency-key"])
            service.times.append(time.monotonic())
            answer = service.answers.pop(0)
            if answer.status is None:
                return
            content = json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {**answer.headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        service.port = server.server_port
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


def run(name: str, folder: Path, port: int) -> subprocess.CompletedProcess[str]:
    command = COMMANDS[name]
    if shutil.which(command[0]) is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{command[0]} is not installed")
    (folder / name).write_text(PROGRAMS[name].replace("8080", str(port)), encoding="utf-8")
    return subprocess.run(
        [*command, name],
        cwd=folder,
        env={**os.environ, "API_KEY": "sk_sandbox_test", "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_there_is_a_client_for_each_official_language() -> None:
    """Node, Python, Go and PHP (service.md, What the service does 9)."""
    assert PROGRAMS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", EACH)
def test_a_client_repeats_with_the_same_key_until_it_is_accepted(name: str, tmp_path: Path) -> None:
    """After a lost connection, and after what has a `Retry-After`, not before that is over."""
    answers = [
        Answer(status=None),
        Answer(status=503, headers={"Retry-After": "2"}, body=PROBLEM),
        Answer(status=409, headers={"Retry-After": "1"}, body=PROBLEM),
        Answer(status=202, body=ACCEPTED),
    ]

    with serving(answers) as service:
        done = run(name, tmp_path, service.port)

    assert (done.returncode, done.stdout) == (0, "msg_01 queued\n"), done.stderr
    assert len(service.keys) == 4
    assert len({*service.keys}) == 1
    assert service.keys[0]
    assert service.times[1] - service.times[0] >= 0.9
    assert service.times[2] - service.times[1] >= 1.9


@pytest.mark.parametrize("name", EACH)
def test_a_client_repeats_what_a_gateway_could_not_pass_on(name: str, tmp_path: Path) -> None:
    """Any 5xx is like a 500 (RFC 9110 §15), also without a problem document; a `Retry-After` that is a date
    (§10.2.3) leaves the pause as it would be."""
    date = {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}
    answers = [Answer(status=502), Answer(status=504, headers=date), Answer(status=202, body=ACCEPTED)]

    with serving(answers) as service:
        done = run(name, tmp_path, service.port)

    assert (done.returncode, done.stdout) == (0, "msg_01 queued\n"), done.stderr
    assert len(service.keys) == 3
    assert service.times[1] - service.times[0] >= 0.9
    assert service.times[2] - service.times[1] >= 1.9


@pytest.mark.parametrize("status", [409, 422])
@pytest.mark.parametrize("name", EACH)
def test_a_client_gives_up_at_once_where_repeating_cannot_help(
    name: str, status: int, tmp_path: Path
) -> None:
    """It says why, with the identifier for support, and ends with an error."""
    with serving([Answer(status=status, body=PROBLEM)]) as service:
        done = run(name, tmp_path, service.port)

    assert done.returncode != 0
    assert "The body has 1 faults." in done.stderr
    assert "4bf92f3577b34da6a3ce929d0e0e4736" in done.stderr
    assert len(service.keys) == 1
