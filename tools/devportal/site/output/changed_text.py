"""Writes texts of a site where they are not there yet: a file keeps its time if it is the same."""

from contextlib import suppress
from pathlib import Path


def write_changed_text(file: Path, text: str) -> None:
    """Write a text in UTF-8, folders included, unless the file holds it."""
    content = text.encode()
    with suppress(FileNotFoundError):
        if file.read_bytes() == content:
            return
    try:
        file.write_bytes(content)
    except FileNotFoundError:
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
