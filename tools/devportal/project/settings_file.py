"""A `mkdocs.yml` read without MkDocs: what it says as it is written, and the options of the plugin in it.

For what must not run a project, as `devportal init` and the commands for records: no tag is evaluated, no
plugin is loaded, and nothing is inherited.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from devportal.errors import InvalidSettings, UnreadableInput
from devportal.project.settings import path_settings

SETTINGS_FILE = "mkdocs.yml"
PLUGIN = "devportal"
"""The name of our plugin under `plugins`."""
DEFAULT_CONTRACT: str = path_settings()["contract"].default
"""The contract of a project whose settings name none."""


class SettingsLoader(yaml.SafeLoader):
    """Reads a file of MkDocs. Values with tags, which only MkDocs can build, are left out."""


SettingsLoader.add_multi_constructor("", lambda _loader, suffix, _node: ("unresolved", suffix))


def read_settings_file(path: Path) -> Any:
    """Return the data of a `mkdocs.yml`. Raises UnreadableInput."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), SettingsLoader)  # noqa: S506 - a safe loader, see above
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise UnreadableInput(
            f"{path}: this file cannot be read: {error}", help="check that it is there, and valid YAML"
        ) from error


def plugin_options(settings: Any) -> Mapping[str, Any] | None:
    """Return the options of the plugin devportal in settings of MkDocs, or None if they do not name it."""
    plugins = settings.get("plugins") if isinstance(settings, dict) else None
    rows = plugins.items() if isinstance(plugins, dict) else _plugin_items(plugins)
    return next(
        (options if isinstance(options, dict) else {} for name, options in rows if name == PLUGIN), None
    )


def contract_in_settings(settings: Path, *, option: str = "--contract") -> str | None:
    """Return the contract that a `mkdocs.yml` names; None if it cannot be determined.

    Raises InvalidSettings if it names several, with the option of the command line that chooses one.
    """
    try:
        options = plugin_options(read_settings_file(settings))
    except UnreadableInput:
        return None
    if options is not None and isinstance(options.get("contracts"), dict) and options["contracts"]:
        files = (
            contract.get("file") if isinstance(contract, dict) else contract
            for contract in options["contracts"].values()
        )
        raise InvalidSettings(
            f"{settings} names several contracts",
            help=f"choose one with {option}: {', '.join(str(file) for file in files)}",
        )
    contract = options.get("contract", DEFAULT_CONTRACT) if options is not None else None
    return contract if isinstance(contract, str) else None


def policy_in_settings(settings: Path, contract: str) -> Path | None:
    """Return the policy by which a project compares versions of one of its contracts, None if it names none.

    The contract is a file named as the settings name it, from their folder.
    """
    policy = _contract_setting(settings, contract, "policy")
    return settings.parent / policy if isinstance(policy, str) and policy else None


def allows_outside_references(settings: Path, contract: str) -> bool:
    """Return whether a project lets one of its contracts refer to files outside its folder.

    The contract is a file named as the settings name it, from their folder.
    """
    return _contract_setting(settings, contract, "allow_outside_references") is True


def _contract_setting(settings: Path, contract: str, name: str) -> Any:
    """Return what a `mkdocs.yml` sets for one contract, or else for all; None if it does not name the contract."""
    try:
        options = plugin_options(read_settings_file(settings))
    except UnreadableInput:
        return None
    if options is None:
        return None
    several = options.get("contracts")
    if isinstance(several, dict) and several:
        members = [member if isinstance(member, dict) else {"file": member} for member in several.values()]
    else:
        members = [{"file": options.get("contract", DEFAULT_CONTRACT)}]
    chosen = next((member for member in members if _is_same_file(member.get("file"), contract)), None)
    return None if chosen is None else chosen.get(name, options.get(name))


def _is_same_file(written: Any, contract: str) -> bool:
    return isinstance(written, str) and os.path.normpath(written) == os.path.normpath(contract)


def contract_here(chosen: Path | None) -> Path:
    """Return the chosen contract, or else that of the project in the current folder.

    Raises UnreadableInput if there is none, and InvalidSettings if the project has several.
    """
    if chosen is not None:
        return chosen
    named = contract_in_settings(Path(SETTINGS_FILE))
    if named is None and not Path(DEFAULT_CONTRACT).exists():
        raise UnreadableInput(
            f"no contract is named, and here is neither a {SETTINGS_FILE} with one nor {DEFAULT_CONTRACT}",
            help=advise_contract_here() or "name the OpenAPI file with --contract",
        )
    return Path(named or DEFAULT_CONTRACT)


def advise_contract_here() -> str:
    """Return how to use the contract of the current folder, if there is a file with a usual name; empty without one."""
    for folder in ("", "api", "openapi", "spec", "specs", "docs"):
        for stem in ("openapi", "swagger"):
            for suffix in (".yaml", ".yml", ".json"):
                if (file := Path(folder, f"{stem}{suffix}")).is_file():
                    return f"to use the contract {file}, add --contract {file}"
    return ""


def _plugin_items(plugins: Any) -> Iterator[tuple[Any, Any]]:
    for plugin in plugins if isinstance(plugins, list) else ():
        yield from plugin.items() if isinstance(plugin, dict) else [(plugin, None)]
