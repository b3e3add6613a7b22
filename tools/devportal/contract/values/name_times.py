"""Times by the words of a name: what ends is later than what begins, and people were born earlier."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TIMESTAMP = 1769860800
"""2026-01-31T12:00:00Z in seconds."""
_FOUR_WEEKS = 28 * 24 * 60 * 60
_ENDS = frozenset(
    {
        *(
            "end",
            "ends",
            "ended",
            "ending",
            "until",
            "till",
            "expiry",
            "expires",
            "expire",
            "expiration",
            "expired",
        ),
        *(
            "due",
            "deadline",
            "finish",
            "finishes",
            "finished",
            "to",
            "through",
            "thru",
            "before",
            "checkout",
            "arrival",
        ),
        *("return", "closes", "renewal", "renews"),
    }
)
TIME_WORDS = frozenset({"at", "on", "date", "time", "datetime", "timestamp", "utc"})
"""What names of times have beside the words that say which time."""
_LATER: Mapping[str | int, str | int] = {
    "2026-01-31": "2026-02-28",
    "2026-01": "2026-02",
    "2026-01-31T12:00:00Z": "2026-02-28T12:00:00Z",
    "2026-01-31 12:00:00": "2026-02-28 12:00:00",
    TIMESTAMP: TIMESTAMP + _FOUR_WEEKS,
    TIMESTAMP * 1000: (TIMESTAMP + _FOUR_WEEKS) * 1000,
}
_BIRTHS: Mapping[str | int, str | int] = {
    "2026-01-31": "1990-12-10",
    "2026-01-31T12:00:00Z": "1990-12-10T00:00:00Z",
}


def times_for_name(words: Sequence[str], time: Any) -> Iterator[Any]:
    """Yield the time that a name says if it is not that of most, in the form of the other one."""
    core = [word for word in words if word not in TIME_WORDS and word != "day"]
    if not core:
        return
    is_birth = "birth" in core or core[-1] in ("birthdate", "birthday", "dob", "born")
    is_end = core[0] in _ENDS or core[-1] in _ENDS
    replaced = _BIRTHS if is_birth else _LATER if is_end else {}
    if time in replaced:
        yield replaced[time]
