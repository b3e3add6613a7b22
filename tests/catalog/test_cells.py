"""Cells of CSV files."""

import pytest
from hypothesis import given

from devportal.catalog.cells import guard_formula, unguard_formula

from .strategies import texts


@given(texts(80))
def test_a_guard_that_is_taken_off_leaves_the_text(text: str) -> None:
    """Whatever the text, one that looks guarded already included."""
    assert unguard_formula(guard_formula(text)) == text


@given(texts(80))
def test_no_cell_starts_as_a_formula(text: str) -> None:
    """Not even behind blanks, which some spreadsheets skip."""
    assert not guard_formula(text).lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))


@pytest.mark.parametrize("text", ["", "NO", "010", "0.10", "'", "O'Hara", "'tis", "1=1", "a\n=b"])
def test_harmless_text_stays_as_it_is(text: str) -> None:
    """A guard where none is needed would only be in the way."""
    assert guard_formula(text) == unguard_formula(text) == text
