"""`make release-toolkit` dates the changelog, sets the version, builds, commits and tags; or says why not."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from .repository import ROOT

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Changed\n\n- Prices are whole numbers.\n"
BEFORE = '__all__ = ["parcel"]\n\ndef parcel(name, weight=1):\n    pass\n\ndef inner():\n    pass\n'
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "devportal"
dynamic = ["version"]
requires-python = ">=3"
[tool.hatch.version]
path = "tools/devportal/__init__.py"
[tool.hatch.build.targets.wheel]
packages = ["tools/devportal"]
"""


@pytest.fixture(scope="module")
def release() -> Iterator[ModuleType]:
    path = ROOT / ".ci" / "release_toolkit.py"
    spec = importlib.util.spec_from_file_location("release_toolkit", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a small toolkit in a repository of its own, with a release 0.2.0 and a change since."""
    root = tmp_path / "project"
    write(root, "tools/devportal/__init__.py", '"""A toolkit."""\n\n__version__ = "0.2.0"\n')
    write(root, "tools/devportal/api.py", BEFORE)
    write(root, "tools/devportal/CHANGELOG.md", CHANGELOG)
    write(root, "docs/toolkit/python-api.md", "::: devportal.api\n")
    write(root, "pyproject.toml", PROJECT)
    write(root, ".gitignore", "dist/\n__pycache__/\n")
    git(root, "init", "--quiet", "--initial-branch", "main")
    git(root, "config", "user.name", "Somebody")
    git(root, "config", "user.email", "somebody@example.com")
    commit(root)
    git(root, "tag", "devportal-0.2.0")
    return root


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout


def commit(root: Path) -> None:
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "Add what is there")


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The notes are those below Unreleased."""
    before = git(project, "rev-parse", "HEAD")

    code = release.main(["0.2.1", "--dry-run"], project)

    out = capsys.readouterr().out
    assert code == 0
    assert re.search(r"would date .*CHANGELOG.md: \[0\.2\.1\] - \d{4}-\d{2}-\d{2}\n", out)
    assert "tag devportal-0.2.1; the newest tag is devportal-0.2.0" in out
    assert "- Prices are whole numbers." in out
    assert (git(project, "rev-parse", "HEAD"), git(project, "status", "--porcelain")) == (before, "")
    assert git(project, "tag") == "devportal-0.2.0\n"


def test_a_release_is_built_committed_and_tagged(release: ModuleType, project: Path) -> None:
    """The changelog keeps an empty Unreleased section, and the packages have the new version."""
    code = release.main(["0.3.0"], project)

    changelog = (project / "tools/devportal/CHANGELOG.md").read_text(encoding="utf-8")
    assert code == 0
    assert re.search(r"## \[Unreleased\]\n\n## \[0\.3\.0\] - [0-9-]{10}\n\n### Changed\n", changelog)
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "log", "-1", "--format=%s") == "Release devportal 0.3.0\n"
    assert "Prices are whole numbers." in git(project, "tag", "--list", "-n9", "devportal-0.3.0")
    assert git(project, "show", "devportal-0.3.0:tools/devportal/__init__.py").count('"0.3.0"') == 1
    assert {path.name for path in (project / "dist").iterdir()} == {
        "devportal-0.3.0-py3-none-any.whl",
        "devportal-0.3.0.tar.gz",
    }


def test_a_build_that_fails_leaves_everything_as_it_was(release: ModuleType, project: Path) -> None:
    """Neither a version nor a tag of something that cannot be installed."""
    write(project, "pyproject.toml", PROJECT.replace("__init__.py", "missing.py"))
    commit(project)

    with pytest.raises(SystemExit) as ended:
        release.main(["0.3.0"], project)

    assert ended.value.code == 2
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "tag") == "devportal-0.2.0\n"


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        ("0.2.0", "0.2.0 is not newer than 0.2.0, the newest release"),
        ("0.1.9", "0.1.9 is not newer than 0.2.0, the newest release"),
    ],
)
def test_a_version_that_is_not_newer_is_refused(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str], version: str, problem: str
) -> None:
    """The newest tag counts."""
    code = release.main([version], project)

    assert code == 1
    assert f"problem: {problem}\n" in capsys.readouterr().err


def test_a_release_without_entries_is_refused(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody could tell what it is for."""
    write(project, "tools/devportal/CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n")
    commit(project)

    code = release.main(["0.2.1"], project)

    assert code == 1
    assert "has no entry below Unreleased" in capsys.readouterr().err


def test_what_is_not_committed_is_refused(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tag would not hold it."""
    write(project, "more.txt", "more")

    code = release.main(["0.2.1"], project)

    assert code == 1
    assert "problem: more.txt is not committed" in capsys.readouterr().err


BROKEN = BEFORE.replace("name, weight=1", "name")


@pytest.mark.parametrize(
    ("version", "kind", "problem"),
    [
        ("0.2.1", "Changed", "0.2.1 is not a new minor version, and the Python API breaks: "),
        ("0.3.0", "Added", "has no entry below Changed or Removed, and the Python API breaks: "),
        ("0.3.0", "Changed", ""),
    ],
)
def test_a_break_of_the_python_api_needs_its_version_and_its_entry(
    release: ModuleType,
    project: Path,
    capsys: pytest.CaptureFixture[str],
    version: str,
    kind: str,
    problem: str,
) -> None:
    """A parameter that a caller may use is gone."""
    write(project, "tools/devportal/api.py", BROKEN)
    write(project, "tools/devportal/CHANGELOG.md", CHANGELOG.replace("Changed", kind))
    commit(project)

    code = release.main([version, "--dry-run"], project)

    err = capsys.readouterr().err
    assert code == (1 if problem else 0)
    assert problem in err
    assert ("parcel(weight)" in err) is bool(problem)


def test_what_is_not_public_may_change(release: ModuleType, project: Path) -> None:
    """Only the names of `__all__` in the modules of the page are promised."""
    write(project, "tools/devportal/api.py", BEFORE.replace("def inner", "def renamed"))
    commit(project)

    assert release.main(["0.2.1", "--dry-run"], project) == 0


@pytest.mark.parametrize("name", ["tools/devportal/CHANGELOG.md", "tools/devportal/__init__.py"])
def test_a_folder_that_is_not_the_toolkit_is_an_error(
    release: ModuleType, project: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """It names what is missing, without a traceback."""
    (project / name).unlink()

    code = release.main(["0.2.1"], project)

    assert code == 2
    assert f"{name} cannot be read: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("version", ["0.2", "v0.2.0", "next"])
def test_a_version_has_three_numbers(
    release: ModuleType, capsys: pytest.CaptureFixture[str], version: str
) -> None:
    """Anything else is refused with an example."""
    with pytest.raises(SystemExit) as ended:
        release.main([version])

    assert ended.value.code == 2
    assert f"'{version}' is not a version: write three numbers, such as 0.3.0" in capsys.readouterr().err
