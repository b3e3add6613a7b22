"""Formatting of values on pages: times, durations, JSON, and texts with deceptive characters."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from devportal.reference.markup import highlight_json

_DECEPTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
"""Control characters except tab and line feed, characters that change the direction of a text, and halves of
surrogate pairs."""


def escape_invisible(text: object) -> str:
    """Return a text in which invisible and direction-changing characters are escaped as in JSON."""
    return _DECEPTIVE.sub(lambda match: f"\\u{ord(match.group()):04x}", str(text))


def pretty_json(value: Any) -> Markup:
    """Return a JSON value on several lines, as HTML with classes for colours."""
    text = escape_invisible(json.dumps(value, indent=2, ensure_ascii=False))
    return Markup(highlight_json(text))  # noqa: S704 - escaped by highlight_json


def format_time(at: datetime) -> str:
    """Return a time in UTC with milliseconds, as people read it."""
    return at.astimezone(UTC).isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def format_duration(milliseconds: int) -> str:
    """Return a duration as text."""
    return f"{milliseconds:,} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:,.1f} s"


def as_words(name: str) -> str:
    """Return a name of the contract as words."""
    return name.replace("_", " ")
