"""Compares values of members with values of filters and with each other, as lists are filtered and sorted."""

import re
from datetime import date
from typing import Any

from devportal.contract.values.instants import parse_instant

_DECIMAL = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?")
"""A number in a text, as exact amounts of money often are."""


def matches_value(shown: Any, wanted: Any) -> bool:
    """Say whether a member has the value of a filter, or one of several; a list has it among its items."""
    if isinstance(wanted, list):
        return not wanted or any(matches_value(shown, item) for item in wanted)
    if isinstance(shown, list):
        return any(matches_value(item, wanted) for item in shown)
    if isinstance(shown, bool) or isinstance(wanted, bool):
        return shown is wanted or str(shown).lower() == str(wanted).lower()
    instants = parse_instant(shown), parse_instant(wanted)
    if isinstance(wanted, str) and all(instants):
        return instants[0] == instants[1]
    return shown == wanted or (shown is not None and str(shown) == str(wanted))


def has_text(value: Any, wanted: str) -> bool:
    """Say whether a text is in a value or in one of its members, without regard to case."""
    if isinstance(value, dict):
        return any(has_text(member, wanted) for member in value.values())
    if isinstance(value, list):
        return any(has_text(item, wanted) for item in value)
    return isinstance(value, str) and wanted in value.casefold()


def is_within(shown: Any, bound: Any, *, is_lower: bool, is_strict: bool) -> bool:
    """Say whether a member is on the side of a bound that a filter asks for. One without a comparable value is not, and
    a bound that is not comparable with it excludes nothing.
    """
    value, limit = _rank(shown), _rank(bound)
    if limit is None:
        return True
    if value is None or type(value) is not type(limit):
        return value is not None
    if value == limit:
        return not is_strict
    return bool(value > limit if is_lower else value < limit)


def _rank(value: Any) -> Any:
    """Return what values are ordered by: a number, a time, a day or a text; None for others. An object with one number
    is ordered by it: `{"amount": "9.90", "currency": "EUR"}`.
    """
    if isinstance(value, dict):
        ranks = [rank for rank in map(_rank, value.values()) if isinstance(rank, float)]
        return ranks[0] if len(ranks) == 1 else None
    if isinstance(value, bool) or value is None:
        return None
    instant = parse_instant(value)
    if isinstance(value, str) and instant is not None:
        return instant.timestamp()
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return float(value)
    if isinstance(value, str):
        try:
            return float(date.fromisoformat(value).toordinal()) * 86_400 - 62_135_683_200
        except ValueError:
            return value.casefold()
    return None


def compare_values(other_first: Any, other: Any) -> int:
    """Compare two members: nothing comes first, then numbers and times, then texts."""
    first, second = _rank(other_first), _rank(other)
    if first is None or second is None:
        return (first is not None) - (second is not None)
    if type(first) is not type(second):
        return isinstance(first, str) - isinstance(second, str)
    return int(first > second) - int(first < second)
