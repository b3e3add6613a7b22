"""What git knows, asked without touching work tree, index or repository."""

import io
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from devportal.errors import EnvironmentProblem, InvalidSettings, UnreadableInput

_HEADER = re.compile(rb"(?:[0-9a-f]+ )?(?P<kind>[a-z]+) (?P<size>\d+)")
"""What git says of an object before its bytes (git-cat-file(1), BATCH OUTPUT)."""
_NO_REVISION = re.compile(r"0{40}|0{64}")
"""The id of no object: what forges call the revision before the first push of a branch."""
_TRUST_ADVICE = re.compile(rb"git (?P<command>config --global --add safe\.directory (?P<folder>.+))")
"""What git advises in every language if a repository belongs to another user (git-config(1), safe.directory)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit of the repository whose work tree begins at `top`; `name` is what messages call it."""

    name: str
    commit: str
    top: Path

    def path(self, path: Path) -> str:
        """Return a path of this machine as the repository has it; raises InvalidSettings for one outside."""
        if not path.is_relative_to(self.top):
            raise InvalidSettings(
                f"{path}: this lies outside of {self.top}, the repository of {self.name}",
                help="run devportal check --records FOLDER --since REVISION in the repository that has it",
            )
        return path.relative_to(self.top).as_posix()

    def lay_out(self, path: str, folder: Path) -> bool:
        """Write a file, or a folder with all that is in it, below a folder of this machine, under its path.

        Links in the folder are left out. Says whether the revision has any file there; raises UnreadableInput
        if it has a link or a submodule in its place, or a path that leads out of it, or cannot be read.
        """
        ids = dict(self._files(path))
        for name, content in zip(ids, read_blobs(ids.values(), folder=self.top), strict=True):
            if content is None:
                raise self._read_error(name, "git cannot read it", "fetch the whole revision first")
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return bool(ids)

    def _files(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the path and the object id of each regular file at or below a path."""
        below = () if path == "." else ("--", path)
        command = ("--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", self.commit, *below)
        listed = run_git(*command, folder=self.top)
        if listed is None:
            raise self._read_error(path, "git cannot list it", "fetch the whole revision first")
        for entry in filter(None, listed.split(b"\0")):
            head, _, name = entry.partition(b"\t")
            mode, _, object_id = head.decode().split(" ")
            found = name.decode("utf-8", "surrogateescape")
            if found.startswith("/") or ".." in found.split("/"):
                advice = "do not trust this revision: git itself writes no such path (git fsck reports it)"
                raise self._read_error(found, "this path leads out of its folder", advice)
            if mode.startswith("100"):
                yield found, object_id
            elif found == path:
                kind = "a link" if mode == "120000" else "a submodule"
                advice = "run devportal check --records FOLDER --since REVISION where it leads to"
                raise self._read_error(path, f"it is {kind}", advice)

    def _read_error(self, path: str, why: str, advice: str) -> UnreadableInput:
        return UnreadableInput(f"nothing can be compared with {self.name}:{path}: {why}", help=advice)


def find_revision(name: str, folder: Path) -> Revision | None:
    """Return the commit that git knows by a name in the repository of a folder, None for the id of no object.

    Raises UnreadableInput if there is no repository or no such commit.
    """
    top = run_git("rev-parse", "--show-toplevel", folder=folder)
    if top is None:
        raise UnreadableInput(
            f"{folder}: this folder is in no work tree that git reads",
            help="see what git status says there",
        )
    if _NO_REVISION.fullmatch(name):
        return None
    if not name.strip():
        raise UnreadableInput(
            f"git knows no revision {name!r}: the name is empty",
            help="name one, such as origin/main; in CI, the variable that has it may not be set",
        )
    commit = run_git(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", folder=folder
    )
    if commit is None:
        raise UnreadableInput(
            f"git knows no revision {name!r} here",
            help=missing_revision_help(folder),
        )
    return Revision(
        name=name,
        commit=commit.decode().strip(),
        top=Path(top.decode("utf-8", "surrogateescape").removesuffix("\n")).resolve(),
    )


def missing_revision_help(folder: Path | None = None) -> str:
    """Return what to do about a revision that the repository of a folder does not have."""
    if run_git("rev-parse", "--is-shallow-repository", folder=folder) == b"true\n":
        return (
            "this clone is shallow, so it lacks older commits: run 'git fetch --unshallow', or in CI write "
            "'fetch-depth: 0' (GitHub Actions) or 'GIT_DEPTH: \"0\"' (GitLab)"
        )
    return "check the name; in CI fetch the revision first, as with 'git fetch origin main'"


def read_blobs(
    names: Iterable[str], *, folder: Path | None = None, follow_links: bool = False
) -> Iterator[bytes | None]:
    """Yield the content of each file by its object id or `REVISION:PATH`, None for what is not a file."""
    lines = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    follow = ["--follow-symlinks"] if follow_links else []
    output = io.BytesIO(run_git("cat-file", "--batch", *follow, folder=folder, given=lines) or b"")
    for _ in range(lines.count(b"\n")):
        header = _HEADER.fullmatch(output.readline().rstrip(b"\n"))
        content = output.read(int(header["size"])) if header else b""
        if header:
            output.read(1)
        yield content if header and header["kind"] == b"blob" else None


FILE, SUBMODULE = "blob", "commit"
"""The kinds of entries of a tree that git has no folder for."""


def list_tree(revision: str, *, folder: Path | None = None) -> Iterator[tuple[str, str]]:
    """Yield the kind and the path of each file and submodule of a revision; paths begin at the root."""
    listed = run_git("ls-tree", "-r", "-z", "--full-tree", revision, folder=folder) or b""
    for entry in filter(None, listed.split(b"\0")):
        about, _, path = entry.partition(b"\t")
        yield about.split(b" ")[1].decode(), path.decode("utf-8", "surrogateescape")


def run_git(*arguments: str, folder: Path | None = None, given: bytes = b"") -> bytes | None:
    """Return what git prints, None if it refuses. Raises EnvironmentProblem if it cannot be run, or does not trust the
    repository.
    """
    try:
        ran = subprocess.run(  # noqa: S603 - no shell
            ["git", "--no-replace-objects", *arguments],  # noqa: S607 - the one of the machine
            cwd=folder,
            input=given,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise EnvironmentProblem(
            f"git cannot be run: {error.strerror or error}",
            help="install git, or compare with files in place of revisions",
        ) from error
    if ran.returncode and (trust := _TRUST_ADVICE.search(ran.stderr)):
        raise EnvironmentProblem(
            f"git does not trust the repository {_decode_output(trust['folder'])}: it belongs to another user",
            help=f"run 'git {_decode_output(trust['command'])}', also in CI and containers, or run this as the owner",
        )
    return None if ran.returncode else ran.stdout


def _decode_output(output: bytes) -> str:
    return output.decode("utf-8", "backslashreplace")
