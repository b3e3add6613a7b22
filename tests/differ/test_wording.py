"""The sentence of a finding reads well whether a value changed, came or went."""

from collections.abc import Iterator
from typing import Any

import pytest

from devportal.contract import ABSENT
from devportal.differ.output.wording import format_old_and_new
from devportal.differ.rule import Action, Area, FoundChange, Rule, change_message
from devportal.differ.rules.parameter_values import PARAMETER_VALUE_RULES
from tests.differ.exchanges import api_of, changes


def _find(_: object) -> Iterator[FoundChange]:
    yield FoundChange()


LENGTH = Rule(
    id="schema.max-length.lowered",
    area=Area.SCHEMA,
    action=Action.NARROWED,
    to_provider=None,
    to_consumer=None,
    says="maxLength is lowered from %(old)s to %(new)s",
    find=_find,
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (9, 5, "maxLength is lowered from 9 to 5"),
        (ABSENT, 5, "maxLength is set to 5"),
        (9, ABSENT, "maxLength is removed (was 9)"),
    ],
)
def test_a_value_that_came_or_went_is_not_called_none(old: Any, new: Any, expected: str) -> None:
    """A first bound is told as one, not as raised from none."""
    assert change_message(LENGTH, FoundChange(old=old, new=new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (10, 20, "the default of the query parameter limit is changed from 10 to 20"),
        (ABSENT, 10, "the default of the query parameter limit is set to 10"),
        (10, ABSENT, "the default of the query parameter limit is removed (was 10)"),
    ],
)
def test_a_first_default_of_a_parameter_replaces_none(old: Any, new: Any, expected: str) -> None:
    """A default that came is not told as a value instead of none."""
    rule = next(
        parameter_value_rule
        for parameter_value_rule in PARAMETER_VALUE_RULES
        if parameter_value_rule.id == "param.default.changed"
    )

    assert (
        change_message(rule, FoundChange(old=old, new=new, names={"place": "query", "name": "limit"}))
        == expected
    )


def _messages(old: Any, new: Any) -> list[str]:
    """Return the sentences of the changes between the schemas of two requests, with their values."""
    before, after = (
        api_of({"requestBody": {"content": {"application/json": {"schema": item}}}}) for item in (old, new)
    )
    every = (change for change in changes(before, after) if change.rule != _VERSION_RULE)
    lines = [(change.message, format_old_and_new(change)) for change in every]
    return [": ".join(filter(None, line)) for line in lines]


_VERSION_RULE = "doc.version.unchanged"


def test_a_schema_that_allows_nothing_any_more_says_whom_that_breaks() -> None:
    """A reader learns what the change means for requests, not that something is true or false."""
    values = {"type": "string", "enum": ["a", "b"]}

    assert _messages(values, {**values, "enum": []}) == [
        "values are no longer allowed here: whatever clients send here is rejected"
    ]


def test_a_removed_branch_without_effect_says_why() -> None:
    """Another branch allows all of its values, so the removal breaks nobody."""
    text, short = {"type": "string"}, {"type": "string", "maxLength": 3}

    removed = _messages({"anyOf": [text, short, {"type": "integer"}]}, {"anyOf": [text, {"type": "integer"}]})

    assert any("other branches still allow all of its values" in text for text in removed)
