"""The command line: what it prints where, its exit codes, and no traceback whatever it is given."""

import gc
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from click.testing import CliRunner, Result
from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

import devportal.cli
import devportal.other_tools
from devportal.cli import cli, main
from tests.catalog.own_book import lay_book

CONTRACT = """\
openapi: 3.1.0
info: {title: Parcel Tracking, version: '2'}
servers: [{url: https://parcels.example}]
paths:
  /parcels:
    get:
      operationId: listParcels
      summary: List parcels
      responses:
        '200':
          description: All of them.
          content: {application/json: {schema: {type: integer}, example: 3}}
"""
WRONG = CONTRACT.replace("example: 3", "example: three")
"""Readable and shown, with an example that its schema does not allow."""
BROKEN = CONTRACT.replace("{type: integer}", "{$ref: '#/components/schemas/Nowhere'}")
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
COMMANDS = (
    *(
        "accept",
        "affected",
        "build",
        "changelog",
        "check",
        "conformance",
        "coverage",
        "diff",
        "docs",
        "generate",
        "init",
        "links",
        "mcp",
        "mock",
    ),
    *("notify", "pull-request", "rates", "release", "sandbox", "serve", "translations", "uses"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working folder; verdicts are kept beside it, not in anybody's home."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = tmp_path / "work"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


def run(*arguments: str) -> Result:
    """Run a command in this process; what is no exit of the command line's own is raised."""
    result = CliRunner().invoke(cli, arguments, prog_name="devportal")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def write_project(
    folder: Path, *, contract: str = CONTRACT, contract_file: str = "openapi.yaml", **settings: str
) -> None:
    """Write a project with a home page into a folder."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Welcome\n", encoding="utf-8")
    (folder / contract_file).parent.mkdir(exist_ok=True)
    (folder / contract_file).write_text(contract, encoding="utf-8")
    whole: dict[str, Any] = {
        "site_name": "Parcels",
        "site_url": "https://parcels.example/",
        "theme": {"name": "material"},
        "plugins": ["search", {"devportal": {"contract": contract_file, **settings}}],
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(whole), encoding="utf-8")


def set_in_project(folder: Path, **settings: str | list[str]) -> None:
    """Set what belongs to the builder of sites in a project's file."""
    path = folder / "mkdocs.yml"
    whole = {**yaml.safe_load(path.read_text(encoding="utf-8")), **settings}
    path.write_text(yaml.safe_dump(whole), encoding="utf-8")


# ---- the group ---------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_every_command(option: str) -> None:
    """Our own, those of other packages of ours, and those of plug-ins, each with a line of text."""
    result = run(option)

    assert result.exit_code == 0
    assert re.findall(r"^  ([a-z][a-z-]*)  +\S", result.stdout, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    """Every option has a word on what it does, with no placeholder left in it."""
    result = run(command, "--help")
    found = cli.get_command(click.Context(cli, **cli.context_settings), command)

    assert result.exit_code == 0
    assert found is not None
    assert [param.name for param in found.params if isinstance(param, click.Option) and not param.help] == []
    assert not re.findall(r"\{\w+\}", result.stdout)


def test_summaries_of_commands_are_whole() -> None:
    """What a command does is not cut off where it becomes interesting."""
    result = run("--help")
    _, _, commands = result.stdout.partition("Commands:")

    assert "..." not in commands
    assert "live reload until Ctrl-C." in " ".join(commands.split())


@pytest.mark.parametrize(("mistyped", "meant"), [("buil", "build"), ("generte", "generate")])
def test_unknown_command_is_answered_with_those_there_are(mistyped: str, meant: str) -> None:
    """All of them, and before them the one that was meant."""
    result = run(mistyped)

    assert f"'{meant}'?" in result.stderr
    assert f"There are {', '.join(COMMANDS)}." in result.stderr
    assert f"There are {', '.join(COMMANDS)}." in run("frobnicate").stderr


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["lint", "openapi.yaml"], "No such command 'lint'. Did you mean 'check'? There are accept"),
        (["diff", "a", "b", "--err-ignore=x"], "No such option '--err-ignore'. --policy names a file"),
        (["mock", "-p", "4010"], "No such option '-p'. Did you mean '--port'?"),
        (["conformance", "--url", "http://127.0.0.1"], "The URL is an argument: devportal conformance URL."),
        (
            ["changelog", __file__, __file__],
            "To compare contracts, run 'devportal diff OLD NEW'. There are draft",
        ),
        (
            ["build", "--contract", "a.yaml", "--contract=b.yaml"],
            "--contract names several files: a.yaml, b.yaml.",
        ),
    ],
)
def test_habits_of_other_tools_are_led_on(arguments: list[str], advice: str) -> None:
    """By what does the same here, not by what is spelled alike."""
    result = run(*arguments)

    assert result.exit_code == 2
    assert advice in " ".join(result.stderr.split())


def test_advice_names_what_exists() -> None:
    """The commands and options that replace those of other tools; what a command has needs no advice."""
    context = click.Context(cli, **cli.context_settings)
    for command, advice_by_option in devportal.other_tools._OPTIONS.items():
        found = cli.get_command(context, command)
        assert found is not None
        options = {option for param in found.params for option in param.opts}
        assert not options & {*advice_by_option}
        assert {*re.findall(r"--[a-z-]+", " ".join(advice_by_option.values()))} <= options
    assert {*devportal.other_tools._COMMANDS.values()} <= {*COMMANDS}
    assert not {*devportal.other_tools._COMMANDS} & {*COMMANDS}


