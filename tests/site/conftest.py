"""The project's own site, built once for all processes of the tests."""

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from .building import DAY, ROOT, built_project, environment


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSite:
    """This project's site, and what was told of it when it was built."""

    site_dir: Path
    complaints: tuple[str, ...]
    """What is wrong in the inputs, and what the site builder warned of."""
    twins: Mapping[str, str]
    """The Markdown of every generated page by its uri, as its generator made it."""

    @classmethod
    def build(cls, folder: Path) -> None:
        """Build the site as `devportal build` does, and keep beside it what is told."""
        with environment(SOURCE_DATE_EPOCH=DAY):
            built = built_project(ROOT / "mkdocs.yml", folder / "site")
        store = built.portal.store
        told = {
            "complaints": [*map(str, built.findings), *built.warnings],
            "twins": {head.uri: store.page(head).markdown for head in built.portal.heads},
        }
        (folder / "told.json").write_text(json.dumps(told), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "OwnSite":
        """Return the site that was built into a folder."""
        told = json.loads((folder / "told.json").read_text(encoding="utf-8"))
        return cls(site_dir=folder / "site", complaints=tuple(told["complaints"]), twins=told["twins"])


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> OwnSite:
    """Return this project's site, which the first process that asks for it builds."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "own"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "told.json").exists():
            OwnSite.build(folder)
    return OwnSite.read(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder."""
    made = tmp_path / "project"
    made.mkdir()
    return made
