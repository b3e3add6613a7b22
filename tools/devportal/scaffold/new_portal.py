"""Makes a new portal around an OpenAPI file."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from devportal.atomic_files import FileWrite, write_atomically
from devportal.contract import Contract, check_contract, load_contract
from devportal.contract.read.raw_keys import external_references
from devportal.contract.validate.relative_links import relative_links
from devportal.errors import EnvironmentProblem, InvalidContract, InvalidSettings, UnreadableInput
from devportal.findings import Finding, Level, has_errors, in_order
from devportal.project.baseline import FILE_NAME as BASELINE
from devportal.project.baseline import Baseline, KnownProblem, acceptable_findings, baseline_text
from devportal.project.inputs import redirects_beside
from devportal.project.settings_file import SETTINGS_FILE, contract_in_settings
from devportal.releasing.project import read_project
from devportal.releasing.release import plan_release
from devportal.scaffold.new_files import can_be_released, initial_files

CONTRACT_FOLDER = "openapi"
"""The folder of a project in which its contract lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractFiles:
    """Where the contract lies in the project, and what is to stand in its files there, by name."""

    root: str
    files: Mapping[str, bytes] = field(repr=False)

    @property
    def releases(self) -> str:
        """The folder in which the contract is frozen: the one that every command looks for."""
        return f"{self.root.rpartition('/')[0]}/releases"


def contract_files(path: Path, contract: Contract) -> ContractFiles:
    """Read the contract, every file that it refers to, its logo, and the redirects beside it.

    They keep their places to each other, and the folders that references name on their way, so that those go
    on leading where they led.
    Raises UnreadableInput, and InvalidContract if one of them would lie among the releases.
    """
    referred = [name for name in contract.source.documents() if name]
    redirects = redirects_beside(path)
    logo = contract.logo.file if contract.logo is not None else ""
    beside = [redirects.name] if redirects is not None else []
    names = [path.name, *referred, *([logo] if logo else []), *beside]
    above = _folders_above(path, contract, names)
    copied = ContractFiles(
        root=_project_path(path.name, above),
        files={_project_path(name, above): _read_bytes(path.parent / name) for name in names},
    )
    for name in names:
        if _is_among(copied.releases, _project_path(name, above)):
            raise InvalidContract(
                f"{path}: it refers to {name!r}, and releases are frozen in {copied.releases}",
                help="move that file to a folder of another name, and fix the references to it",
            )
    return copied


def _is_among(folder: str, name: str) -> bool:
    """Return whether a file would lie in a folder or in its place, also where disks know no case."""
    return f"{name}/".casefold().startswith(f"{folder}/".casefold())


def _folders_above(path: Path, contract: Contract, names: Collection[str]) -> tuple[str, ...]:
    """Return the names of the folders that have to be kept so that no file lies outside of ours, and that
    those are there which references climb out of and come back to.
    """
    folders = path.parent.resolve().parts[1:]
    climbs = max((*map(_max_climb, names), *_reference_climbs(path, contract, names)))
    return folders[-climbs:] if climbs else ()


def _reference_climbs(path: Path, contract: Contract, names: Collection[str]) -> Iterator[int]:
    """Yield how far each reference to one of the files climbs, as it is written."""
    folder = path.parent.resolve().as_posix()
    for base, document in contract.source.documents().items():
        for reference in external_references(document):
            path_from_root = posixpath.join(posixpath.dirname(base), unquote(reference.partition("#")[0]))
            if posixpath.relpath(posixpath.normpath(posixpath.join(folder, path_from_root)), folder) in names:
                yield _max_climb(path_from_root)


def _max_climb(relative_path: str) -> int:
    """Return the greatest number of folders that a relative path climbs."""
    height = highest = 0
    for part in relative_path.split("/"):
        height += (part == "..") - (part not in {"", ".", ".."})
        highest = max(highest, height)
    return highest


