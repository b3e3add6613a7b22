"""Where commands keep what may be thrown away at any time."""

import os
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Return the folder for one kind of such things."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "devportal" / name
