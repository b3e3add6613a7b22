"""A policy that judges less gravely than the recorded one is told, knob by knob."""

from dataclasses import fields

import pytest

from devportal.differ.policy import Policy
from devportal.releasing.softened_policy import STRICTNESS, softened_settings

APART = {"format_enforced", "stability_levels", "levels", "acknowledged", "renamed", "today"}


@pytest.mark.parametrize(
    ("graver", "softer", "told"),
    [
        ({}, {"first_bound": "risky"}, "`first_bound` from breaking to risky"),
        ({"response_enum": "closed"}, {}, "`response_enum` from closed to risky"),
        ({"response_enum": "risky"}, {"response_enum": "open"}, "`response_enum` from risky to open"),
        ({"unknown_input": "rejected"}, {}, "`unknown_input` from rejected to ignored"),
        ({"component_renamed": "risky"}, {}, "`component_renamed` from risky to ignored"),
        ({}, {"date_time_accepts_date": True}, "`date_time_accepts_date` from false to true"),
        ({"sunset_required": True}, {}, "`sunset_required` from true to false"),
        (
            {"deprecation_notice_days": 90},
            {"deprecation_notice_days": 30},
            "`deprecation_notice_days` from 90 to 30",
        ),
        (
            {"format_enforced": ["uuid", "date"]},
            {"format_enforced": ["date"]},
            "`format_enforced` lacks uuid",
        ),
        (
            {},
            {"stability_levels": {"stable": "never-breaking"}},
            "`stability_levels.stable` from none to never-breaking",
        ),
        (
            {},
            {"rules": {"schema.type.changed": "risky"}},
            "`rules.schema.type.changed` from as usual to risky",
        ),
        (
            {"rules": {"schema.type.changed": "risky"}},
            {"rules": {"schema.type.changed": "off"}},
            "`rules.schema.type.changed` from risky to off",
        ),
        (
            {"rules": {"doc.info.changed": "breaking"}},
            {},
            "`rules.doc.info.changed` from breaking to as usual",
        ),
    ],
)
def test_softer_is_told(graver: dict[str, object], softer: dict[str, object], told: str) -> None:
    """What it was and what it is are named; the other way round there is nothing to tell."""
    assert list(softened_settings(graver, softer)) == [told]
    assert list(softened_settings(softer, graver)) == []


def test_what_is_acknowledged_softens_nothing() -> None:
    """It is told all the same, in its entry."""
    known = {"0123456789abcdef": {"reason": "agreed", "date": "2026-05-01"}}

    assert list(softened_settings({}, {"acknowledged": known})) == []


def test_every_knob_is_looked_at() -> None:
    """A knob that is added later has its order here."""
    assert {field.name for field in fields(Policy)} == STRICTNESS.keys() | APART
