"""Both wheels, and environments with them: made once, as each takes seconds."""

from pathlib import Path

import pytest

from .environments import PACKAGES, build, fresh_environment


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the wheel of each package."""
    folder = tmp_path_factory.mktemp("wheels")
    return {name: build(source, "wheel", folder) for name, source in PACKAGES.items()}


@pytest.fixture(scope="session")
def toolkit_commands(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the commands of an environment with the toolkit alone."""
    return fresh_environment(tmp_path_factory.mktemp("alone"), wheels["devportal"])


@pytest.fixture(scope="session")
def all_commands(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the commands of an environment with both distributions."""
    return fresh_environment(tmp_path_factory.mktemp("both"), *wheels.values())
