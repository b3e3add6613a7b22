"""The documents say what is there: commands, options, settings, targets, links, files."""

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points

import click
import pytest

from devportal.cli import cli
from devportal.site.inserts import GROUP, OWN
from devportal.site.settings import Settings

from .repository import ROOT, tracked_files

READ_FIRST = ("README.md", "CONTRIBUTING.md")
COMMANDS = ROOT / "docs" / "toolkit" / "commands.md"


def makefile_targets() -> set[str]:
    return set(
        re.findall(r"^([a-z-]+):.*?## \S", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )


def options() -> Iterator[tuple[str, str]]:
    """Yield each command of ours with each of its options, and with those of the commands below it."""
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        yield from sorted({(name, option) for option in options_of(command)})


def options_of(command: click.Command) -> Iterator[str]:
    """Yield the options of a command, and of the commands below it."""
    for parameter in command.params:
        yield from parameter.opts if isinstance(parameter, click.Option) else ()
    for below in commands_below(command).values():
        yield from options_of(below)


def commands_below(command: click.Command) -> dict[str, click.Command]:
    """Return the commands of a group by their names."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: below for name, below in found.items() if below is not None}


def section(name: str) -> str:
    """Return the part of the page of commands that is about one command; some share one."""
    parts = re.split(r"^## ", COMMANDS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return next((part for part in parts if name in part.splitlines()[0].strip().split(", ")), "")


@pytest.mark.parametrize("page", READ_FIRST)
def test_every_make_target_that_is_named_exists(page: str) -> None:
    """`make TARGET` in the first documents is a target of the Makefile."""
    text = (ROOT / page).read_text(encoding="utf-8")
    named = {
        target
        for command in re.findall(r"(?:^|`)make((?: [a-z][a-z-]*)+)", text, re.MULTILINE)
        for target in command.split()
    }

    assert named
    assert named - makefile_targets() == set()


def test_every_target_has_a_line_of_help() -> None:
    """`make help` lists every target that is meant to be called."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = set(re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE))

    assert phony == makefile_targets()


@pytest.mark.parametrize(("command", "option"), sorted(options()))
def test_every_option_is_documented(command: str, option: str) -> None:
    """The section of a command names all of its options."""
    assert f"`{option}`" in section(command), f"docs/toolkit/commands.md does not tell of {command} {option}"


@pytest.mark.parametrize("command", sorted({command for command, _ in options()}))
def test_no_option_is_documented_that_is_not_there(command: str) -> None:
    """The table of a command lists nothing else."""
    text = section(command)
    listed = set(re.findall(r"^\| `(--[a-z-]+)`", text, re.MULTILINE))
    sharing = text.splitlines()[0].split(", ")

    assert listed - {option for name, option in options() if name in sharing} == set()


def test_the_commands_of_the_review_are_documented() -> None:
    """The table of `rates` and `coverage` lists the commands that both have, all and only."""
    listed = re.findall(r"^\| `([a-z]+)`", section("rates"), re.MULTILINE)

    for group in ("rates", "coverage"):
        command = cli.get_command(click.Context(cli), group)
        assert command is not None
        assert list(commands_below(command)) == listed


def test_every_setting_is_documented() -> None:
    """The table of settings lists the plugin's settings, all and only."""
    page = (ROOT / "docs" / "toolkit" / "settings.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([a-z_]+)`", page, re.MULTILINE))

    assert listed == {name for name, _ in Settings._schema}


def test_every_insert_is_documented() -> None:
    """The table of inserts lists the toolkit's own, all and only."""
    page = (ROOT / "docs" / "toolkit" / "inserts.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([a-z-]+)[ `]", page, re.MULTILINE))

    beside = {one.name for one in entry_points(group=GROUP) if one.module.startswith("devportal.")}
    assert listed == set(OWN) | beside


def test_every_package_with_a_public_list_is_in_the_python_api() -> None:
    """The page of the Python API names each package of the toolkit that declares `__all__`."""
    page = (ROOT / "docs" / "toolkit" / "python-api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^::: ([a-z.]+)$", page, re.MULTILINE))
    packages = {f"devportal.{path.parent.name}" for path in (ROOT / "tools/devportal").glob("*/__init__.py")}

    assert {name for name in packages if hasattr(import_module(name), "__all__")} <= named
    assert all(import_module(name) for name in named)


@pytest.mark.parametrize("page", READ_FIRST)
def test_links_between_files_lead_somewhere(page: str) -> None:
    """Relative links of the documents that the site does not hold; a build checks the others."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    """`.ci/run` is `make test`, nothing else."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert lines[-1] == "exec make test"
    assert re.search(r"^make test\b", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def machine_paths(text: str) -> list[str]:
    """Return the absolute paths of somebody's machine."""
    return re.findall(r"(?<![\w.~:/-])/(?:home|root|Users|work|mnt|private|srv)/[\w.-]+", text)


def registry_hosts(text: str) -> list[str]:
    """Return the hosts of package registries, which are for each machine's own settings to say."""
    hosts = (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("yarnpkg", "com"))
    return [host for host in (".".join(parts) for parts in hosts) if host in text]


@pytest.mark.parametrize("look_for", [machine_paths, registry_hosts], ids=["paths", "registries"])
def test_the_repository_knows_no_machine(look_for: object) -> None:
    """No tracked file names a machine's path or a package registry."""
    assert callable(look_for)
    found = {
        path.relative_to(ROOT).as_posix(): hits
        for path in tracked_files()
        if (hits := look_for(path.read_bytes().decode("utf-8", "ignore")))
    }

    assert found == {}


def test_a_machine_path_and_a_registry_would_be_found() -> None:
    """The two searches above can find something."""
    path = "/".join(("see ", "home", "ada", "portal"))
    host = ".".join(("https://files", "pythonhosted", "org/x"))

    assert machine_paths(path)
    assert registry_hosts(host)
