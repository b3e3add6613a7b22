"""How a place within a contract is written."""

import pytest

from devportal.differ import fields


def test_a_place_in_a_shared_path_item_goes_by_method() -> None:
    """The request or response of a method is named, as it is where it stands in a path."""
    pointer = ("post", "requestBody", "content", "application/json", "schema", "properties", "to")

    assert fields.way_within("pathItems", pointer) == ".post.request.to"


def test_a_place_in_a_shared_callback_leaves_out_its_address() -> None:
    """The runtime expression is none of the steps that a reader follows."""
    pointer = ("{$request.body#/u}", "post", "responses", "200", "headers", "X-Id", "schema")

    assert fields.way_within("callbacks", pointer) == ".post.response.200.header.X-Id"


def test_a_property_called_like_a_method_is_a_property() -> None:
    """Only path items and callbacks begin with a method."""
    assert fields.way_within("schemas", ("properties", "post", "items")) == ".post[]"


@pytest.mark.parametrize("name", ["a.b", "a[]", "a|b", "x:y", "*", ""])
def test_a_name_that_looks_like_steps_is_quoted(name: str) -> None:
    """A property `a.b` is another place than `b` below `a`."""
    assert fields.member(name) == f'."{name}"'
    assert fields.member("first-name") == ".first-name"
