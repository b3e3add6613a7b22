"""What there is to say of an unexpected exception: whether it comes from our code, or from code of a project that
MkDocs ran.
"""

import errno
import os
import sysconfig
import traceback
from pathlib import Path

_DEBUG = "DEVPORTAL_DEBUG"
"""The environment variable that asks for tracebacks."""
_TOOLKIT_FOLDER = Path(__file__).parents[1]
_STDLIB_FOLDERS = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))
_PACKAGE_FOLDERS = {"site-packages", "dist-packages"}
_MACHINE_ERRORS = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.EROFS,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.EACCES,
        errno.EPERM,
        errno.ENAMETOOLONG,
    }
)
_LONGEST_NAME = 200
"""How many characters of the path of a file a message has."""
_SYMLINK_LOOP = "Symlink loop from "
"""How Path.resolve() begins its message, before the path in quotes."""


def is_traceback_wanted() -> bool:
    """Return whether whoever runs the command wants to see the traceback of an unexpected error."""
    return bool(os.environ.get(_DEBUG))


def unexpected_error_text(error: Exception) -> str:
    """Return what there is to say of an exception that nobody expected, with help. Its text may be secret."""
    kind = type(error).__name__
    theirs = frame_in_user_code(error)
    if theirs:
        return (
            f"{kind} in {theirs}, a file of the project{_template_reason(error)}\n"
            f"  help: fix that hook, plugin or template; {_DEBUG}=1 shows its traceback"
        )
    if problem := _machine_problem(error):
        return (
            f"a file, or standard output, cannot be read or written: {problem}\n"
            f"  help: fix that and run the command again; {_DEBUG}=1 shows where it ended"
        )
    *_, last = traceback.extract_tb(error.__traceback__)
    return (
        f"an error in devportal: {kind} in {Path(last.filename).name}:{last.lineno}\n"
        f"  help: set {_DEBUG}=1 for its traceback, and report it with the input that led here"
    )


def _template_reason(error: Exception) -> str:
    """Return what is wrong with a template, after a colon, such as a name that is not defined. Other errors may
    quote values, and have none.
    """
    if type(error).__module__ != "jinja2.exceptions":
        return ""
    lines = str(getattr(error, "message", "")).splitlines()
    return f": {lines[0][:_LONGEST_NAME]}" if lines else ""


def _machine_problem(error: Exception) -> str:
    """Return what the machine lacks if that is why it refused to read or write, such as space, or which link it cannot
    follow; else nothing.
    """
    match error:
        case OSError(errno=number) if number in _MACHINE_ERRORS:
            named = f"{str(error.filename)[:_LONGEST_NAME]!r}: " if error.filename else ""
            return f"{named}{error.strerror or error}"
        case RuntimeError() if str(error).startswith(_SYMLINK_LOOP):
            return f"the symbolic link {str(error).removeprefix(_SYMLINK_LOOP)} leads back to itself"
        case _:
            return ""


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
