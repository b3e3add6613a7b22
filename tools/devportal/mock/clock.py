"""The clock of a mock: real time and how far it was moved. No two requests get the same time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

LATEST = datetime(2999, 12, 31, tzinfo=UTC)
"""Times beyond are refused: what is due days later is still a date."""
_TICK = timedelta(microseconds=1)


class MockClock:
    """Real time, moved by an offset. It never goes back by itself."""

    def __init__(self, real: Callable[[], datetime], offset: timedelta = timedelta(0)) -> None:
        """Take what tells real time, and by how much it is moved."""
        self._real = real
        self._last = datetime.min.replace(tzinfo=UTC)
        self.offset = offset

    def __call__(self) -> datetime:
        """Return the time: a later one with each call."""
        self._last = max(self._real() + self.offset, self._last + _TICK)
        return self._last

    def move_to(self, moment: datetime) -> None:
        """Move to a moment, before or after now. Raises ValueError if it is too far away."""
        if not datetime(1970, 1, 1, tzinfo=UTC) <= moment <= LATEST:
            raise ValueError("a time must be in the years 1970 to 2999")
        self.offset = moment - self._real()
        self._last = moment - _TICK

    def advance(self, by: timedelta) -> None:
        """Move forward. Raises ValueError if that is too far."""
        try:
            self.move_to(self() + by)
        except OverflowError as error:
            raise ValueError("a time must be in the years 1970 to 2999") from error
