"""How a place within a contract is written."""

import pytest

from devportal.differ import change


def test_a_place_in_a_shared_path_item_goes_by_method() -> None:
    """The request or response of a method is named, as it is where it stands in a path."""
    pointer = ("post", "requestBody", "content", "application/json", "schema", "properties", "to")

    assert change.path_in_component("pathItems", pointer) == ".post.request.to"


def test_a_place_in_a_shared_callback_leaves_out_its_address() -> None:
    """The runtime expression is none of the steps that a reader follows."""
    pointer = ("{$request.body#/u}", "post", "responses", "200", "headers", "X-Id", "schema")

    assert change.path_in_component("callbacks", pointer) == ".post.response.200.header.X-Id"


def test_a_property_called_like_a_method_is_a_property() -> None:
    """Only path items and callbacks begin with a method."""
    assert change.path_in_component("schemas", ("properties", "post", "items")) == ".post[]"


@pytest.mark.parametrize("name", ["a.b", "a[]", "a|b", "x:y", "*", ""])
def test_a_name_that_looks_like_steps_is_quoted(name: str) -> None:
    """A property `a.b` is another place than `b` below `a`."""
    assert change.property_step(name) == f'."{name}"'
    assert change.property_step("first-name") == ".first-name"
