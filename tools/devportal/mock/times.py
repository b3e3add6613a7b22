"""Times of what happened to a resource, by their names."""

from devportal.contract import Schema
from devportal.contract.wording import name_words

_TIME_WORDS = frozenset({"at", "on", "date", "time"})


def is_past_time(name: str, schema: Schema) -> bool:
    """Say whether a member is the time of something that happened, by format and name: `placed_at`, `joined`."""
    words = [word for word in name_words(name) if word not in _TIME_WORDS]
    return schema.format.startswith("date-time") and bool(words) and words[-1].endswith("ed")
