"""The project's own site, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devportal.site.build import Built

from .building import DAY, ROOT, built_project, environment


@pytest.fixture(scope="session")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """Build this project's site as `devportal build` does."""
    with environment(SOURCE_DATE_EPOCH=DAY):
        yield built_project(ROOT / "mkdocs.yml", tmp_path_factory.mktemp("own") / "site")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder."""
    made = tmp_path / "project"
    made.mkdir()
    return made
