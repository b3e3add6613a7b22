"""The frozen contracts beside the working one as values: each release, and all with their manifest."""

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

from devportal.changelog.releases.manifest import MANIFEST_NAME, Manifest, Record
from devportal.contract import Contract, load_contract
from devportal.differ.walk.versions import Version


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
        return parse_release_version(self.version)

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
        return _load_frozen_contract(self.path, self.name, self.sha256)


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
        return f"{self.name}/{MANIFEST_NAME}"

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the versions that are recorded and have no frozen contract."""
        there = {one.version for one in self.releases}
        return tuple(one.version for one in self.manifest.records if one.version not in there)

    def lacks_between(self, old: Release | None, new: Release | None) -> bool:
        """Say whether a version is missing between two, or before or after all where there is none."""
        return any(
            (old is None or parse_release_version(one) > old.number)
            and (new is None or parse_release_version(one) < new.number)
            for one in self.missing
        )

    @property
    def last(self) -> Release | None:
        """Return the newest release, None before the first one."""
        return self.releases[-1] if self.releases else None


@lru_cache(maxsize=64)
def _load_frozen_contract(path: Path, name: str, sha256: str) -> Contract:  # noqa: ARG001 - what changes is read again
    return load_contract(path, name=name)


def parse_release_version(version: str) -> Version:
    """Return a version of the form 1.2.3 as numbers."""
    major, minor, patch = (int(number) for number in version.split("."))
    return Version(major=major, minor=minor, patch=patch)
