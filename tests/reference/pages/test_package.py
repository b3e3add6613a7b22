"""The names of the package, which are imported when somebody asks for them."""

import pytest

import devportal.reference
from devportal.reference.pages import pages


@pytest.mark.parametrize("name", devportal.reference.__all__)
def test_each_name_leads_to_where_it_is_written(name: str) -> None:
    """As if the package imported it itself."""
    assert getattr(devportal.reference, name) is getattr(pages, name)


def test_any_other_name_is_none_of_it() -> None:
    """It is missing as in every module."""
    with pytest.raises(AttributeError, match=r"'devportal\.reference' has no attribute 'nothing'"):
        getattr(devportal.reference, "nothing")  # noqa: B009 - a name that type checkers would refuse
