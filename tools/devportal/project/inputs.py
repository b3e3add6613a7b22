"""The inputs of a project as one value: its settings, its place, the day; and when they have changed."""

import os
import posixpath
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from devportal.documents.document import MISSING_HELP
from devportal.errors import InvalidSettings, UnreadableInput
from devportal.project.audiences import Audience
from devportal.project.caches import files_digest
from devportal.project.settings import REFERENCE, PortalApi, Settings, path_settings

if TYPE_CHECKING:
    from devportal.contract import Contract  # a build with nothing to do reads none
    from devportal.contract.audience import AudienceView
    from devportal.contract.read.files import ReadDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs(Settings):
    """The settings of a project, where its inputs are, and the day; a path that is None leaves a part out.

    Messages name files from `root`. `language` is empty unless the project sets one: then the contract's
    holds, or else `theme_language`. `sources` and `decisions` are uris below `docs`.
    """

    root: Path
    docs: Path | None = None
    theme_language: str = ""
    site_url: str = ""
    title: str = ""
    description: str = ""
    """What the project says of the site (`site_description`)."""
    today: date
    comparisons: Path | None = None
    """The folder in which comparisons of releases are kept between processes."""
    audience: str = ""
    """The name of the audience that the site is for; empty for everybody, or in a project without audiences."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders of the portal's own that there are, the pages apart."""
        paths = (getattr(self, name) for name in path_settings())
        overlays = (overlay for audience in self.audiences for overlay in audience.overlays)
        of_apis = (path for api in self.apis for path in api.paths)
        return (
            *(path for path in paths if path is not None),
            *self.overlays,
            *overlays,
            *self.translations,
            *of_apis,
        )

    @property
    def apis(self) -> "tuple[Inputs, ...]":
        """Return the inputs of each API of a project with several; nothing for any other.

        Their files and their reference are their own. Records, which are of the whole site, are not theirs.
        """
        folders = [contract.file.parent for contract in self.contracts]
        return tuple(
            replace(
                self,
                **contract.settings,
                contracts=(),
                contract=contract.file,
                overview=f"{REFERENCE}/{contract.name}/index.md",
                records=None,
                portal_api=PortalApi(
                    name=contract.name,
                    title=contract.title,
                    shares_folder=folders.count(contract.file.parent) > 1,
                ),
            )
            for contract in self.contracts
        )

    @property
    def shares_folder(self) -> bool:
        """Return whether another contract of the project is in the folder of this one."""
        return self.portal_api is not None and self.portal_api.shares_folder

    def setting_name(self, name: str) -> str:
        """Return what a setting is called in `mkdocs.yml`: that of one of several APIs is below its name."""
        if self.portal_api is None:
            return name
        api = f"contracts.{self.portal_api.name}"
        return f"{api}.{name}" if name != "contract" else api

    def api(self, name: str | None) -> "Inputs":
        """Return the inputs of the API of a name; without a name those of the only contract of the project.

        Raises InvalidSettings for a name that does not exist, and if several APIs could be meant.
        """
        names = [contract.name for contract in self.contracts]
        if not names and name:
            raise InvalidSettings(
                f"this project has no API {name!r}: it has one contract",
                help="leave the name out, or list several contracts under 'contracts' in mkdocs.yml",
            )
        if names and name not in names:
            raise InvalidSettings(
                f"this project has no API {name!r}" if name else "this project has several APIs",
                help=f"choose one with --api: {', '.join(names)}",
            )
        return next(
            (inputs for inputs in self.apis if inputs.portal_api and inputs.portal_api.name == name), self
        )

    @property
    def chosen_audience(self) -> Audience | None:
        """The audience that the site is for; None for everybody."""
        return next((audience for audience in self.audiences if audience.name == self.audience), None)

    @property
    def audience_view(self) -> "AudienceView | None":
        """How the contract is read for the audience; None for everybody."""
        from devportal.contract.audience import AudienceView  # noqa: PLC0415 - see above

        chosen = self.chosen_audience
        if chosen is None:
            return None
        names = tuple(audience.name for audience in self.audiences)
        return AudienceView(name=chosen.name, names=names, hide_tags=chosen.hide_tags)

    def name(self, path: Path) -> str:
        """Return what messages call a path: from the root, or else the working folder, if it lies inside."""
        for folder in (self.root, Path.cwd()):
            if path.is_relative_to(folder):
                return path.relative_to(folder).as_posix()
        return str(path)

    def with_setting(self, error: UnreadableInput) -> UnreadableInput:
        """Return an error about a file that does not exist with the setting that names the file; others unchanged."""
        setting = self._setting_of(error.place.file) if error.place is not None else ""
        if not setting or not isinstance(error.__cause__, FileNotFoundError):
            return error
        return UnreadableInput(
            f"there is no such file, which the setting '{self.setting_name(setting)}' names",
            place=error.place,
            help=error.help
            if error.help != MISSING_HELP
            else "make the file, or fix or remove the setting in mkdocs.yml",
        )

    def _setting_of(self, name: str) -> str:
        """Return the setting that names a file, which messages call so; empty if none does."""
        paths = {setting: getattr(self, setting) for setting in path_settings()}
        named = ((setting, path) for setting, path in paths.items() if path is not None)
        overlays = (("overlays", overlay) for overlay in self.overlays)
        return next((setting for setting, path in (*named, *overlays) if self.name(path) == name), "")


