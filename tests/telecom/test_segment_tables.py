"""The calculator of the guides has the tables of Python, and no others."""

from pathlib import Path

import pytest

from telecom.segment_tables import tables_module

TABLES = Path(__file__).parents[2] / "docs" / "assets" / "segments" / "tables.js"


def test_calculator_has_these_tables(request: pytest.FixtureRequest) -> None:
    """The module among the pages is what is made of `telecom.segments`: a golden file in another place."""
    if request.config.getoption("--update-golden"):
        TABLES.write_text(tables_module(), encoding="utf-8")

    assert TABLES.read_text(encoding="utf-8") == tables_module(), "run `make golden` if that is meant"
