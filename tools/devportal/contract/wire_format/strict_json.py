"""JSON texts from clients, read strictly (RFC 8259)."""

import json
import math
from typing import Any

MAX_DEPTH = 100
"""The deepest nesting of a body that is read."""
_MAX_DIGITS = 400
"""The longest number that is read: no 64-bit number has more than 309 digits."""


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
    if _depth(text) > MAX_DEPTH:
        raise ValueError(f"the body is nested more than {MAX_DEPTH} levels deep")
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_parse_integer
        )
    except RecursionError as error:
        raise ValueError("the body is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"the body is not JSON: {error.msg} at character {error.pos}") from error


def _depth(text: str) -> int:
    """Return how deeply brackets are nested at most; those in texts count, which is never too few."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    is_text = is_escaped = False
    for character in text:
        if is_text:
            is_text = is_escaped or character != '"'
            is_escaped = character == "\\" and not is_escaped
        elif character == '"':
            is_text = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


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