def load_project_contract(inputs: Inputs, read: "ReadDocument | None" = None) -> "Contract":
    """Return the contract of a project with its overlays, which messages call as seen from its root. `read` reads
    each of its files, by default `read_document`.

    Raises UnreadableInput or InvalidContract; there is one (`inputs.contract`).
    """
    from devportal.contract import load_contract  # noqa: PLC0415 - a build with nothing to do reads none
    from devportal.documents import read_document  # noqa: PLC0415

    if inputs.contracts:
        inputs.api(None)
    if inputs.contract is None:
        raise InvalidSettings("this project has no contract", help="set 'contract' in mkdocs.yml")
    chosen = inputs.chosen_audience
    overlays = (*inputs.overlays, *(chosen.overlays if chosen is not None else ()))
    try:
        return load_contract(
            inputs.contract,
            name=inputs.name(inputs.contract),
            overlays={inputs.name(overlay): overlay for overlay in overlays},
            audience=inputs.audience_view,
            allow_outside_references=inputs.allow_outside_references,
            read=read or read_document,
        )
    except UnreadableInput as error:
        raise inputs.with_setting(error) from error.__cause__


def redirects_beside(contract: Path) -> Path | None:
    """Return the file of redirects that lies beside a contract, if there is one."""
    return path_settings()["redirects"].find_beside(contract)


def watched_paths(inputs: Inputs, *contracts: "Contract | None") -> tuple[Path, ...]:
    """Return the files and folders whose change changes the portal; `contracts` are those read last, if any.

    Only the files that the contract refers to count, never its whole folder: that may be anybody's home.
    """
    paths = [*inputs.paths]
    if inputs.docs is not None:
        described = (inputs.sources, posixpath.dirname(inputs.decisions))
        paths += [inputs.docs / name for name in described if name]
    for project, contract in zip(inputs.apis or (inputs,), contracts, strict=False):
        if contract is not None and project.contract is not None:
            named = (project.contract.parent / name for name in contract.named_files)
            paths += filter(_may_be_file, named)
    return tuple(dict.fromkeys(paths))


def _may_be_file(path: Path) -> bool:
    """Return whether a file is at a path or may appear there: no folder is, and the file system knows such names."""
    try:
        return not path.is_dir()
    except OSError:
        return False


def fingerprint(inputs: Inputs, *contracts: "Contract | None") -> str:
    """Return a digest of names, sizes and times of all that is watched: it changes when any of it does."""
    files = (
        file
        for path in watched_paths(inputs, *contracts)
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
    )
    return files_digest(((str(file), file) for file in files), inputs)


_LONGEST_EPOCH = 10
"""How many digits a time of gzip has."""
_END_OF_GZIP = 2**32
"""The first time that a compressed file cannot have (RFC 1952 §2.3.1): that of the sitemap is the epoch."""


def today() -> date:
    """Return today in UTC, or the day of `SOURCE_DATE_EPOCH` (Unix seconds), for repeatable builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now(tz=UTC).date()
    if not (
        epoch.isascii() and epoch.isdecimal() and len(epoch) <= _LONGEST_EPOCH and int(epoch) < _END_OF_GZIP
    ):
        raise InvalidSettings(
            f"SOURCE_DATE_EPOCH is {epoch!r}, which is not a number of seconds since 1970 up to 2106",
            help="unset or fix it",
        )
    return datetime.fromtimestamp(int(epoch), tz=UTC).date()
