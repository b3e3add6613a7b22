"""What tests of sites start with: this project's own site, or an empty folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.own_site import OwnSite, read_own_site

from .building import DAY, environment


@pytest.fixture(scope="session")
def own_site() -> OwnSite:
    """Return this project's site."""
    return read_own_site()


@pytest.fixture(scope="module")
def day_of_tests() -> Iterator[None]:
    """Build as on the day of the tests."""
    with environment(SOURCE_DATE_EPOCH=DAY):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder."""
    made = tmp_path / "project"
    made.mkdir()
    return made
