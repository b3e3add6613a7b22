"""Bodies that are tables."""

from typing import Any

import pytest

from devportal.contract.wire_format.tables import table_text


@pytest.mark.parametrize(
    ("media_type", "value", "text"),
    [
        ("text/csv", [{"id": 1, "name": "a, b"}, {"name": 'c "d"'}], 'id,name\r\n1,"a, b"\r\n,"c ""d"""\r\n'),
        ("application/csv", [{"tags": ["x"]}], 'tags\r\n"[""x""]"\r\n'),
        ("text/csv; charset=utf-8", {"id": True, "name": None}, "id,name\r\ntrue,\r\n"),
        ("text/tab-separated-values", [["id", "name"], [1, "a"]], "id\tname\r\n1\ta\r\n"),
        ("text/csv", [{"id": 1}, 2], None),
        ("text/csv", "id\n1\n", None),
        ("text/csv", [], None),
        ("text/plain", [{"id": 1}], None),
    ],
)  # fmt: skip
def test_objects_are_rows(media_type: str, value: Any, text: str | None) -> None:
    """Their names are the first row; what has no rows is no table."""
    assert table_text(media_type, value) == text
