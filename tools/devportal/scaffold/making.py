"""A new portal, made beside the place it goes to: it is put there when all of it is right, or not at all."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from devportal.contract import Contract, check_contract, load_contract
from devportal.contract.keys import references_elsewhere
from devportal.errors import EnvironmentProblem, InvalidContract, InvalidSettings
from devportal.findings import Finding, Level, has_errors, in_order
from devportal.releasing.project import read_project
from devportal.releasing.releasing import planned
from devportal.releasing.writing import Change, write
from devportal.scaffold.contract_files import ContractFiles, contract_files
from devportal.scaffold.files import beginning_of, can_be_released
from devportal.scaffold.settings_there import named_contract

SETTINGS = "mkdocs.yml"
_OWN = {".git"}
"""What may lie in an empty folder: a clone of an empty repository is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A portal that can be written: its files by name, what is wrong with its contract, and what is frozen.

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
    released: str = ""


def made_around(
    path: Path, *, allow_outside_references: bool, with_rates: bool = False, site_url: str, today: date
) -> Made:
    """Return a portal around a contract, with a rate book if asked for. Where the contract cannot be built as
    it is, there are no files.

    Raises PortalError where there is no contract to read, or none that can be copied.
    """
    contract = load_contract(path, allow_outside_references=allow_outside_references)
    findings = in_order([*contract.findings, *check_contract(contract)])
    if has_errors(contract.findings):
        return Made(contract=contract, findings=findings)
    copied = contract_files(path, contract)
    outside = any(".." in name.split("/") for name in contract.source.documents())
    _refuse_torn(path, contract, copied, outside=outside)
    beginning = beginning_of(
        contract.api,
        contract=copied.root,
        releases=copied.releases,
        outside=outside,
        with_rates=with_rates,
        site_url=site_url,
        today=today,
    )
    texts = {**beginning.files, **beginning.history}
    files = {**copied.files, **{name: text.encode() for name, text in texts.items()}}
    made = Made(
        contract=contract,
        files=files,
        root=copied.root,
        copied=frozenset(copied.files),
        history=frozenset(beginning.history),
        findings=findings,
    )
    is_ready = beginning.history and can_be_released(contract.api) and not has_errors(findings)
    return _released(made, copied.releases, today) if is_ready else made


def _refuse_torn(path: Path, contract: Contract, copied: ContractFiles, *, outside: bool) -> None:
    """Raise InvalidContract where the copy of a contract would not be read as the contract is."""
    if not any(
        one for document in contract.source.documents().values() for one in references_elsewhere(document)
    ):
        return  # one file, byte by byte as it is
    with TemporaryDirectory(prefix="devportal-") as name:
        folder = Path(name).resolve()
        write(Change(path=folder / at, content=content) for at, content in copied.files.items())
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


def _released(made: Made, releases: str, today: date) -> Made:
    """Return a portal with its contract frozen as it is published first."""
    version = made.contract.api.version
    with TemporaryDirectory(prefix="devportal-") as name:
        folder = Path(name).resolve()
        write(Change(path=folder / at, content=content) for at, content in made.files.items())
        plan = planned(read_project(folder / SETTINGS), version, today)
    changed = {one.path.relative_to(folder).as_posix(): one.content for one in plan.changes}
    return replace(
        made,
        files={**made.files, **changed},
        history=made.history | changed.keys(),
        frozen=frozenset(name for name in changed if name.startswith(f"{releases}/")),
        released=version,
    )


def missing_in(folder: Path, made: Made) -> dict[str, bytes]:
    """Return the files of a portal that a folder does not have yet.

    What was published is only told in a folder that tells nothing yet, and that has this very contract; the
    files of a contract are not added to another one.
    """
    there = lying_in(folder, made)
    others = {name for name in there if not _is_same(folder / name, made.files[name])}
    unwanted = made.copied if made.root in others else frozenset[str]()
    is_told = any(_lies((folder / name).parent) for name in made.history)
    if is_told or others & {SETTINGS, *made.copied, *made.frozen}:
        unwanted |= made.history
    return {name: content for name, content in made.files.items() if name not in there | unwanted}


def lying_in(folder: Path, made: Made) -> frozenset[str]:
    """Return the names of the files of a portal that a folder has, whatever is in them."""
    return frozenset(name for name in made.files if _lies(folder / name))


def is_frozen_in(folder: Path, made: Made) -> bool:
    """Say whether a folder has the release of a portal, byte by byte."""
    return bool(made.frozen) and all(_is_same(folder / name, made.files[name]) for name in made.frozen)


def refuse_another(folder: Path, made: Made) -> None:
    """Raise InvalidSettings for a folder whose settings name another contract than this portal has."""
    named = named_contract(folder / SETTINGS)
    if named is not None and (folder / named).resolve() != (folder / made.root).resolve():
        raise InvalidSettings(
            f"{folder / SETTINGS}: these settings name another contract: {named!r}",
            help="a portal is around one: make another in a new folder, or change that setting first",
        )


def names_no_contract(folder: Path) -> bool:
    """Say whether the settings of a folder name no contract that can be told."""
    return named_contract(folder / SETTINGS) is None


def _lies(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _is_same(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def in_the_way(folder: Path) -> tuple[str, ...]:
    """Return the names of what a folder holds already, in order; it need not exist.

    Raises EnvironmentProblem where it cannot be listed.
    """
    try:
        return tuple(sorted(one.name for one in folder.iterdir() if one.name not in _OWN))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder}: this folder cannot be listed: {error.strerror or error}",
            help="give the name of a new or empty folder",
        ) from error


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder: all of them, or none. Raises EnvironmentProblem."""
    new = _new_folders(folder, files)
    try:
        write(Change(path=folder / name, content=content) for name, content in files.items())
    except EnvironmentProblem as error:
        for one in (folder / name for name in files):
            with suppress(OSError):
                one.unlink()
        for one in reversed(new):
            with suppress(OSError):
                one.rmdir()
        raise EnvironmentProblem(
            error.message, help="mend that and run the command again: nothing is left of this try"
        ) from error


def _new_folders(folder: Path, files: Iterable[str]) -> list[Path]:
    """Return the folders that writing the files makes, each before those in it."""
    found = {above for name in files for above in (folder / name).parents if not _lies(above)}
    return sorted(found)
