"""JSON texts from clients, read strictly (RFC 8259)."""

import json
import math
import re
from typing import Any

MAX_DEPTH = 100
"""The deepest nesting of a body that is read."""
_MAX_DIGITS = 400
"""The longest number that is read: no 64-bit number has more than 309 digits."""
_NO_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[^\[\]{}"]+', re.DOTALL)
"""A text of a JSON text, and what stands between brackets."""


def read_json(body: bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError, with a reason, if it is none (RFC 8259), if it has a
    number that is not finite, or if it is nested too deeply.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("the body is not UTF-8 (RFC 8259 §8.1)") from error
    if text.startswith("\ufeff"):
        raise ValueError("the body begins with a byte order mark (RFC 8259 §8.1)")
    if is_nested_deeper(text, MAX_DEPTH):
        raise ValueError(f"the body is nested more than {MAX_DEPTH} levels deep")
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_parse_integer
        )
    except RecursionError as error:
        raise ValueError("the body is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"the body is not JSON: {error.msg} at character {error.pos}") from error


def is_nested_deeper(text: str, most: int) -> bool:
    """Return whether brackets of a JSON text are nested more than `most` levels deep; those within its texts do not
    count. Readers of JSON have limits, which differ between versions of Python (RFC 8259 §9).
    """
    if text.count("[") + text.count("{") <= most:
        return False
    depth = 0
    for bracket in _NO_BRACKET.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > most:
            return True
    return False


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number (RFC 8259 §6)")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _parse_integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError("a number is too large")
    return int(text)
