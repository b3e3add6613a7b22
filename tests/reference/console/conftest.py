"""The modules of the console, put once where Node takes them for modules."""

from pathlib import Path

import pytest

from .node import modules


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the modules; tests only read it."""
    return modules(tmp_path_factory.mktemp("console") / "modules")
