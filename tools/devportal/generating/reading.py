"""Files that go into a tree as they are."""

from pathlib import Path

from devportal.errors import Place, UnreadableInput


def content_of(path: Path, *, name: str) -> bytes:
    """Return what is in a file. Raises UnreadableInput, which calls it `name`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableInput(
            f"this file cannot be read: {error.strerror or error}",
            place=Place(file=name),
            help="check the path and its permissions",
        ) from error
