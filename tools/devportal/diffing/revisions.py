"""Contracts as git has them, `main:openapi.yaml`: read without touching the work tree."""

import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from devportal.contract import Contract, Location, read_contract
from devportal.contract.keys import references_elsewhere
from devportal.documents import Document, read_document
from devportal.errors import EnvironmentProblem, Place, PortalError, UnreadableInput
from devportal.git import read_blobs, run_git

_WRITTEN = re.compile(r"(?P<revision>(?:[^:{]|\{[^}]*\})*):(?P<path>.+)", re.DOTALL)
"""A revision and a path (gitrevisions(7)); braces may hold a colon, as in `main@{2026-11-02 08:00}`."""
_SPLIT = frozenset("\n\0")
"""What no path may hold that git is to take from a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InRevision:
    """A file as a revision has it; `path` begins at the root of the repository.

    The empty revision is the index: what would be committed now.
    """

    revision: str
    path: str

    def __str__(self) -> str:
        """Return the name as git takes it."""
        return f"{self.revision}:{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionContract(Contract):
    """A contract whose files lie in a revision."""

    revision: str

    def place(self, location: Location) -> Place:
        """Return the place in the files of the revision of a location of the model."""
        return _in(self.revision, Contract.place(self, location))


def in_revision(written: str) -> InRevision | None:
    """Return what is meant by `REV:path`, None where the text is nothing like it."""
    found = _WRITTEN.fullmatch(written)
    if found is None or found["revision"].startswith("-") or "\0" in written:
        return None
    return InRevision(revision=found["revision"], path=found["path"])


def load_revision(asked: InRevision, *, allow_outside_references: bool = False) -> Contract:
    """Read a contract of a revision and the files that it refers to, all from there.

    Raises what `load_contract` raises, and EnvironmentProblem where git cannot be run.
    """
    asked = _from_the_root(asked)
    with TemporaryDirectory(prefix="devportal-diff-") as folder:
        file = Path(folder) / asked.path
        try:
            document = _laid_out(asked, Path(folder))
        except OSError as error:
            raise EnvironmentProblem(
                f"{asked}: this file cannot be laid out to be read: {error.strerror or error}",
                help="check the folder for temporary files",
            ) from error
        contract = read_contract(
            document,
            folder=file.parent,
            root_file=file.name,
            allow_outside_references=allow_outside_references,
        )
    findings = tuple(replace(one, place=_in(asked.revision, one.place)) for one in contract.findings)
    return RevisionContract(
        api=contract.api,
        findings=findings,
        digest=contract.digest,
        source=contract.source,
        revision=asked.revision,
    )


def _in(revision: str, place: Place) -> Place:
    """Return a place whose file bears the revision: those beside a file at the root do not bear it yet."""
    prefix = f"{revision}:"
    return place if place.file.startswith(prefix) else replace(place, file=f"{prefix}{place.file}")


def _from_the_root(asked: InRevision) -> InRevision:
    """Return the file with its path from the root; `./` and `../` begin where we are (gitrevisions(7))."""
    here = run_git("rev-parse", "--show-prefix")
    if here is None:
        raise _unknown(asked, "this folder is in no git repository that could have a revision of it")
    path = asked.path
    if path.startswith(("./", "../")):
        path = posixpath.join(here.removesuffix(b"\n").decode("utf-8", "surrogateescape"), path)
    path = posixpath.normpath(path)
    if not _is_inside(path):
        raise UnreadableInput(
            f"the path {asked.path!r} leads out of the repository",
            place=Place(file=str(asked)),
            help="write it from the root of the repository, as in main:api/openapi.yaml",
        )
    return replace(asked, path=path)


def _is_inside(path: str) -> bool:
    """Say whether a normal path can be that of a file of a repository, on one line."""
    return not path.startswith(("../", "/")) and path not in (".", "..") and _SPLIT.isdisjoint(path)


def _laid_out(asked: InRevision, folder: Path) -> Document:
    """Write the file, and every file that references seem to lead to, as they lie in the repository.

    Returns the file itself. Others that cannot be read are told by whoever follows a reference to them.
    """
    written = _write(asked.revision, (asked.path,), folder)
    if not written:
        raise _missing(asked)
    document = read_document(folder / asked.path, name=str(asked))
    pending = list(_referred_to(document, asked.path))
    seen = {asked.path}
    while pending:
        new = tuple(one for one in dict.fromkeys(pending) if one not in seen)
        seen.update(new)
        pending = []
        for path in _write(asked.revision, new, folder):
            with suppress(PortalError):
                pending += _referred_to(read_document(folder / path), path)
    return document


def _referred_to(document: Document, path: str) -> Iterator[str]:
    """Yield the paths that a file of the repository seems to refer to."""
    for reference in references_elsewhere(document):
        written = unquote(reference.partition("#")[0])
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
        if written and _is_inside(name):
            yield name


def _write(revision: str, paths: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Write files of a revision, and return which of them it has.

    The content of a symbolic link is that of the file that it leads to, if that is in the repository.
    """
    contents = read_blobs((f"{revision}:{path}" for path in paths), follow_links=True)
    found = {path: content for path, content in zip(paths, contents, strict=True) if content is not None}
    for path, content in found.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return tuple(found)


def _missing(asked: InRevision) -> UnreadableInput:
    """Return the error for a file that is not there: or is it the revision?"""
    tree = f"{asked.revision}^{{tree}}"
    if asked.revision and run_git("rev-parse", "--verify", "--quiet", "--end-of-options", tree) is None:
        return _unknown(asked, f"git knows no revision {asked.revision!r} here")
    where = f"the revision {asked.revision!r}" if asked.revision else "the index of git"
    return UnreadableInput(
        f"{where} has no file {asked.path!r}",
        place=Place(file=str(asked)),
        help="write the path from the root of the repository, or from here with './' before it",
    )


def _unknown(asked: InRevision, why: str) -> UnreadableInput:
    return UnreadableInput(
        f"there is no such file, and {why}",
        place=Place(file=str(asked)),
        help="check the name; in CI fetch the revision first, as with 'git fetch origin main'",
    )
