"""The folder of frozen releases, and the releases in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from devportal.changelog.releases.manifest import MANIFEST_NAME, Manifest, Record, read_manifest, sha256_of
from devportal.contract import Contract, Location, load_contract
from devportal.contract.audience import AudienceView
from devportal.contract.published.bundle import bundle
from devportal.contract.semantic_version import Version, read_version
from devportal.documents import read_document, to_yaml, why_irregular
from devportal.errors import Place, PortalError, UnreadableInput
from devportal.findings import Finding, error_finding, in_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A published version: its frozen file, and what is recorded of it, if anything is.

    `name` is the name of the file in messages. The contract is read on first use, and then kept.
    """

    version: str
    name: str
    sha256: str
    path: Path = field(repr=False)
    content: bytes = field(repr=False, compare=False)
    record: Record | None = field(default=None, repr=False)
    audience: AudienceView | None = field(default=None, repr=False)
    """The audience that the release is read for; None for everybody."""

    @property
    def number(self) -> Version:
        """Return the version as numbers, by which releases are ordered."""
        return parse_release_version(self.version)

    @property
    def date(self) -> date | None:
        """Return the date of the release; None if it is not recorded."""
        return self.record.date if self.record is not None else None

    @property
    def is_edited(self) -> bool:
        """Return whether this is not the file that was recorded."""
        return self.record is not None and self.record.sha256 != self.sha256

    @property
    def has_other_line_endings(self) -> bool:
        """Return whether this is the recorded file but for CRLF, which Git writes with `core.autocrlf`."""
        restored = self.content.replace(b"\r\n", b"\n")
        return self.is_edited and self.record is not None and self.record.sha256 == sha256_of(restored)

    def contract(self) -> Contract:
        """Return the frozen contract. Raises PortalError."""
        return _load_frozen_contract(self.path, self.name, self.sha256, self.audience)


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
        there = {release.version for release in self.releases}
        return tuple(record.version for record in self.manifest.records if record.version not in there)

    def lacks_between(self, old: Release | None, new: Release | None) -> bool:
        """Return whether a release is missing between two; None stands for the start or the end."""
        return any(
            (old is None or parse_release_version(text) > old.number)
            and (new is None or parse_release_version(text) < new.number)
            for text in self.missing
        )

    @property
    def last(self) -> Release | None:
        """Return the newest release, None before the first one."""
        return self.releases[-1] if self.releases else None


@lru_cache(maxsize=64)
def _load_frozen_contract(
    path: Path,
    name: str,
    sha256: str,  # noqa: ARG001 - what changes is read again
    audience: AudienceView | None,
) -> Contract:
    return load_contract(path, name=name, audience=audience, allow_repeated_keys=True)


def releases_for_audience(releases: Releases, audience: AudienceView) -> Releases:
    """Return the releases as an audience may see them: by the marks in the frozen files, each with its own
    content and checksum. A release that cannot be read is left out, as nobody knows what it may show.
    """
    return replace(
        releases,
        releases=tuple(_seen_releases(releases.releases, audience)),
    )


def _seen_releases(releases: tuple[Release, ...], audience: AudienceView) -> Iterator[Release]:
    for release in releases:
        seen = replace(release, audience=audience)
        try:
            content = to_yaml(bundle(seen.contract())).encode()
        except PortalError:
            continue
        digest = sha256_of(content)
        record = replace(release.record, sha256=digest) if release.record is not None else None
        yield replace(seen, content=content, sha256=digest, record=record)


def parse_release_version(version: str) -> Version:
    """Return a version of the form 1.2.3 as numbers."""
    major, minor, patch = (int(number) for number in version.split("."))
    return Version(major=major, minor=minor, patch=patch)


RESTORE_ADVICE = "restore the published file from your version control: a release never changes"


def check_content(release: Release) -> Iterator[Finding]:
    """Yield what is wrong with the content of a frozen contract."""
    try:
        contract = release.contract()
    except PortalError as error:
        place = error.place or Place(file=release.name)
        yield error_finding("release-unreadable", place, error.message, RESTORE_ADVICE)
        return
    if contract.api.version != release.version:
        yield error_finding(
            "release-name",
            contract.place(Location("", ("info", "version"))),
            f"`info.version` is {contract.api.version!r}, but the file is {release.path.name!r}",
            RESTORE_ADVICE,
        )


def check_files(releases: Releases) -> Iterator[Finding]:
    """Yield frozen contracts that are not on record, or not as they were recorded."""
    for release in releases.releases:
        if release.record is None:
            yield error_finding(
                "release-unrecorded",
                Place(file=release.name),
                f"{release.version} is not among the releases of {releases.manifest_name}",
                f"run `devportal release {release.version} --adopt --date YYYY-MM-DD` with the day on which it "
                "was published, or remove the file if it never was",
            )
        elif release.has_other_line_endings:
            yield error_finding(
                "release-edited",
                Place(file=release.name),
                f"the lines of this file end with CRLF, and those of the file published as {release.version} with LF",
                f"write `**/{releases.folder.name}/*.yaml -text` into .gitattributes, so that Git leaves them as they "
                f"are, delete the file, and run `git checkout -- {release.name}`",
            )
        elif release.is_edited:
            yield error_finding(
                "release-edited",
                Place(file=release.name),
                f"this file is not the one that was published as {release.version}: its SHA-256 is "
                f"{release.sha256[:12]}…, recorded is {release.record.sha256[:12]}…",
                f"{RESTORE_ADVICE}; what has to change is a new release",
            )


