"""Descriptions that list values in words, and those that only look so."""

import pytest

from devportal.contract.values.listed_values import listed_value


@pytest.mark.parametrize(
    ("description", "value"),
    [
        ("Where it is. Possible values: **test**, **live**.", "test"),
        ("Possible values:\n\n* **pending**: It is checked.\n\n* **done**", "pending"),
        ("possible values include: \n\n- `default` where nothing is known", "default"),
        ("Valid values are: pending, booked, failed", "pending"),
        ("Allowed values are REGEXP, BEGINS_WITH, or EXACT.", "REGEXP"),
        ('Supported options are "BUILT_IN" or "CUSTOM".', "BUILT_IN"),
        ("Can be: `LIFO` or `FIFO` and the default is `FIFO`", "LIFO"),
        ('It can be one of "REMOVE_ROLE"/"REPLACE_ROLE"', "REMOVE_ROLE"),
        ("One of `artist`, `track` or `genre`.", "artist"),
        ("Must be one of the following: 'add', 'remove'", "add"),
        ("May either be `udp` or `tcp`.", "udp"),
        ("Must be *article*", "article"),
        ("Possible values depend on the `type`.", ""),
        ("Valid values are standard codes", ""),
        ("It can be used in calls such as `/find`", ""),
        ("What one of `find` or `list` returns", ""),
        ("Can be `null`", ""),
        ("Must be `a b` or more", ""),
        ("The name of the user", ""),
    ],
)
def test_the_first_listed_value_is_found(description: str, value: str) -> None:
    """Lists of code, of quoted, emphasised or single words; never a word of a sentence."""
    assert listed_value(description) == value
