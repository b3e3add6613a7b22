"""Rules of schemas for texts: each with what it says to senders and to receivers."""

from typing import Any

import pytest

from tests.differ.building import both_ways, rules_and_verdicts

NARROWER = ("breaking", "compatible")
WIDER = ("compatible", "breaking")


JSON_TEXT = {"contentMediaType": "application/json"}


@pytest.mark.parametrize(
    ("old", "new", "rule", "verdicts"),
    [
        ({"minLength": 1}, {"minLength": 2}, "schema.min-length.raised", NARROWER),
        ({"minLength": 2}, {}, "schema.min-length.lowered", WIDER),
        ({}, {"maxLength": 2}, "schema.max-length.lowered", NARROWER),
        ({"maxLength": 2}, {"maxLength": 3}, "schema.max-length.raised", WIDER),
        ({}, {"pattern": "a"}, "schema.pattern.set", NARROWER),
        ({"pattern": "a"}, {}, "schema.pattern.unset", ("compatible", "risky")),
        ({"pattern": "a"}, {"pattern": "^.*$"}, "schema.pattern.unset", ("compatible", "risky")),
        ({"pattern": "^a+$"}, {"pattern": "^[ab]+$"}, "schema.pattern.changed", WIDER),
        ({"pattern": "^[ab]+$"}, {"pattern": "^a+$"}, "schema.pattern.changed", NARROWER),
        ({"pattern": "^(a)\\1"}, {"pattern": "^(b)\\1"}, "schema.pattern.changed", ("risky", "risky")),
        (
            {"contentEncoding": "base64"},
            {"contentEncoding": "base64url"},
            "schema.content-encoding.changed",
            ("breaking", "breaking"),
        ),
        (
            JSON_TEXT,
            {**JSON_TEXT, "contentSchema": {"type": "object"}},
            "schema.content-schema.set",
            NARROWER,
        ),
        ({**JSON_TEXT, "contentSchema": {"type": "object"}}, JSON_TEXT, "schema.content-schema.unset", WIDER),
    ],
)
def test_a_change_of_texts_has_one_verdict_each_way(
    old: dict[str, Any], new: dict[str, Any], rule: str, verdicts: tuple[str, str]
) -> None:
    """What allows fewer texts breaks senders, what allows more is for receivers to bear."""
    sent, received = both_ways({"type": "string", **old}, {"type": "string", **new})

    assert sent == [(rule, verdicts[0])]
    assert received == [(rule, verdicts[1])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"minLength": 0}),
        ({}, {"pattern": ""}),
        ({"pattern": "^\\d+$"}, {"pattern": "^[0-9]+$"}),
        ({"pattern": "^a$"}, {"pattern": "^a$", "allOf": [{"pattern": "a"}]}),
        ({"contentEncoding": "BASE64"}, {"contentEncoding": "base64"}),
    ],
)
def test_equal_texts_are_no_change(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Two ways to allow the same texts are one."""
    assert both_ways({"type": "string", **old}, {"type": "string", **new}) == ([], [])


def test_the_format_byte_of_3_0_is_the_encoding_of_3_1() -> None:
    """OAS 3.1 writes `contentEncoding: base64` where 3.0 wrote `format: byte`."""
    old = {"type": "string", "format": "byte"}
    new = {"type": "string", "contentEncoding": "base64"}

    assert rules_and_verdicts(old, new, version="3.0.3", new_version="3.1.0") == []


def test_a_length_beside_a_number_has_no_effect() -> None:
    """A keyword of texts says nothing of numbers."""
    assert rules_and_verdicts({"type": "integer"}, {"type": "integer", "maxLength": 3}) == [
        ("schema.without-effect.changed", "documentation")
    ]
