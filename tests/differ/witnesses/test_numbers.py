"""Tests of the numbers that are tried at the bounds of schemas."""

from devportal.differ import Verdict, compare
from tests.differ.exchanges import api_of, body


def test_numbers_too_large_for_any_reader_are_not_tried() -> None:
    """Multiples beyond the largest double are left out: the search ends without a message."""
    old, new = (
        body({"application/json": {"schema": {"type": "number", **limit, "multipleOf": 1e308}}})
        for limit in ({}, {"maximum": 1.5e308})
    )

    (change,) = compare(api_of(old), api_of(new)).changes

    assert change.rule == "schema.maximum.lowered"
    assert change.verdict is Verdict.RISKY
