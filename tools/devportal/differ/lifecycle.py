"""The life of a part of a contract: whether it is deprecated, when it ends, how settled it is."""

import datetime as dt
from dataclasses import dataclass, field

from devportal.contract import Location, Operation, Stability
from devportal.differ.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What a part says of its own life. `sunset` is as written; `stability` counts what it belongs to."""

    is_deprecated: bool = False
    sunset: str = ""
    stability: Stability = Stability.STABLE
    location: Location | None = None

    @property
    def is_untold(self) -> bool:
        """Say whether nothing is said of it."""
        return not self.is_deprecated and not self.sunset and self.stability is Stability.STABLE

    @property
    def ends_on(self) -> dt.date | None:
        """Return the day of the sunset, None where none is written or it is no date of RFC 3339."""
        return day_of(self.sunset)


def operation_life(operation: Operation) -> Life:
    """Return what an operation says of its own life."""
    return Life(
        is_deprecated=operation.deprecated,
        sunset=operation.sunset,
        stability=operation.stability,
        location=operation.location,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LifePair:
    """The life of one part in both contracts."""

    old: Life
    new: Life
    policy: Policy = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A part that is gone: what it said of its life, its name, and the way to it."""

    life: Life
    name: str
    at: str = ""
    policy: Policy = field(repr=False)

    @property
    def is_told(self) -> bool:
        """Say whether its sunset decides how bad the removal is: it was deprecated and the day is known."""
        ends = self.life.ends_on
        return self.life.is_deprecated and ends is not None and self.policy.today is not None

    @property
    def is_due(self) -> bool:
        """Say whether the sunset has passed."""
        ends, today = self.life.ends_on, self.policy.today
        return self.is_told and ends is not None and today is not None and ends <= today


def day_of(text: str) -> dt.date | None:
    """Return the day that a date or a date-time of RFC 3339 §5.6 names, None where it is neither."""
    try:
        return dt.date.fromisoformat(text) if len(text) == _DATE else dt.datetime.fromisoformat(text).date()
    except ValueError:
        return None


_DATE = len("2026-01-31")
