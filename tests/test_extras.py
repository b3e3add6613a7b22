"""The extras of the distribution: what needs one names it in one line, and everything else works without."""

import re
import sys
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from packaging.requirements import Requirement

from devportal.conformance.pytest_plugin import pytest_configure
from devportal.errors import MissingExtra
from devportal.extras import PACKAGES_BY_EXTRA, Extra, missing_packages, require_extra

from .house.repository import ROOT
from .house.requirements import EXTRAS
from .test_cli import CONTRACT, run, write_project

CONFORMANCE = "needs schemathesis: run pip install 'devportal[conformance]'"
RATES = "a site with rate or coverage records needs pillow: run pip install 'devportal[rates]'"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working folder, with a cache of its own beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = tmp_path / "work"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one package of each extra gone."""
    for module in ("schemathesis", "PIL", "openapi_spec_validator"):
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize("extra", Extra)
def test_an_extra_has_the_packages_that_are_asked_for(extra: Extra) -> None:
    """The list in pyproject.toml and the one that messages are made of are the same."""
    listed = [Requirement(text).name for text in EXTRAS[extra]]

    assert sorted(PACKAGES_BY_EXTRA[extra].values()) == sorted(listed)
    if missing_packages(extra):
        pytest.skip(f"the extra {extra} is not installed")


@pytest.mark.parametrize(
    ("module", "name"), [row for packages in PACKAGES_BY_EXTRA.values() for row in packages.items()]
)
def test_a_module_is_of_its_package(module: str, name: str) -> None:
    """The names of both differ often enough."""
    if find_spec(module) is None:
        pytest.skip(f"{name} is not installed")
    assert name in {re.sub("[-_.]+", "-", text).lower() for text in packages_distributions()[module]}


def test_all_is_every_extra() -> None:
    """Whoever wants everything names one."""
    assert EXTRAS["all"] == [f"devportal[{','.join(sorted(Extra))}]"]


@pytest.mark.parametrize("page", ["docs/toolkit/new-portal.md", "tools/devportal/README.md"])
def test_manual_lists_every_extra(page: str) -> None:
    """Where it says how to install the toolkit."""
    listed = set(
        re.findall(r"^\| `'\S*devportal\[(\w+)\]'`", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    )

    assert listed == {*Extra, "all"}


@pytest.mark.usefixtures("missing")
def test_a_missing_extra_is_named_with_what_needs_it() -> None:
    """In one line, with the packages and the command that installs them."""
    with pytest.raises(MissingExtra) as caught:
        require_extra(Extra.CONFORMANCE, needed_by="devportal conformance")

    assert str(caught.value) == f"devportal conformance {CONFORMANCE}"


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize(
    ("line", "who"),
    [
        (("conformance", "http://127.0.0.1:9"), "devportal conformance"),
        (("conformance", "merge", "one.json"), "devportal conformance merge"),
    ],
)
def test_a_command_without_its_extra_could_not_run(line: tuple[str, ...], who: str) -> None:
    """It exits with 2 before it reads anything; its help is there."""
    result, help_text = run(*line), run(*line[:-1], "--help")

    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {who} {CONFORMANCE}\n")
    assert help_text.exit_code == 0


@pytest.mark.usefixtures("missing")
def test_the_pytest_plugin_needs_its_extra_for_a_run_only() -> None:
    """Every session of the environment loads it; only one with a URL is refused."""

    class Config:
        def __init__(self, url: str | None) -> None:
            self._options = {"--devportal-url": url}

        def getoption(self, name: str, default: object = None) -> object:
            return self._options.get(name, default)

    pytest_configure(Config(None))  # type: ignore[arg-type]  # as far as the plugin looks
    with pytest.raises(pytest.UsageError) as caught:
        pytest_configure(Config("http://127.0.0.1:9"))  # type: ignore[arg-type]

    assert str(caught.value) == f"--devportal-url {CONFORMANCE}"


@pytest.mark.usefixtures("missing")
def test_a_site_with_records_is_not_built_without_its_extra(
    folder: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """`devportal build` and plain `mkdocs build` stop with the same line, and nothing is left out unseen."""
    write_project(folder, contract=CONTRACT, records=str(ROOT / "data"))

    result = run("build")
    with pytest.raises(Abort):
        build_with_mkdocs(load_config("mkdocs.yml"))

    assert (result.exit_code, result.stderr.splitlines().count(f"error: {RATES}")) == (2, 1)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"][-1] == RATES


@pytest.mark.usefixtures("missing")
def test_records_are_checked_without_an_extra(folder: Path) -> None:
    """Alone, and as a part of a project."""
    write_project(folder, contract=CONTRACT, records=str(ROOT / "data"))

    assert run("check", "--records", str(ROOT / "data")).exit_code == 0
    assert run("check").exit_code == 0
