"""A folder of frozen contracts, `VERSION.yaml` each, and their manifest, into releases and findings."""

import re
from pathlib import Path

from devportal.changelog.manifest import NAME, Manifest, read_manifest, sha256_of
from devportal.changelog.release_checks import RESTORE, check_files, check_order, wrong
from devportal.changelog.releases import Release, Releases
from devportal.differ.versions import read_version
from devportal.documents import read_document, why_irregular
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, in_order

_FILE = re.compile(r"(\d+\.\d+\.\d+)\.yaml")


def load_releases(folder: Path, *, name: str) -> tuple[Releases, tuple[Finding, ...]]:
    """Return the releases of a folder that need not exist, and what is wrong with them, by place.

    Raises UnreadableInput where the folder cannot be listed.
    """
    if folder.exists() and not folder.is_dir():
        message, help_ = "this is no folder of releases", "move it away, and take the folder back"
        stands_there = wrong("release-file", Place(file=name), message, help_)
        return Releases(folder=folder, name=name), (stands_there,)
    manifest, findings = _manifest(folder / NAME, f"{name}/{NAME}")
    found = list(findings)
    releases: list[Release] = []
    for path in _listed(folder, name):
        matched = _FILE.fullmatch(path.name)
        if matched is None or read_version(matched[1]) is None or why_irregular(folder, path.name):
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
    if not findings:
        found += [*check_files(made), *check_order(made)]
    return made, in_order(found)


def _manifest(path: Path, name: str) -> tuple[Manifest, tuple[Finding, ...]]:
    if why := why_irregular(path.parent, path.name):
        return Manifest(), (wrong("release-manifest", Place(file=name), f"this is not read: {why}", RESTORE),)
    if not path.exists():
        return Manifest(), ()
    try:
        return read_manifest(read_document(path, name=name))
    except UnreadableInput as error:
        place = error.place or Place(file=name)
        return Manifest(), (wrong("release-manifest", place, error.message, error.help),)


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


def _stranger(file: str) -> Finding:
    message = f"{file.rsplit('/', 1)[-1]!r} is no release"
    help_ = (
        f"only `VERSION.yaml` such as `1.2.0.yaml` and `{NAME}` lie here, no links: move it out of the folder"
    )
    return wrong("release-file", Place(file=file), message, help_)


def _unreadable(file: str, why: str) -> Finding:
    return wrong("release-unreadable", Place(file=file), f"this file cannot be read: {why}", RESTORE)
