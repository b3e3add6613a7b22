"""The wheel of the toolkit: installed elsewhere, it builds a site from an empty folder."""

import re
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from .environments import run
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


@pytest.fixture
def wheel(wheels: dict[str, Path]) -> Path:
    return wheels["devportal"]


@pytest.fixture
def devportal(toolkit_commands: Path) -> Path:
    """Return the command of an environment with the toolkit alone."""
    return toolkit_commands / "devportal"


def test_the_wheel_is_what_runs(devportal: Path, tmp_path: Path) -> None:
    """The fresh environment imports the package from the wheel, not from this repository."""
    python = devportal.with_name("python")

    result = run(python, "-c", "import devportal; print(devportal.__file__)", cwd=tmp_path)

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(str(devportal.parents[1])), result.stdout


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
    assert len(list((built / "assets" / "devportal" / "immutable").glob("portal.*.css"))) == 1


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


@pytest.fixture
def wheel_metadata(wheel: Path) -> Message:
    """Return what a package page shows: the METADATA file, its body is the README."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (text for text in archive.namelist() if text.endswith(".dist-info/METADATA"))
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
    assert {classifier.partition(" :: ")[0] for classifier in classifiers} == {
        *("Development Status", "Environment", "Framework", "Intended Audience", "Natural Language"),
        *("Operating System", "Programming Language", "Topic", "Typing"),
    }
    assert wheel_metadata["License-Expression"] == "Apache-2.0"


def test_urls_lead_to_pages_of_the_portal(wheel_metadata: Message) -> None:
    """Below the `site_url` of mkdocs.yml: whoever publishes the portal elsewhere changes both."""
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    site_url = re.findall(r"^site_url: (.+)$", settings, re.MULTILINE)[0]
    urls = dict(text.split(", ") for text in wheel_metadata.get_all("Project-URL", []))
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
