"""Writes texts of a site where they are not there yet: a file keeps its time if it is the same."""

from pathlib import Path


def write_changed_text(file: Path, text: str) -> None:
    """Write a text in UTF-8, folders included, unless the file holds it."""
    content = text.encode()
    try:
        if file.read_bytes() == content:
            return
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
