"""What a git revision proves of a project: what it had published is as it was, and its audit log only grew.

Where the folders were is read from the settings of the revision: whoever moves a folder, or takes it out of
the settings, does not get away from what was in it. Nothing of the revision is run.
"""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from mkdocs.exceptions import ConfigurationError
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from devportal.catalog import Catalog, load_catalog
from devportal.catalog.append_only import check_log_grew, check_published_versions, published_versions
from devportal.catalog.book import Book
from devportal.changelog import Entry, Releases, load_changelog, load_releases
from devportal.changelog.append_only import (
    check_entries_kept,
    check_releases_kept,
    published_entries,
    recorded_releases,
)
from devportal.documents import why_irregular
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level, in_order
from devportal.git import Revision, find_revision
from devportal.review.pending import LOG
from devportal.review.project import SettingsLoader, plugin_options
from devportal.site.check import project_of
from devportal.site.settings import Settings

_UNREADABLE = frozenset({"release-manifest", "release-unreadable"})
"""Rules of releases that keep what is on record from being known."""
_NO_RELEASES = Releases(folder=Path(), name="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """What is not as a revision has it, and in a sentence what was compared."""

    findings: tuple[Finding, ...]
    summary: str


def check_project_since(config_file: Path, name: str) -> Since:
    """Compare a project with the revision of its repository that git knows by a name. Raises PortalError."""
    _, inputs = project_of(config_file)
    config_file = config_file.resolve()
    revision = find_revision(name, config_file.parent)
    if revision is None:
        return _nothing_to_compare(name, "it is the id that forges give to no revision")
    config = revision.path(config_file)
    with TemporaryDirectory(prefix="devportal-since-") as folder:
        work_tree = Path(folder)
        if not revision.lay_out(config, work_tree):
            return _nothing_to_compare(name, f"it has no {config}")
        folders = _Folders(records=inputs.records, releases=inputs.releases, changelog=inputs.changelog)
        now = _read(folders, inputs.name)
        before = _read(
            _folders_before(revision, config, work_tree),
            lambda path: f"{name}:{path.relative_to(work_tree).as_posix()}",
            book=now.catalog.records.book,
        )
        return _compare(before, now, name)


def check_records_since(records: Path, name: str) -> Since:
    """Compare a folder of records with the revision that git knows by a name. Raises PortalError."""
    revision = find_revision(name, records)
    if revision is None:
        return _nothing_to_compare(name, "it is the id that forges give to no revision")
    path = revision.path(records.resolve())
    with TemporaryDirectory(prefix="devportal-since-") as folder:
        if not revision.lay_out(path, Path(folder)):
            return _nothing_to_compare(name, f"it has no folder {path}")
        now = _read(_Folders(records=records), Path.as_posix)
        book = now.catalog.records.book
        before = _read(_Folders(records=Path(folder) / path), lambda _: f"{name}:{path}", book=book)
        return _compare(before, now, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folders:
    """The folders of what is published; None where a project has none."""

    records: Path | None = None
    releases: Path | None = None
    changelog: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What a project has published. `records` and `changelog` are what messages call the folders."""

    records: str = ""
    log: bytes = field(default=b"", repr=False)
    catalog: Catalog = field(default_factory=Catalog, repr=False)
    releases: Releases = field(repr=False)
    changelog: str = ""
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    unreadable: tuple[Finding, ...] = ()
    """What keeps the releases from being known."""


def _folders_before(revision: Revision, config: str, work_tree: Path) -> _Folders:
    """Lay out the folders that the settings of a revision name, and return where they are."""
    options = plugin_options(_settings_before(revision, config, work_tree))
    if options is None:
        return _Folders()

    def path(setting: str, default: str = "") -> str:
        written = default if options.get(setting) is None else options[setting]
        if not isinstance(written, str):
            raise _settings_error(revision, config, f"the setting {setting!r} is no text")
        return _beside(revision, config, written) if written else ""

    def folder(path: str) -> Path | None:
        return work_tree / path if path and revision.lay_out(path, work_tree) else None

    contract = path("contract", Settings.contract.default)
    beside = posixpath.join(posixpath.dirname(contract), "releases") if contract else ""
    return _Folders(
        records=folder(path("records")),
        releases=folder(path("releases") or beside),
        changelog=folder(path("changelog")),
    )


def _settings_before(revision: Revision, config: str, work_tree: Path) -> Any:
    """Return the settings of a revision, with those that they inherit. Tags for MkDocs make nothing."""
    loader = get_yaml_loader(SettingsLoader)
    try:
        files = [config]
        while parent := _parent(work_tree / files[-1]):
            files.append(_beside(revision, files[-1], parent))
            if files[-1] in files[:-1]:
                raise _settings_error(revision, config, "it inherits from itself")
            revision.lay_out(files[-1], work_tree)
        with (work_tree / config).open("rb") as file:
            return yaml_load(file, loader)
    except (OSError, ValueError, yaml.YAMLError, ConfigurationError) as error:
        raise _settings_error(revision, config, "it cannot be read") from error


def _parent(settings: Path) -> str:
    """Return the file that settings inherit from, the empty text where there is none."""
    data = yaml.load(settings.read_text(encoding="utf-8"), SettingsLoader)  # noqa: S506 - a safe loader
    return str(data.get("INHERIT") or "") if isinstance(data, dict) else ""


def _beside(revision: Revision, config: str, written: str) -> str:
    """Return a path as the repository has it, which a file of settings names."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(config), written))
    if path.startswith(("../", "/")) or path == "..":
        raise _settings_error(revision, config, f"{written!r} leads out of the repository")
    return path


def _settings_error(revision: Revision, config: str, why: str) -> UnreadableInput:
    return UnreadableInput(
        f"what {revision.name} has published cannot be found: {why}",
        place=Place(file=f"{revision.name}:{config}"),
        help="run devportal check --records FOLDER --since REVISION for its records",
    )


def _read(folders: _Folders, name: Callable[[Path], str], *, book: Book | None = None) -> _State:
    """Read what a project has published; what is wrong in it is for others to report.

    `book` is that of today, by which records of a revision without a rate book are read.
    """
    records, releases, changelog = folders.records, folders.releases, folders.changelog
    frozen, found = load_releases(releases, name=name(releases)) if releases else (_NO_RELEASES, ())
    return _State(
        records=name(records) if records else "",
        log=_log_in(records) if records else b"",
        catalog=load_catalog(records, name=name(records), book=book)[0] if records else Catalog(),
        releases=frozen,
        changelog=name(changelog) if changelog else "",
        entries=load_changelog(changelog, name=name(changelog))[0] if changelog else (),
        unreadable=tuple(one for one in found if one.rule in _UNREADABLE),
    )


def _log_in(records: Path) -> bytes:
    log = records / LOG
    return log.read_bytes() if log.exists() and not why_irregular(records, LOG) else b""


def _compare(before: _State, now: _State, base: str) -> Since:
    records, changelog = now.records or before.records, now.changelog or before.changelog
    releases = now.releases if now.releases.name else replace(now.releases, name=before.releases.name)
    findings = [
        *_report_unreadable(before, base),
        *check_log_grew(before.log, now.log, name=f"{records}/{LOG}", base=base),
        *(
            check_published_versions(before.catalog, now.catalog, name=records, base=base)
            if now.records
            else ()
        ),
        *check_releases_kept(before.releases, releases, base=base),
        *check_entries_kept(before.entries, now.entries, before.releases, name=changelog, base=base),
    ]
    counts = {
        "entries of the audit log": len(before.catalog.audit.entries),
        "published versions": len(published_versions(before.catalog)),
        "releases": len(recorded_releases(before.releases)),
        "changelog entries": len(published_entries(before.entries, before.releases)),
    }
    what = (
        ", ".join(f"{count:,} {of}" for of, count in counts.items() if count) or "nothing is published there"
    )
    return Since(findings=in_order(findings), summary=f"compared with {base}: {what}")


def _report_unreadable(before: _State, base: str) -> Iterator[Finding]:
    for one in before.unreadable:
        yield Finding(
            rule="since-unreadable",
            level=Level.ERROR,
            place=one.place,
            message=f"nothing can be proven of the releases of {base}: {one.message}",
            help="compare them by eye, and merge the repair by itself",
        )


def _nothing_to_compare(name: str, why: str) -> Since:
    finding = Finding(
        rule="since-nothing",
        level=Level.WARNING,
        place=Place(file=name),
        message=f"nothing is compared with {name}: {why}",
        help="this is right for a project that is new there",
    )
    return Since(findings=(finding,), summary=f"compared with {name}: nothing")
