"""The two contracts of a comparison: files, addresses, revisions of git; read."""

import posixpath
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from devportal.contract import Api, Contract, Location, Schema, load_contract, read_contract
from devportal.contract.load import require_allowed_references
from devportal.contract.read.raw_keys import external_references
from devportal.differ.components import Components
from devportal.differ.located_changes import SchemaUse
from devportal.differ.match.security_schemes import SecuritySchemeMatching
from devportal.differ.policy import Policy
from devportal.differ.schemas.compare_schemas import SchemaComparison
from devportal.differ.schemas.inclusions import Inclusions
from devportal.differ.schemas.logic.satisfiability import Effort
from devportal.differ.schemas.position import Position, Schemas, Side
from devportal.documents import Document, read_document
from devportal.errors import (
    EnvironmentProblem,
    InvalidSettings,
    Place,
    PortalError,
    UnreadableInput,
    hide_credentials,
)
from devportal.git import FILE, SUBMODULE, list_tree, missing_revision_help, read_blobs, run_git
from devportal.reporting import checkout_path

_REVISION_PATH = re.compile(r"(?P<revision>(?:[^:{]|\{[^}]*\})*):(?P<path>.+)", re.DOTALL)
"""A revision and a path (gitrevisions(7)); braces may hold a colon, as in `main@{2026-11-02 08:00}`."""
_SPLIT = frozenset("\n\0")
"""What no path may hold that git is to take from a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionPath:
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
        return _with_revision(self.revision, Contract.place(self, location))


def parse_revision_path(written: str) -> RevisionPath | None:
    """Return the revision and path of `REV:path`, None if the text has another form."""
    match = _REVISION_PATH.fullmatch(written)
    if match is None or match["revision"].startswith("-") or "\0" in written:
        return None
    return RevisionPath(revision=match["revision"], path=match["path"])


def load_revision(
    source: RevisionPath, *, allow_outside_references: bool = False, allow_repeated_keys: bool = False
) -> Contract:
    """Read a contract of a revision and the files that it refers to, all from there.

    Raises what `load_contract` raises, and EnvironmentProblem if git cannot be run.
    """
    source = _resolve_from_root(source)
    with TemporaryDirectory(prefix="devportal-diff-") as folder:
        file = Path(folder) / source.path
        try:
            document = _write_with_references(source, Path(folder), allow_repeated_keys=allow_repeated_keys)
        except OSError as error:
            raise EnvironmentProblem(
                f"{source}: this file cannot be laid out to be read: {error.strerror or error}",
                help="check the folder for temporary files",
            ) from error
        contract = read_contract(
            document,
            folder=file.parent,
            root_file=file.name,
            allow_outside_references=allow_outside_references,
            allow_repeated_keys=allow_repeated_keys,
        )
    findings = tuple(
        replace(finding, place=_with_revision(source.revision, finding.place))
        for finding in contract.findings
    )
    return RevisionContract(
        api=contract.api,
        findings=findings,
        digest=contract.digest,
        source=contract.source,
        revision=source.revision,
    )


def _with_revision(revision: str, place: Place) -> Place:
    """Return a place whose file bears the revision: those beside a file at the root do not bear it yet."""
    prefix = f"{revision}:"
    return place if place.file.startswith(prefix) else replace(place, file=f"{prefix}{place.file}")


def _resolve_from_root(source: RevisionPath) -> RevisionPath:
    """Return the file with its path from the root; `./` and `../` begin where we are (gitrevisions(7))."""
    prefix = run_git("rev-parse", "--show-prefix")
    if prefix is None:
        raise _no_such_file_error(
            source, "this folder is in no git repository that could have a revision of it"
        )
    path = source.path
    if path.startswith(("./", "../")):
        path = posixpath.join(prefix.removesuffix(b"\n").decode("utf-8", "surrogateescape"), path)
    path = posixpath.normpath(path)
    if not _is_inside_repository(path):
        raise UnreadableInput(
            f"the path {source.path!r} leads out of the repository",
            place=Place(file=str(source)),
            help="write it from the root of the repository, as in main:api/openapi.yaml",
        )
    return replace(source, path=path)


def _is_inside_repository(path: str) -> bool:
    """Say whether a normal path can be that of a file of a repository, on one line."""
    return not path.startswith(("../", "/")) and path not in (".", "..") and _SPLIT.isdisjoint(path)


def _write_with_references(source: RevisionPath, folder: Path, *, allow_repeated_keys: bool) -> Document:
    """Write the file, and every file that its references seem to lead to, as they are in the repository.

    Returns the file itself. Other files that cannot be read are reported when a reference to them is
    followed.
    """
    written = _write_files(source.revision, (source.path,), folder)
    if not written:
        raise _missing_file_error(source)
    document = read_document(folder / source.path, name=str(source), allow_repeated_keys=allow_repeated_keys)
    pending = list(_referenced_paths(document, source.path))
    seen = {source.path}
    while pending:
        new = tuple(text for text in dict.fromkeys(pending) if text not in seen)
        seen.update(new)
        pending = []
        for path in _write_files(source.revision, new, folder):
            with suppress(PortalError):
                below = read_document(folder / path, allow_repeated_keys=allow_repeated_keys)
                pending += _referenced_paths(below, path)
    return document


def _referenced_paths(document: Document, path: str) -> Iterator[str]:
    """Yield the paths that a file of the repository seems to refer to."""
    for reference in external_references(document):
        written = unquote(reference.partition("#")[0])
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), written))
        if written and _is_inside_repository(name):
            yield name


def _write_files(revision: str, paths: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Write files of a revision, and return which of them it has.

    The content of a symbolic link is that of the file that it leads to, if that is in the repository.
    """
    contents = read_blobs((f"{revision}:{path}" for path in paths), follow_links=True)
    found_contents = {
        path: content for path, content in zip(paths, contents, strict=True) if content is not None
    }
    for path, content in found_contents.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return tuple(found_contents)


