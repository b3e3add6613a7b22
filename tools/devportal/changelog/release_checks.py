"""What is wrong with the releases of a folder: their content, their records, and the order of these."""

from collections.abc import Iterator
from itertools import pairwise

from devportal.changelog.releases import Release, Releases, numbers
from devportal.contract import Location
from devportal.errors import Place, PortalError
from devportal.findings import Finding, Level

RESTORE = "take the file as it was published back from your version control: a release never changes"


def check_content(release: Release) -> Iterator[Finding]:
    """Yield what is wrong with a frozen contract that only its content tells."""
    try:
        contract = release.contract()
    except PortalError as error:
        place = error.place or Place(file=release.name)
        yield wrong("release-unreadable", place, error.message, RESTORE)
        return
    if contract.api.version != release.version:
        yield wrong(
            "release-name",
            contract.place(Location("", ("info", "version"))),
            f"`info.version` is {contract.api.version!r}, but the file is {release.path.name!r}",
            RESTORE,
        )


def check_files(releases: Releases) -> Iterator[Finding]:
    """Yield frozen contracts that are not on record, or not as they were recorded."""
    for one in releases.releases:
        if one.record is None:
            yield wrong(
                "release-unrecorded",
                Place(file=one.name),
                f"{one.version} is not among the releases of {releases.manifest_name}",
                f"run `devportal release {one.version} --adopt --date YYYY-MM-DD` with the day on which it "
                "was published, or remove the file if it never was",
            )
        elif one.is_edited:
            yield wrong(
                "release-edited",
                Place(file=one.name),
                f"this file is not the one that was published as {one.version}: its SHA-256 is "
                f"{one.sha256[:12]}…, recorded is {one.record.sha256[:12]}…",
                f"{RESTORE}; what has to change is a new release",
            )


def check_missing(releases: Releases) -> Iterator[Finding]:
    """Yield records without their frozen contract."""
    missing = releases.missing
    for position, record in enumerate(releases.manifest.records):
        if record.version in missing:
            yield wrong(
                "release-missing",
                place_in(releases, position, "version"),
                f"{record.version} was published, and {releases.name}/{record.version}.yaml is not there",
                f"{RESTORE}; where `devportal release {record.version}` was interrupted, run it again",
            )


def check_order(releases: Releases) -> Iterator[Finding]:
    """Yield records that do not follow each other."""
    records = releases.manifest.records
    for position, (before, after) in enumerate(pairwise(records), start=1):
        if numbers(after.version) <= numbers(before.version):
            yield wrong(
                "release-order",
                place_in(releases, position, "version"),
                f"{after.version} stands after {before.version}",
                "keep the releases in the order of their versions, each once",
            )
        if after.date < before.date:
            yield wrong(
                "release-order",
                place_in(releases, position, "date"),
                f"{after.version} is of {after.date}, before {before.version} of {before.date}",
                "mend the day that is wrong",
            )


def place_in(releases: Releases, position: int, key: str) -> Place:
    """Return where the manifest says something of a release, by its position."""
    document = releases.manifest.document
    if document is None:
        return Place(file=releases.manifest_name)
    return document.place(("releases", str(position), key))


def wrong(rule: str, place: Place, message: str, help_: str) -> Finding:
    """Return a finding that keeps the releases from being right."""
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
