"""Durations: what is read is what the contract takes."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from telecom.sandbox.control.operations import parse_duration


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("PT75H", timedelta(hours=75)),
        ("P2W", timedelta(days=14)),
        ("P1DT1S", timedelta(days=1, seconds=1)),
        ("PT0.000001S", timedelta(microseconds=1)),
        ("PT0S", timedelta(0)),
        ("P1W2DT3H4M5S", timedelta(days=9, hours=3, minutes=4, seconds=5)),
    ],
)
def test_units_are_added(text: str, duration: timedelta) -> None:
    """In their order, each at most once."""
    assert parse_duration(text) == duration


@pytest.mark.parametrize(
    "text", ["", "P", "PT", "P1DT", "P1M", "P1Y", "1D", "P1S", "PT1D", "PT1S1H", "P-1D", "PT.5S"]
)
def test_what_is_none_is_none(text: str) -> None:
    """Months and years too: how long they are depends on the calendar."""
    assert parse_duration(text) is None


@given(st.text("PTWDHMS01.", max_size=12))
def test_contract_takes_what_is_read(control_contract: Api, text: str) -> None:
    """And nothing else."""
    schema = next(
        schema for at, schema in control_contract.schemas.items() if at.pointer[-1] == "ClockAdvance"
    )
    is_taken = Validator(control_contract).is_valid(schema, {"by": text}, Direction.REQUEST)

    assert is_taken == (parse_duration(text) is not None)
