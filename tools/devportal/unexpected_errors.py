"""Whether an unexpected exception comes from our code, or from code of a project that MkDocs ran."""

import sysconfig
import traceback
from pathlib import Path

_TOOLKIT_FOLDER = Path(__file__).parents[1]
_STDLIB_FOLDERS = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))
_PACKAGE_FOLDERS = {"site-packages", "dist-packages"}


def frame_in_user_code(error: BaseException) -> str:
    """Return file and line of the hook, plugin or template of a project that raised, nothing if none did.

    Such code is run by MkDocs, and is neither the toolkit's, nor Python's, nor that of a package. If it
    calls the toolkit, the error is the toolkit's.
    """
    place, is_run = "", False
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if str(frame.f_globals.get("__name__")).partition(".")[0] == "mkdocs":
            is_run = True
        elif Path(file).is_relative_to(_TOOLKIT_FOLDER):
            place = ""
        elif is_run and _is_user_code(file):
            place = f"{_display_path(Path(file))}:{line}"
    return place


def _is_user_code(file: str) -> bool:
    path = Path(file)
    is_known = any(
        path.is_relative_to(folder) for folder in _STDLIB_FOLDERS
    ) or not _PACKAGE_FOLDERS.isdisjoint(path.parts)
    return not is_known and path.is_absolute()


def _display_path(path: Path) -> str:
    """Return a path from the working folder, if it lies inside."""
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else str(path)
