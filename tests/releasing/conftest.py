"""A small project to release: a contract, a changelog, and the commands run on it in this process."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.documents import parse_document, to_yaml
from tests.changelog.history import contract
from tests.changelog.samples import BODY, MIGRATION, file_text

SETTINGS = """\
site_name: Parcels
site_url: https://developers.example.com/
theme: {name: material}
plugins:
  - devportal: {contract: openapi/openapi.yaml, changelog: changelog}
"""
DAY = "2026-06-01"


class Desk:
    """A project in a folder, and its commands."""

    def __init__(self, root: Path) -> None:
        """Put up a project without any release."""
        self.root = root
        self.releases = root / "openapi" / "releases"
        self.changelog = root / "changelog"
        for folder in ("docs", "openapi", "changelog"):
            (root / folder).mkdir()
        (root / "docs" / "index.md").write_text("# Parcels\n", encoding="utf-8")
        (root / "mkdocs.yml").write_text(SETTINGS, encoding="utf-8")
        self.write(contract())
        self.entry("2026-05-01-first", covers=[{"operation": "POST /parcels"}])

    def write(self, data: dict[str, Any]) -> None:
        """Write the working contract."""
        (self.root / "openapi" / "openapi.yaml").write_text(to_yaml(data), encoding="utf-8")

    def entry(self, id_: str, **fields: object) -> Path:
        """Write an entry, a right one unless told otherwise."""
        body = MIGRATION if fields.get("action_required") else BODY
        path = self.changelog / f"{id_}.md"
        path.write_text(file_text(body, **{"id": id_, "date": id_[:10]} | fields), encoding="utf-8")
        return path

    def manifest(self) -> Any:
        """Return what the manifest says."""
        path = self.releases / "releases.yaml"
        return parse_document(path.read_text(encoding="utf-8"), name=path.name).data

    def run(self, *arguments: str) -> Result:
        """Run a command of ours in the project."""
        return CliRunner().invoke(cli, [*arguments, "-f", str(self.root / "mkdocs.yml")])

    def snapshot(self) -> dict[str, bytes]:
        """Return every file of the project that a release may touch."""
        folders = (self.root / "openapi", self.changelog)
        files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A project on a day of June 2026, before its first release."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780315200")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "project"
    root.mkdir()
    return Desk(root)


@pytest.fixture
def released_desk(desk: Desk) -> Desk:
    """A project after its first release."""
    result = desk.run("release", "1.0.0", "--date", "2026-05-01")
    assert result.exit_code == 0, result.output
    return desk