def _missing_file_error(source: RevisionPath) -> UnreadableInput:
    """Return the error for a file that is not there: or is it the revision?"""
    tree = f"{source.revision}^{{tree}}"
    if source.revision and run_git("rev-parse", "--verify", "--quiet", "--end-of-options", tree) is None:
        return _no_such_file_error(source, f"git knows no revision {source.revision!r} here")
    where = f"the revision {source.revision!r}" if source.revision else "the index of git"
    return UnreadableInput(
        f"{where} has no file {source.path!r}",
        place=Place(file=str(source)),
        help=_other_place(source)
        or "write the path from the root of the repository, or from here with './' before it",
    )


def _other_place(source: RevisionPath) -> str:
    """Return where the revision has the file that is meant: in a submodule, or in another folder; empty if unknown."""
    entries = [*list_tree(source.revision)] if source.revision else []
    wanted = posixpath.normpath(source.path)
    for kind, path in entries:
        if kind == SUBMODULE and wanted.startswith(f"{path}/"):
            below = wanted.removeprefix(f"{path}/")
            return (
                f"{path!r} is a submodule: run the command in it, with a revision of it, such as HEAD:{below}"
            )
    name = posixpath.basename(wanted)
    same_name = [
        path for kind, path in entries if kind == FILE and posixpath.basename(path) == name and path != wanted
    ]
    return f"did you mean {source.revision}:{same_name[0]}?" if len(same_name) == 1 else ""


def _no_such_file_error(source: RevisionPath, why: str) -> UnreadableInput:
    return UnreadableInput(
        f"there is no such file, and {why}",
        place=Place(file=str(source)),
        help=missing_revision_help(),
    )


STDIN = "-"
_STDIN_NAME = "<stdin>"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def load_source(
    written: str, *, allow_outside_references: bool = False, allow_repeated_keys: bool = False
) -> Contract:
    """Read a contract from where an argument says. Raises PortalError, also if a reference leads outside and may not:
    what both contracts lack would count as unchanged.

    A file is a file whatever its name looks like. The old contract of a comparison is read with
    `allow_repeated_keys`: it is released, and nobody can repair it any more.
    """
    contract = _load_source(
        written, allow_outside_references=allow_outside_references, allow_repeated_keys=allow_repeated_keys
    )
    return require_allowed_references(contract)