@pytest.mark.parametrize("command", ["build", "check", "serve", "init", "conformance"])
def test_url_of_a_contract_is_rejected(command: str) -> None:
    """Nothing is read from the network, and the message says what to do instead."""
    address = ["https://api.example"] if command == "conformance" else []

    result = run(command, *address, "--contract", "https://api.example/openapi.yaml")

    assert result.exit_code == 2
    assert "https://api.example/openapi.yaml is a URL. Download the file first" in result.stderr


@pytest.mark.parametrize("command", ["build", "check", "serve", "init", "mock", "conformance"])
def test_a_contract_in_standard_input_is_rejected(command: str) -> None:
    """The message says what to do instead."""
    address = ["https://api.example"] if command == "conformance" else []

    result = run(command, *address, "--contract", "-")

    assert result.exit_code == 2
    assert "A contract is not read from standard input. Save it as a file first." in result.stderr


def test_a_hyphen_is_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of that name is written."""
    monkeypatch.chdir(tmp_path)
    contract = tmp_path / "openapi.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    printed = run("diff", str(contract), str(contract), "--format", "json", "--output", "-")

    assert printed.exit_code == 0
    assert printed.stdout.startswith("{")
    assert [*tmp_path.iterdir()] == [contract]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("diff", "a", "b", "--write", "json=-"), "To print json there, use --format json."),
        (("conformance", "https://api.example", "--junit", "-"), "Standard output has another result."),
        (("conformance", "init", "https://api.example", "--output", "-"), "Give the path of a file."),
    ],
)
def test_a_hyphen_is_not_a_file_beside_standard_output(arguments: tuple[str, ...], message: str) -> None:
    """One of the two results would be lost among the other."""
    result = run(*arguments)

    assert result.exit_code == 2
    assert message in result.stderr


def test_no_command_at_all_shows_the_help() -> None:
    """Who does not know the commands sees them; nothing was done, so the exit code says so."""
    result = run()

    assert result.exit_code == 2
    assert "Commands:" in result.output


@pytest.mark.parametrize(
    "arguments", [["nowhere"], ["build", "--nowhere"], ["check", "extra"], ["--nowhere"]]
)
def test_unknown_commands_and_options_are_refused(arguments: list[str]) -> None:
    """With exit code 2 and a word on standard error."""
    result = run(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.search("No such|unexpected extra", result.stderr)


def test_the_module_is_the_command() -> None:
    """`python -m devportal` does the same, under the same name."""
    done = subprocess.run(
        [sys.executable, "-m", "devportal", "--version"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (0, f"devportal, version {devportal.__version__}\n")


def test_a_ctrl_c_during_imports_ends_quietly(tmp_path: Path) -> None:
    """As one that comes later: 130, without a traceback. Imports take most of the time of a short command."""
    (tmp_path / "click.py").write_text(
        "import signal\n\nsignal.raise_signal(signal.SIGINT)\n", encoding="utf-8"
    )
    path = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))

    done = subprocess.run(
        [sys.executable, "-m", "devportal", "--version"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("module", ["devportal.cli", "telecom.sandbox.command"])
def test_help_is_quick(module: str) -> None:
    """`--help` imports neither the site builder nor the test engine, and for a sandbox no server."""
    heavy = {"mkdocs", "schemathesis", "sqlalchemy", "cryptography", "starlette", "uvicorn"}
    probe = f"import sys, {module}; print(sorted({heavy} & {{*sys.modules}}))"

    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_a_build_imports_what_it_needs_when_it_needs_it() -> None:
    """Not at its start: what renders or compares contracts, what makes pages of records, the server of `serve`."""
    names = (
        "devportal.reference.pages.pages",
        "devportal.catalog",
        "devportal.changelog",
        "devportal.differ",
        "mkdocs.livereload",
    )
    probe = f"import sys, devportal.site.commands.build; print(sorted({{*{names}}} & {{*sys.modules}}))"

    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def fails(*_: object, **__: object) -> None:
    """Fail as only a fault of ours would."""
    raise LookupError("Bearer very-secret")


def test_a_fault_of_ours_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback and no text of the fault, which may hold anything: its kind, its place, what to do."""
    monkeypatch.setattr(cli, "main", fails)

    with pytest.raises(SystemExit) as ended:
        main()

    said = capsys.readouterr()
    assert ended.value.code == 2
    assert re.search(
        r"^error: an error in devportal: LookupError in test_cli.py:\d+$", said.err, re.MULTILINE
    )
    assert "DEVPORTAL_DEBUG=1" in said.err
    assert "Traceback" not in said.err
    assert "very-secret" not in said.out + said.err


def test_the_traceback_of_a_fault_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With DEVPORTAL_DEBUG set the fault itself comes out."""
    monkeypatch.setattr(cli, "main", fails)
    monkeypatch.setenv("DEVPORTAL_DEBUG", "1")

    with pytest.raises(LookupError):
        main()


@pytest.mark.parametrize("command", ["build", "check", "serve", "mock", "init"])
def test_a_contract_without_its_option_is_recognised(folder: Path, command: str) -> None:
    """As other tools take it: the message says how this one does."""
    (folder / "openapi.yaml").write_text(CONTRACT, encoding="utf-8")

    result = run(command, "openapi.yaml")

    assert result.exit_code == 2
    assert "write --contract openapi.yaml." in result.stderr


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_contract_whose_link_leads_to_itself_is_no_internal_error(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The link is named."""
    (folder / "openapi.yaml").symlink_to("openapi.yaml")
    monkeypatch.setattr(sys, "argv", ["devportal", command, "--contract", "openapi.yaml"])

    with pytest.raises(SystemExit) as ended:
        main()

    printed = capsys.readouterr().err
    assert ended.value.code == 2
    assert f"{str(folder / 'openapi.yaml')!r} leads back to itself" in printed
    assert "an error in devportal" not in printed


