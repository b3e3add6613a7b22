"""The example project: its portal is built, its contract is mocked, and the mock is tested as deployments are."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

EXAMPLE = Path(__file__).parent / "example"
TOKEN = "a-token-of-the-example"
pytestmark = [pytest.mark.deep, pytest.mark.conformance]


def devportal(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "devportal", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE_S,
        check=False,
    )


@pytest.fixture(name="project")
def _project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "example"))


@contextmanager
def serve_mock(project: Path) -> Iterator[str]:
    """Serve the mock of the project on a free port, and yield its address."""
    command = [sys.executable, "-m", "devportal", "mock", "--contract", "openapi.yaml", "--token", TOKEN]
    process = subprocess.Popen(command, cwd=project, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        first = process.stderr.readline()
        address = re.search(r"http://\S+", first)
        assert address is not None, first + process.stderr.read()
        yield address[0]
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


def test_the_portal_is_built(project: Path) -> None:
    """Without a problem, and with a page of each operation."""
    built = devportal("build", folder=project)

    assert built.returncode == 0, built.stdout + built.stderr
    pages = {path.parent.name for path in (project / "site" / "reference").rglob("index.html")}
    assert {"list-reservations", "confirm-reservation", "create-subscription"} <= pages


def test_the_mock_conforms(project: Path) -> None:
    """With its states, pages, filters, keys and events: they are tested, and nothing fails."""
    with serve_mock(project) as url:
        run = devportal(
            *("conformance", url, "--token", TOKEN, "--json", "run.json"),
            folder=project,
        )

    assert run.returncode == 0, run.stdout + run.stderr
    report = json.loads((project / "run.json").read_text(encoding="utf-8"))
    assert report["failures"] == []
    untested = {gap["check"] for gap in report["gaps"] if not gap["operation"]}
    assert not untested & {
        "created-things",
        "changed-things",
        "actions",
        "filters",
        "pagination",
        "idempotency",
    }
