"""Where a path leads, and whether a file is where its path says: a regular file, reached through no link.

A link in a folder that others write to leads wherever they like. What it leads to is neither read, since
messages quote what they cannot parse, nor written.
"""

import os
import stat
from pathlib import Path, PurePosixPath


def real_path(path: Path) -> Path:
    """Return an absolute path without `..` and links. A link that leads back to itself stays as it is: reading it
    is an `OSError`, whereas `Path.resolve` raises RuntimeError up to Python 3.12.
    """
    return Path(os.path.realpath(path))


def why_irregular(folder: Path, path: str) -> str:
    """Return why a path below a folder is not a regular file, as half a sentence that begins with "it".

    The text is empty for a regular file, and if nothing exists there yet. The folder itself may be a link.
    """
    current = folder
    *parents, name = PurePosixPath(path).parts
    for parent in parents:
        current /= parent
        mode = _mode(current)
        if mode is None:
            return ""
        if not stat.S_ISDIR(mode):
            kind = "a link" if stat.S_ISLNK(mode) else "not a folder"
            return f"it is below {current.relative_to(folder).as_posix()!r}, which is {kind}"
    mode = _mode(current / name)
    if mode is None or stat.S_ISREG(mode):
        return ""
    return "it is a link" if stat.S_ISLNK(mode) else "it is not a regular file"


def _mode(path: Path) -> int | None:
    """Return the mode of a path without following links, None if nothing exists there."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None