def test_a_site_is_not_built_from_a_pipe(folder: Path) -> None:
    """Such as that of `<(…)`: the contract is read more than once."""
    os.mkfifo(folder / "pipe")

    result = run("build", "--contract", "pipe")

    assert result.exit_code == 2
    assert "save the contract as a file first" in result.stderr


# ---- build -------------------------------------------------------------------------------------


def test_build_around_a_contract(folder: Path) -> None:
    """From an empty folder: the site's folder on standard output, the numbers on standard error, 0."""
    (folder.parent / "parcels.yaml").write_text(CONTRACT, encoding="utf-8")

    result = run("build", "--contract", "../parcels.yaml", "--site-dir", "out")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{folder / 'out'}\n"
    assert "1 operation, " in result.stderr
    assert "Parcel Tracking" in (folder / "out" / "index.html").read_text(encoding="utf-8")


def test_a_build_shows_its_phases(folder: Path) -> None:
    """On standard error, with counts, in order; the summary comes last."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")

    *phases, summary = run("build", "--contract", "c.yaml").stderr.splitlines()

    assert [phase.split()[0] for phase in phases] == [
        *("Building", "Reading", "Rendering", "Rendering", "Writing", "Writing", "Searching"),
    ]
    assert "Rendering pages: 1 operation" in phases
    assert summary.startswith("1 operation, ")


@pytest.mark.usefixtures("folder")
def test_a_build_that_an_error_stops_says_that_it_failed() -> None:
    """Exit code 2, the error, and the outcome as the last line."""
    result = run("build", "--contract", "nowhere.yaml")

    assert result.exit_code == 2
    assert result.stderr.endswith("\nBuild failed: the error is shown above.\n")


def test_a_build_turns_garbage_collection_on_again(folder: Path) -> None:
    """Whoever runs the command inside a program of theirs finds it as it was."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")

    run("build", "-q", "--contract", "c.yaml")

    assert gc.isenabled()


def test_build_of_a_project(folder: Path) -> None:
    """Without arguments, from the project's folder, into `site`."""
    write_project(folder)

    result = run("build", "--quiet")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{folder / 'site'}\n"
    assert "Welcome" in (folder / "site" / "index.html").read_text(encoding="utf-8")
    assert (folder / "site" / "reference" / "index.html").is_file()


def test_a_project_elsewhere_is_built_in_its_own_place(folder: Path) -> None:
    """`-f` names it; paths in it are its own."""
    (folder / "portal").mkdir()
    write_project(folder / "portal")

    result = run("build", "-q", "-f", "portal/mkdocs.yml")

    assert result.exit_code == 0, result.stderr
    assert [path.name for path in folder.iterdir()] == ["portal"]
    assert (folder / "portal" / "site" / "index.html").is_file()


def test_build_twice_into_the_same_folder(folder: Path) -> None:
    """The site of before is replaced, down to pages that are gone."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")
    run("build", "-q", "--contract", "c.yaml")
    gone = folder / "site" / "reference" / "gone.html"
    gone.write_text("old", encoding="utf-8")

    result = run("build", "-q", "--contract", "c.yaml")

    assert result.exit_code == 0, result.stderr
    assert not gone.exists()


def test_build_with_findings_writes_the_site(folder: Path) -> None:
    """1, each finding with the file as it was named, its line and column; what is right is there."""
    (folder / "c.yaml").write_text(BROKEN, encoding="utf-8")

    result = run("build", "--contract", "c.yaml")

    assert result.exit_code == 1
    assert re.search(r"^c\.yaml:12:\d+: error: .*Nowhere", result.stderr, re.MULTILINE)
    assert (folder / "site" / "index.html").is_file()


def test_a_build_that_ctrl_c_interrupts_ends_with_130(folder: Path) -> None:
    """Not by the signal, also if it interrupts an `exec()`, with which dataclasses are made."""
    write_project(folder)
    interrupted = "exec('import signal; signal.raise_signal(signal.SIGINT)')"
    (folder / "hook.py").write_text(f"def on_config(config):\n    {interrupted}\n", encoding="utf-8")
    set_in_project(folder, hooks=["hook.py"])

    done = subprocess.run(
        [sys.executable, "-m", "devportal", "build", "--quiet"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_warning_of_the_site_builder_fails_a_project(folder: Path) -> None:
    """A dead link in a hand-written page, and a misspelt setting, are named, and the exit code is 1."""
    write_project(folder)
    set_in_project(folder, extra_cs=["brand.css"])
    (folder / "docs" / "index.md").write_text("# Welcome\n\n[x](nowhere.md)\n", encoding="utf-8")

    result = run("build")

    assert result.exit_code == 1
    assert re.search("^warning: .*nowhere.md", result.stderr, re.MULTILINE)
    warning = "warning: mkdocs.yml:1:1: there is no setting 'extra_cs'\n  help: did you mean 'extra_css'?\n"
    assert warning in result.stderr
    assert result.stderr.endswith("\nBuild failed: 2 problems, listed above.\n")
    assert " MB in " not in result.stderr


def test_build_refuses_a_folder_that_is_no_site(folder: Path) -> None:
    """A build empties its folder: what holds anything but a site is left alone."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")
    (folder / "photos").mkdir()
    (folder / "photos" / "cat.jpg").write_bytes(b"cat")

    result = run("build", "--contract", "c.yaml", "-d", "photos")

    assert result.exit_code == 2
    assert "error: photos: this folder is not empty" in result.stderr
    assert (folder / "photos" / "cat.jpg").read_bytes() == b"cat"


