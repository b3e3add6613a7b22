"""The days of an entry's life, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.entry import Entry

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A day and what happens on it."""

    date: date
    label: str


def timeline(entry: Entry) -> tuple[Event, ...]:
    """Return publication, the first day live, corrections and sunset, the earliest first."""
    return tuple(sorted(_events(entry), key=lambda event: event.date))


def _events(entry: Entry) -> Iterator[Event]:
    if entry.live == entry.date:
        yield Event(date=entry.date, label="Published and live")
    else:
        yield Event(date=entry.date, label="Published")
        yield Event(date=entry.live, label="Live")
    for amendment in entry.amended:
        yield Event(date=amendment.date, label=f"Entry corrected: {amendment.note}")
    if entry.sunset is not None:
        yield Event(date=entry.sunset, label="Sunset: the deprecated part stops working")


def day(value: date) -> str:
    """Return a date as people read it, `5 March 2026`, whatever the locale of the machine."""
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
