"""Shapes: the same fields are there once, similar ones by what sets them apart."""

from devportal.site.search.columns import COLUMN_SEPARATOR
from devportal.site.search.field_shapes import FieldShapes


def shape_columns(*outlines: str) -> tuple[str, list[str], dict[str, list[str]]]:
    """Return the names of the shapes of outlines, and the lines of the columns."""
    shapes = FieldShapes()
    read = [shapes.read(tuple(outline.split("\n"))) for outline in outlines]
    named = shapes.numbered_shapes()
    names = "".join(map(named.reference, read))
    columns = {name: text.split(COLUMN_SEPARATOR) for name, text in named.columns().items()}
    return names, columns["below"], columns


def test_the_same_fields_are_one_shape() -> None:
    """In whatever order they stand; the next that was not named is called `A`."""
    names, _, columns = shape_columns(" id\n name", " size", " name\n id")

    assert names == "AAB"
    assert columns["fields"] == ["Aid", "Aname", "Asize"]
    assert columns["shapes"] == ["AC", "AB"]


def test_a_shape_is_made_from_one_like_it() -> None:
    """How far back that is, how many fields are new, and the steps to those that differ."""
    _, _, columns = shape_columns(" a\n b\n c\n d", " x", " a\n b\n d\n e")

    assert columns["shapes"] == ["AE", "AB", "CBC"]


def test_shapes_below_fields_follow_those_of_pages() -> None:
    """The same name is another field where something else is below it."""
    _, below, columns = shape_columns(" list\n  id", " list\n  id\n  more")

    assert columns["fields"] == ["Alist", "E", "Aid", "Amore"]
    assert below == ["A", "A", "", ""]
    assert columns["shapes"] == ["AB", "AB", "AB", "ABC"]