@pytest.mark.parametrize("chosen", ["photos", ""])
def test_build_of_a_project_refuses_a_folder_that_is_no_site(folder: Path, chosen: str) -> None:
    """Neither the one of `mkdocs.yml` nor the usual one is emptied where something else is in it."""
    write_project(folder)
    if chosen:
        set_in_project(folder, site_dir=chosen)
    full = folder / (chosen or "site")
    full.mkdir()
    (full / "cat.jpg").write_bytes(b"cat")

    result = run("build")

    assert result.exit_code == 2
    assert f"error: {chosen or 'site'}: this folder is not empty" in result.stderr
    assert [path.name for path in full.iterdir()] == ["cat.jpg"]


@pytest.mark.parametrize("site_dir", ["openapi", "changelog", "changelog/site"])
def test_build_of_a_project_refuses_a_folder_of_its_sources(folder: Path, site_dir: str) -> None:
    """Whatever it holds; the builder of sites itself, which would empty it, stops as well."""
    write_project(folder, contract_file="openapi/api.yaml", changelog="changelog")
    (folder / "changelog").mkdir()
    (folder / "openapi" / "assets" / "devportal").mkdir(parents=True)
    set_in_project(folder, site_dir=site_dir)

    result = run("build")
    with pytest.raises(Abort, match="BuildError"):
        build_with_mkdocs(load_config(str(folder / "mkdocs.yml")))

    assert result.exit_code == 2
    assert f"error: {site_dir}: " in result.stderr
    assert "lies in" in result.stderr
    assert (folder / "openapi" / "api.yaml").is_file()


def test_site_dir_of_the_command_is_in_the_working_folder(folder: Path) -> None:
    """And not beside the project's file, where a folder of that name may hold anything."""
    (folder / "project" / "public").mkdir(parents=True)
    (folder / "project" / "public" / "notes.txt").write_text("mine", encoding="utf-8")
    write_project(folder / "project")

    result = run("build", "-f", "project/mkdocs.yml", "-d", "public")

    assert result.exit_code == 0, result.stderr
    assert (folder / "public" / "index.html").is_file()
    assert [path.name for path in (folder / "project" / "public").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"site_name: a\nplugins: [\n", "mkdocs.yml:3:1: "),
        (b"site_name: caf\xe9\n", "mkdocs.yml:1:15: this file is not UTF-8 text: it has the byte 0xe9 here"),
        (b"site_name: a\nx: !foo b\n", "mkdocs.yml:2:4: "),
        (b"site_name: a\nextra: {a: !ENV A, a: 2}\n", "mkdocs.yml:2:20: the key 'a' occurs twice"),
    ],
)
@pytest.mark.parametrize("command", ["build", "check"])
def test_a_fault_of_the_project_file_is_placed(folder: Path, command: str, text: bytes, told: str) -> None:
    """With line and column, as faults of all other files are."""
    (folder / "mkdocs.yml").write_bytes(text)

    result = run(command)

    assert result.exit_code == 2
    assert f"error: {told}" in result.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "theme: {name: material}\n",
            "error: mkdocs.yml: the setting 'site_name' is missing\n  help: write 'site_name: …'",
        ),
        (
            "site_name: a\ntheme: {name: nope}\n",
            "error: mkdocs.yml:2:1: the setting 'theme' cannot be used: Unrecognised theme name: 'nope'",
        ),
        ("openapi: 3.1.0\n", "error: mkdocs.yml: this is an OpenAPI file, not the settings of a project\n"),
        ('{"swagger": "2.0"}\n', "  help: write --contract mkdocs.yml"),
    ],
)
@pytest.mark.parametrize("command", ["build", "check", "serve"])
def test_a_wrong_setting_of_the_site_is_named(folder: Path, command: str, text: str, told: str) -> None:
    """With what to write, also if the file is a contract."""
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")

    result = run(command)

    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("changelgo", "did you mean 'changelog'?"),
        ("zzz", "remove it"),
    ],
)
def test_setting_that_does_not_exist_is_an_error(folder: Path, setting: str, told: str) -> None:
    """It is not ignored, and the one that was probably meant is named."""
    write_project(folder, **{setting: "a"})

    result = run("check")

    assert result.exit_code == 2
    unknown = rf"error: mkdocs\.yml:\d+:\d+: the plugin 'devportal' has no setting '{setting}'\n  help: "
    assert re.match(unknown + re.escape(told), result.stderr)


