"""The clock of a mock: it runs as a `ClockState` says, and no two requests get the same time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from devportal.errors import InvalidSettings
from devportal.serving.clock import EARLIEST, LATEST, MAX_SPEED, ClockMode, ClockState, parse_speed

_TICK = timedelta(microseconds=1)


class MockClock:
    """A clock that goes on by itself and can be moved, before now too. It never goes back by itself."""

    def __init__(self, real: Callable[[], datetime], state: ClockState | None = None) -> None:
        """Take real time, and how the clock runs: as real time does by default."""
        self._real = real
        self._last = datetime.min.replace(tzinfo=UTC)
        now = real()
        self.state = state or ClockState(mode=ClockMode.RUNNING, speed=1.0, at=now, real_at=now)

    def __call__(self) -> datetime:
        """Return the time: a later one with each call."""
        self._last = max(self.state.time(self._real()), self._last + _TICK)
        return self._last

    def move_to(self, moment: datetime) -> None:
        """Move to a moment, before or after now. Raises ValueError if it is too far away."""
        if not EARLIEST <= moment <= LATEST:
            raise ValueError("a time must be in the years 1970 to 2999")
        self.state = replace(self.state, at=moment.astimezone(UTC), real_at=self._real())
        self._last = moment - _TICK

    def advance(self, by: timedelta) -> None:
        """Move forward. Raises ValueError if that is too far."""
        try:
            self.move_to(self() + by)
        except OverflowError as error:
            raise ValueError("a time must be in the years 1970 to 2999") from error


def start_state(text: str, previous: ClockState | None, real: datetime) -> ClockState:
    """Return how a clock runs from a start on: `manual`, or a speed such as `60x`. It goes on from where it was before,
    if there is any. Raises InvalidSettings.
    """
    mode = ClockMode.MANUAL if text == ClockMode.MANUAL else ClockMode.RUNNING
    speed = 0.0 if mode is ClockMode.MANUAL else parse_speed(text)
    if speed is None:
        raise InvalidSettings(
            f"--clock: {text!r} is not a speed",
            help=f"give 'manual', or how many times faster than real time: up to {MAX_SPEED:.0f}x, such as 60x",
        )
    now = real if previous is None else previous.time(real)
    return ClockState(mode=mode, speed=speed, at=now, real_at=real)
