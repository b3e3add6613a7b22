"""Where commands keep what may be thrown away at any time."""

import os
from pathlib import Path

from devportal.errors import EnvironmentProblem


def cache_folder(name: str) -> Path:
    """Return the folder for one kind of such things. Raises EnvironmentProblem for a user without a home."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError as error:
        raise EnvironmentProblem(
            "this user has no home folder to keep a cache in",
            help="set XDG_CACHE_HOME to a folder that is yours",
        ) from error
    return Path(home) / "devportal" / name
