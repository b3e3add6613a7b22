"""The documents say what is there: commands, inserts, packages, targets, links, files."""

import re
from importlib import import_module
from pkgutil import resolve_name

import click
import pytest

from devportal.manual.commands import command_path, every_command
from devportal.plugins import INSERTS_GROUP, entry_points_of
from devportal.site.hand_written.inserts import BUILT_IN_INSERTS

from .repository import ROOT, tracked_files

READ_FIRST = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
COMMANDS = ROOT / "docs" / "toolkit" / "commands.md"
COMMAND_PAGES = (COMMANDS, *sorted(COMMANDS.with_suffix("").glob("*.md")))


def makefile_targets() -> set[str]:
    return set(
        re.findall(r"^([a-z-]+):.*?## \S", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )


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


def test_every_command_has_its_words() -> None:
    """The page of commands asks for each command that is called by itself; the others come with these."""
    marks = re.findall(
        r"^<!-- devportal: command (.+) -->$",
        "\n".join(command_page.read_text(encoding="utf-8") for command_page in COMMAND_PAGES),
        re.MULTILINE,
    )
    asked = {name for words in marks for name in (words.strip('"'), *words.split())}
    groups = {
        " ".join(command_path(context))
        for context in every_command()
        if len(command_path(context)) == 1 or isinstance(context.command, click.Group)
    }

    assert groups - asked == set()


def test_every_insert_is_documented() -> None:
    """The table of inserts lists the toolkit's own, all and only."""
    page = (ROOT / "docs" / "toolkit" / "inserts.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([a-z-]+)[ `]", page, re.MULTILINE))

    beside = {entry_point.name for entry_point in entry_points_of(INSERTS_GROUP, ["devportal"])}
    assert listed == set(BUILT_IN_INSERTS) | beside


def test_every_package_with_a_public_list_is_in_the_python_api() -> None:
    """The page of the Python API names each package of the toolkit that declares `__all__`."""
    folder = ROOT / "docs" / "toolkit"
    pages = (folder / "python-api.md", *(folder / "python-api").glob("*.md"))
    page = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"^::: ([a-z._]+)$", page, re.MULTILINE))
    packages = {f"devportal.{path.parent.name}" for path in (ROOT / "tools/devportal").glob("*/__init__.py")}

    assert {name for name in packages if hasattr(import_module(name), "__all__")} <= named
    assert all(resolve_name(name) for name in named)


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


def test_pipelines_keep_the_hidden_files_of_a_site() -> None:
    """An artifact without them has no `.well-known`."""
    text = (ROOT / "docs" / "toolkit" / "ci.md").read_text(encoding="utf-8")
    kept = re.findall(r"actions/upload-artifact@.*\n((?: {12,}.*\n)+)", text)

    assert len(kept) == 1
    assert [item for item in kept if "include-hidden-files: true" not in item] == []
