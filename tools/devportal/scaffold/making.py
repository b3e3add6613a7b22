"""A new portal, made beside the place it goes to: it is put there when all of it is right, or not at all."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from devportal.contract import Contract, check_contract, load_contract
from devportal.errors import EnvironmentProblem
from devportal.findings import Finding, has_errors, in_order
from devportal.releasing.project import read_project
from devportal.releasing.releasing import planned
from devportal.releasing.writing import Change, write
from devportal.scaffold.contract_files import FOLDER as CONTRACTS
from devportal.scaffold.contract_files import contract_files
from devportal.scaffold.files import beginning_of, can_be_released

SETTINGS = "mkdocs.yml"
_OWN = {".git"}
"""What may lie in an empty folder: a clone of an empty repository is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A portal that can be written: its files by name, what is wrong with its contract, and what is frozen.

    `history` are the names of the files that tell what was published: they belong together.
    """

    contract: Contract = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)
    history: frozenset[str] = field(repr=False)
    findings: tuple[Finding, ...] = ()
    released: str = ""


def made_around(path: Path, *, allow_outside_references: bool, site_url: str, today: date) -> Made:
    """Return a portal around a contract. Where that cannot be built as it is, there are no files.

    Raises PortalError where there is no contract to read.
    """
    contract = load_contract(path, allow_outside_references=allow_outside_references)
    findings = in_order([*contract.findings, *check_contract(contract)])
    if has_errors(contract.findings):
        return Made(contract=contract, files={}, history=frozenset(), findings=findings)
    copied = contract_files(path, contract)
    beginning = beginning_of(
        contract.api,
        contract=copied.root,
        releases=copied.releases,
        outside=any(".." in name.split("/") for name in contract.source.documents()),
        site_url=site_url,
        today=today,
    )
    texts = {**beginning.files, **beginning.history}
    files = {**copied.files, **{name: text.encode() for name, text in texts.items()}}
    made = Made(contract=contract, files=files, history=frozenset(beginning.history), findings=findings)
    is_ready = beginning.history and can_be_released(contract.api) and not has_errors(findings)
    return _released(made, today) if is_ready else made


def _released(made: Made, today: date) -> Made:
    """Return a portal with its contract frozen as it is published first."""
    version = made.contract.api.version
    with TemporaryDirectory(prefix="devportal-") as name:
        folder = Path(name).resolve()
        write(Change(path=folder / at, content=content) for at, content in made.files.items())
        plan = planned(read_project(folder / SETTINGS), version, today)
    changed = {one.path.relative_to(folder).as_posix(): one.content for one in plan.changes}
    return replace(
        made, files={**made.files, **changed}, history=made.history | changed.keys(), released=version
    )


def missing_in(folder: Path, made: Made) -> dict[str, bytes]:
    """Return the files of a portal that a folder does not have yet.

    What was published is only told in a folder that tells nothing yet, and that has this very contract.
    """
    missing = {name: content for name, content in made.files.items() if not _lies(folder / name)}
    is_told = any(_lies((folder / name).parent) for name in made.history)
    is_other = any(
        name not in missing and not _is_same(folder / name, content)
        for name, content in made.files.items()
        if name == SETTINGS or name.startswith(f"{CONTRACTS}/")
    )
    return {
        name: content
        for name, content in missing.items()
        if name not in made.history or not (is_told or is_other)
    }


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
