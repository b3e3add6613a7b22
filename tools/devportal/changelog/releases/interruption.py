"""A release that was begun and not ended: recorded, while its entries do not say yet that they are of it."""

from collections.abc import Iterable, Iterator

from devportal.changelog.entries.entry import Entry
from devportal.changelog.releases.folder import manifest_place, release_error
from devportal.changelog.releases.manifest import Record
from devportal.changelog.releases.releases import Releases
from devportal.findings import Finding


def unstamped_entries(record: Record, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries of a release that do not say that they are of it."""
    return tuple(entry for entry in entries if entry.id in record.entries and not entry.spec_to)


def check_interrupted(releases: Releases, entries: Iterable[Entry]) -> Iterator[Finding]:
    """Yield that the last release was interrupted: everything else that is wrong may follow from that.

    The record is written first, then the contract, then the entries: those without a stamp tell it.
    """
    last = releases.manifest.last
    left = unstamped_entries(last, entries) if last is not None else ()
    if last is None or not left:
        return
    version = last.version
    is_frozen = version not in releases.missing
    more = f" and {len(left) - 1} more" if len(left) > 1 else ""
    yield release_error(
        "release-interrupted",
        manifest_place(releases, len(releases.manifest.records) - 1, "version"),
        f"the release {version} was interrupted: {'' if is_frozen else 'its contract is not frozen, and '}"
        f"the entry {left[0].id}{more} {'do' if more else 'does'} not name it yet",
        f"run `devportal release {version}` again: it ends what it began",
    )
