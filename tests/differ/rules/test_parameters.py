"""Parameters that came, went, or are called or placed differently."""

import pytest

from devportal.differ import Policy
from devportal.differ.policy import UnknownInput
from tests.differ.exchanges import (
    api_of,
    changes,
    found_in_event,
    operation_changes,
    parameter,
)

STRICT = Policy(unknown_input=UnknownInput.REJECTED)


def header(name: str, *, required: bool = False) -> dict[str, object]:
    """Return an operation with one header parameter."""
    return {
        "parameters": [{"name": name, "in": "header", "required": required, "schema": {"type": "string"}}]
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({}, parameter(required=True), [("param.added.required", "breaking")]),
        (
            {},
            parameter({"type": "integer", "default": 1}, required=True),
            [("param.added.required", "breaking")],
        ),
        ({}, parameter(), [("param.added.optional", "compatible")]),
        (parameter(), {}, [("param.removed", "risky")]),
        ({}, header("Accept", required=True), []),
        (header("X-Tenant"), header("x-tenant"), []),
        (
            parameter(),
            parameter(name="limits"),
            [("param.added.optional", "compatible"), ("param.removed", "risky")],
        ),
        (
            parameter(),
            parameter(name="limits", required=True),
            [("param.added.required", "breaking"), ("param.removed", "risky")],
        ),
        (
            parameter(),
            parameter({"type": "integer"}, name="size"),
            [("param.added.optional", "compatible"), ("param.removed", "risky")],
        ),
        (parameter(), header("limit"), [("param.location.changed", "breaking")]),
    ],
)
def test_parameters_that_are_not_where_they_were(
    old: dict[str, object], new: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    """What came, went or moved is one finding each; ignored headers and case are none."""
    assert operation_changes(old, new) == expected


def test_unknown_input_that_is_refused_makes_a_removal_breaking() -> None:
    """Where the provider refuses what it does not know, old callers fail."""
    assert operation_changes(parameter(), {}, STRICT) == [("param.removed", "breaking")]
    assert operation_changes(parameter(), parameter(name="limits"), STRICT) == [
        ("param.added.optional", "compatible"),
        ("param.removed", "breaking"),
    ]


def test_the_most_alike_name_is_the_new_one() -> None:
    """Of several new parameters with the same schema, the one with a similar name is the renamed one."""
    two = {"parameters": [*parameter(name="cursor")["parameters"], *parameter(name="limits")["parameters"]]}

    removed = next(
        change for change in changes(api_of(parameter()), api_of(two)) if change.rule == "param.removed"
    )

    assert removed.message == 'the query parameter limit is removed: possibly renamed to "limits"'
    assert removed.hint == "send limits instead"


def test_a_parameter_behind_a_broken_reference_is_risky() -> None:
    """Nobody knows whether it has to be sent."""
    broken = {"parameters": [{"$ref": "#/components/parameters/Gone"}]}

    assert operation_changes({}, broken) == [("param.added.optional", "risky")]


def test_the_headers_of_events_have_rules_of_their_own() -> None:
    """Who receives an event misses each header that goes, required or not."""
    assert found_in_event(header("X-Signature"), {}) == [("webhook.header.removed", "breaking")]
    assert found_in_event({}, header("X-Signature", required=True)) == [
        ("webhook.header.added", "compatible")
    ]
    assert found_in_event(header("X-Old"), header("X-New")) == [
        ("webhook.header.added", "compatible"),
        ("webhook.header.removed", "breaking"),
    ]


def test_a_parameter_that_one_operation_refers_to_is_its_own_change() -> None:
    """The shared parameter has not changed when one operation stops referring to it."""
    shared = {"parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"type": "string"}}}}
    refers = {"parameters": [{"$ref": "#/components/parameters/Limit"}]}

    (gone,) = (
        change
        for change in changes(api_of(refers, components=shared), api_of({}, components=shared))
        if change.rule == "param.removed"
    )

    assert (str(gone.subject), gone.field) == ("POST /things", "query.limit")


def test_a_change_of_a_shared_parameter_is_one_of_the_component() -> None:
    """What changes within a component is told there."""

    def shared_limit(*, required: bool) -> dict[str, object]:
        limit = {"name": "limit", "in": "query", "required": required, "schema": {"type": "string"}}
        return {"parameters": {"Limit": limit}}

    refers = {"parameters": [{"$ref": "#/components/parameters/Limit"}]}

    (change,) = changes(
        api_of(refers, components=shared_limit(required=False)),
        api_of(refers, components=shared_limit(required=True)),
    )

    assert (change.rule, str(change.subject)) == ("param.became-required", "parameter Limit")
    assert [str(use.subject) for use in change.used_by] == ["POST /things"]
