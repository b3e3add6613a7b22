"""The history of the contract of a project: its releases, and the policy that they are compared by."""

from collections.abc import Mapping
from typing import Any

from devportal.changelog import Entry, History, read_history
from devportal.changelog.entries.check import names_version
from devportal.changelog.releases.folder import load_releases
from devportal.contract import Contract
from devportal.differ.policy_file import parse_policy
from devportal.documents import read_document
from devportal.findings import Finding
from devportal.project.caches import comparison_cache_in
from devportal.project.inputs import Inputs


def read_releases(
    inputs: Inputs, contract: Contract | None, entries: tuple[Entry, ...]
) -> tuple[History | None, tuple[Finding, ...]]:
    """Return the history of a contract, and where entries do not agree with it. Raises PortalError."""
    folder = inputs.releases
    if folder is None and inputs.contract is not None and any(map(names_version, entries)):
        folder = inputs.contract.parent / "releases"
    if folder is None:
        return None, ()
    policy, findings = read_written_policy(inputs)
    releases, load_findings = load_releases(folder, name=inputs.name(folder))
    history, disagreements = read_history(
        releases,
        entries,
        contract,
        policy=policy,
        today=inputs.today,
        memory=comparison_cache_in(inputs.comparisons),
    )
    return history, (*findings, *load_findings, *disagreements)


def read_written_policy(inputs: Inputs) -> tuple[Mapping[str, Any], tuple[Finding, ...]]:
    """Return the differ's policy as it is written, and what is wrong with it. Raises UnreadableInput."""
    if inputs.policy is None:
        return {}, ()
    document = read_document(inputs.policy, name=inputs.name(inputs.policy))
    _, findings = parse_policy(document)
    return ({} if findings else document.data or {}), findings
