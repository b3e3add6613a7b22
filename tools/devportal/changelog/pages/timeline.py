"""The days of an entry's life, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.entries.entry import Entry
from devportal.changelog.releases.folder import Release

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEvent:
    """A day and what happens on it."""

    date: date
    label: str


def entry_timeline(entry: Entry, release: Release | None = None) -> tuple[TimelineEvent, ...]:
    """Return publication, release, the first day live, corrections and sunset, the earliest first."""
    return tuple(sorted(_events(entry, release), key=lambda event: event.date))


def _events(entry: Entry, release: Release | None) -> Iterator[TimelineEvent]:
    if entry.live == entry.date:
        yield TimelineEvent(date=entry.date, label="Published and live")
    else:
        yield TimelineEvent(date=entry.date, label="Published")
        yield TimelineEvent(date=entry.live, label="Live")
    if release is not None and release.date is not None:
        yield TimelineEvent(date=release.date, label=f"Released in {release.version} of the contract")
    for amendment in entry.amended:
        yield TimelineEvent(date=amendment.date, label=f"Entry corrected: {amendment.note}")
    if entry.sunset is not None:
        yield TimelineEvent(date=entry.sunset, label="Sunset: the deprecated part stops working")


def format_date(value: date) -> str:
    """Return a date as people read it, `5 March 2026`, whatever the locale of the machine."""
    return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
