"""The wheel is whole: installed elsewhere, it builds a site from an empty folder."""

import os
import re
import site
import subprocess
import sys
import tomllib
import venv
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from .repository import ROOT, fenced_blocks

CONTRACT = """\
openapi: 3.1.0
info: {title: Parcel Tracking, version: '2'}
paths:
  /parcels/{id}:
    get:
      operationId: getParcel
      summary: Find a parcel
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        '200':
          description: The parcel.
          content:
            application/json:
              schema: {type: object, properties: {id: {type: string}}}
"""
OPERATION = '<h1 id="getParcel">Find a parcel</h1>'


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that sees nothing of this repository."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def devportal(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the command of a fresh environment: the wheel, and the locked packages without this project."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    packages = next(folder.glob("lib/python3*/site-packages"))
    here = site.getsitepackages()[0]
    installed = run(
        sys.executable, "-m", "pip", "--python", folder / "bin" / "python",
        "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    (packages / "locked.pth").write_text(f"{here}\n", encoding="utf-8")  # .pth files there are not followed
    return folder / "bin" / "devportal"


def test_the_wheel_is_what_runs(devportal: Path, tmp_path: Path) -> None:
    """The fresh environment imports the packages from the wheel, not from this repository."""
    python = devportal.with_name("python")

    result = run(
        python, "-c", "import devportal, telecom; print(devportal.__file__, telecom.__file__)", cwd=tmp_path
    )

    assert result.returncode == 0, result.stderr
    assert result.stdout.count(str(devportal.parents[1])) == 2, result.stdout


def test_a_site_is_built_from_an_empty_folder(devportal: Path, tmp_path: Path) -> None:
    """The installed command makes a site around somebody else's contract, with styles, scripts and search."""
    contract = tmp_path / "parcels.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()

    result = run(devportal, "build", "--contract", contract, "--site-dir", tmp_path / "site", cwd=empty)

    assert result.returncode == 0, result.stderr
    assert list(empty.iterdir()) == []
    built = tmp_path / "site"
    assert "Parcel Tracking" in (built / "index.html").read_text(encoding="utf-8")
    assert len([path for path in built.rglob("*.html") if OPERATION in path.read_text(encoding="utf-8")]) == 1
    assert "Find a parcel" in (built / "search" / "search_index.json").read_text(encoding="utf-8")
    assert (built / "assets" / "devportal" / "tokens.css").is_file()


def test_the_project_of_the_documents_builds(devportal: Path, tmp_path: Path) -> None:
    """The `mkdocs.yml` that "Your own contract" shows makes a portal with a hand-written page, strictly."""
    settings, *_ = fenced_blocks("docs/toolkit/your-contract.md", "yaml")
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (tmp_path / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Welcome\n\nSee the [reference](reference/index.md).\n")

    result = run(devportal, "build", cwd=tmp_path)

    assert result.returncode == 0, result.stderr
    assert "Welcome" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "Parcel Tracking" in (tmp_path / "site" / "reference" / "index.html").read_text(encoding="utf-8")


def test_a_new_portal_is_made_and_written_as_plain_files(devportal: Path, tmp_path: Path) -> None:
    """`init` and `generate` have their templates with them."""
    (tmp_path / "parcels.yaml").write_text(CONTRACT, encoding="utf-8")

    made = run(devportal, "init", "portal", "--contract", "parcels.yaml", cwd=tmp_path)
    built = run(devportal, "build", cwd=tmp_path / "portal")
    written = run(devportal, "generate", "--output", "plain", cwd=tmp_path / "portal")

    assert (made.returncode, built.returncode, written.returncode) == (0, 0, 0), built.stderr + written.stderr
    assert "Parcel Tracking" in (tmp_path / "portal/site/index.html").read_text(encoding="utf-8")
    assert (tmp_path / "portal/plain/devportal_pages.py").is_file()


def test_every_data_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    """Templates, schemas, styles and scripts travel with the code."""
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    tools = ROOT / "tools"
    present = {
        path.relative_to(tools).as_posix()
        for path in tools.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert present - packed == set()


@pytest.fixture(scope="module")
def wheel_metadata(wheel: Path) -> Message:
    """Return what a package page shows: the METADATA file, its body is the README."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name))


def test_the_package_page_shows_the_readme_of_the_toolkit(wheel_metadata: Message) -> None:
    """As Markdown, and without relative links, which lead nowhere on a package page."""
    readme = (ROOT / "tools/devportal/README.md").read_text(encoding="utf-8")
    shown = wheel_metadata.get_payload(decode=True)

    assert isinstance(shown, bytes)
    assert shown.decode("utf-8").strip() == readme.strip()
    assert wheel_metadata["Description-Content-Type"] == "text/markdown"
    assert re.findall(r"\]\((?!https://)", readme) == []


def test_classifiers_are_complete(wheel_metadata: Message) -> None:
    """The build rejects a classifier that does not exist; these are the ones that searches filter by."""
    classifiers = wheel_metadata.get_all("Classifier", [])
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]

    assert sorted(classifiers) == declared
    assert {one.partition(" :: ")[0] for one in classifiers} == {
        *("Development Status", "Environment", "Framework", "Intended Audience", "Natural Language"),
        *("Operating System", "Programming Language", "Topic", "Typing"),
    }
    assert wheel_metadata["License-Expression"] == "Apache-2.0"


def test_urls_lead_to_pages_of_the_portal(wheel_metadata: Message) -> None:
    """Below the `site_url` of mkdocs.yml: whoever publishes the portal elsewhere changes both."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    site_url = re.findall(r"^site_url: (.+)$", settings, re.MULTILINE)[0]
    urls = dict(one.split(", ") for one in wheel_metadata.get_all("Project-URL", []))
    paths = {label: url.removeprefix(site_url).strip("/") for label, url in urls.items()}

    assert {"Documentation", "Get started", "Support"} == urls.keys()
    assert [url for url in urls.values() if not url.startswith(site_url)] == []
    assert {label for label, path in paths.items() if not _is_page(path)} == set()


def _is_page(path: str) -> bool:
    docs = ROOT / "docs"
    return (docs / f"{path}.md").is_file() or (docs / path / "index.md").is_file()


def test_the_license_is_in_the_wheel(wheel: Path) -> None:
    """Whoever has the wheel has the terms."""
    with zipfile.ZipFile(wheel) as archive:
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())