@pytest.mark.parametrize(
    ("site_url", "shown"),
    [
        ('https://x.example/a"><b>', 'https://x.example/a"><b>'),
        ("ftp://x", "ftp://x"),
        ("https://x/?a=b", "https://x/?a=…"),
        ("https://me:secret@x.example/", "https://…@x.example/"),
    ],
)
@pytest.mark.parametrize("command", ["build", "check"])
def test_an_address_of_the_site_that_is_none_is_refused(
    folder: Path, command: str, site_url: str, shown: str
) -> None:
    """It would stand in every page."""
    write_project(folder)
    set_in_project(folder, site_url=site_url)

    result = run(command)

    assert result.exit_code == 2
    assert f"site_url: '{shown}" in result.stderr


@pytest.mark.parametrize("command", ["build", "check"])
def test_an_address_that_the_builder_stumbles_over_is_told(folder: Path, command: str) -> None:
    """In its own words, and not as a fault of ours."""
    write_project(folder)
    set_in_project(folder, site_url="https://[x/")

    result = run(command)

    assert result.exit_code == 2
    assert "error: the site cannot be built: Invalid IPv6 URL" in result.stderr


def test_an_address_of_a_contract_alone_that_is_none_is_refused(folder: Path) -> None:
    """As one in a project is."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")

    result = run("build", "--contract", "c.yaml", "--site-url", "https://[x/")

    assert result.exit_code == 2
    assert "--site-url: 'https://[x/' is not an address" in result.stderr


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("overview", "../README.md"),
        ("overview", "changelog/index.md"),
        ("overview", "reference"),
        ("overview", ""),
        ("overview", "/index.md"),
        ("decisions", "/decisions/{number}-*.md"),
        ("decisions", "decisions/**{number}"),
    ],
)
def test_a_setting_that_leads_out_of_the_pages_is_refused(folder: Path, setting: str, value: str) -> None:
    """It names the setting and quotes the value."""
    write_project(folder, **{setting: value})

    result = run("check")

    assert result.exit_code == 2
    assert setting in result.stderr
    assert repr(value) in result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_a_closed_folder_is_told(folder: Path) -> None:
    """By name, and not as a fault of ours."""
    (folder / "closed").mkdir(mode=0)

    result = run("check", "--contract", "closed/c.yaml")

    assert result.exit_code == 2
    assert "closed" in result.stderr
    assert "Permission denied" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["--contract", "site/c.yaml"], ["-d", "site", "-f", "site/mkdocs.yml"]]
)
def test_build_never_deletes_its_own_input(folder: Path, arguments: list[str]) -> None:
    """Not even where the folder is a site."""
    (folder / "site").mkdir()
    write_project(folder / "site")
    (folder / "site" / "c.yaml").write_text(CONTRACT, encoding="utf-8")
    (folder / "site" / "assets" / "devportal").mkdir(parents=True)

    result = run("build", *arguments)

    assert result.exit_code == 2
    assert re.search("lies in this folder|contains the folder of the pages", result.stderr)
    assert (folder / "site" / "mkdocs.yml").is_file()
    assert (folder / "site" / "c.yaml").is_file()


def test_a_folder_that_cannot_be_made(folder: Path) -> None:
    """A file stands in the way."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")
    (folder / "file").write_text("mine", encoding="utf-8")

    result = run("build", "--contract", "c.yaml", "-d", "file/site")

    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


# ---- check -------------------------------------------------------------------------------------


def test_check_reports_settings_that_fail_the_build(folder: Path) -> None:
    """Those that MkDocs warns of, in the file of the project: a build fails for any of its warnings."""
    write_project(folder)
    set_in_project(folder, extra_cs=["a.css"])
    settings = folder / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8").replace("- search\n", "- search: {langg: en}\n")
    settings.write_text(text, encoding="utf-8")

    result = run("check")

    assert result.exit_code == 1, result.stderr
    assert "mkdocs.yml:1:1: error: there is no setting 'extra_cs' [project-setting]\n" in result.stdout
    unknown = r"mkdocs.yml:\d+:\d+: error: the plugin 'search' has no setting 'langg'"
    assert re.search(unknown, result.stdout), result.stdout


def test_check_finds_a_setting_in_an_inherited_file(folder: Path) -> None:
    """The problem is where the setting is written."""
    write_project(folder)
    (folder / "base.yml").write_text("site_author: a\nextra_cs: [a.css]\n", encoding="utf-8")
    set_in_project(folder, INHERIT="base.yml")

    result = run("check")

    assert "base.yml:2:1: error: there is no setting 'extra_cs'" in result.stdout
    assert "did you mean 'extra_css'?" in result.stdout


