"""The APIs of a project that has several: for each its contract, and the settings that belong to that one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devportal.errors import InvalidSettings
from devportal.project.setting_kinds import (
    Choice,
    Flag,
    PageLink,
    ProjectFiles,
    ProjectPath,
    RootAddress,
    SettingKind,
    SettingsFile,
    Text,
    Versions,
)
from devportal.suggestions import closest_name

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_NAME = 60
"""How many characters the name of an API has at most: it is a part of addresses."""
RESERVED_NAMES = frozenset({"index", "schemas"})
"""Names of other pages below `reference/`."""
_FILE = "file"
_TITLE = "title"
OWN_SETTINGS: Mapping[str, SettingKind] = {
    "overlays": ProjectFiles(),
    "redirects": ProjectPath(beside="redirects.yaml"),
    "baseline": ProjectPath(beside="baseline.yaml"),
    "changelog": ProjectPath(),
    "releases": ProjectPath(beside="releases/"),
    "results": ProjectPath(),
}
"""The settings that each API has for itself: at the top level they are for a project with one contract."""
SHARED_SETTINGS: Mapping[str, SettingKind] = {
    "allow_outside_references": Flag(),
    "versions": Versions(),
    "policy": ProjectPath(),
    "console": Choice("auto", choices=("auto", "always", "never")),
    "contract_links": RootAddress(),
    "contract_samples": Choice("add", choices=("add", "replace")),
    "token_page": PageLink(),
    "sandbox_token": Text(),
}
"""The settings that hold for all APIs unless one sets them for itself."""
_OF_ONE_CONTRACT = {
    "contract": "either one contract or several: list it under 'contracts' too, or leave 'contracts' out",
    "overview": "the reference of each API is at reference/NAME/index.md",
    "name_from_contract": "there are several contracts: write 'site_name'",
}
"""The settings that only a project with one contract has, with what to do in one with several."""
_MEANT = {"contract": _FILE, "path": _FILE, "spec": _FILE, "openapi": _FILE, "name": _TITLE}
"""What is often written in place of members of an API."""
_MEMBERS = (_FILE, _TITLE, *OWN_SETTINGS, *SHARED_SETTINGS)


def settings_beside_contracts(written: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the top-level settings that are written beside `contracts` and mean nothing there, with the reason."""
    if not written.get("contracts"):
        return
    for name, value in written.items():
        if name in OWN_SETTINGS:
            yield name, f"each API has its own: write it below the name of the API, as contracts.NAME.{name}"
        elif name in _OF_ONE_CONTRACT:
            yield name, _OF_ONE_CONTRACT[name]
        elif name == "audiences" and _has_overlays(value):
            yield (
                name,
                "an audience has no overlays in a portal of several APIs: mark parts with x-audience, or list tags",
            )


def _has_overlays(audiences: Any) -> bool:
    described = audiences.values() if isinstance(audiences, Mapping) else ()
    return any(isinstance(audience, Mapping) and audience.get("overlays") for audience in described)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractSettings:
    """One of several APIs: its name in addresses, its title, and its settings by their names.

    An empty `title` stands for that of the contract. Settings that it does not set for itself are not there.
    """

    name: str
    title: str = ""
    file: Path
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contracts(SettingKind):
    """A mapping from names of APIs to `file` and what differs for them."""

    default: tuple[ContractSettings, ...] = ()

    def check(self, written: Any) -> tuple[ContractSettings, ...]:
        """Return the APIs in order, their settings as they are written. Raises InvalidSettings."""
        if written in (None, "") or written == {} or written == ():
            return ()
        if isinstance(written, tuple) and all(isinstance(item, ContractSettings) for item in written):
            return written
        if not isinstance(written, Mapping):
            raise InvalidSettings(
                f"{written!r} is not a mapping of contracts",
                help="write 'orders: {file: orders.yaml}' for each API, or use the setting 'contract' for a single one",
            )
        return tuple(_contract_settings(name, members) for name, members in written.items())

    def value(self, checked: Any, at: SettingsFile) -> tuple[ContractSettings, ...]:
        """Return the APIs with the values of their settings. Raises InvalidSettings for a file that is named twice.

        What is not named is looked for beside a contract, unless that shares its folder with another one.
        """
        files = [Path(at.folder, item.file).resolve() for item in checked]
        for number, file in enumerate(files):
            if file in files[:number]:
                first = checked[files.index(file)].name
                raise InvalidSettings(
                    f"contracts.{checked[number].name}.file is the contract of {first!r} too",
                    help="name each contract once",
                )
        folders = [file.parent for file in files]
        return tuple(
            ContractSettings(
                name=value.name,
                title=value.title,
                file=file,
                settings=dict(_values(value, file, at, is_alone=folders.count(file.parent) == 1)),
            )
            for value, file in zip(checked, files, strict=True)
        )


