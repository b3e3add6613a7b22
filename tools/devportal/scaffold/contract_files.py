"""The files of a contract, on their way into a new project: byte by byte as they are."""

import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from devportal.contract import Contract
from devportal.contract.read.raw_keys import external_references
from devportal.errors import InvalidContract, UnreadableInput
from devportal.site.output.redirects import redirects_beside

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
    """Read the contract, every file that it refers to, and the redirects beside it.

    They keep their places to each other, and the folders that references name on their way, so that those go
    on leading where they led.
    Raises UnreadableInput, and InvalidContract where one of them would lie among the releases.
    """
    referred = [name for name in contract.source.documents() if name]
    redirects = redirects_beside(path)
    names = [path.name, *referred, *([redirects.name] if redirects is not None else [])]
    above = _folders_above(path, contract, names)
    copied = ContractFiles(
        root=_project_path(path.name, above),
        files={_project_path(name, above): _read_bytes(path.parent / name) for name in names},
    )
    for name in names:
        if _is_among(copied.releases, _project_path(name, above)):
            raise InvalidContract(
                f"{path}: it refers to {name!r}, and releases are frozen in {copied.releases}",
                help="move that file to a folder of another name, and mend the references to it",
            )
    return copied


def _is_among(folder: str, name: str) -> bool:
    """Say whether a file would lie in a folder or in its place, also where disks know no case."""
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
            way = posixpath.join(posixpath.dirname(base), unquote(reference.partition("#")[0]))
            if posixpath.relpath(posixpath.normpath(posixpath.join(folder, way)), folder) in names:
                yield _max_climb(way)


def _max_climb(way: str) -> int:
    """Return how many folders up a relative way is where it is highest."""
    height = highest = 0
    for part in way.split("/"):
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
