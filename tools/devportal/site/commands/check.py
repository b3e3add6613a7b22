"""All checks of a project or a contract without building the site, and what a git revision proves."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError
from mkdocs.structure.files import get_files, set_exclusions
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from devportal.catalog import Catalog, check_catalog, load_catalog
from devportal.catalog.book.book import Book
from devportal.catalog.records.append_only import check_log_grew, check_published_versions, published_versions
from devportal.catalog.review.folder import SettingsLoader, plugin_options
from devportal.catalog.review.lock import read_lock
from devportal.catalog.review.write_ahead import LOG
from devportal.changelog import Entry, Releases, load_changelog, load_releases
from devportal.changelog.releases.append_only import (
    check_entries_kept,
    check_releases_kept,
    published_entries,
    recorded_releases,
)
from devportal.contract import Api, Contract, check_contract, load_contract
from devportal.contract.validate.second_opinion import RULE as SECOND_OPINION
from devportal.contract.validate.second_opinion import (
    is_worth_asking,
    remarks_from_json,
    remarks_to_json,
    second_findings,
    second_opinion,
)
from devportal.derived_cache import Memory
from devportal.documents import why_irregular
from devportal.errors import Place, UnreadableInput
from devportal.extras import Extra, missing_packages
from devportal.findings import Finding, Level, in_order
from devportal.git import Revision, find_revision
from devportal.project import inputs
from devportal.project.caches import toolkit_digest
from devportal.project.inputs import Inputs, redirects_beside
from devportal.project.settings import path_settings
from devportal.reference.addresses import addresses_of
from devportal.site.commands.build import capture_mkdocs_log, plugin_of, to_portal_error
from devportal.site.hand_written.inserting import insert_problems_of_site
from devportal.site.hand_written.inserts import Inserts
from devportal.site.output.redirects import read_redirects
from devportal.site.portal import load_inputs
from devportal.site.versions.older_editions import unreadable_releases_in
from devportal.unexpected_errors import frame_in_user_code


def check_contract_file(
    contract: Path, *, allow_outside_references: bool = False, cache: Path | None = None
) -> tuple[Finding, ...]:
    """Return everything that is wrong with a contract. Raises PortalError where it cannot be read.

    What openapi-spec-validator says of it is kept in the folder `cache`, if there is one.
    """
    read = load_contract(contract, allow_outside_references=allow_outside_references)
    findings = list(_contract_findings(read, cache))
    redirects = redirects_beside(contract)
    if redirects is not None:
        findings += _redirect_findings(redirects, read.api)
    return in_order(findings)


def _contract_findings(contract: Contract, cache: Path | None) -> tuple[Finding, ...]:
    """Return what our own checks find in a contract, and the second opinion if its extra is installed."""
    findings = check_contract(contract)
    if missing_packages(Extra.VALIDATE) or not is_worth_asking(findings):
        return findings
    memory = Memory(cache, toolkit=f"{toolkit_digest()} {version('openapi-spec-validator')}")
    known = memory.get(SECOND_OPINION, contract.digest)
    remarks = remarks_from_json(known) if known is not None else second_opinion(contract)
    if known is None:
        memory.put(remarks_to_json(remarks), SECOND_OPINION, contract.digest)
    return (*findings, *second_findings(contract, remarks, findings))


def _redirect_findings(redirects: Path, api: Api) -> tuple[Finding, ...]:
    """Return what is wrong with the redirects beside a contract, for a site of it alone."""
    addresses = addresses_of(api, overview="index.md")
    return read_redirects(redirects, name=str(redirects), api=api, addresses=addresses, is_strict=False)[1]


def check_records(folder: Path) -> tuple[Finding, ...]:
    """Return everything that is wrong with records and their log. Raises PortalError where there are none."""
    with read_lock(folder):
        catalog, found = load_catalog(folder, name=folder.as_posix())
    return in_order([*found, *check_catalog(catalog, today=inputs.today())])


def load_project(config_file: Path, *, cache: Path | None = None) -> tuple[MkDocsConfig, Inputs]:
    """Return a project's configuration, and where its inputs are. Raises PortalError.

    Comparisons of releases are kept in the folder `cache`, if there is one.
    """
    with capture_mkdocs_log() as heard:
        try:
            config = load_config(str(config_file))
        except (Abort, ConfigurationError) as error:
            raise to_portal_error(error, heard.errors) from error
        except ValueError as error:
            if frame_in_user_code(error):
                raise
            raise to_portal_error(error) from error
    plugin = plugin_of(config)
    plugin.comparisons = cache
    return config, plugin.inputs(config)


def check_project(config_file: Path, *, cache: Path | None = None) -> tuple[Finding, ...]:
    """Return everything that is wrong with a project's inputs. Raises PortalError."""
    config, inputs = load_project(config_file, cache=cache)
    material = load_inputs(inputs)
    findings = [*material.findings, *unreadable_releases_in(material)]
    if material.contract is not None:
        findings += _contract_findings(material.contract, cache)
    files = get_files(config)
    set_exclusions(files, config)
    api = material.contract.api if material.contract else None
    inserts = Inserts(api, overview=inputs.overview, plugins=inputs.plugins)
    findings += insert_problems_of_site(files, inserts, inputs)
    return in_order(findings)