def _values(
    written: ContractSettings, file: Path, at: SettingsFile, *, is_alone: bool
) -> Iterator[tuple[str, Any]]:
    beside = SettingsFile(folder=at.folder, name=at.name, contract=file if is_alone else None)
    for name, kind in OWN_SETTINGS.items():
        value = kind.value(written.settings.get(name, kind.default), beside)
        own = file.parent / f"{written.name}.baseline.yaml"
        yield name, own if value is None and name == "baseline" and own.is_file() else value
    for name, kind in SHARED_SETTINGS.items():
        if name in written.settings:
            yield name, kind.value(written.settings[name], beside)


def _contract_settings(name: Any, members: Any) -> ContractSettings:
    _check_name(name)
    if isinstance(members, str):
        members = {_FILE: members}
    if not isinstance(members, Mapping):
        raise InvalidSettings(
            f"{name!r} names no contract", help=f"write '{name}: {{file: {name}.yaml}}' under 'contracts'"
        )
    unknown = next((member for member in members if member not in _MEMBERS), None)
    if unknown is not None:
        meant = _MEANT.get(str(unknown)) or closest_name(unknown, _MEMBERS)
        raise InvalidSettings(
            f"contracts.{name}.{unknown}: there is no such setting of an API",
            help=f"{f'did you mean {meant!r}? Those' if meant else 'those'} of an API are {', '.join(_MEMBERS)}",
        )
    file = members.get(_FILE)
    if not isinstance(file, str) or not file:
        raise InvalidSettings(
            f"contracts.{name} names no contract", help=f"add its file, such as 'file: {name}.yaml'"
        )
    _check_member(f"contracts.{name}.{_FILE}", ProjectPath(), file)
    title = members.get(_TITLE, "")
    if not isinstance(title, str):
        raise InvalidSettings(f"contracts.{name}.title is {title!r}, which is not text")
    kinds = {**OWN_SETTINGS, **SHARED_SETTINGS}
    settings = {
        key: _check_member(f"contracts.{name}.{key}", kinds[key], value)
        for key, value in members.items()
        if key in kinds
    }
    return ContractSettings(name=name, title=title.strip(), file=Path(file), settings=settings)


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise InvalidSettings(
            f"{name!r} is not a name of an API",
            help=f"write lower-case letters, digits and single hyphens, at most {MAX_NAME}: it is a part of addresses",
        )
    if name in RESERVED_NAMES:
        raise InvalidSettings(
            f"an API cannot be called {name!r}: other pages have that address", help="choose another name"
        )


def _check_member(place: str, kind: SettingKind, value: Any) -> Any:
    """Return a setting of an API in its usual form. Raises InvalidSettings that names its place."""
    expected = type(kind.default) if isinstance(kind, (Text, Flag)) else None
    if isinstance(kind, Choice) and value not in kind.choices:
        raise InvalidSettings(f"{place} is {value!r}", help=f"write one of {', '.join(kind.choices)}")
    if expected is not None and not isinstance(value, expected):
        word = "true or false" if expected is bool else "text"
        raise InvalidSettings(f"{place} is {value!r}", help=f"write {word}")
    try:
        return kind.check(value)
    except InvalidSettings as error:
        raise InvalidSettings(f"{place}: {error.message}", help=error.help) from error
