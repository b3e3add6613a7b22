"""Two distributions: the toolkit, which speaks of no trade, and the plug-in of this API beside it."""

import json
import re
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import devportal
from devportal.conformance.families.registry import all_families
from devportal.conformance.settings import settings_schema
from devportal.manual.commands import every_command
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.conformance.running import CONTRACT

from .environments import PACKAGES, PLUGIN, build, run
from .messaging_words import messaging_files, messaging_words
from .repository import ROOT

NOT_IN_WHEEL = {"LICENSE", "README.md", "pyproject.toml"}
"""What lies beside the modules of the plug-in and is of its distribution."""
OF_PLUGIN = ("sandbox",)
"""Commands of the plug-in."""
REPORTS = ("json", "junit", "html", "sarif")


@pytest.fixture(scope="module", params=PACKAGES)
def package(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def files_of(wheel: Path) -> set[str]:
    """Return the files of a wheel without its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def files_in(root: Path) -> Iterator[str]:
    """Yield the files of a package."""
    for path in root.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(root).as_posix()


def unpack_sdist(sdist: Path, folder: Path) -> Path:
    """Return the folder that a source distribution holds."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder)  # noqa: S202 - this build made it, and Python 3.11.2 has no `filter`
    return folder / sdist.name.removesuffix(".tar.gz")


def run_conformance(commands: Path, url: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Test a deployment of parcels, with every report."""
    written = [text for name in REPORTS for text in (f"--{name}", f"report.{name}")]
    return run(
        commands / "devportal", "conformance", url, "--contract", CONTRACT, "--token", TOKEN,
        "--stability", "all", "--include", "readHealth", *written, cwd=cwd,
    )  # fmt: skip


def test_a_wheel_holds_its_package_and_no_other(package: str, wheels: dict[str, Path]) -> None:
    """Code, templates, schemas, styles and scripts, all below the name that is imported."""
    there = {f"{package}/{name}" for name in files_in(ROOT / "tools" / package)}
    beside = {f"{package}/{name}" for name in NOT_IN_WHEEL} if package == "telecom" else set()

    assert files_of(wheels[package]) == there - beside


@pytest.mark.deep
def test_a_wheel_from_the_source_distribution_is_the_same(
    package: str, wheels: dict[str, Path], tmp_path: Path
) -> None:
    """Somebody who builds from source gets the same files, and the source holds nothing of the other."""
    source = unpack_sdist(build(PACKAGES[package], "sdist", tmp_path), tmp_path)

    again = build(source, "wheel", tmp_path)

    assert files_of(again) == files_of(wheels[package])
    foreign = "tools/telecom" if package == "devportal" else "tools"
    assert not (source / foreign).exists()
    assert (source / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_package_page_shows_its_readme_and_licence(package: str, wheels: dict[str, Path]) -> None:
    """Without relative links, which lead nowhere on a package page."""
    with zipfile.ZipFile(wheels[package]) as archive:
        metadata = {Path(text).name: text for text in archive.namelist() if ".dist-info/" in text}
        shown = archive.read(metadata["METADATA"]).decode("utf-8")
    readme = (ROOT / "tools" / package / "README.md").read_text(encoding="utf-8")

    assert shown.endswith(f"\n\n{readme}")
    assert re.findall(r"\]\((?!https://)", readme) == []
    assert "License-Expression: Apache-2.0\n" in shown
    assert metadata["LICENSE"].endswith("/licenses/LICENSE")


def test_the_plugin_is_typed_and_fits_this_toolkit(wheels: dict[str, Path]) -> None:
    """Its bound admits the version beside it: a new minor version of the toolkit asks for another one."""
    declared = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {requirement.name: requirement for requirement in map(Requirement, declared["dependencies"])}
    bounds = {specifier.operator for specifier in needed["devportal"].specifier}

    assert devportal.__version__ in needed["devportal"].specifier
    assert bounds == {">=", "<"}
    assert "Typing :: Typed" in declared["classifiers"]
    assert "telecom/py.typed" in files_of(wheels["telecom"])


def test_each_distribution_names_what_only_it_imports() -> None:
    """A dependency of the sandbox is none of the toolkit: its users would install it for nothing."""
    projects = {
        name: tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for name, source in PACKAGES.items()
    }
    named = {
        name: {Requirement(dependency).name for dependency in project["dependencies"]}
        for name, project in projects.items()
    }
    only = {"aiohttp", "alembic", "prometheus-client", "sqlalchemy", "starlette", "uvicorn"}

    assert only <= named["telecom"]
    assert not only & named["devportal"]
    assert "sandbox" not in str(projects["devportal"]["entry-points"])


@pytest.fixture(scope="module")
def words_by_file() -> dict[str, list[str]]:
    """Return the files of the toolkit that speak of messaging, with the words."""
    return dict(messaging_files(ROOT / "tools" / "devportal"))


def test_the_toolkit_speaks_of_no_trade(words_by_file: dict[str, list[str]]) -> None:
    """Not in code, docstrings, templates, schemas, styles or scripts."""
    assert words_by_file == {}


def test_the_toolkit_never_names_the_plugin(words_by_file: dict[str, list[str]]) -> None:
    """Not even in a text, where no linter of imports looks."""
    assert [name for name, words in words_by_file.items() if any("telecom" in word for word in words)] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("An SMS of two parts", ["sms"]),
        ("import telecom.segments", ["telecom"]),
        ('"segment_counter": 1', ["segment_counter"]),
        ("mcc_mnc and 10DLC", ["10dlc", "mcc", "mnc"]),
        ("POST /v1/messages", ["/v1/messages"]),
        ("`sendMessage`, E.164", ["e.164", "sendmessage"]),
        ("an error message in a path segment; forms; alarms", []),
    ],
)
def test_a_word_of_messaging_would_be_found(text: str, words: list[str]) -> None:
    """In any case and spelling, and not inside another word."""
    assert messaging_words(text) == words


def test_no_help_speaks_of_messaging() -> None:
    """Of all commands but those of plug-ins, nor the settings of a run, nor any check of it."""
    helps = [
        context.get_help()
        for context in every_command()
        if not {*context.command_path.split()} & {*OF_PLUGIN}
    ]
    checks = [str((family.name, family.summary, family.words)) for family in all_families(())]

    assert len(helps) > 10
    assert messaging_words("\n".join((*helps, *checks, json.dumps(settings_schema({}))))) == []


def test_the_toolkit_alone_has_no_command_of_the_plugin(toolkit_commands: Path, tmp_path: Path) -> None:
    """Neither in the list nor by its name, and nothing of it can be imported."""
    helped = run(toolkit_commands / "devportal", "--help", cwd=tmp_path)
    called = run(toolkit_commands / "devportal", "sandbox", cwd=tmp_path)
    imported = run(toolkit_commands / "python", "-c", "import telecom", cwd=tmp_path)

    assert (helped.returncode, called.returncode, imported.returncode) == (0, 2, 1)
    assert messaging_words(helped.stdout) == []
    assert "sandbox" not in helped.stdout
    assert "No such command 'sandbox'" in called.stderr


def test_no_page_of_another_trade_speaks_of_messaging(toolkit_commands: Path, tmp_path: Path) -> None:
    """Nor do the files of a new portal, its site, and what its scripts and styles say."""
    (tmp_path / "parcels.yaml").write_bytes(CONTRACT.read_bytes())

    made = run(toolkit_commands / "devportal", "init", "portal", "--contract", "parcels.yaml", cwd=tmp_path)
    built = run(toolkit_commands / "devportal", "build", cwd=tmp_path / "portal")

    assert (made.returncode, built.returncode) == (0, 0), made.stderr + built.stderr
    assert dict(messaging_files(tmp_path / "portal")) == {}


@pytest.mark.deep
def test_a_listed_plugin_that_is_missing_is_named(
    toolkit_commands: Path, all_commands: Path, tmp_path: Path
) -> None:
    """With what to install, before anything is sent; where it is installed the run goes on."""
    (tmp_path / "conformance.yaml").write_text("plugins: {devportal-telecom: {}}\n", encoding="utf-8")
    nowhere = "http://127.0.0.1:1"

    missing, there = (
        run_conformance(toolkit_commands, nowhere, tmp_path),
        run_conformance(all_commands, nowhere, tmp_path),
    )

    assert (missing.returncode, there.returncode) == (2, 2)
    assert "conformance.yaml: the plug-in 'devportal-telecom' is not installed" in missing.stderr
    assert "pip install devportal-telecom" in missing.stderr
    assert "does not respond" in there.stderr


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("commands", ["toolkit_commands", "all_commands"])
def test_no_report_on_another_trade_speaks_of_messaging(
    commands: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With the plug-in installed and not listed, its checks are not even among those not tested."""
    with serving(Parcels()) as url:
        done = run_conformance(request.getfixturevalue(commands), url, tmp_path)
    reports = [(tmp_path / f"report.{name}").read_text(encoding="utf-8") for name in REPORTS]

    assert done.returncode == 0, done.stdout + done.stderr
    assert messaging_words("\n".join((done.stdout, done.stderr, *reports))) == []
    assert "segments" not in "\n".join(reports)


@pytest.mark.deep
@pytest.mark.conformance
def test_the_plugin_brings_its_sandbox_and_checks(all_commands: Path, tmp_path: Path) -> None:
    """From the wheels: the sandbox serves this contract, and a run that lists the plug-in tests segments."""
    report = tmp_path / "report.json"

    done = run(
        ROOT / ".ci/conformance",
        all_commands / "devportal",
        "--include",
        "sendMessage",
        "--json",
        report,
        cwd=ROOT,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    (operation,) = json.loads(report.read_text(encoding="utf-8"))["operations"]
    assert "segments" in {check["check"] for check in operation["checks"]}
