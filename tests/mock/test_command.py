"""The command starts a mock, says how to call it, and ends at a signal."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from devportal.cli import cli
from tests.mock.contracts import FOLDER


def run(*arguments: str) -> tuple[int, str]:
    """Run the command to its end; return its exit code and what it says."""
    result = CliRunner().invoke(cli, ["mock", *arguments])
    return result.exit_code, result.output


def test_it_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    """The first line is its address, which `serve --with` reads; Ctrl-C ends it without a traceback."""
    arguments = ["--contract", str(FOLDER / "orders.yaml"), "--database", str(tmp_path / "state.db")]
    with subprocess.Popen(
        [sys.executable, "-m", "devportal", "mock", *arguments], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        lines = [first]
        while "Ctrl-C" not in lines[-1]:
            lines.append(process.stderr.readline())
        url, token = first.removeprefix("Sandbox: ").strip(), re.search(r"Bearer (\S+)", "".join(lines))
        assert token is not None
        orders = httpx.get(f"{url}/orders", headers={"Authorization": f"Bearer {token[1]}"})
        clock = httpx.post(f"{url.removesuffix('/v1')}/_mock/clock", json={"now": "2030-01-01T00:00:00Z"})
        large = httpx.post(f"{url}/orders", content=b"x" * 10_000_001)
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()

    assert url.startswith("http://127.0.0.1:")
    assert orders.status_code == 200
    assert clock.json()["now"].startswith("2030-01-01T00:00:00")
    assert large.status_code == 413
    assert process.returncode in (0, 130)
    assert "Traceback" not in rest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("openapi: 3.0.3\npaths: [", "openapi.yaml:3:1"),
        ("swagger: '2.0'\ninfo: {title: T, version: '1'}\npaths: {}\n", "openapi.yaml"),
        (
            "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n",
            "the contract has no operations to serve",
        ),
    ],
)
def test_a_file_that_cannot_be_served_is_named(tmp_path: Path, text: str, message: str) -> None:
    """With its place, and exit code 2."""
    contract = tmp_path / "openapi.yaml"
    contract.write_text(text, encoding="utf-8")
    code, output = run("--contract", str(contract))

    assert code == 2
    assert message in output


def test_the_contract_of_the_project_needs_no_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for conformance runs; without a project, the error says what to name."""
    monkeypatch.chdir(tmp_path)

    _, without = run()
    (tmp_path / "mkdocs.yml").write_text("plugins: [{devportal: {contract: api.yaml}}]\n", encoding="utf-8")
    (tmp_path / "api.yaml").write_text(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n", encoding="utf-8"
    )
    _, within = run()

    assert "name the OpenAPI file with --contract" in without
    assert "the contract has no operations to serve" in within


def test_a_port_in_use_is_named() -> None:
    """With what to do."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, output = run("--contract", str(FOLDER / "orders.yaml"), "--port", str(taken.getsockname()[1]))

    assert code == 2
    assert "cannot listen on 127.0.0.1:" in output


def test_a_clock_that_there_is_not_is_named() -> None:
    """With those that there are."""
    code, output = run("--contract", str(FOLDER / "orders.yaml"), "--clock", "fast")

    assert code == 2
    assert "--clock: 'fast' is not a speed" in output


@pytest.mark.parametrize("url", ["localhost:8000/hooks", "ftp://127.0.0.1/hooks", "http://"])
def test_a_receiver_that_is_not_a_url_is_named(url: str) -> None:
    """Webhooks that would go nowhere are noticed before the first event."""
    code, output = run("--contract", str(FOLDER / "orders.yaml"), "--webhook-url", url)

    assert code == 2
    assert f"--webhook-url: '{url}' is not a URL that webhooks can be sent to" in output
