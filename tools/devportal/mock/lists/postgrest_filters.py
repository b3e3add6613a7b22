"""Filters of PostgREST, whose values begin with an operator: `id=eq.9`, `year=gte.2000`, `id=in.(1,2)`."""

import csv
import re
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from devportal.mock.lists.value_comparison import is_within, matches_value

_FILTER = re.compile(r"(not\.)?([a-z]+)\.(.*)", re.DOTALL)
_LIST = re.compile(r"\((.*)\)", re.DOTALL)
_STATES: Mapping[str, Any] = {"null": None, "true": True, "false": False}


def read_operator(text: str) -> Callable[[Any], bool] | None:
    """Return the test of a value of a filter, None for a text without an operator that is known here."""
    found = _FILTER.fullmatch(text)
    test = _test(found[2], found[3]) if found is not None else None
    if found is None or test is None:
        return None
    return (lambda shown: not test(shown)) if found[1] else test


def _test(operator: str, wanted: str) -> Callable[[Any], bool] | None:
    match operator:
        case "eq":
            return lambda shown: matches_value(shown, wanted)
        case "neq":
            return lambda shown: not matches_value(shown, wanted)
        case "gt" | "gte" | "lt" | "lte":
            return _comparison(operator, wanted)
        case "like" | "ilike":
            return _likeness(wanted, is_exact=operator == "like")
        case "in" if (listed := _LIST.fullmatch(wanted)) is not None:
            values = _split_list(listed[1])
            return lambda shown: any(matches_value(shown, value) for value in values)
        case "is" if wanted.lower() in _STATES:
            return lambda shown: shown is _STATES[wanted.lower()]
    return None


def _split_list(text: str) -> list[str]:
    """Return the values of a list, which may be in quotes."""
    try:
        return next(csv.reader([text]), [])
    except csv.Error:  # a value with a line break, or a very long one
        return text.split(",")


def _comparison(operator: str, wanted: str) -> Callable[[Any], bool]:
    is_lower, is_strict = operator.startswith("g"), not operator.endswith("e")

    def test(shown: Any) -> bool:
        is_number = type(shown) in (int, float) and re.fullmatch(r"-?\d+(\.\d+)?", wanted)
        limit = float(wanted) if is_number else wanted
        return shown is not None and is_within(shown, limit, is_lower=is_lower, is_strict=is_strict)

    return test


def _likeness(wanted: str, *, is_exact: bool) -> Callable[[Any], bool]:
    """Return the test of `LIKE`, in which `*` and `%` stand for any text and `_` for one character."""
    pattern = "".join(
        {"%": "*", "*": "*", "_": "?"}.get(sign, f"[{sign}]" if sign in "?[" else sign) for sign in wanted
    )
    if is_exact:
        return lambda shown: isinstance(shown, str) and fnmatchcase(shown, pattern)
    return lambda shown: isinstance(shown, str) and fnmatchcase(shown.lower(), pattern.lower())
