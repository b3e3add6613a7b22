"""What a command imports: only what it needs, so that it starts fast and works without the extras."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import click
import pytest
from packaging.utils import canonicalize_name

from devportal.cli import cli
from devportal.command_line import function_docstring
from devportal.extras import PACKAGES_BY_EXTRA

from .house.repository import ROOT
from .house.requirements import PROJECT, required_packages
from .test_cli import CONTRACT as PARCELS

RUNS = """\
import json, sys

from devportal.cli import main

names, *lines = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(names))  # what is None there cannot be imported
codes = []
for line in lines:
    sys.argv[1:] = line
    try:
        main()
    except SystemExit as end:
        codes.append(end.code)
roots = {name.partition(".")[0] for name, module in sys.modules.items() if module}
print(json.dumps([codes, sorted(roots)]))
"""
"""Runs command lines one after another; prints their exit codes, and the roots of all that was imported."""

OWN = frozenset({"devportal", "telecom", "tests"})
CLICK = frozenset({"click"})
CONTRACT = CLICK | {"jsonschema_rs", "yaml"}
HTML = CONTRACT | {"jinja2", "markdown_it", "markupsafe", "mdurl", "nh3"}
REFERENCE = HTML | {
    *("babel", "backrefs", "colorama", "markdown", "material", "mergedeep", "minify", "mkdocs", "pathspec"),
    *("pygments", "typing_extensions", "yaml_env_tag"),
}
PORTAL = REFERENCE | {"dateutil", "feedgen", "lxml", "pymdownx"}
MODULES_OF_EXTRAS = [module for packages in PACKAGES_BY_EXTRA.values() for module in packages]


@cache
def modules() -> Mapping[str, frozenset[str]]:
    """Return the distributions of each module that is not private, by its name."""
    return {
        module: frozenset(map(canonicalize_name, names))
        for module, names in packages_distributions().items()
        if module not in OWN and not module.startswith("_")
    }


def run(
    *lines: Iterable[str], cwd: Path, without: Iterable[str] = ()
) -> tuple[list[int], set[str], list[str]]:
    """Run command lines in one new process that lacks some modules.

    Returns their exit codes, the modules of others that were imported, and the lines of standard error.
    """
    asked = json.dumps([list(without), *map(list, lines)])
    result = subprocess.run(
        [sys.executable, "-c", RUNS, asked], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    codes, roots = json.loads(result.stdout.splitlines()[-1])
    return codes, {root for root in roots if root in modules()}, result.stderr.splitlines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a contract, and a cache of its own in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "openapi.yaml").write_text(PARCELS.replace("'2'", "1.0.0"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--help", CLICK),
        ("conformance --help", CLICK),
        ("serve --help", CLICK),
        ("diff openapi.yaml openapi.yaml", CONTRACT),
        ("diff openapi.yaml openapi.yaml --format html", HTML),
    ],
)
def test_a_command_imports_what_it_needs(folder: Path, line: str, expected: set[str]) -> None:
    """The help needs click alone, and a comparison nothing that makes a site."""
    codes, imported, _ = run(line.split(), cwd=folder)

    assert codes == [0]
    assert imported == expected


@pytest.mark.deep
@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ("build --contract openapi.yaml", REFERENCE),
        ("init portal --contract openapi.yaml", PORTAL),
        ("changelog --help", PORTAL),
        ("generate --help", REFERENCE),
        ("release --help", PORTAL),
    ],
)
def test_a_command_imports_nothing_of_an_extra(folder: Path, line: str, allowed: set[str]) -> None:
    """Where all extras are installed too; only what has a changelog makes feeds."""
    codes, imported, _ = run(line.split(), cwd=folder)

    assert codes == [0]
    assert imported <= allowed


def test_records_are_reviewed_and_checked_without_an_extra(folder: Path) -> None:
    """Conformance runs need one; the review of records imports nothing of a site."""
    data = str(ROOT / "data")
    lines = [
        ["rates", "list", "--records", data],
        ["coverage", "--help"],
        ["conformance", "http://localhost"],
    ]

    codes, imported, errors = run(*lines, cwd=folder, without=MODULES_OF_EXTRAS)

    assert codes == [0, 0, 2]
    assert imported == CONTRACT | {"babel", "rich"}
    assert errors[-1].startswith("error: devportal conformance needs certifi, cryptography, httpx")


@pytest.mark.deep
def test_every_command_of_the_base_works_without_an_extra(folder: Path) -> None:
    """In a process that can import what `pip install devportal` installs, and nothing else of others."""
    base = required_packages(PROJECT["dependencies"])
    project = ["-f", "portal/mkdocs.yml"]
    lines = [
        ["init", "portal", "--contract", "openapi.yaml"],
        ["check", *project],
        ["check", "--records", str(ROOT / "data")],
        ["build", *project],
        ["links", "portal/site"],
        ["generate", *project, "--output", "plain"],
        ["changelog", "--help"],
        ["release", "1.0.0", *project, "--dry-run"],
        ["serve", "--help"],
        ["diff", "openapi.yaml", "openapi.yaml", "--format", "sarif"],
        ["build", "--contract", "openapi.yaml", "--site-dir", "site"],
    ]

    others = [module for module, names in modules().items() if not names & base]

    codes, _, errors = run(*lines, cwd=folder, without=others)

    assert {"httpx", "PIL", "sqlalchemy"} <= set(others)
    assert codes == [0] * len(lines), errors


@pytest.mark.parametrize(
    "name", [name for name in cli.list_commands(click.Context(cli)) if name != "sandbox"]
)
def test_the_list_of_commands_has_the_summary_of_each(name: str) -> None:
    """It is read from source; the command itself has the same."""
    context = click.Context(cli)
    command = cli.get_command(context, name)

    assert command is not None
    assert cli.summary(context, name) == command.get_short_help_str(500)


@pytest.mark.parametrize(
    ("module", "function", "expected"),
    [
        ("devportal.extras", "missing_packages", "Return the distributions of an extra that"),
        ("devportal.extras", "PACKAGES", ""),
        ("devportal.nowhere", "function", ""),
        ("nowhere.at.all", "function", ""),
        ("sys", "exit", ""),
        ("devportal.extras.missing_packages", "function", ""),
    ],
)
def test_a_docstring_is_read_from_source(module: str, function: str, expected: str) -> None:
    """That of a function; what is none, or has no source, has no docstring there."""
    found = function_docstring(module, function)

    assert found.startswith(expected)
    assert bool(found) == bool(expected)


def test_a_plug_in_that_cannot_be_parsed_has_no_docstring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its command says what is wrong when it is loaded; the list of commands goes on."""
    (tmp_path / "broken_plug_in.py").write_text("def command(:\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    assert function_docstring("broken_plug_in", "command") == ""
