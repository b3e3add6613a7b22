"""Paths with placeholders, and with a slash at their end."""

import pytest

from devportal.contract.path_templates import is_below, last_segment, parent_path


@pytest.mark.parametrize("path", ["/pets/{petId}", "/pets/{petId}/"])
def test_a_slash_at_the_end_is_no_segment(path: str) -> None:
    """Some frameworks end every path with one."""
    assert last_segment(path) == "{petId}"
    assert parent_path(path) == "/pets"
    assert is_below(path, "/pets/")
    assert not is_below(path, path)
    assert not is_below("/petshops/", "/pets/")