def _project_path(name: str, above: tuple[str, ...]) -> str:
    climbs = name.split("/").count("..")
    kept = above[: len(above) - climbs]
    return "/".join((CONTRACT_FOLDER, *kept, name.removeprefix("../" * climbs)))


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableInput(
            f"{path}: this file cannot be read: {error.strerror or error}",
            help="check the path and its permissions",
        ) from error


_IGNORED_ENTRIES = {".git"}
"""What may lie in an empty folder: a clone of an empty repository is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPortal:
    """A portal that can be written: its files by name, the problems of its contract, and what is frozen.

    `findings` are those that prevent a build of the contract; `known` are accepted by the new baseline.
    `root` is the contract's name, `copied` are the names of its files. `history` are those of the files that
    tell what was published: they belong together; `frozen` are those of them that are the release.
    """

    contract: Contract = field(repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    root: str = ""
    copied: frozenset[str] = field(default=frozenset(), repr=False)
    history: frozenset[str] = field(default=frozenset(), repr=False)
    frozen: frozenset[str] = field(default=frozenset(), repr=False)
    findings: tuple[Finding, ...] = ()
    known: tuple[KnownProblem, ...] = ()
    released: str = ""


def new_portal_around(
    path: Path, *, allow_outside_references: bool, with_rates: bool = False, site_url: str, today: date
) -> NewPortal:
    """Return a portal around a contract, with a rate book if asked for. If the contract cannot be built as
    it is, there are no files.

    Raises PortalError if the contract cannot be read or copied.
    """
    contract = load_contract(path, allow_outside_references=allow_outside_references)
    if has_errors(contract.findings):
        return NewPortal(contract=contract, findings=in_order(contract.findings))
    copied = contract_files(path, contract)
    outside = any(".." in name.split("/") for name in contract.source.documents())
    _refuse_broken_copy(path, contract, copied, outside=outside)
    beginning = initial_files(
        contract.api,
        contract=copied.root,
        releases=copied.releases,
        outside=outside,
        with_rates=with_rates,
        site_url=site_url,
        has_relative_links=any(True for _ in relative_links(contract)),
        today=today,
    )
    texts = {**beginning.files, **beginning.history}
    known = _known_problems(path, contract, today)
    if known:
        texts[f"{copied.root.rpartition('/')[0]}/{BASELINE}"] = baseline_text(known)
    files = {**copied.files, **{name: text.encode() for name, text in texts.items()}}
    portal = NewPortal(
        contract=contract,
        files=files,
        root=copied.root,
        copied=frozenset(copied.files),
        history=frozenset(beginning.history),
        known=known,
    )
    is_ready = beginning.history and can_be_released(contract.api)
    return _with_first_release(portal, copied.releases, today) if is_ready else portal


_KNOWN_FROM_THE_START = "Known when the portal was created."


def _known_problems(path: Path, contract: Contract, today: date) -> tuple[KnownProblem, ...]:
    """Return the problems of a contract as entries of a baseline that lies beside it."""
    baseline = Baseline(name=path.with_name(BASELINE).as_posix())
    problems = acceptable_findings(contract, check_contract(contract))
    return baseline.accept(problems, day=today, reason=_KNOWN_FROM_THE_START)


def _refuse_broken_copy(path: Path, contract: Contract, copied: ContractFiles, *, outside: bool) -> None:
    """Raise InvalidContract if the copy of a contract would be read as something else."""
    if not any(
        external_reference
        for document in contract.source.documents().values()
        for external_reference in external_references(document)
    ):
        return  # one file, byte by byte as it is
    with TemporaryDirectory(prefix="devportal-") as name:
        folder = Path(name).resolve()
        write_atomically(FileWrite(path=folder / at, content=content) for at, content in copied.files.items())
        copy = load_contract(folder / copied.root, name=str(path), allow_outside_references=outside)
    for finding in copy.findings:
        if finding.level is Level.ERROR:
            raise InvalidContract(
                f"in a new portal, {finding.message}",
                place=finding.place,
                help="write the way from this file to the other one, through no folder above both of them",
            )
    if copy.digest != contract.digest:
        raise InvalidContract(
            f"{path}: in a new portal, a reference of it would not lead to the file that was copied with it",
            help="refer to other files by relative paths",
        )


def _with_first_release(portal: NewPortal, releases: str, today: date) -> NewPortal:
    """Return a portal with its contract frozen as the first release."""
    version = portal.contract.api.version
    with TemporaryDirectory(prefix="devportal-") as name:
        folder = Path(name).resolve()
        write_atomically(FileWrite(path=folder / at, content=content) for at, content in portal.files.items())
        plan = plan_release(read_project(folder / SETTINGS_FILE), version, today)
    changed = {change.path.relative_to(folder).as_posix(): change.content for change in plan.changes}
    return replace(
        portal,
        files={**portal.files, **changed},
        history=portal.history | changed.keys(),
        frozen=frozenset(name for name in changed if name.startswith(f"{releases}/")),
        released=version,
    )


def missing_files(folder: Path, portal: NewPortal) -> dict[str, bytes]:
    """Return the files of a portal that a folder does not have yet.

    The files of the release are only added to a folder that has no such files yet and has this very contract.
    The files of a contract are not added to another one.
    """
    existing = existing_files(folder, portal)
    others = {name for name in existing if not _is_same(folder / name, portal.files[name])}
    unwanted = portal.copied if portal.root in others else frozenset[str]()
    has_history = any(_exists((folder / name).parent) for name in portal.history)
    if has_history or others & {SETTINGS_FILE, *portal.copied, *portal.frozen}:
        unwanted |= portal.history
    return {name: content for name, content in portal.files.items() if name not in existing | unwanted}


def existing_files(folder: Path, portal: NewPortal) -> frozenset[str]:
    """Return the names of the files of a portal that a folder has, whatever is in them."""
    return frozenset(name for name in portal.files if _exists(folder / name))


def has_frozen_release(folder: Path, portal: NewPortal) -> bool:
    """Return whether a folder has the release of a portal, byte by byte."""
    return bool(portal.frozen) and all(_is_same(folder / name, portal.files[name]) for name in portal.frozen)


def refuse_other_contract(folder: Path, portal: NewPortal) -> None:
    """Raise InvalidSettings for a folder whose settings name another contract than this portal has."""
    named = contract_in_settings(folder / SETTINGS_FILE)
    if named is not None and (folder / named).resolve() != (folder / portal.root).resolve():
        raise InvalidSettings(
            f"{folder / SETTINGS_FILE}: these settings name another contract: {named!r}",
            help="a portal is around one: make another in a new folder, or change that setting first",
        )


def names_no_contract(folder: Path) -> bool:
    """Return whether the settings of a folder name no contract, or none that can be determined."""
    return contract_in_settings(folder / SETTINGS_FILE) is None


def _exists(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _is_same(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def existing_entries(folder: Path) -> tuple[str, ...]:
    """Return the names of the existing entries of a folder, in order; it need not exist.

    Raises EnvironmentProblem if it cannot be listed.
    """
    try:
        return tuple(sorted(path.name for path in folder.iterdir() if path.name not in _IGNORED_ENTRIES))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder}: this folder cannot be listed: {error.strerror or error}",
            help="give the name of a new or empty folder",
        ) from error


def write_portal(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder: all of them, or none. Raises EnvironmentProblem."""
    new = _new_folders(folder, files)
    try:
        write_atomically(FileWrite(path=folder / name, content=content) for name, content in files.items())
    except EnvironmentProblem as error:
        for path in (folder / name for name in files):
            with suppress(OSError):
                path.unlink()
        for path in reversed(new):
            with suppress(OSError):
                path.rmdir()
        raise EnvironmentProblem(
            error.message, help="fix that and run the command again; nothing was written"
        ) from error


def _new_folders(folder: Path, files: Iterable[str]) -> list[Path]:
    """Return the folders that writing the files makes, each before those in it."""
    folders = {above for name in files for above in (folder / name).parents if not _exists(above)}
    return sorted(folders)
