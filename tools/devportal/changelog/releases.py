"""The frozen contracts beside the working one, `VERSION.yaml` each, and what is wrong with them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from devportal.changelog.manifest import NAME, Manifest, Record, read_manifest, sha256_of
from devportal.contract import Contract, Location, load_contract
from devportal.differ.versions import Version, read_version
from devportal.documents import read_document
from devportal.errors import Place, PortalError, UnreadableInput
from devportal.findings import Finding, Level, in_order

_FILE = re.compile(r"(\d+\.\d+\.\d+)\.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A published version: its frozen file, and what is recorded of it, if anything is.

    `name` is what messages call the file. The contract is read where it is asked for, and then kept.
    """

    version: str
    name: str
    sha256: str
    path: Path = field(repr=False)
    content: bytes = field(repr=False, compare=False)
    record: Record | None = field(default=None, repr=False)

    @property
    def number(self) -> Version:
        """Return the version as numbers, by which releases are ordered."""
        return numbers(self.version)

    @property
    def date(self) -> date | None:
        """Return the day of the release, None where it is not recorded."""
        return self.record.date if self.record is not None else None

    @property
    def is_edited(self) -> bool:
        """Say whether this is not the file that was recorded."""
        return self.record is not None and self.record.sha256 != self.sha256

    def contract(self) -> Contract:
        """Return the frozen contract. Raises PortalError."""
        return _frozen(self.path, self.name, self.sha256)


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases:
    """The releases of a folder, the oldest first, and their manifest. `name` is what messages call it."""

    folder: Path
    name: str
    releases: tuple[Release, ...] = ()
    manifest: Manifest = field(default_factory=Manifest)

    @property
    def manifest_name(self) -> str:
        """Return what messages call the manifest."""
        return f"{self.name}/{NAME}"

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the versions that are recorded and have no frozen contract."""
        there = {one.version for one in self.releases}
        return tuple(one.version for one in self.manifest.records if one.version not in there)

    def lacks_between(self, old: Release | None, new: Release | None) -> bool:
        """Say whether a version is missing between two, or before or after all where there is none."""
        return any(
            (old is None or numbers(one) > old.number) and (new is None or numbers(one) < new.number)
            for one in self.missing
        )

    @property
    def last(self) -> Release | None:
        """Return the newest release, None before the first one."""
        return self.releases[-1] if self.releases else None


def load_releases(folder: Path, *, name: str) -> tuple[Releases, tuple[Finding, ...]]:
    """Return the releases of a folder that need not exist, and what is wrong with them, by place.

    Raises UnreadableInput where the folder cannot be listed.
    """
    if folder.exists() and not folder.is_dir():
        message, help_ = "this is no folder of releases", "move it away, and take the folder back"
        stands_there = _error("release-file", Place(file=name), message, help_)
        return Releases(folder=folder, name=name), (stands_there,)
    manifest, findings = _manifest(folder / NAME, f"{name}/{NAME}")
    found = list(findings)
    releases: list[Release] = []
    for path in _listed(folder, name):
        matched = _FILE.fullmatch(path.name)
        if matched is None or read_version(matched[1]) is None or not path.is_file():
            found.append(_stranger(f"{name}/{path.name}"))
            continue
        try:
            content = path.read_bytes()
        except OSError as error:
            found.append(_unreadable(f"{name}/{path.name}", str(error.strerror or error)))
            continue
        version = matched[1]
        record = manifest.record(version)
        releases.append(
            Release(
                version=version,
                name=f"{name}/{path.name}",
                sha256=sha256_of(content),
                path=path,
                content=content,
                record=record,
            )
        )
    releases.sort(key=lambda one: one.number)
    made = Releases(folder=folder, name=name, releases=tuple(releases), manifest=manifest)
    return made, in_order([*found, *_check(made)])


def _manifest(path: Path, name: str) -> tuple[Manifest, tuple[Finding, ...]]:
    if not path.exists():
        return Manifest(), ()
    try:
        return read_manifest(read_document(path, name=name))
    except UnreadableInput as error:
        place = error.place or Place(file=name)
        return Manifest(), (_error("release-manifest", place, error.message, error.help),)


def _listed(folder: Path, name: str) -> list[Path]:
    if not folder.exists():
        return []
    try:
        return sorted(
            path for path in folder.iterdir() if not path.name.startswith(".") and path.name != NAME
        )
    except OSError as error:
        raise UnreadableInput(
            f"the folder of the releases cannot be read: {error.strerror or error}",
            place=Place(file=name),
            help="check the path and its permissions",
        ) from error


@lru_cache(maxsize=64)
def _frozen(path: Path, name: str, sha256: str) -> Contract:  # noqa: ARG001 - what changes is read again
    return load_contract(path, name=name)


def numbers(version: str) -> Version:
    """Return a version of the form 1.2.3 as numbers."""
    major, minor, patch = (int(number) for number in version.split("."))
    return Version(major=major, minor=minor, patch=patch)


def check_content(release: Release) -> Iterator[Finding]:
    """Yield what is wrong with a frozen contract that only its content tells."""
    try:
        contract = release.contract()
    except PortalError as error:
        place = error.place or Place(file=release.name)
        yield _error("release-unreadable", place, error.message, _RESTORE)
        return
    if contract.api.version != release.version:
        yield _error(
            "release-name",
            contract.place(Location("", ("info", "version"))),
            f"`info.version` is {contract.api.version!r}, but the file is {release.path.name!r}",
            _RESTORE,
        )


_RESTORE = "take the file as it was published back from your version control: a release never changes"


def _check(releases: Releases) -> Iterator[Finding]:
    yield from _check_files(releases)
    yield from _check_order(releases)


def _check_files(releases: Releases) -> Iterator[Finding]:
    for one in releases.releases:
        if one.record is None:
            yield _error(
                "release-unrecorded",
                Place(file=one.name),
                f"{one.version} is not among the releases of {releases.manifest_name}",
                f"run `devportal release {one.version} --adopt --date YYYY-MM-DD` with the day on which it "
                "was published, or remove the file if it never was",
            )
        elif one.is_edited:
            yield _error(
                "release-edited",
                Place(file=one.name),
                f"this file is not the one that was published as {one.version}: its SHA-256 is "
                f"{one.sha256[:12]}…, recorded is {one.record.sha256[:12]}…",
                f"{_RESTORE}; what has to change is a new release",
            )
    there = {one.version for one in releases.releases}
    for position, record in enumerate(releases.manifest.records):
        if record.version not in there:
            yield _error(
                "release-missing",
                _place(releases, position, "version"),
                f"{record.version} was published, and {releases.name}/{record.version}.yaml is not there",
                f"{_RESTORE}; where `devportal release {record.version}` was interrupted, run it again",
            )


def _check_order(releases: Releases) -> Iterator[Finding]:
    records = releases.manifest.records
    for position, (before, after) in enumerate(pairwise(records), start=1):
        if numbers(after.version) <= numbers(before.version):
            yield _error(
                "release-order",
                _place(releases, position, "version"),
                f"{after.version} stands after {before.version}",
                "keep the releases in the order of their versions, each once",
            )
        if after.date < before.date:
            yield _error(
                "release-order",
                _place(releases, position, "date"),
                f"{after.version} is of {after.date}, before {before.version} of {before.date}",
                "mend the day that is wrong",
            )


def _place(releases: Releases, position: int, key: str) -> Place:
    document = releases.manifest.document
    if document is None:
        return Place(file=releases.manifest_name)
    return document.place(("releases", str(position), key))


def _stranger(file: str) -> Finding:
    message = f"{file.rsplit('/', 1)[-1]!r} is no release"
    help_ = f"only `VERSION.yaml` such as `1.2.0.yaml` and `{NAME}` lie here: move it out of the folder"
    return _error("release-file", Place(file=file), message, help_)


def _unreadable(file: str, why: str) -> Finding:
    return _error("release-unreadable", Place(file=file), f"this file cannot be read: {why}", _RESTORE)


def _error(rule: str, place: Place, message: str, help_: str) -> Finding:
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
