"""What git knows of a revision: exactly its files, or an error that says why not."""

import zlib
from hashlib import sha1
from pathlib import Path

import pytest

from devportal.errors import EnvironmentProblem, InvalidSettings, UnreadableInput
from devportal.git import Revision, find_revision
from tests.differ.output.repositories import git, repository, write

FILES = {"data/a.yaml": "a\n", "data/b c/dé.yaml": "d\n", "data2/e.yaml": "e\n", "*.yml": "x\n"}


@pytest.fixture
def work_tree(tmp_path: Path) -> Path:
    """Return a work tree whose files have changed since they were committed."""
    folder = repository(tmp_path / "repository", FILES)
    write(folder, dict.fromkeys(FILES, "changed"))
    return folder


def existing_revision(name: str, folder: Path) -> Revision:
    """Return a revision that there is."""
    revision = find_revision(name, folder)
    assert revision is not None
    return revision


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("data", ["data/a.yaml", "data/b c/dé.yaml"]),
        ("data/a.yaml", ["data/a.yaml"]),
        (".", sorted(FILES)),
        ("*.yml", ["*.yml"]),
        ("dat", []),
        ("data/a", []),
    ],
)
def test_files_are_laid_out_as_the_revision_has_them(
    work_tree: Path, tmp_path: Path, path: str, names: list[str]
) -> None:
    """A file, a folder or all; a name is no pattern, and no beginning of another."""
    there = existing_revision("main", work_tree / "data").lay_out(path, tmp_path / "out")

    laid_out = {
        other_path.relative_to(tmp_path / "out").as_posix(): other_path
        for other_path in (tmp_path / "out").rglob("*")
    }
    files = {name: value.read_text(encoding="utf-8") for name, value in laid_out.items() if value.is_file()}
    assert files == {name: FILES[name] for name in names}
    assert there == bool(names)


def test_a_link_is_refused_in_its_place_and_left_out_in_a_folder(work_tree: Path, tmp_path: Path) -> None:
    """What it leads to is not what is compared."""
    (work_tree / "linked").symlink_to("data")
    (work_tree / "data" / "link.yaml").symlink_to("a.yaml")
    git(work_tree, "add", "--all")
    git(work_tree, "commit", "--quiet", "--message", "Link")
    revision = existing_revision("main", work_tree)

    with pytest.raises(UnreadableInput, match="nothing can be compared with main:linked: it is a link"):
        revision.lay_out("linked", tmp_path / "out")
    revision.lay_out("data", tmp_path / "out")
    assert not (tmp_path / "out" / "data" / "link.yaml").exists()


def test_a_submodule_is_refused(work_tree: Path, tmp_path: Path) -> None:
    """Its content is in another repository: it is not nothing."""
    head = existing_revision("main", work_tree).commit
    git(work_tree, "update-index", "--add", "--cacheinfo", f"160000,{head},records")
    git(work_tree, "commit", "--quiet", "--message", "Add a submodule")

    with pytest.raises(UnreadableInput, match="main:records: it is a submodule"):
        existing_revision("main", work_tree).lay_out("records", tmp_path / "out")


@pytest.mark.parametrize("parts", [(b"data", b".."), (b"data", b"x/../../../y"), (b"..",), (b"/tmp",)])
def test_a_path_that_leads_out_is_refused(work_tree: Path, tmp_path: Path, parts: tuple[bytes, ...]) -> None:
    """Git writes no such tree, but reads one that somebody made by hand and pushed."""
    blob = _write_object(work_tree, "blob", b"evil\n")
    tree = _write_tree(work_tree, b"100644", b"planted.yaml", blob)
    for part in reversed(parts):
        tree = _write_tree(work_tree, b"40000", part, tree)
    revision = Revision(name="evil", commit=tree, top=work_tree)

    with pytest.raises(UnreadableInput, match="this path leads out of its folder"):
        revision.lay_out(".", tmp_path / "a" / "b" / "out")

    assert not list(tmp_path.rglob("planted.yaml"))


def _write_tree(folder: Path, mode: bytes, name: bytes, object_id: str) -> str:
    return _write_object(folder, "tree", mode + b" " + name + b"\0" + bytes.fromhex(object_id))


def _write_object(folder: Path, kind: str, content: bytes) -> str:
    """Write a loose object as git does, but of any content, and return its id."""
    stored = f"{kind} {len(content)}".encode() + b"\0" + content
    object_id = sha1(stored, usedforsecurity=False).hexdigest()
    file = folder / ".git" / "objects" / object_id[:2] / object_id[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(zlib.compress(stored))
    return object_id


def test_an_object_that_is_missing_is_not_an_empty_file(work_tree: Path, tmp_path: Path) -> None:
    """A clone may have a tree and lack files of it."""
    for path in (work_tree / ".git" / "objects").rglob("*"):
        if path.is_file() and zlib.decompress(path.read_bytes()).startswith(b"blob"):
            path.unlink()

    with pytest.raises(UnreadableInput, match="git cannot read it"):
        existing_revision("main", work_tree).lay_out("data", tmp_path / "out")


@pytest.mark.parametrize("name", ["nowhere", "--all", "main:data/a.yaml", ""])
def test_what_is_no_revision(work_tree: Path, name: str) -> None:
    """A misspelt name, an option, a file."""
    with pytest.raises(UnreadableInput, match="git knows no revision"):
        find_revision(name, work_tree)


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_is_not_a_shallow_clone(work_tree: Path, name: str) -> None:
    """A variable of CI has nothing, and fetching more does not help."""
    with pytest.raises(UnreadableInput, match="the name is empty") as caught:
        find_revision(name, work_tree)

    assert "variable" in caught.value.help


@pytest.mark.parametrize("digits", [40, 64])
def test_the_id_of_no_revision(work_tree: Path, digits: int) -> None:
    """Forges write it for what was before the first push of a branch."""
    assert find_revision("0" * digits, work_tree) is None


def test_where_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compared with nothing."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    with pytest.raises(UnreadableInput, match="no work tree that git reads"):
        find_revision("main", tmp_path)


def test_where_there_is_no_git(work_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine is told of, not the revision."""
    monkeypatch.setenv("PATH", "")

    with pytest.raises(EnvironmentProblem, match="git cannot be run"):
        find_revision("main", work_tree)


def test_a_path_outside(work_tree: Path, tmp_path: Path) -> None:
    """Another repository, or none, has it."""
    revision = existing_revision("main", work_tree)

    assert revision.path(work_tree / "data") == "data"
    with pytest.raises(InvalidSettings, match="this lies outside of"):
        revision.path(tmp_path)


def test_a_repository_of_another_user_is_named(work_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that has git trust it: to git, such a repository has no revisions."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")

    with pytest.raises(EnvironmentProblem, match="belongs to another user") as refused:
        find_revision("main", work_tree)

    assert f"git config --global --add safe.directory {work_tree}" in refused.value.help


def test_a_shallow_clone_is_named_as_the_reason(work_tree: Path, tmp_path: Path) -> None:
    """What it lacks is not misspelt, and fetching the branch again would not bring it."""
    git(work_tree, "commit", "--all", "--message", "Change")
    git(tmp_path, "clone", "--quiet", "--depth=1", work_tree.as_uri(), "shallow")

    with pytest.raises(UnreadableInput) as lacking:
        find_revision("HEAD~1", tmp_path / "shallow")
    with pytest.raises(UnreadableInput) as misspelt:
        find_revision("mian", work_tree)

    assert "git fetch --unshallow" in lacking.value.help
    assert "check the name" in misspelt.value.help
