"""Texts of a contract where they are shown."""

import pytest

from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.reference import reference_of

from .reading import api_of


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("", ""),
        ("A `code` and\na *word*.", "A `code` and a *word*."),
        ("See [it](#operation/getParcel).", "See [it](parcels/get-parcel.md)."),
        ("One.\n\nTwo.", "One. Two."),
        ("- one\n- two", "- one - two"),
        ("One *word*.\n\n[Two](#operation/getParcel).", "One *word*. [Two](parcels/get-parcel.md)."),
        ("A  \nline", "A line"),
        ("# Head", "Head"),
        ("<b>x</b><script>alert(1)</script>", "**x**"),
    ],
)
def test_a_cell_is_one_line(text: str, cell: str) -> None:
    """Words keep their marks and links; of blocks nothing else stays."""
    api = api_of("rich-3.1.yaml")
    place = RenderContext(source="reference/page.md", below=3, links=DescriptionLinks(reference_of(api)))

    assert place.cell(text) == cell