_UNREADABLE = frozenset({"release-manifest", "release-unreadable"})
"""Rules of releases that keep what is on record from being known."""
_NO_RELEASES = Releases(folder=Path(), name="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionComparison:
    """What is not as a revision has it, and in a sentence what was compared."""

    findings: tuple[Finding, ...]
    summary: str


def check_project_since(config_file: Path, name: str) -> RevisionComparison:
    """Compare a project with the revision of its repository that git knows by a name. Raises PortalError."""
    _, inputs = load_project(config_file)
    config_file = config_file.resolve()
    revision = find_revision(name, config_file.parent)
    if revision is None:
        return _nothing_to_compare(name, "it is the id that forges give to no revision")
    config = revision.path(config_file)
    with TemporaryDirectory(prefix="devportal-since-") as folder:
        work_tree = Path(folder)
        if not revision.lay_out(config, work_tree):
            return _nothing_to_compare(name, f"it has no {config}")
        folders = _PublishedFolders(
            records=inputs.records, releases=inputs.releases, changelog=inputs.changelog
        )
        now = _read_state(folders, inputs.name)
        before = _read_state(
            _folders_before(revision, config, work_tree),
            lambda path: f"{name}:{path.relative_to(work_tree).as_posix()}",
            book=now.catalog.records.book,
        )
        return _compare(before, now, name)


def check_records_since(records: Path, name: str) -> RevisionComparison:
    """Compare a folder of records with the revision that git knows by a name. Raises PortalError."""
    revision = find_revision(name, records)
    if revision is None:
        return _nothing_to_compare(name, "it is the id that forges give to no revision")
    path = revision.path(records.resolve())
    with TemporaryDirectory(prefix="devportal-since-") as folder:
        if not revision.lay_out(path, Path(folder)):
            return _nothing_to_compare(name, f"it has no folder {path}")
        now = _read_state(_PublishedFolders(records=records), Path.as_posix)
        book = now.catalog.records.book
        before = _read_state(
            _PublishedFolders(records=Path(folder) / path), lambda _: f"{name}:{path}", book=book
        )
        return _compare(before, now, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PublishedFolders:
    """The folders of what is published; None where a project has none."""

    records: Path | None = None
    releases: Path | None = None
    changelog: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _PublishedState:
    """What a project has published. `records` and `changelog` are what messages call the folders."""

    records: str = ""
    log: bytes = field(default=b"", repr=False)
    catalog: Catalog = field(default_factory=Catalog, repr=False)
    releases: Releases = field(repr=False)
    changelog: str = ""
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    unreadable: tuple[Finding, ...] = ()
    """What keeps the releases from being known."""


def _folders_before(revision: Revision, config: str, work_tree: Path) -> _PublishedFolders:
    """Lay out the folders that the settings of a revision name, and return where they are."""
    options = plugin_options(_settings_before(revision, config, work_tree))
    if options is None:
        return _PublishedFolders()

    def path(setting: str, default: str = "") -> str:
        written = default if options.get(setting) is None else options[setting]
        if not isinstance(written, str):
            raise _settings_error(revision, config, f"the setting {setting!r} is no text")
        return _repository_path(revision, config, written) if written else ""

    def folder(path: str) -> Path | None:
        return work_tree / path if path and revision.lay_out(path, work_tree) else None

    contract = path("contract", path_settings()["contract"].default)
    beside = posixpath.join(posixpath.dirname(contract), "releases") if contract else ""
    return _PublishedFolders(
        records=folder(path("records")),
        releases=folder(path("releases") or beside),
        changelog=folder(path("changelog")),
    )


def _settings_before(revision: Revision, config: str, work_tree: Path) -> Any:
    """Return the settings of a revision, with those that they inherit. Tags for MkDocs make nothing."""
    loader = get_yaml_loader(SettingsLoader)
    try:
        files = [config]
        while parent := _inherited_settings(work_tree / files[-1]):
            files.append(_repository_path(revision, files[-1], parent))
            if files[-1] in files[:-1]:
                raise _settings_error(revision, config, "it inherits from itself")
            revision.lay_out(files[-1], work_tree)
        with (work_tree / config).open("rb") as file:
            return yaml_load(file, loader)
    except (OSError, ValueError, yaml.YAMLError, ConfigurationError) as error:
        raise _settings_error(revision, config, "it cannot be read") from error


def _inherited_settings(settings: Path) -> str:
    """Return the file that settings inherit from, the empty text where there is none."""
    data = yaml.load(settings.read_text(encoding="utf-8"), SettingsLoader)  # noqa: S506 - a safe loader
    return str(data.get("INHERIT") or "") if isinstance(data, dict) else ""


def _repository_path(revision: Revision, config: str, written: str) -> str:
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


def _read_state(
    folders: _PublishedFolders, name: Callable[[Path], str], *, book: Book | None = None
) -> _PublishedState:
    """Read what a project has published; what is wrong in it is for others to report.

    `book` is that of today, by which records of a revision without a rate book are read.
    """
    records, releases, changelog = folders.records, folders.releases, folders.changelog
    frozen, found = load_releases(releases, name=name(releases)) if releases else (_NO_RELEASES, ())
    return _PublishedState(
        records=name(records) if records else "",
        log=_audit_log(records) if records else b"",
        catalog=load_catalog(records, name=name(records), book=book)[0] if records else Catalog(),
        releases=frozen,
        changelog=name(changelog) if changelog else "",
        entries=load_changelog(changelog, name=name(changelog))[0] if changelog else (),
        unreadable=tuple(one for one in found if one.rule in _UNREADABLE),
    )


def _audit_log(records: Path) -> bytes:
    log = records / LOG
    return log.read_bytes() if log.exists() and not why_irregular(records, LOG) else b""


def _compare(before: _PublishedState, now: _PublishedState, base: str) -> RevisionComparison:
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
    return RevisionComparison(findings=in_order(findings), summary=f"compared with {base}: {what}")


def _report_unreadable(before: _PublishedState, base: str) -> Iterator[Finding]:
    for one in before.unreadable:
        yield Finding(
            rule="since-unreadable",
            level=Level.ERROR,
            place=one.place,
            message=f"nothing can be proven of the releases of {base}: {one.message}",
            help="compare them by eye, and merge the repair by itself",
        )


def _nothing_to_compare(name: str, why: str) -> RevisionComparison:
    finding = Finding(
        rule="since-nothing",
        level=Level.WARNING,
        place=Place(file=name),
        message=f"nothing is compared with {name}: {why}",
        help="this is right for a project that is new there",
    )
    return RevisionComparison(findings=(finding,), summary=f"compared with {name}: nothing")
