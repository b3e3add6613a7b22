"""The contract and the policy to compare with if the command line names none: those of the project here."""

from pathlib import Path

from devportal.errors import InvalidSettings, UnreadableInput
from devportal.project.settings_file import (
    DEFAULT_CONTRACT,
    SETTINGS_FILE,
    allows_outside_references,
    contract_in_settings,
    policy_in_settings,
)

DEFAULT_POLICY = Path("diff-policy.yaml")
_CONTRACT_ALONE = "openapi.yaml"
"""The contract of a folder that has no project."""


def project_contract() -> str:
    """Return the contract that the `mkdocs.yml` of the current folder names, as the other commands take it.

    Without one it is `openapi.yaml`, or the default of the setting if only that file exists.
    Raises InvalidSettings if the project has several contracts.
    """
    named = contract_in_settings(Path(SETTINGS_FILE), option="--new")
    if named is not None:
        return named
    return (
        DEFAULT_CONTRACT
        if not Path(_CONTRACT_ALONE).exists() and Path(DEFAULT_CONTRACT).exists()
        else _CONTRACT_ALONE
    )


def existing_project_contract() -> str:
    """Return the contract that commands take if none is named. Raises UnreadableInput if there is no such file."""
    contract = project_contract()
    if not Path(contract).exists():
        raise UnreadableInput(
            f"no contract is named, and there is no {contract} here",
            help=f"name the OpenAPI file with --new, or in {SETTINGS_FILE}",
        )
    return contract


def is_default_contract(contract: str) -> bool:
    """Return whether commands take a contract if none is named."""
    try:
        return contract == project_contract()
    except InvalidSettings:
        return False


def project_allows_outside_references(contract: str) -> bool:
    """Return whether the `mkdocs.yml` of the current folder lets its contract refer to files outside its folder."""
    return allows_outside_references(Path(SETTINGS_FILE), contract)


def project_policy(contract: str) -> Path | None:
    """Return the policy that the `mkdocs.yml` of the current folder names for the contract, or else the default
    one if there is such a file.
    """
    named = policy_in_settings(Path(SETTINGS_FILE), contract)
    return named or (DEFAULT_POLICY if DEFAULT_POLICY.is_file() else None)
