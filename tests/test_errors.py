"""Errors and places as a user reads them."""

import inspect

import pytest

from devportal import errors
from devportal.errors import Place, PortalError, UnreadableInput, hide_credentials


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place(file="a.yaml", line=3, column=7), "a.yaml:3:7"),
        (Place(file="a.yaml"), "a.yaml"),
    ],
)
def test_a_place_is_written_as_editors_open_it(place: Place, text: str) -> None:
    """A place is file, line and column, or the file alone."""
    written = str(place)

    assert written == text


def test_places_are_in_the_order_of_the_file() -> None:
    """Lines and columns order as numbers."""
    places = [Place(file="a", line=10), Place(file="a", line=9, column=2), Place(file="a", line=9)]

    assert sorted(places) == places[::-1]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PortalError("it is wrong"), "it is wrong"),
        (PortalError("it is wrong", help="fix it"), "it is wrong\n  help: fix it"),
        (
            UnreadableInput("it is wrong", place=Place(file="a", line=1, column=2), help="fix it"),
            "a:1:2: it is wrong\n  help: fix it",
        ),
    ],
)
def test_an_error_says_where_what_and_what_to_do(error: PortalError, text: str) -> None:
    """The text of an error is all that a user sees of it."""
    written = str(error)

    assert written == text


def test_the_tree_of_errors_is_drawn_whole() -> None:
    """Every error of the module stands in the tree in its docstring, and is a PortalError."""
    kinds = {
        name: kind
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__ == errors.__name__
    }

    assert len(kinds) > 4
    assert all(issubclass(kind, PortalError) for kind in kinds.values())
    assert all(f"── {name} " in f"── {errors.__doc__}" for name in kinds if name != "PortalError")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://me:secret@api.example/a@b", "https://…@api.example/a@b"),
        ("https://secret@api.example", "https://…@api.example"),
        ("https://me:p@ss@api.example/", "https://…@api.example/"),
        ("https://api.example/a?key=secret&b=1#c", "https://api.example/a?key=…&b=…#c"),
        ("https://api.example/a?b", "https://api.example/a?b"),
    ],
)
def test_an_address_is_quoted_without_what_may_be_secret(address: str, shown: str) -> None:
    """User name, password and values of the query."""
    assert hide_credentials(address) == shown
