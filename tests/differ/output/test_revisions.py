"""Contracts as git has them."""

from pathlib import Path

import pytest

from devportal.differ.contract_sources import RevisionContract, load_revision, parse_revision_path
from devportal.errors import EnvironmentProblem, UnreadableInput

from .repositories import git, repository, write

ROOT = """\
openapi: 3.1.0
info: {title: T, version: 1.0.0}
paths: {}
components:
  schemas:
    Note: {$ref: parts/note.yaml}
"""
NOTE = "type: object\nproperties:\n  text: {$ref: 'te%20xt.yaml'}\n"
FILES = {"openapi.yaml": ROOT, "parts/note.yaml": NOTE, "parts/te xt.yaml": "{type: string, maxLength: 10}\n"}


def load(written: str, *, outside: bool = False) -> RevisionContract:
    """Return the contract of a revision."""
    asked = parse_revision_path(written)
    assert asked is not None
    contract = load_revision(asked, allow_outside_references=outside)
    assert isinstance(contract, RevisionContract)
    return contract


def load_error(written: str) -> str:
    """Return the error if nothing can be read."""
    with pytest.raises(UnreadableInput) as caught:
        load(written)
    return str(caught.value)


@pytest.fixture
def work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a work tree whose files have changed since they were committed, and be in it."""
    folder = repository(tmp_path / "api", FILES)
    write(folder, {"openapi.yaml": "changed", "parts/note.yaml": "changed", "parts/te xt.yaml": "changed"})
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("main:openapi.yaml", ("main", "openapi.yaml")),
        (":a/b.yaml", ("", "a/b.yaml")),
        ("main@{2026-11-02 08:00}:a:b.yaml", ("main@{2026-11-02 08:00}", "a:b.yaml")),
        ("HEAD^{/fix: it}:x", ("HEAD^{/fix: it}", "x")),
    ],
)
def test_revision_ends_at_the_first_colon_outside_braces(written: str, parts: tuple[str, str]) -> None:
    """The rest is the path."""
    asked = parse_revision_path(written)

    assert asked is not None
    assert (asked.revision, asked.path) == parts


@pytest.mark.parametrize("written", ["openapi.yaml", "main:", "--output=x:y", "a{b:c"])
def test_text_that_is_no_revision(written: str) -> None:
    """Nor an option that git would take."""
    assert parse_revision_path(written) is None


@pytest.mark.usefixtures("work_tree")
def test_everything_is_read_from_the_revision() -> None:
    """The file and what it refers to, directly or not; the work tree has other contents."""
    contract = load("main:openapi.yaml")

    assert contract.findings == ()
    assert {name: document.text for name, document in contract.source.documents().items()} == {
        "": ROOT,
        **{name: text for name, text in FILES.items() if name != "openapi.yaml"},
    }


@pytest.mark.usefixtures("work_tree")
def test_places_name_the_revision() -> None:
    """For every file, and beside the root too."""
    contract = load("main:openapi.yaml")
    places = {str(contract.place(location)) for location in contract.api.schemas}

    assert "main:openapi.yaml:6:5" in places
    assert "main:parts/note.yaml:1:1" in places


def test_findings_name_the_revision(work_tree: Path) -> None:
    """A reference to a file that is not there is one, with its place in the revision."""
    write(work_tree, {"openapi.yaml": ROOT, "parts/note.yaml": "$ref: nowhere.yaml\n"})
    git(work_tree, "commit", "--quiet", "--all", "--message", "Break")

    (finding,) = load("HEAD:openapi.yaml").findings

    assert str(finding.place) == "HEAD:parts/note.yaml:1:1"
    assert "leads to a file that cannot be read: No such file" in finding.message


def test_path_from_here(work_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`./` and `../` begin in this folder, and the place is told from the root."""
    write(work_tree, {"sub/api.yaml": ROOT.replace("parts/", "../parts/")})
    git(work_tree, "add", "sub")
    git(work_tree, "commit", "--quiet", "--message", "Move", "--", "sub")
    monkeypatch.chdir(work_tree / "sub")

    assert {
        load(item).api.version for item in ("main:./api.yaml", "main:../openapi.yaml", "main:sub/api.yaml")
    } == {"1.0.0"}
    assert load("main:./api.yaml", outside=True).findings == ()
    assert "leads outside the contract's folder" in str(load("main:./api.yaml").findings)
    assert "the path '../../x.yaml' leads out of the repository" in load_error("main:../../x.yaml")


def test_index(work_tree: Path) -> None:
    """What would be committed now has the empty revision."""
    write(work_tree, {"openapi.yaml": ROOT.replace("1.0.0", "2.0.0")})
    git(work_tree, "add", "openapi.yaml")
    write(work_tree, {"openapi.yaml": "changed"})

    contract = load(":openapi.yaml")

    assert contract.api.version == "2.0.0"
    assert "the index of git has no file 'none.yaml'" in load_error(":none.yaml")


def test_symbolic_link(work_tree: Path) -> None:
    """Is read as the file that it leads to, unless that is not in the repository."""
    for name, target in (("link.yaml", "openapi.yaml"), ("out.yaml", "/etc/hostname"), ("gone.yaml", "gone")):
        (work_tree / name).symlink_to(target)
        git(work_tree, "add", name)
    git(work_tree, "commit", "--quiet", "--message", "Link")

    assert load("main:link.yaml").api.version == "1.0.0"
    assert "has no file 'out.yaml'" in load_error("main:out.yaml")
    assert "has no file 'gone.yaml'" in load_error("main:gone.yaml")


@pytest.mark.usefixtures("work_tree")
def test_what_is_not_there() -> None:
    """Says whether the file is missing, or the revision."""
    assert load_error("main:no.yaml").startswith(
        "main:no.yaml: the revision 'main' has no file 'no.yaml'\n  help: "
    )
    assert load_error("v9:openapi.yaml").startswith(
        "v9:openapi.yaml: there is no such file, and git knows no revision 'v9' here\n  help: "
    )
    assert "has no file 'parts'" in load_error("main:parts")


@pytest.mark.usefixtures("work_tree")
def test_a_file_that_was_in_another_folder_is_named() -> None:
    """As before it was moved; of several, none is."""
    assert "help: did you mean main:parts/note.yaml?" in load_error("main:note.yaml")
    assert "help: did you mean main:openapi.yaml?" in load_error("main:spec/openapi.yaml")


def test_a_file_in_a_submodule_is_in_another_repository(work_tree: Path) -> None:
    """The command has to run there."""
    commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # git asks for no object of another repository
    git(work_tree, "update-index", "--add", "--cacheinfo", f"160000,{commit},apis/orders")
    git(work_tree, "commit", "--quiet", "--message", "Add a submodule")

    error = load_error("main:apis/orders/spec/openapi.yaml")

    assert "'apis/orders' is a submodule: run the command in it, with a revision of it" in error
    assert error.endswith("such as HEAD:spec/openapi.yaml")


def test_where_there_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name may be meant as that of a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    assert "main:a.yaml: there is no such file, and this folder is in no git repository" in load_error(
        "main:a.yaml"
    )


def test_machine_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is told so."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(EnvironmentProblem, match="git cannot be run: No such file"):
        load("main:openapi.yaml")


def test_file_that_is_no_contract(work_tree: Path) -> None:
    """Is told with its place in the revision."""
    write(work_tree, {"bad.yaml": "a: [1\nb: 2"})
    git(work_tree, "add", "bad.yaml")

    assert load_error(":bad.yaml").startswith(":bad.yaml:2:2: ")
