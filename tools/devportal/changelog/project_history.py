"""The history of the contract of a project: its releases, and the policy that they are compared by."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from devportal.changelog import Entry, History, load_changelog, read_history
from devportal.changelog.entries.check import names_version
from devportal.changelog.releases.folder import Releases, load_releases, releases_for_audience
from devportal.contract import Contract
from devportal.differ.policy_file import parse_policy
from devportal.documents import read_document
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding
from devportal.project.caches import comparison_cache_in
from devportal.project.inputs import Inputs


def read_entries(inputs: Inputs, folder: Path) -> tuple[tuple[Entry, ...], tuple[Finding, ...]]:
    """Return the entries of the folder that the setting names, and what is wrong in it. Raises UnreadableInput."""
    if not folder.exists():
        raise UnreadableInput(
            f"there is no such folder, which the setting '{inputs.setting_name('changelog')}' names",
            place=Place(file=inputs.name(folder)),
            help="make the folder, or fix or remove the setting in mkdocs.yml",
        )
    return load_changelog(folder, name=inputs.name(folder))


def read_releases(
    inputs: Inputs,
    contract: Contract | None,
    entries: tuple[Entry, ...],
    *,
    processes: int = 1,
    leaps: bool = False,
) -> tuple[History | None, tuple[Finding, ...]]:
    """Return the history of a contract, and where entries do not agree with it. Raises PortalError.

    Entries are proven with what everybody sees: for an audience, only the files of the releases are checked. An
    audience with its own overlays has no history, as releases do not have what these add. Up to this many
    `processes` compare contracts; with `leaps`, each release will be compared with the newest.
    """
    if not has_releases(inputs):
        return None, ()
    folder = inputs.releases
    if folder is None and inputs.contract is not None and any(map(names_version, entries)):
        folder = inputs.contract.parent / "releases"
    if folder is None:
        return None, ()
    policy, findings = read_written_policy(inputs)
    releases, load_findings = load_project_releases(inputs, folder)
    history, disagreements = read_history(
        releases,
        entries,
        contract,
        policy=policy,
        today=inputs.today,
        memory=comparison_cache_in(inputs.comparisons),
        processes=processes,
        leaps=leaps,
    )
    return history, (*findings, *load_findings, *(disagreements if inputs.chosen_audience is None else ()))


def has_releases(inputs: Inputs) -> bool:
    """Return whether the site shows releases: not for an audience with its own overlays."""
    chosen = inputs.chosen_audience
    return chosen is None or not chosen.overlays


def load_project_releases(inputs: Inputs, folder: Path) -> tuple[Releases, tuple[Finding, ...]]:
    """Return the releases in a folder as the audience of a site may see them, and what is wrong with the files."""
    releases, findings = load_releases(folder, name=inputs.name(folder))
    view = inputs.audience_view
    return (releases if view is None else releases_for_audience(releases, view)), findings


def read_written_policy(inputs: Inputs) -> tuple[Mapping[str, Any], tuple[Finding, ...]]:
    """Return the differ's policy as it is written, and what is wrong with it. Raises UnreadableInput."""
    if inputs.policy is None:
        return {}, ()
    try:
        document = read_document(inputs.policy, name=inputs.name(inputs.policy))
    except UnreadableInput as error:
        raise inputs.with_setting(error) from error.__cause__
    _, findings = parse_policy(document)
    return ({} if findings else document.data or {}), findings
