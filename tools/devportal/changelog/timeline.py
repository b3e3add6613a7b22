"""The days of an entry's life, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.entry import Entry
from devportal.changelog.releases import Release

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A day and what happens on it."""

    date: date
    label: str


def timeline(entry: Entry, release: Release | None = None) -> tuple[Event, ...]:
    """Return publication, release, the first day live, corrections and sunset, the earliest first."""
    return tuple(sorted(_events(entry, release), key=lambda event: event.date))


def _events(entry: Entry, release: Release | None) -> Iterator[Event]:
    if entry.live == entry.date:
        yield Event(date=entry.date, label="Published and live")
    else:
        yield Event(date=entry.date, label="Published")
        yield Event(date=entry.live, label="Live")
    if release is not None and release.date is not None:
        yield Event(date=release.date, label=f"Released in {release.version} of the contract")
    for amendment in entry.amended:
        yield Event(date=amendment.date, label=f"Entry corrected: {amendment.note}")
    if entry.sunset is not None:
        yield Event(date=entry.sunset, label="Sunset: the deprecated part stops working")


def day(value: date) -> str:
    """Return a date as people read it, `5 March 2026`, whatever the locale of the machine."""
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
