"""The text of a CSV file on the disk; other encodings and workbooks are refused with the way out."""

from pathlib import Path

from devportal.documents import read_text
from devportal.errors import Place, UnreadableInput

_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""What `.xlsx` and `.ods`, and the older `.xls`, begin with."""

_WAY_OUT = "in the spreadsheet, save it as 'CSV UTF-8 (comma delimited)', and read that file"


def read_csv_text(path: Path, *, name: str) -> str:
    """Return the text of a CSV file in UTF-8 that messages call `name`.

    Raises UnreadableInput, which says how a spreadsheet saves such a file where it saved another one.
    """
    try:
        text = read_text(path, name=name)
    except UnreadableInput as error:
        if not isinstance(error.__cause__, UnicodeDecodeError):
            raise
        raise _refused(error.__cause__.object, error.__cause__.start, name) from error
    if "\0" in text:
        raise _refused(text.encode("utf-8"), text.index("\0"), name)
    return text


def _refused(content: bytes, start: int, name: str) -> UnreadableInput:
    """Return what is wrong with bytes that stop being UTF-8 text at an offset."""
    if content.startswith(_WORKBOOKS):
        return UnreadableInput("this is a workbook, not a CSV file", place=Place(file=name), help=_WAY_OUT)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content:
        return UnreadableInput("this file is UTF-16, not UTF-8", place=Place(file=name), help=_WAY_OUT)
    before = content[:start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    line = before.count(b"\n") + 1
    column = len(before.rpartition(b"\n")[2].removeprefix(b"\xef\xbb\xbf").decode("utf-8")) + 1
    return UnreadableInput(
        f"this file is not UTF-8: byte {content[start]:#04x}",
        place=Place(file=name, line=line, column=column),
        help=_WAY_OUT,
    )