def _load_source(written: str, *, allow_outside_references: bool, allow_repeated_keys: bool) -> Contract:
    path = Path(written)
    if written == STDIN:
        return _read_standard_input(
            allow_outside_references=allow_outside_references, allow_repeated_keys=allow_repeated_keys
        )
    if _exists(path):
        return load_contract(
            path, allow_outside_references=allow_outside_references, allow_repeated_keys=allow_repeated_keys
        )
    if _URL.match(written):
        raise InvalidSettings(
            f"{hide_credentials(written)}: nothing is read from the network",
            help="download it first, and give the path of the file, or - for standard input",
        )
    revision_path = parse_revision_path(written)
    if revision_path is not None:
        return load_revision(
            revision_path,
            allow_outside_references=allow_outside_references,
            allow_repeated_keys=allow_repeated_keys,
        )
    return load_contract(path)


def _read_standard_input(*, allow_outside_references: bool, allow_repeated_keys: bool) -> Contract:
    """Read standard input as if it were a file of the current folder."""
    with TemporaryDirectory(prefix="devportal-diff-") as folder:
        file = Path(folder) / "contract"
        file.write_bytes(sys.stdin.buffer.read())
        document = read_document(file, name=_STDIN_NAME, allow_repeated_keys=allow_repeated_keys)
    return read_contract(
        document,
        folder=Path.cwd(),
        allow_outside_references=allow_outside_references,
        allow_repeated_keys=allow_repeated_keys,
    )


def _exists(path: Path) -> bool:
    """Say whether there is something; too long a name, which the system does not look for, is nothing."""
    try:
        return path.exists()
    except OSError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracts:
    """An old and a new contract under comparison."""

    old: Api
    new: Api
    policy: Policy
    schemas: SchemaComparison = field(repr=False)
    includes: Inclusions = field(repr=False)
    schemes: SecuritySchemeMatching = field(repr=False)
    components: Components = field(repr=False)

    @classmethod
    def of(cls, old: Api, new: Api, policy: Policy) -> "Contracts":
        """Return two contracts with the comparisons that they share."""
        includes = Inclusions(old, new, policy)
        components = Components(old, new)
        schemas = SchemaComparison(
            includes.forms(Side.OLD),
            includes.forms(Side.NEW),
            policy,
            includes,
            components,
            Effort(left=_EFFORT, of_question=_EFFORT_OF_QUESTION),
        )
        return cls(
            old=old,
            new=new,
            policy=policy,
            schemas=schemas,
            includes=includes,
            schemes=SecuritySchemeMatching.of(old, new),
            components=components,
        )

    def compare_schemas(self, old: Schema | None, new: Schema | None, position: Position) -> SchemaUse | None:
        """Return the compared schemas and the component that uses them, None if both are absent."""
        if old is None and new is None:
            return None
        return self.schemas.use("", schemas_of(old), schemas_of(new), position)

    def is_still_accepted(self, old: Schema | None, new: Schema | None) -> bool:
        """Return whether each value that was valid is shown to be valid still."""
        if new is None:
            return True
        return self.includes(schemas_of(old), Side.OLD, schemas_of(new), Side.NEW)

    def was_allowed(self, old: Schema | None, new: Schema | None) -> bool:
        """Return whether each value that is valid now is shown to have been valid before."""
        if old is None:
            return True
        return self.includes(schemas_of(new), Side.NEW, schemas_of(old), Side.OLD)

    def is_alike(self, old: Schema | None, new: Schema | None) -> bool:
        """Say whether two schemas are shown to allow the same values."""
        return self.is_still_accepted(old, new) and self.was_allowed(old, new)


_EFFORT, _EFFORT_OF_QUESTION = 50_000, 2_000
"""How many choices proofs about schemas look at in all, and about two of them: some seconds, and a fraction of one."""


def schemas_of(schema: Schema | None) -> Schemas:
    """Return the schemas of a value whose schema may be absent."""
    return (schema,) if schema is not None else ()


def checkout_paths(contracts: Iterable[Contract], *, workspace: Path | None) -> Mapping[str, str]:
    """Return the path in the checkout of each file of contracts, by the name that messages call it.

    A file of a revision has its path in the repository, any other that of `checkout_path`.
    """
    return {name: path for contract in contracts for name, path in _document_paths(contract, workspace)}


def _document_paths(contract: Contract, workspace: Path | None) -> Iterator[tuple[str, str]]:
    for document in contract.source.documents().values():
        if isinstance(contract, RevisionContract):
            in_repository = document.name.removeprefix(f"{contract.revision}:")
            yield f"{contract.revision}:{in_repository}", in_repository
            continue
        yield document.name, checkout_path(document.name, workspace=workspace)
