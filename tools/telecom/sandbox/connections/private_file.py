"""Files that their owner alone may read: databases, private keys, and what lies beside them."""

import os
from contextlib import suppress
from pathlib import Path

PRIVATE_MODE = 0o600


def open_private(path: Path, flags: int) -> int:
    """Open a file and return its descriptor; a file that is made has the mode 0600 whatever the umask.

    With `os.O_EXCL` among the flags a file that exists is refused (FileExistsError).
    """
    try:
        made = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_MODE)
    except FileExistsError:
        if flags & os.O_EXCL:
            raise
        return os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, PRIVATE_MODE)
    os.fchmod(made, PRIVATE_MODE)
    return made


def write_private(path: Path, content: bytes) -> None:
    """Write a new file; raises FileExistsError if there is one."""
    with os.fdopen(open_private(path, os.O_WRONLY | os.O_EXCL), "wb") as file:
        file.write(content)


def make_private(path: Path) -> None:
    """Make an empty file if there is none; otherwise take away what group and others may do with it.

    A link stands for the file that it leads to. What belongs to somebody else, or is on a file system that is
    read-only, stays as it is.
    """
    file = path.resolve()
    try:
        os.close(open_private(file, os.O_WRONLY | os.O_EXCL))
    except FileExistsError:
        restrict_permissions(file)


def restrict_permissions(path: Path) -> None:
    """Take away what group and others may do with a file, if it is there and ours."""
    with suppress(OSError):
        mode = path.stat().st_mode & 0o777
        if mode & 0o077:
            path.chmod(mode & 0o700)
