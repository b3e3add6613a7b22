"""Rules of servers: the values of their variables."""

from typing import Any

import pytest

from devportal.differ.output.wording import format_old_and_new
from tests.differ.exchanges import api_of, changes


def _server(**variable: Any) -> dict[str, Any]:
    """Return the servers of a contract, with one variable."""
    return {
        "servers": [{"url": "https://{env}.example", "variables": {"env": {"default": "prod", **variable}}}]
    }


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        ({"enum": ["prod", "test"]}, {"enum": ["prod"]}, '["prod", "test"] → ["prod"]'),
        ({"enum": ["prod"]}, {"enum": ["prod", "test"]}, '["prod"] → ["prod", "test"]'),
    ],
    ids=["removed", "added"],
)
def test_both_lists_of_a_variable_are_shown(old: dict[str, Any], new: dict[str, Any], values: str) -> None:
    """The lists are those that the contracts have, not only what differs."""
    (change, *_) = (
        change
        for change in changes(api_of({}, **_server(**old)), api_of({}, **_server(**new)))
        if change.rule.startswith("server.variable.")
    )

    assert format_old_and_new(change) == values


def test_the_value_that_a_variable_loses_is_quoted() -> None:
    """A region such as `us` would read as a word of the sentence."""
    old, new = (api_of({}, **_server(enum=values)) for values in (["prod", "eu", "us"], ["prod"]))

    messages = [change.message for change in changes(old, new)]

    assert 'the server variable env no longer allows "eu", "us"' in messages


def test_a_variable_that_goes_leaves_one_address() -> None:
    """A variable without listed values could have any, and its default is all that is left."""
    old, new = api_of({}, **_server()), api_of({}, servers=[{"url": "https://prod.example"}])

    removed, added = ([change.message for change in changes(*pair)] for pair in ((old, new), (new, old)))

    assert removed == ["the server variable env is removed, so its value is fixed"]
    assert added == ["the server variable env is added, so its value is no longer fixed"]
