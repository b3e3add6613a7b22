"""The days of an entry's life, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from devportal.changelog.entries.entry import Entry
from devportal.changelog.releases.folder import Release
from devportal.translation import gettext


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
        yield TimelineEvent(date=entry.date, label=gettext("Published and live"))
    else:
        yield TimelineEvent(date=entry.date, label=gettext("Published"))
        yield TimelineEvent(date=entry.live, label=gettext("Live"))
    if release is not None and release.date is not None:
        yield TimelineEvent(
            date=release.date,
            label=gettext("Released in %(version)s of the contract", version=release.version),
        )
    for amendment in entry.amended:
        yield TimelineEvent(
            date=amendment.date, label=gettext("Entry corrected: %(note)s", note=amendment.note)
        )
    if entry.sunset is not None:
        yield TimelineEvent(date=entry.sunset, label=gettext("Sunset: the deprecated part stops working"))
