"""The project of a release: its contract, its entries with their texts, and its history."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from devportal.changelog import Entry, History, Releases, check_changelog
from devportal.changelog.project_history import read_entries, read_releases, read_written_policy
from devportal.changelog.proof.proof import StepProof
from devportal.contract import Contract
from devportal.documents import read_text
from devportal.errors import InvalidSettings
from devportal.findings import Finding
from devportal.project.caches import cache_folder
from devportal.project.inputs import Inputs, load_project_contract
from devportal.site.project_file import load_project


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What was read of a project. `findings` are those of its entries and of its history."""

    config_file: Path
    inputs: Inputs = field(repr=False)
    contract: Contract = field(repr=False)
    entries: tuple[Entry, ...] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)
    policy: Mapping[str, Any] = field(repr=False)
    history: History = field(repr=False)
    findings: tuple[Finding, ...] = ()

    @property
    def releases(self) -> Releases:
        """Return the releases in their folder."""
        return self.history.releases

    @property
    def unreleased(self) -> StepProof | None:
        """Return what changed since the last release; None before the first one."""
        return self.history.unreleased

    @property
    def today(self) -> date:
        """Return today's date for this run."""
        return self.inputs.today

    def entry_file(self, id_: str) -> Path:
        """Return where the file of an entry is, or would be. Raises InvalidSettings if there is no changelog."""
        return _required_path(self.inputs.changelog, "changelog") / f"{id_}.md"

    @property
    def files(self) -> frozenset[str]:
        """Return the ids of all files of entries, including those that cannot be read."""
        folder = _required_path(self.inputs.changelog, "changelog")
        return frozenset(path.stem for path in folder.glob("*.md"))

    def entry(self, id_: str) -> Entry:
        """Return an entry by its id. Raises InvalidSettings if there is none."""
        match = next((entry for entry in self.entries if entry.id == id_), None)
        if match is None:
            raise InvalidSettings(
                f"there is no entry {id_!r} that can be read",
                help="give the name of a file of the changelog without `.md`",
            )
        return match


def read_project(config_file: Path, *, api: str | None = None) -> Project:
    """Return the project to release, or one of its several APIs. Raises PortalError; findings do not prevent
    reading it.
    """
    if not config_file.is_file():
        raise InvalidSettings(
            f"{config_file}: there is no such file",
            help="run this in a project, or name its mkdocs.yml with -f",
        )
    _, inputs = load_project(config_file, cache=cache_folder("comparisons"))
    inputs = inputs.api(api)
    path = _required_path(inputs.contract, "contract")
    folder = _required_path(inputs.changelog, "changelog", inputs)
    # a release is frozen with what all audiences see
    inputs = replace(inputs, audience="", releases=inputs.releases or _usual_releases(inputs, path))
    contract = load_project_contract(inputs)
    entries, entry_findings = read_entries(inputs, folder)
    history, history_findings = read_releases(inputs, contract, entries)
    if history is None:
        raise AssertionError("there is a folder of releases, so there is a history")
    policy, _ = read_written_policy(inputs)
    apis = {group.name for group in contract.api.groups}
    changelog_findings = check_changelog(entries, today=inputs.today, apis=apis, releases=history.releases)
    return Project(
        config_file=config_file,
        inputs=inputs,
        contract=contract,
        entries=entries,
        texts={entry.id: read_text(folder / f"{entry.id}.md", name=entry.id) for entry in entries},
        policy=policy,
        history=history,
        findings=(*entry_findings, *changelog_findings, *history_findings),
    )


def _usual_releases(inputs: Inputs, contract: Path) -> Path:
    """Return the folder of releases that is not set. Raises InvalidSettings if it would be one for several APIs."""
    if inputs.shares_folder and inputs.portal_api is not None:
        raise InvalidSettings(
            f"the API {inputs.portal_api.name!r} has no folder of releases, and shares that of its contract",
            help=f"set 'contracts.{inputs.portal_api.name}.releases' in mkdocs.yml",
        )
    return contract.parent / "releases"


def _required_path(path: Path | None, setting: str, inputs: Inputs | None = None) -> Path:
    api = inputs.portal_api if inputs is not None else None
    if path is None and api is not None:
        raise InvalidSettings(
            f"the API {api.name!r} has no {setting}",
            help=f"set 'contracts.{api.name}.{setting}' in mkdocs.yml",
        )
    if path is None:
        raise InvalidSettings(
            f"this project has no {setting}", help=f"set '{setting}' under the plugin devportal in mkdocs.yml"
        )
    return path