def test_check_of_a_clean_contract(folder: Path) -> None:
    """Nothing on standard output, 0; nothing is written beside the contract."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")

    result = run("check", "--contract", "c.yaml")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No problems found.\n")
    assert [path.name for path in folder.iterdir()] == ["c.yaml"]


@pytest.mark.parametrize("command", ["build", "check"])
def test_references_outside_the_folder_need_an_option(folder: Path, command: str) -> None:
    """The finding names the option, and with it the contract is whole; a project has a setting instead."""
    (folder / "shared.yaml").write_text("Thing: {type: integer}\n")
    (folder / "api").mkdir()
    text = CONTRACT.replace("{type: integer}", "{$ref: '../shared.yaml#/Thing'}")
    (folder / "api" / "openapi.yaml").write_text(text)
    site = ["--site-dir", "allowed"] if command == "build" else []
    refused = run(command, "--contract", "api/openapi.yaml")
    allowed = run(command, "--contract", "api/openapi.yaml", "--allow-outside-references", *site)
    project = run(command, "--allow-outside-references")

    assert refused.exit_code == 1
    assert "contract-ref-refused" in refused.output
    assert "--allow-outside-references" in refused.output
    assert (allowed.exit_code, "error" in allowed.output) == (0, False)
    assert project.exit_code == 2


@pytest.mark.parametrize("contract", [WRONG, BROKEN])
def test_check_prints_findings_as_the_result(folder: Path, contract: str) -> None:
    """1; on standard output, one line each with the place, and what to do below."""
    (folder / "c.yaml").write_text(contract, encoding="utf-8")

    result = run("check", "--contract", "c.yaml")

    assert result.exit_code == 1
    assert re.search(r"^c\.yaml:12:\d+: error: .* \[contract-[a-z-]+\]$", result.stdout, re.MULTILINE)
    assert re.search(r"^Check failed: \d errors?, listed above\.$", result.stderr, re.MULTILINE)


def test_a_baseline_accepts_known_problems_and_fails_for_new_ones(folder: Path) -> None:
    """Written by an option, read by every check; without it all problems are listed again."""
    (folder / "c.yaml").write_text(WRONG, encoding="utf-8")

    updated = run("check", "--contract", "c.yaml", "--update-baseline")
    known = run("check", "--contract", "c.yaml")
    listed = run("check", "--contract", "c.yaml", "--no-baseline")
    (folder / "c.yaml").write_text(WRONG.replace("three", "four"), encoding="utf-8")
    new = run("check", "--contract", "c.yaml")

    assert updated.exit_code == known.exit_code == 0
    assert "baseline.yaml: 1 known problem, 1 added, 0 removed" in updated.stderr
    assert "1 known problem accepted: 1 contract-example" in known.stdout
    assert known.stderr == "Check passed: 1 note.\n"
    assert (listed.exit_code, new.exit_code) == (1, 1)
    assert "[baseline-stale]" in new.stdout


def test_a_baseline_that_accepts_nothing_is_removed(folder: Path) -> None:
    """When the last problem is fixed, an update leaves no file behind."""
    (folder / "c.yaml").write_text(WRONG, encoding="utf-8")
    run("check", "--contract", "c.yaml", "--update-baseline")
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")

    updated = run("check", "--contract", "c.yaml", "--update-baseline")

    assert updated.stderr == "baseline.yaml: 0 known problems, 0 added, 1 removed\nNo problems found.\n"
    assert [path.name for path in folder.iterdir()] == ["c.yaml"]


def test_a_contract_that_cannot_be_built_is_never_accepted(folder: Path) -> None:
    """A broken reference fails the build too: a baseline would only hide it."""
    (folder / "c.yaml").write_text(BROKEN, encoding="utf-8")

    result = run("check", "--contract", "c.yaml", "--update-baseline")

    assert result.exit_code == 1
    assert "0 known problems" in result.stderr


@pytest.mark.parametrize(
    "options", [("--no-baseline", "--update-baseline"), ("--records", "data", "--no-baseline")]
)
def test_options_of_a_baseline_that_make_no_sense_are_refused(folder: Path, options: tuple[str, ...]) -> None:
    """Together, or beside records alone."""
    result = run("check", *options)

    assert result.exit_code == 2
    assert "  help: " in result.stderr
    assert list(folder.iterdir()) == []


def test_check_writes_its_findings_in_any_format(folder: Path) -> None:
    """One to standard output or a file, others to further files; counts and exit code stay the same."""
    (folder / "c.yaml").write_text(WRONG, encoding="utf-8")
    plain = run("check", "--contract", "c.yaml")
    wrong = run("check", "--contract", "c.yaml", "--format", "json", "--write", "text=a/b.txt")
    clean = run("check", "--contract", "c.yaml", "--format", "sarif", "--output", "c.sarif")

    found = json.loads(wrong.stdout)["results"]
    assert (wrong.exit_code, wrong.stderr) == (plain.exit_code, plain.stderr) == (1, plain.stderr)
    assert [item["rule"] for item in found] == re.findall(r"^c.yaml:.*\[(.*)\]$", plain.stdout, re.MULTILINE)
    assert (folder / "a/b.txt").read_text(encoding="utf-8") == plain.stdout
    assert clean.stdout == ""
    assert len(json.loads((folder / "c.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == len(
        found
    )


@pytest.mark.parametrize(
    "file", ["openapi.yaml", "pet.yaml", "mkdocs.yml", "changes/2026-01-02-a.md", "redirects.yaml"]
)
def test_check_of_a_project_overwrites_nothing_that_it_reads(folder: Path, file: str) -> None:
    """The contract that the settings name, the files that it refers to, and whole folders."""
    contract = CONTRACT.replace("paths:", "paths:\n  /pets: {$ref: pet.yaml}", 1)
    write_project(folder, contract=contract, changelog="changes")
    (folder / "pet.yaml").write_text("summary: A pet\n", encoding="utf-8")
    (folder / "redirects.yaml").write_text("pages: {}\n", encoding="utf-8")
    (folder / "changes").mkdir()
    (folder / "changes" / "2026-01-02-a.md").write_text("---\n", encoding="utf-8")
    before = (folder / file).read_text(encoding="utf-8")

    result = run("check", "--write", f"junit={file}")

    assert result.exit_code == 2
    assert f"{file}: this file is read, and would be overwritten" in result.stderr
    assert (folder / file).read_text(encoding="utf-8") == before


def test_check_of_a_project_writes_where_nothing_is_read(folder: Path) -> None:
    """Also again, over the report of the last run."""
    write_project(folder)

    results = [run("check", "--write", "junit=reports/check.xml") for _ in range(2)]

    assert [result.exit_code for result in results] == [0, 0]


@pytest.mark.parametrize(
    "files", [("--output", "c.yaml"), ("--write", "json=c.yaml"), ("--output", "x", "--write", "json=x")]
)
def test_check_overwrites_no_contract(folder: Path, files: tuple[str, ...]) -> None:
    """2, before anything is checked; nor do two results go into one file."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")

    result = run("check", "--contract", "c.yaml", *files)

    assert result.exit_code == 2
    assert re.search("would be overwritten|two results would go", result.stderr)
    assert (folder / "c.yaml").read_text(encoding="utf-8") == CONTRACT


