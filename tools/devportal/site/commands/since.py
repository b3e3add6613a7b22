"""What a revision of git had published, compared with the project or the records of today."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from mkdocs.exceptions import ConfigurationError
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level, in_order
from devportal.git import Revision, find_revision
from devportal.project.inputs import Inputs
from devportal.project.settings import path_settings
from devportal.project.settings_file import SettingsLoader, plugin_options, read_settings_file
from devportal.reporting.printable import count_noun
from devportal.site.project_file import load_project
from devportal.site.sections.registry import SECTIONS
from devportal.site.sections.section import PublishedComparison, PublishedFolder, PublishedFolders

_APPEND_ONLY = tuple(name for row in SECTIONS for name in row.append_only)


_ByApi = Mapping[str, PublishedFolders]
"""The published folders of several APIs by their names; those of the site, and of a single contract, have none."""
_OF_SITE = frozenset({"records"})
"""The settings of folders that are of the whole site."""


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
        now = {
            api_inputs.portal_api.name if api_inputs.portal_api is not None else "": _folders_now(api_inputs)
            for api_inputs in (inputs, *inputs.apis)
        }
        before = _folders_before(revision, config, work_tree)
        if "" in before and not before.keys() - {""} and inputs.apis:
            before = _as_of_apis(before[""], now)
        return _compare(before, now, name)


def _folders_now(inputs: Inputs) -> PublishedFolders:
    paths = ((setting, getattr(inputs, setting)) for setting in _APPEND_ONLY)
    return {setting: PublishedFolder(path=path, name=inputs.name(path)) for setting, path in paths if path}


def _as_of_apis(before: PublishedFolders, now: _ByApi) -> _ByApi:
    """Return the folders of a revision with one contract as those of the API that has them now, if one has."""
    own = {setting: folder for setting, folder in before.items() if setting not in _OF_SITE}
    names = {folder.path.name for folder in own.values()}
    owners = [
        name
        for name, folders in now.items()
        if name and names & {folder.path.name for folder in folders.values()}
    ]
    if len(owners) != 1:
        return {"": before}
    return {
        "": {name: published_folder for name, published_folder in before.items() if name in _OF_SITE},
        owners[0]: own,
    }


def check_records_since(records: Path, name: str) -> RevisionComparison:
    """Compare a folder of records with the revision that git knows by a name. Raises PortalError."""
    revision = find_revision(name, records)
    if revision is None:
        return _nothing_to_compare(name, "it is the id that forges give to no revision")
    path = revision.path(records.resolve())
    with TemporaryDirectory(prefix="devportal-since-") as folder:
        if not revision.lay_out(path, Path(folder)):
            return _nothing_to_compare(name, f"it has no folder {path}")
        before = PublishedFolder(path=Path(folder) / path, name=f"{name}:{path}")
        now = PublishedFolder(path=records, name=records.as_posix())
        return _compare({"": {"records": before}}, {"": {"records": now}}, name)


def _folders_before(revision: Revision, config: str, work_tree: Path) -> _ByApi:
    """Lay out the folders that the settings of a revision name, and return where they are, by API."""
    options = plugin_options(_settings_before(revision, config, work_tree))
    if options is None:
        return {}
    contracts = options.get("contracts")
    if not isinstance(contracts, dict) or not contracts:
        return {"": _folders_of_options(revision, config, work_tree, options, has_usual=True)}
    folders = {
        "": _folders_of_options(revision, config, work_tree, {**options, "contract": ""}, has_usual=False)
    }
    written = {
        str(name): contract if isinstance(contract, dict) else {"file": contract}
        for name, contract in contracts.items()
    }
    parents = [posixpath.dirname(str(item.get("file"))) for item in written.values()]
    for name, value in written.items():
        own = {**value, "contract": value.get("file"), "records": ""}
        is_alone = parents.count(posixpath.dirname(str(value.get("file")))) == 1
        folders[name] = _folders_of_options(revision, config, work_tree, own, has_usual=is_alone)
    return folders


def _folders_of_options(
    revision: Revision, config: str, work_tree: Path, options: Mapping[str, Any], *, has_usual: bool
) -> PublishedFolders:
    """Lay out the folders of one contract. With `has_usual`, what is not named may lie beside the contract."""
    settings = path_settings()

    def path(setting: str) -> str:
        written = settings[setting].default if options.get(setting) is None else options[setting]
        if not isinstance(written, str):
            raise _settings_error(revision, config, f"the setting {setting!r} is not text")
        return _repository_path(revision, config, written) if written else ""

    contract = path("contract")
    folders = {}
    for setting in _APPEND_ONLY:
        beside = settings[setting].beside.rstrip("/")
        usual = (
            posixpath.join(posixpath.dirname(contract), beside) if contract and beside and has_usual else ""
        )
        folder = path(setting) or usual
        if folder and revision.lay_out(folder, work_tree):
            folders[setting] = PublishedFolder(path=work_tree / folder, name=f"{revision.name}:{folder}")
    return folders


def _settings_before(revision: Revision, config: str, work_tree: Path) -> Any:
    """Return the settings of a revision, with those that they inherit. Tags for MkDocs make nothing."""
    loader = get_yaml_loader(SettingsLoader)
    try:
        files = [config]
        while parent := _inherited_settings(revision, config, work_tree / files[-1]):
            files.append(_repository_path(revision, files[-1], parent))
            if files[-1] in files[:-1]:
                raise _settings_error(revision, config, "it inherits from itself")
            revision.lay_out(files[-1], work_tree)
        with (work_tree / config).open("rb") as file:
            return yaml_load(file, loader)
    except (OSError, ValueError, yaml.YAMLError, ConfigurationError) as error:
        raise _settings_error(revision, config, "it cannot be read") from error


def _inherited_settings(revision: Revision, config: str, settings: Path) -> str:
    """Return the file that settings inherit from, the empty text if there is none."""
    try:
        data = read_settings_file(settings)
    except UnreadableInput as error:
        raise _settings_error(revision, config, "it cannot be read") from error
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


def _compare(before: _ByApi, now: _ByApi, base: str) -> RevisionComparison:
    """Compare each section of each API that there is, or was."""
    compared = [
        row.load().compare_published(before.get(api, {}), now.get(api, {}), base=base)
        for api in dict.fromkeys((*now, *before))
        for row in SECTIONS
        if any(name in before.get(api, {}) or name in now.get(api, {}) for name in row.append_only)
    ]
    return RevisionComparison(
        findings=in_order(
            [finding for published_comparison in compared for finding in published_comparison.findings]
        ),
        summary=f"compared with {base}: {_published_words(compared) or 'nothing is published there'}",
    )


def _published_words(compared: Iterable[PublishedComparison]) -> str:
    counts: Counter[str] = Counter()
    for published_comparison in compared:
        counts.update(published_comparison.counts)
    return ", ".join(count_noun(count, noun) for noun, count in counts.items() if count)


def _nothing_to_compare(name: str, why: str) -> RevisionComparison:
    finding = Finding(
        rule="since-nothing",
        level=Level.WARNING,
        place=Place(file=name),
        message=f"nothing is compared with {name}: {why}",
        help="this is right for a project that is new there",
    )
    return RevisionComparison(findings=(finding,), summary=f"compared with {name}: nothing")
