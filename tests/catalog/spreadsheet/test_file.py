"""A file that is no CSV file in UTF-8 is refused with what to click in the spreadsheet."""

import io
import zipfile
from pathlib import Path

import pytest

from devportal.catalog.spreadsheet import rate_versions_csv, read_csv_text
from devportal.errors import Place, UnreadableInput
from tests.catalog.build import rate
from tests.catalog.own_book import BOOK

TEXT = rate_versions_csv([rate(note="Zürich"), rate(note="Genève")], BOOK)


def workbook() -> bytes:
    """Return the bytes of a file that begins as an .xlsx does."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", "<worksheet/>" * 40)
    return content.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_utf_8_is_read(tmp_path: Path, encoding: str) -> None:
    """With or without a byte order mark."""
    path = tmp_path / "rates.csv"
    path.write_bytes(TEXT.encode(encoding))

    assert read_csv_text(path, name="rates.csv") == TEXT


@pytest.mark.parametrize(
    ("content", "message", "place"),
    [
        (
            TEXT.encode("latin-1"),
            "this file is not UTF-8 text: it has the byte 0xfc here",
            Place(file="a.csv", line=2, column=19),
        ),
        (TEXT.encode("utf-16"), "this file is UTF-16 text, not UTF-8", Place(file="a.csv")),
        (TEXT.encode("utf-16-le"), "this file is UTF-16 text, not UTF-8", Place(file="a.csv")),
        ("id,version".encode("utf-16-be"), "this file is UTF-16 text, not UTF-8", Place(file="a.csv")),
        (workbook(), "this is a workbook, not a CSV file", Place(file="a.csv")),
        (b"id,\0version", "this file is not text", Place(file="a.csv")),
        (b"PK\x03\x04\0\0", "this is a workbook, not a CSV file", Place(file="a.csv")),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is a workbook, not a CSV file", Place(file="a.csv")),
    ],
)
def test_another_file_is_refused_with_the_way_out(
    tmp_path: Path, content: bytes, message: str, place: Place
) -> None:
    """By what it is, and where it stops being text."""
    path = tmp_path / "a.csv"
    path.write_bytes(content)

    with pytest.raises(UnreadableInput) as refused:
        read_csv_text(path, name="a.csv")

    assert (refused.value.message, refused.value.place) == (message, place)
    assert "save it as 'CSV UTF-8 (comma delimited)'" in refused.value.help


def test_a_missing_file_is_no_matter_of_encoding(tmp_path: Path) -> None:
    """It is refused as any other file that is not there."""
    with pytest.raises(UnreadableInput, match="cannot be read"):
        read_csv_text(tmp_path / "none.csv", name="none.csv")