def test_check_of_a_project(folder: Path) -> None:
    """Contract and examples, from the project's folder, without a site."""
    write_project(folder, contract=WRONG)

    result = run("check")

    assert result.exit_code == 1
    assert result.stdout.startswith("openapi.yaml:12:")
    assert not (folder / "site").exists()


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_link_without_end_among_the_pages_is_named(folder: Path, command: str) -> None:
    """The builder would follow it until the system ends that. Links to other folders are pages."""
    write_project(folder)
    (folder / "more").mkdir()
    (folder / "docs" / "more").symlink_to("../more")
    (folder / "docs" / "loop").symlink_to("..")

    result = run(command)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "error: docs/loop: this link leads to a folder that it is in\n" in result.stderr


def test_forges_find_the_files_of_a_project_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An annotation has the path in the checkout, also if the command runs above the project."""
    (folder / "portal").mkdir()
    write_project(folder / "portal", contract=WRONG)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(folder))

    result = run("check", "-f", "portal/mkdocs.yml", "--format", "github")

    assert result.stdout.startswith("::error file=portal/openapi.yaml,line=12,")


@pytest.mark.parametrize("record", ["price: much", "price: ["], ids=["no number", "no YAML"])
def test_check_finds_a_record_and_an_entry_that_are_wrong(folder: Path, record: str) -> None:
    """A record that cannot be right and an entry without a date are told together, each with its place."""
    write_project(folder, records="data", changelog="changelog")
    (folder / "data" / "rates").mkdir(parents=True)
    lay_book(folder / "data")
    (folder / "data" / "rates" / "gb.yaml").write_text(f"rates:\n  - id: gb-sms\n    {record}\n")
    (folder / "changelog").mkdir()
    (folder / "changelog" / "2026-01-10-first.md").write_text("---\ntitle: First\n---\nText.\n")

    result = run("check")

    assert result.exit_code == 1, result.stderr
    assert re.search(r"^data/rates/gb\.yaml:\d+:\d+: error: ", result.stdout, re.MULTILINE)
    assert re.search(r"^changelog/2026-01-10-first\.md:\d+:\d+: error: .*date", result.stdout, re.MULTILINE)


def test_check_of_records_alone(folder: Path) -> None:
    """Without a project: a finding has the place in the folder that was named, and no site is needed."""
    (folder / "prices/rates").mkdir(parents=True)
    clean = run("check", "--records", "prices")
    lay_book(folder / "prices")
    (folder / "prices/rates/gb.yaml").write_text("rates:\n  - id: gb-sms\n    price: much\n")
    wrong = run("check", "--records", "prices")

    assert (clean.exit_code, clean.stdout, clean.stderr) == (0, "", "No problems found.\n")
    assert wrong.exit_code == 1
    assert re.search(r"^prices/rates/gb\.yaml:\d+:\d+: error: ", wrong.stdout, re.MULTILINE)


def test_check_of_records_that_are_not_there(folder: Path) -> None:
    """2, and the folder is named."""
    result = run("check", "--records", "nowhere")

    assert result.exit_code == 2
    assert "nowhere: there is no such folder of records" in result.stderr
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("other", [("--contract", "c.yaml"), ("-f", "mkdocs.yml")])
def test_records_exclude_what_is_checked_otherwise(folder: Path, other: tuple[str, str]) -> None:
    """2: neither is ignored in silence."""
    (folder / "data").mkdir()

    result = run("check", "--records", "data", *other)

    assert result.exit_code == 2
    assert "exclude each other" in result.stderr


# ---- input that stops us -----------------------------------------------------------------------

UNUSABLE = {
    "missing": None,
    "empty": b"",
    "only a comment": b"# nothing\n",
    "no text": bytes(range(256)),
    "UTF-16": CONTRACT.encode("utf-16"),
    "no YAML": b"openapi: [3.1.0",
    "no JSON": b'{"openapi": "3.1.0",',
    "tab": b"openapi: 3.1.0\npaths:\n\t/a: {}\n",
    "duplicate key": CONTRACT.replace("info:", "info: {}\ninfo:").encode(),
    "Swagger 1.2": b"swagger: '1.2'\ninfo: {title: T, version: '1'}\npaths: {}\n",
    "no OpenAPI": b"name: T\n",
    "a list": b"- openapi: 3.1.0\n",
    "a version to come": b"openapi: 4.0.0\ninfo: {title: T, version: '1'}\npaths: {}\n",
    "alias bomb": BOMB.encode(),
    "deep": b"openapi: 3.1.0\nx-deep: " + b"[" * 50_000,
    "deep JSON": b'{"openapi": "3.1.0", "x-deep": ' + b"[" * 50_000,
}


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("content", UNUSABLE.values(), ids=UNUSABLE)
def test_what_is_no_contract_ends_with_a_message(folder: Path, command: str, content: bytes | None) -> None:
    """2, the file named, what is wrong, what to do; no traceback and no site."""
    if content is not None:
        (folder / "c.yaml").write_bytes(content)

    result = run(command, "--contract", "c.yaml")

    assert result.exit_code == 2, result.output
    assert re.search(r"^error: c\.yaml(:\d+:\d+)?: \S", result.stderr, re.MULTILINE), result.stderr
    assert (
        "\n  help: " in result.stderr or "this is not " in result.stderr
    )  # what a parser says is advice enough
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert not (folder / "site").exists()


@pytest.mark.parametrize(
    ("content", "place"),
    [(b"openapi: 3.1.0\npaths: [\n", "c.yaml:3:1"), (b'{"a": 1,\n "b" 2}', "c.yaml:2:6")],
)
def test_a_syntax_error_has_a_place(folder: Path, content: bytes, place: str) -> None:
    """Line and column, counted from 1."""
    (folder / "c.yaml").write_bytes(content)

    result = run("check", "--contract", "c.yaml")

    assert f"error: {place}: " in result.stderr


@pytest.mark.parametrize("command", ["build", "check", "serve"])
def test_no_project_here(folder: Path, command: str) -> None:
    """2, with the ways out."""
    result = run(command)

    assert result.exit_code == 2
    assert result.stderr.startswith("error: mkdocs.yml: there is no such file\n  help: ")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["build", "check", "serve"])
def test_a_contract_and_a_project_exclude_each_other(folder: Path, command: str) -> None:
    """2: neither is ignored in silence, not even where the project is the one of the default."""
    write_project(folder)

    result = run(command, "--contract", "openapi.yaml", "-f", "mkdocs.yml")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: --contract and --config-file exclude each other\n  help: ")
    assert not (folder / "site").exists()


def no_yaml(folder: Path) -> None:
    (folder / "mkdocs.yml").write_text("site_name: [", encoding="utf-8")


def no_plugin(folder: Path) -> None:
    (folder / "mkdocs.yml").write_text("site_name: P\ntheme: {name: material}\nplugins: [search]\n")


def unknown_plugin(folder: Path) -> None:
    (folder / "mkdocs.yml").write_text("site_name: P\nplugins: [nowhere]\n")


def no_contract(folder: Path) -> None:
    (folder / "openapi.yaml").unlink()


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("spoil", [no_yaml, no_plugin, unknown_plugin, no_contract])
def test_a_project_that_cannot_be_read(folder: Path, command: str, spoil: Callable[[Path], None]) -> None:
    """2, a message, what to do; no traceback."""
    write_project(folder)
    spoil(folder)

    result = run(command)

    assert result.exit_code == 2, result.output
    assert re.search(r"^error: \S", result.stderr, re.MULTILINE)
    assert "  help: " in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    """2, with the reason of the system."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")
    (folder / "c.yaml").chmod(0)

    result = run("check", "--contract", "c.yaml")

    assert result.exit_code == 2
    assert "Permission denied" in result.stderr