def check_missing(releases: Releases) -> Iterator[Finding]:
    """Yield records without their frozen contract."""
    missing = releases.missing
    for position, record in enumerate(releases.manifest.records):
        if record.version in missing:
            yield error_finding(
                "release-missing",
                manifest_place(releases, position, "version"),
                f"{record.version} was published, but {releases.name}/{record.version}.yaml does not exist",
                f"{RESTORE_ADVICE}; if `devportal release {record.version}` was interrupted, run it again",
            )


def check_order(releases: Releases) -> Iterator[Finding]:
    """Yield records that do not follow each other."""
    records = releases.manifest.records
    for position, (before, after) in enumerate(pairwise(records), start=1):
        if parse_release_version(after.version) <= parse_release_version(before.version):
            yield error_finding(
                "release-order",
                manifest_place(releases, position, "version"),
                f"{after.version} stands after {before.version}",
                "keep the releases in the order of their versions, each once",
            )
        if after.date < before.date:
            yield error_finding(
                "release-order",
                manifest_place(releases, position, "date"),
                f"{after.version} is of {after.date}, before {before.version} of {before.date}",
                "fix the wrong date",
            )


def manifest_place(releases: Releases, position: int, key: str) -> Place:
    """Return the place of a release's field in the manifest, by its position."""
    document = releases.manifest.document
    if document is None:
        return Place(file=releases.manifest_name)
    return document.place(("releases", str(position), key))


_FILE = re.compile(r"(\d+\.\d+\.\d+)\.yaml")


def load_releases(folder: Path, *, name: str) -> tuple[Releases, tuple[Finding, ...]]:
    """Return the releases of a folder that need not exist, and what is wrong with them, by place.

    Raises UnreadableInput if the folder cannot be listed.
    """
    if folder.exists() and not folder.is_dir():
        message, help_ = "this is not a folder of releases", "move it away, and restore the folder"
        not_a_folder = error_finding("release-file", Place(file=name), message, help_)
        return Releases(folder=folder, name=name), (not_a_folder,)
    manifest, findings = _load_manifest(folder / MANIFEST_NAME, f"{name}/{MANIFEST_NAME}")
    all_findings = list(findings)
    releases: list[Release] = []
    for path in _list_files(folder, name):
        matched = _FILE.fullmatch(path.name)
        if matched is None or read_version(matched[1]) is None or why_irregular(folder, path.name):
            all_findings.append(_not_a_release(f"{name}/{path.name}"))
            continue
        try:
            content = path.read_bytes()
        except OSError as error:
            all_findings.append(_unreadable_file(f"{name}/{path.name}", str(error.strerror or error)))
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
    releases.sort(key=lambda release: release.number)
    loaded = Releases(folder=folder, name=name, releases=tuple(releases), manifest=manifest)
    if not findings:
        all_findings += [*check_files(loaded), *check_order(loaded)]
    return loaded, in_order(all_findings)


def _load_manifest(path: Path, name: str) -> tuple[Manifest, tuple[Finding, ...]]:
    if why := why_irregular(path.parent, path.name):
        return Manifest(), (
            error_finding("release-manifest", Place(file=name), f"this is not read: {why}", RESTORE_ADVICE),
        )
    if not path.exists():
        return Manifest(), ()
    try:
        return read_manifest(read_document(path, name=name))
    except UnreadableInput as error:
        place = error.place or Place(file=name)
        return Manifest(), (error_finding("release-manifest", place, error.message, error.help),)


def _list_files(folder: Path, name: str) -> list[Path]:
    if not folder.exists():
        return []
    try:
        return sorted(
            path for path in folder.iterdir() if not path.name.startswith(".") and path.name != MANIFEST_NAME
        )
    except OSError as error:
        raise UnreadableInput(
            f"the folder of the releases cannot be read: {error.strerror or error}",
            place=Place(file=name),
            help="check the path and its permissions",
        ) from error


def _not_a_release(file: str) -> Finding:
    message = f"{file.rsplit('/', 1)[-1]!r} is not a release"
    help_ = (
        f"only `VERSION.yaml` such as `1.2.0.yaml` and `{MANIFEST_NAME}` lie here, no links: "
        "move it out of the folder"
    )
    return error_finding("release-file", Place(file=file), message, help_)


def _unreadable_file(file: str, why: str) -> Finding:
    return error_finding(
        "release-unreadable", Place(file=file), f"this file cannot be read: {why}", RESTORE_ADVICE
    )
