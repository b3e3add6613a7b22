"""What a forge calls the files."""

from pathlib import Path

import pytest

from devportal.contract import Contract, load_contract
from devportal.differ.contract_sources import checkout_paths

from .repositories import repository, write
from .test_revisions import FILES, load


def paths(contract: Contract, workspace: Path | None = None) -> list[str]:
    """Return what the forge calls the files of a contract."""
    return sorted(checkout_paths((contract,), workspace=workspace).values())


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a contract two folders down, and be one folder down."""
    write(tmp_path / "tree", {f"api/v1/{name}": text for name, text in FILES.items()})
    monkeypatch.chdir(tmp_path / "tree/api")
    return tmp_path / "tree"


def test_path_is_that_from_the_workspace(tree: Path) -> None:
    """For the file and those that it refers to, wherever the command is run."""
    assert paths(load_contract(Path("v1/openapi.yaml")), tree) == [
        "api/v1/openapi.yaml",
        "api/v1/parts/note.yaml",
        "api/v1/parts/te xt.yaml",
    ]


@pytest.mark.parametrize("name", ["v1/openapi.yaml", "../api/v1/openapi.yaml", "v1/../v1/openapi.yaml"])
def test_path_may_be_written_in_many_ways(tree: Path, name: str) -> None:
    """Also as an absolute one."""
    for file in (Path(name), Path.cwd() / name):
        assert "api/v1/openapi.yaml" in paths(load_contract(file), tree)


def test_workspace_may_be_named_by_a_link(tree: Path, tmp_path: Path) -> None:
    """And the file, too."""
    link = tmp_path / "link"
    link.symlink_to(tree)

    assert "api/v1/openapi.yaml" in paths(load_contract(Path("v1/openapi.yaml")), link)
    assert "api/v1/openapi.yaml" in paths(load_contract(link / "api/v1/openapi.yaml"), tree)


def test_without_a_workspace_it_is_that_from_the_work_tree(tree: Path, tmp_path: Path) -> None:
    """The nearest folder above with a `.git`, be that a folder or the file of a linked work tree; also for a
    file that is not in the workspace."""
    (tree / "api/.git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    (tree / ".git").mkdir()
    contract = load_contract(Path("v1/openapi.yaml"))

    assert "v1/openapi.yaml" in paths(contract)
    assert "v1/openapi.yaml" in paths(contract, tmp_path / "elsewhere")
    assert "api/v1/openapi.yaml" in paths(contract, tree)


def test_name_is_left_where_there_is_neither(tree: Path) -> None:
    """As it was given."""
    if any((parent / ".git").exists() for parent in tree.parents):
        pytest.skip("the folder for temporary files lies in a work tree")

    assert "../api/v1/openapi.yaml" in paths(load_contract(Path("../api/v1/openapi.yaml")))
    assert "renamed.yaml" in paths(load_contract(Path("v1/openapi.yaml"), name="renamed.yaml"), tree)


def test_file_of_a_revision_has_its_path_in_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the revision, which is no part of it."""
    monkeypatch.chdir(repository(tmp_path / "api", FILES))

    assert checkout_paths((load("main:openapi.yaml"),), workspace=None) == {
        "main:openapi.yaml": "openapi.yaml",
        "main:parts/note.yaml": "parts/note.yaml",
        "main:parts/te xt.yaml": "parts/te xt.yaml",
    }