# ---- serve -------------------------------------------------------------------------------------


def test_serve_refuses_a_port_that_is_taken(folder: Path) -> None:
    """2 before anything is built, with the address and another way."""
    write_project(folder)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

        result = run("serve", "--port", str(port))

    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: cannot listen on 127.0.0.1:{port}: ")
    assert "--port" in result.stderr


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_serve_refuses_what_is_no_port(folder: Path, port: str) -> None:
    """2, with the range."""
    write_project(folder)

    result = run("serve", "--port", port)

    assert result.exit_code == 2
    assert "Invalid value for '--port'" in result.stderr
    assert "integer range" not in result.stderr


def test_serve_refuses_a_host_that_is_not_here(folder: Path) -> None:
    """An address of another machine cannot be listened at."""
    write_project(folder)

    result = run("serve", "--host", "192.0.2.1")

    assert result.exit_code == 2
    assert result.stderr.startswith("error: cannot listen on 192.0.2.1:8000: ")


def test_a_site_of_a_contract_can_have_an_address(folder: Path) -> None:
    """Then it has a sitemap; a project says its address in its own file, and no address is an error."""
    (folder / "c.yaml").write_text(CONTRACT, encoding="utf-8")
    write_project(folder)

    built = run("build", "--contract", "c.yaml", "--site-url", "https://a.example/docs/")
    refused = run("build", "--site-url", "https://a.example/docs/")
    wrong = run("build", "--contract", "c.yaml", "--site-url", "nowhere")

    assert built.exit_code == 0
    assert "https://a.example/docs/reference/" in (folder / "site" / "sitemap.xml").read_text(
        encoding="utf-8"
    )
    assert (refused.exit_code, wrong.exit_code) == (2, 2)
    assert "mkdocs.yml" in refused.stderr
    assert "--site-url: 'nowhere' is not an address" in wrong.stderr


@pytest.mark.parametrize("command", ["build", "check", "serve"])
def test_a_contract_without_its_option_is_refused_with_a_hint(command: str) -> None:
    """The hint is the option with that file."""
    result = run(command, "bakery.yaml")

    assert result.exit_code == 2
    assert "write --contract bakery.yaml" in result.stderr
