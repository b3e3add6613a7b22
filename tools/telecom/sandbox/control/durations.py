"""Durations as ISO 8601-1 §5.5.2 writes them, as far as their length does not depend on the calendar."""

import re
from datetime import timedelta

_DURATION = re.compile(
    r"P(?=.)(?:(?P<weeks>[0-9]{1,4})W)?(?:(?P<days>[0-9]{1,5})D)?"
    r"(?:T(?=.)(?:(?P<hours>[0-9]{1,6})H)?(?:(?P<minutes>[0-9]{1,7})M)?"
    r"(?:(?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,6})?)S)?)?"
)


def parse_duration(text: str) -> timedelta | None:
    """Return how long a text such as `PT75H` or `P1DT30M` says, None where it says nothing of that kind."""
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    return timedelta(**{unit: float(number) for unit, number in found.groupdict().items() if number})
