"""What to do about a file that does not exist: the one that was likely meant."""

import os
import re
from itertools import islice
from pathlib import Path

from devportal.suggestions import closest_name

_CLOSE = 0.85
"""How alike the names of two files are for one to be meant by the other, without their endings, as `difflib` has it."""
_ANY_LIKENESS = 0.01
"""For names that differ in their endings."""
_DIGITS = re.compile(r"\d+")
_MOST_NAMES = 1000
"""How many files of a folder are looked at."""


def missing_file_help(path: Path, *, otherwise: str) -> str:
    """Return which file is likely meant by a path that leads to none, or else the help that is given."""
    with_slashes = str(path).replace("\\", "/")
    if with_slashes != str(path) and _is_file(Path(with_slashes)):
        return "write / between the names of folders, not \\"
    by_stem: dict[str, list[str]] = {}
    for name in _names_in(path.parent):
        by_stem.setdefault(Path(name).stem.casefold(), []).append(name)
    stem = path.stem.casefold()
    alike = [other for other in by_stem if _DIGITS.findall(other) == _DIGITS.findall(stem)]
    close = closest_name(stem, alike, likeness=_CLOSE)
    meant = closest_name(path.name, by_stem[close], likeness=_ANY_LIKENESS) if close else ""
    return f"did you mean {meant!r}, in the same folder?" if meant else otherwise


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _names_in(folder: Path) -> list[str]:
    """Return the names of files in a folder, sorted; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                entry.name
                for entry in islice(entries, _MOST_NAMES)
                if not entry.is_dir(follow_symlinks=False)
            )
    except (OSError, ValueError):
        return []
